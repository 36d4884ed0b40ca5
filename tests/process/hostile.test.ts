// The core of a run against processes that do not behave: each settles with the right outcome, in
// bounded memory, within its grace, and leaves no process, timer or listener. Real processes through
// the host's real subprocess service.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import type { CursorOutcome } from '../../src/cursor/run.ts'
import {
  openBench,
  type CoreBench,
  type StartedRun,
  type StartOptions,
} from '../support/core-run.ts'
import { assertNoProcess, fileText, markedProcesses, until } from '../support/processes.ts'
import { readRecord, type StandInCase } from '../support/record.ts'

const INIT = '{"type":"system","subtype":"init","session_id":"s","model":"Auto"}'
const RESULT = '{"type":"result","subtype":"success","is_error":false,"result":"the answer"}'
const MIB = 1_048_576

let bench: CoreBench
before(async () => {
  bench = await openBench()
})
after(() => bench.close())

/** Runs a case to its end and asserts that nothing of it is left. */
async function runToTheEnd(
  item: StandInCase,
  options?: StartOptions,
): Promise<StartedRun & { outcome: CursorOutcome }> {
  const started = await bench.start(item, options)
  const outcome = await started.run.outcome
  await started.run.dispose()
  await assertNothingLeft(started)
  return { ...started, outcome }
}

async function assertNothingLeft({ listenersLeft }: StartedRun): Promise<void> {
  await assertNoProcess(bench.mark)
  assert.deepEqual(listenersLeft(), [], 'listeners are left')
  const timers = process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout')
  // The test runner's own time limit is one.
  assert.ok(timers.length <= 1, `timers are left: ${timers.length}`)
}

function assertFailed(outcome: CursorOutcome, category: string): string {
  assert.equal(outcome.status, 'failed', JSON.stringify(outcome))
  assert.equal(outcome.failure.category, category)
  assert.ok(outcome.failure.diagnostic.startsWith(`${category}: `))
  assert.ok(Buffer.byteLength(outcome.failure.diagnostic) <= 4096)
  return outcome.failure.diagnostic
}

/** A reader of the host's stderr that takes its time with each chunk. */
function slowSink(): Writable & { received: number; highWater: number } {
  const sink = new Writable({
    highWaterMark: 64 * 1024,
    write(chunk: Buffer, _encoding, done) {
      slow.received += chunk.length
      slow.highWater = Math.max(slow.highWater, slow.writableLength)
      setImmediate(done)
    },
  })
  const slow = Object.assign(sink, { received: 0, highWater: 0 })
  return slow
}

describe('a process that outlives its result', () => {
  it('does not delay the answer, and is gone after dispose', async () => {
    const { outcome } = await runToTheEnd({ stdout: [INIT, RESULT, '@HANG@'] })
    assert.deepEqual(outcome, { status: 'completed', answer: 'the answer' })
  })

  it('is killed after the grace when it ignores SIGTERM', async () => {
    const { outcome } = await runToTheEnd({
      stdout: [INIT, RESULT],
      hang: true,
      ignoreSigterm: true,
    })
    assert.deepEqual(outcome, { status: 'completed', answer: 'the answer' })
  })

  it('leaves no helper of its group that holds the pipes', async () => {
    const { outcome } = await runToTheEnd({ helper: 'holds-pipes', stdout: [INIT, RESULT] })
    assert.deepEqual(outcome, { status: 'completed', answer: 'the answer' })
    const entries = await readRecord(bench.record)
    assert.ok(
      entries.some(({ kind }) => kind === 'helper'),
      'the helper was really started',
    )
  })

  it('may flood stdout without changing the answer', async () => {
    const { outcome, run } = await runToTheEnd({ stdout: [INIT, RESULT], floodStdout: 64 * MIB })
    assert.deepEqual(outcome, { status: 'completed', answer: 'the answer' })
    assert.equal(run.progress().eventCount, 2)
  })
})

describe('a process without a result', () => {
  it('that a helper outlives is settled by its exit, with what it wrote', async () => {
    const { outcome } = await runToTheEnd({
      helper: 'holds-pipes',
      stdout: [INIT],
      stderr: "Error: Authentication required. Please run 'agent login' first\n",
      exit: 1,
    })
    assertFailed(outcome, 'not-authenticated')
  })

  it('that closes stdout and lives on is settled after the grace', async () => {
    const { outcome } = await runToTheEnd({ stdout: [INIT], closeStdoutAndLive: true })
    assert.match(assertFailed(outcome, 'no-result'), /went on running/)
  })

  it('that writes half a UTF-8 sequence and dies is named as cut off', async () => {
    const halfACharacter = 'e6b1'
    const { outcome } = await runToTheEnd({
      stdout: [INIT, '{"type":"result","result":"汉'],
      no_final_newline: true,
      tailHex: halfACharacter,
      exit: 1,
    })
    const diagnostic = assertFailed(outcome, 'no-result')
    assert.match(diagnostic, /last line on stdout was cut off/)
    assert.ok(!diagnostic.includes('汉'))
  })

  it('that loses the tail of a big result by exiting at once is named as cut off', async () => {
    const line = RESULT.replace('the answer', 'x'.repeat(8 * MIB - 200))
    const { outcome } = await runToTheEnd({ stdout: [INIT, line], exitImmediately: true, exit: 0 })
    const diagnostic = assertFailed(outcome, 'no-result')
    assert.match(diagnostic, /exit code 0/)
    assert.match(diagnostic, /last line on stdout was cut off/)
    assert.ok(!diagnostic.includes('xxxx'))
  })

  it('that dies before its first event says its exit code', async () => {
    const { outcome } = await runToTheEnd({ stdout: [], exit: 3 })
    assert.match(assertFailed(outcome, 'no-result'), /exit code 3 and no message/)
  })

  it('that is killed by a signal says which', async () => {
    const { outcome } = await runToTheEnd({ stdout: [INIT], signal: 'SIGKILL' })
    assert.match(assertFailed(outcome, 'killed'), /SIGKILL/)
  })
})

