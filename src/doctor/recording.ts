/**
 * Writes down what the CLI printed in a test run, as a case that the tests can replay: which events in
 * which order, how long, when, and the failure's words, masked. Content never: texts become runs of `x`
 * of the same length. What the case must come to is the test run's finding; turning the file into a line
 * of the cases is `scripts/add-case.ts`.
 */

import { constants } from 'node:os'
import { PassThrough, pipeline, type Readable } from 'node:stream'
import type { Masker } from '../cursor/masking.ts'
import type { CursorProcess, ProcessExit, SpawnProcess } from '../cursor/process.ts'

/** Kept of stdout and stderr each, in bytes; what exceeds it is counted. */
const MAX_KEPT_BYTES = 4_194_304
/** Of one line in the case, in bytes. */
const MAX_LINE_BYTES = 65_536
/** ms; a shorter pause is none. */
const LEAST_PAUSE_MS = 200
/** Objects deeper than this are content, also in their names. */
const MOST_DEPTH = 3

/** A case as the tests have it. */
export interface Recording {
  readonly id: string
  readonly kind: 'stream' | 'stderr' | 'exit'
  readonly why: string
  readonly stdout: readonly string[]
  readonly stderr: string
  readonly exit: number | null
  readonly hang?: true
  readonly no_final_newline?: true
  readonly expect: string
  readonly want: { readonly stop: 'completed' | 'error'; answer?: string; category?: string }
}

interface Recorded {
  readonly plugin: string
  readonly cli: string
  readonly platform: string
  readonly masker: Masker
  /** Of a run that worked. */
  readonly answer: string | undefined
  /** Of one that failed. */
  readonly category: string | undefined
}

interface Chunk {
  readonly bytes: Buffer
  readonly atMs: number
}

export class Recorder {
  #startedAt = 0
  #stdout: Chunk[] = []
  #stderr: Chunk[] = []
  #exit: ProcessExit | null = null

  /** @returns a spawn that hands over the same process, and listens. The last start counts. */
  tap(spawn: SpawnProcess): SpawnProcess {
    return (spec) => {
      const child = spawn(spec)
      this.#startedAt = performance.now()
      this.#exit = null
      child.done.then((exit) => (this.#exit = exit)).catch(() => {})
      return {
        ...(child.pid !== undefined && { pid: child.pid }),
        stdout: this.#listen(child.stdout, (this.#stdout = [])),
        stderr: this.#listen(child.stderr, (this.#stderr = [])),
        done: child.done,
        terminate: () => child.terminate(),
        waitForExit: (signal) => child.waitForExit(signal),
      } satisfies CursorProcess
    }
  }

  recording({ plugin, cli, platform, masker, answer, category }: Recorded): Recording {
    const lines = linesOf(this.#stdout)
    const stderr = masker.mask(Buffer.concat(this.#stderr.map(({ bytes }) => bytes)).toString())
    const hasEvents = lines.some(({ text }) => jsonOf(text) !== undefined)
    const exit = this.#exit
    const last = this.#stdout.at(-1)?.bytes.at(-1)
    const hasWorked = answer !== undefined
    return {
      id: `recorded-${cli}-${platform}-${category ?? 'completed'}`,
      kind: hasEvents ? 'stream' : stderr.trim() === '' ? 'exit' : 'stderr',
      why: `Recorded by a test run of ${plugin} with ${cli} on ${platform}.`,
      stdout: lines.flatMap(({ text, atMs }, at) => {
        const pause = atMs - (lines[at - 1]?.atMs ?? 0)
        const line = shownLine(text, masker)
        return pause < LEAST_PAUSE_MS ? [line] : [`@SLEEP ${pause}@`, line]
      }),
      stderr,
      exit: exit === null ? (hasWorked ? 0 : null) : exitCodeOf(exit),
      // The test run itself had to stop it.
      ...(exit === null && !hasWorked && { hang: true }),
      ...(last !== undefined && last !== NEWLINE && { no_final_newline: true }),
      expect: hasWorked
        ? 'The answer is that of the result event.'
        : `The category is ${category}.`,
      want: hasWorked
        ? { stop: 'completed', answer: hidden(answer) }
        : { stop: 'error', ...(category !== undefined && { category }) },
    }
  }

  #listen(stream: Readable | undefined, chunks: Chunk[]): Readable | undefined {
    if (stream === undefined) return undefined
    let kept = 0
    const listener = new PassThrough({
      transform: (bytes: Buffer, _encoding, passOn) => {
        const atMs = Math.round(performance.now() - this.#startedAt)
        if (kept < MAX_KEPT_BYTES) chunks.push({ bytes, atMs })
        kept += bytes.length
        passOn(null, bytes)
      },
    })
    // Whoever lets go of the one lets go of the other.
    pipeline(stream, listener, () => {})
    return listener
  }
}

const NEWLINE = 0x0a

/** As a shell reports it. */
function exitCodeOf({ exitCode, signal }: ProcessExit): number | null {
  return exitCode ?? (signal === null ? null : 128 + constants.signals[signal])
}

/** Lines with the moment at which their last byte came. */
function linesOf(chunks: readonly Chunk[]): { text: string; atMs: number }[] {
  // One character a byte, so that a line's length tells which chunk it ends in.
  const lines = Buffer.concat(chunks.map(({ bytes }) => bytes))
    .toString('latin1')
    .split('\n')
  if (lines.at(-1) === '') lines.pop()
  let at = 0
  let read = chunks[0]?.bytes.length ?? 0
  let end = 0
  return lines.map((line) => {
    end += line.length + 1
    while (read < end && at < chunks.length - 1) read += chunks[++at]?.bytes.length ?? 0
    return { text: Buffer.from(line, 'latin1').toString(), atMs: chunks[at]?.atMs ?? 0 }
  })
}

function jsonOf(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function shownLine(line: string, masker: Masker): string {
  const event = jsonOf(line)
  if (event === undefined) {
    // Half an event is content; anything else is the CLI's own words.
    return line.includes('{') ? hidden(line).replace(/^x/, '{') : masker.mask(line)
  }
  const shown = JSON.stringify(skeleton(event, 1))
  if (Buffer.byteLength(shown) <= MAX_LINE_BYTES) return shown
  const { type, subtype } = skeleton(event, 1) as Record<string, unknown>
  return JSON.stringify({ type, subtype, cut: 'x'.repeat(MAX_LINE_BYTES) })
}

/** Names whose values are words of the format, not of a person. */
const WORDS = new Set(['type', 'subtype', 'role', 'status', 'query_type', 'permissionMode'])

function skeleton(value: unknown, depth: number, name = ''): unknown {
  if (typeof value === 'string') {
    return WORDS.has(name) && /^[\w-]{1,40}$/.test(value) ? value : hidden(value)
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth > MOST_DEPTH) return hidden(JSON.stringify(value).slice(2))
  if (Array.isArray(value)) return value.map((item) => skeleton(item, depth))
  return Object.fromEntries(
    Object.entries(value).map(([key, item], at) => [
      /^[A-Za-z]\w{0,40}$/.test(key) ? key : `key${at}`,
      skeleton(item, depth + 1, key),
    ]),
  )
}

/** As many letters as the text has bytes. */
function hidden(text: string): string {
  return 'x'.repeat(Buffer.byteLength(text))
}
