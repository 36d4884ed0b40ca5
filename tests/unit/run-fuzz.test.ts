// Whole runs over random streams and a process that ends at random, with a fake child for what a real
// process cannot do on purpose: nothing is thrown or rejected, and the outcome is what an oracle makes
// of the bytes. Real processes are in tests/process.
import assert from 'node:assert/strict'
import { PassThrough, Writable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { it } from 'node:test'
import * as fc from 'fast-check'
import { resolveConfig } from '../../src/config/config.ts'
import type { CursorProcess, ProcessExit } from '../../src/cursor/process.ts'
import { startCursorRun, type CursorOutcome } from '../../src/cursor/run.ts'
import { anyChunking, anyStream } from '../support/arbitraries.ts'
import { inMemory } from '../support/layouts.ts'
import { readWhole, type Outcome } from '../support/oracle.ts'

/** A machine on which nothing is but an index.js of the CLI, run by the host's own Node. */
const CLI = '/opt/cursor/index.js'
const { system } = inMemory({ platform: 'linux', files: [CLI] })

/** More of them by hand: `FUZZ_RUNS=5000`. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 400)

interface Script {
  readonly stdout: readonly Uint8Array[]
  readonly stderr: readonly Uint8Array[]
  readonly exit: ProcessExit
  /** After how many turns of writing the caller cancels, if it does. */
  readonly cancelAfter: number | undefined
  /** The handle misbehaves: streams that end with an error, a close that comes first. */
  readonly fault: 'none' | 'stdout-error' | 'exit-first' | 'never-closes'
}

class FakeProcess implements CursorProcess {
  readonly pid = 4242
  readonly stdout = new PassThrough()
  readonly stderr = new PassThrough()
  readonly #closed = Promise.withResolvers<ProcessExit>()
  readonly done = this.#closed.promise
  readonly #script: Script
  terminated = false

  constructor(script: Script) {
    this.#script = script
  }

  async play(afterTurn: (turn: number) => void): Promise<void> {
    const { stdout, stderr, exit, fault } = this.#script
    await nextTurn()
    if (fault === 'exit-first') this.#closed.resolve(exit)
    const turns = Math.max(stdout.length, stderr.length)
    for (let turn = 0; turn < turns && !this.terminated; turn++) {
      if (stdout[turn] !== undefined && !this.stdout.destroyed) this.stdout.write(stdout[turn])
      if (stderr[turn] !== undefined && !this.stderr.destroyed) this.stderr.write(stderr[turn])
      afterTurn(turn)
      if (turn % 50 === 0) await nextTurn()
    }
    if (fault === 'stdout-error') this.stdout.destroy(new Error('EIO'))
    else if (!this.stdout.destroyed) this.stdout.end()
    if (!this.stderr.destroyed) this.stderr.end()
    await nextTurn()
    if (fault !== 'never-closes') this.#closed.resolve(exit)
  }

  terminate(): void {
    this.terminated = true
    this.#closed.resolve({ exitCode: null, signal: 'SIGTERM' })
  }

  waitForExit(): Promise<boolean> {
    return this.done.then(() => true)
  }
}

async function run(script: Script): Promise<{ outcome: CursorOutcome; cancelled: boolean }> {
  const children: FakeProcess[] = []
  let cancelled = false
  const started = await startCursorRun({
    prompt: 'Do something useful',
    cwd: '/',
    config: resolveConfig({ cliPath: CLI, disposeGraceMs: 20 }),
    system,
    spawn() {
      const child = new FakeProcess(script)
      children.push(child)
      void child.play((turn) => {
        if (turn !== script.cancelAfter) return
        cancelled = true
        started.cancel()
      })
      return child
    },
    stderr: new Writable({ write: (_chunk, _encoding, done) => done() }),
    log: () => {},
  })
  const outcome = await started.outcome
  await started.dispose()
  for (const { stdout, stderr } of children) {
    assert.equal(
      stdout.listenerCount('data') + stderr.listenerCount('data'),
      0,
      'listeners are left',
    )
  }
  return { outcome, cancelled }
}

function assertAsTheOracleSays(outcome: CursorOutcome, read: Outcome): void {
  const event = read.result
  if (event === undefined) {
    assert.equal(outcome.status, 'failed')
    const framingLost = outcome.failure.category === 'stream-framing'
    assert.equal(framingLost, read.state === 'framing-lost')
    return
  }
  const isError =
    (event.isError !== undefined && event.isError !== false) ||
    (event.subtype !== undefined && event.subtype !== 'success')
  const { result } = event
  if (!isError && typeof result === 'string' && result.trim() !== '') {
    assert.deepEqual(outcome, { status: 'completed', answer: result })
    return
  }
  assert.equal(outcome.status, 'failed')
  assert.equal(outcome.failure.category, isError ? 'agent-error' : 'empty-answer')
}

const anyExit: fc.Arbitrary<ProcessExit> = fc.constantFrom(
  { exitCode: 0, signal: null },
  { exitCode: 1, signal: null },
  { exitCode: 143, signal: null },
  { exitCode: null, signal: 'SIGKILL' },
)

const anyScript = fc
  .record({
    stream: anyStream,
    chunking: anyChunking,
    stderr: fc.array(
      fc.oneof(
        fc.uint8Array({ maxLength: 40 }),
        fc.constantFrom(
          Buffer.from('Error: Authentication required\n'),
          Buffer.from('Unexpected end of JSON input\n'),
          Buffer.from('{"type":"result","result":"from stderr"}\n'),
        ),
      ),
      { maxLength: 5 },
    ),
    exit: anyExit,
    cancelAfter: fc.option(fc.nat(12), { nil: undefined, freq: 4 }),
    fault: fc.constantFrom('none', 'none', 'none', 'stdout-error', 'exit-first', 'never-closes'),
  })
  .map(({ stream, chunking, ...rest }) => ({
    bytes: stream.bytes,
    script: { ...rest, stdout: chunking.cut(stream.bytes) } satisfies Script,
  }))

it(`${RUNS} whole runs over random streams settle as the oracle says and leave nothing`, async () => {
  const unhandled: unknown[] = []
  const note = (error: unknown): void => void unhandled.push(error)
  process.on('unhandledRejection', note)
  try {
    await fc.assert(
      fc.asyncProperty(anyScript, async ({ bytes, script }) => {
        const { outcome, cancelled } = await run(script)
        if (outcome.status === 'aborted') {
          assert.ok(cancelled, 'nobody cancelled')
          return
        }
        // Without the whole stream there may be no result yet; there is never another one.
        const wasCut = script.fault === 'stdout-error' || script.fault === 'exit-first'
        if ((wasCut || cancelled) && outcome.status === 'failed') return
        assertAsTheOracleSays(outcome, readWhole(bytes))
        if (outcome.status === 'failed') {
          assert.ok(Buffer.byteLength(outcome.failure.diagnostic) <= 4096)
          assert.ok(!outcome.failure.diagnostic.includes('from stderr'))
        }
      }),
      { numRuns: RUNS },
    )
  } finally {
    process.off('unhandledRejection', note)
  }
  assert.deepEqual(unhandled, [])
})
