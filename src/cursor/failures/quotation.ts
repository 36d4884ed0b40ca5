/**
 * Picks the sentences out of the CLI's output: drops stack traces, source code and data, parses error
 * classes and RPC codes, and chooses the sentence to quote. `../failures.ts` knows what they mean.
 */

import type { KeptText } from '../bounded-text.ts'
import { plain } from '../masking.ts'

/** Marks where the middle of an output was dropped. */
export const GAP = '[…]'
/** In UTF-16 units. Longer lines are source code or data. */
const LONGEST_SENTENCE = 2000
/** In UTF-16 units. */
const LONGEST_QUOTE = 300
/** The only line that may be longer, because it lists up to 246 models. */
const MODEL_LIST = /^(.{0,80}Cannot use this model:.{1,300}?Available models:).*/i

/** Stack frames, and what Node prints around an uncaught error. */
const STACK_LINE =
  /^\s+at \S|^at \S.*:\d+\)?$|^node:internal\/|^\s*throw \w+;?$|^Node\.js v\d|^Require stack:|^- (?:\/|[A-Za-z]:\\|~)|^\s*\.{3} \d+ lines/
const CARETS = /^\s*\^+\s*$/
/** `file:///…/index.js:2`, which Node prints above the source line of an uncaught error. */
const SOURCE_PLACE = /^(?:file:|node:|[A-Za-z]:[\\/]|[/~]|<workspace>).*:\d+$/
/** The masker turns such a place into this, but other paths and URLs too. */
const MASKED_PLACE = /^\s*<(?:url|path)>(?::\d+)?$/
const NAMES_ERROR = /^(?:Uncaught )?[\w.]*Error\b/

/** @returns `lines` without source code, stack frames, data and blank lines. */
export function sentenceLines(lines: readonly string[]): string[] {
  let inSource = false
  return lines.filter((line, at) => {
    const isPlace =
      SOURCE_PLACE.test(line) ||
      (MASKED_PLACE.test(line) &&
        lines.slice(at + 1, at + 7).some((later) => NAMES_ERROR.test(later)))
    if (isPlace) inSource = true
    else if (inSource && (line.trim() === '' || CARETS.test(line))) inSource = false
    else if (!inSource)
      return (
        line.trim() !== '' &&
        !CARETS.test(line) &&
        !CARETS.test(lines[at + 1] ?? '') &&
        !STACK_LINE.test(line) &&
        (line.length <= LONGEST_SENTENCE || MODEL_LIST.test(line))
      )
    return false
  })
}

