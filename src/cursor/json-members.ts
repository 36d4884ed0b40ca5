/**
 * Finds the members of a JSON object in its bytes, without building the object: an event can hold
 * 700,000 keys or be nested 3,000,000 deep, and `JSON.parse` would block the host for seconds.
 * Two readings: {@link findMembers} accepts what `JSON.parse` accepts, {@link firstMember} walks a
 * piece of an object whose end may be missing. Which members mean what belongs to the callers.
 */

const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const LOWER_U = 0x75
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
/** In ASCII every closing bracket stands two behind its opening one. */
const CLOSING = 2
const SPACE = 0x20
/** By byte: whether it may follow a backslash. */
const IS_ESCAPE = new Uint8Array(256)
for (const byte of Buffer.from('"\\/bfnrt')) IS_ESCAPE[byte] = 1
/** By byte: the value of a hexadecimal digit, or -1. */
const HEX_VALUE = new Int8Array(256).fill(-1)
for (const digit of '0123456789abcdefABCDEF')
  HEX_VALUE[digit.charCodeAt(0)] = Number.parseInt(digit, 16)
const LITERALS = ['true', 'false', 'null'].map((literal) => Buffer.from(literal))

/** Where a value stands: from its first byte to behind its last. */
export interface Span {
  readonly from: number
  readonly to: number
}

function isWhiteSpace(byte = 0): boolean {
  return byte <= SPACE && (byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09)
}

export function skipWhiteSpace(bytes: Uint8Array, from: number, to: number): number {
  let at = from
  while (at < to && isWhiteSpace(bytes[at])) at++
  return at
}

export function startsWith(
  bytes: Uint8Array,
  from: number,
  to: number,
  expected: Uint8Array,
): boolean {
  if (to - from < expected.length) return false
  for (let i = 0; i < expected.length; i++) {
    if (bytes[from + i] !== expected[i]) return false
  }
  return true
}

/** A member's name, compared with its spelling in the bytes, which may use escapes. */
export class MemberName {
  readonly #codes: Uint8Array

  /** @param name in ASCII, without quotes and backslashes. */
  constructor(name: string) {
    this.#codes = Buffer.from(name)
  }

  /** Whether the string between the quotes at `from` and before `to` spells this name. */
  isAt(bytes: Uint8Array, from: number, to: number): boolean {
    let at = from + 1
    for (let i = 0; i < this.#codes.length; i++) {
      const wanted = this.#codes[i]
      if (bytes[at] === wanted) at++
      else if (bytes[at] === BACKSLASH && bytes[at + 1] === LOWER_U) {
        if (hexAt(bytes, at + 2) !== wanted) return false
        at += 6
      } else return false
    }
    return at === to - 1
  }
}

/** @returns the number that four hexadecimal digits spell, or a negative one. */
function hexAt(bytes: Uint8Array, from: number): number {
  return (
    (hexDigit(bytes[from]) << 12) |
    (hexDigit(bytes[from + 1]) << 8) |
    (hexDigit(bytes[from + 2]) << 4) |
    hexDigit(bytes[from + 3])
  )
}

function hexDigit(byte = 0): number {
  return HEX_VALUE[byte] ?? -1
}

/** @returns the position behind a string as JSON has it, or -1. */
function behindString(bytes: Uint8Array, from: number, to: number): number {
  for (let at = from + 1; at < to; at++) {
    const byte = bytes[at] ?? 0
    if (byte === QUOTE) return at + 1
    if (byte < SPACE) return -1
    if (byte !== BACKSLASH) continue
    at++
    if (bytes[at] === LOWER_U) {
      if (hexAt(bytes, at + 1) < 0) return -1
      at += 4
    } else if (IS_ESCAPE[bytes[at] ?? 0] === 0) return -1
  }
  return -1
}

function behindDigits(bytes: Uint8Array, from: number, to: number): number {
  let at = from
  while (at < to && isDigit(bytes[at])) at++
  return at === from ? -1 : at
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= 0x39
}

