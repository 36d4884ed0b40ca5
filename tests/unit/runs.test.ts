// What the registry of runs keeps of one: all that is shown, and nothing that holds memory.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { resolveConfig } from '../../src/config/config.ts'
import type { CursorOutcome, CursorRun } from '../../src/cursor/run.ts'
import { RunRegistry } from '../../src/dsh/runs.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function runThatEnds(outcome: Promise<CursorOutcome>): CursorRun {
  const progress = (): object => ({
    elapsedMs: 5,
    toolCalls: { started: 1, completed: 1 },
    usage: { inputTokens: 7, outputTokens: 8 },
    files: [],
  })
  return { outcome, progress } as unknown as CursorRun
}

test('a settled run is shown as before, and is not kept itself', async () => {
  const registry = new RunRegistry()
  const runs = ['short', 'x'.repeat(2_000_000)].map((answer, at) => {
    const { promise, resolve } = Promise.withResolvers<CursorOutcome>()
    const run = runThatEnds(promise)
    registry.add({ callId: `call-${at}`, readOnly: at === 0 }, run, resolveConfig({}))
    assert.equal(registry.view(`call-${at}`)?.state, 'running')
    resolve({ status: 'completed', answer })
    return new WeakRef(run)
  })
  await new Promise(setImmediate)
  collectGarbage()
  assert.deepEqual(registry.view('call-0'), {
    state: 'settled',
    stopReason: 'completed',
    mode: 'trust',
    elapsedMs: 5,
    toolCalls: { started: 1, completed: 1 },
    usage: { inputTokens: 7, outputTokens: 8 },
    files: [],
    text: 'short',
  })
  assert.equal(registry.view('call-1')?.text, undefined)
  assert.equal(registry.isReadOnly('call-0'), true)
  assert.deepEqual(
    runs.map((run) => run.deref()),
    [undefined, undefined],
  )
})

test('of many settled runs the newest are kept, and of those that run all', async () => {
  const registry = new RunRegistry()
  const config = resolveConfig({})
  registry.add({ callId: 'running', readOnly: false }, runThatEnds(new Promise(() => {})), config)
  for (let at = 0; at < 40; at++) {
    const run = runThatEnds(Promise.resolve({ status: 'aborted' }))
    registry.add({ callId: `${at}`, readOnly: false }, run, config)
  }
  await new Promise(setImmediate)
  const kept = Array.from({ length: 40 }, (_, at) => registry.view(`${at}`) !== undefined)
  assert.deepEqual(kept, [...Array(8).fill(false), ...Array(32).fill(true)])
  assert.equal(registry.view('running')?.state, 'running')
})
