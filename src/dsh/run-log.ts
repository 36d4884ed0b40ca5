/** Writes two lines per run to the host's log: how it started and how it ended. */

import type { ResolvedConfig } from '../config/config.ts'
import type { CursorCli } from '../cursor/find-cli.ts'
import type { CursorOutcome, RunProgress } from '../cursor/run.ts'
import { tokenUsage } from '../cursor/stream-reader/token-usage.ts'

/** Logs at level info, because hosts drop warnings by default. Never throws. */
export type Log = (message: string) => void

export function logStart(
  log: Log,
  run: { id: string; provider: string; config: ResolvedConfig; cli: CursorCli },
): void {
  const { permissionMode, model } = run.config
  log(
    `run ${run.id} started: provider ${run.provider}, mode ${permissionMode}, ` +
      `model ${model ?? 'account default'}, CLI ${run.cli.version ?? 'of unknown version'} (${run.cli.runner})`,
  )
}

export function logEnd(
  log: Log,
  run: { id: string; outcome: CursorOutcome; progress: RunProgress },
): void {
  const { outcome, progress } = run
  const ended =
    outcome.status === 'failed' ? `failed (${outcome.failure.category})` : outcome.status
  const usage = tokenUsage(progress.usage)
  const tokens = usage && `${usage.inputTokens} tokens in, ${usage.outputTokens} out`
  const { started, completed } = progress.toolCalls
  log(
    [
      `run ${run.id} ended: ${ended} after ${progress.elapsedMs} ms`,
      `${progress.eventCount} events`,
      `${started} tool calls started, ${completed} completed`,
      `${progress.bytes} bytes`,
      ...(tokens === undefined ? [] : [tokens]),
    ].join(', '),
  )
}
