/**
 * Reads the NDJSON that `cursor-agent -p --output-format stream-json` writes to stdout.
 * Owns framing, recognising events and finding the one result; what the result means
 * belongs to `outcome.ts`.
 *
 * It works on bytes. Nearly everything in a stream (tool calls with whole files in them,
 * thinking) is only counted, so such a line is recognised by its first bytes and passed
 * over without being decoded, parsed or kept, whatever its length.
 */

import { StringDecoder } from 'node:string_decoder'
import { BoundedText } from './bounded-text.ts'

/** A longer line (in bytes, without its line end) that is not a recognised event loses the framing. */
export const MAX_LINE_BYTES = 8_388_608
/** The part of a line, in bytes from its start, in which its type must stand to be recognised early. */
export const HEAD_BYTES = 4096

const NEWLINE = 0x0a
const CARRIAGE_RETURN = 0x0d
const QUOTE = 0x22
const COLON = 0x3a
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])
const MARKED_OBJECT = Buffer.from('\ufeff{')

/** How every event of every captured build begins (`cursor-cli.md`: `type`, then `subtype`). */
const USUAL_START = Buffer.from('{"type":"')
const USUAL_STARTED = Buffer.from(',"subtype":"started"')
const USUAL_COMPLETED = Buffer.from(',"subtype":"completed"')

/** More distinct event types than this are counted together, so that a stream cannot fill memory. */
const MAX_EVENT_TYPES = 32
const OTHER_TYPE = '(other)'
const UNTYPED = '(untyped)'

/** The first `result` event, as it came: nothing in it has been judged yet. */
export interface ResultEvent {
  readonly result: unknown
  readonly isError: unknown
  readonly subtype: unknown
  readonly usage: unknown
}

export type ReaderState = 'reading' | 'result' | 'framing-lost' | 'ended'

/** How a line was understood; `broken` means that it began like an event and is not JSON. */
type LineReading = 'by-head' | 'parsed' | 'broken' | 'noise'

interface Head {
  type: string | undefined
  subtype: string | undefined
  /** The object's closing brace was seen: there are no more members. */
  complete: boolean
}

/**
 * Feed it stdout with {@link push}, then {@link end}. How the bytes are cut into chunks
 * changes nothing but {@link extraResults}. No method throws.
 */
export class CursorStreamReader {
  /** `result` and `framing-lost` are final: later bytes are counted and discarded. */
  state: ReaderState = 'reading'
  result: ResultEvent | undefined
  /** Event types and how often each came, up to and with the result. */
  readonly events = new Map<string, number>()
  eventCount = 0
  /** `tool_call` events by the only two subtypes that mean one. */
  readonly toolCalls = { started: 0, completed: 0 }
  /** Text of the lines that were no JSON objects and cannot be a piece of one. */
  readonly noise = new BoundedText()
  /** The stream ended inside an event: the CLI exited before its write was out. */
  lastLineCut = false
  /** `result` lines seen behind the first one, among bytes that had already arrived. */
  extraResults = 0
  /** Bytes received, the discarded ones too. */
  bytes = 0

  readonly #decoder = new StringDecoder('utf8')
  readonly #line = new LineBuffer()
  /** Bytes of a byte-order mark matched at the start of the stream; -1 when that is settled. */
  #byteOrderMark = 0
  /** The pending line is a counted event: everything up to its newline is passed over. */
  #skipping = false
  /** The head of the pending line, once it was looked at without deciding the line. */
  #head: Head | undefined
  #lastByte = NEWLINE

