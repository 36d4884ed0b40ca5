// The parts of the self-check that need no process: what a profile's files mean, the environment
// that a child inherits, proxy variables, Node versions, the progress line and the text's verdict.
import assert from 'node:assert/strict'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { test, type TestContext } from 'node:test'
import { text } from 'node:stream/consumers'
import type { WriteStream } from 'node:tty'
import { scrubbedParentEnv } from '@deepseek-ai/dsh-subprocess'
import { resolveConfig, type Config } from '../../src/config/config.ts'
import { Masker } from '../../src/cursor/masking.ts'
import type { FileQuestions, System } from '../../src/cursor/system.ts'
import { checkConfig } from '../../src/doctor/checks/config.ts'
import { checkHost } from '../../src/doctor/checks/host.ts'
import { checkPlatform } from '../../src/doctor/checks/platform.ts'
import { checkProfile, type CheckedProfile } from '../../src/doctor/checks/profile.ts'
import { checkProxy } from '../../src/doctor/checks/proxy.ts'
import { CliCommands } from '../../src/doctor/cli-commands.ts'
import { profileAt, readProfile } from '../../src/doctor/profile.ts'
import { Progress } from '../../src/doctor/progress.ts'
import { finding } from '../../src/doctor/finding.ts'
import { filled, FINDINGS, TITLES } from '../../src/doctor/findings.ts'
import { languageOf } from '../../src/doctor/language.ts'
import type { Check, CheckId, Finding, Report } from '../../src/doctor/report.ts'
import { hostLikeEnvironment } from '../../src/doctor/spawn.ts'
import { shownPath, type Subject } from '../../src/doctor/subject.ts'
import { reportText } from '../../src/doctor/text.ts'
import { same, type Language, type Words } from '../../src/words.ts'

const HOME = '/home/u'
const PROFILES = '/home/u/.dsh/profiles'

/** A file system that holds these files and nothing else. */
function filesOf(texts: Readonly<Record<string, string>>): FileQuestions {
  const names = Object.keys(texts)
  const isDirectory = (directory: string): boolean =>
    names.some((name) => name.startsWith(`${directory}/`))
  return {
    names: (directory) => [
      ...new Set(
        names
          .filter((name) => name.startsWith(`${directory}/`))
          .map((name) => name.slice(directory.length + 1).split('/')[0] ?? ''),
      ),
    ],
    isFile: (file) => Object.hasOwn(texts, file),
    isDirectory,
    isExecutable: () => false,
    realPath: (file) => (Object.hasOwn(texts, file) || isDirectory(file) ? file : undefined),
    textOf: (file, maxBytes) => texts[file]?.slice(0, maxBytes),
  }
}

function systemOf(
  texts: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv = {},
  platform: NodeJS.Platform = 'linux',
): System {
  return { platform, env, home: HOME, execPath: '/usr/bin/node', files: filesOf(texts) }
}

const OWN_LAYER = '- insert:\n    - id: subagent-cursor\n      name: dsh-subagent-cursor\n'

interface ProfileFiles {
  readonly patch?: string
  /** `$DSH_HOME/cordis.patch.yml`. */
  readonly homePatch?: string
  readonly settings?: string
  readonly bundles?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly installed?: boolean
  readonly built?: boolean
  readonly more?: Readonly<Record<string, string>>
}

