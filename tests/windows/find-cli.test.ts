// Finding the CLI on Windows with real files: every Windows layout case under every kind of user
// name, then what only Windows' own file system can show. The same rules on other platforms are in
// tests/unit/find-cli.test.ts.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { CursorStartError } from '../../src/cursor/start-error.ts'
import { resolveCursorCli, searchCursorCli, type CursorCli } from '../../src/cursor/find-cli.ts'
import { placeReason } from '../../src/cursor/places.ts'
import { thisSystem } from '../../src/cursor/system.ts'
import { layoutCases } from '../support/cases.ts'
import { makeInstall } from '../support/install.ts'
import { makeUser, openBench, USER_NAMES, type Bench, type User } from './support.ts'

let user: User

async function newUser(name?: string): Promise<void> {
  user = await makeUser(name)
}

afterEach(() => user.remove())

/** A file with something in it; a name that ends in a separator is a directory. */
async function put(file: string): Promise<void> {
  if (/[/\\]$/.test(file)) {
    await mkdir(file, { recursive: true })
    return
  }
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, 'x')
}

async function putAll(directory: string, names: readonly string[]): Promise<void> {
  for (const name of names) await put(join(directory, name))
}

const PAIR = ['node.exe', 'index.js']
const SHIMS = ['agent.cmd', 'agent.ps1', 'cursor-agent.cmd', 'cursor-agent.ps1']

const versionDirectory = (version: string): string => join(user.data, 'versions', version)

const putVersion = (version: string): Promise<void> => putAll(versionDirectory(version), PAIR)

function assertRunsIn(cli: CursorCli, directory: string): void {
  assert.deepEqual(
    [cli.program, cli.leadingArgs, cli.runner],
    [join(directory, 'node.exe'), [join(directory, 'index.js')], 'bundled-node'],
  )
}

function failure(cliPath?: string): CursorStartError {
  try {
    resolveCursorCli(user.system, cliPath)
  } catch (error) {
    assert.ok(error instanceof CursorStartError, String(error))
    return error
  }
  assert.fail('a CLI was found')
}

const windowsCases = layoutCases.filter(({ platform }) => platform === 'win32')

/** The directory, inside the user's folders, that each case's install must be found in. */
const EXPECTED: Readonly<Record<string, (user: User) => string | undefined>> = {
  'layout-win-two-versions': ({ data }) => join(data, 'versions', '2026.07.23-e383d2b'),
  'layout-win-time-part': ({ data }) => join(data, 'versions', '2026.06.24-00-45-58-9f61de7'),
  'layout-newest-empty-dir': ({ data }) => join(data, 'versions', '2026.10.01-e373342'),
  'layout-win-flat': ({ drive }) => join(drive, 'tools', 'cursor-agent'),
  'layout-dist-package': ({ data }) => join(data, 'versions', '2026.08.11-e8db854', 'dist-package'),
  'layout-ide-bundled': () => undefined,
  'layout-no-bundled-node': ({ drive }) => join(drive, 'cursor-agent'),
  'new-layout-win-wrapper-clipath': () => undefined,
  'new-layout-win-nonascii': ({ data }) => join(data, 'versions', '2026.10.22-27dcf5f'),
}

for (const [kind, name] of Object.entries(USER_NAMES)) {
  describe(`the layout cases, for ${kind}`, () => {
    beforeEach(() => newUser(name))

    const onThisUser = (path: string): string =>
      path.replace(/^(?:C:\\Users\\[^\\]+|C:|%\w+%)/, (folder) => {
        if (folder === 'C:') return user.drive
        if (folder === '%LOCALAPPDATA%') return user.local
        return folder === '%APPDATA%' ? user.roaming : user.profile
      })

    for (const item of windowsCases) {
      test(`${item.id}: ${item.why}`, async () => {
        for (const file of item.files) await put(onThisUser(file))
        const cliPath = item.cliPath === undefined ? undefined : onThisUser(item.cliPath)
        const place = EXPECTED[item.id]
        assert.ok(place, 'the case has no expectation here')
        const directory = place(user)
        if (directory === undefined) {
          const error = failure(cliPath)
          if (cliPath === undefined) assert.equal(error.category, 'cli-not-found')
          else
            assert.match(error.message, /wrapper script[^]*A complete install is in .*\\versions\\/)
          return
        }
        const cli = resolveCursorCli(user.system, cliPath)
        if (item.id !== 'layout-no-bundled-node') {
          assertRunsIn(cli, directory)
          return
        }
        assert.deepEqual(
          [cli.program, cli.leadingArgs, cli.runner],
          [process.execPath, [join(directory, 'index.js')], 'host-node'],
        )
      })
    }
  })
}

