// The demonstration: the plugin does its main job on the real host, shown as it happens. It owns
// the story and its printing; host, scripted parent model and stand-in CLI are the tests' own
// (tests/support), and the replayed streams are the .json files beside it.
// `--real` runs one delegation on the installed Cursor CLI instead, with the user's login and quota.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { parseArgs } from 'node:util'
import pc from 'picocolors'
import { buildArgv } from '../src/cursor/command-line.ts'
import { resolveConfig, type Config } from '../src/config/config.ts'
import { PACKAGE_NAME, packageVersion } from '../src/doctor/own-package.ts'
import { jobId } from '../tests/host/scripted.ts'
import {
  startHost,
  TOOL_NAME,
  type HostOptions,
  type RunningHost,
} from '../tests/support/dsh-host.ts'
import {
  lastToolResults,
  type ModelRequest,
  type ToolUse,
  type Turn,
} from '../tests/support/model-server.ts'
import { isAlive, until } from '../tests/support/processes.ts'
import type { StandInCase } from '../tests/support/record.ts'

const INSTALL_LINE = `dsh plugin --profile web add ./${PACKAGE_NAME}-${packageVersion()}.tgz`
const FILES = {
  'notes.txt': 'renew the certificate\nreply to Kim\nclean the cache\n',
  'README.txt': 'A small project.\n',
}
const SENTENCE = 'Have Cursor find out why parser.test.ts fails, and fix it.'

const began = performance.now()

function print(text = ''): void {
  process.stdout.write(`${text}\n`)
}

/** A line of the story: seconds since the start, who, what. */
function tell(who: string, what: string): void {
  const seconds = ((performance.now() - began) / 1000).toFixed(1).padStart(5)
  print(`${pc.dim(`${seconds}s`)} ${pc.bold(who)}: ${what}`)
}

function quote(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `         ${pc.dim('|')} ${line}`)
    .join('\n')
}

/** The command line as a person would type it. */
function shown(argv: readonly string[]): string {
  return argv.map((arg) => (/^[\w./=-]+$/.test(arg) ? arg : JSON.stringify(arg))).join(' ')
}

function heading(text: string): void {
  print(`\n${pc.bold(text)}`)
}

const delegation = (description: string, prompt: string): ToolUse => ({
  tool: TOOL_NAME,
  args: { description, prompt },
})

/** The parent model's next turn, shown as it is made. */
function call(...tools: ToolUse[]): Turn {
  tell('Parent model', `calls ${tools.length > 1 ? `${tools.length} tools at once` : 'a tool'}`)
  for (const { tool, args } of tools) {
    print(quote(`${pc.cyan(tool)} ${JSON.stringify(args, null, 2)}`))
  }
  return { tools }
}

function showResults(request: ModelRequest): void {
  for (const { args, content } of lastToolResults(request)) {
    const failed = content.startsWith('Error: ')
    const label = String(args['description'] ?? args['job_id'] ?? '')
    tell('Back to the parent', `${failed ? pc.red('failed') : pc.green('returned')} (${label})`)
    print(quote(content))
  }
}

/** Prints each start of the CLI when it happens; returns what stops the watch. */
function watchStarts(host: RunningHost): () => void {
  let known = 0
  const timer = setInterval(() => {
    void host.starts().then((starts) => {
      for (const start of starts.slice(known)) {
        tell('Plugin', `started the CLI (pid ${start.pid}) in the parent's workspace`)
        print(quote(`cursor-agent ${shown(start.argv)}`))
      }
      known = starts.length
    })
  }, 20)
  return () => clearInterval(timer)
}

async function boot(options: HostOptions): Promise<RunningHost> {
  tell('Demo', 'builds and packs the plugin, installs the tarball into a throw-away DSH home')
  const host = await startHost(options)
  tell('Demo', 'boots the real host: dsh --profile headless "…"')
  return host
}

async function finish(host: RunningHost): Promise<void> {
  const result = await host.exited
  if (host.model.scriptError !== undefined) throw host.model.scriptError
  if (result.code !== 0) throw new Error(`the host ended with ${result.code}:\n${result.stderr}`)
  tell('Host', `ended with the parent's last words: ${result.stdout.trim()}`)
}

async function replayedCase(name: string): Promise<StandInCase & { id: string }> {
  const text = await readFile(new URL(`${name}.json`, import.meta.url), 'utf8')
  return { ...(JSON.parse(text) as StandInCase), id: name }
}

