// The parts of the self-check that need no process: what a profile's files mean, the environment
// that a child inherits, proxy variables, Node versions, the progress line and the text's verdict. How
// a profile is composed is held to the host in tests/host/profile.test.ts.
import assert from 'node:assert/strict'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { test, type TestContext } from 'node:test'
import { text } from 'node:stream/consumers'
import type { WriteStream } from 'node:tty'
import { scrubbedParentEnv } from '@deepseek-ai/dsh-subprocess'
import { resolveConfig, type Config } from '../../src/config/config.ts'
import type { CursorCli } from '../../src/cursor/find-cli.ts'
import { Masker } from '../../src/cursor/masking.ts'
import type { FileQuestions, System } from '../../src/cursor/system.ts'
import { CHECKS, type CheckId } from '../../src/doctor/checks.ts'
import { checkProfile, type CheckedProfile } from '../../src/doctor/checks/profile.ts'
import { CliCommands } from '../../src/doctor/cli-commands.ts'
import { filled } from '../../src/doctor/fill-sentence.ts'
import { sayer, SHARED, shared, type Finding, type Findings } from '../../src/doctor/finding.ts'
import { languageOf } from '../../src/doctor/language.ts'
import { profileAt, readProfile, type ProfileReading } from '../../src/doctor/read-profile.ts'
import { Progress } from '../../src/doctor/progress.ts'
import type { Check, Report } from '../../src/doctor/report.ts'
import { hostLikeEnvironment } from '../../src/doctor/local-processes.ts'
import type { Subject } from '../../src/doctor/check-input.ts'
import { shownPath } from '../../src/doctor/shown-paths.ts'
import { reportText } from '../../src/doctor/report-text.ts'
import { same, type Language } from '../../src/words.ts'

const HOME = '/home/u'
const PROFILES = '/home/u/.dsh/profiles'
const PLUGIN = `${PROFILES}/web/node_modules/dsh-subagent-cursor`

/** A file system that holds these files and nothing else. */
function filesOf(texts: Readonly<Record<string, string>>): FileQuestions {
  const under = (directory: string): string[] =>
    Object.keys(texts)
      .filter((name) => name.startsWith(`${directory}/`))
      .map((name) => name.slice(directory.length + 1).split('/')[0] ?? '')
  const isDirectory = (directory: string): boolean => under(directory).length > 0
  return {
    names: (directory) => [...new Set(under(directory))],
    isFile: (file) => Object.hasOwn(texts, file),
    isDirectory,
    isExecutable: () => false,
    realPath: (file) => (Object.hasOwn(texts, file) || isDirectory(file) ? file : undefined),
    textOf: (file, maxBytes) => texts[file]?.slice(0, maxBytes),
  }
}

function systemOf(texts: Readonly<Record<string, string>>, env: NodeJS.ProcessEnv = {}): System {
  return { platform: 'linux', env, home: HOME, execPath: '/usr/bin/node', files: filesOf(texts) }
}

interface ProfileFiles {
  readonly patch?: string
  readonly settings?: string
  readonly bundles?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly installed?: false
  /** By path; `undefined` takes a file away. */
  readonly more?: Readonly<Record<string, string | undefined>>
}

function profileFiles(files: ProfileFiles): Record<string, string> {
  const { bundles = ['dsh-subagent-cursor'], dependencies = { 'dsh-subagent-cursor': '1' } } = files
  const all = {
    [`${PROFILES}/web/package.json`]: JSON.stringify({
      dependencies,
      dsh: { profile: { bundles } },
    }),
    [`${PROFILES}/web/cordis.patch.yml`]: files.patch,
    [`${HOME}/.dsh/settings.yaml`]: files.settings,
    ...(files.installed !== false && {
      [`${PLUGIN}/lib/index.js`]: '',
      [`${PLUGIN}/package.json`]: '{"version":"0.1.1","dsh":{"bundle":{"patch":"./layer.yml"}}}',
      [`${PLUGIN}/layer.yml`]: '- insert: [{ id: subagent-cursor, name: dsh-subagent-cursor }]\n',
    }),
    ...files.more,
  }
  const isThere = (entry: [string, string | undefined]): entry is [string, string] =>
    entry[1] !== undefined
  return Object.fromEntries(Object.entries(all).filter(isThere))
}

function checked(
  files: ProfileFiles,
  { name = 'web', env = {} }: { name?: string; env?: NodeJS.ProcessEnv } = {},
): CheckedProfile {
  const system = systemOf(profileFiles(files), env)
  return checkProfile(system, readProfile(system, name))
}

/** A line for each finding. */
const told = (findings: readonly Finding[]): string =>
  findings
    .map(({ state, kind, summary, nextStep }) =>
      [`${state} ${kind}:`, summary.en, ...(nextStep === null ? [] : ['->', nextStep.en])].join(
        ' ',
      ),
    )
    .join('\n')

