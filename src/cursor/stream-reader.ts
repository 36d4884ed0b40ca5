/**
 * Reads the NDJSON that `cursor-agent -p --output-format stream-json` writes to stdout: splits it
 * into lines, counts events and finds the result. `outcome.ts` decides what the result means.
 *
 * The reader works on bytes. Most lines (thinking, tool calls with whole files in them) are only
 * counted, so it recognises them by their first bytes and skips the rest without decoding, parsing or
 * keeping it, however long they are.
 */

import { StringDecoder } from 'node:string_decoder'
import { BoundedText } from './bounded-text.ts'
import { callsOtherTool, EditedFiles } from './stream-reader/edited-files.ts'
import {
  findTexts,
  members,
  MemberScan,
  parseSpan,
  skipWhiteSpace,
  startsWith,
  type Span,
} from './stream-reader/json-members.ts'

/** Without the line end. If a longer line is not a recognised event, the reader gives up. */
export const MAX_LINE_BYTES = 8_388_608
/** A line can only be recognised early if its type is within its first bytes. */
export const HEAD_BYTES = 4096

const NEWLINE = 0x0a
const CARRIAGE_RETURN = 0x0d
const QUOTE = 0x22
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])
const EVENT_PIECE = Buffer.from('{"type"')
const MARKED_OBJECT = Buffer.from('\ufeff{')

/** Every captured event begins like this; `subtype` comes next. Other orders work too, but slower. */
const USUAL_START = Buffer.from('{"type":"')

/** Further event types are counted together, so that a stream cannot fill the memory. */
const MAX_EVENT_TYPES = 32
const OTHER_TYPE = '(other)'
const UNTYPED = '(untyped)'

/** The reader ignores all other members of an event. */
const MEMBERS = ['type', 'subtype', 'result', 'is_error', 'usage']
/** In bytes. Members other than `result` are never this long in a real stream. */
const MOST_PARSED = 65_536
/** In bytes. Long lines are scanned in steps of this size, so that no step blocks the event loop. */
const SCANNED_AT_ONCE = 65_536
/** Replaces a value that is too long to be parsed. */
const NOT_PARSED: unknown = Object.freeze({})
/** How many strings to keep of a result that is not a string; the masker hides no more. */
const MOST_TEXTS = 50

/** The first `result` event, unchecked. */
export interface ResultEvent {
  /** A string, or the first strings inside a result that is not a string. */
  readonly result: string | readonly string[] | undefined
  readonly isError: unknown
  readonly subtype: unknown
  readonly usage: unknown
}

export type ReaderState = 'reading' | 'result' | 'framing-lost' | 'ended'

/** How a line was read. `broken`: it begins like an event, but is not valid JSON. */
type LineReading = 'by-head' | 'parsed' | 'broken' | 'noise'

interface Head {
  type: string | undefined
  subtype: string | undefined
  /** The closing brace was seen, so the object has no more members. */
  complete: boolean
}

/**
 * Pass stdout to {@link push}, then call {@link end}. The size of the chunks affects only
 * {@link extraResults}. No method throws.
 */
export class CursorStreamReader {
  /** After `result` or `framing-lost`, the reader only counts bytes. */
  state: ReaderState = 'reading'
  result: ResultEvent | undefined
  eventCount = 0
  /** `tool_call` events by subtype; other subtypes are not counted here. */
  readonly toolCalls = { started: 0, completed: 0 }
  /** Lines that are neither JSON objects nor pieces of one. */
  readonly noise = new BoundedText()
  /** The stream ended inside an event, because the CLI exited before it had written all of it. */
  lastLineCut = false
  /** How many more `result` lines were in the same chunk as the first. */
  extraResults = 0
  /** All bytes received. */
  bytes = 0

