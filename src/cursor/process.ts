/**
 * The interface through which a run starts and stops processes: the part of the host's subprocess
 * service that it uses, which the self-check implements too. Also checks each new handle.
 */

import type { Readable } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'
import { CursorStartError } from './start-error.ts'

/** Started without a shell; `argv[0]` is the program. */
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
  /**
   * Only set by hosts before 0.2; -1 if the spawn failed. On later hosts only `done` reports a
   * failed spawn.
   */
  readonly pid?: number
  readonly stdout: Readable | undefined
  readonly stderr: Readable | undefined
  /** Resolves when the process has closed. Rejects only if the spawn failed, at once or later. */
  readonly done: Promise<ProcessExit>
  /** Asks the whole process tree to stop and kills it after the grace. Idempotent. */
  terminate(): void
  /** Resolves when the whole process tree has exited. */
  waitForExit(signal?: AbortSignal): Promise<boolean>
}

/** Starts a process, or throws. */
export type SpawnProcess = (spec: SpawnSpec) => CursorProcess

const isFunction = (value: unknown): boolean => typeof value === 'function'
const isStream = (value: unknown): boolean =>
  isFunction((value as Readable | null | undefined)?.on) && isFunction((value as Readable).off)

/** The members of a handle that a run uses, and their types. */
const NEEDED_MEMBERS: Readonly<Record<string, (value: unknown) => boolean>> = {
  stdout: isStream,
  stderr: isStream,
  done: (value: unknown) => isFunction((value as Promise<unknown> | null | undefined)?.then),
  terminate: isFunction,
  waitForExit: isFunction,
} satisfies Partial<Record<keyof CursorProcess, unknown>>

/** @throws {CursorStartError} `spawn-failed` if a member is missing. */
function assertUsable(handle: CursorProcess): void {
  const members = (handle ?? {}) as unknown as Record<string, unknown>
  const missing = Object.entries(NEEDED_MEMBERS).filter(([name, fits]) => !fits(members[name]))
  if (missing.length === 0) return
  void discard(handle)
  throw new CursorStartError('spawn-failed', {
    happened: `The subprocess service gave a handle without ${missing.map(([name]) => name).join(', ')}.`,
    nextStep: 'Update the host or this plugin, because they do not fit together.',
  })
}

/** Cleans up an unusable handle as far as possible. It may be a promise of a handle. */
export async function discard(handle: unknown): Promise<void> {
  try {
    const process = (await handle) as Partial<CursorProcess> | null | undefined
    await Promise.allSettled([process?.terminate?.(), process?.done])
  } catch {
    // The caller has already reported what is wrong with the handle.
  }
}

/**
 * Checks a new handle. A failed spawn has a pid of -1; on a host without pids, `done` usually rejects
 * within one turn of the event loop. It may also reject later, which `attempt.ts` handles.
 * @param graceMs how long to wait for the reason of a failed spawn, in ms.
 * @throws {CursorStartError} `spawn-failed` if the handle lacks a member.
 * @throws whatever the spawn failed with.
 */
export async function assertSpawned(handle: CursorProcess, graceMs: number): Promise<void> {
  assertUsable(handle)
  const { pid, done } = handle
  if (pid !== undefined && pid > 0) return
  const waited = new AbortController()
  const enough =
    pid === undefined ? nextTurn() : delay(graceMs, undefined, { signal: waited.signal })
  try {
    await Promise.race([done, enough])
  } finally {
    waited.abort()
    enough.catch(() => {})
  }
  if (pid !== undefined) throw new Error('the process had no id')
}