  push(chunk: Uint8Array): void {
    this.bytes += chunk.length
    if (this.state !== 'reading' || chunk.length === 0) return
    const bytes = Buffer.isBuffer(chunk)
      ? chunk
      : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
    let start = this.#byteOrderMark === -1 ? 0 : this.#passByteOrderMark(bytes)
    for (;;) {
      const end = bytes.indexOf(NEWLINE, start)
      if (end === -1) break
      this.#finishLine(bytes, start, end)
      start = end + 1
      if (this.state !== 'reading') {
        this.#countExtraResults(bytes, start)
        return
      }
    }
    if (start === bytes.length) return
    this.#lastByte = bytes[bytes.length - 1] ?? NEWLINE
    if (!this.#skipping) this.#extendLine(bytes, start, bytes.length)
  }

  /** The stream has ended: a last line without a newline counts. Idempotent. */
  end(): void {
    if (this.state !== 'reading') return
    if (this.#byteOrderMark > 0) this.#line.append(BYTE_ORDER_MARK, 0, this.#byteOrderMark)
    if (this.#skipping) this.lastLineCut = !this.#endsLikeAnObject()
    else if (this.#line.length > 0) {
      const last = this.#line.bytes.toString('utf8', 0, this.#line.length)
      const reading = this.#readLine(this.#line.bytes, 0, this.#line.length)
      // A line counted by its head was not parsed; only the last one's end matters.
      this.lastLineCut =
        reading === 'broken' || (reading === 'by-head' && parseObject(last) === undefined)
    }
    this.#resetLine()
    if (this.state === 'reading') this.state = 'ended'
  }

  /** A line ends at `end`. */
  #finishLine(bytes: Buffer, start: number, end: number): void {
    if (!this.#skipping && this.#line.length > 0) this.#extendLine(bytes, start, end)
    if (this.#skipping || this.state !== 'reading') {
      this.#skipping = false
      return
    }
    if (this.#line.length === 0) {
      this.#readLine(bytes, start, end)
      return
    }
    this.#readLine(this.#line.bytes, 0, this.#line.length)
    this.#resetLine()
  }

  /** The pending line goes on; as soon as its head is there, it is looked at once. */
  #extendLine(bytes: Buffer, start: number, end: number): void {
    let from = start
    if (this.#line.length < HEAD_BYTES) {
      from = Math.min(end, start + HEAD_BYTES - this.#line.length)
      this.#line.append(bytes, start, from)
      if (this.#line.length < HEAD_BYTES) return
      if (this.#isEventByHead(this.#line.bytes, 0, HEAD_BYTES)) {
        this.#passOver()
        return
      }
    }
    // One byte past the limit may be the carriage return of the line end.
    if (this.#line.length + end - from > MAX_LINE_BYTES + 1) {
      if (this.#isEventTooLongToParse()) this.#passOver()
      return
    }
    this.#line.append(bytes, from, end)
  }

  #passOver(): void {
    this.#resetLine()
    this.#skipping = true
  }

  /** Reads one line, or what is left of the stream, and counts it. */
  #readLine(bytes: Buffer, from: number, lineEnd: number): LineReading {
    const to = lineEnd > from && bytes[lineEnd - 1] === CARRIAGE_RETURN ? lineEnd - 1 : lineEnd
    if (to === from) return 'noise'
    if (
      this.#head === undefined &&
      this.#isEventByHead(bytes, from, Math.min(to, from + HEAD_BYTES))
    ) {
      return 'by-head'
    }
    if (to - from > MAX_LINE_BYTES) {
      this.#isEventTooLongToParse()
      return 'by-head'
    }
    const head = this.#head
    this.#head = undefined
    const first = skipWhiteSpace(bytes, from, to)
    // Behind a line of white space the buffer may still hold an earlier one.
    if (first === to || bytes[first] !== OPEN_BRACE) {
      this.#keepNoise(bytes, first, to)
      return 'noise'
    }
    const event = parseObject(this.#decoder.write(bytes.subarray(from, to)) + this.#decoder.end())
    if (event === undefined) {
      if (head?.type === undefined || head.type === 'result') return 'broken'
      this.#count(head.type)
      return 'by-head'
    }
    const type = head?.type ?? (typeof event['type'] === 'string' ? event['type'] : UNTYPED)
    this.#count(type)
    if (type === 'tool_call') this.#countToolCall(event['subtype'])
    if (type === 'result') {
      this.result = {
        result: event['result'],
        isError: event['is_error'],
        subtype: event['subtype'],
        usage: event['usage'],
      }
      this.state = 'result'
    }
    return 'parsed'
  }

  /**
   * Counts the line if its head names an event other than `result`; nothing of it is needed then.
   * Leaves in `#head` what was read when that does not settle the line.
   */
  #isEventByHead(bytes: Buffer, from: number, to: number): boolean {
    if (startsWith(bytes, from, to, USUAL_START)) {
      const name = from + USUAL_START.length
      const known = KNOWN_TYPES.find(bytes, name, to)
      if (known !== undefined) {
        const afterName = name + known.length + 1
        if (known !== 'tool_call') {
          this.#count(known)
          return true
        }
        if (startsWith(bytes, afterName, to, USUAL_STARTED)) this.toolCalls.started++
        else if (startsWith(bytes, afterName, to, USUAL_COMPLETED)) this.toolCalls.completed++
        else return this.#isEventByMembers(bytes, from, to)
        this.#count(known)
        return true
      }
    }
    return this.#isEventByMembers(bytes, from, to)
  }

  /** As {@link #isEventByHead}, for any order of members, white space and escapes. */
  #isEventByMembers(bytes: Buffer, from: number, to: number): boolean {
    const head = readHead(bytes, from, to)
    const settled =
      head.type !== undefined &&
      head.type !== 'result' &&
      (head.type !== 'tool_call' || head.subtype !== undefined || head.complete)
    if (!settled || head.type === undefined) {
      this.#head = head
      return false
    }
    this.#count(head.type)
    if (head.type === 'tool_call') this.#countToolCall(head.subtype)
    return true
  }

  /**
   * Past the limit, a tool call whose subtype has not come yet is known all the same;
   * of anything else nothing is known any more, and the framing is lost.
   */
  #isEventTooLongToParse(): boolean {
    const type = this.#head?.type
    this.#head = undefined
    if (type === undefined || type === 'result') {
      this.state = 'framing-lost'
      return false
    }
    this.#count(type)
    return true
  }

  /** All that is known of the end of a line that was passed over. */
  #endsLikeAnObject(): boolean {
    return this.#lastByte === CLOSE_BRACE || this.#lastByte === CARRIAGE_RETURN
  }

