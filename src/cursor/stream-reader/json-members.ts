/**
 * Finds the members of a JSON object in its bytes without building the object, because an event can
 * have 700,000 keys or be nested 3,000,000 deep, and `JSON.parse` would block the host for seconds.
 * {@link MemberScan} accepts exactly what `JSON.parse` accepts; {@link members} also walks an object
 * whose end is missing.
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

/** The place of a value, in bytes; `to` is exclusive. */
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

/** @returns the parsed value, or `undefined` if it is not valid JSON. */
export function parseSpan(bytes: Buffer, { from, to }: Span): unknown {
  try {
    return JSON.parse(bytes.toString('utf8', from, to)) as unknown
  } catch {
    return undefined
  }
}

/** @returns the position after the string that opens at `from`, or -1 if it does not end. */
export function skipString(bytes: Uint8Array, from: number, to: number): number {
  for (let at = from + 1; at < to; at++) {
    if (bytes[at] === BACKSLASH) at++
    else if (bytes[at] === QUOTE) return at + 1
  }
  return -1
}

/** @returns the position after the object or list that opens at `from`, or -1 if it does not end. */
function skipNested(bytes: Uint8Array, from: number, to: number): number {
  let depth = 0
  for (let at = from; at < to; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      const end = skipString(bytes, at, to)
      if (end === -1) return -1
      at = end - 1
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth--
      if (depth === 0) return at + 1
    }
  }
  return -1
}

/** @returns the position after the value that starts at `from`, or -1 if it is incomplete. */
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
  /** Exclusive; -1 if the value is incomplete. */
  readonly valueTo: number
}

/** Reads a member up to the start of its value. */
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
 * Yields the members of the object that starts at `from`, up to where the bytes end. Looks only at
 * quotes, brackets and commas, so it also finds members after invalid values.
 * @returns whether the object was complete.
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

/** @returns the first `most` strings in a valid value, at any depth, without the names of members. */
export function findTexts(bytes: Buffer, { from, to }: Span, most: number): Span[] {
  const texts: Span[] = []
  let at = bytes.indexOf(QUOTE, from)
  while (at !== -1 && at < to && texts.length < most) {
    const end = skipString(bytes, at, to)
    if (end === -1) break
    if (bytes[skipWhiteSpace(bytes, end, to)] !== COLON) texts.push({ from: at, to: end })
    at = bytes.indexOf(QUOTE, end)
  }
  return texts
}

type Grammar = Record<string, Record<string, string>>

const BLANK = ' \t\n\r'
const DIGIT = '0123456789'
const HEX = `${DIGIT}abcdefABCDEF`
/** All bytes that need no escape in a string. */
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
const AFTER_VALUE_MOVES = {
  [BLANK]: 'afterValue',
  ',': 'comma',
  '}': 'closeObject',
  ']': 'closeList',
}

const word = (letters: string): Grammar =>
  Object.fromEntries(
    Array.from({ length: letters.length - 1 }, (_, at) => [
      letters.slice(0, at + 1),
      { [letters[at + 1]!]: at + 2 === letters.length ? 'afterValue' : letters.slice(0, at + 2) },
    ]),
  )

const string = (name: string, next: string): Grammar => ({
  [name]: { [PLAIN]: name, '\\': `${name}Escape`, '"': next },
  [`${name}Escape`]: { '"\\/bfnrt': name, u: `${name}Hex1` },
  [`${name}Hex1`]: { [HEX]: `${name}Hex2` },
  [`${name}Hex2`]: { [HEX]: `${name}Hex3` },
  [`${name}Hex3`]: { [HEX]: `${name}Hex4` },
  [`${name}Hex4`]: { [HEX]: name },
})

/**
 * The grammar of JSON as a state machine: for each state, the characters allowed next and the state
 * each leads to. `openObject` and the other steps are not states, because the state after them depends
 * on which brackets are open.
 */
const GRAMMAR: Grammar = {
  broken: {},
  start: { [BLANK]: 'start', '{': 'openObject' },
  done: { [BLANK]: 'done' },
  value: { [BLANK]: 'value', ...VALUE },
  firstElement: { [BLANK]: 'firstElement', ...VALUE, ']': 'closeList' },
  firstName: { [BLANK]: 'firstName', '"': 'name', '}': 'closeObject' },
  nextName: { [BLANK]: 'nextName', '"': 'name' },
  afterName: { [BLANK]: 'afterName', ':': 'value' },
  afterValue: AFTER_VALUE_MOVES,
  minus: { '0': 'zero', '123456789': 'integer' },
  zero: { ...AFTER_VALUE_MOVES, '.': 'point', eE: 'exponent' },
  integer: { ...AFTER_VALUE_MOVES, [DIGIT]: 'integer', '.': 'point', eE: 'exponent' },
  point: { [DIGIT]: 'fraction' },
  fraction: { ...AFTER_VALUE_MOVES, [DIGIT]: 'fraction', eE: 'exponent' },
  exponent: { [DIGIT]: 'power', '+-': 'sign' },
  sign: { [DIGIT]: 'power' },
  power: { ...AFTER_VALUE_MOVES, [DIGIT]: 'power' },
  ...word('true'),
  ...word('false'),
  ...word('null'),
  ...string('text', 'afterValue'),
  ...string('name', 'afterName'),
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
const AFTER_VALUE = numberOf('afterValue')
const TEXT = numberOf('text')
const FIRST_STEP = STATES.length
const OPEN_OBJECT = numberOf('openObject')
const OPEN_LIST = numberOf('openList')
const CLOSE_OBJECT = numberOf('closeObject')
const AT_COMMA = numberOf('comma')

/** The next state or step, by state and byte. 0 is `broken`, which leads only to itself. */
const NEXT = new Uint8Array(STATES.length * 256)
for (const [state, moves] of Object.values(GRAMMAR).entries()) {
  for (const [chars, next] of Object.entries(moves)) {
    for (const char of chars) NEXT[state * 256 + char.charCodeAt(0)] = numberOf(next)
  }
}

const IS_PLAIN = new Uint8Array(256)
for (const char of PLAIN) IS_PLAIN[char.charCodeAt(0)] = 1

/**
 * Finds the values of an object's own members while its bytes arrive, so that a long line takes only a
 * little time per chunk. If a name occurs twice, the last one counts, as in `JSON.parse`.
 */
export class MemberScan {
  /** How far the bytes have been scanned. */
  seen: number
  readonly #found = new Map<string, Span>()
  readonly #wanted: readonly string[]
  #state = START
  /** The step that opened each open bracket, from the outside in. */
  #open = new Uint8Array(64)
  #depth = 0
  /** Where the current member of the outermost object starts. */
  #memberFrom = 0

  constructor(wanted: readonly string[], from: number) {
    this.#wanted = wanted
    this.seen = from
  }

  /** @param bytes the same bytes as in the last call, and possibly more after them. */
  advance(bytes: Buffer, to: number): void {
    // Copies of the fields, because accessing a field takes longer than the rest of a step.
    let state = this.#state
    let depth = this.#depth
    for (let at = this.seen; at < to; at++) {
      state = NEXT[(state << 8) | bytes[at]!]!
      // Long lines consist of long strings, and a step here takes a quarter of one in the outer loop.
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
      else state = --depth === 0 ? DONE : AFTER_VALUE
    }
    this.#state = state
    this.#depth = depth
    this.seen = to
  }

  /** @returns the members, or `undefined` if the bytes up to `to` are not exactly one JSON object. */
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
