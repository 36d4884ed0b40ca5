// A real child on Windows: its output as bytes, its environment, its end, and bringing down what it
// started. Reading in general is tested in tests/unit, on bytes without a process.
import assert from 'node:assert/strict'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { RunFailure } from '../../src/cursor/outcome.ts'
import { writeCaseFile } from '../support/cases.ts'
import { makeInstall } from '../support/install.ts'
import { fileText, isAlive, until } from '../support/processes.ts'
import { readRecord, type StandInCase } from '../support/record.ts'
import { makeUser, openBench, type Bench, type Task, type User } from './support.ts'

let bench: Bench
let user: User

before(async () => {
  bench = await openBench()
  user = await makeUser()
  await makeInstall({ root: user.data })
})

after(async () => {
  await bench.dispose()
  await user.remove()
})

beforeEach(async () => {
  await rm(bench.recordOf(user), { force: true })
  bench.logs.length = 0
})

/** A task that makes the stand-in replay this. */
async function replaying(item: StandInCase): Promise<Task> {
  const file = await writeCaseFile(join(user.profile, 'cases'), 'case', item)
  return { user, config: { env: { STANDIN_CASE: file } } }
}

async function answerTo(item: StandInCase): Promise<string> {
  const outcome = await bench.outcome(await replaying(item))
  assert.ok(outcome.status === 'completed', JSON.stringify(outcome))
  return outcome.answer
}

async function failureOf(item: StandInCase): Promise<RunFailure> {
  const outcome = await bench.outcome(await replaying(item))
  assert.ok(outcome.status === 'failed', JSON.stringify(outcome))
  return outcome.failure
}

const resultLine = (answer: string): string =>
  JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: answer })

describe('the output of a child', () => {
  const ANSWER = '总结：完成 ✓ — naïve café, 🚀👩‍👩‍👧‍👦 e\u0301\r\nC:\\temp\\"x"\n'
  const LINES = ['{"type":"system","subtype":"init"}', '', 'a banner 横幅', resultLine(ANSWER)]

  for (const chunk_bytes of [1, 2, 3, 7, 100_000]) {
    test(`is one text in writes of ${chunk_bytes} byte(s), with Windows' line ends, a byte-order mark and no last one`, async () => {
      const stdout = `\uFEFF${LINES.join('\r\n')}`
      assert.equal(await answerTo({ stdout, chunk_bytes }), ANSWER)
    })
  }

  test('several MiB come through, past a tool event of a longer line', async () => {
    const answer = `start ${'总结 '.repeat(300_000)}end`
    const event = JSON.stringify({ type: 'tool_call', subtype: 'started', pad: 'x'.repeat(3e6) })
    assert.equal(await answerTo({ stdout: [event, resultLine(answer)] }), answer)
  })

  test("a failure's text on stderr is read as UTF-8, and no personal path is shown", async () => {
    const failure = await failureOf({
      stderr: `错误：找不到\r\nat ${user.profile}\\work\\x.ts and C:\\Users\\Anna\\y.ts\r\n`,
      exit: 1,
    })
    assert.match(failure.diagnostic, /错误：找不到/)
    assert.match(failure.diagnostic, /~\\y\.ts/)
    assert.ok(!failure.diagnostic.includes(user.profile), failure.diagnostic)
    assert.doesNotMatch(failure.diagnostic, /Anna/)
  })

  test("the CLI's own failure texts are recognised with Windows' line ends", async () => {
    const TEXTS = {
      'not-authenticated': "Error: Authentication required. Please run 'agent login' first\r\n",
      'sandbox-unavailable':
        'Error: Sandbox mode is enabled but not available on this system.\r\nSandbox requires macOS or Linux.\r\n',
      'cli-outdated': "error: unknown option '--trust'\r\n",
    }
    for (const [category, stderr] of Object.entries(TEXTS)) {
      assert.equal((await failureOf({ stderr, exit: 1 })).category, category)
    }
  })

  test('an exit code without a result is named', async () => {
    const failure = await failureOf({ exit: 3 })
    assert.equal(failure.category, 'no-result')
    assert.match(failure.diagnostic, /exit code: 3/)
  })
})