describe('a stream out of bounds', () => {
  it('fails at a line of more than 8 MiB that is no event, and stops the process', async () => {
    const { outcome } = await runToTheEnd({
      stdout: [INIT],
      longLine: { bytes: 8 * MIB + 1, head: 'x' },
      hang: true,
    })
    assertFailed(outcome, 'stream-framing')
  })

  it('passes over a tool line of 200 MB in bounded memory', async () => {
    const atFirst = process.memoryUsage()
    let peak = 0
    const sample = setInterval(() => {
      const { heapUsed, external } = process.memoryUsage()
      peak = Math.max(peak, heapUsed + external - atFirst.heapUsed - atFirst.external)
    }, 5)
    const { outcome, run } = await runToTheEnd({
      stdout: [INIT, '@LONG_LINE@', RESULT],
      longLine: {
        bytes: 200_000_000,
        head: '{"type":"tool_call","subtype":"completed","tool_call":{"text":"',
        tail: '"}}',
      },
    }).finally(() => clearInterval(sample))
    assert.deepEqual(outcome, { status: 'completed', answer: 'the answer' })
    assert.equal(run.progress().toolCalls.completed, 1)
    assert.ok(run.progress().bytes > 200_000_000)
    assert.ok(peak < 64 * MIB, `memory grew by ${peak} bytes`)
  })

  it('takes the first of two results, and logs that the stream is malformed', async () => {
    const second = RESULT.replace('the answer', 'another answer')
    const { outcome, log } = await runToTheEnd({ stdout: `${INIT}\n${RESULT}\n${second}\n` })
    assert.deepEqual(outcome, { status: 'completed', answer: 'the answer' })
    assert.ok(
      log.some((line) => line.startsWith('malformed stream')),
      log.join('\n'),
    )
  })

  it('logs an exit code other than 0 after the answer', async () => {
    const { run, log } = await bench.start({ stdout: [INIT, RESULT], exit: 7 })
    assert.equal((await run.outcome).status, 'completed')
    await until(() => log.some((line) => line.includes('code 7')), { what: 'the exit is logged' })
    await run.dispose()
  })
})

describe('stderr', () => {
  it('is passed on at the speed of the host, 300 MB with bounded memory', async () => {
    const sink = slowSink()
    const { outcome } = await runToTheEnd(
      { stdout: [INIT], floodStderr: 300_000_000, exit: 1 },
      { stderr: sink },
    )
    assertFailed(outcome, 'no-result')
    assert.ok(sink.received >= 299_000_000, `only ${sink.received} bytes were passed on`)
    assert.ok(sink.highWater < MIB, `${sink.highWater} bytes were queued`)
  })

  it('that nobody reads any more blocks neither the answer nor the end', async () => {
    const stuck = new Writable({ highWaterMark: 1, write() {} })
    const { outcome } = await runToTheEnd(
      { stderr: 'warning\n', stdout: [INIT, RESULT], floodStderr: 8 * MIB },
      { stderr: stuck },
    )
    assert.deepEqual(outcome, { status: 'completed', answer: 'the answer' })
  })

  it('of a host whose own is broken harms nothing', async () => {
    const broken = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) })
    const { outcome } = await runToTheEnd(
      { stderr: 'warning\n', stdout: [INIT, RESULT] },
      { stderr: broken },
    )
    assert.deepEqual(outcome, { status: 'completed', answer: 'the answer' })
  })
})

describe('limits', () => {
  it('end a run that takes longer than timeoutMs', async () => {
    const { outcome } = await runToTheEnd(
      { stdout: [INIT], hang: true, ignoreSigterm: true },
      { config: { timeoutMs: 400 } },
    )
    assert.match(assertFailed(outcome, 'timeout'), /400 ms \(`timeoutMs`\)/)
  })

  it('end a run that is silent for stallTimeoutMs', async () => {
    const { outcome } = await runToTheEnd(
      { stdout: [INIT], hang: true },
      { config: { stallTimeoutMs: 400 } },
    )
    assert.match(assertFailed(outcome, 'timeout'), /nothing for 400 ms \(`stallTimeoutMs`\)/)
  })

  it('are fed by stderr as well as by stdout', async () => {
    const breaths = Array.from({ length: 6 }, () => [
      '@SLEEP 200@',
      '@STDERR still working@',
    ]).flat()
    const { outcome } = await runToTheEnd(
      { stdout: [INIT, ...breaths, RESULT] },
      { config: { stallTimeoutMs: 700 } },
    )
    assert.deepEqual(outcome, { status: 'completed', answer: 'the answer' })
  })

  it('say so when the CLI wrote nothing at all', async () => {
    const { outcome } = await runToTheEnd({ stdout: ['@HANG@'] }, { config: { timeoutMs: 400 } })
    assert.match(assertFailed(outcome, 'timeout'), /no output from the CLI/)
  })
})

