/**
 * Lays out the text of a failure: what happened and what to do, then the facts, then excerpts
 * of what the CLI wrote. Deciding the category and hiding what must not be seen belong to
 * `../outcome.ts` and `../masking.ts`.
 */

import { failureText, type Excerpts, type Headline } from './format.ts'
import { withoutCutStart, type KeptText } from '../bounded-text.ts'
import { GAP, sentenceLines, withoutModelList } from './cli-words.ts'
import type { Masker } from '../masking.ts'

/** The host's limit for a diagnostic, in UTF-8 bytes. */
export const MAX_DIAGNOSTIC_BYTES = 4096

/** What happened is one or two sentences; a longer one carries a list of the CLI's. */
const MAX_HAPPENED_BYTES = 600
/** Shown from each end of stderr, in bytes of masked text. */
const EXCERPT_BYTES = 1024
const MAX_NOISE_LINES = 5
const FIRST_NOISE_LINES = 2
const MAX_NOISE_LINE_BYTES = 200

/** The parts of a failure text. */
export interface DiagnosticParts {
  readonly headline: Headline
  readonly facts: readonly string[]
  /** Lines that {@link shownLines} gave. */
  readonly shown: Excerpts
}

/** @returns at most {@link MAX_DIAGNOSTIC_BYTES} bytes; what is cut is the end, the least useful part. */
export function composeDiagnostic({ headline, facts, shown }: DiagnosticParts): string {
  const text = failureText({
    ...headline,
    happened: shortenTo(MAX_HAPPENED_BYTES, headline.happened),
    facts,
    excerpts: { stderr: stderrExcerpt(shown.stderr), stdout: noiseExcerpt(shown.stdout) },
  })
  return shortenTo(MAX_DIAGNOSTIC_BYTES, text)
}

function stderrExcerpt(lines: readonly string[]): readonly string[] {
  const text = lines.join('\n').trim()
  if (Buffer.byteLength(text) <= 2 * EXCERPT_BYTES) return lines
  return `${startOf(text, EXCERPT_BYTES)}\n${GAP}\n${endOf(text, EXCERPT_BYTES)}`.split('\n')
}

/** The first lines (banners, or the beginning of an error) and the last ones (most errors). */
function noiseExcerpt(lines: readonly string[]): string[] {
  const shown =
    lines.length <= MAX_NOISE_LINES
      ? lines
      : [...lines.slice(0, FIRST_NOISE_LINES), ...lines.slice(FIRST_NOISE_LINES - MAX_NOISE_LINES)]
  return shown.map((line) => shortenTo(MAX_NOISE_LINE_BYTES, line.trim()))
}

/**
 * What may be shown of kept text, line by line: masked as a whole, before anything is shortened. At a
 * border the cut word goes, since half a word may be half a secret; behind the gap the whole cut line
 * does, since what said that a secret follows may be gone.
 */
export function shownLines({ head, tail }: KeptText, masker: Masker): string[] {
  if (tail === '') return speakingLines(masker.mask(head))
  const cutLine = head.slice(head.lastIndexOf('\n') + 1)
  const first = isStreamPiece(cutLine)
    ? head.slice(0, head.length - cutLine.length)
    : head.slice(0, startOfLastWord(head))
  const beforeGap = `${masker.mask(first, { end: true })}\n${GAP}`
  const secondLine = tail.indexOf('\n') + 1
  // What an unknown option echoes goes on behind the gap.
  if (secondLine === 0 || /^error: unknown option '/m.test(head)) return speakingLines(beforeGap)
  return speakingLines(`${beforeGap}\n${masker.mask(tail.slice(secondLine), { start: true })}`)
}

/** Also printed over several lines, inside a string, or as Node prints an object. */
function isStreamPiece(line: string): boolean {
  return (
    /^\s*(?:[{}]|\\?"[^"\n]{0,80}"\s*:)/.test(line) ||
    /\{\s{0,4}(?:\\{0,4}"[^"\n]{0,80}"\s{0,4}:|type:)/.test(line) ||
    // A list in a sentence opens in the same line.
    /["}\]]\s{0,4}[}\]]\s{0,4}[,}\]]?\s*$/.test(line.replaceAll(/\[[^[\]{}]{0,200}\]/g, ''))
  )
}

function speakingLines(text: string): string[] {
  return sentenceLines(text.split('\n').map(withoutModelList)).filter(
    (line) => !isStreamPiece(line),
  )
}

function startOfLastWord(text: string): number {
  let start = text.length
  while (start > 0 && !/\s/.test(text[start - 1] ?? '')) start--
  return start
}

/** At most `limit` bytes; a word that the border cuts is dropped. */
function startOf(text: string, limit: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= limit) return text
  const start = new TextDecoder().decode(bytes.subarray(0, limit), { stream: true })
  const lastWord = startOfLastWord(start)
  return (lastWord === 0 ? start : start.slice(0, lastWord)).trimEnd()
}

function endOf(text: string, limit: number): string {
  return withoutCutStart(Buffer.from(text).subarray(-limit))
    .toString()
    .replace(/^\S+(?=\s)/, '')
    .trimStart()
}

/** @returns at most `limit` bytes of `text`, with a mark where the rest was. */
function shortenTo(limit: number, text: string): string {
  return Buffer.byteLength(text) <= limit ? text : `${startOf(text, limit - 4)} …`
}
