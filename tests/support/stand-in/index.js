// The stand-in for the Cursor CLI's index.js: it parses its command line with the library that the
// CLI uses, records how it was started, and replays a case. It knows nothing of the plugin. It is
// one CommonJS file because the CLI's is; an install has the library beside it (../install.ts).
//
// Environment it obeys (all of it optional):
//   STANDIN_RECORD      a file; one JSON line is appended per start (see ../record.ts)
//   STANDIN_CASE        a JSON file with the case to replay (see ../cases.ts, StandInCase)
//   STANDIN_CASES_DIR   a directory; a prompt that holds `case:<id>` replays <dir>/<id>.json
//   STANDIN_TIME_SCALE  a number; the waits of `@SLEEP n@` are divided by it
//   STANDIN_VERSION, STANDIN_STATUS, STANDIN_STATUS_JSON, STANDIN_MODELS, STANDIN_ABOUT_JSON
//                       what the other commands print; `case:<path>` replays a case file instead
'use strict'

const childProcess = require('node:child_process')
const crypto = require('node:crypto')
const fs = require('node:fs')
const path = require('node:path')
const { Command, Option } = require('commander')

const VERSION_PATTERN = /^\d{4}\.\d{1,2}\.\d{1,2}(-\d{2}-\d{2}-\d{2})?-[a-f0-9]+$/

/** What a command line asks for: `{ action, options, prompt, message? }`; never throws. */
function parseCommandLine(argv) {
  const parsed = { action: 'run', options: {}, prompt: '' }
  const program = new Command('agent')
  const note = (action, words, options = {}) => {
    parsed.action = action
    parsed.prompt = words.join(' ')
    Object.assign(parsed.options, options)
  }
  program
    .version('', '-v, --version')
    .option('--api-key <key>')
    .option('-H, --header <header>')
    .option('-p, --print')
    .option('--output-format <format>')
    .option('--stream-partial-output')
    .addOption(new Option('--mode <mode>').choices(['plan', 'ask']))
    .option('--resume [chatId]')
    .option('--model <model>')
    .option('--list-models')
    .option('-f, --force')
    .option('--yolo')
    .addOption(new Option('--sandbox <mode>').choices(['enabled', 'disabled']))
    .option('--approve-mcps')
    .option('--trust')
    .option('--background-shell-timeout <seconds>')
    .argument('[prompt...]')
    .helpCommand(true)
    .action((words, { listModels }) => note(listModels === true ? 'models' : 'run', words))
  for (const name of ['login', 'logout', 'models', 'update', 'create-chat', 'ls'])
    program.command(name).action(() => note(name, []))
  for (const name of ['agent', 'mcp'])
    program.command(`${name} [words...]`).action((words) => note(name, words))
  program.command('resume [chatId]').action((id) => note('resume', id === undefined ? [] : [id]))
  for (const name of ['status', 'about']) {
    program
      .command(name)
      .aliases(name === 'status' ? ['whoami'] : [])
      .addOption(new Option('--format <format>').choices(['text', 'json']))
      .action((options) => note(name, [], options))
  }
  const quiet = { writeOut: () => {}, writeErr: () => {} }
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput(quiet).showSuggestionAfterError(false)
  }
  try {
    program.parse(argv, { from: 'user' })
  } catch ({ code, message: text }) {
    if (code === 'commander.version') parsed.action = 'version'
    else if (code.startsWith('commander.help')) parsed.action = 'help'
    else Object.assign(parsed, { action: 'usage-error', message: text })
  }
  for (const option of program.options) {
    const value = program.getOptionValue(option.attributeName())
    const given = program.getOptionValueSource(option.attributeName()) === 'cli'
    if (given && option.long !== '--version') parsed.options[option.long.slice(2)] = value
  }
  return parsed
}

function record(entry) {
  const file = process.env.STANDIN_RECORD
  if (file) fs.appendFileSync(file, `${JSON.stringify(entry)}\n`)
}