function profileFiles(files: ProfileFiles): Record<string, string> {
  const directory = `${PROFILES}/web`
  const plugin = `${directory}/node_modules/dsh-subagent-cursor`
  const manifest = {
    dependencies: files.dependencies ?? { 'dsh-subagent-cursor': '^0.1.1' },
    dsh: { profile: { bundles: files.bundles ?? ['dsh-subagent-cursor'] } },
  }
  const optional = {
    [`${directory}/cordis.patch.yml`]: files.patch,
    [`${HOME}/.dsh/cordis.patch.yml`]: files.homePatch,
    [`${HOME}/.dsh/settings.yaml`]: files.settings,
    [`${plugin}/lib/index.js`]: files.built === false ? undefined : '',
  }
  return {
    [`${directory}/package.json`]: JSON.stringify(manifest),
    ...Object.fromEntries(
      Object.entries(optional).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
    ...(files.installed === false
      ? {}
      : {
          [`${plugin}/package.json`]: JSON.stringify({
            version: '0.1.1',
            dsh: { bundle: { patch: './cordis.patch.yml' } },
          }),
          [`${plugin}/cordis.patch.yml`]: OWN_LAYER,
        }),
    ...files.more,
  }
}

function checked(files: ProfileFiles, name = 'web'): CheckedProfile {
  const system = systemOf(profileFiles(files))
  return checkProfile(system, readProfile(system, name))
}

const configsOf = ({ instances }: CheckedProfile): (readonly [string | undefined, string])[] =>
  instances.map(({ id, config }) => [id, config.permissionMode])

const kindsOf = ({ findings }: CheckedProfile): string[] => findings.map(({ kind }) => kind)

const BUNDLE = `${PROFILES}/node_modules/house-rules`

// [what, files, the rows that the host loads with their modes, findings]
const compositions: readonly (readonly [
  string,
  ProfileFiles,
  readonly (readonly [string, string])[],
  readonly string[],
])[] = [
  ['no patch of its own', {}, [['subagent-cursor', 'trust']], ['profile-loaded']],
  [
    "the user's patch, which replaces a row's whole configuration",
    { patch: '- { id: subagent-cursor, config: { permissionMode: ask } }\n' },
    [['subagent-cursor', 'ask']],
    ['profile-loaded'],
  ],
  [
    "the home's layer over the profile's",
    {
      patch: '- { id: subagent-cursor, config: { permissionMode: yolo } }\n',
      homePatch: '- { id: subagent-cursor, config: { permissionMode: ask } }\n',
    },
    [['subagent-cursor', 'ask']],
    ['profile-loaded'],
  ],
  [
    "the home's layer alone, with a second row",
    {
      homePatch:
        '- insert: [{ id: plan, name: dsh-subagent-cursor, config: { providerName: p, toolName: p, permissionMode: plan } }]\n',
    },
    [
      ['subagent-cursor', 'trust'],
      ['plan', 'plan'],
    ],
    ['profile-loaded'],
  ],
  [
    'rows in groups, also one that a later patch adds',
    {
      patch: `
- insert:
    - id: more
      group: true
      config:
        - { id: ask, name: dsh-subagent-cursor, config: { providerName: a, toolName: a, permissionMode: ask } }
        - { id: other, name: some-other-plugin }
- id: more
  insert:
    - { id: plan, name: dsh-subagent-cursor, config: { providerName: p, toolName: p, permissionMode: plan } }
`,
    },
    [
      ['subagent-cursor', 'trust'],
      ['ask', 'ask'],
      ['plan', 'plan'],
    ],
    ['profile-loaded'],
  ],
  [
    'patches for another name, another row and for none',
    {
      patch: `
- { id: subagent-cursor, name: something-else, config: { permissionMode: ask } }
- { id: nobody, config: { permissionMode: ask } }
- { config: { permissionMode: ask } }
`,
    },
    [['subagent-cursor', 'trust']],
    ['profile-loaded'],
  ],
  [
    'a bundle of the host, which adds its patches',
    {
      bundles: ['dsh-subagent-cursor', 'house-rules'],
      more: {
        [`${BUNDLE}/package.json`]: '{"dsh":{"bundle":{"patch":"layer.yml"}}}',
        [`${BUNDLE}/layer.yml`]: '- { id: subagent-cursor, config: { permissionMode: plan } }\n',
      },
    },
    [['subagent-cursor', 'plan']],
    ['profile-loaded'],
  ],
  [
    'an alias, which the host follows',
    {
      patch: `
- insert:
    - { id: base, name: x, config: &ask { permissionMode: ask } }
- { id: subagent-cursor, config: *ask }
`,
    },
    [['subagent-cursor', 'ask']],
    ['profile-loaded'],
  ],
  [
    'a bad value in a disabled row, which the host never loads',
    {
      patch:
        '- insert: [{ id: off, name: dsh-subagent-cursor, disabled: true, config: { modell: x } }]\n',
    },
    [['subagent-cursor', 'trust']],
    ['profile-loaded'],
  ],
  [
    'a row whose configuration is one expression, or which one may disable',
    {
      patch:
        '- { id: subagent-cursor, config: !!js settings.cursor, disabled: !!js process.env.OFF }\n',
    },
    [['subagent-cursor', 'trust']],
    ['profile-loaded', 'not-evaluated'],
  ],
]

for (const [what, files, rows, kinds] of compositions) {
  test(`a profile is read as the host composes it: ${what}`, () => {
    const profile = checked(files)
    assert.deepEqual(configsOf(profile), rows)
    assert.deepEqual(kindsOf(profile), kinds)
  })
}

test('!!js values are left out and named, also inside a field', () => {
  const patch = `
- id: subagent-cursor
  config:
    model: !!js process.env.MODEL
    env: { CURSOR_API_KEY: !!js process.env.KEY, PLAIN: yes it is }
`
  const { findings, instances } = checked({ patch })
  assert.deepEqual(findings[0]?.data?.rows[0]?.notEvaluated, ['model', 'env.CURSOR_API_KEY'])
  assert.deepEqual(instances[0]?.config, resolveConfig({ env: { PLAIN: 'yes it is' } }))
  assert.match(findings[1]?.summary.en ?? '', /model, env\.CURSOR_API_KEY is a `!!js` expression/)
  assert.ok(!JSON.stringify(findings).includes('process.env'))
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

// [what, files, the kinds of the findings, what they say, what to do]
const troubles: readonly (readonly [string, ProfileFiles, readonly string[], RegExp, RegExp])[] = [
  [
    'two bad values are two findings, each with its line',
    {
      patch: `
- id: subagent-cursor
  config:
    permissionMode: trusty
    timeoutMs: -1
`,
    },
    ['bad-field', 'bad-field'],
    /Row subagent-cursor, \S+cordis\.patch\.yml:4: .*`permissionMode` is "trusty".*\n.*:5: .*`timeoutMs` is -1.*\.$/,
    /Correct it there/,
  ],
  [
    "a bad value in the home's layer is told with that file",
    { homePatch: '- { id: subagent-cursor, config: { permissionMod: ask } }\n' },
    ['bad-field'],
    /, ~\/\.dsh\/cordis\.patch\.yml:1: .*no field `permissionMod`; did you mean `permissionMode`\?/,
    /Correct it there/,
  ],
  [
    "a bad value of the user's settings",
    { settings: 'subagent-cursor:\n  timeoutMs: -1\n' },
    ['settings-refused'],
    /, ~\/\.dsh\/settings\.yaml:2: .* cannot be used: .*`timeoutMs` is -1/,
    /Correct that section/,
  ],
  [
    'settings that ask for more than the row allows',
    { settings: 'subagent-cursor: { permissionMode: yolo }\n' },
    ['settings-refused'],
    /settings\.yaml:1: .* cannot be used: The profile's row allows at most permissionMode trust.*[^.]\.$/,
    /delegations are refused until then/,
  ],
  [
    'settings that are no map',
    { settings: 'subagent-cursor: ask\n' },
    ['settings-refused'],
    /it must be a map of fields/,
    /Correct that section/,
  ],
  [
    'a plugin that the profile does not have',
    { dependencies: {}, bundles: [], installed: false },
    ['not-in-profile'],
    /does not have dsh-subagent-cursor/,
    /`dsh plugin --profile web add dsh-subagent-cursor`/,
  ],
  [
    'a row whose package is gone',
    {
      dependencies: {},
      bundles: [],
      installed: false,
      patch: '# mine\n- insert:\n    - { id: second, name: dsh-subagent-cursor }\n',
    },
    ['row-without-package'],
    /Row second \(~\/\.dsh\/profiles\/web\/cordis\.patch\.yml:3\) loads dsh-subagent-cursor, which is not/,
    /DSH does not start with it: delete that row, or add the package: `dsh plugin --profile web add dsh-subagent-cursor`/,
  ],
  [
    'a patch that is left of a removed row',
    {
      dependencies: {},
      bundles: [],
      installed: false,
      patch: '- { id: subagent-cursor, config: {} }\n',
    },
    ['not-in-profile', 'patch-fits-nothing'],
    /cordis\.patch\.yml:1 patches the row subagent-cursor, which does not exist/,
    /Delete the patch/,
  ],
  [
    'a dependency that is not installed',
    { installed: false },
    ['not-installed'],
    /is not installed/,
    /`dsh plugin --profile web install`/,
  ],
  [
    'a checkout that is not built',
    { built: false },
    ['not-built'],
    /has no lib\/index\.js/,
    /npm run build/,
  ],
  [
    'a bundle that is not listed',
    { bundles: [] },
    ['no-row'],
    /No row of the profile web/,
    /dsh\.profile\.bundles in ~\/\.dsh\/profiles\/web\/package\.json/,
  ],
  [
    'a listed bundle of another package that is gone',
    { bundles: ['dsh-subagent-cursor', 'house-rules'] },
    ['bundle-gone'],
    /The bundle house-rules, listed in ~\/\.dsh\/profiles\/web\/package\.json, is not installed/,
    /`dsh plugin --profile web install`/,
  ],
  [
    'a disabled row',
    { patch: '- { id: subagent-cursor, disabled: true }\n' },
    ['all-disabled'],
    /Every row .* is disabled/,
    /Remove `disabled`/,
  ],
  [
    'two rows of one name',
    { patch: '- insert: [{ id: second, name: dsh-subagent-cursor }]\n' },
    ['names-clash', 'names-clash'],
    /Two rows have the providerName cursor/,
    /own `providerName`/,
  ],
  [
    'a row that is patched twice',
    {
      patch: `
- id: subagent-cursor
  config: { env: { CURSOR_API_KEY: a-key }, model: auto }
- id: subagent-cursor
  config: { permissionMode: ask }
`,
    },
    ['profile-loaded', 'patched-twice'],
    /patched twice: the config at \S+cordis\.patch\.yml:5 replaces the whole one at \S+:3; lost: env \(CURSOR_API_KEY\), model/,
    /one patch with every field/,
  ],
  [
    'a patch file whose `[]` still stands above the rows',
    { patch: '# Your patch layer\n[]\n- id: subagent-cursor\n  config: { model: auto }\n' },
    ['empty-list-left'],
    /cordis\.patch\.yml:2: the `\[\]` that DSH put there/,
    /Delete that line/,
  ],
  [
    'a patch file whose `[]` stands below the rows',
    { patch: '- id: subagent-cursor\n  config: { model: auto }\n[]  # mine\n' },
    ['empty-list-left'],
    /cordis\.patch\.yml:3: the `\[\]` that DSH put there/,
    /Delete that line/,
  ],
  [
    'a patch file that is no YAML without its `[]` either',
    { patch: '[]\n- id: [subagent-cursor\n' },
    ['file-not-yaml'],
    /not valid YAML/,
    /Correct that file/,
  ],
  [
    'a patch file that is no YAML',
    { patch: '- id: [subagent-cursor\n  config: sk-secret-value-1\n' },
    ['file-not-yaml'],
    /profiles\/web\/cordis\.patch\.yml:\d+: not valid YAML/,
    /Correct that file/,
  ],
  [
    'a patch file with a tag that the host does not know',
    { patch: '- { id: subagent-cursor, config: !!python x }\n' },
    ['file-not-yaml'],
    /not valid YAML/,
    /Correct that file/,
  ],
  [
    "a layer of the home's that is no list",
    { homePatch: 'id: x\n' },
    ['file-not-a-list'],
    /~\/\.dsh\/cordis\.patch\.yml is not a list/,
    /Correct that file/,
  ],
  [
    'a manifest that is no JSON',
    { more: { [`${PROFILES}/web/package.json`]: '{' } },
    ['file-not-json'],
    /profiles\/web\/package\.json is not valid JSON/,
    /Correct that file/,
  ],
  [
    'settings that are no YAML',
    { settings: 'a: [\n' },
    ['file-not-yaml'],
    /~\/\.dsh\/settings\.yaml:\d+: not valid YAML/,
    /Correct that file/,
  ],
]

for (const [what, files, kinds, says, next] of troubles) {
  test(`the profile's trouble is told as what it is: ${what}`, () => {
    const profile = checked(files)
    assert.deepEqual(kindsOf(profile), kinds)
    const { findings } = profile
    assert.match(findings.map(({ summary }) => summary.en).join('\n'), says)
    assert.match(findings.map(({ nextStep }) => nextStep?.en).join('\n'), next)
    for (const { summary, nextStep } of findings) {
      assert.doesNotMatch(`${summary.en}${summary.zh}${nextStep?.en}${nextStep?.zh}`, /\{\w+[:}]/)
    }
    assert.ok(!JSON.stringify(findings).includes('sk-secret'))
    assert.ok(!JSON.stringify(findings).includes(HOME))
  })
}

test('of a patch that is repeated with other values in a layer above, nothing is told', () => {
  const profile = checked({
    patch: '- { id: subagent-cursor, config: { model: a } }\n',
    homePatch: '- { id: subagent-cursor, config: { model: b } }\n',
  })
  assert.deepEqual(kindsOf(profile), ['profile-loaded'])
})

test('an unknown profile is told with the closest name, and a name that leaves the folder is none', () => {
  assert.match(checked({}, 'wbe').findings[0]?.nextStep?.en ?? '', /The closest name is web/)
  const manifest = '{"dependencies":{"dsh-subagent-cursor":"1"}}'
  const more = {
    [`${PROFILES}/package.json`]: manifest,
    [`${HOME}/.dsh/package.json`]: manifest,
    [`${PROFILES}/node_modules/package.json`]: manifest,
    [`${PROFILES}/web/inner/package.json`]: manifest,
  }
  for (const name of ['.', '..', 'web/inner', 'node_modules', '']) {
    assert.match(checked({ more }, name).findings[0]?.summary.en ?? '', /There is no profile/, name)
  }
  const system = systemOf({})
  const [none] = checkProfile(system, readProfile(system, 'web')).findings
  assert.match(none?.nextStep?.en ?? '', /dsh plugin --profile web add dsh-subagent-cursor/)
})

test('DSH_HOME is where the host looks for it', () => {
  const patch = '- { id: subagent-cursor, config: { permissionMode: ask } }\n'
  const files = profileFiles({ patch })
  const moved = Object.fromEntries(
    Object.entries(files).map(([name, value]) => [name.replace('/home/u/.dsh', '/srv/dsh'), value]),
  )
  const elsewhere = systemOf(moved, { DSH_HOME: '/srv/dsh' })
  assert.equal(readProfile(elsewhere, 'web').exists, true)
  assert.equal(readProfile(systemOf(files, { DSH_HOME: '  ' }), 'web').exists, true)
  assert.equal(readProfile(systemOf(files, { DSH_HOME: '~/.dsh' }), 'web').exists, true)
  assert.equal(readProfile(systemOf(files, { DSH_HOME: '/srv/dsh' }), 'web').exists, false)
  assert.equal(profileAt(elsewhere, '/srv/dsh/profiles/web'), 'web')
  assert.equal(profileAt(elsewhere, '/srv/dsh'), undefined)
})

function subjectOf(config: Config, env: NodeJS.ProcessEnv, more: Partial<System> = {}): Subject {
  const system = { ...systemOf({ '/etc/ca.pem': '' }, env), ...more }
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
    limitMs: 1,
    probeLimitMs: 1,
    signal,
  }
}

const SECRET_PROXY = 'http://user:hidden@proxy.example:3128'

// [what, the row's env, the environment of DSH, findings with their English]
const proxies: readonly (readonly [string, Record<string, string>, NodeJS.ProcessEnv, RegExp])[] = [
  ['none', {}, {}, /^no-proxy passed: /],
  [
    'one alone is not promised to be used',
    { NO_PROXY: 'localhost' },
    { HTTPS_PROXY: SECRET_PROXY, http_proxy: SECRET_PROXY, ALL_PROXY: '' },
    /^proxy-perhaps-unused passed: The CLI will see HTTPS_PROXY, http_proxy, NO_PROXY\. Not measured .* NODE_USE_ENV_PROXY=1$/,
  ],
  [
    'one with the switch of Node',
    {},
    { HTTPS_PROXY: SECRET_PROXY, NODE_USE_ENV_PROXY: '1' },
    /^proxy-seen passed: The CLI will see HTTPS_PROXY, NODE_USE_ENV_PROXY$/,
  ],
  ['taken away by the row', { HTTPS_PROXY: '' }, { HTTPS_PROXY: 'http://p:1' }, /^no-proxy /],
  [
    'no URL',
    {},
    { HTTPS_PROXY: 'proxy.example:3128' },
    /^proxy-not-url warning: HTTPS_PROXY is no/,
  ],
  [
    'a certificate that is not there',
    {},
    { NODE_EXTRA_CA_CERTS: '/etc/missing.pem' },
    /^certificate-missing warning: NODE_EXTRA_CA_CERTS names/,
  ],
  ['a certificate that is there', {}, { NODE_EXTRA_CA_CERTS: '/etc/ca.pem' }, /^no-proxy passed/],
  [
    'what only the launcher makes Node read',
    {},
    { SSL_CERT_FILE: '/etc/missing.pem' },
    /^no-proxy passed/,
  ],
  [
    'a check that is switched off',
    {},
    { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
    /^certificates-unchecked warning: .* switches off/,
  ],
]

for (const [what, rowEnv, env, expected] of proxies) {
  test(`proxy variables, as the CLI will see them: ${what}`, () => {
    const findings = checkProxy(subjectOf({ env: rowEnv }, env))
    const told = findings.map(({ kind, state, summary }) => `${kind} ${state}: ${summary.en}`)
    assert.match(told.join('\n'), expected)
    assert.ok(!JSON.stringify(findings).includes('hidden'))
  })
}

test("the system's certificates matter where the launcher makes Node read them", () => {
  const subject = subjectOf({}, { SSL_CERT_FILE: '/etc/missing.pem' })
  const kinds = (system: Partial<System>): string[] =>
    checkProxy({ ...subject, system: { ...subject.system, ...system } }, 'launcher').map(
      ({ kind }) => kind,
    )
  assert.deepEqual(kinds({}), ['certificate-missing'])
  assert.deepEqual(kinds({ platform: 'darwin' }), ['no-proxy'])
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
    const findings = checkConfig(subjectOf(config, {}))
    assert.deepEqual(
      findings.map(({ state, kind }) => `${state} ${kind}`),
      expected,
    )
  })
}

test('a Node that is too old fails, and one that DSH does not take is a warning', () => {
  const stateOf = (version: string): string | undefined =>
    checkPlatform(systemOf({}), version)[0]?.state
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
  const kinds = (home: string): string[] =>
    checkPlatform({ ...systemOf({}), home }, '24.0.0').map(({ kind }) => kind)
  assert.deepEqual(kinds(''), ['platform-ok', 'no-home'])
  assert.deepEqual(kinds('relative'), ['platform-ok', 'no-home'])
  assert.deepEqual(kinds('/root'), ['platform-ok'])
})

// [dsh, loader, hmr, whether it starts]
const hosts: readonly (readonly [string, string | undefined, string | undefined, boolean])[] = [
  ['0.1.0-rc.8', '1.0.2', '1.0.16', true],
  ['0.1.0-rc.8', '1.0.5', '1.0.16', false],
  ['0.1.0-rc.8', '1.0.2', '1.0.17', false],
  ['0.1.0-rc.8', undefined, undefined, true],
  ['0.1.1-rc.2', '1.0.5', '1.1.0', true],
]

for (const [dsh, loader, hmr, starts] of hosts) {
  test(`DSH ${dsh} with loader ${loader} and hmr ${hmr} ${starts ? 'starts' : 'does not'}`, () => {
    const told = checkHost({ dsh, loader, hmr })
    assert.equal(told.state, starts ? 'passed' : 'failed')
    if (!starts) {
      assert.match(
        told.nextStep?.en ?? '',
        /into `overrides` .*: `\S+plugin-loader": "1\.0\.2", \S+plugin-hmr": "1\.0\.16"`\.$/,
      )
    }
  })
}

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
    for (const name of names) {
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
    }
  })
  for (const name of names) process.env[name] = 'x'
  assert.deepEqual(hostLikeEnvironment('linux', process.env, {}), scrubbedParentEnv())
})