  readonly #counts = new Map<string, { count: number }>()
  readonly #files = new EditedFiles()
  readonly #decoder = new StringDecoder('utf8')
  readonly #line = new LineBuffer()
  /** How many bytes of a byte-order mark the stream started with so far; -1 after that. */
  #byteOrderMark = 0
  /** The pending line is already counted, so the reader skips everything up to its newline. */
  #skipping = false
  /** The head of the pending line, if it was read but did not decide what the line is. */
  #head: Head | undefined
  /** Scans the pending line as it arrives. */
  #scan: MemberScan | undefined
  /** False once a `result` line was broken. */
  #trustsResults = true
  #lastByte = NEWLINE

  /** Counts of each event type, up to and including the result. */
  get events(): ReadonlyMap<string, number> {
    return new Map(Array.from(this.#counts, ([type, { count }]) => [type, count]))
  }

  /** See {@link EditedFiles}. */
  get files(): readonly string[] {
    return this.#files.names
  }

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

  /** Call this when the stream has ended; it reads a last line without a newline. Idempotent. */
  end(): void {
    if (this.state !== 'reading') return
    if (this.#byteOrderMark > 0) this.#line.append(BYTE_ORDER_MARK, 0, this.#byteOrderMark)
    if (this.#skipping) this.lastLineCut = !this.#endsLikeAnObject()
    else if (this.#line.length > 0) {
      const { bytes, length } = this.#line
      const reading = this.#readLine(bytes, 0, length)
      // An event counted by its head was not parsed yet, so find out whether it is complete.
      this.lastLineCut =
        reading === 'broken' ||
        (reading === 'by-head' && this.#parseObject(bytes, 0, length) === undefined)
    }
    this.#resetLine()
    if (this.state === 'reading') this.state = 'ended'
  }

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

  /** Adds bytes to the pending line, and looks at its head once it is complete. */
  #extendLine(bytes: Buffer, start: number, end: number): void {
    let from = start
    if (this.#line.length < HEAD_BYTES) {
      from = Math.min(end, start + HEAD_BYTES - this.#line.length)
      this.#line.append(bytes, start, from)
      if (this.#line.length < HEAD_BYTES) return
      if (this.#isEventByHead(this.#line.bytes, 0, HEAD_BYTES)) {
        this.#skipRestOfLine()
        return
      }
    }
    // One byte more, because the line may end in a carriage return.
    if (this.#line.length + end - from > MAX_LINE_BYTES + 1) {
      if (this.#isEventTooLongToParse(this.#line.bytes, 0, HEAD_BYTES)) this.#skipRestOfLine()
      return
    }
    this.#line.append(bytes, from, end)
    this.#scan ??= new MemberScan(MEMBERS, 0)
    if (this.#line.length - this.#scan.seen >= SCANNED_AT_ONCE)
      this.#scan.advance(this.#line.bytes, this.#line.length)
  }

  #skipRestOfLine(): void {
    this.#resetLine()
    this.#skipping = true
  }

  /** Reads and counts one line, or the rest of the stream. */
  #readLine(bytes: Buffer, from: number, lineEnd: number): LineReading {
    const to = lineEnd > from && bytes[lineEnd - 1] === CARRIAGE_RETURN ? lineEnd - 1 : lineEnd
    if (to === from) return 'noise'
    const headTo = Math.min(to, from + HEAD_BYTES)
    if (this.#head === undefined && this.#isEventByHead(bytes, from, headTo)) return 'by-head'
    if (to - from > MAX_LINE_BYTES) {
      this.#isEventTooLongToParse(bytes, from, headTo)
      return 'by-head'
    }
    return this.#readByMembers(bytes, from, to, headTo)
  }

  /** Reads a line that its head did not decide. A separate function, because it is long and rarely runs. */
  #readByMembers(bytes: Buffer, from: number, to: number, headTo: number): LineReading {
    const head = this.#head
    this.#head = undefined
    const first = skipWhiteSpace(bytes, from, to)
    // `first === to` for blank lines; the buffer may still contain an older line there.
    if (first === to || bytes[first] !== OPEN_BRACE) {
      this.#keepNoise(bytes, first, to)
      return 'noise'
    }
    const event =
      (head?.type === 'result' ? this.#parseResult(bytes, from, to) : undefined) ??
      this.#parseObject(bytes, from, to)
    const named = head?.type ?? event?.['type']
    if (event === undefined && (named === undefined || named === 'result')) return 'broken'
    const type = typeof named === 'string' ? named : UNTYPED
    this.#countEvent(type, event?.['subtype'], bytes, from, headTo)
    if (event === undefined) return 'broken'
    if (type === 'result') {
      this.result = {
        result: event['result'] as ResultEvent['result'],
        isError: event['is_error'],
        subtype: event['subtype'],
        usage: event['usage'],
      }
      this.state = 'result'
    }
    return 'parsed'
  }

  /**
   * Parses an ordinary result as a whole, which takes half as long as a scan. A broken line costs an
   * exception, up to 40 µs each in a flood, so after the first one this always scans.
   */
  #parseResult(bytes: Buffer, from: number, to: number): Record<string, unknown> | undefined {
    if (!this.#trustsResults || to - from > MOST_PARSED) return undefined
    const event = parseSpan(bytes, { from, to }) as Record<string, unknown> | undefined
    this.#trustsResults = event !== undefined
    return typeof event?.['result'] === 'string' ? event : undefined
  }

  /** @returns the members that the reader uses, or `undefined` if the bytes are not one JSON object. */
  #parseObject(bytes: Buffer, from: number, to: number): Record<string, unknown> | undefined {
    const spans = (this.#scan ?? new MemberScan(MEMBERS, from)).finish(bytes, to)
    if (spans === undefined) return undefined
    const event: Record<string, unknown> = {}
    for (const [name, span] of spans) {
      if (name === 'result') event[name] = this.#answer(bytes, span)
      else event[name] = span.to - span.from > MOST_PARSED ? NOT_PARSED : this.#parse(bytes, span)
    }
    return event
  }

  #answer(bytes: Buffer, span: Span): ResultEvent['result'] {
    if (bytes[span.from] === QUOTE) return this.#parse(bytes, span) as string
    return findTexts(bytes, span, MOST_TEXTS).map((text) => this.#parse(bytes, text) as string)
  }

  /** @param span a value that the scan has found to be valid JSON. */
  #parse(bytes: Buffer, span: Span): unknown {
    return JSON.parse(this.#decode(bytes, span)) as unknown
  }

  #decode(bytes: Buffer, { from, to }: Span): string {
    return this.#decoder.write(bytes.subarray(from, to)) + this.#decoder.end()
  }

  /**
   * Counts the line if its head names an event other than `result`, because then the rest is not
   * needed. Otherwise keeps what it read in `#head`.
   */
  #isEventByHead(bytes: Buffer, from: number, to: number): boolean {
    if (startsWith(bytes, from, to, USUAL_START)) {
      const name = from + USUAL_START.length
      const known = knownType(bytes, name, to)
      if (known === 'tool_call') {
        if (this.#isUsualToolCall(bytes, from, name + known.length + 1, to)) return true
      } else if (known === 'result') {
        this.#head = RESULT_HEAD
        return false
      } else if (known !== undefined) {
        this.#count(known)
        return true
      }
    }
    return this.#isEventByMembers(bytes, from, to)
  }

  /** A separate function, because V8 only inlines small functions into the loop over the lines. */
  #isUsualToolCall(bytes: Buffer, from: number, afterName: number, to: number): boolean {
    for (let i = 0; i < TOOL_CALL_STEPS.length; i++) {
      const { step, rest } = TOOL_CALL_STEPS[i]!
      if (!startsWith(bytes, afterName, to, rest)) continue
      const isOther = callsOtherTool(bytes, afterName + rest.length, to)
      this.#countEvent('tool_call', step, bytes, from, isOther ? from : to)
      return true
    }
    return false
  }

  /** Like {@link #isEventByHead}, but for members in any order, with any white space and escapes. */
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
    this.#countEvent(head.type, head.subtype, bytes, from, to)
    return true
  }

  /**
   * Decides about a line that exceeds the limit: counts a tool call even if its subtype was not found,
   * and gives up the framing for anything else.
   */
  #isEventTooLongToParse(bytes: Buffer, from: number, to: number): boolean {
    const type = this.#head?.type
    this.#head = undefined
    if (type === undefined || type === 'result') {
      this.state = 'framing-lost'
      return false
    }
    this.#countEvent(type, undefined, bytes, from, to)
    return true
  }

  /** Guesses from the last byte, because a skipped line is not kept. */
  #endsLikeAnObject(): boolean {
    return this.#lastByte === CLOSE_BRACE || this.#lastByte === CARRIAGE_RETURN
  }

  #count(type: string): void {
    this.eventCount++
    const counted = this.#counts.get(type)
    if (counted !== undefined) counted.count++
    else this.#countNew(type)
  }

  /** Failure texts show these names, so anything but a plain word is counted as `(other)`. */
  #countNew(type: string): void {
    const isShown = type === UNTYPED || /^[\w.:-]{1,40}$/.test(type)
    const name = isShown && this.#counts.size < MAX_EVENT_TYPES ? type : OTHER_TYPE
    const counted = this.#counts.get(name)
    if (counted !== undefined) counted.count++
    else this.#counts.set(name, { count: 1 })
  }

