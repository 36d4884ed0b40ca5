// Finding the CLI, on files that exist only in memory and with the platform injected: every
// `layout` case, the order of places, the choice among versions and what `cliPath` may name. Real
// files and real starts belong to tests/process/find-cli.test.ts and tests/windows.
import assert from 'node:assert/strict'
import path from 'node:path'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { resolveConfig } from '../../src/config/config.ts'
import { CursorStartError } from '../../src/cursor/start-error.ts'
import {
  otherInTerminal,
  resolveCursorCli,
  searchCursorCli,
  versionsBeside,
  type CursorCli,
} from '../../src/cursor/find-cli.ts'
import { placeReason, type Place } from '../../src/cursor/places.ts'
import { startCursorRun } from '../../src/cursor/run.ts'
import type { FileQuestions, Obstacle, System } from '../../src/cursor/system.ts'
import { compareVersionsNewestFirst, isCursorVersion } from '../../src/cursor/versions.ts'
import { layoutCases, type LayoutCase } from '../support/cases.ts'

type Platform = LayoutCase['platform']

const HOME = { linux: '/home/u', darwin: '/Users/u', win32: 'C:\\Users\\u' }
const HOST_NODE = { linux: '/opt/host/node', darwin: '/opt/host/node', win32: 'C:\\host\\node.exe' }
const DESKTOP = ['/opt/homebrew/bin', '/usr/local/bin', '/home/linuxbrew/.linuxbrew/bin']
const DATA = '/home/u/.local/share/cursor-agent'
const LOCAL = 'C:\\Users\\u\\AppData\\Local\\cursor-agent'

/** How the CLI's own launcher begins and ends. */
const LAUNCHER = `#!/usr/bin/env bash
set -euo pipefail
here="$(dirname "$0")"
# the last statement hands over
exec "$here/node" --use-system-ca "$here/index.js" "$@"
`

interface Disk {
  readonly platform: Platform
  /** A name that ends in a separator is a directory. */
  readonly files: readonly string[]
  /** Link to target; a target may be a directory. */
  readonly links?: Readonly<Record<string, string>>
  /** File name to octal mode. By default a program's name is executable and another is not. */
  readonly modes?: Readonly<Record<string, string>>
  /** File to its text; a launcher's is the CLI's own by default. */
  readonly texts?: Readonly<Record<string, string>>
  /** Path to the system's error: nothing at or below it can be looked at. */
  readonly forbidden?: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly home?: string
}

const PROGRAMS = new Set(['node', 'node.exe', 'cursor-agent', 'agent', 'cursor', 'rg'])

/** What a path is resolved to whose links never end. */
const LOOP = 'loop'

class MemoryFiles implements FileQuestions {
  /** Every path that was asked about. */
  readonly asked = new Set<string>()
  readonly #disk: Disk
  readonly #path: path.PlatformPath
  readonly #files = new Set<string>()
  readonly #directories = new Set<string>()

  constructor(disk: Disk) {
    this.#disk = disk
    this.#path = disk.platform === 'win32' ? path.win32 : path.posix
    for (const name of disk.files) {
      if (/[/\\]$/.test(name)) this.#addDirectory(name.slice(0, -1))
      else this.#addFile(name)
    }
    for (const file of Object.keys(disk.texts ?? {})) this.#addFile(file)
    for (const link of Object.keys(disk.links ?? {})) this.#addDirectory(this.#path.dirname(link))
  }