test('explicit entries win over inherited ones, by the rules of the platform', () => {
  const parent = { Path: 'a', KEEP: 'b', GONE: 'c' }
  const extra = { PATH: 'd', GONE: undefined, CURSOR_API_KEY: 'e' }
  assert.deepEqual(hostLikeEnvironment('win32', parent, extra), {
    KEEP: 'b',
    PATH: 'd',
    CURSOR_API_KEY: 'e',
  })
  assert.deepEqual(hostLikeEnvironment('linux', parent, extra), {
    Path: 'a',
    KEEP: 'b',
    PATH: 'd',
    CURSOR_API_KEY: 'e',
  })
})

test('paths are shown without a home directory', () => {
  const system = systemOf({ '/home/u/x': '' })
  const shown = (file: string): string => shownPath(system, file)
  assert.equal(shown('/home/u'), '~')
  assert.equal(shown('/home/u/.local/share'), '~/.local/share')
  assert.equal(shown('/home/someone-else/x'), '~/x')
  assert.equal(shown('/opt/homebrew/x'), '/opt/homebrew/x')
  assert.equal(shown('/home/linuxbrew/.linuxbrew'), '/home/linuxbrew/.linuxbrew')
  const windows = { ...system, home: 'C:\\Users\\u', platform: 'win32' as const }
  assert.equal(shownPath(windows, 'C:\\Users\\u\\AppData'), '~\\AppData')
  assert.equal(shownPath(windows, path.win32.join('D:\\Users\\x', 'cursor')), '~\\cursor')
})

