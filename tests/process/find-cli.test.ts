// Finding and starting the CLI on Linux with real files, real links and real processes: which
// program runs in each kind of install, what reaches it, versions that vanish under a start, and
// the kernel's own limit on one argument. Layouts of other platforms are in tests/unit/find-cli.test.ts.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { resolveConfig, type Config } from '../../src/config/config.ts'
import { CursorStartError } from '../../src/cursor/start-error.ts'
import { resolveCursorCli, searchCursorCli } from '../../src/cursor/find-cli.ts'
import type { SpawnProcess } from '../../src/cursor/process.ts'
import { startCursorRun } from '../../src/cursor/run.ts'
import { thisSystem, type System } from '../../src/cursor/system.ts'
import { bootHost01, type Host01 } from '../support/host-0.1/boot.ts'
import { makeInstall, type Install, type InstallOptions } from '../support/install.ts'
import { readStarts, type StandInStart } from '../support/record.ts'

const PONG = 'Reply with exactly: PONG'

let root: string
let home: string
let data: string
let record: string
let host: Host01
/** Undoes what a test changed in this process's environment. */
let undo: (() => void)[]

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'find-cli-'))
  home = join(root, 'home')
  data = join(home, '.local', 'share', 'cursor-agent')
  record = join(root, 'record.jsonl')
  undo = []
  await mkdir(home)
  // The launcher is a bash script that calls a few standard programs.
  setEnv('PATH', ['/usr/bin', '/bin'].join(delimiter))
  setEnv('HOME', home)
  setEnv('STANDIN_RECORD', record)
  for (const name of ['XDG_DATA_HOME', 'XDG_CACHE_HOME', 'NODE_OPTIONS', 'NODE_COMPILE_CACHE']) {
    setEnv(name, undefined)
  }
  host = await bootHost01({ jobs: false })
})

afterEach(async () => {
  await host.dispose()
  for (const restore of undo.toReversed()) restore()
  await rm(root, { recursive: true, force: true })
})

function setEnv(name: string, value: string | undefined): void {
  const before = process.env[name]
  const set = (text: string | undefined): void => {
    if (text === undefined) delete process.env[name]
    else process.env[name] = text
  }
  undo.push(() => set(before))
  set(value)
}

/** Puts directories in front of PATH. */
function onPath(...directories: string[]): void {
  setEnv('PATH', [...directories, process.env['PATH']].join(delimiter))
}

interface Delegation {
  readonly prompt?: string
  readonly config?: Config
  readonly system?: System
  /** Done just before the n-th spawn, counted from 1. */
  readonly beforeSpawn?: (attempt: number) => Promise<void> | void
}

let spawns: number

/** One run to its end, on the real subprocess service of the host. */
async function answerOf(delegation: Delegation = {}) {
  const outcome = await outcomeOf(delegation)
  assert.equal(outcome.status, 'completed', JSON.stringify(outcome))
  return outcome.status === 'completed' ? outcome.answer : ''
}

async function outcomeOf({ prompt = PONG, config = {}, system, beforeSpawn }: Delegation) {
  spawns = 0
  const spawn: SpawnProcess = (spec) => {
    spawns += 1
    void beforeSpawn?.(spawns)
    return host.ctx.subprocess.spawn(spec as never) as ReturnType<SpawnProcess>
  }
  const run = await startCursorRun({
    prompt,
    cwd: root,
    config: resolveConfig(config),
    system: system ?? thisSystem(),
    spawn,
    stderr: process.stderr,
    log: () => {},
  })
  try {
    return await run.outcome
  } finally {
    await run.dispose()
  }
}

/** The error of a run that must not start. */
async function refusal(delegation: Delegation = {}): Promise<CursorStartError> {
  const error = await answerOf(delegation).then(
    () => assert.fail('the run started'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof CursorStartError, String(error))
  return error
}

/** The one start of the stand-in. */
async function theStart(): Promise<StandInStart> {
  const [start, ...more] = await readStarts(record)
  assert.ok(start, 'the CLI was not started')
  assert.deepEqual(more, [], 'the CLI was started more than once')
  return start
}

/** Runs the task and asserts that this install was the one that ran it. */
async function assertRuns(install: Install, delegation: Delegation = {}): Promise<StandInStart> {
  assert.equal(await answerOf(delegation), 'PONG')
  const start = await theStart()
  assert.equal(start.entry, install.indexPath)
  assert.deepEqual(start.argv, [
    '-p',
    '--output-format',
    'stream-json',
    '--trust',
    '--approve-mcps',
    PONG,
  ])
  return start
}

/** A program that must not run: it leaves a file when it does. */
async function foreignProgram(path: string): Promise<string> {
  const trace = `${path}.was-run`
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, `#!/bin/sh\ntouch '${trace}'\necho '{"type":"result","result":"PONG"}'\n`)
  await chmod(path, 0o755)
  return trace
}

