// What the web page shows for one delegation: the `terminal` card, the only one that a page of the
// 0.1 hosts honours for a plugin's tool. Pure functions of the call's arguments and of what the
// session recorded, so that a replayed session shows the same. Running a delegation is tool.ts's.

import type { JsonValue, ToolCallView, ToolResult, ToolResultView } from '@deepseek-ai/dsh-tools'
import { CATEGORIES } from '../cursor/categories.ts'
import { wrapText } from '../wrap-text.ts'

/**
 * The width of folded text. A card at a window of 800 px shows 86 columns of the page's 12 px code
 * font (7.2 px a character, measured in Chromium), at 1400 px 98.
 */
export const CARD_COLUMNS = 84

/** Rows of the task in the card's head; the head scrolls past 150 px, which is 8 rows. */
const TASK_ROWS_RUNNING = 6
const TASK_ROWS_SETTLED = 2

/** How a delegation is run, as far as the configuration decides it. */
export interface DelegationFacts {
  /** The permission mode's name. */
  readonly mode: string
  /** The model id that is passed; absent: the CLI account's default. */
  readonly model?: string | undefined
}

/** What the tool records with a result (`output.presentationMeta`), for the card alone. */
export type DelegationMeta = {
  /** The permission mode of the run. */
  mode: string
  /** The model id that was passed. */
  model?: string
  /** Present once the run has settled; absent for one that was only started in the background. */
  stopReason?: string
  /** Milliseconds from the start to the result. */
  durationMs?: number
  /** Tool calls that the CLI has completed. */
  toolCalls?: number
}

/**
 * The card of a delegation that is running: what was delegated, and how. `facts` are those of the
 * configuration at the time of the call, since only arguments are recorded with a call; the result's
 * card replaces them with recorded ones.
 */
export function presentDelegationCall(
  args: unknown,
  facts: DelegationFacts | undefined,
): ToolCallView | undefined {
  const task = narrowTask(args)
  if (task === undefined || facts === undefined) return undefined
  return {
    card: 'terminal',
    title: head(
      [`mode ${facts.mode}`, `model ${facts.model ?? 'default'}`],
      task,
      TASK_ROWS_RUNNING,
    ),
    description: `Cursor: ${task.description}`,
    // Without one the page shows the session's own directory, where the CLI runs then.
    ...(task.cwd === undefined ? {} : { cwd: task.cwd }),
  }
}

/** The card of a delegation that has settled: the answer, or why there is none. */
export function presentDelegationResult(
  args: unknown,
  result: ToolResult,
): ToolResultView | undefined {
  const task = narrowTask(args)
  if (task === undefined) return undefined
  const text = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
  if (result.isError) return presentFailure(task, text)

  const meta = narrowMeta(result.meta)
  const how = meta === undefined ? [] : [`mode ${meta.mode}`, `model ${meta.model ?? 'default'}`]
  if (meta !== undefined && meta.stopReason === undefined) how.push('in the background')
  if (meta?.durationMs !== undefined) how.push(duration(meta.durationMs))
  if (meta?.toolCalls !== undefined) {
    how.push(`${meta.toolCalls} tool ${meta.toolCalls === 1 ? 'call' : 'calls'}`)
  }
  return {
    card: 'terminal',
    title: head(how, task, TASK_ROWS_SETTLED),
    output: wrapText(text, CARD_COLUMNS),
    // The page takes a card without an exit state for a finished one, so a delegation that goes on
    // in the background has none.
    ...(meta !== undefined && meta.stopReason === undefined ? {} : { exitCode: 0 }),
  }
}

/** A call that was stopped, in the host's words ("tool call aborted") and in the plugin's own. */
const ABORTED = /\baborted\b/i
/** The first of a diagnostic's facts. */
const EXIT_CODE = /^exit code: (\d+)\b/m
const SIGNAL = /^signal: (SIG[A-Z0-9]+)\b/m

function presentFailure(task: Task, content: string): ToolResultView {
  const text = content.replace(/^Error: /, '')
  const [first = ''] = text.split('\n', 1)
  const [word = ''] = first.split(':', 1)
  const category = Object.hasOwn(CATEGORIES, word) ? word : undefined
  const aborted = category === undefined && ABORTED.test(first)
  // Below the facts stands what the CLI wrote, which can be anything.
  const [facts = ''] = text.split('\nstderr:\n', 1)
  const exitCode = EXIT_CODE.exec(facts)?.[1]
  const ran = !first.includes('aborted before')
  const signal = aborted && ran ? 'SIGTERM' : SIGNAL.exec(facts)?.[1]
  return {
    card: 'terminal',
    title: head([aborted ? 'stopped' : (category ?? 'failed')], task, TASK_ROWS_SETTLED),
    // What happened and what to do stand apart from the facts.
    output: wrapText(text.replace('\n', '\n\n'), CARD_COLUMNS),
    // A card is marked as failed by a signal or by an exit code other than 0. A failure that no
    // process has caused, or one whose process left with 0, is given the 1 of a failed command.
    ...(signal === undefined ? { exitCode: Number(exitCode ?? 1) || 1 } : { signal }),
  }
}

interface Task {
  readonly description: string
  readonly prompt: string
  readonly cwd?: string
}

function narrowTask(args: unknown): Task | undefined {
  if (typeof args !== 'object' || args === null) return undefined
  const { description, prompt, cwd } = args as Record<string, unknown>
  if (typeof description !== 'string' || typeof prompt !== 'string') return undefined
  return { description, prompt, ...(typeof cwd === 'string' && cwd !== '' ? { cwd } : {}) }
}

function narrowMeta(meta: JsonValue | undefined): DelegationMeta | undefined {
  if (typeof meta !== 'object' || meta === null || Array.isArray(meta)) return undefined
  const { mode, model, stopReason, durationMs, toolCalls } = meta as Record<string, unknown>
  if (typeof mode !== 'string') return undefined
  return {
    mode,
    ...(typeof model === 'string' ? { model } : {}),
    ...(typeof stopReason === 'string' ? { stopReason } : {}),
    ...(typeof durationMs === 'number' ? { durationMs } : {}),
    ...(typeof toolCalls === 'number' ? { toolCalls } : {}),
  }
}

/** The card's head: one row that says how, then the task, cut to `rows` rows. */
function head(how: readonly string[], task: Task, rows: number): string {
  const lines = wrapText(task.prompt.trim(), CARD_COLUMNS).split('\n')
  const shown = lines.length > rows ? [...lines.slice(0, rows - 1), `${lines[rows - 1]} …`] : lines
  return [['cursor-agent', ...how].join(' · '), ...shown].join('\n')
}

function duration(ms: number): string {
  const seconds = ms / 1000
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`
}
