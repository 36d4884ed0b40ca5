// The real host with the plugin installed from a tarball, as a user has it, in throw-away
// directories: packing, installing, the user's configuration, running, stopping. The parent model
// is model-server.ts, the CLI is the stand-in; what they must show is the tests' business.
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeHome, type TestHome } from './install.ts'
import { startModelServer, type ModelServer, type Script } from './model-server.ts'
import { assertNoProcess, fileText, killMarked, MARK, newMark } from './processes.ts'
import { readStarts, type StandInCase, type StandInStart } from './record.ts'
import { writeCaseFile } from './cases.ts'

const PLUGIN_NAME = 'dsh-subagent-cursor'
export const ROW_ID = 'subagent-cursor'
export const TOOL_NAME = 'subagent_cursor'

const projectRoot = fileURLToPath(new URL('../..', import.meta.url))

interface Finished {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** The program file that a package declares. */
async function programOf(
  packageName: string,
  program: string,
  installedIn = projectRoot,
): Promise<string> {
  const manifest = join(installedIn, 'node_modules', packageName, 'package.json')
  const { bin } = JSON.parse(await readFile(manifest, 'utf8')) as {
    bin: string | Record<string, string>
  }
  const file = typeof bin === 'string' ? bin : bin[program]
  if (file === undefined) throw new Error(`${packageName} has no program ${program}`)
  return join(dirname(manifest), file)
}

/** PATH with this project's programs (pnpm, Node) first. */
export function testPath(): string {
  const own = join(projectRoot, 'node_modules', '.bin')
  return [own, dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter)
}

/** @param said takes what the child prints, as it comes. */
function collect(child: ChildProcess, said = { stdout: '', stderr: '' }): Promise<Finished> {
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (text: string) => (said[stream] += text))
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal, ...said }))
  })
}

async function runTool(
  program: readonly [string, ...string[]],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Promise<Finished> {
  const env: NodeJS.ProcessEnv = { ...process.env, ...options.env, PATH: testPath() }
  // The test runner's own channel and flags are not for other programs.
  delete env['NODE_TEST_CONTEXT']
  delete env['NODE_OPTIONS']
  const child = spawn(process.execPath, program, {
    cwd: options.cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const finished = await collect(child)
  if (finished.code !== 0) {
    const text = `${finished.stdout}\n${finished.stderr}`
    throw new Error(`${program.join(' ')} ended with ${finished.code}:\n${text}`)
  }
  return finished
}

const scratch = new Set<string>()
process.once('exit', () => {
  for (const directory of scratch) rmSync(directory, { recursive: true, force: true })
})

/** A directory under the system's temporary one; removed when this process ends, at the latest. */
export async function scratchDirectory(name: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), `${name}-`))
  scratch.add(directory)
  return directory
}

async function removeScratch(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true, maxRetries: 5 })
  scratch.delete(directory)
}

/**
 * The directory `name`, filled by `make` once: for all test files where scripts/test.ts runs them, and
 * otherwise for this process.
 */
async function madeOnce(name: string, make: (directory: string) => Promise<void>): Promise<string> {
  const shared = process.env['TEST_RUN_DIRECTORY']
  if (shared === undefined) {
    const directory = await scratchDirectory(name)
    await make(directory)
    return directory
  }
  const directory = join(shared, name)
  const result = `${directory}.result`
  const isFirst = await mkdir(directory).then(
    () => true,
    () => false,
  )
  if (isFirst) {
    const error = await make(directory).then(
      () => '',
      (reason: unknown) => String(reason),
    )
    await writeFile(`${result}.new`, JSON.stringify({ error }))
    await rename(`${result}.new`, result)
  }
  const { error } = JSON.parse(await fileText(result, 110_000)) as { error: string }
  if (error !== '') throw new Error(error)
  return directory
}

let packed: Promise<string> | undefined

/** A copy of what packing needs of this project, with its node_modules; its lib/ is not built. */
export async function copyCheckout(): Promise<string> {
  const checkout = await scratchDirectory('checkout')
  const skip = new Set(['node_modules', 'lib', 'tests', 'bench', 'demo', '.git', '.artefacts'])
  for (const name of await readdir(projectRoot)) {
    if (skip.has(name) || name.endsWith('.tgz')) continue
    await cp(join(projectRoot, name), join(checkout, name), { recursive: true })
  }
  await symlink(join(projectRoot, 'node_modules'), join(checkout, 'node_modules'), 'junction')
  return checkout
}

/** Builds and packs this project; returns the tarball. It works in a copy, so that lib/ stays. */
export function packPlugin(): Promise<string> {
  packed ??= (async () => {
    const directory = await madeOnce('plugin-tarball', pack)
    return join(directory, 'plugin.tgz')
  })()
  return packed
}

async function pack(destination: string): Promise<void> {
  const stage = await copyCheckout()
  const pnpm = await programOf('pnpm', 'pnpm')
  await runTool([pnpm, 'pack', '--out', join(destination, 'plugin.tgz')], { cwd: stage })
  await removeScratch(stage)
}

