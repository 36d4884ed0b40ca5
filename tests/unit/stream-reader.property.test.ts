// How a stream is cut into chunks changes nothing, and what the reader makes of it is what the oracle makes of
// it. Random streams and random cuts here; mutations of recorded streams are in `fuzz.test.ts`.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { HEAD_BYTES, MAX_LINE_BYTES } from '../../src/cursor/stream-reader.ts'
import {
  anyChunking,
  anyStream,
  aroundLineEnds,
  insideSequences,
  oneChunk,
  singleBytes,
  type Chunking,
} from '../support/arbitraries.ts'
import {
  bigResultLines,
  inChunks,
  largeToolLines,
  PIPE_CHUNK_BYTES,
  realisticLines,
  resultLine,
  toBytes,
} from '../support/generators.ts'
import { readWhole } from '../support/oracle.ts'
import { assertSameOutcome, readInChunks } from '../support/read-in-chunks.ts'

it('any stream is read as the oracle reads it, and the same however it is cut into chunks', () => {
  fc.assert(
    fc.property(anyStream, anyChunking, ({ bytes }, { cut }) => {
      const inOne = readInChunks([bytes])
      assertSameOutcome(inOne, readWhole(bytes))
      assert.deepEqual(readInChunks(cut(bytes)), inOne)
    }),
    { numRuns: 3000 },
  )
})

const assertReadAlike = (bytes: Uint8Array, chunkings: readonly Chunking['cut'][]): void => {
  const expected = readWhole(bytes)
  for (const cut of chunkings) assertSameOutcome(readInChunks(cut(bytes)), expected)
}

/** Cuts into chunks of `size` bytes. */
const by =
  (size: number): Chunking['cut'] =>
  (bytes) =>
    inChunks(bytes, size)
const inTwo =
  (at: number): Chunking['cut'] =>
  (bytes) => [bytes.subarray(0, at), bytes.subarray(at)]

for (const [name, lines] of Object.entries({
  'a realistic run': realisticLines(1, 20),
  'a run with large tool lines': largeToolLines(2, 2),
  'a run with a big result': bigResultLines(300_000),
})) {
  it(`${name} is read the same in all kinds of cuts`, () => {
    const cuts = [oneChunk, singleBytes, insideSequences, aroundLineEnds].map(({ cut }) => cut)
    assertReadAlike(toBytes(lines), [...cuts, by(PIPE_CHUNK_BYTES)])
  })
}

/** A line of exactly `length` bytes, `before` and `after` included. */
const lineOf = (length: number, before: string, after = ''): string =>
  before + 'x'.repeat(length - before.length - after.length) + after

describe('lines at the limits', () => {
  const LONG_LINES: [string, (length: number) => string][] = [
    ['a result', (length) => lineOf(length, '{"type":"result","result":"', '"}')],
    [
      'a tool call',
      (length) => lineOf(length, '{"type":"tool_call","subtype":"started","a":"', '"}'),
    ],
    [
      'a tool call with a late subtype',
      (length) => lineOf(length, '{"type":"tool_call","a":"', '","subtype":"started"}'),
    ],
    ['an unknown event', (length) => lineOf(length, '{"type":"brand_new","a":"', '"}')],
    ['an event with a late type', (length) => lineOf(length, '{"a":"', '","type":"user"}')],
    ['an event with a broken tail', (length) => lineOf(length, '{"type":"user",')],
    ['noise', (length) => lineOf(length, 'noise')],
  ]

  for (const [name, make] of LONG_LINES) {
    for (const [lengths, chunkings] of [
      [
        [0, 1, 2].map((more) => MAX_LINE_BYTES + more),
        [oneChunk.cut, by(PIPE_CHUNK_BYTES), inTwo(MAX_LINE_BYTES), inTwo(MAX_LINE_BYTES + 1)],
      ],
      [
        [-2, -1, 0, 1, 2].map((more) => HEAD_BYTES + more),
        [oneChunk.cut, singleBytes.cut, by(HEAD_BYTES - 1), by(HEAD_BYTES), by(HEAD_BYTES + 1)],
      ],
    ] as const) {
      it(`${name} of ${lengths.join(', ')} bytes is read the same in any chunks`, () => {
        for (const length of lengths) {
          for (const end of ['\n', '\r\n', '']) {
            const rest = end === '' ? '' : `{"type":"user"}\n${resultLine('ok')}\n`
            assertReadAlike(Buffer.from(make(length) + end + rest), chunkings)
          }
        }
      })
    }
  }

  it('a type that ends with the last byte of the head is seen, and one byte later it is not', () => {
    for (const [typeEndsAt, events] of [
      [HEAD_BYTES, { user: 1 }],
      [HEAD_BYTES + 1, {}],
    ] as const) {
      const line = `${lineOf(typeEndsAt, '{"a":"', '","type":"user"')},broken\n`
      assert.deepEqual(readInChunks([Buffer.from(line)]).events, events)
    }
  })
})
