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
function speeds(times: Readonly<Record<string, number[]>>, bytes: number): string {
  return Object.entries(times)
    .map(([name, all]) => `${name} ${((bytes / MIB / median(all)) * 1e9).toFixed(0)} MiB/s`)
    .join(', ')
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
  say(`realistic mix, ${(mix.length / MIB).toFixed(2)} MiB: ${speeds(times, mix.length)}`)
  figure('reader-vs-split2', ratio(times.split2, times.reader))
  figure('reader-vs-readline', ratio(times.readline, times.reader))
  figure('reader-vs-newline-scan', ratio(times.reader, times.scan))
}

async function compareLargeLines(): Promise<void> {
  const bytes = toBytes(largeToolLines())
  const chunks = inChunks(bytes, PIPE_CHUNK_BYTES)
  await assertSameJob(chunks, [withReader, withSplit2])
  const times = await inTurns(
    { reader: () => withReader(chunks), split2: () => withSplit2(chunks) },
    effort,
  )
  say(
    `tool lines of 400 KiB, ${(bytes.length / MIB).toFixed(2)} MiB: ${speeds(times, bytes.length)}`,
  )
  figure('reader-vs-split2-large-lines', ratio(times.split2, times.reader))
}

async function compareDrip(): Promise<void> {
  const bytes = toBytes(bigResultLines(4 * MIB))
  const drips = inChunks(bytes, DRIP_BYTES)
  const times = await inTurns(
    { drip: () => withReader(drips), whole: () => withReader([bytes]) },
    effort,
  )
  say(
    `a result of 4 MiB: whole ${(median(times.whole) / 1e6).toFixed(1)} ms, ` +
      `in pieces of ${DRIP_BYTES} bytes ${(median(times.drip) / 1e6).toFixed(1)} ms`,
  )
  figure('drip-vs-whole', ratio(times.drip, times.whole))
}

async function measureMemory(): Promise<void> {
  const { resident, held } = await peakMemory()
  say(
    `256 MiB with a line of 64 MiB: resident memory rose ${(resident / MIB).toFixed(1)} MiB ` +
      `over the baseline, heap and external ${(held / MIB).toFixed(1)} MiB`,
  )
  figure('peak-memory-mib-over-baseline', Math.max(resident, held) / MIB)
}

/** @param rounds how often each failure is read. */
function measureFailures(rounds: number): void {
  const failures = worstFailures(rounds)
  for (const { what, turn, parse } of failures)
    say(`${what}: ${turn.toFixed(1)} ms, JSON.parse ${parse.toFixed(1)} ms`)
  const [worst] = failures
  if (worst === undefined) return
  figure('worst-failure-ms', worst.turn)
  figure('worst-failure-vs-json-parse', worst.turn / worst.parse)
}

/** Loaded only when its turn has come: the host is big, and its heap would slow the readers' collector. */
async function openDelegations() {
  const { DelegationBench } = await import('./delegation.ts')
  return DelegationBench.open()
}

/** @param rounds delegations and bare processes, a second and a bit each. */
async function compareDelegation(rounds: number): Promise<void> {
  const bench = await openDelegations()
  try {
    const { delegation, raw } = await bench.compare(rounds)
    say(
      `a run of one second: delegation ${median(delegation).toFixed(0)} ms, ` +
        `bare process ${median(raw).toFixed(0)} ms (medians of ${rounds})`,
    )
    figure('delegation-vs-raw-spawn', ratio(delegation, raw))
  } finally {
    await bench.close()
  }
}

async function scale(): Promise<void> {
  const bench = await openDelegations()
  try {
    await bench.delegate()
    for (const count of [1, 4, 16, 64]) {
      const load = await bench.atOnce(count, 'delegate')
      const bare = await bench.atOnce(count, 'rawSpawn')
      say(
        `${count} at once: ${load.ms.toFixed(0)} ms, ${load.cpuMs.toFixed(0)} ms of CPU in this process; ` +
          `bare processes: ${bare.ms.toFixed(0)} ms, ${bare.cpuMs.toFixed(0)} ms of CPU, ` +
          `event loop late by ${bare.loopDelayP99.toFixed(2)} ms (p99), ${(bare.bytesPerRun / MIB).toFixed(2)} MiB a run`,
      )
      figure(`scale-${count}-event-loop-delay-p50-ms`, load.loopDelayP50)
      figure(`scale-${count}-event-loop-delay-p99-ms`, load.loopDelayP99)
      figure(`scale-${count}-event-loop-delay-max-ms`, load.loopDelayMax)
      figure(`scale-${count}-memory-mib-per-run`, load.bytesPerRun / MIB)
    }
  } finally {
    await bench.close()
  }
}

say(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`)
if (options.scale) {
  await scale()
} else {
  await compareReaders()
  await compareLargeLines()
  await compareDrip()
  measureFailures(options.quick ? 3 : 10)
  await compareDelegation(options.quick ? 11 : 30)
  await measureMemory()
}
