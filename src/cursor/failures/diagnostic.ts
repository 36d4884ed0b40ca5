/**
 * Lays out the text of a failure within the host's limit: what happened and what to do, then facts,
 * then excerpts of the CLI's output. `../outcome.ts` decides the category; `../masking.ts` hides
 * secrets.
 */

import { failureText, type Excerpts, type Headline } from './format.ts'
import { withoutCutStart, type KeptText } from '../bounded-text.ts'
import { GAP, sentenceLines, withoutModelList } from './quotation.ts'
import type { Masker } from '../masking.ts'

/** The host's limit for a diagnostic. */
export const MAX_DIAGNOSTIC_BYTES = 4096

/** Usually one or two sentences; only a list from the CLI makes it longer. */
const MAX_HAPPENED_BYTES = 600
/** Bytes of masked text to show from each end of stderr. */
const EXCERPT_BYTES = 1024
const MAX_NOISE_LINES = 5
const FIRST_NOISE_LINES = 2
const MAX_NOISE_LINE_BYTES = 200

export interface DiagnosticParts {
  readonly headline: Headline
  readonly facts: readonly string[]
  /** From {@link shownLines}. */
  readonly shown: Excerpts
}

/** @returns at most {@link MAX_DIAGNOSTIC_BYTES} bytes; cuts the end, which is the least useful part. */
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

/** Keeps the first lines (a banner, or the start of an error) and the last ones (most errors). */
function noiseExcerpt(lines: readonly string[]): string[] {
  const shown =
    lines.length <= MAX_NOISE_LINES
      ? lines
      : [...lines.slice(0, FIRST_NOISE_LINES), ...lines.slice(FIRST_NOISE_LINES - MAX_NOISE_LINES)]
  return shown.map((line) => shortenTo(MAX_NOISE_LINE_BYTES, line.trim()))
}

/**
 * Masks the kept text as a whole, before anything is shortened, and splits it into lines. Before the
 * gap it drops the cut word, because half a word may be half a secret. After the gap it drops the
 * whole cut line, because the name that marked its value as secret may be lost.
 */
export function shownLines({ head, tail }: KeptText, masker: Masker): string[] {
  if (tail === '') return linesToShow(masker.mask(head))
  const cutLine = head.slice(head.lastIndexOf('\n') + 1)
  const first = isStreamPiece(cutLine)
    ? head.slice(0, head.length - cutLine.length)
    : head.slice(0, startOfLastWord(head))
  const beforeGap = `${masker.mask(first, { end: true })}\n${GAP}`
  const secondLine = tail.indexOf('\n') + 1
  // The echo of an unknown option may continue after the gap.
  if (secondLine === 0 || /^error: unknown option '/m.test(head)) return linesToShow(beforeGap)
  return linesToShow(`${beforeGap}\n${masker.mask(tail.slice(secondLine), { start: true })}`)
}

/** Recognises the JSON stream, also if it is indented, escaped in a string, or printed by Node. */
function isStreamPiece(line: string): boolean {
  return (
    /^\s*(?:[{}]|\\?"[^"\n]{0,80}"\s*:)/.test(line) ||
    /\{\s{0,4}(?:\\{0,4}"[^"\n]{0,80}"\s{0,4}:|type:)/.test(line) ||
    // Removes lists that open on the same line, because sentences contain those too.
    /["}\]]\s{0,4}[}\]]\s{0,4}[,}\]]?\s*$/.test(line.replaceAll(/\[[^[\]{}]{0,200}\]/g, ''))
  )
}

function linesToShow(text: string): string[] {
  return sentenceLines(text.split('\n').map(withoutModelList)).filter(
    (line) => !isStreamPiece(line),
  )
}

function startOfLastWord(text: string): number {
  let start = text.length
  while (start > 0 && !/\s/.test(text[start - 1] ?? '')) start--
  return start
}

/** Keeps at most `limit` bytes and drops a word that the limit cuts. */
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

/** @returns at most `limit` bytes of `text`, with `…` if something was cut. */
function shortenTo(limit: number, text: string): string {
  return Buffer.byteLength(text) <= limit ? text : `${startOf(text, limit - 4)} …`
}
