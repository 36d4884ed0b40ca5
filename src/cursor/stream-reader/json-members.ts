/**
 * Finds the members of a JSON object in its bytes, without building the object: an event can hold
 * 700,000 keys or be nested 3,000,000 deep, and `JSON.parse` would block the host for seconds.
 * Two readings: {@link MemberScan} accepts what `JSON.parse` accepts, {@link members} walks a piece
 * of an object whose end may be missing. Which members mean what belongs to the callers.
 */

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const SPACE = 0x20

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

/** @returns what the JSON in a span says, or `undefined`. */
export function parseSpan(bytes: Buffer, { from, to }: Span): unknown {
  try {
    return JSON.parse(bytes.toString('utf8', from, to)) as unknown
  } catch {
    return undefined
  }
}

/** @returns the position behind the closing quote of the string that opens at `from`, or -1. */
export function skipString(bytes: Uint8Array, from: number, to: number): number {
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
function skipValue(bytes: Uint8Array, from: number, to: number): number {
  const first = bytes[from]
  if (first === QUOTE) return skipString(bytes, from, to)
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return skipNested(bytes, from, to)
  let at = from
  while (at < to && bytes[at] !== COMMA && bytes[at] !== CLOSE_BRACE && !isWhiteSpace(bytes[at]))
    at++
  return at === to ? -1 : at
}

interface Member {
  readonly name: Span
  readonly valueFrom: number
}

export interface FoundMember extends Member {
  /** Behind the value; -1 when it is not all there. */
  readonly valueTo: number
}

/** The member that starts at `from`, as far as the start of its value. */
function memberAt(bytes: Uint8Array, from: number, to: number): Member | undefined {
  const nameFrom = skipWhiteSpace(bytes, from, to)
  if (nameFrom >= to || bytes[nameFrom] !== QUOTE) return undefined
  const nameTo = skipString(bytes, nameFrom, to)
  const colon = nameTo === -1 ? to : skipWhiteSpace(bytes, nameTo, to)
  if (colon >= to || bytes[colon] !== COLON) return undefined
  const valueFrom = skipWhiteSpace(bytes, colon + 1, to)
  return valueFrom >= to ? undefined : { name: { from: nameFrom, to: nameTo }, valueFrom }
}

/**
 * The members of the object that starts at `from`, as far as the bytes show them. Looks at quotes,
 * brackets and commas alone, so broken JSON between them hides nothing.
 * @returns whether the object's closing brace was seen.
 */
export function* members(
  bytes: Uint8Array,
  from: number,
  to: number,
): Generator<FoundMember, boolean> {
  let at = skipWhiteSpace(bytes, from, to)
  if (at >= to || bytes[at] !== OPEN_BRACE) return false
  do {
    const member = memberAt(bytes, at + 1, to)
    if (member === undefined) return false
    const valueTo = skipValue(bytes, member.valueFrom, to)
    yield { ...member, valueTo }
    if (valueTo === -1) return false
    at = skipWhiteSpace(bytes, valueTo, to)
  } while (at < to && bytes[at] === COMMA)
  return at < to && bytes[at] === CLOSE_BRACE
}

/** The first string values, at most `most`, in a valid value, however deep they stand. */
export function findTexts(bytes: Buffer, { from, to }: Span, most: number): Span[] {
  const texts: Span[] = []
  let at = bytes.indexOf(QUOTE, from)
  while (at !== -1 && at < to && texts.length < most) {
    const behind = skipString(bytes, at, to)
    if (behind === -1) break
    if (bytes[skipWhiteSpace(bytes, behind, to)] !== COLON) texts.push({ from: at, to: behind })
    at = bytes.indexOf(QUOTE, behind)
  }
  return texts
}

type Grammar = Record<string, Record<string, string>>

const BLANK = ' \t\n\r'
const DIGIT = '0123456789'
const HEX = `${DIGIT}abcdefABCDEF`
/** Every byte that stands for itself in a string. */
const PLAIN = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte))
  .filter((char) => char >= ' ' && char !== '"' && char !== '\\')
  .join('')

const VALUE = {
  '{': 'openObject',
  '[': 'openList',
  '"': 'text',
  '-': 'minus',
  '0': 'zero',
  '123456789': 'integer',
  t: 't',
  f: 'f',
  n: 'n',
}
const BEHIND = { [BLANK]: 'behind', ',': 'comma', '}': 'closeObject', ']': 'closeList' }

const word = (letters: string): Grammar =>
  Object.fromEntries(
    Array.from({ length: letters.length - 1 }, (_, at) => [
      letters.slice(0, at + 1),
      { [letters[at + 1]!]: at + 2 === letters.length ? 'behind' : letters.slice(0, at + 2) },
    ]),
  )

const string = (name: string, behind: string): Grammar => ({
  [name]: { [PLAIN]: name, '\\': `${name}Escape`, '"': behind },
  [`${name}Escape`]: { '"\\/bfnrt': name, u: `${name}Hex1` },
  [`${name}Hex1`]: { [HEX]: `${name}Hex2` },
  [`${name}Hex2`]: { [HEX]: `${name}Hex3` },
  [`${name}Hex3`]: { [HEX]: `${name}Hex4` },
  [`${name}Hex4`]: { [HEX]: name },
})

/**
 * JSON by the byte: the characters that may come in a state, and the state that each leads to. A step
 * (`openObject` and the like) is no state: where it leads depends on the brackets that are open.
 */
