// Starting the CLI on Linux with real files and real processes: which program runs and what reaches
// it, versions that vanish under a start, and the kernel's own limit on one argument. Where the CLI
// is found is tests/unit/find-cli.test.ts.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { chmodSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { resolveConfig, type Config } from '../../src/config/config.ts'
import { CursorStartError } from '../../src/cursor/start-error.ts'
import { resolveCursorCli, searchCursorCli } from '../../src/cursor/find-cli.ts'
import type { CursorProcess } from '../../src/cursor/process.ts'
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
  setEnv('PATH', '/usr/bin:/bin')
  setEnv('HOME', home)
  setEnv('STANDIN_RECORD', record)
  for (const name of ['XDG_CACHE_HOME', 'NODE_OPTIONS', 'NODE_COMPILE_CACHE']) {
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

interface Delegation {
  readonly prompt?: string
  readonly config?: Config
  readonly system?: System
  /** Done just before the n-th spawn, counted from 1. */
  readonly beforeSpawn?: (attempt: number) => void
}

let spawns: number
let pid: number

/** One run to its end, on the real subprocess service of the host. */
async function outcomeOf({ prompt = PONG, config = {}, system, beforeSpawn }: Delegation = {}) {
  spawns = 0
  const run = await startCursorRun({
    prompt,
    cwd: root,
    config: resolveConfig(config),
    system: system ?? thisSystem(),
    spawn: (spec) => {
      spawns += 1
      beforeSpawn?.(spawns)
      const handle = host.ctx.subprocess.spawn(spec as never)
      pid = handle.pid
      return handle as CursorProcess
    },
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
  const error = await outcomeOf(delegation).then(
    () => assert.fail('the run started'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof CursorStartError, String(error))
  return error
}

/** Runs the task and asserts that this install was the one that ran it, once. */
async function assertRuns(install: Install, delegation: Delegation = {}): Promise<StandInStart> {
  const { prompt = PONG } = delegation
  await rm(record, { force: true })
  const outcome = await outcomeOf(delegation)
  assert.equal(outcome.status, 'completed', JSON.stringify(outcome))
  if (prompt === PONG) assert.equal(outcome.answer, 'PONG')
  const [start, ...more] = await readStarts(record)
  assert.ok(start, 'the CLI was not started')
  assert.deepEqual(more, [], 'the CLI was started more than once')
  assert.equal(start.entry, install.indexPath)
  assert.equal(start.pid, pid, 'the process is not the CLI itself')
  const flags = ['-p', '--output-format', 'stream-json', '--trust', '--approve-mcps']
  assert.deepEqual(start.argv, [...flags, prompt])
  return start
}

/** Asserts something of an install with a launcher, then of the same without. */
async function withAndWithoutLauncher(check: (install: Install) => Promise<void>): Promise<void> {
  for (const launcher of [true, false]) {
    await rm(data, { recursive: true, force: true })
    await check(await makeInstall({ root: data, launcher }))
  }
}

describe('the program', () => {
  for (const launcher of [true, false, 'not-executable'] as const) {
    const program = launcher === true ? 'the launcher' : 'Node'
    test(`is ${program} where the launcher is ${launcher}; its cache, its name and its certificates reach the CLI`, async () => {
      const start = await assertRuns(await makeInstall({ root: data, launcher }))
      assert.deepEqual(start.execArgv, launcher === true ? ['--use-system-ca'] : [])
      assert.equal(start.env['CURSOR_INVOKED_AS'], 'cursor-agent')
      assert.equal(start.env['NODE_COMPILE_CACHE'], join(home, '.cache', 'cursor-compile-cache'))
    })
  }

  test("NODE_OPTIONS and an ambient key do not reach the CLI; the configuration's do", async () => {
    setEnv('NODE_OPTIONS', '--no-warnings')
    setEnv('CURSOR_API_KEY', 'ambient-key-0123456789')
    const install = await makeInstall({ root: data })
    const bare = await assertRuns(install)
    assert.ok(!('NODE_OPTIONS' in bare.env))
    assert.ok(!('CURSOR_API_KEY' in bare.env))
    const env = { NODE_OPTIONS: '--no-deprecation', CURSOR_API_KEY: 'configured-key-0123456789' }
    const configured = await assertRuns(install, { config: { env } })
    assert.equal(configured.env['NODE_OPTIONS'], env.NODE_OPTIONS)
    assert.equal(configured.env['CURSOR_API_KEY'], env.CURSOR_API_KEY)
  })

  test('may lie behind a link, under blanks, quotes, dollars and Chinese', async () => {
    const odd = join(root, 'a b', `it's "$HOME" 张三 \`x\``)
    const install = await makeInstall({ root: odd, layout: 'flat' })
    await assertRuns(install, { config: { cliPath: odd } })
    await symlink(install.launcherPath, join(root, 'cursor-agent'))
    setEnv('PATH', `${root}:/usr/bin:/bin`)
    const start = await assertRuns(install)
    assert.deepEqual(start.execArgv, ['--use-system-ca'])
  })

  test('every start looks afresh: an update between two runs is used by the second', async () => {
    await assertRuns(await makeInstall({ root: data, version: '2026.10.1-a' }))
    await assertRuns(await makeInstall({ root: data, version: '2026.10.2-b' }))
  })

  test('a Node for another C library is a broken install, in the words of the system', async () => {
    const install = await makeInstall({ root: data, node: 'none' })
    await writeFile(install.nodePath, '#!/lib/ld-musl-none.so.1\n', { mode: 0o755 })
    const outcome = await outcomeOf()
    assert.ok(outcome.status === 'failed', JSON.stringify(outcome))
    assert.equal(outcome.failure.category, 'broken-install', outcome.failure.diagnostic)
  })
})

/** Moves a directory away, as an update that deletes it would, in one step. */
function removeNow(directory: string): void {
  const moved = spawnSync('/bin/mv', [directory, join(root, `aside-${spawns}`)])
  assert.equal(moved.status, 0)
}

describe('a version that vanishes between finding and starting', () => {
  const NAMES = ['2026.10.2-b', '2026.10.1-a', '2026.9.1-a']
  for (const launcher of [true, false]) {
    const program = launcher ? 'the launcher' : 'its Node'
    const installs = (): Promise<Install[]> =>
      Promise.all(NAMES.map((version) => makeInstall({ root: data, version, launcher })))

    test(`one fresh look finds the next (${program})`, async () => {
      const [gone, next] = (await installs()) as [Install, Install]
      await assertRuns(next, {
        beforeSpawn: (attempt) => {
          if (attempt === 1) removeNow(gone.directory)
        },
      })
      assert.equal(spawns, 2)
    })

    test(`a second one that vanishes too is a clear error (${program})`, async () => {
      const all = await installs()
      const error = await refusal({
        prompt: 'a secret task',
        beforeSpawn: (attempt) => removeNow(all[attempt - 1]?.directory ?? ''),
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
    await makeInstall({ root: data })
    const error = await refusal({ beforeSpawn: () => removeNow(data) })
    assert.equal(spawns, 1)
    assert.equal(error.category, 'cli-not-found')
    assert.match(error.message, /cliPath/)
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

test("a link into another user's home is told as what it is", async () => {
  const install = await makeInstall({ root: join(root, 'other', 'home'), layout: 'flat' })
  const command = join(root, 'cursor-agent')
  await symlink(install.launcherPath, command)
  await chmod(join(root, 'other'), 0o700)
  setEnv('PATH', root)
  const { cli, places } = asNobody(() => searchCursorCli(thisSystem()))
  assert.equal(cli, undefined)
  assert.deepEqual(places.find(({ path }) => path === command)?.reason, {
    code: 'link-unreadable',
    path: install.launcherPath,
    detail: 'EACCES',
  })
})

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

  test("XDG_CACHE_HOME holds the compile cache, unless it would be the workspace's", async () => {
    for (const [cache, used] of [
      [join(root, 'cache'), join(root, 'cache')],
      ['cache', join(home, '.cache')],
    ] as const) {
      setEnv('XDG_CACHE_HOME', cache)
      await withAndWithoutLauncher(async (install) => {
        const { env } = await assertRuns(install)
        assert.equal(env['NODE_COMPILE_CACHE'], join(used, 'cursor-compile-cache'))
      })
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

describe('the Node of the host', () => {
  const PORT = { layout: 'flat', node: 'none', launcher: false } satisfies Partial<InstallOptions>

  /** Opens a window, unless it is told to be Node. Documented in Electron's "Environment Variables". */
  async function electronHost(): Promise<System> {
    const execPath = join(root, 'DSH Desktop')
    await writeFile(
      execPath,
      `#!/bin/sh\n[ -n "$ELECTRON_RUN_AS_NODE" ] && exec '${process.execPath}' "$@"\necho 'a window opened' >&2\nexit 1\n`,
      { mode: 0o755 },
    )
    return { ...thisSystem(), execPath, electron: '40.1.0' }
  }

  const electronNames = (start: StandInStart): string[] =>
    start.envNames.filter((name) => name.startsWith('ELECTRON_'))

  test('runs an index.js that has none beside it, also where the host is an Electron program', async () => {
    const install = await makeInstall({ root: join(root, 'port'), ...PORT })
    const config = { cliPath: install.indexPath }
    const plain = await assertRuns(install, { config })
    assert.equal(plain.execPath, process.execPath)
    setEnv('ELECTRON_NO_ATTACH_CONSOLE', '1')
    const start = await assertRuns(install, { system: await electronHost(), config })
    assert.deepEqual(electronNames(start), ['ELECTRON_RUN_AS_NODE'])
  })

  test('of an Electron program passes nothing of its own to an install that brings its Node', async () => {
    setEnv('ELECTRON_RUN_AS_NODE', '1')
    setEnv('ELECTRON_NO_ATTACH_CONSOLE', '1')
    const system = await electronHost()
    await withAndWithoutLauncher(async (install) => {
      assert.deepEqual(electronNames(await assertRuns(install, { system })), [])
    })
  })
})

test('a search takes a few milliseconds beside 5000 directories that an installer left', async () => {
  const install = await makeInstall({ root: data })
  for (let at = 0; at < 5000; at++) {
    const hash = at.toString(16).padStart(7, '0')
    mkdirSync(join(data, 'versions', `.tmp-2026.12.1-${hash}-1760000000`))
  }
  const times = Array.from({ length: 9 }, () => {
    const start = performance.now()
    assert.equal(resolveCursorCli(thisSystem()).directory, install.directory)
    return performance.now() - start
  })
  const median = times.toSorted((a, b) => a - b)[4] ?? Infinity
  assert.ok(median < 25, `${median} ms`)
})

describe("the kernel's limit on one argument", () => {
  test('is 131,072 bytes with the terminator: exactly that works, one more gives E2BIG', () => {
    const print = ['-p', 'Buffer.byteLength(process.argv[1])']
    const longest = spawnSync(process.execPath, [...print, 'x'.repeat(131_071)])
    assert.equal(String(longest.stdout), '131071\n')
    const { error } = spawnSync(process.execPath, [...print, 'x'.repeat(131_072)])
    assert.equal((error as NodeJS.ErrnoException).code, 'E2BIG')
  })

  for (const character of ['x', '总', '🚀']) {
    const size = Buffer.byteLength(character)
    test(`the longest prompt in characters of ${size} bytes arrives whole, and none that is longer`, async () => {
      const start = 'Read this: '
      const times = Math.floor((131_071 - start.length) / size)
      const prompt = (start + character.repeat(times)).padEnd(
        start.length + times * character.length + ((131_071 - start.length) % size),
        '.',
      )
      assert.equal(Buffer.byteLength(prompt), 131_071)
      await withAndWithoutLauncher(async (install) => {
        await assertRuns(install, { prompt })
        const error = await refusal({ prompt: `${prompt}.` })
        assert.equal(error.category, 'prompt-rejected')
        assert.match(error.message, /131073 bytes/)
        assert.equal(spawns, 0)
      })
    })
  }
})