test('a variable is read as the host reads it, and counts as left out where it is not set', () => {
  const patch = `
- id: subagent-cursor
  disabled: !!js process.env.OFF
  config:
    model: !!js process.env.MODEL
    env: { CURSOR_API_KEY: !!js process.env.KEY }
`
  const set = checked({ patch }, { env: { MODEL: 'auto', KEY: 'key-of-the-user' } })
  assert.deepEqual(
    set.instances[0]?.config,
    resolveConfig({ model: 'auto', env: { CURSOR_API_KEY: 'key-of-the-user' } }),
  )
  assert.ok(!JSON.stringify(set.findings).includes('key-of-the-user'))
  for (const each of [set, checked({ patch })]) {
    assert.deepEqual(
      each.findings.map(({ state }) => state),
      ['passed'],
    )
  }
  assert.deepEqual(checked({ patch }).instances[0]?.config, resolveConfig({}))
  assert.deepEqual(checked({ patch }, { env: { OFF: '1' } }).instances, [])
})

test('a variable is read only where the host reads one, and one that is not set is no text in a list', () => {
  const env = { KEY: 'key-of-the-user' }
  const refused = checked({
    patch: `
- id: subagent-cursor
  config: { extraArgs: [!!js process.env.UNSET], misspelt: !!js process.env.UNSET }
`,
  })
  assert.deepEqual(
    refused.findings.map(({ kind }) => kind),
    ['bad-field', 'bad-field'],
  )
  const settings = 'subagent-cursor: { permissionMode: !!js process.env.UNSET }'
  assert.match(told(checked({ settings }).findings), /^failed settings-refused: /)
  for (const patch of [
    '- { id: subagent-cursor, config: { ? !!js process.env.KEY : x } }',
    '- { id: subagent-cursor, config: { permissionMode: !!js process.env.KEY } }',
    '- insert: [{ id: !!js process.env.KEY, name: dsh-subagent-cursor, config: { foo: 1 } }]',
  ]) {
    assert.doesNotMatch(JSON.stringify(checked({ patch }, { env })), /key-of-the-user/)
  }
})

test('other !!js values are left out and named, also inside a field', () => {
  const patch = `
- id: subagent-cursor
  config:
    model: !!js settings.model
    env: { CURSOR_API_KEY: !!js process.env.KEY ?? 'none', PLAIN: yes it is }
`
  const { findings, instances } = checked({ patch })
  assert.deepEqual(findings[0]?.data?.rows[0]?.notEvaluated, ['model', 'env.CURSOR_API_KEY'])
  assert.deepEqual(instances[0]?.config, resolveConfig({ env: { PLAIN: 'yes it is' } }))
  assert.match(findings[1]?.summary.en ?? '', /model, env\.CURSOR_API_KEY is a `!!js` expression/)
  assert.doesNotMatch(JSON.stringify(findings), /settings\.model|process\.env/)
})

test("the user's settings lie over the row", () => {
  const { findings, instances } = checked({
    patch: '- { id: subagent-cursor, config: { permissionMode: yolo, model: gpt-5 } }\n',
    settings: 'subagent-cursor: { permissionMode: ask, model: null }\nother: { a: 1 }\n',
  })
  assert.equal(findings[0]?.state, 'passed')
  assert.deepEqual(instances[0]?.config, resolveConfig({ permissionMode: 'ask' }))
  assert.match(findings[0].details[0]?.en ?? '', /~\/\.dsh\/settings\.yaml\) lie over it/)
})

const NO_PLUGIN = { dependencies: {}, bundles: [], installed: false } as const
const ASK = 'config: { permissionMode: ask }'