test('a home that is a symbolic link is hidden under both names', () => {
  const system = systemOf({})
  const files = { ...system.files, realPath: () => '/private/home' }
  assert.equal(shownPath({ ...system, files }, '/private/home/x'), '~/x')
})

const clock = (t: TestContext): void => t.mock.timers.enable({ apis: ['setTimeout'] })

function streamOf(isTTY: boolean): { stream: WriteStream; written(): Promise<string> } {
  const stream = Object.assign(new PassThrough(), { isTTY, columns: 20 })
  return {
    stream: stream as unknown as WriteStream,
    written: () => {
      stream.end()
      return text(stream)
    },
  }
}

test('on a terminal a slow check has one line, which goes when the check is over', async (t) => {
  clock(t)
  const { stream, written } = streamOf(true)
  const progress = new Progress(stream, {})
  progress.tell({ type: 'started', id: 'permission-mode', instance: null })
  t.mock.timers.tick(1000)
  progress.clear()
  t.mock.timers.tick(10_000)
  assert.equal(await written(), '\r\u001b[Kchecking mode ...\r\u001b[K')
})

test('the line on a terminal never reaches its last column', async (t) => {
  clock(t)
  const { stream, written } = streamOf(true)
  new Progress(Object.assign(stream, { columns: 12 }), {}).tell({
    type: 'started',
    id: 'models',
    instance: null,
  })
  t.mock.timers.tick(1000)
  assert.equal(await written(), '\r\u001b[Kchecking mo')
})