async function replay(): Promise<void> {
  print(pc.bold('dsh-subagent-cursor, demonstration'))
  print('The host and the plugin are real. The parent model is a script, and the CLI is a stand-in')
  print('that replays streams written after captures of the real one: no account, no network, no')
  print('quota. (`case:<name>` in a prompt tells the stand-in which stream to replay.)')
  print()

  let job = ''
  let cancelledPid = -1
  let cancelled = 0
  const first = (request: ModelRequest): string => lastToolResults(request)[0]?.content ?? ''
  const askProgress = (): ToolUse => ({
    tool: 'job_output',
    args: { job_id: job, wait: true, timeout_ms: 1000 },
  })
  const showProgress = (request: ModelRequest): void => {
    tell('Progress', 'as job_output shows it')
    print(quote(first(request)))
  }
  const steps: readonly ((request: ModelRequest) => Turn | Promise<Turn>)[] = [
    () => {
      heading('1. Two delegations side by side: one answers, one has no login')
      return call(
        delegation(
          'Sum up the notes',
          'Read notes.txt and README.txt and sum up the open tasks. case:answering-run',
        ),
        delegation('Review the tests', 'Review the tests. case:login-failure'),
      )
    },
    (request) => {
      showResults(request)
      const [answer, failure] = lastToolResults(request).map(({ content }) => content)
      assert.match(answer ?? '', /renew the certificate/, 'no answer came back')
      assert.match(failure ?? '', /not-authenticated: /, 'no login failure came back')
      heading('2. A delegation in the background, its progress, and a cancel')
      const task = 'Run the whole test suite and report. case:endless-run'
      const { tool, args } = delegation('Run all the tests', task)
      return call({ tool, args: { ...args, run_in_background: true } })
    },
    (request) => {
      showResults(request)
      job = jobId(request)
      return askProgress()
    },
    (request) => {
      showProgress(request)
      return askProgress()
    },
    async (request) => {
      showProgress(request)
      const starts = await host.starts()
      cancelledPid = starts.find((start) => start.prompt.includes('case:endless-run'))?.pid ?? -1
      assert.ok(isAlive(cancelledPid), 'the CLI to cancel is not running')
      cancelled = performance.now()
      tell('Parent model', `cancels the job: job_kill ${job}`)
      return { tool: 'job_kill', args: { job_id: job } }
    },
    async (request) => {
      tell('Host', first(request).trim())
      await until(() => !isAlive(cancelledPid), { what: 'the cancelled CLI is gone' })
      const took = Math.round(performance.now() - cancelled)
      tell('Processes', `the cancelled CLI (pid ${cancelledPid}) is gone, after ${took} ms`)
      return { text: 'One answer, one failure to show the user, one task cancelled.' }
    },
  ]

  const host = await boot({
    script: (request, index) => steps[index]?.(request) ?? { text: 'The demonstration is over.' },
    cases: await Promise.all(['answering-run', 'login-failure', 'endless-run'].map(replayedCase)),
    files: FILES,
  })
  const stopWatching = watchStarts(host)
  try {
    await finish(host)
  } finally {
    stopWatching()
    await host.dispose()
  }
  heading('With your own Cursor account')
  print('  Install, then restart DSH (`web` stands for your profile):')
  print(pc.cyan(`    ${INSTALL_LINE}`))
  print('  Say to the agent:')
  print(pc.cyan(`    ${SENTENCE}`))
  print('  The tarball comes from `pnpm pack`; `npm run demo -- --real` tries your CLI first.')
}

async function real(): Promise<void> {
  print(pc.bold('dsh-subagent-cursor, demonstration with the installed Cursor CLI'))
  print('The host, the plugin and the CLI are real; the parent model is a script. This uses your')
  print(
    'Cursor login and quota (about 10,000 input tokens), in mode `ask`, in a throw-away directory.',
  )
  print()
  const prompt =
    'Read the two text files in the working directory and say in one sentence what they hold.'
  const config: Config = { permissionMode: 'ask', timeoutMs: 300_000 }
  let answered = false
  // The user's own environment, without what belongs to this program's own start.
  const own = Object.entries(process.env).filter(
    ([name]) =>
      !/^(npm_.*|NODE_OPTIONS|NODE_ENV|PATH|TMPDIR|TEMP|TMP|DSH_.*|DEEPSEEK_.*)$/i.test(name),
  )
  const host = await boot({
    config: { ...config },
    timeLimit: 330_000,
    home: {
      home: homedir(),
      env: Object.fromEntries(own) as Record<string, string>,
      cleanup: () => Promise.resolve(),
    },
    files: FILES,
    script: (request, index) => {
      if (index === 0) {
        const turn = call(delegation('Look at two files', prompt))
        tell('Plugin', 'starts the CLI, which takes 3 to 6 seconds to be there')
        print(quote(`cursor-agent ${shown(buildArgv(resolveConfig(config), prompt))}`))
        return turn
      }
      showResults(request)
      answered = lastToolResults(request).every(({ content }) => !content.startsWith('Error: '))
      return { text: answered ? 'The delegation was answered.' : 'The delegation failed.' }
    },
  })
  try {
    await finish(host)
  } finally {
    await host.dispose()
  }
  print()
  if (answered)
    print('Your CLI works with the plugin. To install it, see "Install" in README.en.md.')
  else {
    print('For each step by itself: npx node src/doctor/main.ts doctor --probe')
    process.exitCode = 1
  }
}

const { values } = parseArgs({ options: { real: { type: 'boolean', default: false } } })
await (values.real ? real() : replay())
