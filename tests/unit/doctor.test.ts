// The parts of the self-check that need no process: what a profile's files mean, the environment
// that a child inherits, proxy variables, Node versions, the progress line and the text's verdict.
import assert from 'node:assert/strict'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { test, type TestContext } from 'node:test'
import { text } from 'node:stream/consumers'
import type { WriteStream } from 'node:tty'
import { scrubbedParentEnv } from '@deepseek-ai/dsh-subprocess'
import colors from 'picocolors'
import { resolveConfig, type Config } from '../../src/config/config.ts'
import { Masker } from '../../src/cursor/masking.ts'
import type { FileQuestions, System } from '../../src/cursor/system.ts'
import { checkPermissionMode } from '../../src/doctor/checks/permission-mode.ts'
import { checkPlatform } from '../../src/doctor/checks/platform.ts'
import { checkProfile, type CheckedProfile } from '../../src/doctor/checks/profile.ts'
import { checkProxy } from '../../src/doctor/checks/proxy.ts'
import { CliCommands } from '../../src/doctor/cli-commands.ts'
import { profileAt, readProfile } from '../../src/doctor/profile.ts'
import { Progress } from '../../src/doctor/progress.ts'
import type { Report } from '../../src/doctor/report.ts'
import { hostLikeEnvironment } from '../../src/doctor/spawn.ts'
import { shownPath, type Subject } from '../../src/doctor/subject.ts'
import { verdictText } from '../../src/doctor/text.ts'

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
  return {
    [`${directory}/package.json`]: JSON.stringify(manifest),
    ...(files.patch === undefined ? {} : { [`${directory}/cordis.patch.yml`]: files.patch }),
    ...(files.installed === false
      ? {}
      : {
          [`${plugin}/package.json`]: JSON.stringify({
            version: '0.1.1',
            dsh: { bundle: { patch: './cordis.patch.yml' } },
          }),
          [`${plugin}/cordis.patch.yml`]: OWN_LAYER,
        }),
    ...(files.built === false ? {} : { [`${plugin}/lib/index.js`]: '' }),
    ...files.more,
  }
}

function checked(files: ProfileFiles, name = 'web'): CheckedProfile {
  const system = systemOf(profileFiles(files))
  return checkProfile(system, readProfile(system, name))
}

const configsOf = ({ instances }: CheckedProfile): (readonly [string | undefined, string])[] =>
  instances.map(({ id, config }) => [id, config.permissionMode])

test('a profile without a patch of its own loads the row of the bundle with its defaults', () => {
  const profile = checked({})
  assert.equal(profile.finding.state, 'passed')
  assert.deepEqual(configsOf(profile), [['subagent-cursor', 'trust']])
})

test("the user's patch replaces the whole configuration of a row", () => {
  const patch = `
- id: subagent-cursor
  config: { permissionMode: yolo, model: gpt-5 }
- id: subagent-cursor
  config: { permissionMode: ask }
`
  const { instances } = checked({ patch })
  assert.deepEqual(instances[0]?.config, resolveConfig({ permissionMode: 'ask' }))
})

test('rows are found in groups, with further rows of the same plugin', () => {
  const patch = `
- insert:
    - id: more
      group: true
      config:
        - { id: ask, name: dsh-subagent-cursor, config: { providerName: a, toolName: a, permissionMode: ask } }
        - { id: other, name: some-other-plugin }
- id: more
  insert:
    - { id: plan, name: dsh-subagent-cursor, config: { providerName: p, toolName: p, permissionMode: plan } }
`
  assert.deepEqual(configsOf(checked({ patch })), [
    ['subagent-cursor', 'trust'],
    ['ask', 'ask'],
    ['plan', 'plan'],
  ])
})

test('a patch for another name or for no row changes nothing', () => {
  const patch = `
- { id: subagent-cursor, name: something-else, config: { permissionMode: ask } }
- { id: nobody, config: { permissionMode: ask } }
- { config: { permissionMode: ask } }
`
  assert.deepEqual(configsOf(checked({ patch })), [['subagent-cursor', 'trust']])
})

test('a bundle that is installed in the host adds its rows too', () => {
  const bundle = `${PROFILES}/node_modules/house-rules`
  const profile = checked({
    bundles: ['dsh-subagent-cursor', 'house-rules'],
    more: {
      [`${bundle}/package.json`]: '{"dsh":{"bundle":{"patch":"layer.yml"}}}',
      [`${bundle}/layer.yml`]: '- { id: subagent-cursor, config: { permissionMode: plan } }\n',
    },
  })
  assert.deepEqual(configsOf(profile), [['subagent-cursor', 'plan']])
})

test('!!js values are left out and named, also inside a field', () => {
  const patch = `
- id: subagent-cursor
  config:
    model: !!js process.env.MODEL
    env: { CURSOR_API_KEY: !!js process.env.KEY, PLAIN: yes it is }
`
  const { finding, instances } = checked({ patch })
  assert.equal(finding.state, 'warning')
  assert.deepEqual(finding.data?.rows[0]?.notEvaluated, ['model', 'env.CURSOR_API_KEY'])
  assert.deepEqual(instances[0]?.config, resolveConfig({ env: { PLAIN: 'yes it is' } }))
  assert.ok(finding.details.some((line) => /model is a !!js expression/.test(line)))
  assert.ok(!JSON.stringify(finding).includes('process.env'))
})

