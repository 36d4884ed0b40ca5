/**
 * Keeps the runs of one instance by tool call id, so that background jobs and the page's row can show
 * them. The tool passes the call id to the provider in an extra field of its request, because the
 * host hands the request object over unchanged.
 */

import type { CursorOutcome, CursorRun, RunProgress } from '../cursor/run.ts'
import type { ResolvedConfig } from '../config/config.ts'
import { tokenUsage, type TokenUsage } from '../cursor/stream-reader/token-usage.ts'

/** What the tool tells the provider about a run. */
export interface Delegation {
  readonly callId: string
  /** Start the CLI in its read-only mode, whatever is configured. */
  readonly readOnly: boolean
}

/** The field that this plugin's own tool adds to the host's request. */
export interface WithDelegation {
  readonly cursor?: Delegation
}

/** What the page may show about a run to the owner of its session. */
export interface RunView extends Pick<RunProgress, 'elapsedMs' | 'toolCalls' | 'files'> {
  readonly state: 'running' | 'settled'
  readonly stopReason?: 'completed' | 'aborted' | 'error'
  readonly mode: string
  readonly model?: string
  readonly usage?: TokenUsage
  /** The answer or the failure text of a settled run, unless it is very long. */
  readonly text?: string
}

/** How many settled runs to keep for pages that ask late. */
const MOST_SETTLED = 32
/** In UTF-16 units. Longer texts are not kept at all. */
const LONGEST_TEXT = 1_048_576

interface Entry {
  readonly delegation: Delegation
  /** A settled run is replaced by its view, to free its output, which may be megabytes. */
  view: RunView | (() => RunView)
}

export class RunRegistry {
  readonly #entries = new Map<string, Entry>()

  add(delegation: Delegation, run: CursorRun, config: ResolvedConfig): void {
    const entry: Entry = { delegation, view: () => viewOf(run, config) }
    // Deleting first moves the entry to the end, so `#forgetOldest` sees the oldest runs first.
    this.#entries.delete(delegation.callId)
    this.#entries.set(delegation.callId, entry)
    void run.outcome.then((outcome) => {
      entry.view = viewOf(run, config, outcome)
      this.#forgetOldest()
    })
  }

  /** @returns the run that `callId` started, unless it has been forgotten. */
  view(callId: string): RunView | undefined {
    const view = this.#entries.get(callId)?.view
    return typeof view === 'function' ? view() : view
  }

  /** Whether the provider received this call's request for a read-only run. */
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
