/**
 * The self-check: runs the checks of `checks.ts` on a machine, its profile and each row of that, and makes
 * the report. It writes nothing and starts processes only through the given `spawn`, so that the command
 * and a page in the host can share it.
 */

import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { resolveConfig, type ResolvedConfig } from '../config/config.ts'
import { searchCursorCli } from '../cursor/find-cli.ts'
import { Masker } from '../cursor/masking.ts'
import type { SpawnProcess } from '../cursor/process.ts'
import { CursorStartError } from '../cursor/start-error.ts'
import type { System } from '../cursor/system.ts'
import { CHECK_IDS, CHECKS, type CheckId, type Looked } from './checks.ts'
import { LOGIN_PROVEN } from './checks/login.ts'
import { checkProfile, type Instance } from './checks/profile.ts'
import { CliCommands } from './cli-commands.ts'
import { failedStart, shared, type Finding } from './finding.ts'
import { PACKAGE_NAME, packageVersion } from './own-package.ts'
import type { ProfileReading } from './read-profile.ts'
import type { Recording } from './recording.ts'
import type { Check, Report } from './report.ts'
import type { Asked, Subject } from './check-input.ts'

/** ms; a command of the CLI answers in 1 to 6 s. */
export const COMMAND_LIMIT_MS = 20_000
/** ms; the CLI's cold start alone was measured at 3 to 6 s. */
export const PROBE_LIMIT_MS = 120_000

export interface DiagnoseOptions {
  readonly system: System
  readonly spawn: SpawnProcess
  /** The configuration to check; default: that of an empty row. */
  readonly config?: ResolvedConfig
  /** Checks this profile, and its rows in the place of `config`. */
  readonly profile?: ProfileReading | undefined
  /** Makes one small run for each instance. It costs some of the account's quota. */
  readonly probe?: boolean
  /** Puts every model into the report. */
  readonly listModels?: boolean
  /** ms; the limit of each command of the CLI, and of the probe's run. */
  readonly limitMs?: number
  readonly probeLimitMs?: number
  /** Given what the CLI has printed in each probe, as a case. */
  readonly onRecorded?: ((recording: Recording) => void) | undefined
  readonly onProgress?: (event: ProgressEvent) => void
  readonly signal?: AbortSignal
}

export interface ProgressEvent {
  readonly type: 'started' | 'finished'
  readonly id: CheckId
  readonly instance: string | null
}

/**
 * Runs every check, one after the other: parallel starts of the CLI race for its files.
 * @throws the signal's reason once it is aborted; no process is left then.
 */
