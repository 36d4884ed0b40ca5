/**
 * What the session keeps of a delegation: the call's arguments and what the tool records with its
 * result. Both come back from a file that can be old or odd, so they are read here and never trusted.
 * Free of Node, because the row in the web page reads them too.
 */

import type { TokenUsage } from '../cursor/stream-reader/token-usage.ts'

/** What the tool records with a result (`output.presentationMeta`), for the page alone. */
export type DelegationMeta = {
  /** The permission mode of the run. */
  mode: string
  /** The model id that was passed; absent: the CLI account's default. */
  model?: string
  /** Present once the run has settled; absent for one that was only started in the background. */
  stopReason?: string
  /** ms from the start to the result. */
  durationMs?: number
  /** Tool calls that the CLI has completed. */
  toolCalls?: number
  usage?: { -readonly [Name in keyof TokenUsage]: TokenUsage[Name] }
}

export function readMeta(meta: unknown): DelegationMeta | undefined {
  if (typeof meta !== 'object' || meta === null) return undefined
  const { mode, model, stopReason, durationMs, toolCalls, usage } = meta as Record<string, unknown>
  if (typeof mode !== 'string') return undefined
  const { inputTokens, outputTokens } = (usage ?? {}) as Record<string, unknown>
  return {
    mode,
    ...(typeof model === 'string' && { model }),
    ...(typeof stopReason === 'string' && { stopReason }),
    ...(isCount(durationMs) && { durationMs }),
    ...(isCount(toolCalls) && { toolCalls }),
    ...(isCount(inputTokens) && isCount(outputTokens) && { usage: { inputTokens, outputTokens } }),
  }
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

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}
