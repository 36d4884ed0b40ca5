/**
 * Lays out the text of a failure: what happened and what to do, then the facts, then excerpts
 * of what the CLI wrote. Deciding the category and hiding what must not be seen belong to
 * `outcome.ts` and `masking.ts`.
 */

import { failureText, type Headline } from './failure-text.ts'
import { withoutCutStart, type BoundedText, type KeptText } from './bounded-text.ts'
import type { Masker } from './masking.ts'

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
  readonly stderr: BoundedText
  readonly noise: BoundedText
}

/** @returns at most {@link MAX_DIAGNOSTIC_BYTES} bytes; what is cut is the end, the least useful part. */
export function composeDiagnostic(parts: DiagnosticParts, masker: Masker): string {
  const { headline, facts, stderr, noise } = parts
  const text = failureText({
    ...headline,
    happened: shortenTo(MAX_HAPPENED_BYTES, headline.happened),
    facts,
    excerpts: {
      stderr: stderrExcerpt(stderr.kept(), masker),
      stdout: noiseExcerpt(noise.kept(), masker),
    },
  })
  return shortenTo(MAX_DIAGNOSTIC_BYTES, text)
}

function stderrExcerpt(kept: KeptText, masker: Masker): string[] {
  const text = maskedLines(kept, masker).join('\n').trim()
  if (text === '') return []
  if (Buffer.byteLength(text) <= 2 * EXCERPT_BYTES) return text.split('\n')
  return `${startOf(text, EXCERPT_BYTES)}\n[…]\n${endOf(text, EXCERPT_BYTES)}`.split('\n')
}

/** The first lines (banners, or the beginning of an error) and the last ones (most errors). */
function noiseExcerpt(kept: KeptText, masker: Masker): string[] {
  const lines = maskedLines(kept, masker)
  const shown =
    lines.length <= MAX_NOISE_LINES
      ? lines
      : [...lines.slice(0, FIRST_NOISE_LINES), ...lines.slice(FIRST_NOISE_LINES - MAX_NOISE_LINES)]
  return shown.map((line) => shortenTo(MAX_NOISE_LINE_BYTES, line.trim()))
}

/**
 * What may be shown of kept text: masked as a whole, before anything is shortened. At a border the
 * cut word goes, since half a word may be half a secret; behind the gap the whole cut line does,
 * since what said that a secret follows may be gone.
 */
function maskedLines({ head, tail }: KeptText, masker: Masker): string[] {
  if (tail === '') return shownLines(masker.mask(head))
  const cutLine = head.slice(head.lastIndexOf('\n') + 1)
  const first = isStreamPiece(cutLine)
    ? head.slice(0, head.length - cutLine.length)
    : head.slice(0, startOfLastWord(head))
  const shown = [...shownLines(masker.mask(first, { end: true })), '[…]']
  // What an unknown option echoes goes on behind the gap.
  if (/^error: unknown option '/m.test(head)) return shown
  const secondLine = tail.indexOf('\n') + 1
  if (secondLine === 0) return shown
  return [...shown, ...shownLines(masker.mask(tail.slice(secondLine), { start: true }))]
}

const MODEL_LIST = /(Available models:).*/

/** Lines that help nobody who cannot open the CLI's code. */
const STACK_LINE = /^\s+at \S|^node:internal\/|^\s*throw \w+;?$|^\s*\^+$/

/** Also printed over several lines, inside a string, or as Node prints an object. */
function isStreamPiece(line: string): boolean {
  return (
    /^\s*(?:[{}]|\\?"[^"\n]{0,80}"\s*:)/.test(line) ||
    /\{\s{0,4}(?:\\{0,4}"[^"\n]{0,80}"\s{0,4}:|type:)/.test(line) ||
    /["}\]]\s{0,4}[}\]]\s{0,4}[,}\]]?\s*$/.test(line)
  )
}

function startOfLastWord(text: string): number {
  let start = text.length
  while (start > 0 && !/\s/.test(text[start - 1] ?? '')) start--
  return start
}

function shownLines(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '' && !isStreamPiece(line) && !STACK_LINE.test(line))
    .map((line) => line.replace(MODEL_LIST, '$1 …'))
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
