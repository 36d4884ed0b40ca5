/** The two opt-in time limits of a run: wall-clock time and silence. Each fires at most once. */

import type { RunOptions } from './options.ts'

/** What the clock of silence looks at. */
export interface Activity {
  /** By `performance.now()`. */
  readonly lastOutputAt: number
  readonly isHeldUp: boolean
}

/** Which limit a run has reached. */
export type ReachedLimit = 'timed-out' | 'stalled'

export class Timers {
  #timeout: NodeJS.Timeout | undefined
  #stall: NodeJS.Timeout | undefined

  /** Both limits count from now. */
  constructor(
    { timeoutMs, stallTimeoutMs }: Pick<RunOptions, 'timeoutMs' | 'stallTimeoutMs'>,
    activity: () => Activity,
    reached: (limit: ReachedLimit) => void,
  ) {
    if (timeoutMs !== undefined) this.#timeout = setTimeout(() => reached('timed-out'), timeoutMs)
    if (stallTimeoutMs === undefined) return
    // One timer that looks when it is due, instead of one that every chunk resets.
    const look = (): void => {
      const { lastOutputAt, isHeldUp } = activity()
      const remaining = isHeldUp
        ? stallTimeoutMs
        : lastOutputAt + stallTimeoutMs - performance.now()
      if (remaining > 0) this.#stall = setTimeout(look, Math.ceil(remaining))
      else reached('stalled')
    }
    this.#stall = setTimeout(look, stallTimeoutMs)
  }

  clear(): void {
    clearTimeout(this.#timeout)
    clearTimeout(this.#stall)
  }
}
