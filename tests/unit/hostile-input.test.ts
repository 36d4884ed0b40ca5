// Hostile input and hosts that do not keep their contract: each of these once broke a rule.
import assert from 'node:assert/strict'
import { PassThrough, Writable } from 'node:stream'
import { describe, it } from 'node:test'
import { resolveConfig } from '../../src/config/config.ts'
import { MAX_DIAGNOSTIC_BYTES } from '../../src/cursor/failures/diagnostic.ts'
import { CursorStartError } from '../../src/cursor/start-error.ts'
import { CursorStreamReader } from '../../src/cursor/stream-reader.ts'
import { configForSession } from '../../src/dsh/session-policy.ts'
import { startCursorRun, type CursorRun } from '../../src/cursor/run.ts'
import { inMemory } from '../support/layouts.ts'
import { judged } from '../support/judged.ts'

it('a result that is a huge list is an agent error like any other', () => {
  const event = { type: 'result', is_error: true, result: Array.from({ length: 200_000 }, () => 0) }
  const { category } = judged({ stdout: `${JSON.stringify(event)}\n`, end: 'result' })
  assert.equal(category, 'agent-error')
})

it('a start that fails over a path without end says so in bounds, the next step too', () => {
  const path = `/${'long/'.repeat(3000)}`
  const { message } = new CursorStartError('bad-cwd', {
    happened: `It is gone: ${path}.`,
    details: ['Looked at:', `  ${path}: nothing there`],
  })
  assert.ok(Buffer.byteLength(message) <= MAX_DIAGNOSTIC_BYTES)
  assert.match(message, /^bad-cwd: It is gone: .* → Delegate from a session/)
})

// An exception for each line held the host's event loop for a second a chunk.
for (const line of ['{', '{x}', '{"type":"result"']) {
  it(`a flood of ${line} is not parsed line by line`, (t) => {
    const parse = t.mock.method(JSON, 'parse')
    new CursorStreamReader().push(Buffer.from(`${line}\n`.repeat(4096)))
    assert.ok(parse.mock.callCount() <= 1)
  })
}

describe('a session policy that says something else than it should', () => {
  const refuse = (resolve: () => unknown): unknown =>
    configForSession(
      { get: () => ({ resolve }) } as never,
      {} as never,
      resolveConfig({ permissionMode: 'trust' }),
      false,
    )

  for (const [what, resolve] of [
    ['throws', () => assert.fail('no policy')],
    ['gives nothing', () => undefined],
    ['gives a promise', () => Promise.resolve({ mode: 'workspace-write' })],
    ['gives an unknown mode', () => ({ mode: 'no-access' })],
  ] as const) {
    it(`permits nothing that can write: it ${what}`, () => {
      assert.throws(() => refuse(resolve), /^CursorStartError: policy-refused: .* cannot be read/)
    })
  }

  it('permits what it should', () => {
    refuse(() => ({ mode: 'workspace-write' }))
    refuse(() => ({ mode: 'danger-full-access' }))
    assert.throws(() => refuse(() => ({ mode: 'read-only' })), /is read-only/)
  })
})