const templates = new Map<string, Promise<string>>()

function installTemplate(profile: string, tarball: string): Promise<string> {
  const hash = createHash('sha256').update(tarball).digest('hex').slice(0, 16)
  return madeOnce(`dsh-home-${profile}-${hash}`, async (dshHome) => {
    const dsh = await programOf('@deepseek-ai/dsh', 'dsh')
    const options = {
      cwd: dshHome,
      env: { DSH_HOME: dshHome, npm_config_prefer_offline: 'true' },
    }
    await runTool([dsh, 'plugin', '--profile', profile, 'add', tarball], options)
    // With it the host makes its 400 links to its own packages.
    await runTool([dsh, '--profile', profile, '--dump-config'], options)
  })
}

/** Lets a home have the installed packages of another one, which both only read. */
export async function shareModules(from: string, to: string, ...profiles: string[]): Promise<void> {
  for (const at of ['', ...profiles]) {
    const [made, wanted] = [from, to].map((home) => join(home, 'profiles', at, 'node_modules'))
    await symlink(made as string, wanted as string, 'junction')
  }
}

export interface DshHomeOptions {
  readonly profile?: string
  /** A plugin other than this project's, or a spec as `dsh plugin add` takes it. */
  readonly tarball?: string
  /** The configuration of the plugin's row; omitted: the defaults, without a row patch. */
  readonly config?: Readonly<Record<string, unknown>>
  /** Further entries of the user's own patch layer. */
  readonly patches?: readonly object[]
  /** Sections of the user's settings document. */
  readonly settings?: Readonly<Record<string, unknown>>
}

/** The user's patch layer of a profile. JSON is YAML, so no YAML writer is needed. */
function userLayer({ config, patches = [] }: DshHomeOptions): string {
  const own = config === undefined ? [] : [{ id: ROW_ID, config }]
  return `${JSON.stringify([...own, ...patches], null, 2)}\n`
}

/** A patch entry that adds another instance of the plugin to the profile. */
export function anotherInstance(config: Readonly<Record<string, unknown>>): object {
  return { insert: [{ id: `${ROW_ID}-${String(config['toolName'])}`, name: PLUGIN_NAME, config }] }
}

/** A fresh DSH_HOME with the plugin installed. */
async function makeDshHome(options: DshHomeOptions = {}): Promise<string> {
  const profile = options.profile ?? 'headless'
  const tarball = options.tarball ?? (await packPlugin())
  const key = `${profile}\0${tarball}`
  const template = templates.get(key) ?? installTemplate(profile, tarball)
  templates.set(key, template)
  const dshHome = await scratchDirectory('dsh-home')
  const made = await template
  const filter = (path: string): boolean => basename(path) !== 'node_modules'
  await cp(made, dshHome, { recursive: true, filter })
  await shareModules(made, dshHome, profile)
  const layer = join(dshHome, 'profiles', profile, 'cordis.patch.yml')
  await writeFile(layer, userLayer(options))
  if (options.settings !== undefined) {
    await writeFile(join(dshHome, 'settings.yaml'), JSON.stringify(options.settings))
  }
  return dshHome
}

/** What the host needs of a home directory: the user's own will do, too. */
export type HostHome = Pick<TestHome, 'home' | 'env' | 'cleanup'>

export interface HostOptions extends DshHomeOptions {
  /** A DSH_HOME that is there and stays, in the place of a fresh one. */
  readonly dshHome?: string
  /** The project whose DSH is started; default: this one. */
  readonly installedIn?: string
  /** What the parent model does. */
  readonly script: Script
  /** What stands on the command line behind the profile. Default: a task. */
  readonly arguments?: readonly string[]
  /** Cases for prompts with `case:<id>`. Relative paths in them are the workspace's. */
  readonly cases?: readonly (StandInCase & { readonly id: string })[]
  /** The home directory with the CLI's install; default: a fresh one, removed at the end. */
  readonly home?: HostHome
  /** Over the environment that the host gets. */
  readonly env?: Readonly<Record<string, string>>
  /** Files of the workspace. */
  readonly files?: Readonly<Record<string, string>>
  /** In ms; a host that takes longer is killed and the run rejects. Default 60,000. */
  readonly timeLimit?: number
}

export interface HostResult extends Finished {
  readonly starts: readonly StandInStart[]
}

export interface RunningHost {
  readonly pid: number
  readonly model: ModelServer
  readonly home: HostHome
  readonly dshHome: string
  readonly workspace: string
  /** Where tests and cases leave files for each other. */
  readonly notes: string
  /** What the host has printed up to now. */
  readonly said: { readonly stdout: string; readonly stderr: string }
  /** See {@link MARK}: in the host's environment, and so in every descendant's. */
  readonly mark: string
  /** Resolves when the host has ended, and rejects at the time limit. */
  readonly exited: Promise<HostResult>
  /** The starts of the stand-in up to now. */
  starts(): Promise<StandInStart[]>
  /** Rewrites the user's patch layer, which a running host takes over within seconds. */
  reconfigure(options: Pick<DshHomeOptions, 'config' | 'patches'>): Promise<void>
  signal(name: NodeJS.Signals): void
  /** Kills what is left and removes every directory. */
  dispose(): Promise<void>
}

