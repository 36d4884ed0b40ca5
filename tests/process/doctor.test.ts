// The command `dsh-subagent-cursor doctor` as a person runs it: a process of its own, in a
// throw-away home, with the stand-in CLI behind it. How single outputs of the CLI are understood is
// tests/unit/account.test.ts; what a profile's files mean is tests/unit/doctor.test.ts.
import assert from 'node:assert/strict'
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Context } from '@deepseek-ai/cordis'
import { LocalSubprocessRuntime } from '@deepseek-ai/dsh-subprocess-local'
import { resolveConfig, type Config } from '../../src/config/config.ts'
import { sandboxArguments, sandboxPolicy } from '../../src/cursor/sandbox.ts'
import { thisSystem, type System } from '../../src/cursor/system.ts'
import { diagnose, type DiagnoseOptions } from '../../src/doctor/diagnose.ts'
import { CHECK_IDS, type CheckId, type DataOf } from '../../src/doctor/checks.ts'
import { jsonReport } from '../../src/doctor/report.ts'
import { localProcesses } from '../../src/doctor/local-processes.ts'
import { writeCaseFile, type RunCase } from '../support/cases.ts'
import { makeHome, makeInstall, type InstallOptions, type TestHome } from '../support/install.ts'
import { assertNoProcess, fileText, killMarked, MARK, newMark } from '../support/processes.ts'
import { readStarts, type StandInCase } from '../support/record.ts'

const MAIN = fileURLToPath(new URL('../../src/doctor/main.ts', import.meta.url))
type Report = ReturnType<typeof jsonReport>

const E_MAIL = 'someone@example.com'

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface Started {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
}

interface Bench {
  readonly home: TestHome
  readonly directory: string
  readonly record: string
  readonly mark: string
  /** The STANDIN variables for what the CLI's commands say; a case stands for its file. */
  answering(cli: Answers): Promise<Record<string, string>>
  start(args: readonly string[], extra?: NodeJS.ProcessEnv, cwd?: string): Started
  run(...of: Parameters<Bench['start']>): Promise<Ended>
  /** Runs with `--json`. */
  report(args?: readonly string[], extra?: NodeJS.ProcessEnv): Promise<Report>
  /** Runs in this process, with `env` in the row's own. */
  examine(options?: Examined): Promise<Report>
  /** Writes `$DSH_HOME/profiles/<name>` as `dsh plugin add` leaves it, with the user's own rows. */
  profile(name: string, patch: string): Promise<string>
}

interface Examined extends Pick<
  DiagnoseOptions,
  'probe' | 'listModels' | 'limitMs' | 'onRecorded'