test('a row whose configuration is one expression, or which one may disable, still counts', () => {
  const patch = `
- { id: subagent-cursor, config: !!js settings.cursor, disabled: !!js process.env.OFF }
`
  const { finding, instances } = checked({ patch })
  assert.deepEqual(finding.data?.rows[0]?.notEvaluated, ['disabled', 'config'])
  assert.deepEqual(instances[0]?.config, resolveConfig({}))
})

test("the user's settings lie over the row, and a bad one fails with its field", () => {
  const patch = '- { id: subagent-cursor, config: { permissionMode: yolo, model: gpt-5 } }\n'
  const settings = '/home/u/.dsh/settings.yaml'
  const { finding, instances } = checked({
    patch,
    more: {
      [settings]: 'subagent-cursor: { permissionMode: ask, model: null }\nother: { a: 1 }\n',
    },
  })
  assert.equal(finding.state, 'passed')
  assert.deepEqual(instances[0]?.config, resolveConfig({ permissionMode: 'ask' }))
  assert.ok(finding.details.some((line) => /settings\.yaml lies over it/.test(line)))

  const bad = checked({ patch, more: { [settings]: 'subagent-cursor: { timeoutMs: -1 }\n' } })
  assert.equal(bad.finding.state, 'failed')
  assert.match(bad.finding.summary, /`timeoutMs` is -1/)
  assert.match(bad.finding.nextStep ?? '', /settings\.yaml/)
  const broken = checked({ patch, more: { [settings]: 'a: [\n' } })
  assert.match(broken.finding.summary, /settings\.yaml of DSH, line \d+: not valid YAML/)
})

const troubles: readonly (readonly [string, ProfileFiles, RegExp, RegExp])[] = [
  [
    'a bad value',
    { patch: '- { id: subagent-cursor, config: { permissionMode: trusty } }\n' },
    /row subagent-cursor: config field `permissionMode` is "trusty"; allowed: one of trust,/,
    /cordis\.patch\.yml/,
  ],
  [
    'a plugin that the profile does not have',
    { dependencies: {}, bundles: [], installed: false },
    /does not have dsh-subagent-cursor/,
    /`dsh plugin --profile web add dsh-subagent-cursor`/,
  ],
  [
    'a dependency that is not installed',
    { installed: false },
    /is not installed/,
    /`dsh plugin --profile web install`/,
  ],
  ['a checkout that is not built', { built: false }, /not built/, /npm run build/],
  [
    'a bundle that is not listed',
    { bundles: [] },
    /not among the bundles/,
    /dsh\.profile\.bundles/,
  ],
  [
    'a disabled row',
    { patch: '- { id: subagent-cursor, disabled: true }\n' },
    /Every row .* is disabled/,
    /Remove `disabled`/,
  ],
  [
    'two rows of one name',
    { patch: '- insert: [{ id: second, name: dsh-subagent-cursor }]\n' },
    /Two rows have the providerName cursor/,
    /own `providerName`/,
  ],
  [
    'a patch file that is no YAML',
    { patch: '- id: [subagent-cursor\n  config: sk-secret-value-1\n' },
    /cordis\.patch\.yml of the profile, line \d+: not valid YAML/,
    /Correct that file/,
  ],
  [
    'a patch file with a tag that the host does not know',
    { patch: '- { id: subagent-cursor, config: !!python x }\n' },
    /not valid YAML/,
    /Correct that file/,
  ],
  [
    'a patch file that is no list',
    { patch: 'id: x\n' },
    /no list of row patches/,
    /Correct that file/,
  ],
  [
    'a manifest that is no JSON',
    { more: { [`${PROFILES}/web/package.json`]: '{' } },
    /package\.json of the profile is no valid JSON/,
    /Correct that file/,
  ],
]

for (const [what, files, happened, nextStep] of troubles) {
  test(`${what} fails, and the advice fits`, () => {
    const { finding } = checked(files)
    assert.equal(finding.state, 'failed')
    assert.match(finding.summary, happened)
    assert.match(finding.nextStep ?? '', nextStep)
    assert.ok(!JSON.stringify(finding).includes('sk-secret'))
  })
}

test('a bad value in a disabled row is a note, since the host never loads it', () => {
  const patch = `
- insert: [{ id: off, name: dsh-subagent-cursor, disabled: true, config: { modell: x } }]
`
  const { finding, instances } = checked({ patch })
  assert.equal(finding.state, 'warning')
  assert.ok(
    finding.details.some((line) => /row off is disabled; config has no field `modell`/.test(line)),
  )
  assert.equal(instances.length, 1)
})

test('extraArgs that break a run are noted', () => {
  const patch = "- { id: subagent-cursor, config: { extraArgs: ['--resume'] } }\n"
  const { finding } = checked({ patch })
  assert.equal(finding.state, 'warning')
  assert.ok(finding.details.some((line) => line.includes('--resume')))
})

