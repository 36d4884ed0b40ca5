/**
 * The opt-in time limits of a run: one row each, by the field that sets it, and the timers that watch
 * them. Which failure a reached limit is belongs to `outcome.ts`.
 */

/** Of the process that is read now. */
export interface Activity {
  /** By `performance.now()`. */
  readonly lastOutputAt: number
  readonly isHeldUp: boolean
}

interface TimeLimit {
  /** What a person is told when it is reached. */
  readonly happened: (ms: number) => string
  /** Since when it counts, by `performance.now()`; left out: since the run was started. */
  readonly since?: (activity: Activity) => number
}

export const TIME_LIMITS = {
  timeoutMs: {
    happened: (ms) => `The run reached its time limit of ${ms} ms (\`timeoutMs\`).`,
  },
  stallTimeoutMs: {
    happened: (ms) => `The Cursor CLI wrote nothing for ${ms} ms (\`stallTimeoutMs\`).`,
    since: ({ isHeldUp, lastOutputAt }) => (isHeldUp ? performance.now() : lastOutputAt),
  },
} as const satisfies Record<string, TimeLimit>

export type TimeLimitName = keyof typeof TIME_LIMITS

export const TIME_LIMIT_NAMES = Object.keys(TIME_LIMITS) as TimeLimitName[]

/** Each in ms; `undefined` is none. */
export type TimeLimits = { readonly [Name in TimeLimitName]: number | undefined }

export interface ReachedLimit {
  readonly limit: TimeLimitName
  readonly ms: number
}

/** In ms; below it a slow start alone can end a run. */
export const SHORT_LIMIT_MS = 30_000

/** One timer for each limit that is set; it looks when it is due, so that no chunk has to reset it. */
export class LimitTimers {
  readonly #timers = new Map<TimeLimitName, NodeJS.Timeout>()

  constructor(
    limits: TimeLimits,
    activity: () => Activity,
    reached: (limit: ReachedLimit) => void,
  ) {
    const startedAt = performance.now()
    for (const limit of TIME_LIMIT_NAMES) {
      const { since }: TimeLimit = TIME_LIMITS[limit]
      const ms = limits[limit]
      if (ms === undefined) continue
      const look = (): void => {
        const remaining = (since?.(activity()) ?? startedAt) + ms - performance.now()
        if (remaining <= 0) reached({ limit, ms })
        else this.#timers.set(limit, setTimeout(look, Math.min(Math.ceil(remaining), ms)))
      }
      look()
    }
  }

  clear(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
  }
}
