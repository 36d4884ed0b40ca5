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
  compareVersionsNewestFirst,
  isCursorVersion,
  resolveCursorCli,
  searchCursorCli,
  versionsBeside,
  type CursorCli,
} from '../../src/cursor/find-cli.ts'
import { startCursorRun } from '../../src/cursor/run.ts'
import type { FileQuestions, System } from '../../src/cursor/system.ts'
import { layoutCases, type LayoutCase } from '../support/cases.ts'

type Platform = LayoutCase['platform']

const HOME = { linux: '/home/u', darwin: '/Users/u', win32: 'C:\\Users\\u' }
const HOST_NODE = { linux: '/opt/host/node', darwin: '/opt/host/node', win32: 'C:\\host\\node.exe' }
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
  readonly env?: NodeJS.ProcessEnv
}

const PROGRAMS = new Set(['node', 'node.exe', 'cursor-agent', 'agent', 'cursor', 'rg'])

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
    return this.#files.has(this.#resolve(file))
  }

  isDirectory(directory: string): boolean {
    return this.#directories.has(this.#resolve(directory))
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

  #resolve(asked: string): string {
    this.asked.add(asked)
    let real = asked
    for (const [link, target] of Object.entries(this.#disk.links ?? {})) {
      if (real === link || real.startsWith(link + this.#path.sep)) {
        real = target + real.slice(link.length)
      }
    }
    return real
  }
}

function systemWith(disk: Disk): System & { readonly files: MemoryFiles } {
  const { platform } = disk
  const standard = platform === 'win32' ? { LOCALAPPDATA: 'C:\\Users\\u\\AppData\\Local' } : {}
  return {
    platform,
    env: disk.env ?? standard,
    home: HOME[platform],
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
  const { platform, links, modes, path: directories } = item
  const env: NodeJS.ProcessEnv = {
    ...(platform === 'win32' ? { LOCALAPPDATA: 'C:\\Users\\u\\AppData\\Local' } : {}),
    ...(directories === undefined ? {} : { PATH: directories.join(':') }),
  }
  return systemWith({
    platform,
    files: item.files.map(withFolders),
    links,
    env,
    ...(modes === undefined ? {} : { modes }),
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
      const cli = resolveCursorCli(windows(windowsVersion('2026.10.01-e373342'), { env }))
      assert.equal(cli.version, '2026.10.01-e373342')
    }
  })

  test('Windows does not look on PATH', () => {
    const files = ['C:\\x\\cursor-agent', 'C:\\x\\node.exe', 'C:\\x\\index.js']
    const error = failure(windows(files, { env: { PATH: 'C:\\x' } }))
    assert.equal(error.category, 'cli-not-found')
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
    const outside = [...system.files.asked].filter(
      (asked) => !asked.startsWith(DATA) && !/^\/(?:usr\/bin|opt\/other)(?:\/|$)/.test(asked),
    )
    assert.deepEqual(outside, [])
    assert.ok(!system.files.asked.has('/usr/bin/agent'), 'agent may be another product')
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
      linux: [DATA, 'cursor-agent on PATH'],
      darwin: ['/Users/u/.local/share/cursor-agent', 'cursor-agent on PATH'],
      win32: [LOCAL],
    }
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      const error = failure(systemWith({ platform, files: [] }))
      assert.equal(error.category, 'cli-not-found')
      for (const place of places[platform]) assert.ok(error.message.includes(place), error.message)
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

  test('`agent` is not trusted: another product uses the name', () => {
    const links = { '/opt/homebrew/bin/agent': `${cask}/cursor-agent` }
    const error = failure(
      linux([...posixInstall(cask), '/usr/bin/agent'], {
        links,
        env: { PATH: '/opt/homebrew/bin:/usr/bin' },
      }),
    )
    assert.equal(error.category, 'cli-not-found')
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
    assert.match(foreign?.reason ?? '', /no index\.js/)
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
  assert.match(message, /and 28\d more/)
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

  test('a path with nothing there is not found, and no other place is looked at', () => {
    const error = failure(linux(linuxVersion('2026.10.01-e373342')), '/opt/gone/index.js')
    assert.equal(error.category, 'cli-not-found')
    assert.ok(error.message.includes('/opt/gone/index.js'))
    assert.ok(!error.message.includes(DATA))
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