  /** @param to the end of the event's head; pass `from` if it cannot name an edited file. */
  #countEvent(type: string, subtype: unknown, bytes: Buffer, from: number, to: number): void {
    this.#count(type)
    if (type !== 'tool_call') return
    if (subtype === 'started' || subtype === 'completed') this.toolCalls[subtype]++
    if (to > from) this.#files.addFrom(bytes, from, to)
  }

  #keepNoise(bytes: Buffer, from: number, to: number): void {
    // Never keeps pieces of broken events, because they can contain anything.
    if (from === to || startsWith(bytes, from, to, MARKED_OBJECT)) return
    const canHoldPiece = to - from >= EVENT_PIECE.length
    if (canHoldPiece && bytes.subarray(from, to).includes(EVENT_PIECE)) return
    this.noise.push(bytes, from, to)
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

  /** @returns where the text starts, after a byte-order mark that may span chunks. */
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
    this.#scan = undefined
  }
}

const NEWLINE_BYTES = Buffer.from('\n')

/**
 * Collects the bytes of the pending line. It doubles its memory when full, so a line in tiny pieces
 * needs few copies and no object per piece, and frees the memory after a long line.
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

/** Event types seen in captures, the most frequent first. */
const KNOWN_TYPES = [
  'thinking',
  'tool_call',
  'assistant',
  'user',
  'system',
  'interaction_query',
  'connection',
  'retry',
  'result',
].map((type) => ({ type, rest: Buffer.from(`${type}"`) }))