test('elsewhere a long wait is one plain line, and a short one is none', async (t) => {
  clock(t)
  for (const [stream, written, env] of [
    [...Object.values(streamOf(false)), {}] as const,
    [...Object.values(streamOf(true)), { TERM: 'dumb' }] as const,
  ] as unknown as [WriteStream, () => Promise<string>, NodeJS.ProcessEnv][]) {
    const progress = new Progress(stream, env)
    progress.tell({ type: 'started', id: 'login', instance: null })
    t.mock.timers.tick(1000)
    progress.tell({ type: 'started', id: 'models', instance: null })
    t.mock.timers.tick(60_000)
    progress.clear()
    assert.equal(await written(), 'checking models ...\n')
  }
})

const STYLE = {
  columns: 200,
  paint: (_format: unknown, shown: string) => shown,
  language: 'en',
  isVerbose: false,
  command: 'dsh plugin --profile web exec dsh-subagent-cursor doctor',
} as const

const reportOf = (checks: readonly Check[], more: Partial<Report> = {}): Report => ({
  schemaVersion: 1,
  plugin: { name: 'dsh-subagent-cursor', version: '0.1.1' },
  profile: 'web',
  ok: true,
  proven: false,
  checks,
  ...more,
})

const checkOf = (id: CheckId, told: Finding<never>, instance: string | null = null): Check =>
  ({ id, instance, durationMs: 1, ...told }) as Check