describe('the program', () => {
  test('the launcher runs where there is one, and hands the trust store and its cache to Node', async () => {
    const start = await assertRuns(await makeInstall({ root: data }))
    assert.deepEqual(start.execArgv, ['--use-system-ca'])
    assert.equal(start.env['CURSOR_INVOKED_AS'], 'cursor-agent')
    assert.equal(start.env['NODE_COMPILE_CACHE'], join(home, '.cache', 'cursor-compile-cache'))
  })

  for (const launcher of [false, 'not-executable'] as const) {
    test(`Node runs index.js where the launcher is ${launcher || 'missing'}, with the same cache and name`, async () => {
      const install = await makeInstall({ root: data, launcher })
      const start = await assertRuns(install)
      assert.deepEqual(start.execArgv, [])
      assert.equal(start.env['CURSOR_INVOKED_AS'], 'cursor-agent')
      assert.equal(start.env['NODE_COMPILE_CACHE'], join(home, '.cache', 'cursor-compile-cache'))
    })
  }

  test('a launcher of another kind is not trusted to be the CLI itself', async () => {
    const install = await makeInstall({ root: data })
    const trace = await foreignProgram(install.launcherPath)
    await assertRuns(install)
    assert.ok(!existsSync(trace))
  })

  test('the process is the CLI itself, whatever the launcher is: bash has handed over', async () => {
    for (const launcher of [true, false]) {
      await rm(record, { force: true })
      await makeInstall({ root: data, launcher })
      const pids: number[] = []
      const run = await startCursorRun({
        prompt: PONG,
        cwd: root,
        config: resolveConfig({}),
        system: thisSystem(),
        spawn: (spec) => {
          const handle = host.ctx.subprocess.spawn(spec as never)
          pids.push(handle.pid)
          return handle as ReturnType<SpawnProcess>
        },
        stderr: process.stderr,
        log: () => {},
      })
      await run.outcome
      await run.dispose()
      assert.deepEqual(pids, [(await theStart()).pid])
      await rm(data, { recursive: true })
    }
  })

  test("NODE_OPTIONS and an ambient key do not reach the CLI; the configuration's do", async () => {
    setEnv('NODE_OPTIONS', '--no-warnings')
    setEnv('CURSOR_API_KEY', 'ambient-key-0123456789')
    const install = await makeInstall({ root: data })
    const bare = await assertRuns(install)
    assert.ok(!('NODE_OPTIONS' in bare.env))
    assert.ok(!('CURSOR_API_KEY' in bare.env))
    await rm(record)
    const env = { NODE_OPTIONS: '--no-deprecation', CURSOR_API_KEY: 'configured-key-0123456789' }
    const configured = await assertRuns(install, { config: { env } })
    assert.equal(configured.env['NODE_OPTIONS'], env.NODE_OPTIONS)
    assert.equal(configured.env['CURSOR_API_KEY'], env.CURSOR_API_KEY)
  })

  test('an index.js without a Node beside it runs on this very Node', async () => {
    const install = await makeInstall({
      root: join(root, 'port'),
      layout: 'flat',
      node: 'none',
      launcher: false,
    })
    const start = await assertRuns(install, { config: { cliPath: install.indexPath } })
    assert.equal(start.execPath, process.execPath)
  })
})