const GRAMMAR: Grammar = {
  broken: {},
  start: { [BLANK]: 'start', '{': 'openObject' },
  done: { [BLANK]: 'done' },
  value: { [BLANK]: 'value', ...VALUE },
  firstElement: { [BLANK]: 'firstElement', ...VALUE, ']': 'closeList' },
  firstName: { [BLANK]: 'firstName', '"': 'name', '}': 'closeObject' },
  nextName: { [BLANK]: 'nextName', '"': 'name' },
  behindName: { [BLANK]: 'behindName', ':': 'value' },
  behind: BEHIND,
  minus: { '0': 'zero', '123456789': 'integer' },
  zero: { ...BEHIND, '.': 'point', eE: 'exponent' },
  integer: { ...BEHIND, [DIGIT]: 'integer', '.': 'point', eE: 'exponent' },
  point: { [DIGIT]: 'fraction' },
  fraction: { ...BEHIND, [DIGIT]: 'fraction', eE: 'exponent' },
  exponent: { [DIGIT]: 'power', '+-': 'sign' },
  sign: { [DIGIT]: 'power' },
  power: { ...BEHIND, [DIGIT]: 'power' },
  ...word('true'),
  ...word('false'),
  ...word('null'),
  ...string('text', 'behind'),
  ...string('name', 'behindName'),
}
const STATES = Object.keys(GRAMMAR)
const STEPS = ['openObject', 'openList', 'closeObject', 'closeList', 'comma']
const NUMBERED = [...STATES, ...STEPS]
const numberOf = (name: string): number => NUMBERED.indexOf(name)

const START = numberOf('start')
const DONE = numberOf('done')
const NEXT_VALUE = numberOf('value')
const FIRST_ELEMENT = numberOf('firstElement')
const FIRST_NAME = numberOf('firstName')
const NEXT_NAME = numberOf('nextName')
const BEHIND_VALUE = numberOf('behind')
const TEXT = numberOf('text')
const FIRST_STEP = STATES.length
const OPEN_OBJECT = numberOf('openObject')
const OPEN_LIST = numberOf('openList')
const CLOSE_OBJECT = numberOf('closeObject')
const AT_COMMA = numberOf('comma')

/** By state and byte: the next state or step; 0 is `broken`, which leads to itself. */
const NEXT = new Uint8Array(STATES.length * 256)
for (const [state, moves] of Object.values(GRAMMAR).entries()) {
  for (const [chars, next] of Object.entries(moves)) {
    for (const char of chars) NEXT[state * 256 + char.charCodeAt(0)] = numberOf(next)
  }
}

const IS_PLAIN = new Uint8Array(256)
for (const char of PLAIN) IS_PLAIN[char.charCodeAt(0)] = 1

/**
 * Finds the values of an object's own members while its bytes come in, so that a long line costs a
 * little of each turn. Of members with one name the last one counts, as for `JSON.parse`.
 */
export class MemberScan {
  /** Up to here the bytes have been looked at. */
  seen: number
  readonly #found = new Map<string, Span>()
  readonly #wanted: readonly string[]
  #state = START
  /** The step that opened each open bracket, from the outside in. */
  #open = new Uint8Array(64)
  #depth = 0
  /** Where the outermost object's present member starts. */
  #memberFrom = 0

  constructor(wanted: readonly string[], from: number) {
    this.#wanted = wanted
    this.seen = from
  }

  /** @param bytes the same as before, with more behind them. */
  advance(bytes: Buffer, to: number): void {
    // Local copies, because a field costs more than the rest of a step.
    let state = this.#state
    let depth = this.#depth
    for (let at = this.seen; at < to; at++) {
      state = NEXT[(state << 8) | bytes[at]!]!
      // Long lines are long texts, and a step in this loop costs a quarter of one in the outer.
      if (state === TEXT) while (at + 1 < to && IS_PLAIN[bytes[at + 1]!] === 1) at++
      if (state < FIRST_STEP) continue
      if (state === OPEN_OBJECT || state === OPEN_LIST) {
        if (depth === 0) this.#memberFrom = at + 1
        else if (depth === this.#open.length) this.#growOpen()
        this.#open[depth++] = state
        state = state === OPEN_OBJECT ? FIRST_NAME : FIRST_ELEMENT
        continue
      }
      const isObject = this.#open[depth - 1] === OPEN_OBJECT
      if (depth === 1) this.#endMember(bytes, at)
      if (state === AT_COMMA) state = isObject ? NEXT_NAME : NEXT_VALUE
      else if ((state === CLOSE_OBJECT) !== isObject) state = 0
      else state = --depth === 0 ? DONE : BEHIND_VALUE
    }
    this.#state = state
    this.#depth = depth
    this.seen = to
  }

  /** @returns `undefined` unless the bytes up to `to` are one JSON object, with white space around it. */
  finish(bytes: Buffer, to: number): ReadonlyMap<string, Span> | undefined {
    this.advance(bytes, to)
    return this.#state === DONE ? this.#found : undefined
  }

  #endMember(bytes: Buffer, to: number): void {
    const member = memberAt(bytes, this.#memberFrom, to)
    this.#memberFrom = to + 1
    const name = member && parseSpan(bytes, member.name)
    if (member !== undefined && typeof name === 'string' && this.#wanted.includes(name))
      this.#found.set(name, { from: member.valueFrom, to })
  }

  #growOpen(): void {
    const grown = new Uint8Array(this.#open.length * 4)
    grown.set(this.#open)
    this.#open = grown
  }
}
