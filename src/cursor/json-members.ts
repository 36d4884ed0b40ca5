/**
 * Finds the members of a JSON object in its bytes, without building the object: an event can hold
 * 700,000 keys or be nested 3,000,000 deep, and `JSON.parse` would block the host for seconds.
 * Two readings: {@link MemberScan} accepts what `JSON.parse` accepts, {@link firstMember} walks a
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
/** By byte: whether it stands for itself in a string. */
const IS_PLAIN = new Uint8Array(256).fill(1, SPACE)
IS_PLAIN[QUOTE] = IS_PLAIN[BACKSLASH] = 0
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

/**
 * Goes on in a string that is valid before `from`.
 * @returns the position behind its closing quote, or `~position` where it is broken or not all there.
 */
function behindString(bytes: Uint8Array, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!
    if (IS_PLAIN[byte] === 1) continue
    if (byte === QUOTE) return at + 1
    if (byte !== BACKSLASH) return ~at
    if (bytes[at + 1] === LOWER_U) {
      if (at + 6 > to || hexAt(bytes, at + 2) < 0) return ~at
      at += 5
    } else {
      if (at + 2 > to || IS_ESCAPE[bytes[at + 1] ?? 0] === 0) return ~at
      at++
    }
  }
  return ~to
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

/** @returns the position behind a number or a word, or -1. */
function behindPlain(bytes: Uint8Array, from: number, to: number): number {
  const first = bytes[from]
  if (first === MINUS || isDigit(first)) return behindNumber(bytes, from, to)
  for (const literal of LITERALS) {
    if (startsWith(bytes, from, to, literal)) return from + literal.length
  }
  return -1
}

/** What a walk reports, in positions instead of objects, because there can be millions. */
interface Visitor {
  /** A member of the outermost object. */
  member?(nameFrom: number, nameTo: number, from: number, to: number, bytes: Uint8Array): void
  /** A string value at any depth. @returns whether the walk goes on. */
  text?(from: number, to: number): boolean
}

/** What a walk expects next. */
const VALUE = 0
const ELEMENT = 1
const BEHIND_VALUE = 2
const NOTHING = 3

/**
 * Walks over one list or object without recursion. It stops where the bytes end or are broken, and
 * goes on from there when there are more, so that a long line costs a little of each turn.
 */
class Walk {
  #at: number
  #expected = VALUE
  /** The kind of every open bracket, from the outside in. */
  #open = new Uint8Array(64)
  #depth = 0
  #nameFrom = 0
  #nameTo = 0
  #valueFrom = 0
  /** Up to here the string that has begun is valid. */
  #stringAt = 0
  /** Behind an opening bracket the first element may be missing; behind a comma it may not. */
  #mayClose = false

  constructor(from: number) {
    this.#at = from
  }

