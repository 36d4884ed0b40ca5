// Soak: `node tests/soak.ts [delegations] [at once]`. Runs that many delegations (2,000, up to 16 at
// a time) of random cases with random cancellation through the core and the host's real subprocess
// service, then asserts that every result was right and that nothing is left: no process, timer or
// listener, and open handles and heap as at the start. Not part of the suite: it takes minutes.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { CursorOutcome } from '../src/cursor/run.ts'
import { runCases, type RunCase } from './support/cases.ts'
import { openBench } from './support/core-run.ts'
import { assertNoProcess } from './support/processes.ts'

const delegations = Number(process.argv[2] ?? 2000)
const atOnce = Number(process.argv[3] ?? 16)
const CANCELLED_SHARE = 0.2
const PROGRESS_EVERY = 200

process.on('unhandledRejection', (error) => {
  console.error('unhandled rejection', error)
  process.exit(1)
})

/** Cases that end by themselves within a second or two. */
const cases = runCases.filter(({ id }) => id !== 'stream-long-silence')
const bench = await openBench()
const tally = { completed: 0, failed: 0, aborted: 0 }

function assertRight(item: RunCase, outcome: CursorOutcome, cancelled: boolean): void {
  tally[outcome.status]++
  if (outcome.status === 'aborted') {
    assert.ok(cancelled, `${item.id} was aborted by nobody`)
    return
  }
  const { want } = item
  if (want.stop === 'completed') {
    assert.deepEqual(outcome, { status: 'completed', answer: want.answer }, item.id)
    return
  }
  assert.equal(outcome.status, 'failed', item.id)
  if (want.category !== undefined) assert.equal(outcome.failure.category, want.category, item.id)
}

async function delegate(): Promise<void> {
  const item = cases[Math.floor(Math.random() * cases.length)] as RunCase
  const { run, listenersLeft } = await bench.start(item, { config: item.want.config ?? {} })
  const cancelled = Math.random() < CANCELLED_SHARE
  if (cancelled) {
    await delay(Math.random() * 150)
    if (Math.random() < 0.5) run.cancel()
    else void run.dispose()
  }
  assertRight(item, await run.outcome, cancelled)
  await run.dispose()
  assert.deepEqual(listenersLeft(), [], item.id)
}

interface Open {
  readonly descriptors: number
  readonly timers: number
  /** Bytes, after a collection. */
  readonly heap: number
}

function open(): Open {
  globalThis.gc?.()
  return {
    descriptors: readdirSync('/proc/self/fd').length,
    timers: process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length,
    heap: process.memoryUsage().heapUsed,
  }
}

async function soak(count: number): Promise<void> {
  let left = count
  let ended = 0
  const worker = async (): Promise<void> => {
    while (left-- > 0) {
      await delegate()
      ended++
      if (ended % PROGRESS_EVERY === 0) console.log(`${ended} of ${count}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

if (globalThis.gc === undefined) console.log('run with --expose-gc for a steady heap figure')
// Compiled code, caches and pools are there after these.
await soak(Math.min(64, delegations))
Object.assign(tally, { completed: 0, failed: 0, aborted: 0 })
const before = open()
const startedAt = performance.now()
await soak(delegations)
const seconds = (performance.now() - startedAt) / 1000
await assertNoProcess(bench.mark)
const after = open()
await bench.close()

console.log(
  `${delegations} delegations, ${atOnce} at once, in ${seconds.toFixed(0)} s: ` +
    `${tally.completed} completed, ${tally.failed} failed as they should, ${tally.aborted} cancelled`,
)
console.log(`before: ${JSON.stringify(before)}`)
console.log(`after:  ${JSON.stringify(after)}`)
assert.equal(after.timers, before.timers, 'timers are left')
assert.ok(after.descriptors <= before.descriptors, 'file descriptors are left')
const MIB = 1_048_576
assert.ok(after.heap - before.heap < 8 * MIB, 'the heap has grown')
console.log('nothing is left')