  #count(type: string): void {
    this.eventCount++
    const count = this.events.get(type)
    if (count !== undefined) this.events.set(type, count + 1)
    else this.#countNew(type)
  }

  /** Counts are shown to people: a name that is no plain word, or one too many, is `(other)`. */
  #countNew(type: string): void {
    const isShown = type === UNTYPED || /^[\w.:-]{1,40}$/.test(type)
    const name = isShown && this.events.size < MAX_EVENT_TYPES ? type : OTHER_TYPE
    this.events.set(name, (this.events.get(name) ?? 0) + 1)
  }

  #countToolCall(subtype: unknown): void {
    if (subtype === 'started') this.toolCalls.started++
    else if (subtype === 'completed') this.toolCalls.completed++
  }

  #keepNoise(bytes: Buffer, from: number, to: number): void {
    const line = bytes.subarray(from, to)
    // A broken piece of the stream can hold anything: it is never kept.
    if (from === to || line.includes('{"type"') || startsWith(bytes, from, to, MARKED_OBJECT))
      return
    this.noise.push(line)
    this.noise.push(NEWLINE_BYTES)
  }

  #countExtraResults(bytes: Buffer, from: number): void {
    let start = from
    for (let end = bytes.indexOf(NEWLINE, start); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      if (readHead(bytes, start, Math.min(end, start + HEAD_BYTES)).type === 'result')
        this.extraResults++
      start = end + 1
    }
  }

  /** @returns where the text starts in `bytes`. */
  #passByteOrderMark(bytes: Buffer): number {
    let start = 0
    while (start < bytes.length && bytes[start] === BYTE_ORDER_MARK[this.#byteOrderMark]) {
      start++
      this.#byteOrderMark++
      if (this.#byteOrderMark === BYTE_ORDER_MARK.length) {
        this.#byteOrderMark = -1
        return start
      }
    }
    if (start === bytes.length) return start
    if (this.#byteOrderMark > 0) this.#line.append(BYTE_ORDER_MARK, 0, this.#byteOrderMark)
    this.#byteOrderMark = -1
    return start
  }

  #resetLine(): void {
    this.#line.reset()
    this.#head = undefined
  }
}

const NEWLINE_BYTES = Buffer.from('\n')

/**
 * The bytes of the pending line. Doubles its memory as the line grows, so that a line in tiny
 * pieces costs one copy of each byte and no object per piece; gives a big line's memory back.
 */
class LineBuffer {
  static readonly #INITIAL_BYTES = 65_536
  bytes = Buffer.allocUnsafe(0)
  length = 0