const LOGGED_IN = checkOf('login', finding('passed', 'logged-in', {}))
const LOGGED_OUT = checkOf('login', finding('failed', 'logged-out', {}))
const SKIPPED = checkOf('models', finding('skipped', 'not-checked', { check: TITLES.login }))

test('the verdict comes first, and says what the checks prove', () => {
  const unproven = reportText(reportOf([LOGGED_IN]), STYLE)
  assert.match(
    unproven,
    /^dsh-subagent-cursor 0\.1\.1, profile web\n\nNothing is known to stop a delegation: 1 check passed\.\nOnly a test run proves [^\n]*:\n  dsh plugin --profile web exec dsh-subagent-cursor doctor --probe\n\nok    Login     Logged in\n$/,
  )
  const proven = reportText(reportOf([LOGGED_IN], { proven: true }), STYLE)
  assert.match(proven, /so delegations work with this configuration/)
  const failed = reportText(reportOf([LOGGED_OUT, SKIPPED], { ok: false }), STYLE)
  assert.match(
    failed,
    /\nDelegations cannot work like this: 1 of 1 checks failed \(Login\)\.\n\nFAIL  Login     Not logged in\./,
  )
  assert.match(
    failed,
    /\nskip  Not checked: Models \(Login failed\); Test run \(only with --probe\)\n$/,
  )
  assert.doesNotMatch(failed, /checks? passed|No test run/)
  const nameless = reportText(reportOf([LOGGED_IN], { profile: null }), STYLE)
  assert.match(
    nameless,
    /--profile <name>[^]*\nskip  Not checked: DSH, Profile \(only with --profile\)\n$/,
  )
})

