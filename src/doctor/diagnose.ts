/**
 * The self-check: which checks there are, their order, and the report. It writes nothing and
 * starts processes only through the given `spawn`, so that the command and a page in the host
 * can share it.
 */

import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { resolveConfig, type ResolvedConfig } from '../config/config.ts'
import { CursorStartError } from '../cursor/start-error.ts'
import type { CursorCli } from '../cursor/find-cli.ts'
import { Masker } from '../cursor/masking.ts'
import type { SpawnProcess } from '../cursor/process.ts'
import type { System } from '../cursor/system.ts'
import { checkConfig } from './checks/config.ts'
import { checkHost } from './checks/host.ts'
import { checkInstall } from './checks/install.ts'
import { checkLogin } from './checks/login.ts'
import { checkModels } from './checks/models.ts'
import { checkPermissionMode } from './checks/permission-mode.ts'
import { checkPlatform } from './checks/platform.ts'
import { checkProbe } from './checks/probe.ts'
import { checkProfile, type Instance } from './checks/profile.ts'
import { checkProxy } from './checks/proxy.ts'
import { checkVersion } from './checks/version.ts'
import { CliCommands } from './cli-commands.ts'
import { failedStart, finding } from './finding.ts'
import { TITLES } from './findings.ts'
import { PACKAGE_NAME, packageVersion } from './own-package.ts'
import type { ProfileReading } from './profile.ts'
import type { Recording } from './recording.ts'
import {
  WORST_FIRST,
  type Check,
  type CheckData,
  type CheckId,
  type Finding,
  type Report,
} from './report.ts'
import type { Subject } from './subject.ts'

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

export type ProgressEvent =
  | { readonly type: 'started'; readonly id: CheckId; readonly instance: string | null }
  | { readonly type: 'finished'; readonly id: CheckId; readonly instance: string | null }

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
    const examination = new Examination(options, cwd)
    await examination.run()
    return examination.report()
  } finally {
    // Windows may hold files of a process that has just ended.
    await rm(cwd, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
    process.off('exit', removeAtExit)
  }
}

class Examination {
  readonly #options: DiagnoseOptions
  readonly #cwd: string
  readonly #signal: AbortSignal
  readonly #limitMs: number
  readonly #commands: CliCommands
  readonly #checks: Check[] = []

