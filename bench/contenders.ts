// The ways to read a Cursor stream that the benchmark compares. Each does the same job over the same chunks:
// find the result, count events by type and tool calls by subtype. The newline scan does none of it: it is the
// least that any reader of lines must do.

import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import split2 from 'split2'
import { CursorStreamReader } from '../src/cursor/stream-reader.ts'

/** What every contender must find. */
export interface Found {
  readonly result: unknown
  readonly events: Record<string, number>
  readonly started: number
  readonly completed: number
}

export type Contender = (chunks: readonly Uint8Array[]) => Promise<Found>

/** Every contender gets its bytes as it would from a child's stdout: as `data` of a stream. */
function streamOf(chunks: readonly Uint8Array[]): Readable {
  let next = 0
  return new Readable({
    read() {
      this.push(next < chunks.length ? chunks[next++] : null)
    },
  })
}

export const withReader: Contender = (chunks) =>
  new Promise((resolve, reject) => {
    const reader = new CursorStreamReader()
    streamOf(chunks)
      .on('data', (chunk: Buffer) => reader.push(chunk))
      .on('error', reject)
      .on('end', () => {
        reader.end()
        resolve({
          result: reader.result?.result,
          events: Object.fromEntries(reader.events),
          ...reader.toolCalls,
        })
      })
  })

/** The same without a stream around it, to be compared with the scan. */
export function readerAlone(chunks: readonly Uint8Array[]): CursorStreamReader {
  const reader = new CursorStreamReader()
  for (const chunk of chunks) reader.push(chunk)
  reader.end()
  return reader
}

/** What people write by hand on top of a line splitter. */
class ParsedLines {
  result: unknown
  readonly events: Record<string, number> = {}
  started = 0
  completed = 0
  #hasResult = false

  add(line: string): void {
    if (this.#hasResult) return
    let event: Record<string, unknown>
    try {
      event = JSON.parse(line) as Record<string, unknown>
    } catch {
      return
    }
    const type = String(event['type'])
    this.events[type] = (this.events[type] ?? 0) + 1
    if (type === 'tool_call') {
      if (event['subtype'] === 'started') this.started++
      else if (event['subtype'] === 'completed') this.completed++
    } else if (type === 'result') {
      this.#hasResult = true
      this.result = event['result']
    }
  }

  found(): Found {
    const { result, events, started, completed } = this
    return { result, events, started, completed }
  }
}

export const withSplit2: Contender = (chunks) =>
  new Promise((resolve, reject) => {
    const lines = new ParsedLines()
    streamOf(chunks)
      .pipe(split2())
      .on('data', (line: string) => lines.add(line))
      .on('error', reject)
      .on('end', () => resolve(lines.found()))
  })

export const withReadline: Contender = (chunks) =>
  new Promise((resolve) => {
    const lines = new ParsedLines()
    createInterface({ input: streamOf(chunks), crlfDelay: Infinity })
      .on('line', (line) => lines.add(line))
      .on('close', () => resolve(lines.found()))
  })

/** @returns the number of newlines. */
export function newlineScan(chunks: readonly Uint8Array[]): number {
  let lines = 0
  for (const chunk of chunks) {
    for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, at + 1)) lines++
  }
  return lines
}
