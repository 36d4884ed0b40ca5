/** Finds similar names, for "did you mean" and for model ids. */

import { distance } from 'fastest-levenshtein'

/** @returns up to `count` of `names`, the closest to `wanted` first. Ignores case. */
export function closest(wanted: string, names: readonly string[], count: number): string[] {
  const target = wanted.toLowerCase()
  return names
    .map((name) => ({ name, distance: distance(target, name.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ name }) => name)
}
