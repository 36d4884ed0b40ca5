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
  .map(
    (item) =>
      stdoutBytes(item)
        .toString('latin1')
        .match(/[^\n]*\n|[^\n]+$/g) ?? [],
  )
  .map((lines) => lines.map((line) => withoutMiddle(Buffer.from(line, 'latin1'))))
  .filter((lines) => lines.length > 0)

/** Lines of a quarter of a megabyte would take most of the time; past the head only their ends matter here. */
function withoutMiddle(line: Buffer): Buffer {
  if (line.length <= 2 * HEAD_BYTES) return line
  return Buffer.concat([line.subarray(0, HEAD_BYTES), line.subarray(-HEAD_BYTES)])
}

/** One piece of damage to a list of items: lines of a stream, or bytes of a line. */
type Damage<Item> = (items: readonly Item[]) => Item[]

/** A place in a list of unknown length, as a share of it. */
const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const indexIn = (items: readonly unknown[], share: number): number =>
  Math.floor(share * items.length)

/** Something taken out, put in, put in the place of another, said again elsewhere, or cut off. */
const anyDamage = <Item>(items: fc.Arbitrary<Item>): fc.Arbitrary<Damage<Item>> =>
  fc.oneof(
    fc
      .tuple(place, fc.constantFrom(0, 0, 1, 1, 2, 3, Infinity), fc.array(items, { maxLength: 1 }))
      .map(
        ([at, count, put]): Damage<Item> =>
          (list) =>
            list.toSpliced(indexIn(list, at), count, ...put),
      ),
    fc
      .tuple(place, place, fc.integer({ min: 1, max: 8 }), fc.boolean())
      .map(([from, to, count, moves]): Damage<Item> => (list) => {
        const start = indexIn(list, from)
        const said = list.slice(start, start + count)
        const left = moves ? list.toSpliced(start, count) : list
        return left.toSpliced(indexIn(left, to), 0, ...said)
      }),
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