// what: files, and what is told of them, one line a finding
const profiles: Readonly<Record<string, readonly [ProfileFiles, RegExp]>> = {
  'nothing wrong': [{}, /^passed profile-loaded: web loads version 0\.1\.1 with 1 row$/],
  'an id that fits no row, misspelt or taken from the package': [
    { patch: '- { id: subagent-curser, config: {} }\n- { id: dsh-subagent-cursor, config: {} }' },
    /^passed .*\nwarning patch-fits-nothing: \S+:1 patches the row subagent-curser,.*\nwarning patch-fits-nothing: \S+:2 /,
  ],
  'another plugin that a patch misses': [
    { patch: '- { id: telemetry, config: { model: m } }' },
    /^passed profile-loaded: .*$/,
  ],
  'a field beside config, and a misspelt config': [
    {
      patch: `- id: subagent-cursor
  disabled: false
  permissionMode: ask
- insert: [{ id: two, name: dsh-subagent-cursor, confg: { providerName: b, toolName: b } }]`,
    },
    /^failed names-clash: [^]*\nwarning outside-config: \S+:3: `permissionMode` stands beside `config`.* -> Put every field .*\nwarning outside-config: \S+:4: `confg` /,
  ],
  'a bad value in a disabled row, which the host never loads': [
    {
      patch: `- insert: [{ id: x, name: dsh-subagent-cursor, disabled: true, config: { modell: x } }]`,
    },
    /^passed profile-loaded: .*$/,
  ],
  'a row whose configuration is one expression, or which one may disable': [
    { patch: '- { id: subagent-cursor, config: !!js settings.x, disabled: !!js settings.off }' },
    /^passed profile-loaded: .*\nwarning not-evaluated: Row subagent-cursor: disabled, config is a/,
  ],
  'two bad values are two findings, each with its line': [
    { patch: `- id: subagent-cursor\n  config:\n    permissionMode: trusty\n    timeoutMs: -1` },
    /^failed bad-field: Row subagent-cursor, \S+cordis\.patch\.yml:3: .*`permissionMode` is "trusty".* -> Correct it there\.\nfailed bad-field: .*:4: .*`timeoutMs` is -1.*$/,
  ],
  "a bad value in the home's layer is told with that file": [
    {
      more: {
        [`${HOME}/.dsh/cordis.patch.yml`]:
          '- { id: subagent-cursor, config: { permissionMod: a } }',
      },
    },
    /^failed bad-field: .*, ~\/\.dsh\/cordis\.patch\.yml:1: .*no field `permissionMod`; did you mean `permissionMode`\?/,
  ],
  "a bad value of the user's settings": [
    { settings: 'subagent-cursor:\n  timeoutMs: -1\n' },
    /^failed settings-refused: .*, ~\/\.dsh\/settings\.yaml:2: .* cannot be used: .*`timeoutMs` is -1.* -> Correct that section/,
  ],
  'settings that ask for more than the row allows': [
    { settings: 'subagent-cursor: { permissionMode: yolo }\n' },
    /^failed settings-refused: .*settings\.yaml:1: .* cannot be used: The profile's row allows at most permissionMode trust.*[^.]\. -> .*delegations are refused until then/,
  ],
  'settings that are no map': [
    { settings: 'subagent-cursor: ask\n' },
    /^failed settings-refused: .*it must be a map of fields/,
  ],
  'a plugin that the profile does not have': [
    NO_PLUGIN,
    /^failed not-in-profile: .*does not have dsh-subagent-cursor\. -> .*`dsh plugin --profile web add dsh-subagent-cursor`/,
  ],
  'a row whose package is gone': [
    { ...NO_PLUGIN, patch: '# x\n- insert:\n    - { id: second, name: dsh-subagent-cursor }\n' },
    /^failed row-without-package: Row second \(~\/\.dsh\/profiles\/web\/cordis\.patch\.yml:3\) loads dsh-subagent-cursor, which is not .* -> DSH does not start with it: delete that row, or .*: `dsh plugin --profile web add dsh-subagent-cursor`\.$/,
  ],
  'a patch that is left of a removed row': [
    { ...NO_PLUGIN, patch: '- { id: subagent-cursor, config: {} }\n' },
    /^failed not-in-profile: .*\nwarning patch-fits-nothing: \S+cordis\.patch\.yml:1 patches the row subagent-cursor, which does not exist.* -> Delete the patch/,
  ],
  'a dependency that is not installed': [
    { installed: false },
    /^failed not-installed: .*it is not installed\. -> .*`dsh plugin --profile web install`/,
  ],
  'a checkout that is not built': [
    { more: { [`${PLUGIN}/lib/index.js`]: undefined } },
    /^failed not-built: .*has no lib\/index\.js.* -> .*npm run build/,
  ],
  'a bundle that is not listed': [
    { bundles: [] },
    /^failed no-row: No row of the profile web.* -> .*dsh\.profile\.bundles in ~\/\.dsh\/profiles\/web\/package\.json/,
  ],
  'a listed bundle of another package that is gone': [
    { bundles: ['dsh-subagent-cursor', 'house-rules'] },
    /^failed bundle-gone: The bundle house-rules, listed in ~\/\.dsh\/profiles\/web\/package\.json, is not installed.* -> .*`dsh plugin --profile web install`/,
  ],
  'a disabled row': [
    { patch: '- { id: subagent-cursor, disabled: true }\n' },
    /^failed all-disabled: Every row .* is disabled.* -> Remove `disabled`/,
  ],
  'two rows of one name': [
    { patch: '- insert: [{ id: second, name: dsh-subagent-cursor }]\n' },
    /^failed names-clash: Two rows have the providerName cursor.* -> .*own `providerName`.*\nfailed names-clash: .*toolName/,
  ],
  'a row that is patched twice': [
    {
      patch: `- id: subagent-cursor
  config: { env: { CURSOR_API_KEY: a-key }, model: auto }
- id: subagent-cursor
  ${ASK}`,
    },
    /^passed profile-loaded: .*\nwarning patched-twice: .* patched twice: the config at \S+cordis\.patch\.yml:4 replaces the whole one at \S+:2; lost: env \(CURSOR_API_KEY\), model\. -> .*one patch with every field/,
  ],
  'a row patched with another value in a layer above, which is meant': [
    {
      patch: `- { id: subagent-cursor, ${ASK} }`,
      more: {
        [`${HOME}/.dsh/cordis.patch.yml`]:
          '- { id: subagent-cursor, config: { permissionMode: plan } }',
      },
    },
    /^passed profile-loaded: .*$/,
  ],
  'a patch file whose `[]` still stands above the rows': [
    { patch: `# Your patch layer\n[]\n- id: subagent-cursor\n  ${ASK}\n` },
    /^failed empty-list-left: \S+cordis\.patch\.yml:2: the `\[\]` that DSH put there.* -> Delete that line/,
  ],
  'a patch file whose `[]` stands below the rows': [
    { patch: `- id: subagent-cursor\n  ${ASK}\n[]  # mine\n` },
    /^failed empty-list-left: \S+cordis\.patch\.yml:3: .*$/,
  ],
  'a patch file that is no YAML without its `[]` either': [
    { patch: '[]\n- id: [subagent-cursor\n' },
    /^failed file-not-yaml: .*$/,
  ],
  'a patch file that is no YAML': [
    { patch: '- id: [subagent-cursor\n  config: sk-secret-value-1\n' },
    /^failed file-not-yaml: \S+web\/cordis\.patch\.yml:\d+: not valid YAML.* -> Correct that file/,
  ],
  'a patch file with a tag that the host does not know': [
    { patch: '- { id: subagent-cursor, config: !!python x }\n' },
    /^failed file-not-yaml: .*$/,
  ],
  'a patch file that is no list': [
    { patch: 'id: x\n' },
    /^failed file-not-a-list: ~\/\S+cordis\.patch\.yml is not a list.* -> Correct that file/,
  ],
  'a manifest that is no JSON': [
    { more: { [`${PROFILES}/web/package.json`]: '{' } },
    /^failed file-not-json: \S+web\/package\.json is not valid JSON.* -> Correct that file/,
  ],
  'settings that are no YAML': [
    { settings: 'a: [\n' },
    /^failed file-not-yaml: ~\/\.dsh\/settings\.yaml:\d+: not valid YAML/,
  ],
}

