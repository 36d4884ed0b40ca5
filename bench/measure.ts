// Measuring side by side: contenders take many short turns, so that whatever else the machine does hits all of
// them alike, and only figures of one round are ever divided by each other.

import { do_not_optimize, measure } from 'mitata'

export interface Effort {
  /** How often each contender gets its turn. */
  readonly rounds: number
  /** CPU time of one turn, in nanoseconds. */
  readonly turn: number
  /** How often it runs in a turn at the least, besides once to warm up. Default 3. */
  readonly samples?: number
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const [lower = NaN, upper = lower] = sorted.slice((sorted.length - 1) >> 1)
  return sorted.length % 2 === 1 ? lower : (lower + upper) / 2
}

/**
 * The median time of each function in nanoseconds, one figure a round. The first round only warms up; the others
 * run in opposite orders by turns. No garbage collection is forced: it clears what optimised code refers to
 * weakly, and V8 then throws that code away and measures its own recompiling.
 */
export async function inTurns<Name extends string>(
  contenders: Readonly<Record<Name, () => unknown>>,
  { rounds, turn, samples = 3 }: Effort,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(contenders) as Name[]
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<
    Name,
    number[]
  >
  for (let round = 0; round <= rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const run = contenders[name]
      const { p50 } = await measure(
        () => {
          const value = run()
          do_not_optimize(value)
          return value
        },
        { min_cpu_time: turn, min_samples: samples, gc: false },
      )
      if (round > 0) times[name].push(p50)
    }
  }
  return times
}

/** The median over the rounds of `over / under`, each pair measured in the same round. */
export const ratio = (over: readonly number[], under: readonly number[]): number =>
  median(over.map((time, round) => time / (under[round] ?? Number.NaN)))
