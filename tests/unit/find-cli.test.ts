// Finding the CLI: every layout of tests/layouts.jsonl in memory, with the platform injected, and
// those of this very platform with real files too; then the choice among versions, and what a search
// asks for. Real starts belong to tests/process/find-cli.test.ts and tests/windows.
import assert from 'node:assert/strict'
import path from 'node:path'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import {
  otherInTerminal,
  resolveCursorCli,
  searchCursorCli,
  versionsBeside,
} from '../../src/cursor/find-cli.ts'
import { placeReason, type Place } from '../../src/cursor/find-cli/places.ts'
import type { System } from '../../src/cursor/system.ts'
import {
  dateOfVersion,
  isCursorVersion,
  versionsNewestFirst,
} from '../../src/cursor/find-cli/versions.ts'
import { layoutCases } from '../support/cases.ts'
import {
  HOME,
  inMemory,
  layouts,
  onDisk,
  type Disk,
  type Layout,
  type Machine,
} from '../support/layouts.ts'
import { refusal } from '../support/refusal.ts'

/** Names as people have them, and what they are hard on: blanks, other scripts, a shell's characters. */
const USERS = ['u', '张三', 'Anna Maria von Berg', "100% (O'Neil) & Söhne ^!"]

const DESKTOP = ['/opt/homebrew/bin', '/usr/local/bin', '/home/linuxbrew/.linuxbrew/bin']
const DATA = '/home/u/.local/share/cursor-agent'

const linux = (
  files: readonly string[],
  more: Partial<Disk> = {},
): System & { files: { asked: Set<string> } } =>
  inMemory({ platform: 'linux', files, ...more }).system

const install = (directory: string): string => `${directory}/{node,index.js,rg,cursor-agent}`
const versions = (...names: string[]): string[] =>
  names.map((name) => install(`${DATA}/versions/${name}`))

/** Asserts what a layout's line says. */
async function check(layout: Layout, { system, at }: Machine): Promise<void> {
  const cliPaths = [layout.cliPath ?? null].flat()
  for (const [turn, named] of cliPaths.entries()) {
    const cliPath = named === null ? undefined : named.startsWith('~') ? named : at(named)
    const { cli, places } = searchCursorCli(system, cliPath)
    assertPlaces(layout, places, at)
    if (layout.in !== undefined) {
      assertFound(layout, at(layout.in), system, resolveCursorCli(system, cliPath))
      continue
    }
    assert.equal(cli, undefined)
    const { category, message } = await refusal({ system, cliPath })
    const wanted = [layout.fails].flat()
    assert.equal(category, wanted[turn] ?? wanted[0], message)
    for (const says of layout.says ?? []) assert.match(message, new RegExp(says))
    for (const silent of layout.silent ?? []) assert.doesNotMatch(message, new RegExp(silent))
    assert.ok(system.home === '' || !message.includes(system.home), 'a personal path is shown')
  }
}

function assertFound(
  layout: Layout,
  directory: string,
  system: System,
  cli: ReturnType<typeof resolveCursorCli>,
): void {
  const isWindows = layout.platform === 'win32'
  const { join, normalize } = isWindows ? path.win32 : path.posix
  const spelled = (file: string): string => (isWindows ? normalize(file).toLowerCase() : file)
  const by = layout.by ?? (isWindows ? 'bundled-node' : 'launcher')
  const index = join(directory, 'index.js')
  const argv = {
    launcher: [join(directory, 'cursor-agent')],
    'bundled-node': [join(directory, isWindows ? 'node.exe' : 'node'), index],
    'host-node': [system.execPath, index],
  }[by]
  const found = [cli.directory, cli.program, ...cli.leadingArgs].map((file) =>
    spelled(join(file, '.')),
  )
  assert.deepEqual(
    [cli.runner, ...found],
    [by, ...[directory, ...argv].map((file) => spelled(join(file, '.')))],
  )
  const [, version] = /[/\\](\d[\d.]+-[\da-f-]+)(?:[/\\]dist-package)?$/.exec(directory) ?? []
  assert.equal(cli.version, version)
}