describe('under %LOCALAPPDATA%', () => {
  beforeEach(() => newUser())

  test('the newest by number, not by text', async () => {
    for (const version of ['2026.9.30-ffffff', '2026.10.2-aaaaaa', '2026.1.31-ffffff']) {
      await putVersion(version)
    }
    assertRunsIn(resolveCursorCli(user.system), versionDirectory('2026.10.2-aaaaaa'))
  })

  test('a time part beats none on the same date, and a later one an earlier', async () => {
    for (const version of ['2026.10.2-fff', '2026.10.2-09-59-59-a', '2026.10.2-10-00-00-a']) {
      await putVersion(version)
    }
    assertRunsIn(resolveCursorCli(user.system), versionDirectory('2026.10.2-10-00-00-a'))
  })

  test('half-written updates are passed over, and each is reported with what is missing', async () => {
    await putVersion('2026.10.1-aaaaaa')
    await putAll(versionDirectory('2026.10.2-bbbbbb'), ['node.exe'])
    await putAll(versionDirectory('2026.10.3-cccccc'), ['index.js', 'cursor-agent.cmd'])
    await put(join(versionDirectory('2026.10.4-dddddd'), '/'))
    await put(join(versionDirectory('2026.10.5-eeeeee'), 'index.js'))
    await writeFile(join(versionDirectory('2026.10.5-eeeeee'), 'node.exe'), '')
    await put(versionDirectory('2026.10.6-ffffff'))
    const { cli, places } = searchCursorCli(user.system)
    assert.ok(cli)
    assertRunsIn(cli, versionDirectory('2026.10.1-aaaaaa'))
    const reasons = places
      .filter(({ state }) => state === 'unusable')
      .map((place) => placeReason(place, 'en'))
    assert.equal(reasons.length, 5)
    assert.match(reasons.join('\n'), /node\.exe is missing/)
    assert.match(reasons.join('\n'), /index\.js is missing/)
  })

  test("an installer's leftovers and odd names are ignored", async () => {
    await putVersion('2026.10.1-aaaaaa')
    const odd = ['.tmp-2026.12.1-ffffff-1760000000', '2026.12.31', '2026.12.1-ZZZ', 'current', 'x']
    for (const name of odd) await putAll(versionDirectory(name), PAIR)
    await put(join(user.data, 'versions', 'README.txt'))
    assertRunsIn(resolveCursorCli(user.system), versionDirectory('2026.10.1-aaaaaa'))
  })

  test('the flat pair comes before the versions', async () => {
    await putVersion('2026.10.1-aaaaaa')
    await putAll(user.data, [...PAIR, ...SHIMS])
    assertRunsIn(resolveCursorCli(user.system), user.data)
  })

  test('an incomplete flat pair gives way to the versions', async () => {
    await putVersion('2026.10.1-aaaaaa')
    await putAll(user.data, ['index.js', ...SHIMS])
    assertRunsIn(resolveCursorCli(user.system), versionDirectory('2026.10.1-aaaaaa'))
  })

  test('with shims alone it is not installed, and no shim is run instead', async () => {
    await putAll(user.data, SHIMS)
    const error = failure()
    assert.equal(error.category, 'cli-not-found')
    assert.ok(error.message.includes(user.data))
  })

  test('without the variable, AppData\\Local in the home directory is looked into', async () => {
    await putVersion('2026.10.1-aaaaaa')
    for (const env of [{}, { LOCALAPPDATA: '' }]) {
      const cli = resolveCursorCli({ ...user.system, env })
      assertRunsIn(cli, versionDirectory('2026.10.1-aaaaaa'))
    }
  })

  test("this machine's own environment is used, whatever the case of a name", async () => {
    await putVersion('2026.10.1-aaaaaa')
    const kept = process.env['LOCALAPPDATA']
    try {
      process.env['LocalAppData'] = user.local
      assertRunsIn(resolveCursorCli(thisSystem()), versionDirectory('2026.10.1-aaaaaa'))
    } finally {
      process.env['LOCALAPPDATA'] = kept
    }
  })
})

