/**
 * The process contract that a run is written against: the part of the host's subprocess service
 * that it uses, so that the same code runs under DSH and under the self-check, and the checks of a
 * handle that has just been given.
 */

import type { Readable } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'
import { CursorStartError } from './start-error.ts'

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
  /**
   * Hosts before 0.2 have one, -1 when the spawn failed; later ones keep it to themselves, and a
   * failed spawn shows only by `done`.
   */
  readonly pid?: number
  readonly stdout: Readable | undefined
  readonly stderr: Readable | undefined
  /** Resolves when the process has closed; rejects only when the spawn failed, at once or later. */
  readonly done: Promise<ProcessExit>
  /** Asks the whole tree to stop, and kills it after the grace. Idempotent. */
  terminate(): void
  /** Resolves when the whole tree has exited. */
  waitForExit(signal?: AbortSignal): Promise<boolean>
}

/** Starts a process, or throws. */
export type SpawnProcess = (spec: SpawnSpec) => CursorProcess

const isFunction = (value: unknown): boolean => typeof value === 'function'
const isStream = (value: unknown): boolean =>
  isFunction((value as Readable | null | undefined)?.on) && isFunction((value as Readable).off)

/** What a run needs of a handle. */
const NEEDED_MEMBERS: Readonly<Record<string, (value: unknown) => boolean>> = {
  stdout: isStream,
  stderr: isStream,
  done: (value: unknown) => isFunction((value as Promise<unknown> | null | undefined)?.then),
  terminate: isFunction,
  waitForExit: isFunction,
} satisfies Partial<Record<keyof CursorProcess, unknown>>

/** @throws {CursorStartError} `spawn-failed` for a handle that lacks what a run needs. */
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

/** Cleans up a handle that cannot be used as well as it can be; it may be a promise of one. */
export async function discard(handle: unknown): Promise<void> {
  try {
    const process = (await handle) as Partial<CursorProcess> | null | undefined
    await Promise.allSettled([process?.terminate?.(), process?.done])
  } catch {
    // What is wrong with the handle is reported already.
  }
}

/**
 * Looks at a fresh handle. A failed spawn shows by a pid of -1, or, where the host gives no pid, by a
 * `done` that rejects within one turn of the event loop; one may still reject later.
 * @param graceMs how long the reason of a failed spawn is waited for, in ms.
 * @throws {CursorStartError} `spawn-failed` for a handle that lacks what a run needs.
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
