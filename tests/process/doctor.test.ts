// The command `dsh-subagent-cursor doctor` as a person runs it: a process of its own, in a
// throw-away home, with the stand-in CLI behind it. How single outputs of the CLI are understood is
// tests/unit/account.test.ts; what a profile's files mean is tests/unit/doctor.test.ts.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Context } from '@deepseek-ai/cordis'
import { LocalSubprocessRuntime } from '@deepseek-ai/dsh-subprocess-local'
import { resolveConfig } from '../../src/config/config.ts'
import { thisSystem } from '../../src/cursor/system.ts'
import { diagnose, type DiagnoseOptions } from '../../src/doctor/diagnose.ts'
import { jsonReport, type CheckId, type JsonReport as Report } from '../../src/doctor/report.ts'
import { localProcesses } from '../../src/doctor/spawn.ts'
import { caseNamed, writeCaseFile } from '../support/cases.ts'
import { makeHome, makeInstall, type InstallOptions, type TestHome } from '../support/install.ts'
import { assertNoProcess, fileText, killMarked, MARK, newMark } from '../support/processes.ts'
import { readStarts, type StandInCase } from '../support/record.ts'

const MAIN = fileURLToPath(new URL('../../src/doctor/main.ts', import.meta.url))
const E_MAIL = 'someone@example.com'

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface Bench {
  readonly home: TestHome
  readonly directory: string
  readonly record: string
  readonly mark: string
  env(extra?: NodeJS.ProcessEnv): NodeJS.ProcessEnv
  /** `case:<path>`, for a STANDIN variable. */
  standIn(item: StandInCase): Promise<string>
  run(args: readonly string[], extra?: NodeJS.ProcessEnv, cwd?: string): Promise<Ended>
  /** Runs with `--json`. */
  report(args?: readonly string[], extra?: NodeJS.ProcessEnv): Promise<Report>
  /** Writes `$DSH_HOME/profiles/<name>` as `dsh plugin add` leaves it, with the user's own rows. */
  profile(name: string, patch: string): Promise<string>
}

async function bench(t: TestContext, install?: Omit<InstallOptions, 'root'>): Promise<Bench> {
  const home = await makeHome(install)
  const directory = await mkdtemp(join(tmpdir(), 'cursor-doctor-test-'))
  const mark = newMark()
  const record = join(directory, 'record.jsonl')
  let cases = 0
  t.after(async () => {
    killMarked(mark)
    await home.cleanup()
    await rm(directory, { recursive: true, force: true })
  })
  const made: Bench = {
    home,
    directory,
    record,
    mark,
    env: (extra = {}) => ({
      PATH: process.env['PATH'],
      ...home.env,
      [MARK]: mark,
      STANDIN_RECORD: record,
      ...extra,
    }),
    async standIn(item) {
      cases++
      return `case:${await writeCaseFile(join(directory, 'cases'), `case-${cases}`, item)}`
    },
    async run(args, extra, cwd = directory) {
      const child = spawn(process.execPath, [MAIN, ...args], {
        cwd,
        env: made.env(extra),
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
      const [stdout, stderr, code] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        closed,
      ])
      return { code, stdout, stderr }
    },
    async report(args = [], extra) {
      const { stdout, stderr, code } = await made.run(['doctor', '--json', ...args], extra)
      assert.notEqual(stdout, '', stderr)
      const report = JSON.parse(stdout) as Report
      assert.equal(code, report.ok ? 0 : 1)
      return report
    },
    async profile(name, patch) {
      const profile = join(home.home, '.dsh', 'profiles', name)
      const plugin = join(profile, 'node_modules', 'dsh-subagent-cursor')
      const write = async (file: string, value: unknown): Promise<void> =>
        writeFile(file, JSON.stringify(value))
      await mkdir(join(plugin, 'lib'), { recursive: true })
      await write(join(profile, 'package.json'), {
        name: `dsh-profile-${name}`,
        dependencies: { 'dsh-subagent-cursor': '0.1.1' },
        dsh: { profile: { bundles: ['@deepseek-ai/dsh-base', 'dsh-subagent-cursor'] } },
      })
      await write(join(plugin, 'package.json'), {
        version: '0.1.1',
        dsh: { bundle: { patch: './cordis.patch.yml' } },
      })
      await writeFile(join(plugin, 'lib', 'index.js'), '')
      const layer = await readFile(new URL('../../cordis.patch.yml', import.meta.url), 'utf8')
      await writeFile(join(plugin, 'cordis.patch.yml'), layer)
      await writeFile(join(profile, 'cordis.patch.yml'), patch)
      return profile
    },
  }
  return made
}