describe('PATH on Windows', () => {
  beforeEach(() => newUser())

  const onPath = (...directories: string[]) => ({
    ...user.system,
    env: { LOCALAPPDATA: user.local, Path: directories.join(';') },
  })

  test('cursor-agent.cmd names the directory of an install, flat or with versions', async () => {
    const flat = join(user.drive, 'tools', 'cursor-agent')
    await putAll(flat, [...PAIR, 'cursor-agent.cmd'])
    for (const spelling of [flat, `${flat}\\`, `"${flat}"`]) {
      assertRunsIn(resolveCursorCli(onPath('C:\\windows', spelling)), flat)
    }
    const root = join(user.drive, 'second')
    await putAll(root, SHIMS)
    await putAll(join(root, 'versions', '2026.10.1-aaaaaa'), PAIR)
    assertRunsIn(resolveCursorCli(onPath(root)), join(root, 'versions', '2026.10.1-aaaaaa'))
    assertRunsIn(
      resolveCursorCli(onPath(root.toUpperCase())),
      join(root, 'versions', '2026.10.1-aaaaaa').replace(root, root.toUpperCase()),
    )
  })

  test("somebody's wrapper is passed over and named; LOCALAPPDATA comes first", async () => {
    const bin = join(user.profile, '.local', 'bin')
    await putAll(bin, ['cursor-agent.cmd', 'cursor-agent-wrapper.ps1'])
    const { cli, places } = searchCursorCli(onPath(bin))
    assert.equal(cli, undefined)
    const wrapper = places.find(({ path }) => path === join(bin, 'cursor-agent.cmd'))
    assert.equal(wrapper?.reason?.code, 'wrapper')
    await putVersion('2026.10.1-aaaaaa')
    assertRunsIn(resolveCursorCli(onPath(bin)), versionDirectory('2026.10.1-aaaaaa'))
  })

  test('what is relative, empty or without a drive is no place', async () => {
    const origin = process.cwd()
    await putAll(join(user.drive, 'bin'), [...PAIR, 'cursor-agent.cmd'])
    await putAll(user.drive, [...PAIR, 'cursor-agent.cmd'])
    process.chdir(user.drive)
    try {
      const withoutDrive = join(user.drive, 'bin').replace(/^[A-Za-z]:/, '')
      const system = { ...onPath('', '.', 'bin', '.\\bin', withoutDrive), home: '' }
      const { cli } = searchCursorCli({ ...system, env: { ...system.env, LOCALAPPDATA: '.' } })
      assert.equal(cli, undefined)
    } finally {
      process.chdir(origin)
    }
  })
})

