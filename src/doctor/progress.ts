/**
 * Shows on a terminal what a slow check is doing, in one line on stderr that changes and goes. The
 * report itself goes to stdout and is not its business.
 */

import type { WriteStream } from 'node:tty'
import type { ProgressEvent } from './diagnose.ts'
import type { Language } from '../words.ts'
import { CHECKS } from './checks.ts'

/** ms; a faster check is over before a line about it can be read. */
const SLOW_AFTER_MS = 400

export class Progress {
  readonly #stream: WriteStream
  /** A line can be taken back only on a terminal that moves its cursor. */
  readonly #isLive: boolean
  readonly #language: Language
  #timer: NodeJS.Timeout | undefined
  #isShown = false

  constructor(stream: WriteStream, env: Readonly<NodeJS.ProcessEnv>, language: Language = 'en') {
    this.#stream = stream
    this.#language = language
    this.#isLive = stream.isTTY && env['TERM'] !== 'dumb'
  }

  /** To be called before anything about the event is written elsewhere. */
  readonly tell = (event: ProgressEvent): void => {
    this.clear()
    if (event.type === 'finished' || !this.#isLive) return
    const startedAt = performance.now()
    const title = CHECKS[event.id].title[this.#language]
    const subject = { en: `checking ${title.toLowerCase()}`, zh: `正在检查：${title}` }[
      this.#language
    ]
    const look = (): void => {
      const waited = Math.round((performance.now() - startedAt) / 1000)
      const line = waited === 0 ? `${subject} ...` : `${subject} ... ${waited} s`
      this.#stream.write(`\r\u001b[K${line.slice(0, (this.#stream.columns || 80) - 1)}`)
      this.#isShown = true
      this.#timer = setTimeout(look, 1000)
    }
    this.#timer = setTimeout(look, SLOW_AFTER_MS)
  }

  /** Takes the line back. */
  clear(): void {
    clearTimeout(this.#timer)
    if (this.#isShown) this.#stream.write('\r\u001b[K')
    this.#isShown = false
  }
}
