/**
 * The runs of one instance by the tool call that asked for them: what a background job and the
 * page's row show of a run, and what a tool call asks of the provider. The host hands the provider
 * the tool's request object as it is, so the call's id travels in a field of it.
 */

import type { CursorOutcome, CursorRun } from '../cursor/run.ts'
import type { ResolvedConfig } from '../config/config.ts'
import { tokenUsage, type TokenUsage } from '../cursor/stream-reader/token-usage.ts'

/** What a tool call tells the provider about the run that it asks for. */
export interface Delegation {
  readonly callId: string
  /** The run is made in the CLI's read-only mode, whatever is configured. */
  readonly readOnly: boolean
}

/** A request of the host's, with what this plugin's own tool adds. */
export interface WithDelegation {
  readonly cursor?: Delegation
}

/** A run as a page may show it to the person whose session it is. */
export interface RunView {
  readonly state: 'running' | 'settled'
  readonly stopReason?: 'completed' | 'aborted' | 'error'
  readonly mode: string
  readonly model?: string
  /** ms since the process was started; stands still once the run has settled. */
  readonly elapsedMs: number
  readonly toolCalls: { readonly started: number; readonly completed: number }
  readonly usage?: TokenUsage
  /** Files that the CLI's edit, write and delete tools named. */
  readonly files: readonly string[]
  /** The answer or the failure text of a settled run; left out when it is very long. */
  readonly text?: string
}

/** Settled runs that are kept for a page that asks late. */
const MOST_SETTLED = 32
/** Characters of an answer that are kept with them. */
const LONGEST_TEXT = 1_048_576

interface Entry {
  readonly delegation: Delegation
  /** Of a settled run only what is shown: its answer may have megabytes. */
  view: RunView | (() => RunView)
}

export class RunRegistry {
  readonly #entries = new Map<string, Entry>()

  add(delegation: Delegation, run: CursorRun, config: ResolvedConfig): void {
    const entry: Entry = { delegation, view: () => viewOf(run, config) }
    // The newest stands last, so the oldest settled one goes first.
    this.#entries.delete(delegation.callId)
    this.#entries.set(delegation.callId, entry)
    void run.outcome.then((outcome) => {
      entry.view = viewOf(run, config, outcome)
      this.#forgetOldest()
    })
  }

  /** @returns the run that `callId` has started, if the provider still knows it. */
  view(callId: string): RunView | undefined {
    const view = this.#entries.get(callId)?.view
    return typeof view === 'function' ? view() : view
  }

  /** Whether the provider has made this call's run read-only. */
  isReadOnly(callId: string): boolean {
    return this.#entries.get(callId)?.delegation.readOnly === true
  }

  #forgetOldest(): void {
    const settled = [...this.#entries].filter(([, { view }]) => typeof view !== 'function')
    for (const [callId] of settled.slice(0, -MOST_SETTLED)) this.#entries.delete(callId)
  }
}

function viewOf(run: CursorRun, config: ResolvedConfig, outcome?: CursorOutcome): RunView {
  const { elapsedMs, toolCalls, usage, files } = run.progress()
  const tokens = tokenUsage(usage)
  const text = outcome && textOf(outcome)
  return {
    state: outcome === undefined ? 'running' : 'settled',
    ...(outcome && { stopReason: STOP_REASONS[outcome.status] }),
    mode: config.permissionMode,
    ...(config.model !== undefined && { model: config.model }),
    elapsedMs,
    toolCalls,
    ...(tokens && { usage: tokens }),
    files,
    ...(text !== undefined && text.length <= LONGEST_TEXT && { text }),
  }
}

export const STOP_REASONS = {
  completed: 'completed',
  aborted: 'aborted',
  failed: 'error',
} as const satisfies Record<CursorOutcome['status'], string>

function textOf(outcome: CursorOutcome): string | undefined {
  switch (outcome.status) {
    case 'completed':
      return outcome.answer
    case 'failed':
      return outcome.failure.diagnostic
    case 'aborted':
      return undefined
  }
}
