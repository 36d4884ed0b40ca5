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
} from '../support/arbitraries.ts'
import {
  bigResultLines,
  inChunks,
  largeToolLines,
  multibyteLines,
  noisyLines,
  PIPE_CHUNK_BYTES,
  realisticLines,
  reorderedLines,
  resultLine,
  thinkingLines,
  toBytes,
} from '../support/generators.ts'
import { readWhole } from '../support/oracle.ts'
import { assertSameOutcome, readInChunks } from '../support/read-in-chunks.ts'

describe('any stream', () => {
  it('is read as the oracle reads it when it comes in one chunk', () => {
    fc.assert(
      fc.property(anyStream, ({ bytes }) => {
        assertSameOutcome(readInChunks([bytes]), readWhole(bytes))
      }),
      { numRuns: 3000 },
    )
  })

  it('is read the same however it is cut into chunks', () => {
    fc.assert(
      fc.property(anyStream, anyChunking, ({ bytes }, { cut }) => {
        assert.deepEqual(readInChunks(cut(bytes)), readInChunks([bytes]))
      }),
      { numRuns: 3000 },
    )
  })
})

describe('generated runs', () => {
  const runs: [string, string[]][] = [
    ['realistic', realisticLines(1, 20)],
    ['large tool lines', largeToolLines(2, 2)],
    ['thinking only', thinkingLines(3, 500)],
    ['multibyte', multibyteLines(4, 20)],
    ['noisy', noisyLines()],
    ['reordered', reorderedLines(7, 5)],
    ['big result', bigResultLines(300_000)],
  ]
  for (const [name, lines] of runs) {
    it(`${name}: the result and every count survive all kinds of cuts`, () => {
      const bytes = toBytes(lines)
      const expected = readWhole(bytes)
      assert.equal(expected.state, 'result')
      for (const { cut } of [oneChunk, singleBytes, insideSequences, aroundLineEnds]) {
        assertSameOutcome(readInChunks(cut(bytes)), expected)
      }
      assertSameOutcome(readInChunks(inChunks(bytes, PIPE_CHUNK_BYTES)), expected)
    })
  }
})

/** A line of exactly `length` bytes, `before` and `after` included. */
const lineOf = (length: number, before: string, after = ''): string =>
  before + 'x'.repeat(length - before.length - after.length) + after

const assertReadAlike = (
  lines: string[],
  chunkings: ((bytes: Uint8Array) => Uint8Array[])[],
): void => {
  const bytes = Buffer.from(lines.join(''))
  const expected = readWhole(bytes)
  for (const cut of chunkings) assertSameOutcome(readInChunks(cut(bytes)), expected)
}

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
    it(`${name} of ${MAX_LINE_BYTES} bytes, or one or two more, is read the same in any chunks`, () => {
      for (const more of [0, 1, 2]) {
        for (const end of ['\n', '\r\n', '']) {
          const rest = end === '' ? [] : ['{"type":"user"}\n', resultLine('ok'), '\n']
          assertReadAlike(
            [make(MAX_LINE_BYTES + more), end, ...rest],
            [
              (bytes) => [bytes],
              (bytes) => inChunks(bytes, PIPE_CHUNK_BYTES),
              (bytes) => [bytes.subarray(0, MAX_LINE_BYTES), bytes.subarray(MAX_LINE_BYTES)],
              (bytes) => [
                bytes.subarray(0, MAX_LINE_BYTES + 1),
                bytes.subarray(MAX_LINE_BYTES + 1),
              ],
            ],
          )
        }
      }
    })

    it(`${name} of about ${HEAD_BYTES} bytes is read the same in any chunks`, () => {
      for (let length = HEAD_BYTES - 2; length <= HEAD_BYTES + 2; length++) {
        for (const end of ['\n', '\r\n', '']) {
          const rest = end === '' ? [] : ['{"type":"user"}\n', resultLine('ok'), '\n']
          assertReadAlike(
            [make(length), end, ...rest],
            [
              oneChunk.cut,
              singleBytes.cut,
              (bytes) => inChunks(bytes, HEAD_BYTES - 1),
              (bytes) => inChunks(bytes, HEAD_BYTES),
              (bytes) => inChunks(bytes, HEAD_BYTES + 1),
            ],
          )
        }
      }
    })
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