function assertPlaces(layout: Layout, places: readonly Place[], at: Machine['at']): void {
  const paths = places.map((place) => place.path)
  assert.equal(new Set(paths).size, paths.length, 'a place is listed twice')
  for (const place of places) {
    const [en, zh] = [placeReason(place, 'en'), placeReason(place, 'zh')]
    assert.ok(en !== zh && !/[{}]/.test(zh), zh)
    assert.equal(place.state === 'usable', place === places.at(-1) && layout.in !== undefined)
  }
  if (layout.looked !== undefined) assert.deepEqual(paths, layout.looked.map(at))
  const unusable = places.filter(({ state }) => state === 'unusable').map((place) => place.path)
  if (layout.unusable !== undefined) assert.deepEqual(unusable, layout.unusable.map(at))
  for (const [name, says] of Object.entries(layout.tells ?? {})) {
    const place = places.find((each) => each.path === at(name))
    assert.match(place ? placeReason(place, 'en') : '', new RegExp(says))
  }
}

describe('a layout in memory', () => {
  test('exists for each documented case', () => {
    for (const { id } of layoutCases)
      assert.ok(
        layouts.some(({ why }) => why.startsWith(`${id}: `)),
        id,
      )
  })
  for (const layout of layouts) {
    test(`${layout.platform}: ${layout.why}`, () => check(layout, inMemory(layout)))
  }
})

describe('a layout on this disk', () => {
  const here = layouts.filter(
    ({ platform, memory, forbidden, looked }) =>
      platform === process.platform && !memory && !forbidden && (!looked || platform === 'win32'),
  )
  for (const [turn, layout] of here.entries()) {
    const user = USERS[turn % USERS.length] as string
    test(`of ${user}: ${layout.why}`, async () => {
      const machine = await onDisk(layout, user)
      try {
        await check(layout, machine)
      } finally {
        await machine.remove()
      }
    })
  }
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
      fc.property(fc.shuffledSubarray(ORDER, { minLength: 1 }), (names) => {
        const wanted = ORDER.filter((name) => names.includes(name))
        assert.deepEqual(versionsNewestFirst(names), wanted)
        assert.equal(resolveCursorCli(linux(versions(...names))).version, wanted[0])
      }),
    )
  })

  test('a date is told from the rest of the name', () => {
    assert.equal(dateOfVersion('2026.2.1-10-00-00-ffffff'), '20260201')
    assert.equal(dateOfVersion('2026.10.22-27dcf5f'), '20261022')
    assert.equal(dateOfVersion('nightly'), '')
  })

  const NAMES = {
    versions: ['2026.10.22-27dcf5f', '2026.1.2-0', '2026.06.24-00-45-58-9f61de7'],
    others:
      '2026.12.31/2026.99.99-zzzzzzz/.tmp-2026.10.22-27dcf5f-1760000000/2026.10.22-27DCF5F/2026.10.22-27dcf5f.old/ 2026.10.22-27dcf5f/2026.10.22-27dcf5f\n/26.10.22-27dcf5f/2026.10.22-0-45-58-9f61de7/current/'.split(
        '/',
      ),
  }
  test('only names of the documented pattern are versions', () => {
    for (const name of NAMES.versions) assert.ok(isCursorVersion(name), name)
    for (const name of NAMES.others) assert.ok(!isCursorVersion(name), JSON.stringify(name))
  })

  test('those beside an install are all listed, newest first, half-written ones too and leftovers not', () => {
    const states = (system: System): readonly (readonly string[])[] =>
      versionsBeside(system, resolveCursorCli(system)).map((place) => [
        path.posix.relative(`${DATA}/versions`, place.path),
        place.state,
      ])
    const files = versions(
      '2026.9.30-a',
      '2026.10.2-b/dist-package',
      '.tmp-2026.12.01-fffffff-1760000000',
    )
    assert.deepEqual(states(linux([...files, `${DATA}/versions/2026.11.1-c/node`])), [
      ['2026.11.1-c', 'unusable'],
      ['2026.10.2-b/dist-package', 'usable'],
      ['2026.9.30-a', 'usable'],
    ])
    assert.deepEqual(states(linux([install(DATA)])), [])
  })
})