/** Pieces of the JSON stream, and lines that tools or Node print. */
const NOT_FROM_CLI =
  /^\s*\{|\{\s*"type"|^\s*(?:MCP\b|\[(?:mcp|hook|tool|plugin)[^\]]{0,60}\]|\(node:\d+\)|npm )/i

/**
 * Drops the cut lines on both sides of the gap, because half a sentence can mean something else.
 * @param hide removes what the CLI echoes.
 * @returns the lines by which a failure can be recognised.
 */
export function wordsIn(
  { head, tail }: KeptText,
  hide: (text: string) => string = (text) => text,
): string[] {
  const before = hide(plain(head)).split('\n')
  const after = tail === '' ? [] : hide(plain(tail)).split('\n')
  if (after.length > 0) {
    const cut = before.pop() ?? ''
    const rest = after.shift() ?? ''
    // Keeps a cut list of models, but without the ids that the gap cuts in two.
    if (MODEL_LIST.test(cut))
      before.push(`${cut.replace(/[^,\s]+$/, '')} ${GAP} ${rest.replace(/^[^,\s]+/, '')}`)
    after.unshift(GAP)
  }
  return sentenceLines([...before, ...after]).filter((line) => !NOT_FROM_CLI.test(line))
}

/** @returns the line without the list after "Available models:". */
export function withoutModelList(line: string): string {
  return line.replace(MODEL_LIST, '$1 …')
}

/** The parts of an error as the CLI prints it: `RetriableError: [unavailable] The sentence`. */
export interface ErrorLine {
  /** In lower case: `retriableerror`, or the one letter that a minifier made of it. */
  readonly classes: readonly string[]
  /** In lower case, without underscores. */
  readonly code: string | undefined
  readonly sentence: string
}

/** Bullets and warning signs before a sentence. */
const MARK = /^[^\p{L}\p{N}[('"`<~/\\.$_-]+/u
const CLASS =
  /^(?:Uncaught |Unhandled )?([a-z_$][\w$]{0,60}(?:error|exception)|error|fatal|[a-z_$][\w$]?)(?: \[\w+\])?:(?:\s+|$)/i
/** Node prints an error without a stack in brackets. */
const PRINTED_ERROR = /^\[(\w{0,60}Error: .*)\](?: \{)?$/
/** `[unavailable] `, or `unavailable: ` from other versions of the RPC library. */
const CODE =
  /^(?:\[([a-z_ ]{2,30})\]|(?:Connect error |\d{1,2} )?([a-z]{5,20}(?:_[a-z]{2,20}){0,3}):)(?:\s+|$)/i

/** @param isCode tells RPC codes from other labels in brackets. */
export function parseErrorLine(line: string, isCode: (code: string) => boolean): ErrorLine {
  const classes: string[] = []
  let code: string | undefined
  let sentence = line.trim().replace(PRINTED_ERROR, '$1')
  for (;;) {
    const named = CLASS.exec(sentence)
    const label = CODE.exec(sentence)
    const name = (label?.[1] ?? label?.[2] ?? '').replaceAll(/[_ ]/g, '').toLowerCase()
    const prefix = named ?? (label !== null && isCode(name) ? label : MARK.exec(sentence))
    if (prefix === null) return { classes, code, sentence }
    if (prefix === named) classes.push(named[1]?.toLowerCase() ?? '')
    if (prefix === label) code = name
    sentence = sentence.slice(prefix[0].length)
  }
}

const REQUEST_ID =
  /[\s,;]{0,4}[([]?\b(?:request|trace|error|correlation)[ _-]?id\b["']?\s{0,4}[:=]?\s{0,4}["']?[\w-]{4,64}["']?[)\]]?\.?/gi
const UUID = /\s{1,4}[([]?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}[)\]]?(?=[\s.,;]|$)/gi

/** Requires two words, because one word explains nothing. */
function isSentence(text: string): boolean {
  return /\p{L}{2}\S{0,100}\s+\S{0,100}\p{L}{2}|\p{Script=Han}{2}/u.test(text)
}

/** A line that continues the sentence of the line before. */
const CONTINUES = /^\s{0,8}["'(]?\p{L}[^:=]{0,40}(?:\s|[^:=\n]{40})/u
/** Warnings do not explain why a run ended. */
const WARNING = /^\(Use `|^\W{0,4}(?:warn(?:ing)?|info|debug)\b/i

/**
 * Chooses the sentence to quote. Among the lines that match `isCause`: the CLI's last own error, or
 * else the first line. If none matches: the last error of all lines, or else the last line.
 * @param lines masked, and filtered by {@link sentenceLines}.
 * @param isCause whether the failure was recognised by a line.
 */
export function quoteFrom(
  lines: readonly string[],
  isCode: (code: string) => boolean,
  isCause: ((line: string) => boolean) | undefined,
): string | undefined {
  const candidates = lines
    .map((line, at) => ({ at, ...parseErrorLine(withoutModelList(line), isCode) }))
    .filter(({ sentence }) => isSentence(sentence))
  const others = candidates.filter(
    ({ at }) => !WARNING.test(lines[at] ?? '') && !NOT_FROM_CLI.test(lines[at] ?? ''),
  )
  const causes =
    isCause === undefined ? [] : candidates.filter(({ at }) => isCause(lines[at] ?? ''))
  const chosen =
    causes.findLast(({ code, classes }) => code !== undefined || classes.length > 1) ??
    causes[0] ??
    others.findLast(({ classes, code }) => classes.length > 0 || code !== undefined) ??
    others.at(-1)
  if (chosen === undefined) return undefined
  let text = chosen.sentence
  for (const line of lines.slice(chosen.at + 1)) {
    const { classes, code, sentence } = parseErrorLine(line, isCode)
    if (classes.length > 0 || code !== undefined || !CONTINUES.test(line)) break
    if (text.length + sentence.length >= LONGEST_QUOTE) break
    text += ` ${sentence}`
  }
  const quote = text.replaceAll(REQUEST_ID, '').replaceAll(UUID, '').replaceAll(/\s+/g, ' ').trim()
  if (!isSentence(quote)) return undefined
  return quote.length <= LONGEST_QUOTE
    ? quote
    : `${quote
        .slice(0, LONGEST_QUOTE - 2)
        .replace(/\S*$/, '')
        .trimEnd()} …`
}
