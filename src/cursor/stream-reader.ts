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

/** A longer line (in bytes, without its line end) that is not a recognised event loses the framing. */
export const MAX_LINE_BYTES = 8_388_608
/** The part of a line, in bytes from its start, in which its type must stand to be recognised early. */
export const HEAD_BYTES = 4096

const NEWLINE = 0x0a
const CARRIAGE_RETURN = 0x0d
const QUOTE = 0x22
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])
const EVENT_PIECE = Buffer.from('{"type"')
const MARKED_OBJECT = Buffer.from('\ufeff{')

/** How every event of every captured build begins (`cursor-cli.md`: `type`, then `subtype`). */
const USUAL_START = Buffer.from('{"type":"')

/** More distinct event types than this are counted together, so that a stream cannot fill memory. */
const MAX_EVENT_TYPES = 32
const OTHER_TYPE = '(other)'
const UNTYPED = '(untyped)'

/** The members of an event that are ever looked at. */
const MEMBERS = ['type', 'subtype', 'result', 'is_error', 'usage']
/** In bytes; a member other than `result` that is longer is no value of the CLI's. */
const MOST_PARSED = 65_536
/** A long line is scanned whenever so many bytes have come, so that no turn has much to do. */
const SCANNED_AT_ONCE = 65_536
/** Stands for a value that is too long to be parsed. */
const NOT_PARSED: unknown = Object.freeze({})
/** Of a result that is no string: as many texts as a masker hides. */
const MOST_TEXTS = 50

/** The first `result` event, as it came: nothing in it has been judged yet. */
export interface ResultEvent {
  /** A result that is no string is not parsed; this is then the list of the first texts in it. */
  readonly result: string | readonly string[] | undefined
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

  readonly #counts = new Map<string, { count: number }>()
  readonly #files = new EditedFiles()
  readonly #decoder = new StringDecoder('utf8')
  readonly #line = new LineBuffer()
  /** Bytes of a byte-order mark matched at the start of the stream; -1 when that is settled. */
  #byteOrderMark = 0
  /** The pending line is a counted event: everything up to its newline is passed over. */
  #skipping = false
  /** The head of the pending line, once it was looked at without deciding the line. */
  #head: Head | undefined
  /** The members of the pending line, as far as it has been scanned. */
  #scan: MemberScan | undefined
  /** No line that names itself a result was broken yet. */
  #trustsResults = true
  #lastByte = NEWLINE