  append(source: Buffer, from: number, to: number): void {
    const length = this.length + to - from
    if (length > this.bytes.length) {
      const grown = Buffer.allocUnsafeSlow(
        Math.max(LineBuffer.#INITIAL_BYTES, length, this.bytes.length * 2),
      )
      this.bytes.copy(grown, 0, 0, this.length)
      this.bytes = grown
    }
    source.copy(this.bytes, this.length, from, to)
    this.length = length
  }

  reset(): void {
    this.length = 0
    if (this.bytes.length > LineBuffer.#INITIAL_BYTES) this.bytes = Buffer.allocUnsafe(0)
  }
}

/**
 * Event types known from captures, looked up by the bytes of their name without making a string.
 * `result` is not among them: a result is always read in full.
 */
class TypeTable {
  readonly #byLength: (readonly { readonly name: string; readonly bytes: Buffer }[])[] = []
  readonly #longest: number

  constructor(names: readonly string[]) {
    this.#longest = Math.max(...names.map((name) => name.length))
    for (let length = 0; length <= this.#longest; length++) {
      this.#byLength.push(
        names
          .filter((name) => name.length === length)
          .map((name) => ({ name, bytes: Buffer.from(`${name}"`) })),
      )
    }
  }

  /** @returns the known type whose name and closing quote stand at `from`. */
  find(bytes: Buffer, from: number, to: number): string | undefined {
    let quote = from
    const last = Math.min(to, from + this.#longest + 1)
    while (quote < last && bytes[quote] !== QUOTE) quote++
    const candidates = this.#byLength[quote - from]
    if (candidates === undefined) return undefined
    for (const candidate of candidates) {
      if (startsWith(bytes, from, to, candidate.bytes)) return candidate.name
    }
    return undefined
  }
}

const KNOWN_TYPES = new TypeTable([
  'system',
  'user',
  'thinking',
  'assistant',
  'tool_call',
  'interaction_query',
  'connection',
  'retry',
])

function startsWith(bytes: Buffer, from: number, to: number, expected: Buffer): boolean {
  if (to - from < expected.length) return false
  for (let i = 0; i < expected.length; i++) {
    if (bytes[from + i] !== expected[i]) return false
  }
  return true
}

function isWhiteSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === CARRIAGE_RETURN || byte === NEWLINE
}

function skipWhiteSpace(bytes: Buffer, from: number, to: number): number {
  let at = from
  while (at < to && isWhiteSpace(bytes[at])) at++
  return at
}

/** @returns the position behind the closing quote of the string that opens at `from`, or -1. */
function skipString(bytes: Buffer, from: number, to: number): number {
  for (let at = from + 1; at < to; at++) {
    if (bytes[at] === BACKSLASH) at++
    else if (bytes[at] === QUOTE) return at + 1
  }
  return -1
}

/** @returns the position behind the object or array that opens at `from`, or -1. */
function skipNested(bytes: Buffer, from: number, to: number): number {
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

/** @returns the position behind the member value that starts at `from`, or -1 when it is not all there. */
function skipValue(bytes: Buffer, from: number, to: number): number {
  const first = bytes[from]
  if (first === QUOTE) return skipString(bytes, from, to)
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return skipNested(bytes, from, to)
  let at = from
  while (at < to && bytes[at] !== COMMA && bytes[at] !== CLOSE_BRACE && !isWhiteSpace(bytes[at]))
    at++
  return at === to ? -1 : at
}

function decodeString(bytes: Buffer, from: number, to: number): string | undefined {
  try {
    return JSON.parse(bytes.toString('utf8', from, to)) as string
  } catch {
    return undefined
  }
}

/** The `type` and `subtype` among an object's own members, as far as `bytes` show them. */
function readHead(bytes: Buffer, from: number, to: number): Head {
  const head: Head = { type: undefined, subtype: undefined, complete: false }
  let at = skipWhiteSpace(bytes, from, to)
  if (bytes[at] !== OPEN_BRACE || at >= to) return head
  at = skipWhiteSpace(bytes, at + 1, to)
  while (at < to && bytes[at] === QUOTE) {
    const keyEnd = skipString(bytes, at, to)
    if (keyEnd === -1) return head
    const key = decodeString(bytes, at, keyEnd)
    at = skipWhiteSpace(bytes, keyEnd, to)
    if (at >= to || bytes[at] !== COLON) return head
    at = skipWhiteSpace(bytes, at + 1, to)
    if (at >= to) return head
    const valueEnd = skipValue(bytes, at, to)
    if (valueEnd === -1) return head
    if ((key === 'type' || key === 'subtype') && bytes[at] === QUOTE) {
      head[key] ??= decodeString(bytes, at, valueEnd)
    }
    at = skipWhiteSpace(bytes, valueEnd, to)
    if (at >= to || bytes[at] !== COMMA) break
    at = skipWhiteSpace(bytes, at + 1, to)
  }
  head.complete = at < to && bytes[at] === CLOSE_BRACE
  return head
}

function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