  /** Whether all up to `to` was one object, with white space around it. */
  isObject(bytes: Uint8Array, to: number): boolean {
    return (
      this.#expected === NOTHING &&
      this.#open[0] === OPEN_BRACE &&
      skipWhiteSpace(bytes, this.#at, to) >= to
    )
  }

  advance(bytes: Uint8Array, to: number, visitor: Visitor): void {
    // Local copies, since a field costs more than the rest of a step.
    let at = this.#at
    let expected = this.#expected
    let depth = this.#depth
    let mayClose = this.#mayClose
    let open = this.#open
    let kind = depth === 0 ? 0 : (open[depth - 1] ?? 0)
    while (expected !== NOTHING) {
      if ((bytes[at] ?? 0) <= SPACE) at = skipWhiteSpace(bytes, at, to)
      if (at >= to) break
      const first = bytes[at] ?? 0
      if (expected === BEHIND_VALUE) {
        if (first === COMMA) expected = ELEMENT
        else if (first === kind + CLOSING) {
          depth--
          if (depth === 0) expected = NOTHING
          kind = depth === 0 ? 0 : (open[depth - 1] ?? 0)
          if (depth === 1 && kind === OPEN_BRACE)
            visitor.member?.(this.#nameFrom, this.#nameTo, this.#valueFrom, at + 1, bytes)
        } else break
        at++
        continue
      }
      if (expected === ELEMENT) {
        if (mayClose && first === kind + CLOSING) {
          mayClose = false
          expected = BEHIND_VALUE
          continue
        }
        if (kind === OPEN_BRACE) {
          if (first !== QUOTE) break
          const end = behindString(bytes, Math.max(at + 1, this.#stringAt), to)
          if (end < 0) {
            this.#stringAt = ~end
            break
          }
          const colon = skipWhiteSpace(bytes, end, to)
          if (colon >= to || bytes[colon] !== COLON) break
          if (depth === 1) {
            this.#nameFrom = at
            this.#nameTo = end
          }
          at = colon + 1
          expected = VALUE
          mayClose = false
          continue
        }
      }
      if (depth === 1) this.#valueFrom = at
      mayClose = false
      if (first === OPEN_BRACE || first === OPEN_BRACKET) {
        if (depth === open.length) {
          open = new Uint8Array(depth * 4)
          open.set(this.#open)
          this.#open = open
        }
        open[depth++] = kind = first
        mayClose = true
        expected = ELEMENT
        at++
        continue
      }
      if (depth === 0) break
      if (first === QUOTE) {
        const end = behindString(bytes, Math.max(at + 1, this.#stringAt), to)
        if (end < 0) {
          this.#stringAt = ~end
          break
        }
        if (visitor.text?.(at, end) === false) break
        at = end
      } else {
        const end = behindPlain(bytes, at, to)
        // A number that ends with the bytes may go on.
        if (end === -1 || end >= to) break
        at = end
      }
      expected = BEHIND_VALUE
      if (depth === 1 && kind === OPEN_BRACE)
        visitor.member?.(this.#nameFrom, this.#nameTo, this.#valueFrom, at, bytes)
    }
    this.#at = at
    this.#expected = expected
    this.#depth = depth
    this.#mayClose = mayClose
  }
}

/**
 * Finds the values of an object's own members while its bytes come in. Of members with one name
 * the last one counts, as for `JSON.parse`.
 */
export class MemberScan<Name extends string> implements Visitor {
  /** How many bytes have been looked at. */
  seen: number
  readonly #wanted: (readonly [Name, MemberName])[]
  readonly #found: Partial<Record<Name, Span>> = {}
  readonly #walk: Walk

  constructor(names: Readonly<Record<Name, MemberName>>, from: number) {
    this.#wanted = Object.entries(names) as [Name, MemberName][]
    this.#walk = new Walk(from)
    this.seen = from
  }

  /** @param bytes the same as before, with more behind them. */
  advance(bytes: Uint8Array, to: number): void {
    this.#walk.advance(bytes, to, this)
    this.seen = to
  }

  /** @returns `undefined` unless the bytes up to `to` are one JSON object. */
  finish(bytes: Uint8Array, to: number): Partial<Record<Name, Span>> | undefined {
    this.advance(bytes, to)
    return this.#walk.isObject(bytes, to) ? this.#found : undefined
  }

  member(nameFrom: number, nameTo: number, from: number, to: number, bytes: Uint8Array): void {
    for (let i = 0; i < this.#wanted.length; i++) {
      const [key, name] = this.#wanted[i]!
      if (name.isAt(bytes, nameFrom, nameTo)) this.#found[key] = { from, to }
    }
  }
}

/** In how much of a value texts are looked for, in bytes. */
const MOST_TEXT_BYTES = 1_048_576

/** The first string values, at most `most`, in a valid list or object, however deep they stand. */
export function findTexts(bytes: Uint8Array, span: Span, most: number): Span[] {
  const texts: Span[] = []
  const text = (from: number, to: number): boolean => texts.push({ from, to }) < most
  const to = Math.min(span.to, span.from + MOST_TEXT_BYTES)
  new Walk(span.from).advance(bytes, to, { text })
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
  return valueOf(name, firstMember(bytes, at, to), bytes, to)
}

/** As {@link findValue}, among the members behind the value that ends at `at`. */
export function findValueBehind(
  bytes: Uint8Array,
  at: number,
  to: number,
  name: MemberName,
): number {
  return valueOf(name, memberBehind(bytes, at, to), bytes, to)
}

function valueOf(
  name: MemberName,
  first: Member | undefined,
  bytes: Uint8Array,
  to: number,
): number {
  let member = first
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
