/**
 * Finds where a text repeats another one: every run that both have and that is too long to be
 * chance, however the text spells it. What is hidden then, and as what, belongs to `../masking.ts`.
 */

import type { Stretch, View } from './spellings.ts'

/** A shorter run, about four words, is as likely the CLI's own as an echo. */
const RUN: Bound = { length: 24, letter: /\p{L}/u }
/** The same in scripts that write a word in one or two characters. */
const WIDE_RUN: Bound = { length: 8, letter: /[\u2e80-\u9fff\uac00-\ud7af\uff66-\uff9f]/ }
/** A shorter line that stands in a hidden text too may be an ordinary one. */
const SHORTEST_LINE = 8
/** Where the source is longer than this its short lines are not looked for, in UTF-16 units. */
const LINES_CONSIDERED = 262_144
/** Bounds the work where text and source are made to look alike nearly everywhere. */
const MOST_LOOKS = 30_000

/**
 * @param views a text as it is, and in each of its spellings.
 * @returns the stretches of the text that repeat `source`, in no order; time is linear in both.
 */
export function echoes(views: readonly View[], source: string): Stretch[] {
  const text = views[0]?.text ?? ''
  if (text.length < SHORTEST_LINE) return []
  const found = repeatedLines(text, source)
  for (const view of views) {
    const runs = commonRuns(view.text, source, RUN)
    if (WIDE_RUN.letter.test(view.text)) runs.push(...commonRuns(view.text, source, WIDE_RUN))
    found.push(...runs.map((run) => view.written(trimmed(view.text, run))))
  }
  return found
}

/** A blank beside an echo belongs to whoever echoes. */
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

/** What makes a window of this length text: so many characters of this kind in it. */
interface Bound {
  readonly length: number
  readonly letter: RegExp
}

/** A run of blanks, dashes or digits is no text. */
const LETTERS_IN_RUN = 5
const BASE = 0x0100_0193
/** Bits of the table that says for nearly every block of the source that the text does not have it. */
const TABLE_BITS = 20

/**
 * Every window of the bound's length that both texts have, joined where they overlap. A window
 * of the source holds a whole block of half its length that starts at a multiple of the step. So
 * only these blocks are looked up, and windows are compared only around one that the text has.
 */
function commonRuns(text: string, source: string, { length, letter }: Bound): Stretch[] {
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
  let looks = 0
  for (let at = 0; at + block <= source.length && looks < MOST_LOOKS; at += step) {
    const bit = slot(hashOf(source, at, at + block))
    if ((((blocks[bit >>> 3] ?? 0) >> (bit & 7)) & 1) === 0) continue
    looks++
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

/** Where the windows of `text` start, by their hash. */
function windowsOf(text: string, { length, letter }: Bound): Map<number, number[]> {
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

/** Calls `visit` for each window of a stretch; each hash is made from the one before. */
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
