// The host's `terminal` card, for pages that cannot show our own row. Failures use the host's default
// row, because it shows the whole text. So do background delegations, because the card would mark
// them as done. Depends only on what the session recorded, so a replayed session looks the same.

import type { ToolCallView, ToolResult, ToolResultView } from '@deepseek-ai/dsh-tools'
import { harmless } from '../harmless.ts'
import { readMeta, readTask, type DelegationMeta, type Task } from './recorded.ts'

/** How much of the task the card's head shows; the head scrolls. */
const TASK_CHARACTERS = 500

/** @param meta from the current configuration, because the session records only a call's arguments. */
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
    // Without `cwd`, the page shows the session's directory, which is where the CLI then runs.
    ...(task.cwd !== undefined && { cwd: harmless(task.cwd) }),
  }
}

/** Shows the answer unchanged: the page scrolls long lines, so they need no wrapping. */
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

/** The facts in the card's head, in display order. */
const FACTS: Record<keyof DelegationMeta, (meta: DelegationMeta) => string | undefined> = {
  mode: ({ mode }) => `mode ${mode}`,
  model: ({ model }) => `model ${model ?? 'default'}`,
  durationMs: ({ durationMs: ms }) =>
    ms === undefined ? undefined : `${(ms / 1000).toFixed(1)} s`,
  toolCalls: ({ toolCalls }) => (toolCalls === undefined ? undefined : `tool calls: ${toolCalls}`),
  // Token counts are too long for the head.
  usage: () => undefined,
  // Only completed runs use this card.
  stopReason: () => undefined,
}

function head({ prompt }: Task, meta: DelegationMeta): string {
  const facts = Object.values(FACTS).map((fact) => fact(meta))
  const task = prompt.trim()
  const shown = task.length > TASK_CHARACTERS ? `${task.slice(0, TASK_CHARACTERS)} …` : task
  return harmless([['cursor-agent', ...facts].filter(Boolean).join(' · '), shown].join('\n'))
}
