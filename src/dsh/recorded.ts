/**
 * Reads what the session recorded about a delegation: the call's arguments, and the metadata that the
 * tool stored with its result. Checks everything, because the session file can be old or edited.
 * Imports nothing from Node, because the web page's row uses it too.
 */

import type { TokenUsage } from '../cursor/stream-reader/token-usage.ts'
import type { RunView } from './runs.ts'

/** Stored with a result (`output.presentationMeta`), only for the page. */
export type DelegationMeta = {
  /** The permission mode of the run. */
  mode: string
  /** The model id passed to the CLI; absent if none was passed. */
  model?: string
  /** Absent for a run in the background, which has not settled when the call returns. */
  stopReason?: string
  /** ms from the start to the result. */
  durationMs?: number
  /** Completed tool calls. */
  toolCalls?: number
  usage?: { -readonly [Name in keyof TokenUsage]: TokenUsage[Name] }
}

const READERS: {
  readonly [Name in keyof DelegationMeta]-?: (value: unknown) => DelegationMeta[Name] | undefined
} = {
  mode: text,
  model: text,
  stopReason: text,
  durationMs: count,
  toolCalls: count,
  usage(value) {
    const { inputTokens, outputTokens } = (value ?? {}) as Record<string, unknown>
    const [input, output] = [count(inputTokens), count(outputTokens)]
    return input === undefined || output === undefined
      ? undefined
      : { inputTokens: input, outputTokens: output }
  },
}

export function readMeta(meta: unknown): DelegationMeta | undefined {
  if (typeof meta !== 'object' || meta === null) return undefined
  const facts = Object.entries(READERS)
    .map(([name, read]) => [name, read((meta as Record<string, unknown>)[name])] as const)
    .filter(([, value]) => value !== undefined)
  const { mode, ...rest }: Partial<DelegationMeta> = Object.fromEntries(facts)
  return mode === undefined ? undefined : { mode, ...rest }
}

/** @returns the metadata to record with a settled run, or to show while it runs. */
export function metaOf(run: RunView): DelegationMeta | undefined {
  const isSettled = run.state === 'settled'
  return readMeta({
    mode: run.mode,
    model: run.model,
    stopReason: run.stopReason,
    durationMs: isSettled ? run.elapsedMs : undefined,
    // A running call counts too, because the last one may not have completed yet.
    toolCalls: run.toolCalls[isSettled ? 'completed' : 'started'],
    usage: run.usage,
  } satisfies Record<keyof DelegationMeta, unknown>)
}

export interface Task {
  readonly description: string
  readonly prompt: string
  readonly cwd?: string
}

export function readTask(args: unknown): Task | undefined {
  if (typeof args !== 'object' || args === null) return undefined
  const { description, prompt, cwd } = args as Record<string, unknown>
  if (typeof description !== 'string' || typeof prompt !== 'string') return undefined
  return { description, prompt, ...(typeof cwd === 'string' && cwd !== '' && { cwd }) }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
