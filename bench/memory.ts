// How far reading a long stream raises a process's memory: 256 MiB with one tool line of 64 MiB. Runs itself
// as a child process, so that nothing else is in the figures.
//
// The child gets its bytes as a pipe would give them, in chunks of 64 KiB, but out of a few buffers that are
// used again and again: a real pipe makes a new buffer for each chunk, and how many of those wait for the
// garbage collector says nothing about the reader (a process that reads the same bytes from a pipe and throws
// them away rises by some 26 MiB). A reader that kept bytes would still show: its copies are counted.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { CursorStreamReader } from '../src/cursor/stream-reader.ts'
import {
  PIPE_CHUNK_BYTES,
  realisticLines,
  resultLine,
  toBytes,
} from '../tests/support/generators.ts'

/** The highest of all samples, one a chunk, over the baseline; in bytes. */
export interface PeakMemory {
  /** The process as the operating system sees it, with pages that V8 and the allocator keep for later. */
  readonly resident: number
  /** V8's heap and everything outside it that JavaScript objects own. */
  readonly held: number
}

const MIB = 2 ** 20
const STREAM_BYTES = 256 * MIB
const LONG_LINE_BYTES = 64 * MIB
/** Read before the baseline is taken: by then code is compiled and buffers are in place. */
const WARM_UP_BYTES = 16 * MIB

/** Forks a child that reads the long stream. @throws when it did not find the result at its end. */
export async function peakMemory(): Promise<PeakMemory> {
  const child = fork(fileURLToPath(import.meta.url), { execArgv: [] })
  const [peak] = (await once(child, 'message')) as [PeakMemory | string]
  if (typeof peak === 'string') throw new Error(peak)
  return peak
}

/** Pieces of any size, the same few over and over, that make the long stream. */
function* pieces(): Generator<Uint8Array> {
  const run = toBytes(realisticLines(11).slice(0, -1))
  const fileText = Buffer.from('a line of a big file, with \\"quotes\\" in it;\\n'.repeat(1000))
  const beforeLine = Math.floor(STREAM_BYTES / 2 / run.length)
  const afterLine = Math.floor((STREAM_BYTES / 2 - LONG_LINE_BYTES) / run.length)
  for (let times = 0; times < beforeLine; times++) yield run
  yield Buffer.from(
    '{"type":"tool_call","subtype":"completed","tool_call":{"readToolCall":{"text":"',
  )
  for (let at = 0; at < LONG_LINE_BYTES; at += fileText.length) yield fileText
  yield Buffer.from('"}}}\n')
  for (let times = 0; times <= afterLine; times++) yield run
  yield Buffer.from(`${resultLine('done')}\n`)
}

/** The pieces in chunks of 64 KiB that lie in buffers used in turn. */
function* chunks(): Generator<Uint8Array> {
  const buffers = Array.from({ length: 4 }, () => Buffer.alloc(PIPE_CHUNK_BYTES))
  let turn = 0
  let filled = 0
  for (const piece of pieces()) {
    for (let taken = 0; taken < piece.length;) {
      const buffer = buffers[turn % buffers.length]!
      const part = piece.subarray(taken, taken + PIPE_CHUNK_BYTES - filled)
      buffer.set(part, filled)
      taken += part.length
      filled += part.length
      if (filled < PIPE_CHUNK_BYTES) continue
      yield buffer
      turn++
      filled = 0
    }
  }
  yield buffers[turn % buffers.length]!.subarray(0, filled)
}

function now(): PeakMemory {
  const { rss, heapUsed, external } = process.memoryUsage()
  return { resident: rss, held: heapUsed + external }
}

function readLongStream(): PeakMemory | string {
  const reader = new CursorStreamReader()
  let baseline = now()
  let resident = 0
  let held = 0
  let isWarm = false
  for (const chunk of chunks()) {
    reader.push(chunk)
    if (reader.bytes < WARM_UP_BYTES) continue
    const memory = now()
    if (!isWarm) baseline = memory
    isWarm = true
    resident = Math.max(resident, memory.resident - baseline.resident)
    held = Math.max(held, memory.held - baseline.held)
  }
  reader.end()
  return reader.state === 'result' && reader.bytes >= STREAM_BYTES
    ? { resident, held }
    : `the long stream was not read: ${reader.state} after ${reader.bytes} bytes`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.send?.(readLongStream(), () => process.disconnect())
}