/** @returns the position behind a number as JSON has it, or -1. */
function behindNumber(bytes: Uint8Array, from: number, to: number): number {
  let at = bytes[from] === MINUS ? from + 1 : from
  at = at < to && bytes[at] === ZERO ? at + 1 : behindDigits(bytes, at, to)
  if (at !== -1 && at < to && bytes[at] === POINT) at = behindDigits(bytes, at + 1, to)
  if (at !== -1 && at < to && ((bytes[at] ?? 0) | 0x20) === 0x65) {
    at++
    if (at < to && (bytes[at] === 0x2b || bytes[at] === MINUS)) at++
    at = behindDigits(bytes, at, to)
  }
  return at
}

/** @returns the position behind a value that holds no other, or -1. */
function behindScalar(bytes: Uint8Array, from: number, to: number): number {
  const first = bytes[from]
  if (first === QUOTE) return behindString(bytes, from, to)
  if (first === MINUS || isDigit(first)) return behindNumber(bytes, from, to)
  for (const literal of LITERALS) {
    if (startsWith(bytes, from, to, literal)) return from + literal.length
  }
  return -1
}

/** What a walk reports, in positions instead of objects, because there can be millions. */
interface Visitor {
  /** A member of the outermost object. */
  member?(nameFrom: number, nameTo: number, from: number, to: number): void
  /** A string value at any depth. @returns whether the walk goes on. */
  text?(from: number, to: number): boolean
}

/**
 * One pass without recursion, as fast as it gets: a line of 8 MiB can hold six million brackets.
 * @returns whether the bytes from the bracket at `from` on, without white space behind them, are
 * one JSON value.
 */
function walk(bytes: Uint8Array, from: number, to: number, visitor: Visitor): boolean {
  /** The kind of every open bracket, from the outside in. */
  let open = new Uint8Array(64)
  let depth = 0
  let kind = 0
  let nameFrom = 0
  let nameTo = 0
  let valueFrom = from
  // Behind an opening bracket the first element may be missing; behind a comma it may not.
  let mayClose = false
  let at = from
  for (;;) {
    if ((bytes[at] ?? 0) <= SPACE) at = skipWhiteSpace(bytes, at, to)
    if (at >= to) return false
    let first = bytes[at] ?? 0
    if (!(mayClose && first === kind + CLOSING)) {
      if (kind === OPEN_BRACE) {
        if (first !== QUOTE) return false
        const end = behindString(bytes, at, to)
        if (end === -1) return false
        if (depth === 1) {
          nameFrom = at
          nameTo = end
        }
        at = skipWhiteSpace(bytes, end, to)
        if (at >= to || bytes[at] !== COLON) return false
        at = skipWhiteSpace(bytes, at + 1, to)
        if (at >= to) return false
        first = bytes[at] ?? 0
      }
      if (depth === 1) valueFrom = at
      if (first === OPEN_BRACE || first === OPEN_BRACKET) {
        if (depth === open.length) {
          const grown = new Uint8Array(depth * 4)
          grown.set(open)
          open = grown
        }
        open[depth++] = kind = first
        mayClose = true
        at++
        continue
      }
      const end = behindScalar(bytes, at, to)
      if (end === -1) return false
      if (first === QUOTE && visitor.text?.(at, end) === false) return true
      at = end
      if (depth === 1 && kind === OPEN_BRACE) visitor.member?.(nameFrom, nameTo, valueFrom, at)
    }
    mayClose = false
    // Behind a value: brackets close until a comma brings the next one.
    for (;;) {
      if ((bytes[at] ?? 0) <= SPACE) at = skipWhiteSpace(bytes, at, to)
      if (at >= to) return false
      if (bytes[at] === COMMA) break
      if (bytes[at] !== kind + CLOSING) return false
      at++
      depth--
      if (depth === 0) return skipWhiteSpace(bytes, at, to) === to
      kind = open[depth - 1] ?? 0
      if (depth === 1 && kind === OPEN_BRACE) visitor.member?.(nameFrom, nameTo, valueFrom, at)
    }
    at++
  }
}

/**
 * Where the values of an object's own members stand. Of members with one name the last one counts,
 * as for `JSON.parse`.
 * @returns `undefined` unless the bytes are one JSON object.
 */
