/**
 * Runs the CLI's other commands (`status`, `models`, …) with the program and the environment of
 * a delegation, within a limit. What their output means belongs to `cursor/account.ts`.
 */

import { setTimeout as delay } from 'node:timers/promises'
import { childEnvironment } from '../cursor/child-env.ts'
import type { ResolvedConfig } from '../config/config.ts'
import { messageOf } from '../error-message.ts'
import { CATEGORIES } from '../cursor/failures/categories.ts'
import { withValue } from '../cursor/failures/format.ts'
import { CursorStartError } from '../cursor/start-error.ts'
import type { CursorCli } from '../cursor/find-cli.ts'
import { assertSpawned, type CursorProcess, type ProcessExit } from '../cursor/process.ts'
import type { Subject } from './check-input.ts'

/** ms between SIGTERM and SIGKILL of a command that does not end. */
const GRACE_MS = 1000
/** ms; how long the end of a killed tree is waited for on top of the grace. */
const END_LIMIT_MS = 2000
/** Kept of each stream, in bytes; a list of 246 models has 15 KiB. */
const MAX_KEPT_BYTES = 131_072

export interface CommandOutput {
  readonly stdout: string
  readonly stderr: string
  /** `undefined` when the command was stopped at the limit, or because the signal was aborted. */
  readonly exit: ProcessExit | undefined
}

type Options = Pick<Subject, 'system' | 'spawn' | 'cwd' | 'limitMs' | 'signal'>

export class CliCommands {
  readonly #options: Options
  readonly #outputs = new Map<string, Promise<CommandOutput>>()

  constructor(options: Options) {
    this.#options = options
  }

  /**
   * Runs one command, once for each program and environment: the instances of a profile often share both.
   * @throws {CursorStartError} `spawn-failed`
   * @throws the signal's reason, when it was aborted before.
   */
  run(cli: CursorCli, config: ResolvedConfig, args: readonly string[]): Promise<CommandOutput> {
    const argv = [cli.program, ...cli.leadingArgs, ...args]
    const env = childEnvironment(this.#options.system, config.env, cli.runner)
    const key = JSON.stringify([argv, Object.entries(env).toSorted()])
    const output = this.#outputs.get(key) ?? this.#start(argv, env)
    this.#outputs.set(key, output)
    return output
  }

  async #start(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<CommandOutput> {
    const { spawn, cwd, limitMs, signal } = this.#options
    signal.throwIfAborted()
    let child: CursorProcess
    try {
      child = spawn({
        argv,
        cwd,
        env,
        stdio: { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
        graceMs: GRACE_MS,
      })
      await assertSpawned(child, GRACE_MS)
    } catch (error) {
      throw new CursorStartError('spawn-failed', {
        happened: withValue(CATEGORIES['spawn-failed'].inDetail.reason.en, messageOf(error)),
        nextStep: 'Install the CLI again as cursor.com/cli says.',
      })
    }
    const stdout = collect(child.stdout)
    const stderr = collect(child.stderr)
    const over = new AbortController()
    const enough = delay(limitMs, undefined, {
      signal: AbortSignal.any([signal, over.signal]),
    }).catch(() => undefined)
    try {
      const exit = await Promise.race([child.done, enough])
      return { stdout: stdout(), stderr: stderr(), exit }
    } finally {
      over.abort()
      await bringDown(child)
    }
  }
}

/** Ends the tree, with whatever the command has left running, and lets go of its pipes. */
async function bringDown(child: CursorProcess): Promise<void> {
  child.terminate()
  await child.waitForExit(AbortSignal.timeout(GRACE_MS + END_LIMIT_MS))
  child.stdout?.destroy()
  child.stderr?.destroy()
}

/** Reads a stream from now on; what exceeds the limit is read and thrown away. */
function collect(stream: CursorProcess['stdout']): () => string {
  const chunks: Buffer[] = []
  let kept = 0
  stream?.on('data', (chunk: Buffer) => {
    const taken = chunk.subarray(0, MAX_KEPT_BYTES - kept)
    kept += taken.length
    if (taken.length > 0) chunks.push(taken)
  })
  stream?.on('error', () => {})
  return () => Buffer.concat(chunks).toString('utf8')
}
