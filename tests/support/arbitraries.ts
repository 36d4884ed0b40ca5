// Random streams and random ways to cut them, for fast-check. A stream is a list of lines so that it shrinks
// line by line; each value prints itself in a readable form when a property fails.

import * as fc from 'fast-check'
import {
  assistantLine,
  initLine,
  resultLine,
  thinkingLine,
  toolCompletedLine,
  toolStartedLine,
  userLine,
} from './generators.ts'

/** A line's bytes without its line end. */
type Line = Uint8Array

export interface Stream {
  readonly bytes: Uint8Array
}

export interface Chunking {
  readonly cut: (bytes: Uint8Array) => Uint8Array[]
}

const utf8 = (text: string): Line => Buffer.from(text, 'utf8')

// Texts that look like the stream inside the stream, and everything that decoding can trip over.
const TRICKY_TEXTS = [
  '"type":"result"',
  '{"type":"result","subtype":"success","is_error":false,"result":"no"}',
  '\n{"type":"result"}\n',
  '\\"',
  '\\',
  '}',
  '{',
  '[[[',
  '读取文件',
  '👩‍💻🚀',
  'a\u2028b\u2029c',
  '\ud800',
  '\udc00x',
  '\u0000\u001f',
  '\ufeff',
  '',
]
const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...TRICKY_TEXTS),
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
)

const TYPES = ['assistant', 'thinking', 'tool_call', 'result', 'system', 'user', 'retry']
const SUBTYPES = ['started', 'completed', 'success', 'delta', 'error']
const anyType: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...TYPES) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'some.future.thing',
      '__proto__',
      'constructor',
      'Result',
      'result ',
      '',
    ),
  },
  { weight: 1, arbitrary: fc.oneof(anyText, fc.jsonValue({ maxDepth: 1 })) },
)

/** Any of the usual events, as the CLI writes it. */
const usualEvent: fc.Arbitrary<Line> = fc
  .oneof(
    fc.constant(initLine()),
    anyText.map(userLine),
    anyText.map((text) => thinkingLine(text)),
    anyText.map(assistantLine),
    anyText.map((text) => toolStartedLine('t1', text)),
    anyText.map((text) => toolCompletedLine('t1', '/srv/repo/a', text)),
    fc
      .tuple(anyText, fc.integer({ min: 3500, max: 9000 }))
      .map(([text, length]) => toolCompletedLine('t2', '/srv/repo/b', text.padEnd(length, 'é"'))),
    fc.constant('{"type":"connection","subtype":"reconnecting","attempt":1}'),
    fc.constant('{"type":"some.future.thing","payload":{"type":"result"}}'),
  )
  .map(utf8)

const result: fc.Arbitrary<Line> = fc.oneof(
  anyText.map((text) => utf8(resultLine(text))),
  fc
    .record(
      {
        subtype: fc.constantFrom<unknown>('success', 'error', 7),
        is_error: fc.constantFrom<unknown>(false, true, 'false', null),
        result: fc.oneof(anyText, fc.jsonValue({ maxDepth: 1 })),
        usage: fc.constantFrom<unknown>({ inputTokens: 1 }, null, 'x'),
      },
      { requiredKeys: [] },
    )
    .map((members) => utf8(JSON.stringify({ type: 'result', ...members }))),
)

/** A text in quotes, some of its characters written as `\u00xx`. */
const escaped = (text: string, which: number): string =>
  `"${[...text]
    .map((char, at) =>
      (which >> (at % 8)) & 1
        ? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
        : JSON.stringify(char).slice(1, -1),
    )
    .join('')}"`

const blanks = fc.constantFrom('', '', '', ' ', '\t', '\r', ' \r\t ')

const nested = fc.constantFrom(
  '{"type":"result"}',
  '{"type":"tool_call","subtype":"started"}',
  '[{"type":"result"},"\\"type\\":\\"result\\""]',
  '{"a":{"b":[{"type":"assistant"}]}}',
  '[]',
  '{}',
  `${'['.repeat(200)}${']'.repeat(200)}`,
)
const plain = fc.constantFrom('1', '-0.5e3', 'true', 'null', '"x"', '""')
/** Values that no JSON has, inside a frame that still holds together. */
const badValue = fc.constantFrom('', '01', 'tru', 'undefined', '"\\x"', '"\t"', '[}', '{"a"}')

