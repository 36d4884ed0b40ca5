// Combines the page's block of a call and the host's answer into what a row shows: state, task, text
// and counts. Both inputs can be old or incomplete, so everything is checked here and nothing throws.
// row.tsx draws it.

import { readFailureText, type FailureText } from '../../../cursor/failures/format.ts'
import {
  metaOf,
  readMeta,
  readTask,
  type DelegationMeta,
  type Task,
} from '../../../dsh/recorded.ts'
import type { RunView } from '../../protocol.ts'

/** A call from pages of 0.1 and 0.2, unchecked. */
export interface Block {
  readonly kind?: unknown
  readonly argsRaw?: unknown
  readonly call?: { readonly argsRaw?: unknown } | null
  /** ms since 1970: when a running call began, or when a settled one ended. */
  readonly time?: unknown
  readonly callTime?: unknown
  readonly content?: unknown
  readonly isError?: unknown
  readonly error?: { readonly code?: unknown } | null
  readonly meta?: unknown
}

/** The values that the page's own rows use in `data-state`. */
export type RowState = 'running' | 'ok' | 'error' | 'stopped'

export interface RowModel {
  readonly state: RowState
  readonly description?: string
  readonly prompt?: string
  /** The call has settled; its run may continue in the background. */
  readonly settled: boolean
  readonly background: boolean
  /** The run has settled, but the call has not yet. */
  readonly waiting: boolean
  /** A background run that neither the host nor the session knows any more. */
  readonly lost: boolean
  /** When the call began, for the clock. */
  readonly startedAt?: number
  readonly facts: Readonly<Partial<DelegationMeta>>
  readonly files: readonly string[]
  /** Unchanged, but it may be cut by the host. */
  readonly answer?: string
  readonly failure?: FailureText
  /** The text of a failure that is not in the plugin's format. */
  readonly plainFailure?: string
}

/** A background job of the session, on pages of 0.1. */
export interface Job {
  readonly id?: unknown
  readonly kind?: unknown
  readonly label?: unknown
  readonly status?: unknown
}

/**
 * @param view the host's last answer about the run.
 * @param jobs the session's jobs.
 */
export function rowModel(block: Block, view: RunView | undefined, jobs?: readonly Job[]): RowModel {
  const settled = block.kind === 'tool-result'
  const task = argumentsOf(settled ? block.call?.argsRaw : block.argsRaw)
  const meta = readMeta(block.meta)
  const text = textOf(block.content)
  const failed = settled && block.isError === true
  const background = settled && !failed && meta !== undefined && meta.stopReason === undefined
  const job = background ? jobOf(jobs, task?.description) : undefined

  const state = stateOf({ settled, failed, background, block, text, view, job })
  const ended = settled && !background
  const source = ended ? text : (view?.text ?? '')
  const said = state === 'error' ? readFailureText(source) : undefined
  const startedAt = number(settled ? block.callTime : block.time)
  const endedAt = ended ? number(block.time) : undefined
  const between =
    startedAt !== undefined && endedAt !== undefined ? Math.max(0, endedAt - startedAt) : undefined
  // Prefers the run's own data over what the session recorded with the call.
  const facts = view === undefined ? meta : metaOf(view)
  return {
    state,
    ...task,
    settled,
    background,
    waiting: !settled && view?.state === 'settled',
    lost: background && view === undefined && job === undefined,
    ...(startedAt !== undefined && { startedAt }),
    facts: { ...pick('durationMs', between), ...facts },
    files: view?.files ?? [],
    // Prefers the run's own text, because the session keeps very long answers only in part.
    ...(state === 'ok' && pick('answer', view?.text ?? (ended ? text : undefined))),
    ...(said !== undefined && { failure: said }),
    ...(state === 'error' && said === undefined && { plainFailure: withoutError(source) }),
  }
}

/** The start of the text of a call that somebody stopped. */
const STOPPED = /^(?:Error: )?(?:aborted\b|tool call aborted\b)/

function stateOf(known: {
  settled: boolean
  failed: boolean
  background: boolean
  block: Block
  text: string
  view: RunView | undefined
  job: Job | undefined
}): RowState {
  const { settled, failed, background, block, text, view, job } = known
  if (!settled) return 'running'
  if (failed) {
    const stopped =
      block.error?.code === 'interrupted' || view?.stopReason === 'aborted' || STOPPED.test(text)
    return stopped ? 'stopped' : 'error'
  }
  if (!background) return 'ok'
  if (view?.state === 'settled') return RUN_STATES[view.stopReason ?? 'error']
  if (view?.state === 'running') return 'running'
  return JOB_STATES.get(job?.status) ?? 'ok'
}

const RUN_STATES = { completed: 'ok', aborted: 'stopped', error: 'error' } as const

const JOB_STATES: ReadonlyMap<unknown, RowState> = new Map([
  ['running', 'running'],
  ['stopping', 'running'],
  ['failed', 'error'],
  ['killed', 'stopped'],
])

/** Pages of 0.1 do not say which call started a job, so this takes the newest with the same label. */
function jobOf(jobs: readonly Job[] | undefined, label: string | undefined): Job | undefined {
  return jobs?.findLast((job) => job.kind === 'subagent' && job.label === label)
}

/** @returns `undefined` while the model is still writing the arguments. */
function argumentsOf(argsRaw: unknown): Task | undefined {
  if (typeof argsRaw !== 'string') return undefined
  try {
    return readTask(JSON.parse(argsRaw))
  } catch {
    return undefined
  }
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return ''
  return content
    .map((part: { type?: unknown; text?: unknown } | null) =>
      part?.type === 'text' && typeof part.text === 'string' ? part.text : '',
    )
    .join('')
}

function withoutError(text: string): string {
  return text.replace(/^Error: /, '')
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

function pick<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { [Key in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Value }
}