/** A result needs no more of its head, because the reader parses the whole line. */
const RESULT_HEAD: Head = { type: 'result', subtype: undefined, complete: false }

/** The two subtypes that count, and the bytes that follow the type in captured events. */
const TOOL_CALL_STEPS = (['started', 'completed'] as const).map((step) => ({
  step,
  rest: Buffer.from(`,"subtype":"${step}"`),
}))

/** @returns the known type whose name and closing quote are at `from`. */
function knownType(bytes: Buffer, from: number, to: number): string | undefined {
  for (let i = 0; i < KNOWN_TYPES.length; i++) {
    const known = KNOWN_TYPES[i]!
    if (startsWith(bytes, from, to, known.rest)) return known.type
  }
  return undefined
}

/** Reads `type` and `subtype` from an object that may be incomplete. */
function readHead(bytes: Buffer, from: number, to: number): Head {
  const head: Head = { type: undefined, subtype: undefined, complete: false }
  const walk = members(bytes, from, to)
  for (let next = walk.next(); ; next = walk.next()) {
    if (next.done === true) {
      head.complete = next.value
      return head
    }
    const { name, valueFrom, valueTo } = next.value
    if (valueTo === -1 || bytes[valueFrom] !== QUOTE) continue
    const key = parseSpan(bytes, name)
    if (key === 'type' || key === 'subtype')
      head[key] ??= parseSpan(bytes, { from: valueFrom, to: valueTo }) as string | undefined
  }
}
