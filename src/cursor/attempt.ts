/**
 * One process of a run: reads its output until that is over, and brings the process down.
 * What its end means belongs to `outcome.ts`; whether there is a second one to `run.ts`.
 */

import { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { BoundedText } from './bounded-text.ts'
import type { Evidence, ReadingEnd } from './outcome.ts'
import type { CursorProcess, ProcessExit } from './process.ts'
import { passOn } from './stderr-sink.ts'
import { CursorStreamReader } from './stream-reader.ts'

/** How long a helper that goes on writing after the CLI has closed is listened to, in ms. */
const LEFTOVERS_MS = 1000

/**
 * Reading time, in ms, after which the rest of the host has its turn. A turn of the event loop hands
 * over up to 32 chunks, and a chunk of nothing but short lines takes 10 ms.
 */
const MOST_READ_AT_ONCE_MS = 10

/** Set on a stream for as long as it is read. */
type Listeners = readonly (readonly [event: string, listener: (chunk: Uint8Array) => void])[]

/** A stream's error after the teardown is nobody's, and without a listener it would kill the host. */
const ignoreError = (): void => {}

export class Attempt {
  readonly reader = new CursorStreamReader()
  /** Resolves when there is nothing more to wait for; never rejects. */
  readonly ended: Promise<ReadingEnd>
  /** When the process last wrote something, by `performance.now()`. */
  lastOutputAt = performance.now()
  /** When the process wrote its first event, by `performance.now()`. */
  firstEventAt: number | undefined

  /** Set when `done` has rejected: there never was a process. */
  spawnError: { readonly reason: unknown } | undefined

  readonly #process: CursorProcess
  readonly #graceMs: number
  readonly #stderrSink: Writable
  /** Of a CLI that is torn down and says so itself: it handled SIGTERM, or taskkill ended it. */
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
   * Starts to read at once.
   * @param setting `graceMs`: how long the exit is waited for once stdout has ended, in ms;
   * `stderr`: where the CLI's stderr is passed on to.
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

  /** Silence while the host's stderr is full is the host's, not the CLI's. */
  get isHeldUp(): boolean {
    return this.#process.stderr?.isPaused() === true
  }

  /** Asks the process tree to stop; it is killed after the grace. */
  stop(): void {
    try {
      // A host may hand out a promise here, and nobody else would hear it reject.
      const terminated: unknown = this.#process.terminate()
      void Promise.resolve(terminated).catch(() => {})
    } catch {
      // `dispose` waits for the tree and reports what it finds.
    }
  }

  /** Logs an exit that does not fit the answer already given. */
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

  /** Resolves when the tree has exited and no listener or timer is left. Idempotent. */
  dispose(): Promise<void> {
    this.#disposing = true
    this.#disposal ??= this.#tearDown()
    return this.#disposal
  }

  async #tearDown(): Promise<void> {
    const { stdout, stderr } = this.#process
    this.stop()
    try {
      // A paused stream would keep the process from closing.
      stderr?.resume()
      await this.#process.waitForExit()
      // The tree is gone; a `done` that does not settle all the same is not waited for any longer.
      await this.#closedWithinGrace()
    } finally {
      clearTimeout(this.#exitGraceTimer)
      this.reader.end()
      this.#end.resolve('exited')
      stdout?.destroy()
      stderr?.destroy()
      // A stream that cannot be destroyed says so with an error, and somebody must listen.
      await nextTurn()
      for (const [stream, listeners] of this.#attached) {
        // A pipe that has closed has no more errors; what an odd host gives instead of one may.
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
      // A stream with an encoding set gives text.
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

  /** Without a result the exit is waited for, so that a failure text can name it. */
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

  /** A helper that holds the pipes keeps them from ending: what is in them already is still read. */
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
