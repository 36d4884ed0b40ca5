// What a stream means, read the slow and obvious way: all the bytes at once, one line after the other,
// JSON.parse on each. Written from the rules and not from the reader, which it judges. How the bytes
// arrive in chunks, memory and speed are no concern of this file.

const MAX_LINE_BYTES = 8 * 1024 * 1024
const HEAD_BYTES = 4096
const MAX_EVENT_TYPES = 32
const NEWLINE = 0x0a
const CARRIAGE_RETURN = 0x0d

/** Stands for a result that is no string: what it holds is never read. */
export const NO_STRING = Symbol('no string')

/** Everything about a stream that must not depend on how it was cut into chunks. */
export interface Outcome {
  readonly state: 'result' | 'framing-lost' | 'ended'
  readonly result:
    | {
        result: string | undefined | typeof NO_STRING
        isError: unknown
        subtype: unknown
        usage: unknown
      }
    | undefined
  /** Event type → count, by the names that may be shown. */
  readonly events: Record<string, number>
  readonly eventCount: number
  readonly toolCalls: { started: number; completed: number }
  /** The lines that are no JSON objects and may be shown, without the white space around them. */
  readonly noise: readonly string[]
  /** Whether the stream stopped inside an event; `unsure` where only a parse of a counted line could tell. */
  readonly lastLineCut: boolean | 'unsure'
}

/** Reads a whole stream that has ended. */
export function readWhole(bytes: Uint8Array): Outcome {
  const events = new Map<string, number>()
  const toolCalls = { started: 0, completed: 0 }
  const noise: string[] = []
  let lastLineCut: Outcome['lastLineCut'] = false
  let eventCount = 0
  const outcome = (
    state: Outcome['state'],
    result: Outcome['result'] = undefined,
    cut: Outcome['lastLineCut'] = false,
  ): Outcome => ({
    state,
    result,
    events: Object.fromEntries(events),
    eventCount,
    toolCalls,
    noise,
    lastLineCut: cut,
  })
  const count = (type: unknown, subtype: unknown): void => {
    const name = shownName(type, events)
    events.set(name, (events.get(name) ?? 0) + 1)
    eventCount++
    if (type === 'tool_call' && subtype === 'started') toolCalls.started++
    if (type === 'tool_call' && subtype === 'completed') toolCalls.completed++
  }

  for (const { line, ended } of splitLines(withoutByteOrderMark(bytes))) {
    const text = line.length > MAX_LINE_BYTES ? '' : decode(line)
    const event = parseObject(text)
    const named = namedInHead(decode(line.subarray(0, HEAD_BYTES)))
    const type = named.type ?? event?.['type']
    if (!ended) lastLineCut = wasCut(line, bytes.at(-1), event !== undefined)

    if (named.type !== undefined && named.type !== 'result') {
      count(named.type, named.subtype ?? event?.['subtype'])
    } else if (line.length > MAX_LINE_BYTES) {
      return outcome('framing-lost', undefined, 'unsure')
    } else if (event === undefined) {
      if (mayBeShown(text)) noise.push(text.trim())
    } else {
      count(type, event['subtype'])
      if (type !== 'result') continue
      const { result, is_error: isError, subtype, usage } = event
      const answer = result === undefined || typeof result === 'string' ? result : NO_STRING
      return outcome('result', { result: answer, isError, subtype, usage })
    }
  }
  return outcome('ended', undefined, lastLineCut)
}

/**
 * The lines between newlines, each without the carriage return of its line end. What follows the last
 * newline is a line too, one that the stream did not end.
 */
function splitLines(bytes: Uint8Array): { line: Uint8Array; ended: boolean }[] {
  const lines = []
  let start = 0
  for (;;) {
    const newline = bytes.indexOf(NEWLINE, start)
    const ended = newline !== -1
    const at = ended ? newline : bytes.length
    const end = at > start && bytes[at - 1] === CARRIAGE_RETURN ? at - 1 : at
    lines.push({ line: bytes.subarray(start, end), ended })
    if (!ended) return lines
    start = at + 1
  }
}

