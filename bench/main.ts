// The benchmark: what reading a Cursor stream costs beside other ways to do it, and what a delegation costs
// beside a bare process. Figures go to stdout, one a line, `name: number`; how they came about goes to stderr.
// `--quick` takes about a minute, `--scale` runs many delegations at once instead. Nothing here is a test: a
// figure depends on the machine and on what else it does.

import { deepStrictEqual } from 'node:assert/strict'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import {
  bigResultLines,
  inChunks,
  largeToolLines,
  PIPE_CHUNK_BYTES,
  realisticLines,
  toBytes,
} from '../tests/support/generators.ts'
import { newlineScan, withReader, withReadline, withSplit2, type Contender } from './contenders.ts'
import type { atOnce, Delegations } from './delegation.ts'
import { worstFailures } from './failure.ts'
import { type Effort, inTurns, median, ratio } from './measure.ts'
import { peakMemory } from './memory.ts'

const MIB = 2 ** 20
const DRIP_BYTES = 64

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    scale: { type: 'boolean', default: false },
  },
})
const effort: Effort = options.quick ? { rounds: 40, turn: 40e6 } : { rounds: 150, turn: 60e6 }

const say = (text: string): void => void process.stderr.write(`${text}\n`)
const figure = (name: string, value: number): void => console.log(`${name}: ${value.toFixed(2)}`)

/** Throughput in MiB/s, for the notes. */
function speeds(times: Readonly<Record<string, number[]>>, { length }: Uint8Array): string {
  const all = Object.entries(times).map(
    ([name, ns]) => `${name} ${((length / MIB / median(ns)) * 1e9).toFixed(0)} MiB/s`,
  )
  return `${(length / MIB).toFixed(2)} MiB: ${all.join(', ')}`
}

/** @throws unless all contenders find the same in the stream: only then is comparing their times fair. */
async function assertSameJob(
  chunks: readonly Uint8Array[],
  contenders: Contender[],
): Promise<void> {
  const [first, ...others] = await Promise.all(contenders.map((read) => read(chunks)))
  for (const other of others) deepStrictEqual({ ...other }, { ...first })
}

async function compareReaders(): Promise<void> {
  const mix = toBytes(realisticLines())
  const chunks = inChunks(mix, PIPE_CHUNK_BYTES)
  await assertSameJob(chunks, [withReader, withSplit2, withReadline])
  const times = await inTurns(
    {
      reader: () => withReader(chunks),
      split2: () => withSplit2(chunks),
      readline: () => withReadline(chunks),
      scan: () => newlineScan(chunks),
    },
    effort,
  )
  say(`realistic mix, ${speeds(times, mix)}`)
  figure('reader-vs-split2', ratio(times.split2, times.reader))
  figure('reader-vs-readline', ratio(times.readline, times.reader))
  figure('reader-vs-newline-scan', ratio(times.reader, times.scan))
}

async function compareLargeLines(): Promise<void> {
  const bytes = toBytes(largeToolLines())
  const chunks = inChunks(bytes, PIPE_CHUNK_BYTES)
  await assertSameJob(chunks, [withReader, withSplit2])
  const contenders = { reader: () => withReader(chunks), split2: () => withSplit2(chunks) }
  const times = await inTurns(contenders, effort)
  say(`tool lines of 400 KiB, ${speeds(times, bytes)}`)
  figure('reader-vs-split2-large-lines', ratio(times.split2, times.reader))
}

async function compareDrip(): Promise<void> {
  const bytes = toBytes(bigResultLines(4 * MIB))
  const drips = inChunks(bytes, DRIP_BYTES)
  const contenders = { drip: () => withReader(drips), whole: () => withReader([bytes]) }
  const times = await inTurns(contenders, effort)
  say(`a result of 4 MiB in pieces of ${DRIP_BYTES} bytes and whole, ${speeds(times, bytes)}`)
  figure('drip-vs-whole', ratio(times.drip, times.whole))
}

/** @param rounds how often each failure is read. */
function measureFailures(rounds: number): void {
  const failures = worstFailures(rounds)
  for (const [what, ms] of failures) say(`${what}: ${ms.toFixed(1)} ms`)
  figure('worst-failure-ms', Math.max(...failures.map(([, ms]) => ms)))
}

/** Loaded only when its turn has come: the host is big, and its heap would slow the readers' collector. */
async function withDelegations(
  measure: (bench: Delegations, load: typeof atOnce) => Promise<void>,
): Promise<void> {
  const { atOnce, openDelegations } = await import('./delegation.ts')
  const bench = await openDelegations()
  try {
    await measure(bench, atOnce)
  } finally {
    await bench.close()
  }
}

/** @param rounds delegations and bare processes, a second and a bit each. */
const compareDelegation = (rounds: number): Promise<void> =>
  withDelegations(async ({ delegate, rawSpawn }) => {
    const { delegation, raw } = await inTurns(
      { delegation: delegate, raw: rawSpawn },
      { rounds, turn: 0, samples: 1 },
    )
    const [whole, bare] = [delegation, raw].map((ns) => (median(ns) / 1e6).toFixed(0))
    say(
      `a run of one second: delegation ${whole} ms, bare process ${bare} ms (medians of ${rounds})`,
    )
    figure('delegation-vs-raw-spawn', ratio(delegation, raw))
  })

const scale = (): Promise<void> =>
  withDelegations(async ({ delegate, rawSpawn }, atOnce) => {
    await delegate()
    for (const count of [1, 4, 16, 64]) {
      const load = await atOnce(count, delegate)
      const bare = await atOnce(count, rawSpawn)
      say(
        `${count} at once: ${load.ms.toFixed(0)} ms, ${load.cpuMs.toFixed(0)} ms of CPU in this process; ` +
          `bare processes: ${bare.ms.toFixed(0)} ms, ${bare.cpuMs.toFixed(0)} ms of CPU, ` +
          `event loop late by ${bare.late.p99.toFixed(2)} ms (p99), ${(bare.bytesPerRun / MIB).toFixed(2)} MiB a run`,
      )
      for (const [at, ms] of Object.entries(load.late)) {
        figure(`scale-${count}-event-loop-delay-${at}-ms`, ms)
      }
      figure(`scale-${count}-memory-mib-per-run`, load.bytesPerRun / MIB)
    }
  })

say(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`)
if (options.scale) {
  await scale()
} else {
  await compareReaders()
  await compareLargeLines()
  await compareDrip()
  measureFailures(options.quick ? 3 : 10)
  await compareDelegation(options.quick ? 5 : 15)
  const peaks: number[] = []
  while (peaks.length < 15) peaks.push(await peakMemory())
  figure('peak-memory-mib-over-baseline', median(peaks) / MIB)
}