export async function diagnose(options: DiagnoseOptions): Promise<Report> {
  const cwd = await mkdtemp(path.join(tmpdir(), 'cursor-doctor-'))
  // A process that exits in between (a closed pipe, a second Ctrl-C) runs no `finally`.
  const removeAtExit = (): void => rmSync(cwd, { recursive: true, force: true })
  process.once('exit', removeAtExit)
  try {
    return await examine(options, cwd)
  } finally {
    // Windows may hold files of a process that has just ended.
    await rm(cwd, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
    process.off('exit', removeAtExit)
  }
}

async function examine(options: DiagnoseOptions, cwd: string): Promise<Report> {
  const { system, spawn, profile, limitMs = COMMAND_LIMIT_MS } = options
  const { signal = new AbortController().signal } = options
  const commands = new CliCommands({ system, spawn, cwd, limitMs, signal })
  const checks: Check[] = []

  /** Runs one check, times it and tells of it. */
  const run = async (
    id: CheckId,
    instance: string | null,
    look: () => Looked | Promise<Looked>,
  ): Promise<void> => {
    signal.throwIfAborted()
    options.onProgress?.({ type: 'started', id, instance })
    const startedAt = performance.now()
    const looked = await look()
    signal.throwIfAborted()
    const durationMs = Math.round(performance.now() - startedAt)
    for (const finding of [looked].flat()) {
      checks.push({ id, instance, durationMs, ...toldOnce(finding, instance, checks) } as Check)
    }
    options.onProgress?.({ type: 'finished', id, instance })
  }

  const judged = profile && checkProfile(system, profile)
  // Without a row that the plugin accepts, what depends on one is not looked at.
  const isConfigured = judged === undefined || judged.instances.length > 0
  const hasFailed = (id: CheckId, instance: string | null): boolean =>
    id === 'profile'
      ? !isConfigured
      : checks.some(
          (check) =>
            check.id === id &&
            check.state === 'failed' &&
            (check.instance === null || check.instance === instance),
        )

  const subjectOf = ({ id, config }: Instance, isOneOfSeveral: boolean): Subject => {
    const search = searchCursorCli(system, config.cliPath)
    return {
      instance: isOneOfSeveral ? (id ?? config.toolName) : null,
      config,
      system,
      spawn,
      commands,
      search,
      cli: search.cli,
      cwd,
      masker: new Masker({
        environmentValues: Object.values(config.env),
        extraArgs: config.extraArgs,
        prompt: '',
        home: system.home,
        cwd,
      }),
      limitMs,
      probeLimitMs: options.probeLimitMs ?? PROBE_LIMIT_MS,
      signal,
      listModels: options.listModels === true,
      onRecorded: options.onRecorded,
    }
  }

  for (const id of CHECK_IDS) {
    const check = CHECKS[id]
    if (check.of === 'machine') await run(id, null, () => check.look(system))
    if (check.of === 'profile' && profile && judged) {
      await run(id, null, () => check.look({ reading: profile, judged }))
    }
  }
  const instances = judged?.instances.length
    ? judged.instances
    : [{ id: undefined, config: options.config ?? resolveConfig({}) }]
  for (const each of instances) {
    const subject = subjectOf(each, instances.length > 1)
    const { instance, masker } = subject
    for (const id of CHECK_IDS) {
      const check = CHECKS[id]
      if (check.of !== 'row' || (id === 'probe' && options.probe !== true)) continue
      const after: readonly CheckId[] = 'after' in check ? check.after : []
      const failed = after.find((earlier) => hasFailed(earlier, instance))
      await run(id, instance, async () => {
        if (failed !== undefined)
          return shared('skipped', 'not-checked', { check: CHECKS[failed].title })
        try {
          // After the check of the install, those that need the CLI have it.
          return await check.look(subject as Asked)
        } catch (error) {
          // A start that is impossible is a finding.
          if (error instanceof CursorStartError) return failedStart(error, masker)
          throw error
        }
      })
    }
  }

  const probes = checks.filter(({ id }) => id === 'probe')
  const proven = checks.map((check) => loginProven(check, probes))
  return {
    schemaVersion: 1,
    plugin: { name: PACKAGE_NAME, version: packageVersion() },
    profile: profile?.name ?? null,
    ok: proven.every(({ state }) => state !== 'failed'),
    proven: probes.length > 0 && probes.every(isGood),
    checks: proven,
  }
}

/** One cause, such as a missing login, makes several checks of one row fail. */
function toldOnce(told: Finding, instance: string | null, checks: readonly Check[]): Finding {
  const { category, data, state } = told
  const before = checks.find(
    (check) =>
      check.state === 'failed' && check.category === category && check.instance === instance,
  )
  if (state !== 'failed' || category === null || before === undefined) return told
  return shared('skipped', 'same-cause', { check: CHECKS[before.id].title }, { category, data })
}

/** A run that worked says more of the login than `status` does. */
function loginProven(check: Check, probes: readonly Check[]): Check {
  const isProven = probes.some((probe) => probe.instance === check.instance && isGood(probe))
  if (check.id !== 'login' || !isProven || check.state === 'passed' || check.state === 'skipped')
    return check
  const { id, instance, durationMs, data } = check
  return { id, instance, durationMs, ...LOGIN_PROVEN, data }
}

const isGood = ({ state }: Check): boolean => state === 'passed' || state === 'warning'