describe('cliPath on Windows', () => {
  beforeEach(() => newUser())

  for (const shim of [...SHIMS, 'CURSOR-AGENT.CMD', 'Agent.Ps1']) {
    test(`a shim leads to the newest install beside it and is never the program: ${shim}`, async () => {
      await putAll(user.data, SHIMS)
      await putVersion('2026.9.1-aaaaaa')
      await putVersion('2026.10.1-aaaaaa')
      const cli = resolveCursorCli(user.system, join(user.data, shim))
      assertRunsIn(cli, versionDirectory('2026.10.1-aaaaaa'))
    })
  }

  test('a shim without an install beside it is a broken one', async () => {
    await putAll(user.drive, SHIMS)
    assert.equal(failure(join(user.drive, 'agent.cmd')).category, 'broken-install')
  })

  test('forward slashes, another case, a trailing separator and ~\\ name the same files', async () => {
    await putAll(user.data, PAIR)
    const index = join(user.data, 'index.js')
    const spellings = [
      index.replaceAll('\\', '/'),
      join(user.data, 'INDEX.JS'),
      join(user.data, 'NODE.EXE'),
      `${user.data}\\`,
      '~\\AppData\\Local\\cursor-agent\\index.js',
      '~/AppData/Local/cursor-agent',
    ]
    for (const spelling of spellings) {
      const { program, leadingArgs } = resolveCursorCli(user.system, spelling)
      assert.equal(program.toLowerCase(), join(user.data, 'node.exe').toLowerCase(), spelling)
      assert.equal(
        leadingArgs.join().replaceAll('/', '\\').toLowerCase(),
        index.toLowerCase(),
        spelling,
      )
    }
  })

  test("an index.js in another case, without a Node beside it, runs on the host's own", async () => {
    await put(join(user.drive, 'index.js'))
    const cli = resolveCursorCli(user.system, join(user.drive, 'Index.js'))
    assert.equal(cli.runner, 'host-node')
  })

  for (const name of ['cursor', 'cursor.cmd', 'Cursor.exe', 'cursor.ps1']) {
    test(`the editor's launcher is refused with a message that says so: ${name}`, async () => {
      const launcher = join(user.drive, 'Program Files', 'cursor', 'bin', name)
      await put(launcher)
      assert.match(failure(launcher).message, /launcher of the Cursor editor/)
    })
  }
})

describe('what was found runs', () => {
  let bench: Bench
  before(async () => {
    bench = await openBench()
  })
  after(() => bench.dispose())

  for (const [kind, name] of Object.entries(USER_NAMES)) {
    test(`the newest install of ${kind}, on its own node.exe, in the user's directory`, async () => {
      await newUser(name)
      const old = await makeInstall({ root: user.data, version: '2026.9.30-ffffff', node: 'none' })
      await writeFile(old.nodePath, 'x')
      const install = await makeInstall({ root: user.data, version: '2026.10.2-aaaaaa' })
      const start = await bench.runAndRecord({ user })
      assert.equal(start.entry, install.indexPath)
      assert.equal(start.execPath, install.nodePath)
      assert.equal(start.cwd, user.profile)
      assert.deepEqual(start.execArgv, [])
    })
  }

  test('an index.js without a Node runs on this very node.exe', async () => {
    await newUser()
    const install = await makeInstall({ root: user.drive, layout: 'flat', node: 'none' })
    const start = await bench.runAndRecord({ user, config: { cliPath: install.indexPath } })
    assert.deepEqual([start.execPath, start.entry], [process.execPath, install.indexPath])
  })

  test('a version that vanishes between finding and starting: the next one runs', async () => {
    await newUser()
    const next = await makeInstall({ root: user.data, version: '2026.10.1-aaaaaa' })
    await putVersion('2026.10.2-bbbbbb')
    const vanishing = versionDirectory('2026.10.2-bbbbbb')
    // It is there for the search and gone for the start.
    const { files } = user.system
    const system = {
      ...user.system,
      files: {
        ...files,
        isExecutable: (file: string) => {
          const there = files.isExecutable(file)
          if (file.startsWith(vanishing)) rmSync(vanishing, { recursive: true, force: true })
          return there
        },
      },
    }
    const spawned = bench.spawned.length
    const start = await bench.runAndRecord({ user: { ...user, system } })
    assert.equal(start.entry, next.indexPath)
    const programs = bench.spawned.slice(spawned).map(({ argv }) => argv[0])
    assert.deepEqual(programs, [join(vanishing, 'node.exe'), next.nodePath])
  })
})