/** A name, and a value as text. */
type Member = [name: string, value: string]

/** An object as text: escapes in its names and white space sometimes. */
export const objectOf = (member: fc.Arbitrary<Member>): fc.Arbitrary<string> => {
  const text = fc
    .tuple(member, fc.constantFrom(0, 0, 0, 1, 170, 255), blanks, blanks, blanks, blanks)
    .map(([[name, value], which, a, b, c, d]) => `${a}${escaped(name, which)}${b}:${c}${value}${d}`)
  return fc
    .tuple(blanks, fc.array(text, { maxLength: 6 }), blanks)
    .map(([before, members, after]) => `${before}{${members.join(',')}}${after}`)
}

/** Any name and value, `type` and `subtype` often. */
const memberOf = (value: fc.Arbitrary<string>): fc.Arbitrary<Member> =>
  fc.oneof(
    fc.tuple(
      fc.constant('type'),
      fc.oneof(
        fc
          .tuple(fc.constantFrom(...TYPES), fc.constantFrom(0, 0, 1, 255))
          .map(([word, which]) => escaped(word, which)),
        anyType.map((type) => JSON.stringify(type)),
      ),
    ),
    fc.tuple(
      fc.constant('subtype'),
      fc.constantFrom(...SUBTYPES).map((word) => JSON.stringify(word)),
    ),
    fc.tuple(fc.constantFrom('text', 'message', 'result', 'Type', '', 'ty pe'), value),
    fc.tuple(
      fc.constant('text'),
      anyText.map((text) => JSON.stringify(text)),
    ),
  )

/** Objects with members in any order, duplicate keys, escapes, white space and nested look-alikes. */
const oddEvent: fc.Arbitrary<Line> = objectOf(memberOf(fc.oneof(plain, nested))).map(utf8)

/** The same with values inside that are no JSON. */
const badEvent: fc.Arbitrary<Line> = objectOf(memberOf(fc.oneof(plain, nested, badValue))).map(utf8)

/** An event whose type stands about where the head ends, 4,096 bytes into the line. */
const eventAroundHead: fc.Arbitrary<Line> = fc
  .tuple(
    fc.integer({ min: 4050, max: 4110 }),
    fc.constantFrom('x', 'é', '文'),
    fc.constantFrom(...TYPES),
    fc.constantFrom('', ',"subtype":"started"', ',"result":"far"', ',"tail":broken'),
  )
  .map(([length, pad, type, rest]) => {
    const padding = pad.repeat(Math.floor(length / Buffer.byteLength(pad)))
    return utf8(`{"text":"${padding}","type":"${type}"${rest}}`)
  })

/** An event cut off somewhere. */
const brokenEvent: fc.Arbitrary<Line> = fc
  .tuple(fc.oneof(usualEvent, result, oddEvent), fc.nat(100))
  .map(([line, percent]) => line.subarray(0, Math.floor((line.length * percent) / 100)))

const noise: fc.Arbitrary<Line> = fc.oneof(
  fc
    .constantFrom(
      '',
      ' ',
      'a plugin printed this',
      '\u001b[33m⚠ notice\u001b[0m',
      'stdout: {"type":"system","subtype":"init"}',
      '[]',
      '"type"',
      'null',
      '17',
      '{',
      '}',
      '\u00a0',
      '\ufeff{"subtype":"delta"}',
    )
    .map(utf8),
  anyText.map((text) => utf8(text.replaceAll('\n', ' '))),
  fc
    .uint8Array({ maxLength: 12 })
    .map((bytes) => bytes.map((byte) => (byte === 0x0a ? 0x0b : byte))),
)

/** A good event with a byte or two in it that are no UTF-8. */
const invalidUtf8: fc.Arbitrary<Line> = fc
  .tuple(
    fc.oneof(usualEvent, result),
    fc.nat(),
    fc.constantFrom(
      [0xff],
      [0xc3],
      [0xf0, 0x9f],
      [0xed, 0xa0, 0x80],
      [0x80, 0x80],
      [0xf0, 0x80, 0x80],
    ),
  )
  .map(([line, seed, bad]) => {
    const at = seed % (line.length + 1)
    return Buffer.concat([line.subarray(0, at), Uint8Array.from(bad), line.subarray(at)])
  })