  constructor(options: DiagnoseOptions, cwd: string) {
    const { system, spawn } = options
    this.#options = options
    this.#cwd = cwd
    this.#signal = options.signal ?? new AbortController().signal
    this.#limitMs = options.limitMs ?? COMMAND_LIMIT_MS
    this.#commands = new CliCommands({
      system,
      spawn,
      cwd,
      limitMs: this.#limitMs,
      signal: this.#signal,
    })
  }

  async run(): Promise<void> {
    const { system, profile, config } = this.#options
    await this.#check('platform', null, () => checkPlatform(system))
    let instances: readonly Instance[] = []
    if (profile !== undefined) {
      await this.#check('host', null, () => checkHost(profile.host))
      await this.#check('profile', null, () => {
        const checked = checkProfile(system, profile)
        instances = checked.instances
        return checked.findings
      })
    }
    // Without a configuration that the plugin accepts, what depends on one is not looked at.
    const isConfigured = profile === undefined || instances.length > 0
    if (instances.length === 0) {
      instances = [{ id: undefined, config: config ?? resolveConfig({}) }]
    }
    for (const instance of instances) {
      await this.#examine(this.#subject(instance, instances.length > 1), isConfigured)
    }
  }

  report(): Report {
    const checks = this.#checks
    const probes = checks.filter(({ id }) => id === 'probe')
    return {
      schemaVersion: 1,
      plugin: { name: PACKAGE_NAME, version: packageVersion() },
      profile: this.#options.profile?.name ?? null,
      ok: checks.every(({ state }) => state !== 'failed'),
      proven: probes.length > 0 && probes.every(isGood),
      checks,
    }
  }

  async #examine(subject: Subject, isConfigured: boolean): Promise<void> {
    const { probe = false, listModels = false } = this.#options
    const { instance } = subject
    let cli: CursorCli | undefined
    let lacking: CheckId = 'install'
    await this.#check('install', instance, () => {
      const installed = checkInstall(subject)
      cli = installed.cli
      return installed.finding
    })
    const configured = async <Id extends CheckId>(id: Id, look: Look<Id>): Promise<unknown> =>
      this.#check(id, instance, isConfigured ? look : after('profile'))
    await configured('config', () => checkConfig(subject))
    await configured('permission-mode', () => checkPermissionMode(subject, cli))
    await this.#check('proxy', instance, () => checkProxy(subject, cli?.runner))
    // Without the CLI, or with another program in its place, the rest has nobody to ask.
    const ask = async <Id extends CheckId>(
      id: Id,
      look: (cli: CursorCli) => Promise<Looked<CheckData[Id]>>,
    ): Promise<Check['state']> => {
      const asked = cli
      return this.#check(id, instance, asked === undefined ? after(lacking) : () => look(asked))
    }
    const version = await ask('version', (found) => checkVersion(subject, found))
    if (version === 'failed') [cli, lacking] = [undefined, 'version']
    await ask('login', (found) => checkLogin(subject, found))
    await ask('models', (found) => checkModels(subject, found, { list: listModels }))
    if (!probe) return
    // A run needs what an older Node does not have.
    if (this.#checks[0]?.state === 'failed') [cli, lacking] = [undefined, 'platform']
    else if (!isConfigured) [cli, lacking] = [undefined, 'profile']
    const proof = await ask('probe', () => checkProbe(subject, this.#options.onRecorded))
    if (proof === 'passed' || proof === 'warning') this.#acceptLogin(instance)
  }

  /** A run that worked says more of the login than `status` does. */
  #acceptLogin(instance: string | null): void {
    const at = this.#checks.findIndex(
      (check) => check.id === 'login' && check.instance === instance,
    )
    const login = this.#checks[at]
    if (login === undefined || login.state === 'passed' || login.state === 'skipped') return
    const { id, durationMs, data } = login
    const proven = finding('passed', 'login-proven', {})
    this.#checks[at] = { id, instance, durationMs, ...proven, data } as Check
  }

  #subject({ id, config }: Instance, isOneOfSeveral: boolean): Subject {
    const { system, spawn, probeLimitMs = PROBE_LIMIT_MS } = this.#options
    return {
      instance: isOneOfSeveral ? (id ?? config.toolName) : null,
      config,
      system,
      spawn,
      commands: this.#commands,
      cwd: this.#cwd,
      masker: new Masker({
        environmentValues: Object.values(config.env),
        extraArgs: config.extraArgs,
        prompt: '',
        home: system.home,
        cwd: this.#cwd,
      }),
      limitMs: this.#limitMs,
      probeLimitMs,
      signal: this.#signal,
    }
  }

  /** Runs one check, times it and tells of it. */
  async #check<Id extends CheckId>(
    id: Id,
    instance: string | null,
    look: Look<Id>,
  ): Promise<Check['state']> {
    this.#signal.throwIfAborted()
    this.#options.onProgress?.({ type: 'started', id, instance })
    const startedAt = performance.now()
    const looked = await this.#contained(look)
    this.#signal.throwIfAborted()
    const durationMs = Math.round(performance.now() - startedAt)
    const findings = [looked].flat().map((each) => this.#toldOnce(each, instance))
    for (const each of findings) this.#checks.push({ id, instance, durationMs, ...each } as Check)
    this.#options.onProgress?.({ type: 'finished', id, instance })
    return WORST_FIRST.find((state) => findings.some((each) => each.state === state)) ?? 'passed'
  }

  /** One cause, such as a missing login, makes several checks of one row fail. */
  #toldOnce<Data>(told: Finding<Data>, instance: string | null): Finding<Data> {
    const { category, state } = told
    const before = this.#checks.find(
      (check) =>
        check.state === 'failed' && check.category === category && check.instance === instance,
    )
    if (state !== 'failed' || category === null || before === undefined) return told
    const { data } = told
    return finding('skipped', 'same-cause', { check: TITLES[before.id] }, { category, data })
  }

  /** A start that is impossible is a finding. */
  async #contained<Data>(look: () => Looked<Data> | Promise<Looked<Data>>): Promise<Looked<Data>> {
    try {
      return await look()
    } catch (error) {
      if (!(error instanceof CursorStartError)) throw error
      const { home } = this.#options.system
      const masker = new Masker({ environmentValues: [], prompt: '', home, cwd: this.#cwd })
      return failedStart(error, masker)
    }
  }
}

type Looked<Data> = Finding<Data> | readonly Finding<Data>[]
type Look<Id extends CheckId> = () => Looked<CheckData[Id]> | Promise<Looked<CheckData[Id]>>

const after = (failed: CheckId) => (): Finding<never> =>
  finding('skipped', 'not-checked', { check: TITLES[failed] })

const isGood = ({ state }: Check): boolean => state === 'passed' || state === 'warning'