function check<Id extends CheckId>(
  report: Report,
  id: Id,
): Extract<Report['checks'][number], { id: Id }> {
  const found = report.checks.find((check) => check.id === id)
  assert.ok(found, `no check ${id}`)
  return found as Extract<Report['checks'][number], { id: Id }>
}

const states = (report: Report): Record<string, string> =>
  Object.fromEntries(report.checks.map(({ id, state }) => [id, state]))

test('a healthy machine passes every check, and the text says that this is no proof', async (t) => {
  const { run, home } = await bench(t)
  const { code, stdout, stderr } = await run(['doctor'])
  assert.equal(code, 0, stdout + stderr)
  assert.match(stdout, /^ok +Install +2026\.10\.22-27dcf5f, in ~\//m)
  assert.match(stdout, /^ok +Login +Logged in$/m)
  assert.match(stdout, /\n\nAll 8 checks passed\.\nOnly a test run proves that delegations work/)
  assert.doesNotMatch(stdout, new RegExp(E_MAIL))
  assert.ok(!stdout.includes(home.home))
  assert.equal(stderr, '')
})

test('the JSON form is one object with stable fields', async (t) => {
  const { report } = await bench(t)
  const healthy = await report()
  assert.deepEqual(Object.keys(healthy), [
    'schemaVersion',
    'plugin',
    'profile',
    'ok',
    'proven',
    'checks',
  ])
  assert.equal(healthy.schemaVersion, 1)
  assert.deepEqual([healthy.ok, healthy.proven, healthy.profile], [true, false, null])
  assert.deepEqual(states(healthy), {
    platform: 'passed',
    install: 'passed',
    config: 'passed',
    'permission-mode': 'passed',
    proxy: 'passed',
    version: 'passed',
    login: 'passed',
    models: 'passed',
  })
  for (const each of healthy.checks) {
    assert.deepEqual(Object.keys(each), [
      'id',
      'instance',
      'durationMs',
      'state',
      'kind',
      'summary',
      'details',
      'nextStep',
      'category',
      'data',
    ])
    assert.notEqual(each.data, null)
  }
  assert.deepEqual(check(healthy, 'models').data, {
    count: 2,
    default: 'auto',
    current: 'auto',
    configured: null,
    configuredIsOffered: null,
    closest: [],
    list: null,
  })
  assert.deepEqual(check(healthy, 'login').data, { state: 'logged-in' })
})

test('the commands run with the program and the environment of a delegation', async (t) => {
  const { report, record, home } = await bench(t)
  await report(['--probe'], { NODE_OPTIONS: '--no-warnings', CURSOR_API_KEY: 'ambient-key' })
  const starts = await readStarts(record)
  assert.deepEqual(
    starts.map(({ action }) => action),
    ['version', 'status', 'models', 'run'],
  )
  const delegation = starts.at(-1)
  for (const start of starts) {
    assert.equal(start.entry, home.install.indexPath)
    assert.deepEqual(start.execArgv, ['--use-system-ca'])
    assert.deepEqual(start.env, delegation?.env)
    assert.deepEqual(
      [start.env['NODE_OPTIONS'], start.env['CURSOR_API_KEY']],
      [undefined, undefined],
    )
  }
})

test('no CLI: the places are listed, and nothing is asked of it', async (t) => {
  const { report, run, home, record } = await bench(t)
  await rm(home.dataDirectory, { recursive: true })
  await rm(join(home.home, '.local', 'bin'), { recursive: true })
  const found = await report(['--probe'], { PATH: '' })
  const install = check(found, 'install')
  assert.deepEqual([install.state, install.category], ['failed', 'cli-not-found'])
  assert.deepEqual(
    install.data?.places.map(({ path, state }) => [path, state]),
    [
      ['~/.local/share/cursor-agent', 'missing'],
      ['~/.local/share/cursor-agent/versions', 'missing'],
      ['cursor-agent on PATH', 'missing'],
    ],
  )
  assert.match(install.nextStep ?? '', /`curl https:\/\/cursor\.com\/install -fsS \| bash`/)
  for (const id of ['version', 'login', 'models', 'probe'] as const) {
    assert.equal(check(found, id).state, 'skipped')
  }
  const { code, stdout } = await run(['doctor'], { PATH: '' })
  assert.equal(code, 1)
  assert.match(stdout, /^FAIL +Install +The Cursor CLI was not found\.$/m)
  assert.match(stdout, /1 of 5 checks failed, 3 not made\./)
  assert.ok(!existsSync(record))
})

test('a half-written newest version is passed over, and said', async (t) => {
  const { report, home } = await bench(t)
  await makeInstall({ root: home.dataDirectory, version: '2026.11.2-abc1234', index: false })
  await makeInstall({ root: home.dataDirectory, version: '2026.9.30-0123abc' })
  const found = await report()
  const install = check(found, 'install')
  assert.equal(install.state, 'warning')
  assert.match(
    install.summary,
    /^2026\.10\.22-27dcf5f, in .*the newest version there is not complete\.$/,
  )
  assert.deepEqual(
    install.data?.versions.map(({ path, state }) => [path.replace(/.*\//, ''), state]),
    [
      ['2026.11.2-abc1234', 'unusable'],
      ['2026.10.22-27dcf5f', 'usable'],
      ['2026.9.30-0123abc', 'usable'],
    ],
  )
  assert.ok(install.details.some((line) => /newest usable of 3 versions/.test(line)))
  assert.equal(found.ok, true)
})

test('an install with nothing usable is a broken one', async (t) => {
  const { report } = await bench(t, { index: false })
  const install = check(await report(), 'install')
  assert.deepEqual([install.state, install.category], ['failed', 'broken-install'])
  assert.match(install.summary, /index\.js is missing/)
  assert.ok(
    install.details.some((line) =>
      /versions\/2026\.10\.22-27dcf5f: index\.js is missing/.test(line),
    ),
  )
})

test('logged out: the login fails and says what to do, and the same is not told of the models', async (t) => {
  const { report, standIn } = await bench(t)
  const loggedOut = caseNamed('models-logged-out')
  const found = await report([], {
    STANDIN_STATUS: 'Not logged in',
    STANDIN_MODELS: await standIn({ stderr: loggedOut.stderr, exit: 1 }),
  })
  const { state, category, nextStep } = check(found, 'login')
  assert.deepEqual([state, category], ['failed', 'not-authenticated'])
  assert.match(nextStep ?? '', /cursor-agent login/)
  const models = check(found, 'models')
  assert.deepEqual([models.state, models.kind], ['skipped', 'same-cause'])
})

test('a login without details passes with a warning that points to --probe', async (t) => {
  const { report } = await bench(t)
  const found = await report([], {
    STANDIN_STATUS: '✓ Login successful!\nLogged in (unable to fetch user details)',
  })
  const login = check(found, 'login')
  assert.equal(login.state, 'warning')
  assert.match(login.nextStep ?? '', /test run/)
  assert.equal(found.ok, true)
})

test('no models means a probable logout, not an empty success', async (t) => {
  const { report } = await bench(t)
  const models = check(
    await report([], { STANDIN_MODELS: 'No models available for this account.' }),
    'models',
  )
  assert.deepEqual([models.state, models.category], ['failed', 'not-authenticated'])
})

test('--models lists the models', async (t) => {
  const { run, report } = await bench(t)
  assert.match((await run(['doctor', '--models'])).stdout, /^ +gpt-5 - GPT-5$/m)
  assert.deepEqual(check(await report(['--models']), 'models').data?.list, [
    { id: 'auto', label: 'Auto' },
    { id: 'gpt-5', label: 'GPT-5' },
  ])
})

test("another product's program is told from Cursor's CLI, and gets no further question", async (t) => {
  const { report, record } = await bench(t)
  const found = await report(['--probe'], { STANDIN_VERSION: '1.0.44' })
  assert.equal(check(found, 'version').state, 'failed')
  assert.match(check(found, 'version').summary, /not Cursor's CLI/)
  for (const id of ['login', 'models', 'probe'] as const) {
    assert.equal(check(found, id).state, 'skipped')
  }
  const starts = await readStarts(record)
  assert.deepEqual(
    starts.map(({ action }) => action),
    ['version'],
  )
})

test('a version from before --trust is a warning', async (t) => {
  const { report } = await bench(t)
  const version = check(await report([], { STANDIN_VERSION: '2026.1.28-fd13201' }), 'version')
  assert.equal(version.state, 'warning')
  assert.match(version.nextStep ?? '', /cursor-agent update/)
})

test('a command that never ends is stopped at the limit, with what it ignores', async (t) => {
  const { report, standIn, mark } = await bench(t)
  const found = await report(['--limit', '4'], {
    STANDIN_STATUS: await standIn({
      hang: true,
      ignoreSigterm: true,
      stdout: [`waiting for ${E_MAIL}`],
      helper: 'holds-pipes',
    }),
  })
  const login = check(found, 'login')
  assert.deepEqual([login.state, login.category], ['failed', 'timeout'])
  assert.match(login.summary, /did not end within 4 s/)
  assert.deepEqual(login.details, ['waiting for <email>'])
  assert.equal(check(found, 'models').state, 'passed')
  await assertNoProcess(mark)
})

test('--probe makes a delegation and reports its times', async (t) => {
  const { report, run, record } = await bench(t)
  const found = await report(['--probe'])
  assert.deepEqual([found.ok, found.proven], [true, true])
  const probe = check(found, 'probe')
  assert.equal(probe.state, 'passed')
  const { firstEventMs, resultMs, ...rest } = probe.data ?? assert.fail()
  assert.deepEqual(rest, { exact: true, inputTokens: 9880, outputTokens: 9 })
  assert.ok(firstEventMs !== null && firstEventMs > 0 && firstEventMs <= resultMs)
  const start = (await readStarts(record)).find(({ action }) => action === 'run')
  assert.ok(start)
  assert.deepEqual(start.argv, [
    '-p',
    '--output-format',
    'stream-json',
    '--trust',
    '--approve-mcps',
    'Reply with exactly: PONG',
  ])
  assert.ok(!existsSync(start.cwd), 'the throw-away directory is gone')
  assert.match((await run(['doctor', '--probe'])).stdout, /^The test run worked/m)
})

test('an answer that is not the asked one is a warning', async (t) => {
  const { report, standIn } = await bench(t)
  const result = { type: 'result', subtype: 'success', is_error: false, result: 'Certainly! PONG' }
  const file = (await standIn({ stdout: [JSON.stringify(result)], exit: 0 })).slice('case:'.length)
  const probe = check(await report(['--probe'], { STANDIN_CASE: file }), 'probe')
  assert.equal(probe.state, 'warning')
  assert.equal(probe.data?.exact, false)
  assert.ok(!JSON.stringify(probe).includes('Certainly'))
})

test('a probe that fails carries the category, the advice and the masked words of a delegation', async (t) => {
  const { report, standIn } = await bench(t)
  const stderr = `Error: Authentication required. Please run 'agent login' first, ${E_MAIL}\n`
  const file = (await standIn({ stderr, exit: 1 })).slice('case:'.length)
  const found = await report(['--probe'], { STANDIN_CASE: file })
  const probe = check(found, 'probe')
  assert.deepEqual([probe.state, probe.category], ['failed', 'not-authenticated'])
  assert.match(probe.nextStep ?? '', /cursor-agent login/)
  assert.ok(probe.details.some((line) => line.includes('Authentication required')))
  assert.ok(!JSON.stringify(found).includes(E_MAIL))
  assert.equal(found.proven, false)
})

test('a probe without a result is stopped at the limit', async (t) => {
  const { report, standIn, mark } = await bench(t)
  const file = (await standIn({ hang: true, ignoreSigterm: true })).slice('case:'.length)
  const found = await report(['--probe', '--limit', '4'], { STANDIN_CASE: file })
  const probe = check(found, 'probe')
  assert.deepEqual([probe.state, probe.category], ['failed', 'timeout'])
  assert.match(probe.summary, /no result within 4 s/)
  await assertNoProcess(mark)
})

test('Ctrl-C ends the check, the CLI and its throw-away directory', async (t) => {
  const { standIn, env, directory, mark } = await bench(t)
  const readyFile = join(directory, 'ready')
  const temporary = join(directory, 'tmp')
  await mkdir(temporary)
  const child = spawn(process.execPath, [MAIN, 'doctor'], {
    cwd: directory,
    env: env({
      STANDIN_STATUS: await standIn({ hang: true, ignoreSigterm: true, readyFile }),
      TMPDIR: temporary,
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
  const stderr = text(child.stderr)
  child.stdout.resume()
  await fileText(readyFile)
  assert.equal(readdirSync(temporary).length, 1)
  child.kill('SIGINT')
  assert.equal(await closed, 130)
  assert.equal(await stderr, 'dsh-subagent-cursor: interrupted by SIGINT\n')
  await assertNoProcess(mark)
  assert.deepEqual(readdirSync(temporary), [])
})

test('a second Ctrl-C does not wait, and still leaves nothing', async (t) => {
  const { standIn, env, directory, mark } = await bench(t)
  const readyFile = join(directory, 'ready')
  const child = spawn(process.execPath, [MAIN, 'doctor', '--json', '--probe'], {
    cwd: directory,
    env: env({
      STANDIN_CASE: (await standIn({ hang: true, ignoreSigterm: true, readyFile })).slice(5),
      // An exit that does not wait leaves its empty directory.
      TMPDIR: directory,
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
  const stdout = text(child.stdout)
  const stderr = text(child.stderr)
  await fileText(readyFile)
  const again = setInterval(() => child.kill('SIGINT'), 50)
  assert.equal(await closed, 130)
  clearInterval(again)
  // The first one alone would end with a message, after the grace.
  assert.deepEqual([await stdout, await stderr], ['', ''])
  // The kill is sent on the way out; the kernel carries it out after.
  await assertNoProcess(mark, 5000)
})

test('a profile is checked as the plugin would: its configuration goes to every check', async (t) => {
  const { profile, report, record } = await bench(t)
  await profile(
    'web',
    `- id: subagent-cursor
  config: { model: gpt-6, permissionMode: ask, env: { CURSOR_API_KEY: a-key-of-the-row } }
`,
  )
  const found = await report(['--profile', 'web', '--probe'])
  assert.equal(found.profile, 'web')
  assert.equal(check(found, 'profile').state, 'passed')
  assert.deepEqual(check(found, 'profile').data, {
    name: 'web',
    installedVersion: '0.1.1',
    rows: [{ id: 'subagent-cursor', enabled: true, valid: true, notEvaluated: [] }],
  })
  const models = check(found, 'models')
  assert.deepEqual([models.state, models.category], ['failed', 'invalid-model'])
  assert.match(models.nextStep ?? '', /Closest: gpt-5, auto\./)
  assert.equal(check(found, 'permission-mode').data?.configured, 'ask')
  const starts = await readStarts(record)
  const delegation = starts.at(-1)
  assert.deepEqual(delegation?.options, {
    print: true,
    'output-format': 'stream-json',
    trust: true,
    model: 'gpt-6',
    mode: 'ask',
    'approve-mcps': true,
  })
  assert.equal(delegation.env['CURSOR_API_KEY'], 'a-key-of-the-row')
  assert.ok(!JSON.stringify(found).includes('a-key-of-the-row'))
})

test("inside a profile's directory, where `dsh plugin exec` runs it, no name is needed", async (t) => {
  const { profile, run } = await bench(t)
  const directory = await profile('web', '[]\n')
  const { stdout, code } = await run(['doctor', '--json'], {}, directory)
  assert.equal(code, 0, stdout)
  assert.equal((JSON.parse(stdout) as Report).profile, 'web')
})

test('a bad row fails with the message that the plugin gives at load', async (t) => {
  const { profile, report } = await bench(t)
  await profile('web', '- id: subagent-cursor\n  config: { permissionMod: ask }\n')
  const found = await report(['--profile', 'web'])
  const { state, summary } = check(found, 'profile')
  assert.equal(state, 'failed')
  assert.match(
    summary,
    /Row subagent-cursor: config has no field `permissionMod`; did you mean `permissionMode`\?/,
  )
  assert.equal(found.ok, false)
})

test('several rows are examined one by one, and the CLI is asked once for what they share', async (t) => {
  const { profile, run, report, record } = await bench(t)
  await profile(
    'web',
    `- insert:
    - id: cursor-ask
      name: dsh-subagent-cursor
      config: { providerName: cursor-ask, toolName: ask_cursor, permissionMode: ask, model: nope }
`,
  )
  const found = await report(['--profile', 'web'])
  const modes = found.checks.filter(({ id }) => id === 'permission-mode')
  assert.deepEqual(
    modes.map(({ instance, data }) => [instance, data]),
    [
      [
        'subagent-cursor',
        { configured: 'trust', supported: ['trust', 'safe', 'yolo', 'plan', 'ask'] },
      ],
      ['cursor-ask', { configured: 'ask', supported: ['trust', 'safe', 'yolo', 'plan', 'ask'] }],
    ],
  )
  const models = found.checks.filter(({ id }) => id === 'models')
  assert.deepEqual(
    models.map(({ instance, state }) => [instance, state]),
    [
      ['subagent-cursor', 'passed'],
      ['cursor-ask', 'failed'],
    ],
  )
  const starts = await readStarts(record)
  assert.deepEqual(
    starts.map(({ action }) => action),
    ['version', 'status', 'models'],
  )
  const { stdout } = await run(['doctor', '--profile', 'web'])
  assert.match(stdout, /^Row subagent-cursor$[^]*^Row cursor-ask$/m)
})

test('`safe` fails on a platform without the sandbox, before anything is started', async (t) => {
  const { home, mark } = await bench(t, { platform: 'win32', node: 'hardlink' })
  const report = await examine({
    config: resolveConfig({ permissionMode: 'safe', env: { [MARK]: mark } }),
    system: {
      ...thisSystem(),
      platform: 'win32',
      home: home.home,
      env: home.env,
      files: { ...thisSystem().files, names: () => [], isFile: () => false },
    },
  })
  const mode = check(report, 'permission-mode')
  assert.deepEqual([mode.state, mode.category], ['failed', 'unsupported-platform'])
  assert.equal(mode.nextStep, 'Set `permissionMode` to one of trust, yolo, plan, ask.')
  assert.deepEqual(mode.data, { configured: 'safe', supported: ['trust', 'yolo', 'plan', 'ask'] })
})

test("the same checks run inside the host, on the host's own processes", async (t) => {
  const { home, mark } = await bench(t)
  const ctx = new Context()
  await ctx.plugin(LocalSubprocessRuntime)
  t.after(() => ctx.fiber.dispose())
  const told: string[] = []
  const report = await diagnose({
    system: { ...thisSystem(), home: home.home, env: home.env },
    config: resolveConfig({ env: { ...home.env, [MARK]: mark } }),
    spawn: (spec) => ctx.subprocess.spawn(spec),
    probe: true,
    onProgress: (event) => {
      told.push(`${event.type} ${event.id}`)
    },
  })
  assert.deepEqual([report.ok, report.proven], [true, true])
  assert.deepEqual(
    told,
    report.checks.flatMap(({ id }) => [`started ${id}`, `finished ${id}`]),
  )
  await assertNoProcess(mark)
})

test('a free plan with a named model is foreseen', async (t) => {
  const { home, mark } = await bench(t)
  const env = {
    ...home.env,
    [MARK]: mark,
    STANDIN_ABOUT_JSON: '{"cliVersion":"2026.10.22-27dcf5f","subscriptionTier":"Free"}',
  }
  const system = { ...thisSystem(), home: home.home, env: home.env }
  const named = await examine({ system, config: resolveConfig({ model: 'gpt-5', env }) })
  assert.equal(check(named, 'models').state, 'warning')
  assert.match(check(named, 'models').summary, /free plan/)
  const auto = await examine({ system, config: resolveConfig({ model: 'auto', env }) })
  assert.equal(check(auto, 'models').state, 'passed')
})

test('a key in the configuration may replace the login', async (t) => {
  const { home, mark } = await bench(t)
  const report = await examine({
    system: { ...thisSystem(), home: home.home, env: home.env },
    config: resolveConfig({
      env: {
        ...home.env,
        [MARK]: mark,
        STANDIN_STATUS: 'Not logged in',
        CURSOR_API_KEY: 'some-key',
      },
    }),
  })
  assert.equal(check(report, 'login').state, 'warning')
})

test('an ambient key is told not to reach the CLI', async (t) => {
  const { report } = await bench(t)
  const login = check(await report([], { CURSOR_API_KEY: 'ambient-key-value' }), 'login')
  assert.ok(login.details.some((line) => line.includes('CURSOR_API_KEY is set here, but DSH')))
})

test('a home, an address and a key in anything the CLI says do not get out', async (t) => {
  const { standIn, home, run } = await bench(t)
  const secrets = `${E_MAIL} in ${home.home}/.cursor with key_0123456789abcdef0123 at https://user:pw@proxy.example:1`
  const said = await standIn({ stdout: [secrets], stderr: `${secrets}\n`, exit: 3 })
  const env = {
    STANDIN_STATUS: said,
    STANDIN_MODELS: said,
    STANDIN_CASE: said.slice('case:'.length),
    HTTPS_PROXY: 'http://user:proxy-password@proxy.example:3128',
  }
  for (const form of [[], ['--json']]) {
    const { stdout, stderr, code } = await run(['doctor', '--probe', ...form], env)
    assert.equal(code, 1)
    assert.match(stdout, /<email>/)
    assert.match(stdout, /HTTPS_PROXY/)
    for (const secret of [E_MAIL, home.home, '0123456789abcdef', 'user:pw', 'proxy-password']) {
      assert.ok(!(stdout + stderr).includes(secret), secret)
    }
  }
})

test('text fits a narrow terminal and keeps states as words', async (t) => {
  const { run } = await bench(t)
  for (const columns of [20, 40, 72]) {
    const { stdout } = await run(['doctor'], { COLUMNS: String(columns) })
    // A command stays whole, so that it can be copied.
    const lines = stdout.split('\n').filter((line) => !line.startsWith('  dsh-subagent-cursor'))
    const widest = Math.max(...lines.map((line) => line.length))
    assert.ok(widest <= columns, `${widest} > ${columns}`)
    assert.match(stdout, /^ok +Login/m)
  }
})

test('colour is only where it is wanted, and the rest is plain ASCII', async (t) => {
  const { run } = await bench(t)
  const coloured = await run(['doctor'], { FORCE_COLOR: '1' })
  assert.match(coloured.stdout, /\u001b\[32mok/)
  for (const env of [{}, { FORCE_COLOR: '1', NO_COLOR: '1' }]) {
    const { stdout } = await run(['doctor'], env)
    // oxlint-disable-next-line no-control-regex -- that there are none is what is tested.
    assert.match(stdout, /^[\n\x20-\x7e]*$/)
  }
})

test('wrong usage exits 2 with help, and --version and --help exit 0', async (t) => {
  const { run } = await bench(t)
  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [[], /a command is missing[^]*Commands:[^]*doctor/],
    [['doctr'], /unknown command 'doctr'[^]*Did you mean doctor\?/],
    [['doctor', '--prob'], /unknown option '--prob'[^]*Did you mean --probe\?/],
    [['doctor', '--limit', 'soon'], /number of seconds above 0/],
    [['doctor', 'extra'], /too many arguments/],
  ]
  for (const [args, message] of wrong) {
    const { code, stdout, stderr } = await run(args)
    assert.deepEqual([code, stdout], [2, ''], args.join(' '))
    assert.match(stderr, message)
  }
  const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string }
  assert.deepEqual(await run(['--version']), {
    code: 0,
    stdout: `${version}\n`,
    stderr: '',
  })
  assert.equal((await run(['doctor', '--help'])).code, 0)
})

/** A check inside this process, with the platform or the configuration given. */
async function examine(options: Omit<DiagnoseOptions, 'spawn'>): Promise<Report> {
  const processes = localProcesses()
  return jsonReport(await diagnose({ ...options, spawn: processes.spawn }))
}
