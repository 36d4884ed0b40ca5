// Members found in the bytes of an object are those that JSON.parse gives, on valid lines and on damaged ones.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { findTexts, MemberScan } from '../../src/cursor/stream-reader/json-members.ts'
import { CursorStreamReader } from '../../src/cursor/stream-reader.ts'
import { anyChunking, objectOf } from '../support/arbitraries.ts'

const KEYS = ['type', 'subtype', 'result', 'is_error', 'usage'] as const

/** What the members say, each parsed by itself; `undefined` for what is no JSON object. */
function byMembers(line: string, step = Infinity): Record<string, unknown> | undefined {
  const bytes = Buffer.from(line)
  const scan = new MemberScan(KEYS, 0)
  for (let to = step; to < bytes.length; to += step) scan.advance(bytes, to)
  const spans = scan.finish(bytes, bytes.length)
  if (spans === undefined) return undefined
  return Object.fromEntries(
    Array.from(spans, ([key, { from, to }]) => [
      key,
      JSON.parse(bytes.toString('utf8', from, to)) as unknown,
    ]),
  )
}

function byParse(line: string): Record<string, unknown> | undefined {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(line).toString())
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const members = value as Record<string, unknown>
  return Object.fromEntries(
    KEYS.filter((key) => Object.hasOwn(members, key)).map((key) => [key, members[key]]),
  )
}

const anyKey = fc.oneof(
  fc.constantFrom(...KEYS, ...KEYS.map((key) => `${key}x`), 'resul', '', '__proto__'),
  fc.string(),
)
const anyNumber = fc.constantFrom(
  '0',
  '-0',
  '1.5',
  '-2e3',
  '1E+2',
  '0.1e-9',
  '123456789012345678901',
)
const anyValue = fc.oneof(
  fc.json(),
  anyNumber,
  fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
  fc.constantFrom('true', 'false', 'null', '{}', '[]', '[ ]', '{ }', '[[{"result":"inner"}]]'),
)
const anyLine = objectOf(fc.tuple(anyKey, anyValue))

/** One piece of a line taken out, doubled or replaced by what matters to JSON. */
const damagedLine = fc
  .tuple(
    anyLine,
    fc.nat(),
    fc.nat({ max: 3 }),
    fc.oneof(
      fc.constantFrom('', '"', '\\', '{', '}', '[', ']', ',', ':', '0', '-', '.', 'e', '+', 'u'),
      fc.constantFrom('\\u00', '\\x', 'tru', 'nul', 'NaN', '\u0001', '\n', '\ufeff', ',,', '01'),
    ),
  )
  .map(([line, at, length, piece]) => {
    const from = at % (line.length + 1)
    return line.slice(0, from) + piece + line.slice(from + length)
  })

describe('the members of a line', () => {
  it('are those of JSON.parse, the last one of a name counting', () => {
    fc.assert(
      fc.property(anyLine, (line) => {
        const expected = byParse(line)
        assert.notEqual(expected, undefined)
        assert.deepEqual(byMembers(line), expected)
      }),
      { numRuns: 1500 },
    )
  })

  it('are there exactly if JSON.parse accepts the line', () => {
    fc.assert(
      fc.property(damagedLine, fc.integer({ min: 1, max: 8 }), (line, step) => {
        const expected = byParse(line)
        assert.deepEqual(byMembers(line), expected)
        // As it comes in, a few bytes at a time.
        assert.deepEqual(byMembers(line, step), expected)
      }),
      { numRuns: 5000 },
    )
  })

  it('are the same in the reader however a line of them is cut into chunks', () => {
    fc.assert(
      fc.property(damagedLine, fc.boolean(), anyChunking, (line, isLong, { cut }) => {
        const more = isLong ? `"x":"${'x'.repeat(65_536)}",` : ''
        const whole = `{"type":"result",${more}${line.replaceAll('\n', ' ').trim().slice(1)}`
        const reader = new CursorStreamReader()
        for (const chunk of cut(Buffer.from(`${whole}\n`))) reader.push(chunk)
        const expected = byParse(whole)
        if (expected === undefined) return assert.equal(reader.result, undefined)
        assert.ok(reader.result !== undefined)
        assert.deepEqual(reader.result.isError, expected['is_error'])
        assert.deepEqual(reader.result.usage, expected['usage'])
        const { result } = reader.result
        if (typeof expected['result'] === 'string') assert.equal(result, expected['result'])
        else assert.ok(result === undefined || Array.isArray(result))
      }),
      { numRuns: 400 },
    )
  })
})

