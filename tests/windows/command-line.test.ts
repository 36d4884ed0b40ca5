// The command line through a real `node.exe index.js` child: what is hostile to shells and to
// quoting arrives as it was written, and the length that is computed before any process is, to the
// unit, the length that Windows is given. Prompts and refusals on every platform are in
// tests/unit/command-line.test.ts.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { after, before, describe, test } from 'node:test'
import * as fc from 'fast-check'
import {
  assertFitsCommandLine,
  buildArgv,
  quotedForWindows,
  WINDOWS_LINE_UNITS,
} from '../../src/cursor/command-line.ts'
import { resolveConfig } from '../../src/config/config.ts'
import { makeInstall, type Install } from '../support/install.ts'
import { HOSTILE_PROMPTS } from './prompts.ts'
import { makeUser, openBench, PONG, USER_NAMES, type Bench, type User } from './support.ts'
import { splitCommandLine } from './windows-argv.ts'

const REPORTER = fileURLToPath(new URL('reporter/index.js', import.meta.url))
const FRONT = ['-p', '--output-format', 'stream-json', '--trust', '--approve-mcps']

let bench: Bench
let user: User
let install: Install

before(async () => {
  bench = await openBench()
  // A blank in the path: program and script are quoted too.
  user = await makeUser(USER_NAMES['a name with blanks'])
  install = await makeInstall({ root: user.data })
})

after(async () => {
  await bench.dispose()
  await user.remove()
})

interface Report {
  /** The whole line, as Windows has it. */
  readonly line: string
  readonly byWindows: readonly string[]
  /** Without program and script. */
  readonly byNode: readonly string[]
}

/** Starts the reporter with these arguments; the program is the install's node.exe. */
async function report(args: readonly string[]): Promise<Report> {
  const child = spawn(install.nodePath, [REPORTER, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  const [out, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), closed])
  assert.equal(code, 0, errors)
  return JSON.parse(out) as Report
}

/** Asserts that four views of one command line agree with what was asked for. */
async function assertRoundTrip(args: readonly string[]): Promise<Report> {
  const argv = [install.nodePath, REPORTER, ...args]
  const reported = await report(args)
  assert.deepEqual(reported.byNode, args, 'what the child got')
  assert.equal(reported.line, argv.map(quotedForWindows).join(' '), 'the line that was computed')
  assert.deepEqual(splitCommandLine(reported.line), argv, 'the documented rules')
  assert.deepEqual(reported.byWindows, argv, "Windows' own function")
  return reported
}

const argvFor = (prompt: string): string[] => buildArgv(resolveConfig({}), prompt)

describe('a hostile prompt arrives as written, as one argument', () => {
  for (const [name, prompt] of Object.entries(HOSTILE_PROMPTS)) {
    test(name, async () => {
      const start = await bench.runAndRecord({ user, prompt })
      assert.deepEqual(start.argv, [...FRONT, prompt])
      assert.equal(start.action, 'run')
      assert.equal(start.prompt, prompt)
    })
  }

  test('and the line is what was computed and what the documented rules make of it', async () => {
    await assertRoundTrip(Object.values(HOSTILE_PROMPTS))
  })
})

describe('a prompt that could be an option or a subcommand arrives as a prompt', () => {
  for (const prompt of [
    '--force',
    '-',
    '- item one\n- item two',
    'logout',
    'update',
    '修复',
    '/?',
  ]) {
    test(JSON.stringify(prompt), async () => {
      const start = await bench.runAndRecord({ user, prompt })
      assert.deepEqual(start.argv, [...FRONT, ` ${prompt}`])
      assert.equal(start.action, 'run')
      assert.equal(start.prompt, ` ${prompt}`)
      assert.ok(!('force' in start.options))
    })
  }
})

test('random arguments make the round trip', async () => {
  const hostile = fc.string({
    unit: fc.constantFrom('"', '\\', ' ', '\t', '\n', 'a', '%', '^', '&', "'", '总', '🚀'),
    maxLength: 16,
  })
  const batches = fc.sample(fc.array(hostile, { minLength: 100, maxLength: 200 }), {
    numRuns: 10,
    seed: 20_261_022,
  })
  for (const args of batches) await assertRoundTrip(args)
})

test('extraArgs and the model arrive verbatim before the prompt', async () => {
  const start = await bench.runAndRecord({
    user,
    config: {
      model: 'claude-opus-4-8[context=1m,effort=high,fast=false]',
      extraArgs: ['--header', 'X-Note: "50%" ^& C:\\dir\\'],
    },
  })
  assert.deepEqual(start.argv.slice(4), [
    '--model',
    'claude-opus-4-8[context=1m,effort=high,fast=false]',
    '--approve-mcps',
    '--header',
    'X-Note: "50%" ^& C:\\dir\\',
    PONG,
  ])
})

describe('the length limit', () => {
  const fits = (prompt: string): boolean => {
    try {
      assertFitsCommandLine('win32', [install.nodePath, REPORTER, ...argvFor(prompt)])
      return true
    } catch {
      return false
    }
  }

  /** The longest prompt of repeated pieces that is let through. */
  function longest(piece: string): string {
    let times = 0
    for (let step = 16_384; step >= 1; step /= 2) {
      if (fits(piece.repeat(times + step))) times += step
    }
    let prompt = piece.repeat(times)
    while (fits(`${prompt}x`)) prompt += 'x'
    return prompt
  }

  const PIECES = {
    'plain words': 'word ',
    quotes: 'a" b',
    'nothing but quotes': '" ',
    'backslashes before quotes': ' \\\\"',
    'backslashes that stay': 'a \\b',
    Chinese: '总 结',
    emoji: '🚀 ',
  }
  for (const [name, piece] of Object.entries(PIECES)) {
    test(`is the length of the line that Windows is given, with ${name}`, async () => {
      const prompt = longest(piece)
      const { line } = await assertRoundTrip(argvFor(prompt))
      assert.equal(line.length, 32_766)
      assert.equal(line.length, WINDOWS_LINE_UNITS)
    })
  }

  test('a backslash at the end of a quoted prompt counts twice', async () => {
    const prompt = longest('word ')
    const cut = prompt.slice(0, -2)
    assert.ok(fits(`${cut}\\`))
    assert.ok(!fits(`${cut}.\\`))
    const { line } = await assertRoundTrip(argvFor(`${cut}\\`))
    assert.equal(line.length, 32_766)
  })

  test('the longest prompt runs, and one unit more is refused before any process', async () => {
    const used = [install.nodePath, install.indexPath, ...FRONT].map(quotedForWindows).join(' ')
    // A blank before the prompt, and its quotes.
    const prompt = 'Read '.padEnd(32_766 - used.length - 3, 'x')
    const start = await bench.runAndRecord({ user, prompt })
    assert.equal(start.prompt, prompt)
    const error = await bench.refusal({ user, prompt: `${prompt}x` })
    assert.equal(error.category, 'prompt-rejected')
    assert.match(error.message, /32767 UTF-16 units, and the limit is 32766/)
    assert.match(error.message, /file in the workspace/)
    assert.doesNotMatch(error.message, /xxxx/)
  })
})