function recordStart(parsed) {
  const env = {}
  for (const [name, value] of Object.entries(process.env)) {
    if (
      /^(CURSOR_|STANDIN_)/.test(name) ||
      name === 'NODE_OPTIONS' ||
      name === 'NODE_COMPILE_CACHE'
    ) {
      env[name] = value
    }
  }
  record({
    kind: 'start',
    argv: process.argv.slice(2),
    execArgv: process.execArgv,
    execPath: process.execPath,
    entry: __filename,
    cwd: process.cwd(),
    pid: process.pid,
    action: parsed.action,
    options: parsed.options,
    prompt: parsed.prompt,
    // What the CLI does when both are given: --force switches the sandbox off.
    sandboxOff:
      parsed.options.sandbox === 'enabled' && Boolean(parsed.options.force ?? parsed.options.yolo),
    env,
    envNames: Object.keys(process.env).sort(),
  })
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Resolves when the bytes have been handed to the kernel, so that memory stays bounded. */
function write(stream, chunk) {
  return new Promise((resolve) => stream.write(chunk, () => resolve()))
}

/** Never resolves, and keeps the process alive. */
function hang() {
  setInterval(() => {}, 1 << 30)
  return new Promise(() => {})
}

function expand(text, gen) {
  return gen === undefined ? text : text.replaceAll(gen.replace, gen.with.repeat(gen.times))
}

/** stdout as pieces of text and of directives, in order. */
function script(replayed) {
  const source = replayed.stdout ?? []
  if (typeof source === 'string') return [{ text: expand(source, replayed.gen) }]
  const steps = []
  source.forEach((line, index) => {
    const last = index === source.length - 1
    const sleepFor = /^@SLEEP (\d+)@$/.exec(line)
    const stderr = /^@STDERR (.*)@$/s.exec(line)
    if (line === '@HANG@') steps.push({ hang: true })
    else if (line === '@LONG_LINE@') steps.push({ longLine: true })
    else if (sleepFor) steps.push({ sleep: Number(sleepFor[1]) })
    else if (stderr) steps.push({ stderr: stderr[1] })
    else {
      const end = last && replayed.no_final_newline === true ? '' : '\n'
      steps.push({ text: expand(line, replayed.gen) + end })
    }
  })
  return steps
}

async function writeLongLine({ bytes, head = '', tail = '' }) {
  await write(process.stdout, head)
  let left = bytes - Buffer.byteLength(head) - Buffer.byteLength(tail)
  const block = Buffer.alloc(64 * 1024, 'x')
  while (left > 0) {
    const piece = left < block.length ? block.subarray(0, left) : block
    left -= piece.length
    await write(process.stdout, piece)
  }
  await write(process.stdout, `${tail}\n`)
}

/** `bytes` of plain lines; a negative number never ends. */
async function flood(stream, bytes) {
  const block = Buffer.from(`${'flood '.repeat(10)}\n`.repeat(512))
  for (let left = bytes; left !== 0;) {
    const piece = left > 0 && left < block.length ? block.subarray(0, left) : block
    if (left > 0) left -= piece.length
    await write(stream, piece)
    await turn()
  }
}

/** A child that inherits stdout and stderr and outlives SIGTERM; resolves once it is in place. */
function startPipeHolder() {
  const code = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1 << 30);
    require('node:fs').writeSync(3, 'r'); require('node:fs').closeSync(3)`
  const child = childProcess.spawn(process.execPath, ['-e', code], {
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  })
  child.unref()
  record({ kind: 'helper', pid: child.pid })
  return new Promise((resolve) => child.stdio[3].once('close', resolve).resume())
}

/** True for the first `times` processes that come to `file`. */
function isFirstAt(file, times) {
  for (let index = 0; index < times; index++) {
    try {
      fs.closeSync(fs.openSync(index === 0 ? file : `${file}.${index}`, 'wx'))
      return true
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
  }
  return false
}

const RACE_TEXT =
  "Error: ENOENT: no such file or directory, rename '/home/someone/.cursor/cli-config.json.tmp' -> '/home/someone/.cursor/cli-config.json'\n"

async function replay(replayed) {
  if (replayed.ignoreSigterm === true) process.on('SIGTERM', () => {})
  if (replayed.helper === 'holds-pipes') await startPipeHolder()
  if (replayed.raceFile !== undefined && isFirstAt(replayed.raceFile, replayed.raceTimes ?? 1)) {
    await write(process.stderr, replayed.raceStderr ?? RACE_TEXT)
    return 1
  }
  if (replayed.readyFile !== undefined) fs.writeFileSync(replayed.readyFile, String(process.pid))
  if (replayed.waitForFile !== undefined) {
    while (!fs.existsSync(replayed.waitForFile)) await sleep(5)
  }
  if (replayed.delayMs !== undefined) await sleep(replayed.delayMs)
  if (replayed.writeFile !== undefined) {
    fs.writeFileSync(path.resolve(replayed.writeFile.path), replayed.writeFile.text)
  }
  const stderr = expand(replayed.stderr ?? '', replayed.gen)
  if (stderr !== '') await write(process.stderr, stderr)

  const steps = script(replayed)
  if (replayed.longLine !== undefined && !steps.some((step) => step.longLine)) {
    steps.push({ longLine: true })
  }
  const scale = Number(process.env.STANDIN_TIME_SCALE ?? 1)
  for (const step of steps) {
    if (step.hang) await hang()
    else if (step.longLine) await writeLongLine(replayed.longLine)
    else if (step.sleep !== undefined) await sleep(step.sleep / scale)
    else if (step.stderr !== undefined) await write(process.stderr, `${step.stderr}\n`)
    else if (replayed.exitImmediately === true) process.stdout.write(step.text)
    else if (replayed.chunk_bytes !== undefined) {
      const bytes = Buffer.from(step.text)
      for (let at = 0; at < bytes.length; at += replayed.chunk_bytes) {
        await write(process.stdout, bytes.subarray(at, at + replayed.chunk_bytes))
        await turn()
      }
    } else await write(process.stdout, step.text)
  }
  if (replayed.tailHex !== undefined)
    await write(process.stdout, Buffer.from(replayed.tailHex, 'hex'))
  if (replayed.exitImmediately === true) process.exit(replayed.exit ?? 0)
  if (replayed.floodStderr !== undefined) await flood(process.stderr, replayed.floodStderr)
  if (replayed.floodStdout !== undefined) await flood(process.stdout, replayed.floodStdout)
  if (replayed.signal !== undefined) {
    process.kill(process.pid, replayed.signal)
    await hang()
  }
  if (replayed.closeStdoutAndLive === true) {
    fs.closeSync(1)
    await hang()
  }
  if (replayed.hang === true) await hang()
  return replayed.exit ?? 0
}

const message = (role, text) => ({ role, content: [{ type: 'text', text }] })

/** The events of a healthy run, in the shapes of a real capture. */
function healthyRun(prompt, options) {
  const session = crypto.randomUUID()
  const said = /exactly:? *PONG\b/.test(prompt) ? 'PONG' : 'This is the answer of the stand-in CLI.'
  const result = {
    type: 'result',
    subtype: 'success',
    duration_ms: 4200,
    duration_api_ms: 4200,
    is_error: false,
    result: said,
    session_id: session,
    request_id: crypto.randomUUID(),
    usage: { inputTokens: 9880, outputTokens: 9, cacheReadTokens: 64, cacheWriteTokens: 0 },
  }
  const format = options['output-format'] ?? 'text'
  if (format === 'text') return { stdout: [said], exit: 0 }
  if (format === 'json') return { stdout: [JSON.stringify(result)], exit: 0 }
  const events = [
    {
      type: 'system',
      subtype: 'init',
      apiKeySource: process.env.CURSOR_API_KEY === undefined ? 'login' : 'env',
      cwd: process.cwd(),
      session_id: session,
      model: 'Auto',
      permissionMode: 'default',
    },
    { type: 'user', message: message('user', prompt), session_id: session },
    { type: 'assistant', message: message('assistant', said), session_id: session },
    result,
  ]
  return { stdout: events.map((event) => JSON.stringify(event)), exit: 0 }
}

const readCase = (file) => JSON.parse(fs.readFileSync(file, 'utf8'))

function chooseCase(prompt, options) {
  const named = /case:([\w.-]+)/.exec(prompt)
  const directory = process.env.STANDIN_CASES_DIR
  if (directory && named)
    return readCase(path.join(directory, `${named[1].replace(/\.$/, '')}.json`))
  if (process.env.STANDIN_CASE) return readCase(process.env.STANDIN_CASE)
  if (process.env.CURSOR_API_KEY === '') {
    return { stderr: '\u001B[33m⚠ Warning: The provided API key is invalid.\u001B[0m\n', exit: 1 }
  }
  const asksForSandbox = options.sandbox === 'enabled' && !options.force && !options.yolo
  if (asksForSandbox && process.platform === 'win32') {
    const text = 'Error: Sandbox mode is enabled but not available on this system.'
    return { stderr: `${text}\nSandbox requires macOS or Linux.\n`, exit: 1 }
  }
  return healthyRun(prompt, options)
}

async function readStdin() {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk
  return text
}

async function run({ prompt, options }) {
  if (options.print !== true) {
    await write(process.stderr, 'Error: the stand-in CLI has no interactive mode\n')
    return 1
  }
  const task = prompt === '' ? await readStdin() : prompt
  if (task.trim() === '') {
    await write(process.stderr, 'Error: No prompt provided for print mode\n')
    return 1
  }
  return replay(chooseCase(task, options))
}

/** The text of another command: the variable's value, a case file it names, or `standard`. */
async function answer(variable, standard) {
  const given = process.env[variable]
  if (given?.startsWith('case:')) return replay(readCase(given.slice('case:'.length)))
  await write(process.stdout, `${given ?? standard}\n`)
  return 0
}

function version() {
  const directories = path.dirname(__filename).split(path.sep)
  return directories.findLast((name) => VERSION_PATTERN.test(name)) ?? '2026.10.22-27dcf5f'
}

async function main() {
  const parsed = parseCommandLine(process.argv.slice(2))
  recordStart(parsed)
  switch (parsed.action) {
    case 'run':
    case 'agent':
      return run(parsed)
    case 'usage-error':
      await write(process.stderr, `${parsed.message}\n`)
      return 1
    case 'help':
      await write(process.stdout, 'Usage: agent [options] [command] [prompt...]\n')
      return 0
    case 'version':
      return answer('STANDIN_VERSION', process.env.STANDIN_VERSION ?? version())
    case 'status':
      return parsed.options.format === 'json'
        ? answer('STANDIN_STATUS_JSON', '{"status":"authenticated","isAuthenticated":true}')
        : answer('STANDIN_STATUS', '✓ Logged in as someone@example.com')
    case 'models':
      return answer(
        'STANDIN_MODELS',
        'Available models\n\nauto - Auto (current, default)\ngpt-5 - GPT-5\n\nTip: use --model <id> to choose one.',
      )
    case 'about':
      return answer(
        'STANDIN_ABOUT_JSON',
        JSON.stringify({ cliVersion: version(), subscriptionTier: 'Pro', userEmail: null }),
      )
    default:
      await write(process.stdout, `The stand-in CLI ran its '${parsed.action}' command.\n`)
      return 0
  }
}

if (require.main === module) {
  // A reader that has gone away ends the real CLI too; other trouble here is a bug in a test.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error) => process.exit(error.code === 'EPIPE' ? 1 : 70))
  }
  main().then(
    (code) => process.exit(code),
    (error) => {
      process.stderr.write(`stand-in: ${error.stack}\n`, () => process.exit(70))
    },
  )
} else {
  module.exports = { parseCommandLine }
}