  /** Event types and how often each came, up to and with the result. */
  get events(): ReadonlyMap<string, number> {
    return new Map(Array.from(this.#counts, ([type, { count }]) => [type, count]))
  }

  /** Names of the files that edit, write and delete tools named; see {@link EditedFiles}. */
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

  /** The stream has ended: a last line without a newline counts. Idempotent. */
  end(): void {
    if (this.state !== 'reading') return
    if (this.#byteOrderMark > 0) this.#line.append(BYTE_ORDER_MARK, 0, this.#byteOrderMark)
    if (this.#skipping) this.lastLineCut = !this.#endsLikeAnObject()
    else if (this.#line.length > 0) {
      const { bytes, length } = this.#line
      const reading = this.#readLine(bytes, 0, length)
      // A line counted by its head was not parsed; only the last one's end matters.
      this.lastLineCut =
        reading === 'broken' ||
        (reading === 'by-head' && this.#parseObject(bytes, 0, length) === undefined)
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
      if (this.#isEventTooLongToParse(this.#line.bytes, 0, HEAD_BYTES)) this.#passOver()
      return
    }
    this.#line.append(bytes, from, end)
    this.#scan ??= new MemberScan(MEMBERS, 0)
    if (this.#line.length - this.#scan.seen >= SCANNED_AT_ONCE)
      this.#scan.advance(this.#line.bytes, this.#line.length)
  }

  #passOver(): void {
    this.#resetLine()
    this.#skipping = true
  }

  /** Reads one line, or what is left of the stream, and counts it. */
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

  /** Reads a line that its head has not decided. By itself, because it is rare and long. */
  #readByMembers(bytes: Buffer, from: number, to: number, headTo: number): LineReading {
    const head = this.#head
    this.#head = undefined
    const first = skipWhiteSpace(bytes, from, to)
    // Behind a line of white space the buffer may still hold an earlier one.
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
   * The usual result is parsed whole, which takes half as long as a scan. A broken one costs an
   * exception, up to 40 µs for each line of a flood, so after the first nothing is parsed on trust.
   */
  #parseResult(bytes: Buffer, from: number, to: number): Record<string, unknown> | undefined {
    if (!this.#trustsResults || to - from > MOST_PARSED) return undefined
    const event = parseSpan(bytes, { from, to }) as Record<string, unknown> | undefined
    this.#trustsResults = event !== undefined
    return typeof event?.['result'] === 'string' ? event : undefined
  }

  /** @returns what is ever looked at of the object that the bytes are, or `undefined` if they are none. */
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

  /** @param span of a value that was found to be valid. */
  #parse(bytes: Buffer, span: Span): unknown {
    return JSON.parse(this.#decode(bytes, span)) as unknown
  }

  #decode(bytes: Buffer, { from, to }: Span): string {
    return this.#decoder.write(bytes.subarray(from, to)) + this.#decoder.end()
  }

  /**
   * Counts the line if its head names an event other than `result`; nothing of it is needed then.
   * Leaves in `#head` what was read when that does not settle the line.
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

  /** By itself, because the compiler inlines what is small into the loop over the lines. */
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
    this.#countEvent(head.type, head.subtype, bytes, from, to)
    return true
  }

  /**
   * Past the limit, a tool call whose subtype has not come yet is known all the same;
   * of anything else nothing is known any more, and the framing is lost.
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

  /** All that is known of the end of a line that was passed over. */
  #endsLikeAnObject(): boolean {
    return this.#lastByte === CLOSE_BRACE || this.#lastByte === CARRIAGE_RETURN
  }

  #count(type: string): void {
    this.eventCount++
    const counted = this.#counts.get(type)
    if (counted !== undefined) counted.count++
    else this.#countNew(type)
  }

  /** Counts are shown to people: a name that is no plain word, or one too many, is `(other)`. */
  #countNew(type: string): void {
    const isShown = type === UNTYPED || /^[\w.:-]{1,40}$/.test(type)
    const name = isShown && this.#counts.size < MAX_EVENT_TYPES ? type : OTHER_TYPE
    const counted = this.#counts.get(name)
    if (counted !== undefined) counted.count++
    else this.#counts.set(name, { count: 1 })
  }

  /** @param to the end of the event's head, as far as a file's name is looked for. */
  #countEvent(type: string, subtype: unknown, bytes: Buffer, from: number, to: number): void {
    this.#count(type)
    if (type !== 'tool_call') return
    if (subtype === 'started' || subtype === 'completed') this.toolCalls[subtype]++
    if (to > from) this.#files.addFrom(bytes, from, to)
  }

  #keepNoise(bytes: Buffer, from: number, to: number): void {
    // A broken piece of the stream can hold anything: it is never kept.
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
    this.#scan = undefined
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

/** Event types known from captures, the commonest first. */
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

/** All that is used of a result's head: it is read in full. */
const RESULT_HEAD: Head = { type: 'result', subtype: undefined, complete: false }

/** The only two subtypes that count a tool call, and how a captured event goes on with them. */
const TOOL_CALL_STEPS = (['started', 'completed'] as const).map((step) => ({
  step,
  rest: Buffer.from(`,"subtype":"${step}"`),
}))

/** @returns the known type whose name and closing quote stand at `from`. */
function knownType(bytes: Buffer, from: number, to: number): string | undefined {
  for (let i = 0; i < KNOWN_TYPES.length; i++) {
    const known = KNOWN_TYPES[i]!
    if (startsWith(bytes, from, to, known.rest)) return known.type
  }
  return undefined
}

/** The `type` and `subtype` among an object's own members, as far as `bytes` show them. */
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
