// Recorded streams, damaged: whatever happens to bytes and lines on the way, the reader throws nothing and says
// what the oracle says. Streams made up from scratch are in `stream-reader.property.test.ts`.

import assert from 'node:assert/strict'
import { it } from 'node:test'
import * as fc from 'fast-check'
import { HEAD_BYTES } from '../../src/cursor/stream-reader.ts'
import { anyChunking, asStream } from '../support/arbitraries.ts'
import { runCases, stdoutBytes } from '../support/cases.ts'
import { readWhole } from '../support/oracle.ts'
import { assertSameOutcome, readInChunks } from '../support/read-in-chunks.ts'

/** More of them by hand, after a change of the reader: `FUZZ_RUNS=200000`. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 5000)

/** The recorded streams that say something on stdout, as lines that keep their line ends. */
const recorded: Buffer[][] = runCases
  .map((item) => splitAfterNewlines(stdoutBytes(item)).map(withoutMiddle))
  .filter((lines) => lines.length > 0)

/** Lines of a quarter of a megabyte would take most of the time; past the head only their ends matter here. */
function withoutMiddle(line: Buffer): Buffer {
  if (line.length <= 2 * HEAD_BYTES) return line
  return Buffer.concat([line.subarray(0, HEAD_BYTES), line.subarray(-HEAD_BYTES)])
}

function splitAfterNewlines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = []
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf('\n', start)
    const end = newline === -1 ? bytes.length : newline + 1
    lines.push(bytes.subarray(start, end))
    start = end
  }
  return lines
}

/** One piece of damage to a list of items: lines of a stream, or bytes of a line. */
type Damage<Item> = (items: readonly Item[]) => Item[]

const POSITIONS = 2 ** 20
/** A place in a list of unknown length, as a share of it. */
const place = fc.nat(POSITIONS - 1)
const indexIn = (items: readonly unknown[], share: number): number =>
  Math.floor((share / POSITIONS) * items.length)

const anyDamage = <Item>(items: fc.Arbitrary<Item>): fc.Arbitrary<Damage<Item>> =>
  fc.oneof(
    fc.record({ at: place, count: fc.integer({ min: 1, max: 3 }) }).map(
      ({ at, count }): Damage<Item> =>
        (list) =>
          list.toSpliced(indexIn(list, at), count),
    ),
    fc.record({ at: place, item: items }).map(
      ({ at, item }): Damage<Item> =>
        (list) =>
          list.toSpliced(indexIn(list, at), 0, item),
    ),
    fc.record({ at: place, item: items }).map(
      ({ at, item }): Damage<Item> =>
        (list) =>
          list.toSpliced(indexIn(list, at), 1, item),
    ),
    fc
      .record({ from: place, to: place, count: fc.integer({ min: 1, max: 8 }) })
      .map(({ from, to, count }): Damage<Item> => (list) => {
        const start = indexIn(list, from)
        return list.toSpliced(indexIn(list, to), 0, ...list.slice(start, start + count))
      }),
    fc.record({ one: place, other: place }).map(({ one, other }): Damage<Item> => (list) => {
      const swapped = [...list]
      const [a, b] = [indexIn(list, one), indexIn(list, other)]
      if (a !== b) [swapped[a], swapped[b]] = [list[b] as Item, list[a] as Item]
      return swapped
    }),
    place.map(
      (at): Damage<Item> =>
        (list) =>
          list.slice(0, indexIn(list, at)),
    ),
  )

/** Bytes that mean something to JSON, to UTF-8 or to a line splitter come more often than others. */
const anyByte: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(...Buffer.from('{}[]":,\\u0\n\r\t '), 0x00, 0x80, 0xc3, 0xe2, 0xed, 0xf0, 0xff),
  fc.nat(255),
)
const anyRecordedLine: fc.Arbitrary<Buffer> = fc.constantFrom(...recorded.flat())

/** Damage to the bytes of one line. */
const byteDamage: fc.Arbitrary<Damage<Buffer>> = fc
  .tuple(place, anyDamage(anyByte))
  .map(([at, damage]) => (lines) => {
    const index = indexIn(lines, at)
    const line = lines[index]
    return line === undefined ? [...lines] : lines.with(index, Buffer.from(damage([...line])))
  })

const damagedStream = fc
  .tuple(
    fc.constantFrom(...recorded),
    fc.array(fc.oneof(byteDamage, byteDamage, anyDamage(anyRecordedLine)), {
      minLength: 1,
      maxLength: 8,
    }),
  )
  .map(([lines, damages]) => {
    let damaged: Buffer[] = lines
    for (const damage of damages) damaged = damage(damaged)
    return asStream(Buffer.concat(damaged))
  })

it(`${RUNS} damaged streams, cut at random: nothing is thrown, and the oracle agrees`, () => {
  fc.assert(
    fc.property(damagedStream, anyChunking, ({ bytes }, { cut }) => {
      const inOne = readInChunks([bytes])
      assertSameOutcome(inOne, readWhole(bytes))
      assert.deepEqual(readInChunks(cut(bytes)), inOne)
    }),
    { numRuns: RUNS },
  )
})