describe('cancelling', () => {
  it('settles at once, and dispose waits for a process that ignores SIGTERM', async () => {
    const readyFile = join(bench.directory, randomUUID())
    const started = await bench.start({
      stdout: [INIT],
      hang: true,
      ignoreSigterm: true,
      readyFile,
    })
    await fileText(readyFile)
    started.run.cancel()
    assert.deepEqual(await started.run.outcome, { status: 'aborted' })
    await started.run.dispose()
    await assertNothingLeft(started)
  })

  it('after the answer changes nothing', async () => {
    const { run } = await bench.start({ stdout: [INIT, RESULT] })
    await run.outcome
    run.cancel()
    await run.dispose()
    assert.deepEqual(await run.outcome, { status: 'completed', answer: 'the answer' })
  })

  it('before the first byte leaves nothing', async () => {
    const started = await bench.start({ stdout: [INIT], hang: true })
    const [first, second] = [started.run.dispose(), started.run.dispose()]
    assert.equal(first, second, 'dispose is idempotent')
    await first
    assert.deepEqual(await started.run.outcome, { status: 'aborted' })
    await assertNothingLeft(started)
  })
})

describe('a start-up race', () => {
  it('lost by one of two parallel runs is started again, and both answer', async () => {
    const raceFile = join(bench.directory, randomUUID())
    const item = { raceFile, stdout: [INIT, RESULT] }
    const runs = await Promise.all([bench.start(item), bench.start(item)])
    const outcomes = await Promise.all(runs.map(({ run }) => run.outcome))
    await Promise.all(runs.map(({ run }) => run.dispose()))
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['completed', 'completed'],
    )
    assert.deepEqual(runs.map(({ processes }) => processes.length).toSorted(), [1, 2])
    const retried = runs.find(({ processes }) => processes.length === 2)
    assert.match(retried?.log[0] ?? '', /start-up race \(cli-config\)/)
    await assertNoProcess(bench.mark)
  })

  it('lost twice reports the first failure, after two processes', async () => {
    const { outcome, processes } = await runToTheEnd({
      raceFile: join(bench.directory, randomUUID()),
      raceTimes: 2,
      stdout: [INIT, RESULT],
    })
    assertFailed(outcome, 'cli-config')
    assert.equal(processes.length, 2)
  })

  it('is none once there was an event: the agent may have done something', async () => {
    const { outcome, processes } = await runToTheEnd({
      stdout: [INIT],
      stderr: 'SyntaxError: Unexpected end of JSON input\n',
      exit: 1,
    })
    assertFailed(outcome, 'cli-config')
    assert.equal(processes.length, 1)
  })

  it('is none where the keychain is locked, which no second attempt changes', async () => {
    const { outcome, processes } = await runToTheEnd({
      stdout: [],
      stderr: 'Error: Your macOS login keychain is locked.\n',
      exit: 1,
    })
    assertFailed(outcome, 'credential-store')
    assert.equal(processes.length, 1)
  })

  it('shares timeoutMs between both attempts', async () => {
    const { outcome, processes } = await runToTheEnd(
      {
        raceFile: join(bench.directory, randomUUID()),
        stdout: [],
        hang: true,
      },
      { config: { timeoutMs: 1500 } },
    )
    assertFailed(outcome, 'timeout')
    assert.equal(processes.length, 2)
  })

  it('is given up at once when the run is cancelled while its first process is torn down', async () => {
    const started = await bench.start(
      {
        helper: 'holds-pipes',
        stdout: [],
        stderr: "EPERM: operation not permitted, open '/x/cli-config.json.tmp'\n",
        exit: 1,
      },
      { config: { disposeGraceMs: 1500 } },
    )
    await until(() => started.log.length > 0, { what: 'the race is noticed' })
    started.run.cancel()
    assert.deepEqual(await started.run.outcome, { status: 'aborted' })
    assert.notDeepEqual(markedProcesses(bench.mark), [], 'the helper is not waited for')
    await started.run.dispose()
    await assertNothingLeft(started)
  })

  it('is not run again when the run is cancelled in the pause', async () => {
    const started = await bench.start({
      stdout: [],
      stderr: "EPERM: operation not permitted, open '/x/cli-config.json.tmp'\n",
      exit: 1,
    })
    await until(() => started.log.length > 0, { what: 'the race is noticed' })
    await started.run.dispose()
    assert.deepEqual(await started.run.outcome, { status: 'aborted' })
    assert.equal(started.processes.length, 1)
    await assertNothingLeft(started)
  })
})
