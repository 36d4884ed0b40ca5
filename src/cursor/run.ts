/**
 * Runs the Cursor CLI once: start, read, settle, tear down. It does not know DSH, so the self-check
 * can use it too.
 */

import type { Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { Attempt } from './attempt.ts'
import { childEnvironment } from './child-env.ts'
import { assertFitsCommandLine, assertUsablePrompt, buildArgv } from './command-line.ts'
import type { RunOptions } from './options.ts'
import { CATEGORIES } from './failures/categories.ts'
import { firstLine, withValue } from './failures/format.ts'
import { resolveCursorCli, type CursorCli } from './find-cli.ts'
import { Masker } from './masking.ts'
import { judge, type AttemptEnd, type Evidence, type RunFailure } from './outcome.ts'
import { PERMISSION_MODE_NAMES, runsOn } from './permission-modes.ts'
import { assertSpawned, discard, type CursorProcess, type SpawnProcess } from './process.ts'
import { CursorStartError } from './start-error.ts'
import type { CursorStreamReader } from './stream-reader.ts'
import type { System } from './system.ts'
import { LimitTimers, type ReachedLimit } from './time-limits.ts'

/** Pause before the second start, in ms; random, so that racing runs do not collide again. */
const RACE_PAUSE_MS = { least: 150, spread: 350 }

export interface CursorRunRequest {
  readonly prompt: string
  readonly cwd: string
  readonly config: RunOptions
  /**
   * Called before each of the two possible starts, after the prompt was checked.
   * @returns the options to start with; they may allow less than `config`.
   * @throws to refuse the start.
   */
  readonly beforeStart?: () => RunOptions
  readonly system: System
  readonly spawn: SpawnProcess
  /** Receives a copy of the CLI's stderr. */
  readonly stderr: Writable
  /** Never receives content of the run. Must not throw. */
  readonly log: (message: string) => void
  /** How to start the self-check here; failure texts name it. */
  readonly doctorCommand?: string
}

export type CursorOutcome =
  | { readonly status: 'completed'; readonly answer: string }
  | { readonly status: 'failed'; readonly failure: RunFailure }
  | { readonly status: 'aborted' }

/** Counts and names, but nothing of what the run said. */
export interface RunProgress {
  /** ms since the process started; stops counting when the run settles. */
  readonly elapsedMs: number
  readonly eventCount: number
  readonly toolCalls: { readonly started: number; readonly completed: number }
  /** Bytes on stdout. */
  readonly bytes: number
  /** ms from the start to the first event; `undefined` before it. */
  readonly firstEventMs: number | undefined
  /** The `usage` of the result event, unchecked. */
  readonly usage: unknown
  /** Files that the CLI's edit, write and delete tools named. */
  readonly files: readonly string[]
}

export interface CursorRun {
  readonly cli: CursorCli
  /** Never rejects, and does not wait for the process to exit. */
  readonly outcome: Promise<CursorOutcome>
  progress(): RunProgress
  /** Settles the run as `aborted`, unless it has settled, and stops its process. Idempotent. */
  cancel(): void
  /** Cancels the run; resolves when the process tree has exited and no listener or timer is left. */
  dispose(): Promise<void>
}

interface Started {
  readonly cli: CursorCli
  readonly process: CursorProcess
}

/**
 * Starts the CLI. Checks the prompt, then `beforeStart`, the platform, the install and the length of
 * the command line.
 * @returns as soon as the process exists, without waiting for its first event.
 * @throws {CursorStartError} masked like a diagnostic. No process is left running then.
 */
export async function startCursorRun(request: CursorRunRequest): Promise<CursorRun> {
  try {
    assertUsablePrompt(request.prompt)
    const { cli, process } = await startProcess(request)
    try {
      return new Run(request, cli, process)
    } catch (error) {
      void discard(process)
      throw error
    }
  } catch (error) {
    throw maskedError(
      error instanceof CursorStartError
        ? error
        : new CursorStartError('spawn-failed', { happened: spawnFailed(error) }),
      request,
    )
  }
}

function spawnFailed(reason: unknown): string {
  return withValue(CATEGORIES['spawn-failed'].inDetail.reason.en, messageOf(reason))
}

async function startProcess(request: CursorRunRequest): Promise<Started> {
  const config = request.beforeStart?.() ?? request.config
  assertModeRunsHere(config.permissionMode, request.system.platform)
  return spawnCli({ ...request, config })
}

function assertModeRunsHere(mode: RunOptions['permissionMode'], platform: NodeJS.Platform): void {
  if (runsOn(mode, platform)) return
  const others = PERMISSION_MODE_NAMES.filter((name) => runsOn(name, platform))
  throw new CursorStartError('unsupported-platform', {
    happened: `permissionMode ${mode} needs Cursor's sandbox, which does not exist on ${platform}.`,
    nextStep: `Set \`permissionMode\` to one of ${others.join(', ')}.`,
  })
}

/** Searches again if the CLI vanishes between finding and starting it, as during an update. */
async function spawnCli(request: CursorRunRequest): Promise<Started> {
  const { config, system } = request
  let lastError: unknown
  for (let look = 1; look <= 2; look++) {
    const cli = resolveCursorCli(system, config.cliPath)
    try {
      return { cli, process: await spawnFound(request, cli) }
    } catch (error) {
      if (error instanceof CursorStartError) throw error
      if (!system.files.isDirectory(request.cwd)) {
        throw new CursorStartError('bad-cwd', {
          happened: `The working directory is gone: ${request.cwd}.`,
        })
      }
      lastError = error
      if (system.files.isExecutable(cli.program)) break
    }
  }
  // Keeps only the message, because Node's error object holds the whole command line, prompt included.
  throw new CursorStartError('spawn-failed', { happened: spawnFailed(lastError) })
}

/** @throws whatever the spawn failed with. */
async function spawnFound(request: CursorRunRequest, cli: CursorCli): Promise<CursorProcess> {
  const { prompt, cwd, config, system } = request
  const argv = [cli.program, ...cli.leadingArgs, ...buildArgv(config, prompt)]
  assertFitsCommandLine(system.platform, argv)
  const process = request.spawn({
    argv,
    cwd,
    env: childEnvironment(system, config.env, cli.runner),
    stdio: { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
    graceMs: config.disposeGraceMs,
  })
  await assertSpawned(process, config.disposeGraceMs)
  return process
}

function maskerFor(request: CursorRunRequest, reader: CursorStreamReader | undefined): Masker {
  return new Masker({
    environmentValues: Object.values(request.config.env),
    extraArgs: request.config.extraArgs,
    prompt: request.prompt,
    answer: reader?.result?.result,
    home: request.system.home,
    cwd: request.cwd,
  })
}

/** Does not mask `cwd`, because errors before the start are often about it. */
function maskedError(error: CursorStartError, request: CursorRunRequest): CursorStartError {
  const masker = maskerFor({ ...request, cwd: '' }, undefined)
  return error.withText((text) => masker.mask(text), request.doctorCommand)
}

/** Prefers Node's error code, because its message repeats the bad argument, which may be a secret. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return 'an unknown error'
  const { code } = error as NodeJS.ErrnoException
  return code?.startsWith('ERR_') ? code : error.message.replace(/\.$/, '')
}

const FAULT = {
  category: 'no-result',
  happened: 'The end of the run could not be explained.',
  nextStep: 'Please report this as a fault of dsh-subagent-cursor.',
} as const

/** A run settles with this if the plugin's own code throws. */
const UNEXPLAINED: CursorOutcome = {
  status: 'failed',
  failure: { ...FAULT, diagnostic: firstLine(FAULT) },
}

type Interruption = 'cancelled' | ReachedLimit

class Run implements CursorRun {
  readonly cli: CursorCli
  readonly outcome: Promise<CursorOutcome>
  readonly #request: CursorRunRequest
  readonly #interrupted = Promise.withResolvers<Interruption>()
  readonly #timers: LimitTimers
  readonly #startedAt = performance.now()
  readonly #abandonPause = new AbortController()
  #attempt: Attempt
  #settledAt: number | undefined
  #disposal: Promise<void> | undefined

  constructor(request: CursorRunRequest, cli: CursorCli, process: CursorProcess) {
    this.cli = cli
    this.#request = request
    this.#attempt = this.#read(process)
    this.#timers = new LimitTimers(request.config, () => this.#attempt, this.#interrupted.resolve)
    this.outcome = this.#run().then(
      (outcome) => this.#settle(outcome),
      () => this.#settle(UNEXPLAINED),
    )
  }

  progress(): RunProgress {
    const { reader, firstEventAt } = this.#attempt
    return {
      firstEventMs: firstEventAt && Math.round(firstEventAt - this.#startedAt),
      elapsedMs: Math.round((this.#settledAt ?? performance.now()) - this.#startedAt),
      eventCount: reader.eventCount,
      toolCalls: { ...reader.toolCalls },
      bytes: reader.bytes,
      usage: reader.result?.usage,
      files: [...reader.files],
    }
  }

  cancel(): void {
    if (this.#settledAt !== undefined) return
    this.#interrupted.resolve('cancelled')
    this.#abandonPause.abort()
    this.#attempt.stop()
  }

  dispose(): Promise<void> {
    this.#disposal ??= this.#tearDown()
    return this.#disposal
  }

  #read(process: CursorProcess): Attempt {
    const { config, stderr, system } = this.#request
    return new Attempt(process, {
      graceMs: config.disposeGraceMs,
      stderr,
      platform: system.platform,
    })
  }

  async #tearDown(): Promise<void> {
    this.cancel()
    await this.outcome
    await this.#attempt.dispose()
  }

  #settle(outcome: CursorOutcome): CursorOutcome {
    this.#settledAt = performance.now()
    this.#timers.clear()
    // After an answer, the process may finish its own work; `dispose` stops it at the latest.
    if (outcome.status !== 'completed') this.#attempt.stop()
    return outcome
  }

  async #run(): Promise<CursorOutcome> {
    const first = await this.#awaitAttempt()
    if (first.status !== 'failed' || !this.#lostStartRace(first.failure)) return first
    return this.#secondAttempt(first)
  }

  async #awaitAttempt(): Promise<CursorOutcome> {
    return this.#outcomeOf(await Promise.race([this.#attempt.ended, this.#interrupted.promise]))
  }

  #outcomeOf(end: AttemptEnd | 'cancelled'): CursorOutcome {
    if (end === 'cancelled') return { status: 'aborted' }
    const attempt = this.#attempt
    if (attempt.spawnError !== undefined && end === 'exited') {
      return { status: 'failed', failure: this.#failedSpawn(attempt.spawnError.reason) }
    }
    const { config, prompt, doctorCommand } = this.#request
    const evidence: Evidence = { ...attempt.evidence(), end }
    const verdict = judge(evidence, { prompt, model: config.model, doctorCommand }, () =>
      maskerFor(this.#request, attempt.reader),
    )
    if (verdict.status === 'completed') attempt.reportLateExit(this.#request.log)
    return verdict
  }

  /** On hosts whose handles have no pid, a spawn can fail after the run was returned. */
  #failedSpawn(reason: unknown): RunFailure {
    const { category, happened, nextStep, message } = new CursorStartError(
      'spawn-failed',
      { happened: maskerFor(this.#request, undefined).mask(spawnFailed(reason)) },
      this.#request.doctorCommand,
    )
    return { category, happened, nextStep, diagnostic: message }
  }

  /** A second start is safe only before the first event, because until then the CLI did nothing. */
  #lostStartRace({ startRace }: RunFailure): boolean {
    return startRace === true && this.#attempt.reader.eventCount === 0
  }

  /** Starts the CLI once more. If that fails too, reports the first failure. */
  async #secondAttempt(first: CursorOutcome & { status: 'failed' }): Promise<CursorOutcome> {
    const pauseMs = Math.round(RACE_PAUSE_MS.least + Math.random() * RACE_PAUSE_MS.spread)
    this.#request.log(
      `start-up race (${first.failure.category}): starting the CLI again in ${pauseMs} ms`,
    )
    const paused = async (): Promise<undefined> => {
      await this.#attempt.dispose()
      await delay(pauseMs, undefined, { signal: this.#abandonPause.signal }).catch(() => {})
    }
    try {
      const interruption = await Promise.race([this.#interrupted.promise, paused()])
      if (interruption !== undefined) return this.#outcomeOf(interruption)
      const { process } = await startProcess(this.#request)
      this.#attempt = this.#read(process)
    } catch (error) {
      this.#request.log(
        `the second start failed: ${error instanceof CursorStartError ? error.category : 'spawn'}`,
      )
      return first
    }
    const second = await this.#awaitAttempt()
    if (second.status !== 'failed' || second.failure.category === 'timeout') return second
    this.#request.log(`the second attempt failed too: ${second.failure.category}`)
    return first
  }
}
