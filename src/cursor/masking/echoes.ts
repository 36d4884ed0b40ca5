/**
 * Finds where a text repeats parts of another one, such as the prompt: every common run that is too
 * long to be chance. `../masking.ts` hides what is found.
 */

import type { Stretch, View } from './spellings.ts'

/** Shorter runs, up to about four words, may just as well be the CLI's own words. */
const RUN: WindowKind = { length: 24, letter: /\p{L}/u }
/** For scripts that write a word in one or two characters. */
const WIDE_RUN: WindowKind = { length: 8, letter: /[\u2e80-\u9fff\uac00-\ud7af\uff66-\uff9f]/ }
/** Shorter lines are too common to be an echo. */
const SHORTEST_LINE = 8
/** Whole lines are searched for only in this much of the source, in UTF-16 units. */
const LINES_CONSIDERED = 262_144
/** Bounds the work when somebody makes text and source match nearly everywhere. */
const MOST_LOOKUPS = 30_000

/**
 * Takes time linear in both texts.
 * @param views the text as it is, and decoded.
 * @returns where the text repeats `source`, unordered.
 */
export function echoes(views: readonly View[], source: string): Stretch[] {
  const text = views[0]?.text ?? ''
  if (text.length < SHORTEST_LINE) return []
  const found = repeatedLines(text, source)
  for (const view of views) {
    const runs = commonRuns(view.text, source, RUN)
    if (WIDE_RUN.letter.test(view.text)) runs.push(...commonRuns(view.text, source, WIDE_RUN))
    found.push(...runs.map((run) => view.toSource(trimmed(view.text, run))))
  }
  return found
}

function trimmed(text: string, { from, to }: Stretch): Stretch {
  const run = text.slice(from, to)
  return { from: to - run.trimStart().length, to: from + run.trimEnd().length }
}

function repeatedLines(text: string, source: string): Stretch[] {
  const lines = new Set<string>()
  for (const line of source.slice(0, LINES_CONSIDERED).split('\n')) {
    const said = line.trim()
    if (said.length >= SHORTEST_LINE) lines.add(said)
  }
  const found: Stretch[] = []
  let from = 0
  for (const line of text.split('\n')) {
    if (lines.has(line.trim())) found.push({ from, to: from + line.length })
    from += line.length + 1
  }
  return found
}

/** A window of `length` characters counts only if {@link LETTERS_IN_RUN} of them match `letter`. */
interface WindowKind {
  readonly length: number
  readonly letter: RegExp
}

/** Excludes runs of blanks, dashes or digits. */
const LETTERS_IN_RUN = 5
const BASE = 0x0100_0193
/** log2 of the size of the table of hashed blocks, in bits. A miss means that the text lacks the block. */
const TABLE_BITS = 20

/**
 * Finds every window that both texts contain, and joins overlapping ones. Every window of the source
 * contains a block of half its length that starts at a multiple of `step`. So it is enough to look
 * up those blocks, and to compare windows only around blocks that the text contains.
 */
function commonRuns(text: string, source: string, { length, letter }: WindowKind): Stretch[] {
  if (text.length < length || source.length < length) return []
  const block = length / 2
  const step = length - block + 1
  const blocks = new Uint8Array(1 << (TABLE_BITS - 3))
  eachHash(text, { from: 0, to: text.length, length: block }, (hash) => {
    const bit = slot(hash)
    blocks[bit >>> 3] = (blocks[bit >>> 3] ?? 0) | (1 << (bit & 7))
  })
  const windows = windowsOf(text, { length, letter })
  const starts: number[] = []
  let lookups = 0
  for (let at = 0; at + block <= source.length && lookups < MOST_LOOKUPS; at += step) {
    const bit = slot(hashOf(source, at, at + block))
    if ((((blocks[bit >>> 3] ?? 0) >> (bit & 7)) & 1) === 0) continue
    lookups++
    const around = { from: Math.max(0, at - step + 1), to: at + length, length }
    eachHash(source, around, (hash, from) => {
      const [first, ...others] = windows.get(hash) ?? []
      if (first === undefined || !source.startsWith(text.slice(first, first + length), from)) return
      starts.push(first, ...others)
      windows.delete(hash)
    })
  }
  const runs: { from: number; to: number }[] = []
  for (const from of starts.toSorted((a, b) => a - b)) {
    const before = runs.at(-1)
    if (before !== undefined && from <= before.to) before.to = from + length
    else runs.push({ from, to: from + length })
  }
  return runs
}

/** Maps the hash of each window of `text` to the places where it starts. */
function windowsOf(text: string, { length, letter }: WindowKind): Map<number, number[]> {
  const windows = new Map<number, number[]>()
  const isLetter = Uint8Array.from(text.split(''), (unit) => (letter.test(unit) ? 1 : 0))
  let letters = 0
  for (let at = 0; at < length - 1; at++) letters += isLetter[at] ?? 0
  eachHash(text, { from: 0, to: text.length, length }, (hash, from) => {
    letters += isLetter[from + length - 1] ?? 0
    if (letters >= LETTERS_IN_RUN) {
      const same = windows.get(hash)
      if (same === undefined) windows.set(hash, [from])
      else same.push(from)
    }
    letters -= isLetter[from] ?? 0
  })
  return windows
}

/** Calls `visit` with the rolling hash of each window of a stretch. */
function eachHash(
  text: string,
  { from, to, length }: Stretch & { readonly length: number },
  visit: (hash: number, from: number) => void,
): void {
  const last = Math.min(to, text.length) - length
  if (last < from) return
  let leaving = 1
  for (let turn = 0; turn < length; turn++) leaving = Math.imul(leaving, BASE)
  let hash = hashOf(text, from, from + length)
  visit(hash, from)
  for (let at = from; at < last; at++) {
    const entering = Math.imul(hash, BASE) + text.charCodeAt(at + length)
    hash = (entering - Math.imul(leaving, text.charCodeAt(at))) | 0
    visit(hash, at + 1)
  }
}

function hashOf(text: string, from: number, to: number): number {
  let hash = 0
  for (let at = from; at < to; at++) hash = (Math.imul(hash, BASE) + text.charCodeAt(at)) | 0
  return hash
}

function slot(hash: number): number {
  return Math.imul(hash, 0x9e37_79b1) >>> (32 - TABLE_BITS)
}
