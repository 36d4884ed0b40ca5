/**
 * Connects a tool call with the run that it started. `start()` of the host returns no progress,
 * but hands the provider the caller's own signal.
 */

import type { CursorRun, RunProgress } from '../cursor/run.ts'

const runs = new WeakMap<AbortSignal, CursorRun>()

export function trackProgress(signal: AbortSignal, run: CursorRun): void {
  runs.set(signal, run)
}

/** @returns the counts of the run that was started with `signal`, once there is one. */
export function progressOf(signal: AbortSignal): RunProgress | undefined {
  return runs.get(signal)?.progress()
}