describe('where it is found', () => {
  test('the newest by number, past a half-written update and leftovers', async () => {
    await makeInstall({ root: data, version: '2026.9.30-ffffff' })
    const newest = await makeInstall({ root: data, version: '2026.10.2-00-45-58-9f61de7' })
    await makeInstall({ root: data, version: '2026.10.2-ffffff' })
    await makeInstall({ root: data, version: '2026.11.1-aaaaaaa', index: false })
    await makeInstall({ root: data, version: '2026.12.1-bbbbbbb', node: 'none' })
    await makeInstall({ root: data, version: '2026.12.2-ccccccc', node: 'not-executable' })
    await mkdir(join(data, 'versions', '2026.12.3-ddddddd'))
    await makeInstall({ root: data, version: '.tmp-2026.12.4-eeeeeee-1760000000' })
    await writeFile(join(data, 'versions', '2026.12.5-fffffff'), 'a file\n')
    await symlink(newest.directory, join(data, 'versions', 'current'))
    await assertRuns(newest)
  })

  test('a dist-package level inside the version', async () => {
    await assertRuns(await makeInstall({ root: data, distPackage: true }))
  })

  test("Homebrew: the link on PATH leads through the Caskroom to the launcher's install", async () => {
    const caskroom = join(root, 'brew', 'Caskroom', 'cursor-cli', '2026.05.24-dda726e')
    const install = await makeInstall({ root: caskroom, layout: 'flat', distPackage: true })
    const bin = join(root, 'brew', 'bin')
    await mkdir(bin)
    await symlink(
      '../Caskroom/cursor-cli/2026.05.24-dda726e/dist-package/cursor-agent',
      join(bin, 'cursor-agent'),
    )
    onPath(bin)
    const start = await assertRuns(install)
    assert.deepEqual(start.execArgv, ['--use-system-ca'])
  })

  test('a chain of links to the launcher, as cliPath and on PATH', async () => {
    const install = await makeInstall({ root: join(root, 'elsewhere') })
    const bin = join(root, 'bin')
    await mkdir(bin)
    await symlink(install.launcherPath, join(bin, 'first'))
    await symlink('first', join(bin, 'cursor-agent'))
    await assertRuns(install, { config: { cliPath: join(bin, 'cursor-agent') } })
    await rm(record)
    onPath(bin)
    await assertRuns(install)
  })

  test('paths with blanks, quotes, dollars and Chinese in them', async () => {
    const odd = join(root, 'a b', `it's "$HOME" 张三 \`x\``)
    await assertRuns(await makeInstall({ root: odd, layout: 'flat' }), { config: { cliPath: odd } })
  })

  test("another product's `agent`, and a foreign cursor-agent, on PATH are not run", async () => {
    const bin = join(root, 'bin')
    const traces = [
      await foreignProgram(join(bin, 'agent')),
      await foreignProgram(join(bin, 'cursor-agent')),
    ]
    onPath(bin)
    const error = await refusal()
    assert.equal(error.category, 'cli-not-found')
    assert.match(error.message, /bin\/cursor-agent: a wrapper script, with no index\.js beside it/)
    const install = await makeInstall({ root: join(root, 'real') })
    const real = join(root, 'real-bin')
    await mkdir(real)
    await symlink(install.launcherPath, join(real, 'cursor-agent'))
    setEnv('PATH', [bin, real, '/usr/bin', '/bin'].join(delimiter))
    await assertRuns(install)
    assert.deepEqual(traces.filter(existsSync), [])
  })

  test('XDG_DATA_HOME is left alone, and XDG_CACHE_HOME holds the compile cache', async () => {
    const xdg = join(root, 'xdg')
    await makeInstall({ root: join(xdg, 'cursor-agent'), version: '2026.12.31-fffffff' })
    setEnv('XDG_DATA_HOME', xdg)
    setEnv('XDG_CACHE_HOME', join(root, 'cache'))
    assert.equal((await refusal()).category, 'cli-not-found')
    for (const launcher of [true, false]) {
      await rm(record, { force: true })
      await rm(data, { recursive: true, force: true })
      const start = await assertRuns(await makeInstall({ root: data, launcher }))
      assert.equal(start.env['NODE_COMPILE_CACHE'], join(root, 'cache', 'cursor-compile-cache'))
    }
  })

  test('a Node that may not be executed is a broken install, named with its error', async () => {
    await makeInstall({ root: data, node: 'not-executable' })
    const error = await refusal()
    assert.equal(error.category, 'broken-install')
    assert.match(error.message, /its node is not executable \(EACCES\)/)
    assert.equal(spawns, 0)
  })

  test('an empty Node, as an interrupted update leaves it, is passed over', async () => {
    const good = await makeInstall({ root: data, version: '2026.10.1-a' })
    const broken = await makeInstall({ root: data, version: '2026.10.2-b', node: 'none' })
    await writeFile(broken.nodePath, '', { mode: 0o755 })
    await assertRuns(good)
  })

  test('every start looks afresh: an update between two runs is used by the second', async () => {
    await assertRuns(await makeInstall({ root: data, version: '2026.10.1-a' }))
    await rm(record)
    await assertRuns(await makeInstall({ root: data, version: '2026.10.2-b' }))
  })
})