export function findMembers<Name extends string>(
  bytes: Uint8Array,
  from: number,
  to: number,
  names: Readonly<Record<Name, MemberName>>,
): Partial<Record<Name, Span>> | undefined {
  const first = skipWhiteSpace(bytes, from, to)
  if (first >= to || bytes[first] !== OPEN_BRACE) return undefined
  const wanted = Object.entries(names) as [Name, MemberName][]
  const found: Partial<Record<Name, Span>> = {}
  const isObject = walk(bytes, first, to, {
    member(nameFrom, nameTo, valueFrom, valueTo) {
      for (let i = 0; i < wanted.length; i++) {
        const [key, name] = wanted[i]!
        if (name.isAt(bytes, nameFrom, nameTo)) found[key] = { from: valueFrom, to: valueTo }
      }
    },
  })
  return isObject ? found : undefined
}

/** The first string values, at most `most`, in a valid list or object, however deep they stand. */
export function findTexts(bytes: Uint8Array, span: Span, most: number): Span[] {
  const texts: Span[] = []
  const first = bytes[span.from]
  if (first === OPEN_BRACE || first === OPEN_BRACKET) {
    walk(bytes, span.from, span.to, {
      text: (from, to) => texts.push({ from, to }) < most,
    })
  }
  return texts
}

/** @returns the position behind the closing quote of the string that opens at `from`, or -1. */
function skipString(bytes: Uint8Array, from: number, to: number): number {
  for (let at = from + 1; at < to; at++) {
    if (bytes[at] === BACKSLASH) at++
    else if (bytes[at] === QUOTE) return at + 1
  }
  return -1
}

/** @returns the position behind the object or list that opens at `from`, or -1. */
function skipNested(bytes: Uint8Array, from: number, to: number): number {
  let depth = 0
  for (let at = from; at < to; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      const behind = skipString(bytes, at, to)
      if (behind === -1) return -1
      at = behind - 1
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth--
      if (depth === 0) return at + 1
    }
  }
  return -1
}

/** @returns the position behind the value that starts at `from`, or -1 when it is not all there. */
export function skipValue(bytes: Uint8Array, from: number, to: number): number {
  const first = bytes[from]
  if (first === QUOTE) return skipString(bytes, from, to)
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return skipNested(bytes, from, to)
  let at = from
  while (at < to && bytes[at] !== COMMA && bytes[at] !== CLOSE_BRACE && !isWhiteSpace(bytes[at]))
    at++
  return at === to ? -1 : at
}

/** A member whose value begins within the bytes; its end may be missing. */
export interface Member {
  readonly name: Span
  readonly valueFrom: number
}

/** The first member of the object that opens at `at`, as {@link memberBehind} reads it. */
export function firstMember(bytes: Uint8Array, at: number, to: number): Member | undefined {
  return memberAfter(OPEN_BRACE, bytes, at, to)
}

/**
 * The member behind a value that ends at `at`. Looks at quotes, brackets and commas alone, so
 * broken JSON between them hides nothing.
 */
export function memberBehind(bytes: Uint8Array, at: number, to: number): Member | undefined {
  return memberAfter(COMMA, bytes, at, to)
}

function memberAfter(
  opener: number,
  bytes: Uint8Array,
  at: number,
  to: number,
): Member | undefined {
  let from = skipWhiteSpace(bytes, at, to)
  if (from >= to || bytes[from] !== opener) return undefined
  from = skipWhiteSpace(bytes, from + 1, to)
  if (from >= to || bytes[from] !== QUOTE) return undefined
  const nameTo = skipString(bytes, from, to)
  if (nameTo === -1) return undefined
  let valueFrom = skipWhiteSpace(bytes, nameTo, to)
  if (valueFrom >= to || bytes[valueFrom] !== COLON) return undefined
  valueFrom = skipWhiteSpace(bytes, valueFrom + 1, to)
  return valueFrom >= to ? undefined : { name: { from, to: nameTo }, valueFrom }
}

/** @returns where the value of the first member called `name` starts in the object at `at`, or -1. */
export function findValue(bytes: Uint8Array, at: number, to: number, name: MemberName): number {
  let member = firstMember(bytes, at, to)
  while (member !== undefined) {
    if (name.isAt(bytes, member.name.from, member.name.to)) return member.valueFrom
    const behind = skipValue(bytes, member.valueFrom, to)
    member = behind === -1 ? undefined : memberBehind(bytes, behind, to)
  }
  return -1
}

/** @returns what the JSON in a span says, or `undefined`. */
export function parseSpan(bytes: Buffer, { from, to }: Span): unknown {
  try {
    return JSON.parse(bytes.toString('utf8', from, to)) as unknown
  } catch {
    return undefined
  }
}