describe("the child's environment", () => {
  test('the compile cache is in the local profile, and Node fills it', async () => {
    const { env } = await bench.runAndRecord({ user })
    const cache = join(user.local, 'cursor-compile-cache')
    assert.equal(env['NODE_COMPILE_CACHE'], cache)
    assert.equal(env['CURSOR_INVOKED_AS'], 'cursor-agent')
    assert.notDeepEqual(await readdir(cache), [])
  })

  test("NODE_OPTIONS and a key of the parent's do not reach it, whatever the case of the name", async () => {
    const inherited = { node_options: '--no-warnings', Cursor_Api_Key: 'ambient-key-0123456789' }
    Object.assign(process.env, inherited)
    try {
      const { envNames } = await bench.runAndRecord({ user })
      const names = new Set(envNames.map((name) => name.toUpperCase()))
      assert.ok(!names.has('NODE_OPTIONS'))
      assert.ok(!names.has('CURSOR_API_KEY'))
      assert.ok(names.has('PATH'), 'the rest of the environment is inherited')
    } finally {
      for (const name of Object.keys(inherited)) delete process.env[name]
    }
  })

  test('what is configured wins, in any case of the name, and an empty key is dropped', async () => {
    process.env['STANDIN_NOTE'] = 'inherited'
    try {
      const note = '配置的 "值" %PATH%'
      const configured = { STANDIN_Note: note, Node_Options: '--no-warnings', cursor_api_key: '' }
      const { env, envNames } = await bench.runAndRecord({ user, config: { env: configured } })
      assert.equal(env['STANDIN_Note'], note)
      const spellings = envNames.filter((name) =>
        /^(?:standin_note|node_options|cursor_api_key)$/i.test(name),
      )
      assert.deepEqual(spellings.toSorted(), ['Node_Options', 'STANDIN_Note'])
    } finally {
      delete process.env['STANDIN_NOTE']
    }
  })
})

/** The pids of the CLI and of the helper that it started. */
async function pidsOfTree(): Promise<readonly number[]> {
  const entries = await until(
    async () => {
      const sofar = await readRecord(bench.recordOf(user))
      return sofar.some(({ kind }) => kind === 'helper') && sofar
    },
    { what: 'the CLI has started its helper', within: 30_000 },
  )
  return entries.map(({ pid }) => pid)
}

const allGone = (pids: readonly number[]) =>
  until(() => !pids.some(isAlive), { what: `processes ${pids} are gone`, within: 20_000 })

describe('bringing a run down', () => {
  test('cancelling kills the CLI and what it started, and settles as aborted', async () => {
    const ready = join(user.profile, 'ready-1')
    const run = await bench.start(
      await replaying({ helper: 'holds-pipes', ignoreSigterm: true, readyFile: ready, hang: true }),
    )
    await fileText(ready, 30_000)
    const pids = await pidsOfTree()
    assert.equal(pids.length, 2)
    assert.ok(pids.every(isAlive))
    run.cancel()
    assert.deepEqual(await run.outcome, { status: 'aborted' })
    await run.dispose()
    await allGone(pids)
  })

  test('disposing of a CLI that lives on after its result kills the whole tree', async () => {
    const run = await bench.start(
      await replaying({ helper: 'holds-pipes', stdout: [resultLine('done')], hang: true }),
    )
    assert.deepEqual(await run.outcome, { status: 'completed', answer: 'done' })
    const pids = await pidsOfTree()
    await run.dispose()
    await allGone(pids)
    assert.deepEqual(bench.logs, [], 'the exit that the plugin caused is not the CLI’s')
  })

  test('a CLI that floods stdout is stopped', async () => {
    const ready = join(user.profile, 'ready-2')
    const run = await bench.start(await replaying({ readyFile: ready, floodStdout: -1 }))
    const pid = Number(await fileText(ready, 30_000))
    await until(() => run.progress().bytes > 1e6, { what: 'the flood has begun', within: 30_000 })
    await run.dispose()
    assert.deepEqual(await run.outcome, { status: 'aborted' })
    await allGone([pid])
  })

  test('a time limit ends the run as timeout and kills the CLI', async () => {
    const ready = join(user.profile, 'ready-3')
    const task = await replaying({ readyFile: ready, hang: true })
    const run = await bench.start({ ...task, config: { ...task.config, stallTimeoutMs: 1500 } })
    const pid = Number(await fileText(ready, 30_000))
    const outcome = await run.outcome
    assert.equal(outcome.status === 'failed' && outcome.failure.category, 'timeout')
    await run.dispose()
    await allGone([pid])
  })

  test("dispose resolves although a helper outlives the CLI's own exit and holds the pipes", async () => {
    const run = await bench.start(
      await replaying({ helper: 'holds-pipes', stdout: [resultLine('done')] }),
    )
    assert.equal((await run.outcome).status, 'completed')
    const pids = await pidsOfTree()
    await run.dispose()
    // The host cannot see such a helper on Windows: a tree without its root is no tree there.
    for (const pid of pids.filter(isAlive)) process.kill(pid)
    await allGone(pids)
  })

  test('nothing of a run is left in the temporary directory', async () => {
    const scratch = join(user.profile, 'temp')
    await mkdir(scratch)
    const env = { TEMP: scratch, TMP: scratch }
    await bench.runAndRecord({ user, config: { env } })
    assert.deepEqual(await readdir(scratch), [])
  })
})