> {
  readonly config?: Config
  /** STANDIN variables, over those of `config`. */
  readonly env?: Readonly<Record<string, string>>
  readonly system?: Partial<System>
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
    async answering(cli) {
      const env: Record<string, string> = {}
      for (const [name, answer] of Object.entries(cli)) {
        const said =
          typeof answer === 'string'
            ? answer
            : await writeCaseFile(join(directory, 'cases'), `case-${++cases}`, answer)
        const isFile = typeof answer === 'object' && name !== 'CASE'
        env[`STANDIN_${name}`] = isFile ? `case:${said}` : said
      }
      return env
    },
    start(args, extra = {}, cwd = directory) {
      const child = spawn(process.execPath, [MAIN, ...args], {
        cwd,
        env: {
          PATH: process.env['PATH'],
          ...home.env,
          [MARK]: mark,
          STANDIN_RECORD: record,
          ...extra,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
      const said = [text(child.stdout), text(child.stderr), closed] as const
      const ended = Promise.all(said).then(([stdout, stderr, code]) => ({ code, stdout, stderr }))
      return { child, ended }
    },
    run: (...of) => made.start(...of).ended,
    async report(args = [], extra) {
      const { stdout, stderr, code } = await made.run(['doctor', '--json', ...args], extra)
      assert.notEqual(stdout, '', stderr)
      const report = JSON.parse(stdout) as Report
      assert.equal(code, report.ok ? 0 : 1)
      return report
    },
    async examine({ config, env, system, limitMs, ...options } = {}) {
      const report = await diagnose({
        system: { ...thisSystem(), home: home.home, env: home.env, ...system },
        spawn: localProcesses().spawn,
        config: resolveConfig({
          ...config,
          env: { ...home.env, [MARK]: mark, STANDIN_RECORD: record, ...config?.env, ...env },
        }),
        ...(limitMs !== undefined && { limitMs, probeLimitMs: limitMs }),
        ...options,
      })
      await assertNoProcess(mark)
      return jsonReport(report)
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
): Report['checks'][number] & { readonly data: DataOf<Id> | null } {
  const found = report.checks.find((each) => each.id === id)
  assert.ok(found, `no check ${id}`)
  return found as ReturnType<typeof check<Id>>
}

/** `state kind`, with the category where there is one. */
const told = (report: Report, id: CheckId): string[] =>
  report.checks
    .filter((each) => each.id === id)
    .map(({ state, kind, category }) => [state, kind, category ?? ''].join(' ').trim())

const LOGGED_OUT = "Error: Authentication required. Please run 'agent login' first"

type Answers = Readonly<Record<string, string | StandInCase>>

interface Answer {
  readonly what: string
  /** What the CLI's commands say; a case stands for its file. */
  readonly cli?: Answers
  readonly config?: Config
  readonly probe?: true
  readonly limitMs?: number
  readonly system?: Partial<System>
  /** Changes the home with its whole install. */
  readonly change?: (home: TestHome) => Promise<unknown>
  /** Findings of the checks that matter. */
  readonly expected: Partial<Record<CheckId, readonly string[]>>
  /** Summary, next step and details of a check, each on a line. */
  readonly says?: Partial<Record<CheckId, RegExp>>
  /** Stands nowhere in the report. */
  readonly hidden?: string
  readonly see?: (report: Report) => void
}

const RESULT = { type: 'result', subtype: 'success', is_error: false }
const HANGS: StandInCase = {
  hang: true,
  ignoreSigterm: true,
  stdout: [`waiting for ${E_MAIL}`],
  helper: 'holds-pipes',
}

const answers: readonly Answer[] = [
  {
    what: 'a login without details passes with a warning',
    cli: { STATUS: '✓ Login successful!\nLogged in (unable to fetch user details)' },
    expected: { login: ['warning details-missing'], models: ['passed models-offered'] },
  },
  {
    what: 'logged out, the same is not told of the models',
    cli: { STATUS: 'Not logged in', MODELS: { stderr: LOGGED_OUT, exit: 1 } },
    expected: {
      login: ['failed logged-out not-authenticated'],
      models: ['skipped same-cause not-authenticated'],
    },
    says: { login: /cursor-agent login/ },
  },
  {
    what: 'a key of the row may replace the login',
    cli: { STATUS: 'Not logged in' },
    config: { env: { CURSOR_API_KEY: 'some-key' } },
    expected: { login: ['warning own-key'] },
  },
  {
    what: 'a test run that works says more of the login than `status`',
    cli: { STATUS: 'Not logged in' },
    probe: true,
    expected: { login: ['passed login-proven'], probe: ['passed run-works'] },
    see: (report) => assert.deepEqual([report.ok, report.proven], [true, true]),
  },
  {
    what: 'no models means a probable logout, not an empty success',
    cli: { MODELS: 'No models available for this account.' },
    expected: { models: ['failed no-models not-authenticated'] },
  },
  {
    what: 'a model that is not offered is told with the closest',
    config: { model: 'gpt-6' },
    expected: { models: ['failed model-not-offered invalid-model'] },
    says: { models: /Closest: gpt-5, auto\./ },
  },
  {
    what: 'a free plan with a named model is foreseen',
    cli: { ABOUT_JSON: '{"cliVersion":"2026.10.22-27dcf5f","subscriptionTier":"Free"}' },
    config: { model: 'gpt-5' },
    expected: { models: ['warning free-plan'] },
  },
  {
    what: 'a free plan without one is no trouble',
    cli: { ABOUT_JSON: '{"subscriptionTier":"Free"}' },
    config: { model: 'auto' },
    expected: { models: ['passed model-offered'] },
  },
  {
    what: 'a version from before --trust is a warning',
    cli: { VERSION: '2026.1.28-fd13201' },
    expected: { version: ['warning old-version'] },
    says: { version: /cursor-agent update/ },
  },
  {
    what: "another product's program gets no further question",
    cli: { VERSION: '1.0.44' },
    probe: true,
    expected: {
      version: ['failed not-cursor'],
      login: ['skipped not-checked'],
      models: ['skipped not-checked'],
      probe: ['skipped not-checked'],
    },
    says: { probe: /^Version failed$/m },
  },
  {
    what: 'a bundled Node that cannot run is a broken install, with its whole reason',
    cli: {
      VERSION: {
        stderr: "./node: /lib/libc.so.6: version `GLIBC_2.28' not found (required by ./node)\n",
        exit: 1,
      },
    },
    expected: { version: ['failed broken-install broken-install'], login: ['skipped not-checked'] },
    says: { version: /GLIBC_2\.28' not found/ },
  },
  {
    what: "a command that fails for an unknown reason shows the CLI's own words",
    cli: { MODELS: { stderr: 'Nobody has seen this before.\n', exit: 3 } },
    expected: { models: ['failed command-failed'] },
    says: { models: /exit code 3\.\n.*\nNobody has seen this before\.$/ },
  },
  {
    what: 'a command that never ends is stopped at the limit, with what it ignores',
    cli: { STATUS: HANGS },
    limitMs: 4000,
    expected: { login: ['failed command-timeout timeout'], models: ['passed models-offered'] },
    says: { login: /did not end within 4 s.*\n.*\nwaiting for <email>$/ },
  },
  {
    what: 'a test run without a result is stopped at the limit, and the line to try by hand is that of the row',
    cli: { CASE: { hang: true, ignoreSigterm: true } },
    config: {
      permissionMode: 'ask',
      model: 'gpt-5',
      approveMcps: false,
      extraArgs: ['--api-key', 'a key of 9'],
    },
    probe: true,
    limitMs: 4000,
    expected: { probe: ['failed run-too-slow timeout'] },
    says: {
      probe:
        /no result within 4 s[^]*\/cursor-agent -p --output-format stream-json --trust --model gpt-5 --mode ask --api-key "<secret>" "Reply with exactly: PONG"`/,
    },
  },
  {
    what: 'a test run that reaches a limit of the row is told by that limit',
    cli: { CASE: { hang: true } },
    config: { stallTimeoutMs: 1500 },
    probe: true,
    limitMs: 20000,
    expected: { probe: ['failed timeout timeout'] },
    see: (report) => assert.match(check(report, 'probe').summary, /stallTimeoutMs/),
  },
  {
    what: 'an answer that is not the asked one is a warning, and is not shown',
    cli: { CASE: { stdout: [JSON.stringify({ ...RESULT, result: 'Certainly! PONG' })], exit: 0 } },
    probe: true,
    expected: { probe: ['warning run-not-exact'] },
    hidden: 'Certainly',
  },
  {
    what: "a test run that fails has a delegation's category and advice, and the masked words of the CLI",
    cli: { CASE: { stderr: `${LOGGED_OUT}, ${E_MAIL}\n`, exit: 1 } },
    probe: true,
    expected: { probe: ['failed not-authenticated not-authenticated'] },
    says: { probe: /cursor-agent login.*\nAuthentication required/ },
    hidden: E_MAIL,
    see: ({ proven }) => assert.equal(proven, false),
  },
  {
    what: 'a test run that fails for an unknown reason does not advise a test run',
    cli: { CASE: { stderr: 'Nobody has seen this before.\n', exit: 3 } },
    probe: true,
    expected: { probe: ['failed no-result no-result'] },
    says: { probe: /--probe --record case\.json`[^]*\nNobody has seen this before\.$/m },
    hidden: 'Run `{doctor} --probe`',
  },
  {
    what: 'what the CLI prints is read without its source code',
    cli: {
      MODELS: {
        stderr: `/x/index.js:2\nvar a="${'x'.repeat(3000)} Cannot use this model: "+e\n${' '.repeat(9)}^\n\nError: [unavailable] getaddrinfo ENOTFOUND api2.cursor.sh\n    at f (/x/index.js:2:1)\n`,
        exit: 1,
      },
    },
    expected: { models: ['failed network network'] },
    hidden: 'xxxx',
  },
  {
    what: '`safe` fails on Windows before anything is started',
    config: { permissionMode: 'safe' },
    system: {
      platform: 'win32',
      files: { ...thisSystem().files, names: () => [], isFile: () => false },
    },
    expected: {
      install: ['failed cli-not-found cli-not-found'],
      'permission-mode': ['failed mode-not-here unsupported-platform'],
    },
    says: {
      'permission-mode': /^Set `permissionMode` to one of trust, yolo, plan, ask\.$/m,
      install: /`irm 'https:\/\/cursor\.com\/install/,
    },
  },
  {
    what: 'a deployment whose sessions refuse the mode is told',
    system: { env: { DSH_PERMISSION_MODE: 'read-only' } },
    expected: { 'permission-mode': ['warning mode-refused'] },
  },
  {
    what: 'no CLI is told with the command that installs it',
    change: async ({ dataDirectory, home }) => {
      await rm(dataDirectory, { recursive: true })
      await rm(join(home, '.local', 'bin'), { recursive: true })
    },
    expected: {
      install: ['failed cli-not-found cli-not-found'],
      version: ['skipped not-checked'],
    },
    says: { install: /Install it: `curl https:\/\/cursor\.com\/install -fsS \| bash`/ },
  },
  {
    what: 'a half-written newest version is passed over, and said',
    change: async ({ dataDirectory: root }) => {
      await makeInstall({ root, version: '2026.11.2-abc1234', index: false })
      await makeInstall({ root, version: '2026.9.30-0123abc' })
    },
    expected: {
      install: ['warning half-written'],
      version: ['passed version-ok'],
    },
    says: {
      install:
        /^~\S+2026\.10\.22-27dcf5f; the newest version beside it is not complete.*newest usable of 3 versions/s,
    },
  },
  {
    what: 'an install with nothing usable is a broken one',
    change: async ({ install }) => rm(install.indexPath),
    expected: {
      install: ['failed broken-install broken-install'],
      version: ['skipped not-checked'],
    },
    says: { install: /cannot run: .*index\.js.*versions\/2026\.10\.22-27dcf5f: /s },
  },
  {
    what: 'a `cliPath` that names nothing is told as that',
    config: { cliPath: '/nowhere/cursor-agent' },
    expected: {
      install: ['failed cli-path-needless cli-not-found'],
      version: ['skipped not-checked'],
    },
    says: {
      install:
        /`cliPath`: nothing there[^]*a complete install is in ~\/\.local\/share\/cursor-agent\/versions\//,
    },
  },
  ...(['trust', 'yolo'] as const).map((permissionMode): Answer => ({
    what: `what the user has allowed in Cursor itself, of the mode ${permissionMode}`,
    async change({ home }) {
      await mkdir(join(home, '.cursor'))
      await writeFile(join(home, '.cursor', 'cli-config.json'), '{"approvalMode":"unrestricted"}')
    },
    config: { permissionMode },
    expected: {
      'permission-mode': [
        permissionMode === 'trust' ? 'warning cli-unrestricted' : 'passed mode-ok',
      ],
    },
    ...(permissionMode === 'trust' && {
      says: {
        'permission-mode':
          /^~\/\.cursor\/cli-config\.json says approvalMode "unrestricted".*so trust does not hold/,
      },
    }),
  })),
  {
    what: "a relative place for the CLI's configuration, since it lies in the workspace",
    config: { permissionMode: 'trust', env: { CURSOR_CONFIG_DIR: 'conf' } },
    expected: { 'permission-mode': ['warning cli-config-relative'] },
    says: { 'permission-mode': / at conf\/cli-config\.json / },
  },
]

describe('what the CLI answers', { concurrency: 4 }, () => {
  for (const { what, cli = {}, change, expected, says, hidden, see, ...options } of answers) {
    test(what, async (t) => {
      const { examine, answering, home, record } = await bench(t)
      await change?.(home)
      const report = await examine({ ...options, env: await answering(cli) })
      for (const id of CHECK_IDS) {
        if (expected[id]) assert.deepEqual(told(report, id), expected[id], id)
        if (says?.[id] === undefined) continue
        const { summary, nextStep, details } = check(report, id)
        assert.match([summary, nextStep, ...details].join('\n'), says[id])
      }
      for (const secret of [home.home, ...(hidden === undefined ? [] : [hidden])]) {
        assert.ok(!JSON.stringify(report).includes(secret), secret)
      }
      const starts = await readStarts(record)
      const isAsked = check(report, 'login').state !== 'skipped'
      assert.equal(starts.length > 1, isAsked)
      see?.(report)
    })
  }
})

test('a terminal that runs another version is told, unless `cliPath` says so', async (t) => {
  const { examine, home } = await bench(t)
  await makeInstall({ root: home.dataDirectory, version: '2026.11.2-abc1234' })
  const env = { PATH: dirname(home.binLink) }
  const differs = await examine({ system: { env }, env: { STANDIN_VERSION: '2026.11.2-abc1234' } })
  assert.deepEqual(told(differs, 'version'), ['passed version-ok', 'warning version-differs'])
  const summaries = differs.checks.map(({ summary }) => summary).join('\n')
  assert.match(summaries, /use 2026\.11\.2-abc1234, while .* runs 2026\.10\.22-27dcf5f/)
  const chosen = await examine({ system: { env }, config: { cliPath: home.install.directory } })
  assert.deepEqual(told(chosen, 'version'), ['passed version-ok'])
})

/** The engine's own helper; its exit on this machine is whatever this machine allows. */
const SANDBOX = fileURLToPath(
  new URL('../../node_modules/@cursor/sdk-linux-x64/bin/cursorsandbox', import.meta.url),
)

const sandboxes: readonly (readonly [string, string, string, RegExp | undefined])[] = [
  [
    'exit 2',
    'echo "Landlock error: not here" >&2; exit 2',
    'failed sandbox-unavailable sandbox-unavailable',
    /Landlock error: not here/,
  ],
  ['exit 0', 'exit 0', 'passed sandbox-works', undefined],
  ['any other exit', 'echo odd >&2; exit 7', 'warning sandbox-unknown', /odd/],
  ['a check that hangs', 'exec sleep 60', 'warning sandbox-unknown', undefined],
]

describe('the sandbox on Linux', { concurrency: 4, skip: process.platform !== 'linux' }, () => {
  const safe = { permissionMode: 'safe' } as const

  for (const [what, script, expected, said] of sandboxes) {
    test(`the install's own check is asked: ${what}`, async (t) => {
      const { examine, home, directory } = await bench(t)
      const asked = join(directory, 'asked')
      await writeFile(
        join(home.install.directory, 'cursorsandbox'),
        `#!/bin/sh\necho "$@" > ${asked}; cat "$2" >> ${asked}\n${script}\n`,
        { mode: 0o755 },
      )
      const report = await examine({ config: safe, limitMs: 3000 })
      assert.deepEqual(told(report, 'permission-mode'), [expected])
      if (said !== undefined) assert.match(check(report, 'permission-mode').details[0] ?? '', said)
      const [argv = '', policy = ''] = (await readFile(asked, 'utf8')).split('\n')
      assert.match(argv, /^--policy \S+ --preflight-only -- \/bin\/true$/)
      assert.equal(
        (JSON.parse(policy) as { sandbox: { type: string } }).sandbox.type,
        'workspace_readwrite',
      )
    })
  }

  test('the real helper answers what it answers, and is understood', async (t) => {
    const { examine, home, directory } = await bench(t)
    await copyFile(SANDBOX, join(home.install.directory, 'cursorsandbox'))
    const policy = join(directory, 'policy.json')
    await writeFile(policy, sandboxPolicy(directory))
    const { status } = spawnSync(SANDBOX, sandboxArguments(policy), { stdio: 'ignore' })
    assert.ok(status === 0 || status === 2, `the real helper ended with ${status}`)
    const report = await examine({ config: safe })
    assert.deepEqual(told(report, 'permission-mode'), [
      status === 0 ? 'passed sandbox-works' : 'failed sandbox-unavailable sandbox-unavailable',
    ])
  })

  test('an install without the helper leaves it to a run', async (t) => {
    const report = await (await bench(t)).examine({ config: safe })
    assert.deepEqual(told(report, 'permission-mode'), ['warning sandbox-unknown'])
  })
})

describe('a recording becomes a case that passes', { concurrency: 2 }, () => {
  const secret = 'the-secret-words-of-the-agent'
  const line = (event: object): string => JSON.stringify(event)
  const runs: Readonly<Record<string, readonly [StandInCase, RunCase['want']]>> = {
    'a good answer': [
      {
        stdout: [
          line({ type: 'system', subtype: 'init', cwd: `/home/${secret}`, session_id: secret }),
          'MCP server started',
          line({
            type: 'tool_call',
            subtype: 'started',
            tool_call: { readToolCall: { args: { path: secret } } },
          }),
          line({ type: 'assistant', message: { content: [{ type: 'text', text: secret }] } }),
          line({ ...RESULT, result: secret, usage: { inputTokens: 9, outputTokens: 1 } }),
        ],
        exit: 0,
      },
      { stop: 'completed', answer: 'x'.repeat(secret.length) },
    ],
    'a failure with words': [
      {
        stdout: [line({ type: 'system', subtype: 'init', cwd: secret })],
        stderr: `Error: You've hit your usage limit. ${E_MAIL}\n`,
        exit: 1,
      },
      { stop: 'error', category: 'usage-limit' },
    ],
    'an error result, and a broken last line': [
      {
        stdout: [line({ ...RESULT, is_error: true, result: secret }), `{"type":"assis${secret}`],
        no_final_newline: true,
        exit: 1,
      },
      { stop: 'error', category: 'agent-error' },
    ],
    'a run that never ends': [
      { stdout: [line({ type: 'system', subtype: 'init', cwd: secret })], hang: true },
      { stop: 'error', category: 'timeout' },
    ],
  }
  for (const [what, [item, want]] of Object.entries(runs)) {
    test(what, async (t) => {
      const { examine, answering, directory } = await bench(t)
      const recordings: object[] = []
      const env = await answering({ CASE: item })
      const options = { probe: true, limitMs: item.hang ? 3000 : 20_000 } as const
      await examine({ ...options, env, onRecorded: (recording) => recordings.push(recording) })
      const file = join(directory, 'recording.jsonl')
      const cases = join(directory, 'cases.jsonl')
      await writeFile(file, recordings.map((each) => `${JSON.stringify(each)}\n`).join(''))
      await writeFile(cases, `${JSON.stringify({ id: 'taken' })}\n`)
      const add = fileURLToPath(new URL('../../scripts/add-case.ts', import.meta.url))
      for (const id of ['new', 'taken']) {
        const { status, stderr } = spawnSync(process.execPath, [add, file, id, cases], {
          encoding: 'utf8',
        })
        assert.equal(status, 0, stderr)
      }
      const written = await readFile(cases, 'utf8')
      for (const kept of [secret, E_MAIL]) assert.ok(!written.includes(kept), kept)
      const [, added, again] = written
        .split('\n')
        .filter(Boolean)
        .map((each) => JSON.parse(each) as RunCase)
      assert.deepEqual([added?.id, again?.id], ['new', 'taken-2'])
      assert.deepEqual(added?.want, want)
      // The same finding again, from the case alone.
      const replayed = await answering({ CASE: added ?? assert.fail() })
      const report = await examine({ ...options, env: replayed })
      const { category, data } = check(report, 'probe')
      assert.equal(category, want.category ?? null)
      if (want.stop === 'completed') {
        assert.deepEqual([data?.exact, data?.inputTokens], [false, 9])
        assert.match(written, /MCP server started/)
        assert.match(written, /readToolCall/)
      }
    })
  }
})

describe('the command', { concurrency: 4 }, () => {
  test('a healthy machine passes every check, and the text says that this is no proof', async (t) => {
    const { run, home } = await bench(t)
    const { code, stdout, stderr } = await run(['doctor'])
    assert.equal(code, 0, stdout + stderr)
    assert.match(stdout, /^ok +Install +~\/\S+\/2026\.10\.22-27dcf5f$/m)
    assert.match(
      stdout,
      /\n\nNothing is known to stop a delegation: 8 checks passed\.\nOnly a test run proves that delegations work/,
    )
    // One line a check, of nothing but ASCII and without colours.
    assert.equal(stdout.split('\n').filter((line) => line.startsWith('ok ')).length, 8)
    assert.match(stdout, /\n\nok [^]*\nskip  Not checked: DSH, Profile \(only with --profile\)\n$/)
    assert.equal(stdout.trimEnd().split('\n').length, 7 + 8 + 1)
    // oxlint-disable-next-line no-control-regex -- that there are none is what is tested.
    assert.match(stdout, /^[\n\x20-\x7e]*$/)
    assert.doesNotMatch(stdout, new RegExp(E_MAIL))
    assert.ok(!stdout.includes(home.home))
    assert.equal(stderr, '')
  })

  test("it speaks the locale's language, and --lang's before that", async (t) => {
    const { run } = await bench(t)
    const locale = { LANG: 'zh_CN.UTF-8', FORCE_COLOR: '1' }
    const [chinese, english, help] = await Promise.all([
      run(['doctor'], locale),
      run(['doctor', '--lang', 'en'], { ...locale, NO_COLOR: '1' }),
      run(['doctor', '--help'], locale),
    ])
    assert.match(chinese.stdout, /8 项检查全部通过/)
    assert.match(chinese.stdout, /\u001b\[32m正常/)
    assert.match(english.stdout, /^ok +Login +Logged in$/m)
    assert.match(help.stdout, /^用法：[^]*选项：[^]*列出账号可用的模型[^]*显示这份帮助/)
    assert.doesNotMatch(help.stdout, /Usage|Options|choices|default|display/)
    assert.deepEqual([chinese.code, english.code, help.code], [0, 0, 0])
  })

  test('the JSON form is one object with stable fields; the commands have the program and the environment of a delegation', async (t) => {
    const { report, record, home } = await bench(t)
    const healthy = await report(['--probe', '--models', '--lang', 'zh'], {
      NODE_OPTIONS: '--no-warnings',
      CURSOR_API_KEY: 'ambient-key',
    })
    const fields = (value: object): string => Object.keys(value).join(' ')
    assert.equal(fields(healthy), 'schemaVersion plugin profile ok proven checks')
    assert.deepEqual([healthy.schemaVersion, healthy.ok, healthy.proven], [1, true, true])
    assert.equal(
      healthy.checks.map(({ id }) => id).join(' '),
      'platform install config permission-mode proxy version login models probe',
    )
    for (const each of healthy.checks) {
      assert.equal(
        fields(each),
        'id instance durationMs state kind summary details nextStep category data',
      )
      assert.equal(each.state, 'passed', each.id)
      assert.notEqual(each.data, null)
      assert.match(each.summary, /^[\x20-\x7e]+$/)
    }
    assert.deepEqual(check(healthy, 'models').data, {
      count: 2,
      default: 'auto',
      current: 'auto',
      configured: null,
      configuredIsOffered: null,
      closest: [],
      list: [
        { id: 'auto', label: 'Auto' },
        { id: 'gpt-5', label: 'GPT-5' },
      ],
    })
    assert.ok(
      check(healthy, 'login').details.some((each) => each.includes('CURSOR_API_KEY is set here')),
    )
    const { firstEventMs, resultMs, ...rest } = check(healthy, 'probe').data ?? assert.fail()
    assert.deepEqual(rest, { exact: true, inputTokens: 9880, outputTokens: 9 })
    assert.ok(firstEventMs !== null && firstEventMs > 0 && firstEventMs <= resultMs)
    const starts = await readStarts(record)
    assert.deepEqual(
      starts.map(({ action }) => action),
      ['version', 'status', 'models', 'run'],
    )
    const delegation = starts.at(-1) ?? assert.fail()
    const argv = ['-p', '--output-format', 'stream-json', '--trust', '--approve-mcps']
    assert.deepEqual(delegation.argv, [...argv, 'Reply with exactly: PONG'])
    assert.ok(!existsSync(delegation.cwd), 'the throw-away directory is gone')
    for (const start of starts) {
      assert.equal(start.entry, home.install.indexPath)
      assert.deepEqual(start.execArgv, ['--use-system-ca'])
      assert.deepEqual(start.env, delegation.env)
      assert.deepEqual(
        [start.env['NODE_OPTIONS'], start.env['CURSOR_API_KEY']],
        [undefined, undefined],
      )
    }
  })

  test('Ctrl-C ends the check, the CLI and its throw-away directory', async (t) => {
    const { answering, start, directory, mark } = await bench(t)
    const readyFile = join(directory, 'ready')
    const temporary = join(directory, 'tmp')
    await mkdir(temporary)
    const hangs = await answering({ STATUS: { hang: true, ignoreSigterm: true, readyFile } })
    const { child, ended } = start(['doctor'], { ...hangs, TMPDIR: temporary })
    await fileText(readyFile)
    assert.equal(readdirSync(temporary).length, 1)
    child.kill('SIGINT')
    const stderr = 'dsh-subagent-cursor: interrupted by SIGINT\n'
    assert.deepEqual(await ended, { code: 130, stdout: '', stderr })
    await assertNoProcess(mark)
    assert.deepEqual(readdirSync(temporary), [])
  })

  test('a second Ctrl-C does not wait, and still leaves nothing', async (t) => {
    const { answering, start, directory, mark } = await bench(t)
    const readyFile = join(directory, 'ready')
    const hangs = await answering({ CASE: { hang: true, ignoreSigterm: true, readyFile } })
    // An exit that does not wait leaves its empty directory.
    const { child, ended } = start(['doctor', '--json', '--probe'], { ...hangs, TMPDIR: directory })
    await fileText(readyFile)
    const again = setInterval(() => child.kill('SIGINT'), 50)
    // The first one alone would end with a message, after the grace.
    assert.deepEqual(await ended, { code: 130, stdout: '', stderr: '' })
    clearInterval(again)
    // The kill is sent on the way out; the kernel carries it out after.
    await assertNoProcess(mark, 5000)
  })

  test("a profile's configuration goes to every check, and its directory names it", async (t) => {
    const { profile, run, record } = await bench(t)
    const directory = await profile(
      'web',
      `- id: subagent-cursor
  config: { model: gpt-5, permissionMode: ask, env: { CURSOR_API_KEY: a-key-of-the-row } }
`,
    )
    const { stdout, code } = await run(['doctor', '--json', '--probe'], {}, directory)
    assert.equal(code, 0, stdout)
    const found = JSON.parse(stdout) as Report
    assert.equal(found.profile, 'web')
    assert.deepEqual(check(found, 'profile').data, {
      name: 'web',
      installedVersion: '0.1.1',
      rows: [{ id: 'subagent-cursor', enabled: true, valid: true, notEvaluated: [] }],
    })
    assert.equal(check(found, 'permission-mode').data?.configured, 'ask')
    const delegation = (await readStarts(record)).at(-1)
    assert.deepEqual(delegation?.options, {
      print: true,
      'output-format': 'stream-json',
      trust: true,
      model: 'gpt-5',
      mode: 'ask',
      'approve-mcps': true,
    })
    assert.equal(delegation.env['CURSOR_API_KEY'], 'a-key-of-the-row')
    assert.ok(!stdout.includes('a-key-of-the-row'))
  })

  test('several rows: what they share is asked once and told once', async (t) => {
    const { profile, run, record } = await bench(t)
    await profile(
      'web',
      `- insert:
    - id: cursor-ask
      name: dsh-subagent-cursor
      config: { providerName: cursor-ask, toolName: ask_cursor, permissionMode: ask, model: nope }
`,
    )
    const { stdout, code } = await run(['doctor', '--profile', 'web'])
    assert.equal(code, 1)
    const starts = await readStarts(record)
    assert.deepEqual(
      starts.map(({ action }) => action),
      ['version', 'status', 'models'],
    )
    const [shared = '', first = '', second = ''] = stdout.split(/^Row .*$/m)
    assert.equal(stdout.match(/^ok +Login/gm)?.length, 1)
    assert.match(shared, /^ok +Profile +web loads version 0\.1\.1 with 2 rows$/m)
    assert.match(shared, /^ok +Login/m)
    assert.match(first, /^ok +Mode +trust/m)
    assert.match(second, /^ok +Mode +ask/m)
    assert.match(second, /^FAIL +Models +The configured model nope is not among/m)
  })

  test('a bad row fails, and nothing that depends on one is looked at', async (t) => {
    const { profile, report } = await bench(t)
    await profile('web', '- id: subagent-cursor\n  config:\n    permissionMod: ask\n')
    const found = await report(['--profile', 'web', '--probe'])
    assert.deepEqual(told(found, 'profile'), ['failed bad-field'])
    assert.match(
      check(found, 'profile').summary,
      /cordis\.patch\.yml:3: config has no field `permissionMod`/,
    )
    assert.deepEqual(told(found, 'permission-mode'), ['skipped not-checked'])
    assert.deepEqual(told(found, 'probe'), ['skipped not-checked'])
    assert.equal(found.ok, false)
  })

  test('--record writes the case, and a file that cannot be written costs no run', async (t) => {
    const { run, record, directory } = await bench(t)
    const file = join(directory, 'case.jsonl')
    const recorded = await run(['doctor', '--record', file])
    assert.deepEqual([recorded.code, recorded.stderr.includes(file)], [0, true])
    const item = JSON.parse(await readFile(file, 'utf8')) as RunCase
    assert.deepEqual(item.want, { stop: 'completed', answer: 'xxxx' })
    await rm(record)
    const refused = await run(['doctor', '--record', join(directory, 'none', 'case.jsonl')])
    assert.equal(refused.code, 2)
    assert.match(refused.stderr, /cannot be written: ENOENT/)
    assert.ok(!existsSync(record))
  })

  test('a home, an address and a key in anything the CLI says do not get out', async (t) => {
    const { answering, home, run } = await bench(t)
    const secrets = `${E_MAIL} in ${home.home}/.cursor with key_0123456789abcdef0123 at https://user:pw@proxy.example:1`
    const said = { stdout: [secrets], stderr: `${secrets}\n`, exit: 3 }
    const env = {
      ...(await answering({ STATUS: said, MODELS: said, CASE: said })),
      HTTPS_PROXY: 'http://user:proxy-password@proxy.example:3128',
    }
    for (const form of [['--verbose'], ['--json']]) {
      const { stdout, stderr, code } = await run(['doctor', '--probe', ...form], env)
      assert.equal(code, 1)
      assert.match(stdout, /<email>/)
      assert.match(stdout, /HTTPS_PROXY/)
      for (const secret of [E_MAIL, home.home, '0123456789abcdef', 'user:pw', 'proxy-password']) {
        assert.ok(!(stdout + stderr).includes(secret), secret)
      }
    }
  })

  test('text fits a narrow terminal', async (t) => {
    const { run } = await bench(t)
    const { stdout } = await run(['doctor'], { COLUMNS: '20' })
    // A command stays whole, so that it can be copied.
    const lines = stdout.split('\n').filter((line) => !line.startsWith('  dsh-subagent-cursor'))
    assert.equal(Math.max(...lines.map((line) => line.length)), 20)
    assert.match(stdout, /^ok +Login/m)
  })

  test('wrong usage exits 2 with help, and --version and --help exit 0', async (t) => {
    const { run } = await bench(t)
    const wrong: readonly (readonly [readonly string[], RegExp])[] = [
      [[], /a command is missing[^]*Commands:[^]*doctor/],
      [['doctr'], /unknown command 'doctr'[^]*Did you mean doctor\?/],
      [['doctor', '--prob'], /unknown option '--prob'[^]*Did you mean --probe\?/],
      [['doctor', '--limit', 'soon'], /number of seconds above 0/],
      [['doctor', '--lang', 'de'], /Allowed choices are en, zh/],
      [['doctor', 'extra'], /too many arguments/],
    ]
    await Promise.all(
      wrong.map(async ([args, message]) => {
        const { code, stdout, stderr } = await run(args)
        assert.deepEqual([code, stdout], [2, ''], args.join(' '))
        assert.match(stderr, message)
      }),
    )
    const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8')
    const { version } = JSON.parse(manifest) as { version: string }
    assert.deepEqual(await run(['--version']), { code: 0, stdout: `${version}\n`, stderr: '' })
    assert.equal((await run(['doctor', '--help'])).code, 0)
  })
})

test("the same checks run inside the host, on the host's own processes", async (t) => {
  const { home, mark } = await bench(t)
  const ctx = new Context()
  await ctx.plugin(LocalSubprocessRuntime)
  t.after(() => ctx.fiber.dispose())
  const seen: string[] = []
  const report = await diagnose({
    system: { ...thisSystem(), home: home.home, env: home.env },
    config: resolveConfig({ env: { ...home.env, [MARK]: mark } }),
    spawn: (spec) => ctx.subprocess.spawn(spec),
    probe: true,
    onProgress: ({ type, id }) => seen.push(`${type} ${id}`),
  })
  assert.deepEqual([report.ok, report.proven], [true, true])
  assert.deepEqual(
    seen,
    report.checks.flatMap(({ id }) => [`started ${id}`, `finished ${id}`]),
  )
  await assertNoProcess(mark)
})
