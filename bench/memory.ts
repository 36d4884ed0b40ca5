// How far reading a long stream raises a process's memory: 256 MiB with one tool line of 64 MiB. Runs itself
// as a child process, so that nothing else is in the figure.
//
// The chunks are of the size that a pipe gives, but lie in a few buffers that come again and again: a real pipe
// makes a new buffer for each, and how many of those wait for the garbage collector says nothing about the
// reader. What the reader copies still counts.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { CursorStreamReader } from '../src/cursor/stream-reader.ts'
import {
  inChunks,
  PIPE_CHUNK_BYTES,
  realisticLines,
  resultLine,
  toBytes,
} from '../tests/support/generators.ts'

const MIB = 2 ** 20
const STREAM_BYTES = 256 * MIB
const LONG_LINE_BYTES = 64 * MIB
/** Read before the baseline is taken: by then code is compiled and buffers are in place. */
const WARM_UP_BYTES = 16 * MIB

/**
 * Forks a child that reads the long stream; in bytes over the baseline, the highest of a sample a chunk.
 * One child alone says little: most give 1 to 1.5 MiB, one in ten 3 to 4 with the same code.
 */
export async function peakMemory(): Promise<number> {
  const child = fork(fileURLToPath(import.meta.url), { execArgv: [] })
  const [peak] = (await once(child, 'message')) as [number]
  return peak
}

function* pieces(): Generator<Uint8Array> {
  const run = toBytes(realisticLines(11).slice(0, -1))
  const text = Buffer.from('a line of a big file, with \\"quotes\\" in it;\\n'.repeat(1000))
  const before = STREAM_BYTES / 2
  const after = before - LONG_LINE_BYTES
  for (let at = 0; at < before; at += run.length) yield run
  yield Buffer.from('{"type":"tool_call","subtype":"completed","tool_call":{"text":"')
  for (let at = 0; at < LONG_LINE_BYTES; at += text.length) yield text
  yield Buffer.from('"}}\n')
  for (let at = 0; at < after; at += run.length) yield run
  yield Buffer.from(`${resultLine('done')}\n`)
}

/** What the operating system gave this process, and V8's heap with what JavaScript objects own outside it. */
function memory(): readonly [resident: number, held: number] {
  const { rss, heapUsed, external } = process.memoryUsage()
  return [rss, heapUsed + external]
}

function readLongStream(): number {
  const reader = new CursorStreamReader()
  let baseline: ReturnType<typeof memory> | undefined
  let peak = 0
  for (const piece of pieces()) {
    for (const chunk of inChunks(piece, PIPE_CHUNK_BYTES)) {
      reader.push(chunk)
      if (reader.bytes < WARM_UP_BYTES) continue
      const now = memory()
      baseline ??= now
      peak = Math.max(peak, now[0] - baseline[0], now[1] - baseline[1])
    }
  }
  reader.end()
  if (reader.state !== 'result' || reader.bytes < STREAM_BYTES)
    throw new Error('not read to its end')
  return peak
}

if (import.meta.main) process.send?.(readLongStream(), () => process.disconnect())
