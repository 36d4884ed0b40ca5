// Runs the stream reader over chunks and gives what it says in the oracle's words, so that two readings can
// be compared whole.

import assert from 'node:assert/strict'
import { CursorStreamReader } from '../../src/cursor/stream-reader.ts'
import { NO_STRING, type Outcome } from './oracle.ts'

/** The most noise that is kept in full: what the reader keeps for a failure text is shorter than a stream. */
const NOISE_KEPT = 2048

/** The oracle has no files: that they do not depend on the chunks is all that is compared. */
type Reading = Outcome & { readonly files: readonly string[] }

export function readInChunks(chunks: readonly Uint8Array[]): Reading {
  const reader = new CursorStreamReader()
  for (const chunk of chunks) reader.push(chunk)
  reader.end()
  const { state, result } = reader
  assert.notEqual(state, 'reading')
  return {
    state: state as Outcome['state'],
    result: result && {
      ...result,
      result: typeof result.result === 'object' ? NO_STRING : result.result,
    },
    events: Object.fromEntries(reader.events),
    eventCount: reader.eventCount,
    toolCalls: { ...reader.toolCalls },
    noise: reader.noise
      .kept()
      .head.split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
    lastLineCut: reader.lastLineCut,
    files: reader.files,
  }
}

/** Fails unless a reading says what the oracle says; where the oracle is unsure, any word will do. */
export function assertSameOutcome(read: Reading, expected: Outcome): void {
  const lastLineCut = expected.lastLineCut === 'unsure' ? read.lastLineCut : expected.lastLineCut
  let { noise } = expected
  if (Buffer.byteLength(noise.join('\n')) >= NOISE_KEPT) {
    const whole = noise.join('\n')
    assert.ok(
      whole.startsWith(read.noise.slice(0, -1).join('\n')),
      'the noise kept is how it began',
    )
    noise = read.noise
  }
  assert.deepEqual(read, { ...expected, noise, lastLineCut, files: read.files })
}