describe('a version that vanishes between finding and starting', () => {
  for (const launcher of [true, false]) {
    const program = launcher ? 'the launcher' : 'its Node'
    test(`one fresh look finds the next (${program})`, async () => {
      const next = await makeInstall({ root: data, version: '2026.10.1-a', launcher })
      const gone = await makeInstall({ root: data, version: '2026.10.2-b', launcher })
      const aside = join(root, 'aside')
      await assertRuns(next, {
        beforeSpawn: (attempt) => {
          if (attempt === 1) removeNow(gone.directory, aside)
        },
      })
      assert.equal(spawns, 2)
    })

    test(`a second one that vanishes too is a clear error (${program})`, async () => {
      const installs = [
        await makeInstall({ root: data, version: '2026.10.2-b', launcher }),
        await makeInstall({ root: data, version: '2026.10.1-a', launcher }),
        await makeInstall({ root: data, version: '2026.9.1-a', launcher }),
      ]
      const error = await refusal({
        prompt: 'a secret task',
        beforeSpawn: (attempt) => {
          const install = installs[attempt - 1]
          assert.ok(install)
          removeNow(install.directory, join(root, `aside-${attempt}`))
        },
      })
      assert.equal(spawns, 2)
      assert.equal(error.category, 'spawn-failed')
      assert.match(error.message, /ENOENT/)
      assert.match(error.message, /doctor/)
      assert.doesNotMatch(error.message, /secret/)
      assert.deepEqual(await readStarts(record), [])
    })
  }

  test('the last one that vanishes is said to be not found', async () => {
    const only = await makeInstall({ root: data })
    const error = await refusal({
      beforeSpawn: () => removeNow(data, join(root, 'aside')),
    })
    assert.equal(spawns, 1)
    assert.equal(error.category, 'cli-not-found')
    assert.match(error.message, /cliPath/)
    assert.ok(!existsSync(only.directory))
  })

  test('a program that is still there and fails is not tried again', async () => {
    const install = await makeInstall({ root: data, launcher: false, node: 'none' })
    // A format that the kernel refuses, and not an interpreter's script either.
    await writeFile(install.nodePath, '#!/nowhere/interpreter\n', { mode: 0o755 })
    const error = await refusal()
    assert.equal(error.category, 'spawn-failed')
    assert.equal(spawns, 1)
  })
})

