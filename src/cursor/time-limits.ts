/**
 * The optional time limits of a run as a table, keyed by their configuration fields, and their
 * timers. `outcome.ts` turns a reached limit into a failure.
 */

import type { Words } from '../words.ts'

/** When the current process last wrote something. */
export interface Activity {
  /** By `performance.now()`. */
  readonly lastOutputAt: number
  /** Whether the host's full stderr, and not the CLI, causes the silence. */
  readonly isHeldUp: boolean
}

interface TimeLimit {
  /** `{ms}` is the limit. */
  readonly happened: Words
  /** When the limit starts to count, by `performance.now()`. Default: when the run started. */
  readonly since?: (activity: Activity) => number
  /** In ms. A shorter limit may end healthy runs, so the self-check and the settings card warn. */
  readonly shortBelowMs: number
}

/** In ms. With a shorter limit, a slow start alone can end a run. */
const SLOW_START_MS = 30_000

export const TIME_LIMITS = {
  timeoutMs: {
    happened: {
      en: 'The run reached its time limit of {ms} ms (`timeoutMs`).',
      zh: '运行达到了 {ms} 毫秒的时间上限（`timeoutMs`）。',
    },
    shortBelowMs: SLOW_START_MS,
  },
  stallTimeoutMs: {
    happened: {
      en: 'The Cursor CLI wrote nothing for {ms} ms (`stallTimeoutMs`).',
      zh: 'Cursor CLI 连续 {ms} 毫秒没有输出（`stallTimeoutMs`）。',
    },
    since: ({ isHeldUp, lastOutputAt }) => (isHeldUp ? performance.now() : lastOutputAt),
    shortBelowMs: SLOW_START_MS,
  },
} as const satisfies Record<string, TimeLimit>

/** Said beside it, when that is so. */
export const SILENT: Words = {
  en: 'There was no output from the CLI at all.',
  zh: 'CLI 自始至终没有任何输出。',
}

export type TimeLimitName = keyof typeof TIME_LIMITS

export const TIME_LIMIT_NAMES = Object.keys(TIME_LIMITS) as TimeLimitName[]

/** In ms; `undefined` for no limit. */
export type TimeLimits = { readonly [Name in TimeLimitName]: number | undefined }

export interface ReachedLimit {
  readonly limit: TimeLimitName
  readonly ms: number
}

/** Has one timer per limit, which checks the last output when it is due, so chunks reset no timer. */
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