for (const [what, [files, expected]] of Object.entries(profiles)) {
  test(`the profile is told as what it is: ${what}`, () => {
    const { findings } = checked(files)
    assert.match(told(findings), expected)
    const all = JSON.stringify(findings)
    assert.doesNotMatch(all, /\{\w+[:}]/)
    for (const hidden of ['sk-secret', HOME]) assert.ok(!all.includes(hidden))
  })
}

test('an unknown profile is told with the closest name, and a name that leaves the folder is none', () => {
  assert.match(
    told(checked({}, { name: 'wbe' }).findings),
    /^failed no-such-profile: .* name is web/,
  )
  const manifest = '{"dependencies":{"dsh-subagent-cursor":"1"}}'
  const more = {
    [`${PROFILES}/package.json`]: manifest,
    [`${HOME}/.dsh/package.json`]: manifest,
    [`${PROFILES}/node_modules/package.json`]: manifest,
    [`${PROFILES}/web/inner/package.json`]: manifest,
  }
  for (const name of ['.', '..', 'web/inner', 'node_modules', '']) {
    assert.match(told(checked({ more }, { name }).findings), /: There is no profile/, name)
  }
  const none = checkProfile(systemOf({}), readProfile(systemOf({}), 'web'))
  assert.match(told(none.findings), /^failed no-profile: .*dsh plugin --profile web add/)
})

test('DSH_HOME is where the host looks for it', () => {
  const files = profileFiles({})
  const moved = Object.fromEntries(
    Object.entries(files).map(([name, value]) => [name.replace('/home/u/.dsh', '/srv/dsh'), value]),
  )
  const elsewhere = systemOf(moved, { DSH_HOME: '/srv/dsh' })
  assert.equal(readProfile(elsewhere, 'web').exists, true)
  for (const [home, exists] of [
    ['  ', true],
    ['~/.dsh', true],
    ['/srv/dsh', false],
  ] as const) {
    assert.equal(readProfile(systemOf(files, { DSH_HOME: home }), 'web').exists, exists)
  }
  assert.equal(profileAt(elsewhere, '/srv/dsh/profiles/web'), 'web')
  assert.equal(profileAt(elsewhere, '/srv/dsh'), undefined)
})

function subjectOf(config: Config, env: NodeJS.ProcessEnv, more: Partial<Subject> = {}): Subject {
  const system = systemOf({ '/etc/ca.pem': '' }, env)
  const spawn = (): never => assert.fail('nothing is to be started')
  const { signal } = new AbortController()
  return {
    instance: null,
    config: resolveConfig(config),
    system,
    spawn,
    commands: new CliCommands({ system, spawn, cwd: '/', limitMs: 1, signal }),
    cwd: '/',
    masker: new Masker({ environmentValues: [], prompt: '', home: HOME, cwd: '/' }),
    search: { cli: undefined, places: [], elsewhere: undefined },
    cli: undefined,
    limitMs: 1,
    probeLimitMs: 1,
    signal,
    listModels: false,
    onRecorded: undefined,
    ...more,
  }
}

const PROXY = 'http://user:hidden@proxy.example:3128'
const MISSING = '/etc/missing.pem'

// what: the row's env, the environment of DSH, what is told
const proxies: Readonly<
  Record<string, readonly [Record<string, string>, NodeJS.ProcessEnv, RegExp]>