describe('installs as packagers make them', () => {
  /** An install in a directory, and a command that leads to it. */
  async function packaged(directory: string, options: Partial<InstallOptions> = {}) {
    const bin = join(root, 'bin')
    await mkdir(bin)
    onPath(bin)
    const install = await makeInstall({ root: join(root, directory), layout: 'flat', ...options })
    return { bin, install, command: join(bin, 'cursor-agent') }
  }

  /** The same install runs by the command on PATH, and by `cliPath`. */
  async function assertBothRun(install: Install, command: string): Promise<void> {
    await assertRuns(install)
    await rm(record)
    await assertRuns(install, { config: { cliPath: command } })
  }

  test('nixpkgs: a link into the share folder of the store', async () => {
    const { install, command } = await packaged('nix/store/bb-cursor-cli/share/cursor-agent')
    await symlink(install.launcherPath, command)
    await assertBothRun(install, command)
  })

  test('another Nix package: a link to a wrapper, which is read and never run', async () => {
    const { install, command } = await packaged('nix/store/aa/share/cursor-agent')
    const trace = join(root, 'wrapper-was-run')
    const wrapper = join(root, 'nix/store/aa/bin/cursor-agent')
    await mkdir(dirname(wrapper))
    const text = `#! /bin/bash -e\ntouch '${trace}'\nexec -a "$0" "${install.launcherPath}"  "$@" \n`
    await writeFile(wrapper, text, { mode: 0o755 })
    await symlink(wrapper, command)
    await assertBothRun(install, command)
    assert.ok(!existsSync(trace))
  })

  test('mise: the version on PATH runs; a shim is named with the folder to use, which then works', async () => {
    const mise = join(home, '.local', 'share', 'mise')
    const installs = join(mise, 'installs', 'cursor-agent')
    const install = await makeInstall({
      root: join(installs, '2026.09.02-c22c1a3'),
      layout: 'flat',
      distPackage: true,
    })
    onPath(install.directory)
    await assertRuns(install)
    await rm(record)
    const trace = await foreignProgram(join(root, 'usr', 'mise'))
    await mkdir(join(mise, 'shims'))
    await symlink(join(root, 'usr', 'mise'), join(mise, 'shims', 'cursor-agent'))
    setEnv('PATH', [join(mise, 'shims'), '/usr/bin', '/bin'].join(delimiter))
    const error = await refusal()
    assert.match(
      error.message,
      /a shim of mise, .* `cliPath` to ~\/\.local\/share\/mise\/installs\/cursor-agent/,
    )
    assert.ok(!existsSync(trace))
    await assertRuns(install, { config: { cliPath: installs } })
  })

  test('an image: moved to /opt, with a link called only agent', async () => {
    const { install, bin } = await packaged('opt/cursor-agent')
    await symlink(install.launcherPath, join(bin, 'agent'))
    await assertBothRun(install, join(bin, 'agent'))
  })

  test('an image: moved to /usr/local/share with its versions', async () => {
    const { install, command } = await packaged('usr/local/share/cursor-agent', {
      layout: 'versions',
      version: '2026.01.28-fd13201',
    })
    await symlink(install.launcherPath, command)
    await assertBothRun(install, command)
  })

  test("a link into another user's home is told as what it is", async () => {
    const { install, command } = await packaged('other/home')
    await symlink(install.launcherPath, command)
    await chmod(join(root, 'other'), 0o700)
    const told = asNobody(() => {
      const system = thisSystem()
      const { cli, places } = searchCursorCli(system)
      assert.equal(cli, undefined)
      return places.find(({ path }) => path === command)
    })
    assert.deepEqual(told?.reason, {
      code: 'link-unreadable',
      path: install.launcherPath,
      detail: 'EACCES',
    })
  })

  test('a Node for another C library is a broken install, in the words of the system', async () => {
    const install = await makeInstall({ root: data, node: 'none' })
    await writeFile(install.nodePath, '#!/lib/ld-musl-none.so.1\n', { mode: 0o755 })
    const outcome = await outcomeOf({})
    assert.ok(outcome.status === 'failed', JSON.stringify(outcome))
    assert.equal(outcome.failure.category, 'broken-install', outcome.failure.diagnostic)
  })
})

/** What a user without rights, without a home and without a name in the system's files sees. */
function asNobody<T>(look: () => T): T {
  const own = process.geteuid?.()
  chmodSync(root, 0o755)
  if (own === 0) process.seteuid?.(54_321)
  else chmodSync(join(root, 'other'), 0)
  try {
    return look()
  } finally {
    if (own === 0) process.seteuid?.(0)
    else chmodSync(join(root, 'other'), 0o700)
  }
}

describe('roots that would lie in the workspace', () => {
  for (const HOME of ['', 'home', '.']) {
    test(`HOME=${HOME}: nothing of the workspace is run`, async () => {
      const before = process.cwd()
      process.chdir(root)
      undo.push(() => process.chdir(before))
      await makeInstall({ root: join(root, '.local', 'share', 'cursor-agent') })
      const install = await makeInstall({ root: data })
      setEnv('HOME', HOME)
      const error = await refusal()
      assert.equal(error.category, 'cli-not-found')
      assert.match(error.message, /no home directory/)
      await assertRuns(install, { config: { cliPath: install.launcherPath } })
    })
  }

  test("XDG_CACHE_HOME=cache: the compile cache is not the workspace's", async () => {
    setEnv('XDG_CACHE_HOME', 'cache')
    for (const launcher of [true, false]) {
      await rm(record, { force: true })
      await rm(data, { recursive: true, force: true })
      const start = await assertRuns(await makeInstall({ root: data, launcher }))
      assert.equal(start.env['NODE_COMPILE_CACHE'], join(home, '.cache', 'cursor-compile-cache'))
    }
  })

  const isRoot = process.geteuid?.() === 0
  test('a uid without a home directory works with cliPath', { skip: !isRoot }, async () => {
    setEnv('HOME', undefined)
    const system = asNobody(() => thisSystem())
    assert.equal(system.home, '')
    assert.match((await refusal({ system })).message, /no home directory/)
    const install = await makeInstall({ root: join(root, 'opt'), layout: 'flat' })
    const start = await assertRuns(install, { system, config: { cliPath: install.directory } })
    // The launcher would stop at `$HOME`, which is not set, if it had to choose a cache.
    assert.ok(!start.envNames.includes('HOME'))
    assert.ok(start.envNames.includes('NODE_DISABLE_COMPILE_CACHE'))
  })
})