// No ambient variable but these reaches the host: a developer's own CURSOR_API_KEY or NODE_OPTIONS
// must not decide a test.
const PASSED_ON = ['SystemRoot', 'LANG', 'ComSpec', 'PATHEXT']

/** Boots the host on one task. The caller awaits `exited` and calls `dispose()`. */
export async function startHost(options: HostOptions): Promise<RunningHost> {
  const profile = options.profile ?? 'headless'
  const dshHome = options.dshHome ?? (await makeDshHome(options))
  const home: HostHome = options.home ?? (await makeHome())
  const workspace = join(await scratchDirectory('workspace'), 'demo')
  const notes = await scratchDirectory('standin-notes')
  const recordFile = join(notes, 'record.jsonl')
  const casesDirectory = join(notes, 'cases')
  const mark = newMark()
  // The host leaves spill directories in the temporary directory; in here they go with the rest.
  const temporary = join(notes, 'tmp')
  for (const directory of [workspace, temporary, casesDirectory]) await mkdir(directory)
  for (const { id, ...item } of options.cases ?? []) await writeCaseFile(casesDirectory, id, item)
  for (const [name, text] of Object.entries(options.files ?? {})) {
    await writeFile(join(workspace, name), text)
  }
  const model = await startModelServer(options.script)

  const env: NodeJS.ProcessEnv = {}
  for (const name of PASSED_ON) if (process.env[name] !== undefined) env[name] = process.env[name]
  Object.assign(env, home.env, {
    PATH: testPath(),
    TMPDIR: temporary,
    TEMP: temporary,
    TMP: temporary,
    DSH_HOME: dshHome,
    DSH_PERMISSION_MODE: 'danger-full-access',
    DSH_TELEMETRY_DISABLED: '1',
    DEEPSEEK_BASE_URL: model.url,
    DEEPSEEK_API_KEY: 'scripted',
    STANDIN_RECORD: recordFile,
    STANDIN_CASES_DIR: casesDirectory,
    [MARK]: mark,
    ...options.env,
  })
  const given = options.arguments ?? ['Do the scripted task.']
  const dsh = await programOf('@deepseek-ai/dsh', 'dsh', options.installedIn)
  const argv = [dsh, '--profile', profile, ...given]
  const child = spawn(process.execPath, argv, {
    cwd: workspace,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { stdout: '', stderr: '' }
  const finished = collect(child, said)
  // A rejection is for whoever awaits `exited`; until then it must not count as unhandled.
  finished.catch(() => {})
  await once(child, 'spawn')

  const starts = (): Promise<StandInStart[]> => readStarts(recordFile)
  const limit = options.timeLimit ?? 60_000
  let late = false
  const timer = setTimeout(() => {
    late = true
    child.kill('SIGKILL')
  }, limit)
  const exited = finished.then(async (result): Promise<HostResult> => {
    clearTimeout(timer)
    if (late) {
      throw new Error(
        `the host was still there after ${limit} ms:\n${result.stdout}\n${result.stderr}`,
      )
    }
    return { ...result, starts: await starts() }
  })
  exited.catch(() => {})

  return {
    pid: child.pid ?? -1,
    model,
    home,
    dshHome,
    workspace,
    notes,
    said,
    mark,
    exited,
    starts,
    async reconfigure(change) {
      const layer = join(dshHome, 'profiles', profile, 'cordis.patch.yml')
      await writeFile(layer, userLayer(change))
    },
    signal(name) {
      child.kill(name)
    },
    async dispose() {
      clearTimeout(timer)
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL')
        await finished
      }
      if (process.platform === 'linux') killMarked(mark)
      await model.close()
      if (options.home === undefined) await home.cleanup()
      if (options.dshHome === undefined) await removeScratch(dshHome)
      for (const directory of [dirname(workspace), notes]) await removeScratch(directory)
    },
  }
}

export interface HostOutcome extends HostResult {
  /** What the parent model was sent. */
  readonly requests: ModelServer['requests']
  readonly workspace: string
  readonly home: string
}

/**
 * Boots the host, lets it do its task, and asserts that no process of it is left.
 * @throws what the model's script threw; an error at the time limit.
 */
export async function runHost(options: HostOptions): Promise<HostOutcome> {
  const host = await startHost(options)
  try {
    const result = await host.exited
    if (host.model.scriptError !== undefined) throw host.model.scriptError
    if (process.platform === 'linux') await assertNoProcess(host.mark, 1000)
    return {
      ...result,
      requests: host.model.requests,
      workspace: host.workspace,
      home: host.home.home,
    }
  } finally {
    await host.dispose()
  }
}

/** Asserts a clean end of the host, showing its output when it was not. */
export function assertHostSucceeded(result: Finished): void {
  assert.equal(result.code, 0, `the host ended with ${result.code}:\n${result.stderr}`)
}