describe('a handle', () => {
  const CLI = '/opt/cursor/index.js'
  const { system } = inMemory({ platform: 'linux', files: [CLI] })
  const start = (handle: unknown): Promise<CursorRun> =>
    startCursorRun({
      prompt: 'Do something useful',
      cwd: '/',
      config: resolveConfig({ cliPath: CLI, disposeGraceMs: 20 }),
      system,
      spawn: () => handle as never,
      stderr: new Writable({ write: (_chunk, _encoding, done) => done() }),
      log: () => {},
    })

  /** As a newer host gives it, without a pid, of a process that has ended without a word. */
  const handleOf = (odd: object) => ({
    stdout: new PassThrough().end(),
    stderr: new PassThrough().end(),
    done: Promise.resolve({ exitCode: 0, signal: null }),
    terminate: () => {},
    waitForExit: () => Promise.resolve(true),
    ...odd,
  })

  const isSpawnFailure = (error: unknown): boolean =>
    error instanceof CursorStartError && error.category === 'spawn-failed'

  for (const [what, wrong] of [
    ['stdout is null', { stdout: null }],
    ['stderr is null', { stderr: null }],
    ['stdout is no stream', { stdout: {} }],
    ['done is no promise', { done: {} }],
    ['waitForExit is missing', { waitForExit: undefined }],
  ] as const) {
    it(`that lacks what a run needs is refused and terminated: ${what}`, async () => {
      const terminated = Promise.withResolvers<void>()
      await assert.rejects(
        start(handleOf({ ...wrong, terminate: terminated.resolve })),
        isSpawnFailure,
      )
      await terminated.promise
    })
  }

  for (const [what, wrong] of [
    ['nothing', undefined],
    ['a promise that rejects', Promise.reject(new Error('no process today'))],
    [
      'a getter that throws',
      {
        get stdout(): never {
          throw new Error('no stream today')
        },
      },
    ],
  ] as const) {
    it(`that is none is refused: ${what}`, async () => {
      await assert.rejects(start(wrong), isSpawnFailure)
    })
  }

  it('that comes late, as a promise, is terminated all the same', async () => {
    const terminated = Promise.withResolvers<void>()
    await assert.rejects(
      start(Promise.resolve(handleOf({ terminate: terminated.resolve }))),
      isSpawnFailure,
    )
    await terminated.promise
  })

  it('without a pid tells of a failed spawn by `done`, before the run is published', async () => {
    const done = Promise.reject(new Error('spawn ENOENT'))
    await assert.rejects(
      start(handleOf({ done })),
      (error: Error) => isSpawnFailure(error) && error.message.includes('spawn ENOENT'),
    )
  })

  it('without a pid can tell later too, as the end of the published run', async () => {
    const { promise: done, reject } = Promise.withResolvers<never>()
    const run = await start(
      handleOf({ done, stdout: new PassThrough(), stderr: new PassThrough() }),
    )
    reject(new Error('the scope could not be made'))
    const outcome = await run.outcome
    assert.ok(outcome.status === 'failed')
    assert.equal(outcome.failure.category, 'spawn-failed')
    assert.match(outcome.failure.diagnostic, /^spawn-failed: .*the scope could not be made/)
    await run.dispose()
  })

  it('may reject and fail wherever it likes without an unhandled rejection', async (t) => {
    const escaped: unknown[] = []
    const note = (error: unknown): void => void escaped.push(error)
    process.on('unhandledRejection', note)
    process.on('uncaughtException', note)
    t.after(() => {
      process.off('unhandledRejection', note)
      process.off('uncaughtException', note)
    })
    const stdout = new PassThrough()
    const stderr = new PassThrough()
    const run = await start(
      handleOf({
        stdout,
        stderr,
        terminate: () => Promise.reject(new Error('no permission')),
        done: new Promise(() => {}),
      }),
    )
    run.cancel()
    assert.deepEqual(await run.outcome, { status: 'aborted' })
    // `done` never settles: the grace bounds it.
    await run.dispose()
    for (const stream of [stdout, stderr]) stream.emit('error', new Error('too late'))
    await new Promise(setImmediate)
    assert.deepEqual(escaped, [])
  })

  it('that writes without a pause leaves the host its turns', async () => {
    const stdout = new PassThrough({ highWaterMark: 1 << 30 })
    const run = await start(handleOf({ done: new Promise(() => {}), stdout }))
    const flood = Buffer.from('x\n'.repeat(32_768))
    const total = 64 * flood.length
    for (let at = 0; at < 64; at++) stdout.write(flood)
    let turns = 0
    for (; run.progress().bytes < total; turns++) await new Promise(setImmediate)
    assert.ok(turns > 4, `only ${turns} turns`)
    await run.dispose()
  })

  it('whose tree cannot be waited for keeps the answer, and says so on dispose', async () => {
    const stdout = new PassThrough()
    stdout.end(`${JSON.stringify({ type: 'result', subtype: 'success', result: 'an answer' })}\n`)
    const waitForExit = (): Promise<never> => Promise.reject(new Error('it will not die'))
    const run = await start(handleOf({ stdout, waitForExit }))
    assert.deepEqual(await run.outcome, { status: 'completed', answer: 'an answer' })
    await assert.rejects(run.dispose(), /it will not die/)
  })
})

describe('configuration', () => {
  it('refuses an unknown field that is left empty', () => {
    assert.throws(() => resolveConfig({ permisionMode: null } as never), /permissionMode/)
  })
})