  names(directory: string): string[] {
    const real = this.#resolve(directory)
    const links = Object.keys(this.#disk.links ?? {})
    return [...this.#files, ...this.#directories, ...links]
      .filter((entry) => entry !== real && this.#path.dirname(entry) === real)
      .map((entry) => this.#path.basename(entry))
  }

  isFile(file: string): boolean {
    const real = this.#resolve(file)
    return this.#files.has(real) && !this.#isForbidden(real)
  }

  isDirectory(directory: string): boolean {
    const real = this.#resolve(directory)
    return this.#directories.has(real) && !this.#isForbidden(real)
  }

  obstacle(file: string): Obstacle | undefined {
    const target = this.#disk.links?.[file]
    const real = this.#resolve(file)
    if (real === LOOP) return { error: 'ELOOP', target }
    if (this.#isForbidden(real)) return { error: 'EACCES', target }
    const isThere = this.#files.has(real) || this.#directories.has(real)
    return target === undefined || isThere ? undefined : { error: 'ENOENT', target }
  }

  isExecutable(file: string): boolean {
    const real = this.#resolve(file)
    if (!this.#files.has(real)) return false
    const name = this.#path.basename(real)
    const mode = this.#disk.modes?.[real] ?? this.#disk.modes?.[name]
    if (mode !== undefined) return (Number.parseInt(mode, 8) & 0o111) !== 0
    return this.#disk.platform === 'win32' || PROGRAMS.has(name)
  }

  realPath(file: string): string | undefined {
    const real = this.#resolve(file)
    return this.#files.has(real) || this.#directories.has(real) ? real : undefined
  }

  textOf(file: string, maxBytes: number): string | undefined {
    const real = this.#resolve(file)
    if (!this.#files.has(real)) return undefined
    const launcher = this.#path.basename(real) === 'cursor-agent' ? LAUNCHER : ''
    return (this.#disk.texts?.[real] ?? launcher).slice(0, maxBytes)
  }

  #addFile(file: string): void {
    this.#files.add(file)
    this.#addDirectory(this.#path.dirname(file))
  }

  #addDirectory(directory: string): void {
    if (this.#directories.has(directory)) return
    this.#directories.add(directory)
    const parent = this.#path.dirname(directory)
    if (parent !== directory) this.#addDirectory(parent)
  }

  #isForbidden(real: string): boolean {
    return (this.#disk.forbidden ?? []).some(
      (root) => real === root || real.startsWith(root + this.#path.sep),
    )
  }

  #resolve(asked: string): string {
    this.asked.add(asked)
    let real = asked
    const links = Object.entries(this.#disk.links ?? {})
    for (let level = 0; level < 10; level++) {
      const link = links.find(([name]) => real === name || real.startsWith(name + this.#path.sep))
      if (link === undefined) return real
      real = link[1] + real.slice(link[0].length)
    }
    return LOOP
  }
}

function systemWith(disk: Disk): System & { readonly files: MemoryFiles } {
  const { platform } = disk
  const standard = platform === 'win32' ? { LOCALAPPDATA: 'C:\\Users\\u\\AppData\\Local' } : {}
  return {
    platform,
    env: disk.env ?? standard,
    home: disk.home ?? HOME[platform],
    execPath: HOST_NODE[platform],
    files: new MemoryFiles(disk),
  }
}

const linux = (files: readonly string[], more: Partial<Disk> = {}): System =>
  systemWith({ platform: 'linux', files, ...more })
const windows = (files: readonly string[], more: Partial<Disk> = {}): System =>
  systemWith({ platform: 'win32', files, ...more })

/** The files of one POSIX install. */
function posixInstall(directory: string, launcher = true): string[] {
  const names = ['node', 'index.js', 'rg', ...(launcher ? ['cursor-agent'] : [])]
  return names.map((name) => `${directory}/${name}`)
}

const linuxVersion = (version: string): string[] => posixInstall(`${DATA}/versions/${version}`)
const windowsVersion = (version: string): string[] =>
  ['node.exe', 'index.js', 'rg.exe'].map((name) => `${LOCAL}\\versions\\${version}\\${name}`)
const SHIMS = ['agent.cmd', 'agent.ps1', 'cursor-agent.cmd', 'cursor-agent.ps1'].map(
  (name) => `${LOCAL}\\${name}`,
)

function failure(system: System, cliPath?: string): CursorStartError {
  try {
    resolveCursorCli(system, cliPath)
  } catch (error) {
    assert.ok(error instanceof CursorStartError, String(error))
    return error
  }
  assert.fail('a CLI was found')
}

const told = (place: Place | undefined): string => (place ? placeReason(place, 'en') : '')

/** The program and its first arguments, as one line. */
function commandOf({ program, leadingArgs }: CursorCli): string {
  return [program, ...leadingArgs].join(' ')
}

/** A name of a case with Windows' folders written out. */
function withFolders(name: string): string {
  return name
    .replace('%LOCALAPPDATA%', 'C:\\Users\\u\\AppData\\Local')
    .replace('%APPDATA%', 'C:\\Users\\u\\AppData\\Roaming')
}

function systemOf(item: LayoutCase): System {
  const { platform, links = {}, modes = {}, scripts: texts = {}, path: directories = [] } = item
  const { home = HOME[platform] } = item
  const PATH = typeof directories === 'string' ? directories : directories.join(':')
  const env: NodeJS.ProcessEnv = {
    PATH,
    ...(platform === 'win32' ? { LOCALAPPDATA: path.win32.join(home, 'AppData', 'Local') } : {}),
  }
  return systemWith({
    platform,
    files: item.files.map(withFolders),
    links,
    env,
    home,
    modes,
    texts,
  })
}

describe('the layout cases', () => {
  /** What each case must come to: the command line's beginning, or the failure. */
  const EXPECTED: Readonly<Record<string, string | { category: string; says: RegExp }>> = {
    'layout-linux-standard': `${DATA}/versions/2026.10.01-e373342/cursor-agent`,
    'layout-linux-only-cursor-agent': `${DATA}/versions/2025.10.28-0a91dc2/cursor-agent`,
    'layout-win-two-versions': `${LOCAL}\\versions\\2026.07.23-e383d2b\\node.exe ${LOCAL}\\versions\\2026.07.23-e383d2b\\index.js`,
    'layout-win-time-part': `${LOCAL}\\versions\\2026.06.24-00-45-58-9f61de7\\node.exe ${LOCAL}\\versions\\2026.06.24-00-45-58-9f61de7\\index.js`,
    'layout-newest-empty-dir': `${LOCAL}\\versions\\2026.10.01-e373342\\node.exe ${LOCAL}\\versions\\2026.10.01-e373342\\index.js`,
    'layout-win-flat': 'C:\\tools\\cursor-agent\\node.exe C:\\tools\\cursor-agent\\index.js',
    'layout-dist-package': `${LOCAL}\\versions\\2026.08.11-e8db854\\dist-package\\node.exe ${LOCAL}\\versions\\2026.08.11-e8db854\\dist-package\\index.js`,
    'layout-ide-bundled': { category: 'cli-not-found', says: /Looked at:/ },
    'layout-homebrew':
      '/opt/homebrew/Caskroom/cursor-cli/2026.05.24-dda726e/dist-package/cursor-agent',
    'layout-junk-names': `${DATA}/versions/2026.09.02-c22c1a3/cursor-agent`,
    'layout-node-not-executable': { category: 'broken-install', says: /EACCES/ },
    'layout-no-bundled-node': 'C:\\host\\node.exe C:\\cursor-agent\\index.js',
    'new-layout-nix-makewrapper': '/nix/store/aa-cursor-agent/share/cursor-agent/cursor-agent',
    'new-layout-only-agent-link-opt': '/opt/cursor-agent/cursor-agent',
    'new-layout-mac-gui-brew':
      '/opt/homebrew/Caskroom/cursor-cli/2026.05.28-418efe5/dist-package/cursor-agent',
    'new-layout-win-wrapper-clipath': {
      category: 'broken-install',
      says: /`cliPath` .* wrapper script[^]*A complete install is in ~\\AppData\\Local\\cursor-agent\\versions\\2026\.10\.22-27dcf5f/,
    },
    'new-layout-win-nonascii':
      'C:\\Users\\王 小明\\AppData\\Local\\cursor-agent\\versions\\2026.10.22-27dcf5f\\node.exe C:\\Users\\王 小明\\AppData\\Local\\cursor-agent\\versions\\2026.10.22-27dcf5f\\index.js',
    'new-layout-moved-usr-local':
      '/usr/local/share/cursor-agent/versions/2026.01.28-fd13201/cursor-agent',
    'new-layout-mise-path':
      '/home/u/.local/share/mise/installs/cursor-agent/2026.09.02-c22c1a3/dist-package/cursor-agent',
    'new-layout-nixpkgs-symlink': '/nix/store/bb-cursor-cli/share/cursor-agent/cursor-agent',
  }

  test('each case has an expectation here', () => {
    assert.deepEqual(layoutCases.map(({ id }) => id).toSorted(), Object.keys(EXPECTED).toSorted())
  })

  for (const item of layoutCases) {
    const expected = EXPECTED[item.id]
    test(`${item.id}: ${item.why}`, async () => {
      const system = systemOf(item)
      if (typeof expected === 'string') {
        assert.equal(commandOf(resolveCursorCli(system, item.cliPath)), expected)
        return
      }
      assert.ok(expected)
      const config = resolveConfig({})
      const started = startCursorRun({
        prompt: 'Reply with exactly: PONG',
        cwd: HOME[item.platform],
        config: { ...config, cliPath: item.cliPath },
        system,
        spawn: () => assert.fail('a process was started'),
        stderr: process.stderr,
        log: () => {},
      })
      await assert.rejects(started, (error) => {
        assert.ok(error instanceof CursorStartError)
        assert.equal(error.category, expected.category)
        assert.match(error.message, expected.says)
        assert.ok(!error.message.includes(HOME[item.platform]), 'a personal path is shown')
        return true
      })
    })
  }
})

/** How many paths finding one of these versions asks about. */
function pathsAsked(versions: readonly string[]): number {
  const system = systemWith({ platform: 'linux', files: versions.flatMap(linuxVersion) })
  resolveCursorCli(system)
  return system.files.asked.size
}

describe('the order of places', () => {
  test('on Windows the flat pair under LOCALAPPDATA comes before its versions', () => {
    const flat = [`${LOCAL}\\node.exe`, `${LOCAL}\\index.js`]
    const cli = resolveCursorCli(windows([...flat, ...windowsVersion('2026.10.01-e373342')]))
    assert.equal(commandOf(cli), `${LOCAL}\\node.exe ${LOCAL}\\index.js`)
    assert.equal(cli.version, undefined)
  })

  test('on macOS and Linux the flat pair in the data directory comes before its versions', () => {
    for (const platform of ['linux', 'darwin'] as const) {
      const root = `${HOME[platform]}/.local/share/cursor-agent`
      const files = [...posixInstall(root), ...posixInstall(`${root}/versions/2026.10.01-e373342`)]
      const cli = resolveCursorCli(systemWith({ platform, files }))
      assert.equal(cli.directory, root)
    }
  })

  test('the data directory comes before a cursor-agent on PATH', () => {
    const files = [...linuxVersion('2026.1.01-a'), ...posixInstall('/opt/newer')]
    const cli = resolveCursorCli(linux(files, { env: { PATH: '/opt/newer' } }))
    assert.equal(cli.version, '2026.1.01-a')
  })

  test('a broken flat pair does not hide the versions beside it', () => {
    const cli = resolveCursorCli(
      windows([`${LOCAL}\\index.js`, ...windowsVersion('2026.10.01-e373342')]),
    )
    assert.equal(cli.version, '2026.10.01-e373342')
  })

  test('LOCALAPPDATA is found whatever the case of its name, and stands in AppData\\Local without it', () => {
    const files = ['D:\\Data\\cursor-agent\\node.exe', 'D:\\Data\\cursor-agent\\index.js']
    const cli = resolveCursorCli(windows(files, { env: { LocalAppData: 'D:\\Data' } }))
    assert.equal(cli.directory, 'D:\\Data\\cursor-agent')
    for (const env of [{}, { LOCALAPPDATA: '' }]) {
      const usual = resolveCursorCli(windows(windowsVersion('2026.10.01-e373342'), { env }))
      assert.equal(usual.version, '2026.10.01-e373342')
    }
  })

  test('XDG_DATA_HOME is left alone: the installer does not use it', () => {
    const elsewhere = posixInstall('/data/cursor-agent/versions/2026.12.01-fffffff')
    const system = linux([...elsewhere, ...linuxVersion('2026.10.01-e373342')], {
      env: { XDG_DATA_HOME: '/data' },
    })
    assert.equal(resolveCursorCli(system).version, '2026.10.01-e373342')
    assert.equal(
      failure(linux(elsewhere, { env: { XDG_DATA_HOME: '/data' } })).category,
      'cli-not-found',
    )
  })

  test('nothing is asked outside the places of the search', () => {
    const system = systemWith({
      platform: 'linux',
      files: ['/usr/bin/agent', '/opt/other/cursor-agent'],
      env: { PATH: '/usr/bin:/opt/other' },
    })
    searchCursorCli(system)
    const commands = ['/usr/bin', '/opt/other', ...DESKTOP, '/home/u/.local/bin'].flatMap(
      (directory) => [`${directory}/cursor-agent`, `${directory}/agent`],
    )
    // Beside a command: what makes its directory an install.
    const layout = ['/usr/bin', '/opt/other'].flatMap((directory) => [
      `${directory}/index.js`,
      `${directory}/dist-package/index.js`,
    ])
    const outside = [...system.files.asked].filter((asked) => !asked.startsWith(DATA))
    assert.deepEqual(outside.toSorted(), [...commands, ...layout].toSorted())
  })

  test('old versions cost no look once the newest is usable', () => {
    const many = Array.from({ length: 40 }, (_, at) => `2025.${(at % 12) + 1}.${at + 1}-abc`)
    assert.equal(pathsAsked([...many, '2026.10.01-e373342']), pathsAsked(['2026.10.01-e373342']))
  })
})

describe('the choice among versions', () => {
  const ORDER = [
    // Newest first.
    '2026.10.22-27dcf5f',
    '2026.10.2-23-59-59-a',
    '2026.10.2-00-00-01-f',
    '2026.10.2-00-00-01-a',
    '2026.10.2-ffff',
    '2026.10.02-aaaa',
    '2026.9.30-ffffff',
    '2026.06.24-00-45-58-9f61de7',
    '2026.06.04-5fd875e',
    '2025.12.31-23-59-59-ffffff',
    '2025.12.31-000000',
  ]

  test('dates and times count as numbers, a time beats none, then the name decides', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(ORDER, { minLength: ORDER.length }), (names) => {
        assert.deepEqual(names.toSorted(compareVersionsNewestFirst), ORDER)
      }),
    )
  })

  test('the newest usable one is chosen in whatever order the directory lists them', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(ORDER, { minLength: 1 }), (names) => {
        const newest = ORDER.find((name) => names.includes(name))
        assert.equal(resolveCursorCli(linux(names.flatMap(linuxVersion))).version, newest)
        assert.equal(resolveCursorCli(windows(names.flatMap(windowsVersion))).version, newest)
      }),
    )
  })

  test('only names of the documented pattern are versions', () => {
    const versions = ['2026.10.22-27dcf5f', '2026.1.2-0', '2026.06.24-00-45-58-9f61de7']
    for (const name of versions) assert.ok(isCursorVersion(name), name)
    const others = [
      '2026.12.31',
      '2026.99.99-zzzzzzz',
      '.tmp-2026.10.22-27dcf5f-1760000000',
      '2026.10.22-27DCF5F',
      '2026.10.22-27dcf5f.old',
      ' 2026.10.22-27dcf5f',
      '2026.10.22-27dcf5f\n',
      '26.10.22-27dcf5f',
      '2026.10.22-0-45-58-9f61de7',
      'current',
      '',
    ]
    for (const name of others) assert.ok(!isCursorVersion(name), JSON.stringify(name))
  })

  test('a leftover of an installer is ignored, also when it is complete and the only one', () => {
    const leftover = posixInstall(`${DATA}/versions/.tmp-2026.12.01-fffffff-1760000000`)
    const cli = resolveCursorCli(linux([...leftover, ...linuxVersion('2026.10.01-e373342')]))
    assert.equal(cli.version, '2026.10.01-e373342')
    assert.equal(failure(linux(leftover)).category, 'cli-not-found')
  })

  const incomplete = {
    'without index.js': ['node'],
    'without Node': ['index.js', 'cursor-agent'],
    empty: [''],
  }
  for (const [name, files] of Object.entries(incomplete)) {
    test(`a half-written version ${name} is passed over for the next newest`, () => {
      const newest = files.map((file) => `${DATA}/versions/2026.12.01-fffffff/${file}`)
      const { cli, places } = searchCursorCli(
        linux([...newest, ...linuxVersion('2026.10.01-e373342'), ...linuxVersion('2026.1.1-a')]),
      )
      assert.equal(cli?.version, '2026.10.01-e373342')
      const passedOver = places.find(({ state }) => state === 'unusable')
      assert.equal(passedOver?.path, `${DATA}/versions/2026.12.01-fffffff`)
    })
  }

  test('a version whose Node cannot be executed is passed over for the next newest', () => {
    const newest = `${DATA}/versions/2026.12.01-fffffff`
    const cli = resolveCursorCli(
      linux([...posixInstall(newest), ...linuxVersion('2026.10.01-e373342')], {
        modes: { [`${newest}/node`]: '0644' },
      }),
    )
    assert.equal(cli.version, '2026.10.01-e373342')
  })

  test('a dist-package level inside a version is looked into', () => {
    const directory = `${DATA}/versions/2026.10.01-e373342/dist-package`
    const cli = resolveCursorCli(linux(posixInstall(directory)))
    assert.deepEqual([cli.directory, cli.version], [directory, '2026.10.01-e373342'])
  })

  test('when no version is usable, each is listed with what is missing', () => {
    const error = failure(
      windows([
        `${LOCAL}\\versions\\2026.12.01-fffffff\\node.exe`,
        `${LOCAL}\\versions\\2026.11.01-eeeeeee\\index.js`,
      ]),
    )
    assert.equal(error.category, 'broken-install')
    assert.match(error.message, /2026\.12\.01-fffffff: index\.js is missing/)
    assert.match(error.message, /2026\.11\.01-eeeeeee: node\.exe is missing/)
  })
})

describe('the versions beside an install', () => {
  const namesAndStates = (system: System): readonly (readonly [string, string])[] =>
    versionsBeside(system, resolveCursorCli(system)).map(
      (place) => [path.posix.relative(`${DATA}/versions`, place.path), place.state] as const,
    )

  test('are all listed, newest first, half-written ones too and leftovers not', () => {
    const system = linux([
      ...linuxVersion('2026.9.30-a'),
      ...posixInstall(`${DATA}/versions/2026.10.2-b/dist-package`),
      `${DATA}/versions/2026.11.1-c/node`,
      ...posixInstall(`${DATA}/versions/.tmp-2026.12.01-fffffff-1760000000`),
    ])
    assert.deepEqual(namesAndStates(system), [
      ['2026.11.1-c', 'unusable'],
      ['2026.10.2-b/dist-package', 'usable'],
      ['2026.9.30-a', 'usable'],
    ])
  })

  test('are none where the install lies in no version directory', () => {
    assert.deepEqual(namesAndStates(linux(posixInstall(DATA))), [])
  })
})

describe('nothing found', () => {
  test('the error lists every place that was looked at and says what to do', () => {
    const places = {
      linux: [DATA, 'PATH', ...DESKTOP, '/home/u/.local/bin'],
      darwin: ['/Users/u/.local/share/cursor-agent', 'PATH', ...DESKTOP, '/Users/u/.local/bin'],
      win32: [LOCAL, 'PATH'],
    }
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      const error = failure(systemWith({ platform, files: [] }))
      assert.equal(error.category, 'cli-not-found')
      for (const place of places[platform]) {
        assert.equal(error.message.split(`\n  ${place}: `).length, 2, error.message)
      }
      assert.match(error.message, /install/i)
      assert.match(error.message, /cliPath/)
    }
  })
})

describe('the program', () => {
  const version = `${DATA}/versions/2026.10.01-e373342`
  const withNode = `${version}/node ${version}/index.js`

  function programWith(text: string, modes: Readonly<Record<string, string>> = {}): string {
    const texts = { [`${version}/cursor-agent`]: text }
    return commandOf(resolveCursorCli(linux(posixInstall(version), { texts, modes })))
  }

  test("an executable launcher that ends in exec is the program, with the CLI's arguments alone", () => {
    for (const platform of ['linux', 'darwin'] as const) {
      const directory = `${HOME[platform]}/.local/share/cursor-agent/versions/2026.10.01-e373342`
      const cli = resolveCursorCli(systemWith({ platform, files: posixInstall(directory) }))
      assert.deepEqual(
        [cli.program, cli.leadingArgs, cli.runner],
        [`${directory}/cursor-agent`, [], 'launcher'],
      )
    }
  })

  test('a last statement over several lines is still one exec', () => {
    const launcher = `${version}/cursor-agent`
    assert.equal(
      programWith('#!/bin/bash\nexec "$here/node" \\\n  "$here/index.js" \\\n  "$@"\n\n# end\n'),
      launcher,
    )
  })

  const untrusted = {
    'is not executable': [LAUNCHER, { 'cursor-agent': '0644' }],
    'does not end in exec': ['#!/usr/bin/env bash\nexec true\necho done\n', {}],
    'names exec only in a comment': ['#!/usr/bin/env bash\n"$here/node"\n# exec node\n', {}],
    'is no shell script': ['\u007fELF\u0002\u0001\n', {}],
    'is a script of another language': ['#!/usr/bin/env python3\nexec(1)\n', {}],
    'is empty': ['', {}],
    'has the line ends of Windows': [LAUNCHER.replaceAll('\n', '\r\n'), {}],
  } as const
  for (const [name, [text, modes]] of Object.entries(untrusted)) {
    test(`a launcher that ${name} is not run: Node runs index.js`, () => {
      assert.equal(programWith(text, modes), withNode)
    })
  }

  test('an install without a launcher runs its own Node', () => {
    const cli = resolveCursorCli(linux(posixInstall(version, false)))
    assert.equal(commandOf(cli), withNode)
    assert.equal(cli.runner, 'bundled-node')
  })

  test('on Windows neither a shim nor a launcher is ever the program', () => {
    const directory = `${LOCAL}\\versions\\2026.10.01-e373342`
    const beside = ['cursor-agent', 'cursor-agent.cmd', 'cursor-agent.ps1', 'agent.cmd']
    const files = [
      ...SHIMS,
      ...windowsVersion('2026.10.01-e373342'),
      ...beside.map((name) => `${directory}\\${name}`),
    ]
    const named = [undefined, LOCAL, directory, ...files.filter((name) => /cmd$|ps1$/.test(name))]
    for (const cliPath of named) {
      const cli = resolveCursorCli(windows(files), cliPath)
      assert.equal(commandOf(cli), `${directory}\\node.exe ${directory}\\index.js`)
    }
  })
})

describe('cursor-agent on PATH', () => {
  const cask = '/opt/homebrew/Caskroom/cursor-cli/2026.05.24-dda726e/dist-package'
  const homebrew = { '/opt/homebrew/bin/cursor-agent': `${cask}/cursor-agent` }

  test('a link leads to the install behind it, on macOS and Linux', () => {
    for (const platform of ['darwin', 'linux'] as const) {
      const cli = resolveCursorCli(
        systemWith({
          platform,
          files: posixInstall(cask),
          links: homebrew,
          env: { PATH: '/usr/bin:/opt/homebrew/bin' },
        }),
      )
      assert.equal(cli.program, `${cask}/cursor-agent`)
      assert.equal(cli.version, '2026.05.24-dda726e')
    }
  })

  test("`agent` counts when Cursor's launcher is where it leads to, and an index.js alone is not enough", () => {
    const env = { PATH: '/opt/homebrew/bin:/usr/bin' }
    const links = { '/opt/homebrew/bin/agent': `${cask}/cursor-agent` }
    assert.equal(resolveCursorCli(linux(posixInstall(cask), { links, env })).directory, cask)
    const files = ['/opt/other/agent', '/opt/other/index.js', '/opt/other/node', '/usr/bin/agent']
    for (const directory of ['/opt/other', '/opt/versions/9.1']) {
      const moved = files.map((file) => file.replace('/opt/other', directory))
      const elsewhere = { '/opt/homebrew/bin/agent': `${directory}/agent` }
      for (const disk of [moved, [`${directory}/agent`]]) {
        const error = failure(linux(disk, { links: elsewhere, env }))
        assert.equal(error.category, 'cli-not-found')
        assert.doesNotMatch(error.message, /bin\/agent/)
      }
    }
  })

  test('a `cursor-agent` anywhere on PATH comes before an `agent`', () => {
    const links = {
      '/a/agent': '/opt/first/cursor-agent',
      '/b/cursor-agent': '/opt/second/cursor-agent',
    }
    const files = [...posixInstall('/opt/first'), ...posixInstall('/opt/second')]
    const cli = resolveCursorCli(linux(files, { links, env: { PATH: '/a:/b' } }))
    assert.equal(cli.directory, '/opt/second')
  })

  test('a program of the same name with no index.js beside it is passed over and named', () => {
    const { cli, places } = searchCursorCli(
      linux(['/usr/bin/cursor-agent', '/usr/bin/node', ...posixInstall(cask)], {
        links: homebrew,
        env: { PATH: '/usr/bin:/opt/homebrew/bin' },
      }),
    )
    assert.equal(cli?.program, `${cask}/cursor-agent`)
    const foreign = places.find((place) => place.path === '/usr/bin/cursor-agent')
    assert.match(told(foreign), /no index\.js/)
  })

  test('a broken install on PATH is passed over for the next', () => {
    const broken = posixInstall('/opt/broken').filter((name) => !name.endsWith('/node'))
    const cli = resolveCursorCli(
      linux([...broken, ...posixInstall('/opt/good')], { env: { PATH: '/opt/broken:/opt/good' } }),
    )
    assert.equal(cli.directory, '/opt/good')
  })

  test('a version that is half-written is passed over for the newest beside it', () => {
    const versions = '/opt/elsewhere/cursor-agent/versions'
    const half = `${versions}/2026.10.22-27dcf5f`
    const cli = resolveCursorCli(
      linux([`${half}/cursor-agent`, ...posixInstall(`${versions}/2026.10.01-e373342`)], {
        links: { '/usr/local/bin/cursor-agent': `${half}/cursor-agent` },
        env: { PATH: '/usr/local/bin' },
      }),
    )
    assert.equal(cli.version, '2026.10.01-e373342')
  })

  test('relative and empty entries of PATH are ignored', () => {
    const files = [...posixInstall('bin'), ...posixInstall('.'), 'cursor-agent', 'index.js', 'node']
    assert.equal(failure(linux(files, { env: { PATH: 'bin::.' } })).category, 'cli-not-found')
  })

  test('a link to an install that was already looked at does not list it twice', () => {
    const version = `${DATA}/versions/2026.10.01-e373342`
    const { places } = searchCursorCli(
      linux([`${version}/index.js`, `${version}/cursor-agent`], {
        links: { '/home/u/.local/bin/cursor-agent': `${version}/cursor-agent` },
        env: { PATH: '/home/u/.local/bin' },
      }),
    )
    assert.equal(places.filter((place) => place.path === version).length, 1)
  })
})

test('an error with hundreds of broken versions names the first and counts the others', () => {
  const broken = Array.from(
    { length: 300 },
    (_, at) => `${DATA}/versions/2026.1.1-${at + 1000}/node`,
  )
  const { message } = failure(linux(broken))
  assert.match(message, /and 29\d more/)
  assert.ok(Buffer.byteLength(message) < 4096, message)
})

describe('cliPath', () => {
  const version = `${DATA}/versions/2026.10.01-e373342`

  test('an index.js runs on the Node beside it', () => {
    const cli = resolveCursorCli(linux(posixInstall('/opt/x', false)), '/opt/x/index.js')
    assert.equal(commandOf(cli), '/opt/x/node /opt/x/index.js')
  })

  test("an index.js, or a directory, without a Node beside it runs on the host's own", () => {
    for (const cliPath of ['/opt/x/index.js', '/opt/x']) {
      const cli = resolveCursorCli(linux(['/opt/x/index.js']), cliPath)
      assert.equal(commandOf(cli), '/opt/host/node /opt/x/index.js')
      assert.equal(cli.runner, 'host-node')
    }
  })

  test('a linked index.js runs on the Node beside the link, else beside its target', () => {
    const links = { '/opt/link/index.js': '/opt/x/index.js' }
    const target = resolveCursorCli(
      linux(['/opt/x/index.js', '/opt/x/node'], { links }),
      '/opt/link/index.js',
    )
    assert.equal(commandOf(target), '/opt/x/node /opt/x/index.js')
    const beside = resolveCursorCli(
      linux(['/opt/x/index.js', '/opt/x/node', '/opt/link/node'], { links }),
      '/opt/link/index.js',
    )
    assert.equal(commandOf(beside), '/opt/link/node /opt/link/index.js')
  })

  test('a directory may be an install, a data directory with versions, or hold dist-package', () => {
    const files = [...linuxVersion('2026.1.1-a'), ...linuxVersion('2026.10.01-e373342')]
    const system = linux([...files, ...posixInstall('/opt/x/dist-package')])
    assert.equal(resolveCursorCli(system, `${DATA}/versions/2026.1.1-a`).version, '2026.1.1-a')
    assert.equal(resolveCursorCli(system, DATA).version, '2026.10.01-e373342')
    assert.equal(resolveCursorCli(system, '/opt/x').directory, '/opt/x/dist-package')
  })

  test('a leading ~/ is the home directory, also with a backslash on Windows', () => {
    const system = linux(linuxVersion('2026.10.01-e373342'))
    assert.equal(resolveCursorCli(system, '~/.local/share/cursor-agent').directory, version)
    const cli = resolveCursorCli(
      windows(['C:\\Users\\u\\cursor\\index.js', 'C:\\Users\\u\\cursor\\node.exe']),
      '~\\cursor\\index.js',
    )
    assert.equal(cli.directory, 'C:\\Users\\u\\cursor')
  })

  test('Windows paths may be written with forward slashes', () => {
    const cli = resolveCursorCli(windows(['C:/x/index.js', 'C:\\x\\index.js']), 'C:/x/index.js')
    assert.equal(cli.runner, 'host-node')
  })

  test('a shim is resolved to the install that it belongs to', () => {
    const files = [...SHIMS, ...windowsVersion('2026.9.1-a'), ...windowsVersion('2026.10.1-a')]
    for (const shim of SHIMS) {
      assert.equal(resolveCursorCli(windows(files), shim).version, '2026.10.1-a')
    }
  })

  test('a shim with a half-written newest version leads to the next newest', () => {
    const files = [
      ...SHIMS,
      ...windowsVersion('2026.9.1-a'),
      `${LOCAL}\\versions\\2026.10.1-a\\node.exe`,
    ]
    const cli = resolveCursorCli(windows(files), `${LOCAL}\\agent.cmd`)
    assert.equal(cli.version, '2026.9.1-a')
  })

  test('a launcher, and a link to one under any name, lead to their install', () => {
    const links = {
      '/home/u/.local/bin/agent': `${version}/cursor-agent`,
      '/home/u/.local/bin/my-cursor': `${version}/cursor-agent`,
    }
    const system = linux(posixInstall(version), { links })
    for (const cliPath of [`${version}/cursor-agent`, ...Object.keys(links)]) {
      assert.equal(resolveCursorCli(system, cliPath).program, `${version}/cursor-agent`)
    }
  })

  test('a launcher whose version is half-written by now leads to the newest beside it', () => {
    const files = [`${version}/cursor-agent`, ...linuxVersion('2026.9.30-a')]
    const system = linux(files)
    assert.equal(resolveCursorCli(system, `${version}/cursor-agent`).version, '2026.9.30-a')
  })

  const editors = {
    linux: ['/usr/bin/cursor', '/home/u/Cursor.AppImage', '/home/u/cursor-1.7.2-x86_64.AppImage'],
    darwin: ['/usr/local/bin/cursor'],
    win32: ['cursor', 'cursor.cmd', 'Cursor.exe', 'cursor.ps1', 'CURSOR.CMD'].map(
      (name) => `C:\\Program Files\\cursor\\resources\\app\\bin\\${name}`,
    ),
  }
  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    for (const cliPath of editors[platform]) {
      test(`the editor's launcher is refused: ${cliPath}`, () => {
        const error = failure(systemWith({ platform, files: [cliPath] }), cliPath)
        assert.match(error.message, /launcher of the Cursor editor/)
        assert.match(error.message, /cliPath/)
      })
    }
  }

  test('a directory called cursor is no launcher', () => {
    const cli = resolveCursorCli(linux(posixInstall('/opt/cursor')), '/opt/cursor')
    assert.equal(cli.directory, '/opt/cursor')
  })

  test('where it is at fault and the usual place has a good install, the error says so', () => {
    const good = linux(linuxVersion('2026.10.01-e373342'))
    const error = failure(good, '/opt/gone/index.js')
    assert.equal(error.category, 'cli-not-found')
    assert.match(error.message, /\/opt\/gone\/index\.js: nothing there/)
    assert.ok(error.message.includes(`A complete install is in ${version}`))
    assert.match(error.nextStep, /Leave `cliPath` out/)
    const alone = failure(linux([]), '/opt/gone/index.js')
    assert.ok(!alone.message.includes(DATA))
    assert.doesNotMatch(alone.nextStep, /Leave/)
  })

  test('no other place is looked at while it is not at fault', () => {
    const system = systemWith({ platform: 'linux', files: posixInstall('/opt/x') })
    resolveCursorCli(system, '/opt/x')
    assert.deepEqual(
      [...system.files.asked].filter((file) => !file.startsWith('/opt/x')),
      [],
    )
  })

  test("mise's installs folder, which holds versions, is a directory to name", () => {
    const installs = '/home/u/.local/share/mise/installs/cursor-agent'
    const files = ['2026.9.1-a', '2026.10.1-b'].flatMap((name) =>
      posixInstall(`${installs}/${name}/dist-package`),
    )
    assert.equal(resolveCursorCli(linux(files), installs).version, '2026.10.1-b')
  })

  test('a file or a directory that belongs to no install is a broken one, with the reason', () => {
    const system = linux(['/opt/x/readme.txt'])
    for (const cliPath of ['/opt/x/readme.txt', '/opt/x']) {
      const error = failure(system, cliPath)
      assert.equal(error.category, 'broken-install')
      assert.match(error.message, /no index\.js/)
    }
  })
})

describe('links and wrapper scripts', () => {
  const WRAPPER = '/usr/bin/cursor-agent'
  const install = '/opt/it is/here'
  const onPath = { PATH: '/usr/bin' }

  /** What a wrapper with this last line leads to: by PATH, and named in `cliPath`. */
  function behind(text: string, more: Partial<Disk> = {}): readonly (string | undefined)[] {
    const { texts = {}, files = [] } = more
    const disk = { env: onPath, ...more, texts: { ...texts, [WRAPPER]: text } }
    return [undefined, WRAPPER].map((cliPath) => {
      const system = linux([...posixInstall(install), ...files], disk)
      return searchCursorCli(system, cliPath).cli?.directory
    })
  }
  const bothFind = [install, install]
  const neither = [undefined, undefined]

  const TARGET = `${install}/cursor-agent`
  const FOLLOWED = {
    'as Nix writes it': `exec "${TARGET}" "$@"`,
    'with the name that Nix gives': `#! /nix/store/x-bash/bin/bash -e\nexport A='b'\nexec -a "$0" "${TARGET}"  "$@" `,
    'through env': `#!/bin/sh\nexec env X=y -u Z "${TARGET}" "$@"`,
    'through env by its path, unquoted, with escapes': `#!/bin/sh\nexec /usr/bin/env A=b ${TARGET.replaceAll(' ', '\\ ')} "$@"`,
    'in single quotes, after an assignment': `#!/bin/sh\nX="a b" exec '${TARGET}' "$@";`,
    'over several lines': `#!/bin/sh\nexec \\\n  -a name \\\n  "${TARGET}" \\\n  "$@"\n\n# end\n`,
    'with the line ends of Windows': `#!/bin/sh\r\nexec "${TARGET}" "$@"\r\n`,
    "on the install's Node": `#!/usr/bin/env sh\nexec "${install}/node" "${install}/index.js" "$@"`,
  }
  for (const [name, text] of Object.entries(FOLLOWED)) {
    test(`a wrapper is followed: ${name}`, () => assert.deepEqual(behind(text), bothFind))
  }

  const NOT_FOLLOWED = {
    'a variable in the path': `#!/bin/sh\nexec "$HOME/cursor-agent" "$@"`,
    'a command in the path': '#!/bin/sh\nexec "`which cursor-agent`" "$@"',
    'a relative path': '#!/bin/sh\nexec ./cursor-agent "$@"',
    'no exec at the end': `#!/bin/sh\n"${TARGET}" "$@"\nexit 0`,
    'an exec that is a comment': `#!/bin/sh\n# exec "${TARGET}" "$@"`,
    'another language': `#!/usr/bin/env python3\nexec "${TARGET}"`,
    'an exec that only looks last because the file goes on': `#!/bin/sh\nexec "${TARGET}" "$@"\n${'#'.repeat(20_000)}`,
    'a program': `\u007fELF\0\nexec "${TARGET}"`,
    'an open quote': `#!/bin/sh\nexec "${TARGET} "$@`,
    'nothing at all': '',
  }
  for (const [name, text] of Object.entries(NOT_FOLLOWED)) {
    test(`a wrapper is not followed: ${name}`, () => assert.deepEqual(behind(text), neither))
  }

  test('a wrapper is not followed where the shell would expand the path, though a directory has that very name', () => {
    for (const name of ['$X', '`x`', '${X}']) {
      const found = behind(`#!/bin/sh\nexec "/opt/${name}/cursor-agent" "$@"`, {
        files: posixInstall(`/opt/${name}`),
      })
      assert.deepEqual(found, neither)
    }
  })

  test('one level after the other, links and wrappers in turn', () => {
    const found = behind('exec /usr/lib/second "$@"', {
      links: { '/usr/lib/second': '/usr/lib/third', '/usr/lib/fifth': TARGET },
      texts: { '/usr/lib/third': '#!/bin/dash\nexec /usr/lib/fifth "$@"' },
    })
    assert.deepEqual(found, bothFind)
  })

  const NAMED: readonly (readonly [string, Partial<Disk>, RegExp])[] = [
    [
      'links in a ring',
      { links: { [WRAPPER]: '/usr/bin/b', '/usr/bin/b': WRAPPER } },
      /lead back to each other/,
    ],
    [
      'wrappers that call each other',
      { texts: { [WRAPPER]: 'exec /opt/b "$@"', '/opt/b': `exec ${WRAPPER} "$@"` } },
      /lead back to each other/,
    ],
    [
      'a link to nothing',
      { links: { [WRAPPER]: '/opt/gone/x' } },
      /link to \/opt\/gone\/x, where nothing is/,
    ],
    [
      "a link into another user's home",
      { links: { [WRAPPER]: '/root/.local/x' }, forbidden: ['/root'] },
      /link to \/root\/\.local\/x, which cannot be read \(EACCES\)/,
    ],
    [
      'a wrapper for nothing',
      { texts: { [WRAPPER]: 'exec /opt/gone' } },
      /wrapper script for \/opt\/gone, where no program is/,
    ],
    [
      "a wrapper for something in another user's home",
      { texts: { [WRAPPER]: 'exec /root/x' }, forbidden: ['/root'] },
      /wrapper script for \/root\/x, which cannot be read \(EACCES\)/,
    ],
    [
      'a wrapper of no known end',
      { texts: { [WRAPPER]: '#!/bin/sh\nfoo' } },
      /a wrapper script, with no index\.js/,
    ],
    [
      'a shim of mise',
      { links: { [WRAPPER]: '/usr/bin/mise' }, files: ['/usr/bin/mise'] },
      /shim of mise.*`cliPath` to \/home\/u\/\.local\/share\/mise\/installs\/cursor-agent/,
    ],
    [
      "the editor's launcher",
      { links: { [WRAPPER]: '/opt/cursor/bin/cursor' }, files: ['/opt/cursor/bin/cursor'] },
      /launcher of the Cursor editor \(cursor\)/,
    ],
  ]
  for (const [name, { files = [], ...disk }, says] of NAMED) {
    test(`${name}: named as what it is, on PATH and as cliPath`, () => {
      const system = (more: Partial<Disk>): System =>
        systemWith({ platform: 'linux', files, ...disk, ...more })
      const { cli, places } = searchCursorCli(system({ env: onPath }))
      assert.equal(cli, undefined)
      const of = places.filter((place) => place.path === WRAPPER)
      assert.equal(of.length, 1, JSON.stringify(places))
      assert.match(told(of[0]), says)
      assert.doesNotMatch(placeReason(of[0]!, 'zh'), /[{}]/)
      assert.notEqual(placeReason(of[0]!, 'zh'), told(of[0]))
      assert.match(failure(system({}), WRAPPER).message, says)
    })
  }

  test("mise's own data folder is told where the shim lies in it", () => {
    const shim = '/data/mise/shims/cursor-agent'
    const error = failure(
      linux(['/usr/bin/mise'], {
        links: { [shim]: '/usr/bin/mise' },
        env: { PATH: '/data/mise/shims' },
      }),
    )
    assert.match(error.message, /set `cliPath` to \/data\/mise\/installs\/cursor-agent/)
  })

  test('a link to a version that is gone leads to the newest beside it', () => {
    const versions = '/opt/moved/versions'
    const cli = resolveCursorCli(
      linux(posixInstall(`${versions}/2026.10.2-b`), {
        links: { [WRAPPER]: `${versions}/2026.10.1-a/cursor-agent` },
        env: onPath,
      }),
    )
    assert.equal(cli.version, '2026.10.2-b')
  })

  test('a foreign agent that leads nowhere is passed over without a word, a link to Cursor is told', () => {
    const message = (target: string): string =>
      failure(linux([], { links: { '/usr/bin/agent': target }, forbidden: ['/root'], env: onPath }))
        .message
    assert.doesNotMatch(message('/root/other'), /bin\/agent/)
    assert.match(message('/root/versions/x/cursor-agent'), /\/usr\/bin\/agent: a link to \/root/)
  })
})

describe('directories that a desktop program does not have on PATH', () => {
  for (const directory of [...DESKTOP, '~/.local/bin']) {
    test(`${directory} is looked into, after PATH`, () => {
      for (const platform of ['linux', 'darwin'] as const) {
        const link = `${directory.replace('~', HOME[platform])}/cursor-agent`
        const links = { [link]: '/opt/x/cursor-agent' }
        const files = [...posixInstall('/opt/x'), ...posixInstall('/opt/on-path')]
        const find = (PATH: string): string =>
          resolveCursorCli(systemWith({ platform, files, links, env: { PATH } })).directory
        assert.equal(find('/usr/bin:/bin:/usr/sbin:/sbin'), '/opt/x')
        assert.equal(find('/opt/on-path'), '/opt/on-path')
      }
    })
  }

  test('one that is on PATH too is told once', () => {
    const { places } = searchCursorCli(
      linux(['/usr/local/bin/cursor-agent'], { env: { PATH: '/usr/local/bin/:/usr/local/bin' } }),
    )
    const linked = places.filter((place) => place.path.startsWith('/usr/local/bin'))
    assert.equal(linked.length, 1, JSON.stringify(linked))
  })
})

describe('PATH on Windows', () => {
  const pair = (directory: string): string[] =>
    ['node.exe', 'index.js', 'cursor-agent.cmd'].map((name) => `${directory}\\${name}`)
  const env = (PATH: string): NodeJS.ProcessEnv => ({
    LOCALAPPDATA: 'C:\\Users\\u\\AppData\\Local',
    Path: PATH,
  })

  test('cursor-agent.cmd names the directory of an install, flat or with versions', () => {
    const versions = 'E:\\x\\versions\\2026.10.1-a'
    const disk = [...pair('D:\\tools\\cursor-agent'), ...pair(versions), 'E:\\x\\cursor-agent.cmd']
    for (const [PATH, directory] of [
      ['C:\\Windows;D:\\tools\\cursor-agent\\', 'D:\\tools\\cursor-agent'],
      ['"D:\\tools\\cursor-agent"', 'D:\\tools\\cursor-agent'],
      ['E:\\x', versions],
    ] as const) {
      const cli = resolveCursorCli(windows(disk, { env: env(PATH) }))
      assert.equal(commandOf(cli), `${directory}\\node.exe ${directory}\\index.js`)
    }
  })

  test("agent.cmd counts beside Cursor's own shim, and not alone", () => {
    const own = ['D:\\t\\agent.cmd', 'D:\\t\\node.exe', 'D:\\t\\index.js']
    assert.equal(failure(windows(own, { env: env('D:\\t') })).category, 'cli-not-found')
  })

  test("somebody's wrapper is named, and the search goes on", () => {
    const bin = 'C:\\Users\\u\\.local\\bin'
    const files = [`${bin}\\cursor-agent.cmd`]
    assert.match(
      failure(windows(files, { env: env(bin) })).message,
      /cursor-agent\.cmd: a wrapper script/,
    )
    const cli = resolveCursorCli(
      windows([...files, ...pair('D:\\t')], { env: env(`${bin};D:\\t`) }),
    )
    assert.equal(cli.directory, 'D:\\t')
  })

  test('entries without a drive, relative and empty ones are no places', () => {
    const files = ['bin', '.', '\\tools', 'D:tools'].flatMap(pair)
    const error = failure(windows(files, { env: env('bin;;.;\\tools;D:tools;"";/tools') }))
    assert.equal(error.category, 'cli-not-found')
  })

  test("the installer's own folder on PATH, in another case, is not told twice", () => {
    const half = `${LOCAL}\\versions\\2026.10.1-a`
    const { places } = searchCursorCli(
      windows([...SHIMS, `${half}\\index.js`], { env: env(`${LOCAL.toUpperCase()};${LOCAL}`) }),
    )
    assert.deepEqual(
      places.filter(({ state }) => state === 'unusable').map((place) => place.path),
      [half],
    )
  })
})

describe('roots that are not absolute are no roots', () => {
  const RELATIVE = ['', 'home', '.', './home', '~']
  for (const home of RELATIVE) {
    test(`a home directory that is ${JSON.stringify(home)}: nothing below it is run`, () => {
      for (const platform of ['linux', 'darwin'] as const) {
        const at = path.posix.join(home, '.local/share/cursor-agent/versions/2026.10.1-a')
        const bin = path.posix.join(home, '.local/bin')
        const files = [...posixInstall(at), ...posixInstall(bin)]
        const system = systemWith({ platform, files, home })
        const error = failure(system)
        assert.equal(error.category, 'cli-not-found')
        assert.match(error.message, /no home directory/)
        assert.deepEqual(
          [...system.files.asked].filter((file) => !file.startsWith('/')),
          [],
        )
        assert.equal(failure(system, '~/.local/share/cursor-agent').category, 'cli-not-found')
      }
    })
  }

  test('a process without a home directory works with cliPath', () => {
    const system = systemWith({ platform: 'linux', files: posixInstall('/opt/x'), home: '' })
    assert.equal(resolveCursorCli(system, '/opt/x').directory, '/opt/x')
  })

  for (const LOCALAPPDATA of ['', 'local', '.', '\\local', 'C:local']) {
    test(`LOCALAPPDATA ${JSON.stringify(LOCALAPPDATA)} is none: the profile's own is taken, or nothing`, () => {
      const at = path.win32.join(LOCALAPPDATA, 'cursor-agent', 'versions', '2026.10.1-a')
      const files = ['node.exe', 'index.js'].map((name) => path.win32.join(at, name))
      const own = windowsVersion('2026.9.1-a')
      const system = (home: string): System =>
        systemWith({ platform: 'win32', files: [...files, ...own], home, env: { LOCALAPPDATA } })
      assert.equal(resolveCursorCli(system(HOME.win32)).version, '2026.9.1-a')
      assert.match(
        failure(system('')).message,
        /%LOCALAPPDATA%: this process has no home directory/,
      )
    })
  }
})

describe('what the terminal runs', () => {
  const [old, newest] = ['2026.9.1-a', '2026.10.1-b']
  const both = [...linuxVersion(old), ...linuxVersion(newest)]
  const link = (version: string): Partial<Disk> => ({
    links: { '/home/u/.local/bin/cursor-agent': `${DATA}/versions/${version}/cursor-agent` },
  })
  const other = (disk: Partial<Disk>, files = both): string | undefined => {
    const system = linux(files, disk)
    return otherInTerminal(system, resolveCursorCli(system))?.version
  }

  test('a link that is pinned to an older version is told', () => {
    assert.equal(other(link(old)), old)
  })

  test('nothing is told where both are the same, or where the terminal has none', () => {
    assert.equal(other(link(newest)), undefined)
    assert.equal(other({}), undefined)
  })

  test('PATH comes before ~/.local/bin', () => {
    const links = { ...link(newest).links, '/usr/bin/cursor-agent': '/opt/x/cursor-agent' }
    const system = linux([...both, ...posixInstall('/opt/x')], { links, env: { PATH: '/usr/bin' } })
    assert.deepEqual(otherInTerminal(system, resolveCursorCli(system)), {
      command: '/usr/bin/cursor-agent',
      directory: '/opt/x',
      version: undefined,
    })
  })
})