describe('a search', () => {
  const asked = (
    system: System & { files: { asked: Set<string> } },
    cliPath?: string,
  ): string[] => {
    searchCursorCli(system, cliPath)
    return [...system.files.asked].toSorted()
  }

  test('stays within the known places', () => {
    const files = ['/usr/bin/agent', '/opt/other/cursor-agent']
    const commands = ['/usr/bin', '/opt/other', ...DESKTOP, '/home/u/.local/bin'].flatMap(
      (directory) => [`${directory}/cursor-agent`, `${directory}/agent`],
    )
    // Beside a command: what makes its directory an install.
    const layout = ['/usr/bin', '/opt/other'].flatMap((directory) => [
      `${directory}/index.js`,
      `${directory}/dist-package/index.js`,
    ])
    const all = asked(linux(files, { path: '/usr/bin:/opt/other' }))
    assert.deepEqual(
      all.filter((file) => !file.startsWith(DATA)),
      [...commands, ...layout].toSorted(),
    )
  })

  test('skips old versions if the newest is usable', () => {
    const old = Array.from({ length: 40 }, (_, at) => `2025.${(at % 12) + 1}.${at + 1}-abc`)
    const newest = '2026.10.01-e373342'
    assert.deepEqual(asked(linux(versions(...old, newest))), asked(linux(versions(newest))))
  })

  test('stays within cliPath if that is usable', () => {
    const all = asked(linux([install('/opt/x')]), '/opt/x')
    assert.deepEqual(
      all.filter((file) => !file.startsWith('/opt/x')),
      [],
    )
  })

  test('does not follow the exec of a wrapper that is too long to read to its end', () => {
    const text = `#!/bin/sh\nexec "/opt/x/cursor-agent" "$@"\n${'#'.repeat(20_000)}`
    const system = linux([install('/opt/x')], {
      texts: { '/opt/bin/cursor-agent': text },
      path: '/opt/bin',
    })
    assert.equal(searchCursorCli(system).cli, undefined)
  })

  for (const home of ['', 'home', '.', './home', '~']) {
    test(`never looks below a home directory that is ${JSON.stringify(home)}`, async () => {
      for (const platform of ['linux', 'darwin'] as const) {
        const at = path.posix.join(home, '.local/share/cursor-agent')
        const files = [`${at}/versions/2026.10.1-a`, path.posix.join(home, '.local/bin')].map(
          install,
        )
        const { system } = inMemory({ platform, files, home })
        const error = await refusal({ system })
        assert.equal(error.category, 'cli-not-found')
        assert.match(error.message, /no home directory/)
        assert.deepEqual(
          asked(system).filter((file) => !file.startsWith('/')),
          [],
        )
        assert.equal(
          (await refusal({ system, cliPath: '~/.local/share/cursor-agent' })).category,
          'cli-not-found',
        )
      }
    })
  }

  for (const LOCALAPPDATA of ['', 'local', '.', '\\local', 'C:local']) {
    test(`is nothing below a LOCALAPPDATA that is ${JSON.stringify(LOCALAPPDATA)}: the profile's own is taken, or nothing`, async () => {
      const roots = [LOCALAPPDATA, path.win32.join(HOME.win32, 'AppData', 'Local')]
      const names = ['2026.10.1-a', '2026.9.1-a']
      const files = roots.map((root, turn) =>
        path.win32.join(root, 'cursor-agent', 'versions', names[turn]!, '{node.exe,index.js}'),
      )
      const system = (home: string): System =>
        inMemory({ platform: 'win32', files, home, env: { LOCALAPPDATA } }).system
      assert.equal(resolveCursorCli(system(HOME.win32)).version, '2026.9.1-a')
      assert.match(
        (await refusal({ system: system('') })).message,
        /%LOCALAPPDATA%: this process has no home directory/,
      )
    })
  }
})

describe('what the terminal runs', () => {
  const [old, newest] = ['2026.9.1-a', '2026.10.1-b']
  const linkTo = (version: string): Partial<Disk> => ({
    links: { '~/.local/bin/cursor-agent': `${DATA}/versions/${version}/cursor-agent` },
  })
  const other = (disk: Partial<Disk>) => {
    const system = linux([...versions(old, newest), install('/opt/x')], disk)
    return otherInTerminal(system, resolveCursorCli(system))
  }

  test('is reported if it is pinned to an older version, but not if both are the same or there is none', () => {
    assert.equal(other(linkTo(old))?.version, old)
    assert.equal(other(linkTo(newest)), undefined)
    assert.equal(other({}), undefined)
  })

  test('comes from PATH before ~/.local/bin', () => {
    const links = { ...linkTo(newest).links, '/usr/bin/cursor-agent': '/opt/x/cursor-agent' }
    assert.deepEqual(other({ links, path: '/usr/bin' }), {
      command: '/usr/bin/cursor-agent',
      directory: '/opt/x',
      version: undefined,
    })
  })
})
