/**
 * One process of a run: reads its output to the end and stops it. `outcome.ts` decides what the end
 * means, `run.ts` whether to start a second process.
 */

import { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { BoundedText } from './bounded-text.ts'
import type { Evidence, ReadingEnd } from './outcome.ts'
import type { CursorProcess, ProcessExit } from './process.ts'
import { passOn } from './stderr-sink.ts'
import { CursorStreamReader } from './stream-reader.ts'

/** How long to read from a helper that keeps writing after the CLI has closed. */
const LEFTOVERS_MS = 1000

/**
 * After reading for this long, the reader pauses so that the rest of the host can run. One turn of the
 * event loop delivers up to 32 chunks, and a chunk full of short lines takes 10 ms.
 */
const MOST_READ_AT_ONCE_MS = 10

type Listeners = readonly (readonly [event: string, listener: (chunk: Uint8Array) => void])[]

/** Keeps a late error of a stream from crashing the host. */
const ignoreError = (): void => {}

export class Attempt {
  readonly reader = new CursorStreamReader()
  /** Resolves at the result, or when the process can no longer give one. Never rejects. */
  readonly ended: Promise<ReadingEnd>
  /** When the process last wrote something, by `performance.now()`. */
  lastOutputAt = performance.now()
  /** When the process wrote its first event, by `performance.now()`. */
  firstEventAt: number | undefined

  /** Set if `done` rejected, which means that there never was a process. */
  spawnError: { readonly reason: unknown } | undefined

  readonly #process: CursorProcess
  readonly #graceMs: number
  readonly #stderrSink: Writable
  /** The exit code of a CLI that handled our SIGTERM, or that taskkill ended; not an error. */
  readonly #tornDownExitCode: number
  readonly #stderr = new BoundedText()
  readonly #end = Promise.withResolvers<ReadingEnd>()
  readonly #closed: Promise<void>
  readonly #attached: (readonly [Readable, Listeners])[] = []
  #readingMs = 0
  #exit: ProcessExit | undefined
  #exitGraceTimer: NodeJS.Timeout | undefined
  #disposing = false
  #disposal: Promise<void> | undefined

  /**
   * Starts reading at once.
   * @param setting `graceMs`: how long to wait for the exit after stdout has ended, in ms;
   * `stderr`: receives a copy of the CLI's stderr.
   */
  constructor(
    process: CursorProcess,
    setting: {
      readonly graceMs: number
      readonly stderr: Writable
      readonly platform: NodeJS.Platform
    },
  ) {
    this.#process = process
    this.#graceMs = setting.graceMs
    this.#stderrSink = setting.stderr
    this.#tornDownExitCode = setting.platform === 'win32' ? 1 : 143
    this.ended = this.#end.promise
    this.#attach(
      process.stdout,
      (chunk) => this.#readStdout(chunk),
      () => this.#stdoutEnded(),
    )
    this.#attach(
      process.stderr,
      (chunk) => this.#readStderr(chunk),
      () => {},
    )
    this.#closed = process.done.then(
      (exit) => this.#processClosed(exit),
      (reason: unknown) => {
        this.spawnError = { reason }
        return this.#processClosed(undefined)
      },
    )
  }

  evidence(): Omit<Evidence, 'end'> {
    return { reader: this.reader, stderr: this.#stderr, exit: this.#exit }
  }

  /** Whether the CLI may be silent only because the host's stderr is full. */
  get isHeldUp(): boolean {
    return this.#process.stderr?.isPaused() === true
  }

  /** Asks the process tree to stop; the host kills it after the grace. */
  stop(): void {
    try {
      // Some hosts return a promise here, which must not reject unhandled.
      const terminated: unknown = this.#process.terminate()
      void Promise.resolve(terminated).catch(() => {})
    } catch {
      // `dispose` waits for the process tree and reports its errors.
    }
  }

  /** Logs further results, and an exit with an error, after the run has already succeeded. */
  reportLateExit(log: (message: string) => void): void {
    if (this.reader.extraResults > 0) {
      log(`malformed stream: ${this.reader.extraResults} more result event(s) after the first`)
    }
    void this.#closed.then(() => {
      const { exitCode, signal } = this.#exit ?? { exitCode: 0, signal: null }
      const tornDown = this.#disposing && (signal !== null || exitCode === this.#tornDownExitCode)
      if (!tornDown && (exitCode !== 0 || signal !== null)) {
        log(`the CLI exited with ${signal ?? `code ${exitCode}`} after its result`)
      }
    })
  }

  /** Resolves when the process tree has exited and no listener or timer is left. Idempotent. */
  dispose(): Promise<void> {
    this.#disposing = true
    this.#disposal ??= this.#tearDown()
    return this.#disposal
  }

  async #tearDown(): Promise<void> {
    const { stdout, stderr } = this.#process
    this.stop()
    try {
      // The process cannot close while a stream is paused.
      stderr?.resume()
      await this.#process.waitForExit()
      // The process tree is gone, so do not wait forever if `done` never settles.
      await this.#closedWithinGrace()
    } finally {
      clearTimeout(this.#exitGraceTimer)
      this.reader.end()
      this.#end.resolve('exited')
      stdout?.destroy()
      stderr?.destroy()
      // `destroy` can emit an error, so keep the listeners for one more turn.
      await nextTurn()
      for (const [stream, listeners] of this.#attached) {
        // A closed socket emits no more errors, but another kind of stream may.
        if (!(stream instanceof Socket && stream.closed)) stream.on('error', ignoreError)
        for (const [event, listener] of listeners) stream.off(event, listener)
      }
    }
  }

  async #closedWithinGrace(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, this.#graceMs)
    await Promise.race([this.#closed, promise])
    clearTimeout(timer)
  }

  #attach(
    stream: Readable | undefined,
    onData: (chunk: Uint8Array) => void,
    onEnd: () => void,
  ): void {
    if (stream === undefined) return
    const listeners: Listeners = [
      // Chunks are strings if somebody has set the stream's encoding.
      [
        'data',
        (chunk) => {
          if (typeof chunk === 'string') onData(Buffer.from(chunk))
          else if (chunk instanceof Uint8Array) onData(chunk)
        },
      ],
      ['end', onEnd],
      ['close', onEnd],
      ['error', onEnd],
    ]
    for (const [event, listener] of listeners) stream.on(event, listener)
    this.#attached.push([stream, listeners])
  }

  #readStdout(chunk: Uint8Array): void {
    this.lastOutputAt = performance.now()
    this.reader.push(chunk)
    this.#yieldAfter(performance.now() - this.lastOutputAt)
    if (this.firstEventAt === undefined && this.reader.eventCount > 0) {
      this.firstEventAt = this.lastOutputAt
    }
    this.#settleByReader()
  }

  #yieldAfter(readingMs: number): void {
    const { stdout } = this.#process
    this.#readingMs += readingMs
    if (stdout === undefined || this.#readingMs < MOST_READ_AT_ONCE_MS) return
    this.#readingMs = 0
    stdout.pause()
    setImmediate(() => stdout.resume())
  }

  #readStderr(chunk: Uint8Array): void {
    this.lastOutputAt = performance.now()
    this.#stderr.push(chunk)
    const { stderr } = this.#process
    if (stderr !== undefined && !this.#disposing) passOn(stderr, chunk, this.#stderrSink)
  }

  #settleByReader(): boolean {
    const { state } = this.reader
    if (state !== 'result' && state !== 'framing-lost') return false
    this.#end.resolve(state)
    return true
  }

  /** Without a result, waits for the exit, so that the failure text can name the exit code. */
  #stdoutEnded(): void {
    this.reader.end()
    if (this.#settleByReader() || this.#exitGraceTimer !== undefined || this.#disposing) return
    this.#exitGraceTimer = setTimeout(() => this.#end.resolve('exited'), this.#graceMs)
  }

  async #processClosed(exit: ProcessExit | undefined): Promise<void> {
    this.#exit = exit
    await this.#readLeftovers()
    clearTimeout(this.#exitGraceTimer)
    this.reader.end()
    if (!this.#settleByReader()) this.#end.resolve('exited')
  }

  /** Reads what is left in the pipes, which stay open if a helper of the CLI still holds them. */
  async #readLeftovers(): Promise<void> {
    const deadline = performance.now() + LEFTOVERS_MS
    let before: number
    do {
      before = this.reader.bytes + this.#stderr.length
      await nextTurn()
    } while (
      this.reader.state === 'reading' &&
      this.reader.bytes + this.#stderr.length > before &&
      performance.now() < deadline
    )
  }
}