> = {
  none: [{}, {}, /^passed no-proxy: /],
  'one alone is not promised to be used': [
    { NO_PROXY: 'localhost' },
    { HTTPS_PROXY: PROXY, http_proxy: PROXY, ALL_PROXY: '' },
    /^passed proxy-perhaps-unused: The CLI will see HTTPS_PROXY, http_proxy, NO_PROXY\. Not measured .* NODE_USE_ENV_PROXY=1$/,
  ],
  'one with the switch of Node': [
    {},
    { HTTPS_PROXY: PROXY, NODE_USE_ENV_PROXY: '1' },
    /^passed proxy-seen: The CLI will see HTTPS_PROXY, NODE_USE_ENV_PROXY$/,
  ],
  'taken away by the row': [{ HTTPS_PROXY: '' }, { HTTPS_PROXY: PROXY }, /^passed no-proxy: /],
  'no URL': [{}, { HTTPS_PROXY: 'proxy:3128' }, /^warning proxy-not-url: HTTPS_PROXY is no/],
  'a certificate that is not there': [
    {},
    { NODE_EXTRA_CA_CERTS: MISSING },
    /^warning certificate-missing: NODE_EXTRA_CA_CERTS names/,
  ],
  'a certificate that is there': [{}, { NODE_EXTRA_CA_CERTS: '/etc/ca.pem' }, /^passed no-proxy: /],
  'what only the launcher makes Node read': [{}, { SSL_CERT_FILE: MISSING }, /^passed no-proxy: /],
  'a check that is switched off': [
    {},
    { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
    /^warning certificates-unchecked: .* switches off/,
  ],
}

for (const [what, [rowEnv, env, expected]] of Object.entries(proxies)) {
  test(`proxy variables, as the CLI will see them: ${what}`, () => {
    const findings = CHECKS.proxy.look(subjectOf({ env: rowEnv }, env))
    assert.match(told(findings), expected)
    assert.ok(!JSON.stringify(findings).includes('hidden'))
  })
}

test("the system's certificates matter where the launcher makes Node read them", () => {
  const subject = subjectOf(
    {},
    { SSL_CERT_FILE: MISSING },
    { cli: { runner: 'launcher' } as CursorCli },
  )
  const onMac = { ...subject, system: { ...subject.system, platform: 'darwin' as const } }
  assert.match(told(CHECKS.proxy.look(subject)), /^warning certificate-missing/)
  assert.match(told(CHECKS.proxy.look(onMac)), /^passed no-proxy/)
})

// [row, findings]
const configs: readonly (readonly [Config, readonly string[]])[] = [
  [{}, ['passed config-ok']],
  [{ extraArgs: ['--sandbox', 'enabled'], timeoutMs: 30_000 }, ['passed config-ok']],
  [{ extraArgs: ['--output-format', 'text'] }, ['failed args-break']],
  [{ extraArgs: ['--output-format=json'] }, ['failed args-break']],
  [{ extraArgs: ['--model'] }, ['failed args-break']],
  [{ extraArgs: ['--help', 'login'] }, ['failed args-break']],
  [{ extraArgs: ['--stream-partial-output'] }, ['warning args-touch-stream']],
  [{ extraArgs: ['stray'] }, ['warning args-stray']],
  [{ permissionMode: 'ask', extraArgs: ['--force'] }, ['warning args-widen']],
  [{ timeoutMs: 500 }, ['failed limit-too-short']],
  [{ stallTimeoutMs: 2999, timeoutMs: 10_000 }, ['warning limit-short', 'failed limit-too-short']],
]

for (const [config, expected] of configs) {
  test(`whether a run has a chance at all is told of ${JSON.stringify(config)}`, () => {
    const findings = CHECKS.config.look(subjectOf(config, {}))
    assert.deepEqual(
      findings.map(({ state, kind }) => `${state} ${kind}`),
      expected,
    )
  })
}

test('a Node that is too old fails, and one that DSH does not take is a warning', () => {
  const stateOf = (version: string): string | undefined =>
    CHECKS.platform.look(systemOf({}), version)[0]?.state
  assert.deepEqual(['20.20.2', '22.4.0', '22.19.0', '23.9.0', '24.0.0', '26.1.0'].map(stateOf), [
    'failed',
    'warning',
    'passed',
    'warning',
    'passed',
    'passed',
  ])
})

test('a process without a home directory is told', () => {
  for (const [home, isTold] of [
    ['', true],
    ['relative', true],
    ['/root', false],
  ] as const) {
    const findings = CHECKS.platform.look({ ...systemOf({}), home }, '24.0.0')
    assert.equal(told(findings).includes('\nwarning no-home: '), isTold)
  }
})

// [dsh, loader, hmr, what is told]
const PINNED =
  /^failed host-cannot-boot: .* put this into `overrides` .*: `\S+plugin-loader": "1\.0\.2", \S+plugin-hmr": "1\.0\.16"`\.$/
const hosts: readonly (readonly [string, string | undefined, string | undefined, RegExp])[] = [
  ['0.1.0-rc.8', '1.0.2', '1.0.16', /^passed host-ok/],
  ['0.1.0-rc.8', '1.0.5', '1.0.16', PINNED],
  ['0.1.0-rc.8', '1.0.10', '1.0.16', PINNED],
  ['0.1.0-rc.8', '1.0.2', '1.0.17', PINNED],
  ['0.1.0-rc.8', '1.0.2-rc.1', '1.0.16+build', /^passed host-ok/],
  ['0.1.0-rc.8', '1.0.3-rc.1', '1.0.16', PINNED],
  ['0.1.0-rc.8', undefined, undefined, /^passed host-ok/],
  ['0.1.1-rc.2', '1.0.5', '1.1.0', /^passed host-ok/],
]

test('a DSH that cannot start is told with the versions that mend it, and an unseen one as unknown', () => {
  const look = (host: ProfileReading['host']): string => {
    const reading = { ...readProfile(systemOf({}), 'web'), host }
    return told([CHECKS.host.look({ reading, judged: { findings: [], instances: [] } })])
  }
  for (const [dsh, loader, hmr, expected] of hosts)
    assert.match(look({ dsh, loader, hmr }), expected)
  assert.match(look(undefined), /^skipped host-unknown: /)
})

test("a child inherits what the host's children do", (t) => {
  const names = [
    'SOME_API_KEY',
    'my_token',
    'DB_PASSWORD',
    'A_SECRET',
    'DSH_HOME',
    'dsh_x',
    'PLAIN',
  ]
  const before = { ...process.env }
  t.after(() => {
    for (const name of names) delete process.env[name]
    Object.assign(process.env, before)
  })
  for (const name of names) process.env[name] = 'x'
  assert.deepEqual(hostLikeEnvironment('linux', process.env, {}), scrubbedParentEnv())
})

test('explicit entries win over inherited ones, by the rules of the platform', () => {
  const parent = { Path: 'a', KEEP: 'b', GONE: 'c' }
  const extra = { PATH: 'd', GONE: undefined, CURSOR_API_KEY: 'e' }
  const windows = { KEEP: 'b', PATH: 'd', CURSOR_API_KEY: 'e' }
  assert.deepEqual(hostLikeEnvironment('win32', parent, extra), windows)
  assert.deepEqual(hostLikeEnvironment('linux', parent, extra), { Path: 'a', ...windows })
})

// [home, path, shown]
const paths: readonly (readonly [string, string, string])[] = [
  [HOME, '/home/u', '~'],
  [HOME, '/home/u/.local/share', '~/.local/share'],
  [HOME, '/home/someone-else/x', '~/x'],
  [HOME, '/opt/homebrew/x', '/opt/homebrew/x'],
  [HOME, '/home/linuxbrew/.linuxbrew', '/home/linuxbrew/.linuxbrew'],
  ['C:\\Users\\u', 'C:\\Users\\u\\AppData', '~\\AppData'],
  ['C:\\Users\\u', path.win32.join('D:\\Users\\x', 'cursor'), '~\\cursor'],
  // A home that is a symbolic link is hidden under both names.
  ['/link', '/private/home/x', '~/x'],
]

test('paths are shown without a home directory', () => {
  const { files, ...rest } = systemOf({})
  const realPath = (file: string): string => (file === '/link' ? '/private/home' : file)
  for (const [home, file, expected] of paths) {
    assert.equal(shownPath({ ...rest, home, files: { ...files, realPath } }, file), expected)
  }
})

// [what, terminal, environment, columns, what is written of a check that takes 60 s]
const waits: readonly (readonly [string, boolean, NodeJS.ProcessEnv, number, RegExp])[] = [
  // oxlint-disable no-control-regex -- the line is taken back with them.
  [
    'one line that changes, and goes',
    true,
    {},
    80,
    /^(?:\r\u001b\[Kchecking mode \.\.\.)+\r\u001b\[K$/,
  ],
  ['never in the last column', true, {}, 12, /^(?:\r\u001b\[Kchecking mo)+\r\u001b\[K$/],
  ['no line where it could not be taken back', false, {}, 80, /^$/],
  ['no line on a dumb terminal', true, { TERM: 'dumb' }, 80, /^$/],
  // oxlint-enable no-control-regex
]

for (const [what, isTTY, env, columns, expected] of waits) {
  test(`a slow check has ${what}, and a fast one none`, async (t: TestContext) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const stream = Object.assign(new PassThrough(), { isTTY, columns })
    const progress = new Progress(stream as unknown as WriteStream, env)
    progress.tell({ type: 'started', id: 'login', instance: null })
    t.mock.timers.tick(300)
    progress.tell({ type: 'started', id: 'permission-mode', instance: null })
    for (let second = 0; second < 60; second++) t.mock.timers.tick(1000)
    progress.clear()
    t.mock.timers.tick(10_000)
    stream.end()
    assert.match(await text(stream), expected)
  })
}

const STYLE = {
  columns: 200,
  paint: (_format: unknown, line: string) => line,
  language: 'en' as Language,
  isVerbose: false,
  command: 'dsh plugin --profile web exec dsh-subagent-cursor doctor',
}

/** As a person reads it; without `more`, a failed check makes the report a failed one. */
function shown(
  checks: readonly Check[],
  style: Partial<typeof STYLE> = {},
  more: Partial<Report> = {},
): string {
  const report: Report = {
    schemaVersion: 1,
    plugin: { name: 'dsh-subagent-cursor', version: '0.1.1' },
    profile: 'web',
    ok: checks.every(({ state }) => state !== 'failed'),
    proven: false,
    checks,
    ...more,
  }
  return reportText(report, { ...STYLE, ...style })
}

const checkOf = (id: CheckId, found: Finding, instance: string | null = null): Check =>
  ({ id, instance, durationMs: 1, ...found }) as Check

const finding = sayer(CHECKS.login.findings)
const LOGGED_IN = checkOf('login', finding('passed', 'logged-in', {}))
const LOGGED_OUT = checkOf('login', finding('failed', 'logged-out', {}))
const NOT_LOGGED_IN_FULLY = checkOf('login', finding('warning', 'details-missing', {}))
const after = (id: CheckId, failed: CheckId): Check =>
  checkOf(id, shared('skipped', 'not-checked', { check: CHECKS[failed].title }))

// what: a report, and how it reads
const texts: Readonly<Record<string, readonly [string, RegExp]>> = {
  'all is well, and that is no proof': [
    shown([LOGGED_IN]),
    /^dsh-subagent-cursor 0\.1\.1, profile web\n\nNothing is known to stop a delegation: 1 check passed\.\nOnly a test run proves [^\n]*:\n  dsh plugin --profile web exec dsh-subagent-cursor doctor --probe\n\nok    Login     Logged in\n$/,
  ],
  'a test run proves it': [
    shown([LOGGED_IN], {}, { proven: true }),
    /passed\.\nThe test run worked, so delegations work with this configuration\.\n\n/,
  ],
  'a failure, and what was not checked, and why': [
    shown([LOGGED_OUT, after('models', 'login')]),
    /\n\nDelegations cannot work like this: 1 of 1 checks failed \(Login\)\.\n\nFAIL  Login     Not logged in\.\n[^]*\nskip  Not checked: Models \(Login failed\); Test run \(only with --probe\)\n$/,
  ],
  'a test run that was asked for and not made': [
    shown([LOGGED_OUT, after('models', 'login'), after('probe', 'login')]),
    /\(Login\)\.\nNo test run was made\.\n\n[^]*\nskip  Not checked: Models, Test run \(Login failed\)\n$/,
  ],
  'the same in Chinese': [
    shown([LOGGED_OUT, after('models', 'login'), after('probe', 'login')], { language: 'zh' }),
    /^dsh-subagent-cursor 0\.1\.1，profile web\n\n目前无法委派：1 项检查中有 1 项失败（登录）。\n没有进行试运行。\n\n[^]*\n跳过  未检查：模型、试运行（“登录”失败）\n$/,
  ],
  'a warning in Chinese, its commands on lines of their own': [
    shown([NOT_LOGGED_IN_FULLY], { language: 'zh' }),
    /1 项检查均未失败，但请留意：登录。[^]*警告  登录      已登录，但 CLI 取不到账号信息.*\n +-> 请试运行：\n +dsh plugin --profile web exec dsh-subagent-cursor doctor --probe\n +如果失败/,
  ],
  'two findings of one check are one check': [
    shown([LOGGED_OUT, LOGGED_OUT, LOGGED_IN]),
    /: 1 of 1 checks failed \(Login\)\./,
  ],
  'no profile was named': [
    shown([LOGGED_IN], {}, { profile: null }),
    /^dsh-subagent-cursor 0\.1\.1\n[^]*--profile <name> checks[^]*\nskip  Not checked: DSH, Profile \(only with --profile\)\n$/,
  ],
  'what is the same for every row once, the rest under its row': [
    shown([
      { ...LOGGED_IN, instance: 'one' },
      { ...after('models', 'install'), instance: 'one' },
      { ...LOGGED_IN, instance: 'two' },
      { ...LOGGED_OUT, id: 'models', data: null, instance: 'two' },
    ]),
    /\n\nok    Login     Logged in\nskip  [^\n]*\n\nRow one\nskip  Not checked: Models \(Install failed\)\n\nRow two\nFAIL  Models    Not logged in\.\n/,
  ],
}

for (const [what, [report, expected]] of Object.entries(texts)) {
  test(`the verdict comes first, then a line a check: ${what}`, () => {
    assert.match(report, expected)
  })
}

test('details stand behind --verbose; the words of a failed CLI do not', () => {
  const check = { ...LOGGED_OUT, said: ['Error: the own words'], details: [same('a detail')] }
  const brief = shown([check])
  assert.match(brief, /> Error: the own words/)
  assert.doesNotMatch(brief, /a detail/)
  assert.match(shown([check], { isVerbose: true }), /a detail/)
})

test('a path is broken behind its separators alone', () => {
  const directory = '~/.local/share/cursor-agent/versions/2026.10.22-27dcf5f'
  const install = sayer(CHECKS.install.findings)('passed', 'install-found', { directory })
  for (const columns of [40, 60]) {
    const report = shown([checkOf('install', install)], { columns })
    const lines = report.slice(report.indexOf('ok    ')).split('\n').slice(0, -1)
    assert.ok(lines.length > 1)
    // Each fold is at a space or behind a separator.
    const joined = lines
      .map((line) => line.replace(/^ok/, '').trim())
      .reduce((sofar, line) => `${sofar}${/[/]$/.test(sofar) ? '' : ' '}${line}`)
    assert.equal(joined.replace(/ +/g, ' '), `Install ${directory}`)
    assert.ok(
      lines.every((line) => line.length <= columns),
      report,
    )
  }
})

/** Those of every check, by kind. */
const FINDINGS: Findings = Object.assign(
  { ...SHARED },
  ...Object.values(CHECKS).map(({ findings }) => findings),
)

test('a command of a next step stands on a line of its own, whole, in both languages', () => {
  const values = {
    add: 'dsh plugin --profile web add dsh-subagent-cursor',
    command: "irm 'https://cursor.com/install?win32=true' | iex",
    line: `~/cursor-agent -p ${'--option value '.repeat(9)}"Reply with exactly: PONG"`,
    doctor: STYLE.command,
    probe: `\`${STYLE.command} --probe\``,
  }
  let commands = 0
  for (const [kind, { enNext: en, zhNext: zh }] of Object.entries(FINDINGS)) {
    if (en === undefined || zh === undefined) continue
    const nextStep = filled<string>({ en, zh }, values)
    for (const language of ['en', 'zh'] as const) {
      for (const columns of [60, 40]) {
        const report = shown([{ ...LOGGED_OUT, nextStep }], { columns, language })
        const lines = new Set(report.split('\n').map((line) => line.trim()))
        // Nothing else is taken for a command: outside of those, code keeps both its marks.
        for (const [inline = ''] of nextStep[language].matchAll(/`[\w.-]+`/g)) {
          assert.ok(report.includes(inline), `${kind}: ${inline}\n${report}`)
        }
        for (const [, code = ''] of nextStep[language].matchAll(/`([^`]+)`/g)) {
          // `name: value` is a setting, to be read where it stands.
          if (!code.includes(' ') || /^\w+: /.test(code)) continue
          assert.ok(lines.has(code), `${kind}: ${code}\n${report}`)
          commands++
        }
      }
    }
  }
  assert.ok(commands > 60)
})

test('every finding has its values in both languages, and words of one choice in Chinese', () => {
  const namesIn = (sentence: string): Set<string> =>
    new Set([...sentence.matchAll(/\{(\w+)/g)].map(([, name = '']) => name))
  for (const [kind, { en, zh, enNext = '', zhNext = '' }] of Object.entries(FINDINGS)) {
    for (const [english, chinese] of [
      [en, zh],
      [enNext, zhNext],
    ] as const) {
      assert.deepEqual(namesIn(chinese), namesIn(english), kind)
      assert.equal(chinese === '', english === '', kind)
      assert.doesNotMatch(chinese, /账户|帐|答复|[一-龥], |[一-龥] ?\(/, kind)
    }
  }
  const note = { en: '{n:row:rows} of {n}', zh: '{n} 个' } as const
  assert.deepEqual(filled(note, { n: 1 }), { en: '1 row of 1', zh: '1 个' })
  assert.deepEqual(filled(note, { n: 2 }), { en: '2 rows of 2', zh: '2 个' })
  assert.deepEqual(filled(note, { n: ['a', 'b'] }).zh, 'a、b 个')
})

// [platform, environment, Windows' own locale, language]
const locales: readonly (readonly [NodeJS.Platform, NodeJS.ProcessEnv, string, string])[] = [
  ['linux', {}, 'zh-CN', 'en'],
  ['linux', { LANG: 'zh_CN.UTF-8' }, 'en-US', 'zh'],
  ['darwin', { LANG: 'zh_TW.UTF-8', LC_MESSAGES: 'en_US.UTF-8' }, 'zh-TW', 'en'],
  ['linux', { LANG: 'en_US.UTF-8', LC_ALL: 'zh_CN' }, 'en-US', 'zh'],
  ['linux', { LANG: 'zh_CN.UTF-8', LC_ALL: '' }, 'en-US', 'zh'],
  ['linux', { LANG: 'C.UTF-8' }, 'zh-CN', 'en'],
  ['linux', { LANG: 'zhu_XX' }, 'zh-CN', 'en'],
  ['win32', {}, 'zh-Hans-CN', 'zh'],
  ['win32', {}, 'de-DE', 'en'],
  ['win32', { lang: 'en_US' }, 'zh-CN', 'en'],
]

for (const [platform, env, locale, language] of locales) {
  test(`the language on ${platform} with ${JSON.stringify(env)} and ${locale} is ${language}`, () => {
    assert.equal(languageOf(platform, env, locale), language)
  })
}