const withoutByteOrderMark = (bytes: Uint8Array): Uint8Array =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes

const decode = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8')

const beginsAnEvent = (text: string): boolean => /^[ \t\r\n]*\{/.test(text)

/** A line that could be a broken piece of the stream must not reach a diagnostic. */
const mayBeShown = (text: string): boolean =>
  text.trim() !== '' &&
  !beginsAnEvent(text) &&
  !/^[ \t\r\n]*\ufeff\{/.test(text) &&
  !text.includes('{"type"')

/**
 * A counted event longer than the head is not kept, so where its bytes end in a brace (or in white space)
 * nobody can say any more whether that brace closes the event or something inside it.
 */
function wasCut(
  line: Uint8Array,
  last: number | undefined,
  isWhole: boolean,
): Outcome['lastLineCut'] {
  const head = decode(line.subarray(0, HEAD_BYTES))
  if (!beginsAnEvent(head)) return false
  const type = namedInHead(head).type
  const counted = type !== undefined && type !== 'result'
  if (counted && line.length >= HEAD_BYTES && '} \t\r'.includes(String.fromCharCode(last ?? 0)))
    return 'unsure'
  return !isWhole
}

/** Names that are no plain words, and the ones past the first 32, are counted together. */
function shownName(type: unknown, known: ReadonlyMap<string, number>): string {
  const name = typeof type === 'string' ? type : '(untyped)'
  if (known.has(name)) return name
  if (known.size >= MAX_EVENT_TYPES) return '(other)'
  return name === '(untyped)' || /^[\w.:-]{1,40}$/.test(name) ? name : '(other)'
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    return value as Record<string, unknown>
  } catch {
    return undefined
  }
}

// One token at a time; `y` makes each match start where the last one ended.
const BLANKS = /[ \t\r\n]*/y
const STRING = /"(?:[^"\\]|\\[^])*"/y
const PLAIN = /[^,} \t\r\n]*/y
const BETWEEN_BRACKETS = /[^"[\]{}]*/y

class HeadEnds extends Error {}

/**
 * The first `type` and `subtype` of an object's own members that are strings, as far as its head shows them.
 * Only the frame of the JSON matters here (strings, brackets, commas): a value that is no JSON inside that
 * frame does not hide what comes after it.
 */
function namedInHead(head: string): { type?: string; subtype?: string } {
  const named: { type?: string; subtype?: string } = {}
  let at = 0

  const take = (token: RegExp): string => {
    token.lastIndex = at
    const match = token.exec(head)
    if (match === null) throw new HeadEnds()
    at = token.lastIndex
    return match[0]
  }
  const takeChar = (...allowed: string[]): string => {
    const char = head[at] ?? ''
    if (!allowed.includes(char)) throw new HeadEnds()
    at++
    return char
  }
  const takeBrackets = (): void => {
    let depth = 0
    do {
      take(BETWEEN_BRACKETS)
      if (head[at] === '"') take(STRING)
      else depth += '{['.includes(takeChar('{', '[', '}', ']')) ? 1 : -1
    } while (depth > 0)
  }
  const takeValue = (): string | undefined => {
    if (head[at] === '"') return unquote(take(STRING))
    if (head[at] === '{' || head[at] === '[') takeBrackets()
    else take(PLAIN)
    return undefined
  }

  try {
    take(BLANKS)
    takeChar('{')
    do {
      take(BLANKS)
      const key = unquote(take(STRING))
      take(BLANKS)
      takeChar(':')
      take(BLANKS)
      const value = takeValue()
      if (value !== undefined && (key === 'type' || key === 'subtype')) named[key] ??= value
      take(BLANKS)
    } while (takeChar(',', '}') === ',')
  } catch (error) {
    if (!(error instanceof HeadEnds)) throw error
  }
  return named
}

function unquote(text: string): string | undefined {
  try {
    return JSON.parse(text) as string
  } catch {
    return undefined
  }
}
