// What a page without our row shows for a delegation: the host's `terminal` card while it runs and
// for an answer. A failure has the host's own row, which shows its text in full; so has a delegation
// that goes on in the background, which the card would mark as done. Pure functions of what the
// session recorded, so that a replayed session shows the same.

import type { ToolCallView, ToolResult, ToolResultView } from '@deepseek-ai/dsh-tools'
import { harmless } from '../harmless.ts'
import { readMeta, readTask, type DelegationMeta, type Task } from './recorded.ts'

/** Of the task, in the card's head, which scrolls. */
const TASK_CHARACTERS = 500

/** @param meta of the configuration at the time of the call, since only arguments are recorded with it. */
export function presentDelegationCall(
  args: unknown,
  meta: DelegationMeta | undefined,
): ToolCallView | undefined {
  const task = readTask(args)
  if (task === undefined || meta === undefined) return undefined
  return {
    card: 'terminal',
    title: head(task, meta),
    description: `Cursor: ${harmless(task.description)}`,
    // Without one the page shows the session's own directory, where the CLI runs then.
    ...(task.cwd !== undefined && { cwd: harmless(task.cwd) }),
  }
}

/** The card of an answer, as it came: the page scrolls long lines and a fold would break them. */
export function presentDelegationResult(
  args: unknown,
  { content, isError, meta }: ToolResult,
): ToolResultView | undefined {
  const task = readTask(args)
  const recorded = readMeta(meta)
  if (task === undefined || isError || recorded?.stopReason === undefined) return undefined
  const answer = content.map((block) => (block.type === 'text' ? block.text : '')).join('')
  return { card: 'terminal', title: head(task, recorded), output: harmless(answer), exitCode: 0 }
}

/** Each fact in the card's head, in this order. */
const FACTS: Record<keyof DelegationMeta, (meta: DelegationMeta) => string | undefined> = {
  mode: ({ mode }) => `mode ${mode}`,
  model: ({ model }) => `model ${model ?? 'default'}`,
  durationMs: ({ durationMs: ms }) =>
    ms === undefined ? undefined : `${(ms / 1000).toFixed(1)} s`,
  toolCalls: ({ toolCalls }) => (toolCalls === undefined ? undefined : `tool calls: ${toolCalls}`),
  // Too long for a head, and the card is that of an answer anyway.
  usage: () => undefined,
  stopReason: () => undefined,
}

function head({ prompt }: Task, meta: DelegationMeta): string {
  const facts = Object.values(FACTS).map((fact) => fact(meta))
  const task = prompt.trim()
  const shown = task.length > TASK_CHARACTERS ? `${task.slice(0, TASK_CHARACTERS)} …` : task
  return harmless([['cursor-agent', ...facts].filter(Boolean).join(' · '), shown].join('\n'))
}
