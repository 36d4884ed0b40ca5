// The stand-in CLI's command line, held against the library that the real CLI's command line is
// made with: a test of argv that passes with the stand-in must mean something for the real program.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { Command, CommanderError, Option } from 'commander'
import { STAND_IN } from '../support/install.ts'

interface Parsed {
  readonly action: string
  readonly options: Readonly<Record<string, string | boolean>>
  readonly prompt: string
  readonly message?: string
}

const { parseCommandLine } = createRequire(import.meta.url)(STAND_IN) as {
  parseCommandLine(argv: readonly string[]): Parsed
}

/** What a real program with the same options makes of a command line. */
function reference(argv: readonly string[]): Parsed {
  let outcome: Parsed = { action: 'none', options: {}, prompt: '' }
  const quiet = { writeOut: () => {}, writeErr: () => {} }
  const program = new Command('agent')
  const options = (): Record<string, string | boolean> => {
    const values = Object.entries(program.opts<Record<string, string | boolean>>())
    return Object.fromEntries(
      values.map(([key, value]) => [key.replaceAll(/[A-Z]/g, (c) => `-${c.toLowerCase()}`), value]),
    )
  }
  program
    .version('1', '-v, --version')
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
    .action((words: string[]) => {
      const action = program.opts()['listModels'] === true ? 'models' : 'run'
      outcome = { action, options: options(), prompt: words.join(' ') }
    })
  const plain = ['login', 'logout', 'models', 'update', 'create-chat', 'ls']
  for (const name of plain) program.command(name).action(() => note(name, []))
  program
    .command('agent')
    .argument('[prompt...]')
    .action((words: string[]) => note('agent', words))
  program
    .command('mcp')
    .argument('[words...]')
    .action((words: string[]) => note('mcp', words))
  program
    .command('resume')
    .argument('[chatId]')
    .action((id?: string) => note('resume', id ? [id] : []))
  for (const name of ['status', 'about']) {
    const command = program
      .command(name)
      .addOption(new Option('--format <format>').choices(['text', 'json']))
    command.action(() => {
      note(name, [])
      Object.assign(outcome.options, command.opts())
    })
    if (name === 'status') command.alias('whoami')
  }
  function note(action: string, words: readonly string[]): void {
    outcome = { action, options: options(), prompt: words.join(' ') }
  }
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput(quiet).showSuggestionAfterError(false)
  }
  try {
    program.parse([...argv], { from: 'user' })
  } catch (error) {
    assert.ok(error instanceof CommanderError)
    if (error.code === 'commander.version') return { ...outcome, action: 'version' }
    if (error.code.startsWith('commander.help')) return { ...outcome, action: 'help' }
    return { ...outcome, action: 'usage-error', message: error.message }
  }
  return outcome
}

const HOSTILE: readonly (readonly string[])[] = [
  [],
  ['-p', '--output-format', 'stream-json', '--trust', '--approve-mcps', 'Reply with exactly: PONG'],
  ['-p', 'two', 'words'],
  ['-p', '--trust', '--seriously reply with OK'],
  ['-p', '--trust', ' --seriously reply with OK'],
  ['-p', '--force=yes please'],
  ['-p', '--force and delete everything'],
  ['-p', '- item one\n- item two'],
  ['-p', ' - item one\n- item two'],
  ['-p', '-'],
  ['-p', ' -'],
  ['-p', '--'],
  ['-p', '--', '--force'],
  ['-p', '-f'],
  ['-p', '-fp'],
  ['-p', '-fx'],
  ['-p', '-p-'],
  ['-pf', 'hi'],
  ['-p', '-5'],
  ['-p', '-5 degrees'],
  ['-p', '-Hx: y', 'hi'],
  ['-p', '-H', '--trust', 'hi'],
  ['-p', '--header=a=b', 'hi'],
  ['-p', '--model', '--trust', 'hi'],
  ['-p', '--model=a b', 'hi'],
  ['-p', '--model='],
  ['-p', '--model'],
  ['-p', '--mode', 'agent', 'hi'],
  ['-p', '--mode', 'plan', 'hi'],
  ['-p', '--mode=ask', 'hi'],
  ['-p', '--sandbox', 'maybe', 'hi'],
  ['-p', '--sandbox', 'enabled', '--force', 'hi'],
  ['-p', '--resume', 'the prompt'],
  ['-p', '--resume', '--trust', 'the prompt'],
  ['-p', '--resume', '-5', 'the prompt'],
  ['-p', '--resume=id', 'the prompt'],
  ['-p', '--trust', 'logout'],
  ['-p', '--trust', ' logout'],
  ['-p', '--', 'logout'],
  ['-p', 'logout', 'everything'],
  ['-p', 'logout everything'],
  ['-p', 'help'],
  ['-p', ' help'],
  ['help', 'status'],
  ['-p', '--help'],
  ['-p', 'hi', '--help me'],
  ['-p', '-h'],
  ['-ph'],
  ['-p', '--unknown', '--help'],
  ['-p', '--unknown', 'status'],
  ['status', '--unknown'],
  ['status', '--format', 'json'],
  ['status', '--format', 'yaml'],
  ['whoami'],
  ['status', 'extra'],
  ['status', '-5'],
  ['resume', 'a', 'b'],
  ['about', '--format=json'],
  ['agent', 'do', 'it'],
  ['--list-models'],
  ['-v'],
  ['-p', '-v', '--nonsense'],
  ['-p', '--nonsense', '-v'],
  ['-p', '--version=3'],
  ['-p', ''],
  ['-p', '   '],
  ['-p', 'constructor'],
  ['-p', '请总结 — ÆØÅ'],
]

for (const argv of HOSTILE) {
  test(`the stand-in reads ${JSON.stringify(argv)} as the library does`, () => {
    const mine = parseCommandLine(argv)
    const real = reference(argv)
    assert.deepEqual(
      { action: mine.action, message: mine.message },
      { action: real.action, message: real.message },
    )
    // After an error or help the library tells nothing more.
    if (real.action === 'usage-error' || real.action === 'help' || real.action === 'version') return
    assert.deepEqual(mine.options, real.options)
    assert.equal(mine.prompt, real.prompt)
  })
}

test('an unknown option is echoed whole, with the prompt that is in it, and exits 1', () => {
  const run = spawnSync(process.execPath, [STAND_IN, '-p', '--seriously reply with OK'])
  assert.equal(run.status, 1)
  assert.equal(run.stderr.toString(), "error: unknown option '--seriously reply with OK'\n")
  assert.equal(run.stdout.length, 0)
})

test('print mode without a prompt waits for stdin, and fails when it holds none', () => {
  const empty = spawnSync(process.execPath, [STAND_IN, '-p'], { input: ' \n' })
  assert.equal(empty.status, 1)
  assert.equal(empty.stderr.toString(), 'Error: No prompt provided for print mode\n')
  const given = spawnSync(process.execPath, [STAND_IN, '-p'], { input: 'Reply with exactly: PONG' })
  assert.equal(given.stdout.toString(), 'PONG\n')
})