it('a cut-off escape never reads bytes that an earlier line left in the buffer', () => {
  const line = String.raw`{"result":"\u0061"}`
  const whole = Buffer.from(line)
  const behindEscape = line.indexOf('"}')
  for (let to = line.indexOf('\\'); to <= behindEscape; to++) {
    const scan = new MemberScan(KEYS, 0)
    assert.equal(scan.finish(whole, to), undefined, line.slice(0, to))
    assert.ok(scan.finish(whole, whole.length) !== undefined, line.slice(0, to))
    const closed = byMembers(`${line.slice(0, to)}"}`)
    const isWhole = to === behindEscape || to === line.indexOf('\\')
    assert.equal(closed !== undefined, isWhole, line.slice(0, to))
  }
})

it('brackets are matched however deep they stand', () => {
  const pairs = Array.from({ length: 500 }, (_, i) => (i % 3 === 0 ? ['{"a":', '}'] : ['[', ']']))
  const opened = pairs.map(([open]) => open).join('')
  const closed = pairs.map(([, close]) => close).toReversed()
  assert.deepEqual(byMembers(`${opened}0${closed.join('')}`), {})
  for (const at of [0, 50, 400, 499]) {
    const wrong = closed.with(at, closed[at] === '}' ? ']' : '}')
    assert.equal(byMembers(`${opened}0${wrong.join('')}`), undefined)
  }
})

it('the texts of a list or an object are its string values, the first ones, at any depth', () => {
  const bytes = Buffer.from('[1,"a",{"k":"b","l":[["c\\n"]]},"d"]')
  const texts = findTexts(bytes, { from: 0, to: bytes.length }, 3)
  assert.deepEqual(
    texts.map(({ from, to }) => JSON.parse(bytes.toString('utf8', from, to)) as unknown),
    ['a', 'b', 'c\n'],
  )
})

describe('a result line', () => {
  const read = (line: string): CursorStreamReader => {
    const reader = new CursorStreamReader()
    reader.push(Buffer.from(`${line}\n`))
    return reader
  }

  it('collects the strings in a result that is not a string, so that they can be hidden', () => {
    const { result } = read('{"type":"result","result":{"message":"hidden","codes":[1,"too"]}}')
    assert.deepEqual(result?.result, ['hidden', 'too'])
  })

  for (const [name, count] of [
    ['is_error', 'isError'],
    ['subtype', 'subtype'],
    ['usage', 'usage'],
  ] as const) {
    it(`leaves a ${name} of more than 64 KiB unparsed, and not missing`, () => {
      for (const [length, expected] of [
        [65_534, 'x'.repeat(65_534)],
        [65_535, {}],
      ] as const) {
        const { result } = read(`{"type":"result","${name}":"${'x'.repeat(length)}"}`)
        assert.deepEqual(result?.[count], expected)
      }
    })
  }

  for (const [what, more] of [
    ['many keys', Array.from({ length: 10_000 }, (_, i) => `,"${i}":{}`).join('')],
    ['deep nesting', `,"x":${'['.repeat(40_000)}${']'.repeat(40_000)}`],
    ['a result that is a list', `,"result":[${'0,'.repeat(40_000)}0]`],
    ['a long usage', `,"usage":[${'0,'.repeat(50_000)}0]`],
  ] as const) {
    it(`is never parsed whole: ${what}`, ({ mock }) => {
      const parse = mock.method(JSON, 'parse')
      assert.equal(read(`{"type":"result","is_error":true${more}}`).state, 'result')
      const longest = Math.max(...parse.mock.calls.map((call) => call.arguments[0].length))
      parse.mock.restore()
      assert.ok(longest < 20, `${longest} characters were parsed at once`)
    })
  }
})