const anyLine: fc.Arbitrary<Line> = fc.oneof(
  { weight: 6, arbitrary: usualEvent },
  { weight: 3, arbitrary: noise },
  { weight: 3, arbitrary: oddEvent },
  { weight: 2, arbitrary: badEvent },
  { weight: 2, arbitrary: brokenEvent },
  { weight: 1, arbitrary: eventAroundHead },
  { weight: 1, arbitrary: invalidUtf8 },
  { weight: 1, arbitrary: result },
)

const BYTE_ORDER_MARK = Uint8Array.of(0xef, 0xbb, 0xbf)

/** Any stream: lines of every kind, `\n` and `\r\n`, with or without a byte-order mark and a last newline. */
export const anyStream: fc.Arbitrary<Stream> = fc
  .record({
    mark: fc.constantFrom(0, 0, 0, 1, 2, 3),
    types: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 31, 32, 33, 40),
    lines: fc.array(fc.tuple(anyLine, fc.constantFrom('\n', '\n', '\n', '\r\n', '\n\n')), {
      maxLength: 12,
    }),
    last: fc.oneof(fc.constant(Buffer.alloc(0)), anyLine, result),
  })
  .map(({ mark, types, lines, last }) =>
    asStream(
      Buffer.concat([
        BYTE_ORDER_MARK.subarray(0, mark),
        ...Array.from({ length: types }, (_, type) => utf8(`{"type":"type-${type}"}\n`)),
        ...lines.flatMap(([line, end]) => [line, Buffer.from(end)]),
        last,
      ]),
    ),
  )

/** A stream that prints itself: text where it is text, `\xNN` where it is not. */
export function asStream(bytes: Uint8Array): Stream {
  const print = (): string =>
    JSON.stringify(Buffer.from(bytes).toString('latin1')).replaceAll(
      /[\u007f-\u00ff]/g,
      (char) => `\\x${char.charCodeAt(0).toString(16)}`,
    )
  return { bytes, [fc.toStringMethod]: print } as Stream
}

function chunking(name: string, cut: Chunking['cut']): Chunking {
  return { cut, [fc.toStringMethod]: () => name } as Chunking
}

export const oneChunk: Chunking = chunking('one chunk', (bytes) => [bytes])
export const singleBytes: Chunking = chunking('single bytes', (bytes) =>
  Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)),
)
/** A cut before every byte that continues a UTF-8 sequence, and nowhere else. */
export const insideSequences: Chunking = chunking('inside UTF-8 sequences', (bytes) =>
  cutWhere(bytes, (at) => (bytes[at]! & 0xc0) === 0x80),
)
/** A cut before and behind every newline and carriage return. */
export const aroundLineEnds: Chunking = chunking('around line ends', (bytes) =>
  cutWhere(bytes, (at) => bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at - 1] === 0x0a),
)

function cutWhere(bytes: Uint8Array, isCut: (at: number) => boolean): Uint8Array[] {
  const chunks: Uint8Array[] = []
  let start = 0
  for (let at = 1; at < bytes.length; at++) {
    if (!isCut(at)) continue
    chunks.push(bytes.subarray(start, at))
    start = at
  }
  chunks.push(bytes.subarray(start))
  return chunks
}

/** Chunks of the given sizes, taken in turn over and over. */
const ofSizes = (sizes: readonly number[]): Chunking =>
  chunking(`chunks of ${sizes.join(', ')} bytes in turn`, (bytes) => {
    const chunks: Uint8Array[] = []
    for (let at = 0, turn = 0; at < bytes.length; turn++) {
      const size = sizes[turn % sizes.length]!
      chunks.push(bytes.subarray(at, at + size))
      at += size
    }
    return chunks
  })

/** Any way to cut: at random places, byte by byte, inside sequences, at line ends, with empty chunks between. */
export const anyChunking: fc.Arbitrary<Chunking> = fc.oneof(
  fc.constantFrom(singleBytes, insideSequences, aroundLineEnds),
  fc
    .array(fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 5000 })), {
      minLength: 1,
      maxLength: 8,
    })
    .map(ofSizes),
  fc
    .tuple(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 1, max: 300 }))
    .map((sizes) => ofSizes(sizes)),
)
