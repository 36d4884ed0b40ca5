// The ways to read a Cursor stream that the benchmark compares. Each does the same job over the same chunks:
// find the result, count events by type and tool calls by subtype. Each is handed its chunks directly, by the
// call that it offers: there is no source stream whose cost would be in every figure. The newline scan does none
// of the job: it is the least that any reader of lines must do.

import { EventEmitter } from 'node:events'
import { createInterface } from 'node:readline'
import split2 from 'split2'
import { CursorStreamReader } from '../src/cursor/stream-reader.ts'

/** What every contender must find. */
export interface Found {
  readonly result: unknown
  readonly events: Record<string, number>
  readonly started: number
  readonly completed: number
}

export type Contender = (chunks: readonly Uint8Array[]) => Found | Promise<Found>

export function withReader(chunks: readonly Uint8Array[]): Found {
  const reader = new CursorStreamReader()
  for (const chunk of chunks) reader.push(chunk)
  reader.end()
  const events = Object.fromEntries(reader.events)
  return { result: reader.result?.result, events, ...reader.toolCalls }
}

/** What people write by hand on top of a line splitter. */
class ParsedLines implements Found {
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
}

export const withSplit2: Contender = (chunks) =>
  new Promise((resolve, reject) => {
    const lines = new ParsedLines()
    const splitter = split2()
    splitter
      .on('data', (line: string) => lines.add(line))
      .on('error', reject)
      .on('end', () => resolve(lines))
    for (const chunk of chunks) splitter.write(chunk)
    splitter.end()
  })

export const withReadline: Contender = (chunks) =>
  new Promise((resolve) => {
    const lines = new ParsedLines()
    // All of a stream that readline uses when there is no terminal.
    const input = Object.assign(new EventEmitter(), { pause() {}, resume() {} })
    createInterface({ input: input as unknown as NodeJS.ReadableStream, crlfDelay: Infinity })
      .on('line', (line) => lines.add(line))
      .on('close', () => resolve(lines))
    for (const chunk of chunks) input.emit('data', chunk)
    input.emit('end')
  })

/** @returns the number of newlines. */
export function newlineScan(chunks: readonly Uint8Array[]): number {
  let lines = 0
  for (const chunk of chunks) {
    for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, at + 1)) lines++
  }
  return lines
}