test('an unknown profile is told with the closest name, and a name that leaves the folder is none', () => {
  assert.match(checked({}, 'wbe').finding.nextStep ?? '', /The closest name is web/)
  const manifest = '{"dependencies":{"dsh-subagent-cursor":"1"}}'
  const more = {
    [`${PROFILES}/package.json`]: manifest,
    [`${HOME}/.dsh/package.json`]: manifest,
    [`${PROFILES}/node_modules/package.json`]: manifest,
    [`${PROFILES}/web/inner/package.json`]: manifest,
  }
  for (const name of ['.', '..', 'web/inner', 'node_modules', '']) {
    assert.match(checked({ more }, name).finding.summary, /There is no profile/, name)
  }
  const system = systemOf({})
  const { finding } = checkProfile(system, readProfile(system, 'web'))
  assert.match(finding.nextStep ?? '', /dsh plugin --profile web add dsh-subagent-cursor/)
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

test('proxy variables are named as the child will see them, without their values', () => {
  const secret = 'http://user:hidden@proxy.example:3128'
  const finding = checkProxy(
    subjectOf(
      { env: { NO_PROXY: 'localhost' } },
      { HTTPS_PROXY: secret, http_proxy: secret, ALL_PROXY: '' },
    ),
  )
  assert.equal(finding.state, 'passed')
  assert.deepEqual(finding.data?.variables, ['HTTPS_PROXY', 'http_proxy', 'NO_PROXY'])
  assert.ok(!JSON.stringify(finding).includes('hidden'))
})

test('the configuration can take a proxy away', () => {
  const finding = checkProxy(subjectOf({ env: { HTTPS_PROXY: '' } }, { HTTPS_PROXY: 'http://p:1' }))
  assert.deepEqual(finding.data?.variables, [])
})

test('a proxy that is no URL, a missing certificate and a switched-off check are told', () => {
  const summaryOf = (env: NodeJS.ProcessEnv): string => checkProxy(subjectOf({}, env)).summary
  assert.match(summaryOf({ HTTPS_PROXY: 'proxy.example:3128' }), /HTTPS_PROXY is no URL/)
  assert.match(summaryOf({ NODE_EXTRA_CA_CERTS: '/etc/missing.pem' }), /a file that is not there/)
  assert.match(summaryOf({ NODE_TLS_REJECT_UNAUTHORIZED: '0' }), /switches off/)
  assert.equal(checkProxy(subjectOf({}, { NODE_EXTRA_CA_CERTS: '/etc/ca.pem' })).state, 'passed')
})

test("safe is a warning until a run proves it, with the system's AppArmor settings named", () => {
  const limited = {
    files: filesOf({ '/proc/sys/kernel/apparmor_restrict_unprivileged_userns': '1\n' }),
  }
  const safe: Config = { permissionMode: 'safe' }
  const named = checkPermissionMode(subjectOf(safe, {}, limited))
  assert.equal(named.state, 'warning')
  assert.match(named.summary, /AppArmor/)
  const unproven = checkPermissionMode(subjectOf(safe, {}))
  assert.equal(unproven.state, 'warning')
  assert.match(unproven.summary, /only a run can prove/)
  const other = checkPermissionMode(subjectOf({}, {}, limited))
  assert.equal(other.state, 'passed')
  assert.match(other.details[0] ?? '', /safe \(where Cursor's sandbox works\)/)
})

test('a Node that is too old fails, and one that DSH does not take is a warning', () => {
  const stateOf = (version: string): string => checkPlatform(systemOf({}), version).state
  assert.deepEqual(['20.20.2', '22.4.0', '22.19.0', '23.9.0', '24.0.0', '26.1.0'].map(stateOf), [
    'failed',
    'warning',
    'passed',
    'warning',
    'passed',
    'passed',
  ])
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

test('the verdict says what the checks prove', () => {
  const style = { columns: 200, colors: colors.createColors(false) }
  const finding = {
    instance: null,
    durationMs: 1,
    summary: '',
    details: [],
    nextStep: null,
    category: null,
    data: null,
  }
  const report: Report = {
    schemaVersion: 1,
    plugin: { name: 'dsh-subagent-cursor', version: '0.1.1' },
    profile: 'web',
    ok: true,
    proven: false,
    checks: [
      { ...finding, id: 'login', state: 'warning' },
      { ...finding, id: 'models', state: 'passed' },
    ],
  }
  assert.match(
    verdictText(report, style),
    /^\nAll 2 checks passed, 1 with a warning\.\nOnly `doctor --probe`/,
  )
  assert.match(
    verdictText({ ...report, proven: true }, style),
    /so runs work with this configuration/,
  )
  assert.match(
    verdictText({ ...report, profile: null }, style),
    /This was the default configuration/,
  )
  const checks = [
    { ...finding, id: 'install', state: 'failed' },
    { ...finding, id: 'version', state: 'skipped' },
    { ...finding, id: 'proxy', state: 'passed' },
  ] as const
  const failed = verdictText({ ...report, ok: false, checks }, style)
  assert.match(failed, /1 of 2 checks failed, 1 not made\./)
  assert.doesNotMatch(failed, /passed/)
})