test('a test run that was asked for and not made is told at once', () => {
  const skipped = checkOf('probe', finding('skipped', 'not-checked', { check: TITLES.install }))
  const found = { ...LOGGED_OUT, id: 'install' } as Check
  const told = (language: Language): string =>
    reportText(reportOf([found, skipped], { ok: false }), { ...STYLE, language })
  assert.match(
    told('en'),
    /\(Install\)\.\nNo test run was made\.\n\n[^]*: Test run \(Install failed\)\n$/,
  )
  assert.match(told('zh'), /没有进行试运行。\n\n[^]*未检查：试运行（“安装”失败）\n$/)
})

test('two findings of one check are one check', () => {
  const told = reportText(reportOf([LOGGED_OUT, LOGGED_OUT, LOGGED_IN], { ok: false }), STYLE)
  assert.match(told, /: 1 of 1 checks failed \(Login\)/)
})

test("the report speaks the user's language, its commands included", () => {
  const note = checkOf('login', finding('warning', 'details-missing', {}))
  const told = reportText(reportOf([note]), { ...STYLE, language: 'zh' })
  assert.match(told, /^dsh-subagent-cursor 0\.1\.1，profile web\n/)
  assert.match(told, /1 项检查均未失败，但请留意：登录。/)
  assert.match(told, /注意  登录      已登录，但 CLI 取不到账号信息/)
  assert.match(
    told,
    /请试运行：\n +dsh plugin --profile web exec dsh-subagent-cursor doctor --probe\n +如果失败/,
  )
})

