/**
 * The process contract that a run is written against: the part of the host's subprocess service
 * that it uses, so that the same code runs under DSH and under the self-check.
 */

import type { Readable } from 'node:stream'

/** What to start. Nothing in it is interpreted by a shell; `argv[0]` is the program. */
export interface SpawnSpec {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly stdio: { readonly stdin: 'ignore'; readonly stdout: 'pipe'; readonly stderr: 'pipe' }
  /** ms between SIGTERM and SIGKILL. */
  readonly graceMs: number
}

export interface ProcessExit {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
}

export interface CursorProcess {
  /** -1 when the spawn failed; `done` rejects then. */
  readonly pid: number
  readonly stdout: Readable | undefined
  readonly stderr: Readable | undefined
  /** Resolves when the process has closed; rejects only when the spawn failed. */
  readonly done: Promise<ProcessExit>
  /** Asks the whole tree to stop, and kills it after the grace. Idempotent. */
  terminate(): void
  /** Resolves when the whole tree has exited. */
  waitForExit(signal?: AbortSignal): Promise<boolean>
}

/** Starts a process, or throws. */
export type SpawnProcess = (spec: SpawnSpec) => CursorProcess