describe('a host that is an Electron program', () => {
  /** Opens a window, unless it is told to be Node. Documented in Electron's "Environment Variables". */
  async function electronHost(): Promise<System> {
    const execPath = join(root, 'DSH Desktop')
    await writeFile(
      execPath,
      `#!/bin/sh\n[ -n "$ELECTRON_RUN_AS_NODE" ] && exec '${process.execPath}' "$@"\necho 'a window opened' >&2\nexit 1\n`,
      { mode: 0o755 },
    )
    setEnv('ELECTRON_RUN_AS_NODE', '1')
    setEnv('ELECTRON_NO_ATTACH_CONSOLE', '1')
    return { ...thisSystem(), execPath, electron: '40.1.0' }
  }

  const electronNames = (start: StandInStart): string[] =>
    start.envNames.filter((name) => name.startsWith('ELECTRON_'))

  test('runs an index.js without a Node on itself', async () => {
    const system = await electronHost()
    setEnv('ELECTRON_RUN_AS_NODE', undefined)
    const install = await makeInstall({
      root: join(root, 'port'),
      layout: 'flat',
      node: 'none',
      launcher: false,
    })
    const start = await assertRuns(install, { system, config: { cliPath: install.indexPath } })
    assert.deepEqual(electronNames(start), ['ELECTRON_RUN_AS_NODE'])
  })

  test('passes nothing of its own to an install that brings its Node', async () => {
    const system = await electronHost()
    for (const launcher of [true, false]) {
      await rm(record, { force: true })
      await rm(data, { recursive: true, force: true })
      const start = await assertRuns(await makeInstall({ root: data, launcher }), { system })
      assert.deepEqual(electronNames(start), [])
    }
  })
})

describe('what a search costs', () => {
  const LEFT_OVER = 5000

  test(`a few milliseconds beside ${LEFT_OVER} directories that an installer left`, async () => {
    const install = await makeInstall({ root: data })
    for (let at = 0; at < LEFT_OVER; at++) {
      mkdirSync(
        join(data, 'versions', `.tmp-2026.12.1-${at.toString(16).padStart(7, '0')}-1760000000`),
      )
    }
    const times = Array.from({ length: 9 }, () => {
      const start = performance.now()
      assert.equal(resolveCursorCli(thisSystem()).directory, install.directory)
      return performance.now() - start
    })
    const median = times.toSorted((a, b) => a - b)[4] ?? Infinity
    assert.ok(median < 25, `${median} ms`)
  })
})

/** Moves a directory away, as an update that deletes it would, in one step. */
function removeNow(directory: string, aside: string): void {
  const moved = spawnSync('/bin/mv', [directory, aside])
  assert.equal(moved.status, 0)
}

describe("the kernel's limit on one argument", () => {
  test('is 131,072 bytes with the terminator: exactly that works, one more gives E2BIG', () => {
    const print = ['-p', 'Buffer.byteLength(process.argv[1])']
    const longest = spawnSync(process.execPath, [...print, 'x'.repeat(131_071)])
    assert.equal(String(longest.stdout), '131071\n')
    const { error } = spawnSync(process.execPath, [...print, 'x'.repeat(131_072)])
    assert.equal((error as NodeJS.ErrnoException).code, 'E2BIG')
  })

  const TEXTS = { 'one byte': 'x', 'three bytes': '总', 'four bytes': '🚀' }
  for (const launcher of [true, false]) {
    for (const [name, character] of Object.entries(TEXTS)) {
      const through = launcher ? 'through the launcher' : 'on Node itself'
      test(`the longest prompt arrives whole ${through}, in characters of ${name}`, async () => {
        await makeInstall({ root: data, launcher })
        const start = 'Read this: '
        const size = Buffer.byteLength(character)
        const times = Math.floor((131_071 - start.length) / size)
        const filler = '.'.repeat(131_071 - start.length - times * size)
        const prompt = `${start}${character.repeat(times)}${filler}`
        assert.equal(Buffer.byteLength(prompt), 131_071)
        await answerOf({ prompt })
        assert.equal((await theStart()).prompt, prompt)

        const error = await refusal({ prompt: `${prompt}.` })
        assert.equal(error.category, 'prompt-rejected')
        assert.match(error.message, /131073 bytes/)
        assert.equal(spawns, 0)
      })
    }
  }
})