test('details stand behind --verbose; the words of a failed CLI do not', () => {
  const { details: _, ...failedLogin } = finding('failed', 'logged-out', {})
  const check = checkOf('login', {
    ...failedLogin,
    said: ['Error: the own words'],
    details: [{ en: 'a detail', zh: '' }],
  })
  const brief = reportText(reportOf([check]), STYLE)
  assert.match(brief, /> Error: the own words/)
  assert.doesNotMatch(brief, /a detail/)
  assert.match(reportText(reportOf([check]), { ...STYLE, isVerbose: true }), /a detail/)
})

test('what is the same for every row is told once, the rest under its row', () => {
  const mode = (kind: 'trust' | 'ask', row: string): Check =>
    checkOf('permission-mode', finding('passed', 'mode-ok', { mode: kind, allows: 'x' }), row)
  const told = reportText(
    reportOf([
      { ...LOGGED_IN, instance: 'one' },
      mode('trust', 'one'),
      { ...LOGGED_IN, instance: 'two' },
      mode('ask', 'two'),
    ]),
    STYLE,
  )
  const body = told.slice(told.indexOf('ok    '))
  assert.equal(
    body,
    'ok    Login     Logged in\n\nRow one\nok    Mode      trust: x\n\nRow two\nok    Mode      ask: x\n',
  )
})

test('a path is broken behind its separators alone', () => {
  const directory = '~/.local/share/cursor-agent/versions/2026.10.22-27dcf5f'
  const install = finding('passed', 'install-found', { directory })
  for (const columns of [40, 60]) {
    const told = reportText(reportOf([checkOf('install', install)]), { ...STYLE, columns })
    const lines = told.slice(told.indexOf('ok    ')).split('\n').slice(0, -1)
    assert.ok(lines.length > 1)
    // Each fold is at a space or behind a separator.
    const whole = `Install ${directory}`
    const joined = lines.map((line) => line.replace(/^ok/, '').trim())
    assert.equal(
      joined
        .reduce((sofar, line) => `${sofar}${/[/]$/.test(sofar) ? '' : ' '}${line}`)
        .replace(/ +/g, ' '),
      whole,
    )
    assert.ok(
      lines.every((line) => line.length <= columns),
      told,
    )
  }
})

test('a command of a next step stands on a line of its own, whole, in both languages', () => {
  const values = {
    add: 'dsh plugin --profile web add dsh-subagent-cursor',
    command: "irm 'https://cursor.com/install?win32=true' | iex",
    line: `~/cursor-agent -p ${'--option value '.repeat(9)}"Reply with exactly: PONG"`,
    doctor: STYLE.command,
    probe: `\`${STYLE.command} --probe\``,
  }
  let commands = 0
  for (const [kind, words] of Object.entries(FINDINGS)) {
    const { next }: { says: Words; next?: Words } = words
    if (next === undefined) continue
    const nextStep = filled(next, values)
    const check = checkOf('login', { ...finding('failed', 'logged-out', {}), nextStep })
    for (const language of ['en', 'zh'] as const) {
      for (const columns of [60, 40]) {
        const told = reportText(reportOf([check]), { ...STYLE, columns, language })
        const lines = new Set(told.split('\n').map((line) => line.trim()))
        for (const [, code = ''] of nextStep[language].matchAll(/`([^`]+)`/g)) {
          // `name: value` is a setting, to be read where it stands.
          if (!code.includes(' ') || /^\w+: /.test(code)) continue
          assert.ok(lines.has(code), `${kind}: ${code}\n${told}`)
          commands++
        }
      }
    }
  }
  assert.ok(commands > 60)
})

test('every finding has its values in both languages', () => {
  const namesIn = (sentence: string): string[] =>
    [...sentence.matchAll(/\{(\w+)/g)].map(([, name = '']) => name)
  for (const [kind, words] of Object.entries(FINDINGS)) {
    const { says, next }: { says: Words; next?: Words } = words
    for (const each of [says, ...(next === undefined ? [] : [next])]) {
      assert.deepEqual(new Set(namesIn(each.zh)), new Set(namesIn(each.en)), kind)
    }
  }
  const note: Words = { en: '{n:row:rows} of {n}', zh: '{n} 个' }
  assert.deepEqual(filled(note, { n: 1 }), { en: '1 row of 1', zh: '1 个' })
  assert.deepEqual(filled(note, { n: 2 }), { en: '2 rows of 2', zh: '2 个' })
  assert.deepEqual(filled(same('{n}'), { n: ['a', 'b'] }), { en: 'a, b', zh: 'a、b' })
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
