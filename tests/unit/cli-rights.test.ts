// Where the CLI's own configuration lies, and what in it takes the bounds off a permission mode.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCliRights } from '../../src/cursor/cli-rights.ts'
import type { System } from '../../src/cursor/system.ts'

function systemOf(files: Readonly<Record<string, string>>, more: Partial<System> = {}): System {
  return {
    platform: 'linux',
    env: {},
    home: '/home/u',
    execPath: '/usr/bin/node',
    files: {
      names: () => [],
      isFile: (file) => Object.hasOwn(files, file),
      isDirectory: () => false,
      isExecutable: () => false,
      realPath: () => undefined,
      textOf: (file) => files[file],
    },
    ...more,
  }
}

const OWN = '/home/u/.cursor/cli-config.json'

const allowing = (...allow: unknown[]): string => JSON.stringify({ permissions: { allow } })

// [content, state, entries]
const contents: readonly (readonly [string, string, readonly string[]])[] = [
  ['{}', 'bounded', []],
  ['{"approvalMode":"allowlist"}', 'bounded', []],
  ['{"approvalMode":"unrestricted"}', 'unrestricted', []],
  ['{"approvalMode":', 'unreadable', []],
  ['null', 'bounded', []],
  ['{"permissions":null}', 'bounded', []],
  ['{"permissions":{"allow":"Shell(*)"}}', 'bounded', []],
  [allowing('Shell(ls)', 'Shell(git:*)', 'Read(**)', 7), 'bounded', []],
  [allowing('Shell(ls)', 'Shell(*)'), 'every-shell', ['Shell(*)']],
  [allowing('Shell(**)'), 'every-shell', ['Shell(**)']],
  [allowing('Shell(*:*)'), 'every-shell', ['Shell(*:*)']],
  [allowing('Shell(bash)', 'shell( pwsh )'), 'every-shell', ['Shell(bash)', 'shell( pwsh )']],
  [allowing('Shell(bash:-lc ls)', 'Shell(sudo:ls)', 'Shell(environment)'), 'bounded', []],
  ...[
    'Shell(/bin/bash)',
    'Shell(/usr/bin/env:*)',
    'Shell(env)',
    'Shell(sudo *)',
    'Shell(xargs)',
    'Shell(bash:-c *)',
    'Shell(python3.12)',
    String.raw`Shell(C:\Windows\System32\cmd.exe)`,
  ].map((entry) => [allowing(entry), 'every-shell', [entry]] as const),
]

for (const [content, state, entries] of contents) {
  test(`the CLI's configuration ${content} is ${state}`, () => {
    assert.deepEqual(readCliRights(systemOf({ [OWN]: content }), {}), { file: OWN, state, entries })
  })
}

// [what, environment of the host, of the row, home, file]
const places: readonly (readonly [
  string,
  NodeJS.ProcessEnv,
  NodeJS.ProcessEnv,
  string,
  string | undefined,
])[] = [
  ['the home', {}, {}, '/home/u', OWN],
  ['XDG', { XDG_CONFIG_HOME: '/x' }, {}, '/home/u', '/x/cursor/cli-config.json'],
  ['its own', { XDG_CONFIG_HOME: '/x', CURSOR_CONFIG_DIR: '/c' }, {}, '', '/c/cli-config.json'],
  ["the row's", { CURSOR_CONFIG_DIR: '/c' }, { CURSOR_CONFIG_DIR: '/r' }, '', '/r/cli-config.json'],
  ['no home', {}, {}, '', undefined],
  [
    'a relative one, which would be in the workspace',
    {},
    { CURSOR_CONFIG_DIR: 'c' },
    '/h',
    'c/cli-config.json',
  ],
]

for (const [what, env, row, home, file] of places) {
  test(`the CLI's configuration is looked for in ${what}`, () => {
    const everywhere = new Proxy(
      {},
      { get: () => '{}', getOwnPropertyDescriptor: () => ({ configurable: true }) },
    )
    assert.equal(readCliRights(systemOf(everywhere, { env, home }), row)?.file, file)
  })
}

test('without a file nothing is said', () => {
  assert.equal(readCliRights(systemOf({}), {}), undefined)
})

for (const env of [{ CURSOR_CONFIG_DIR: 'c/cursor' }, { XDG_CONFIG_HOME: 'c' }]) {
  test(`a relative place is told whether the file is there or not: ${Object.keys(env)}`, () => {
    const file = 'c/cursor/cli-config.json'
    assert.deepEqual(readCliRights(systemOf({}, { env }), {}), {
      file,
      state: 'in-workspace',
      entries: [],
    })
  })
}
