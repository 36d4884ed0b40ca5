/**
 * What of the CLI's output is words. Owns which lines are a sentence at all, what stands before a
 * sentence (error classes, RPC codes), and which sentence is the one to quote. What the words mean
 * belongs to `../failures.ts`.
 */

import type { KeptText } from '../bounded-text.ts'
import { plain } from '../masking.ts'

/** Stands where something between the kept ends was left out. */
export const GAP = '[…]'
/** A longer line is source code or data, in characters. */
const LONGEST_SENTENCE = 2000
/** Of a quoted sentence, in characters. */
const LONGEST_QUOTE = 300
/** The one line that may be longer: it lists up to 246 models. */
const MODEL_LIST = /^(.{0,80}Cannot use this model:.{1,300}?Available models:).*/i

/** Frames and what Node prints around an error it did not catch; also the rest of a printed error. */
const STACK_LINE =
  /^\s+at \S|^at \S.*:\d+\)?$|^node:internal\/|^\s*throw \w+;?$|^Node\.js v\d|^Require stack:|^- (?:\/|[A-Za-z]:\\|~)|^\s*\.{3} \d+ lines/
const CARETS = /^\s*\^+\s*$/
/** `file:///…/index.js:2`, masked or not, above the source line of an uncaught error. */
const SOURCE_PLACE = /^(?:file:|node:|[A-Za-z]:[\\/]|[/~]|<workspace>).*:\d+$/
/** What masking makes of it too, but also of a path or an address that somebody prints. */
const MASKED_PLACE = /^\s*<(?:url|path)>(?::\d+)?$/
const NAMES_ERROR = /^(?:Uncaught )?[\w.]*Error\b/

/** @returns `lines` without source code, stack frames and data; blank lines end a source and go. */
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

/** Pieces of the stream, of which one may stand behind a label, and what tools and Node say. */
const OTHERS_WORDS =
  /^\s*\{|\{\s*"type"|^\s*(?:MCP\b|\[(?:mcp|hook|tool|plugin)[^\]]{0,60}\]|\(node:\d+\)|npm )/i

/**
 * Lines to recognise a failure by. Around a gap they are cut, and half a sentence is another one.
 * @param hide takes out what the CLI echoes.
 */
export function wordsIn(
  { head, tail }: KeptText,
  hide: (text: string) => string = (text) => text,
): string[] {
  const before = hide(plain(head)).split('\n')
  const behind = tail === '' ? [] : hide(plain(tail)).split('\n')
  if (behind.length > 0) {
    const cut = before.pop() ?? ''
    const rest = behind.shift() ?? ''
    // Half a model id is another model's.
    if (MODEL_LIST.test(cut))
      before.push(`${cut.replace(/[^,\s]+$/, '')} ${GAP} ${rest.replace(/^[^,\s]+/, '')}`)
    behind.unshift(GAP)
  }
  return sentenceLines([...before, ...behind]).filter((line) => !OTHERS_WORDS.test(line))
}

/** @returns the line without what the CLI puts after "Available models:". */
export function withoutModelList(line: string): string {
  return line.replace(MODEL_LIST, '$1 …')
}

/** An error as the CLI prints it: classes and an RPC code, then the sentence for a person. */
export interface ErrorLine {
  /** In lower case: `retriableerror`, or the letter that a minifier left of it. */
  readonly classes: readonly string[]
  /** In lower case, without underscores. */
  readonly code: string | undefined
  readonly sentence: string
}

/** Bullets and warning signs, class names, and labels in brackets; each ends before the sentence. */
const MARK = /^[^\p{L}\p{N}[('"`<~/\\.$_-]+/u
const CLASS =
  /^(?:Uncaught |Unhandled )?([a-z_$][\w$]{0,60}(?:error|exception)|error|fatal|[a-z_$][\w$]?)(?: \[\w+\])?:(?:\s+|$)/i
/** An error without a stack, as Node prints it. */
const PRINTED_ERROR = /^\[(\w{0,60}Error: .*)\](?: \{)?$/
/** `[unavailable] `, and as other versions of the RPC library write it: `unavailable: `. */
const CODE =
  /^(?:\[([a-z_ ]{2,30})\]|(?:Connect error |\d{1,2} )?([a-z]{5,20}(?:_[a-z]{2,20}){0,3}):)(?:\s+|$)/i

/** @param isCode tells an RPC code from any other label in brackets. */
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

/** At least two words; anything less explains nothing. */
function isSentence(text: string): boolean {
  return /\p{L}{2}\S{0,100}\s+\S{0,100}\p{L}{2}|\p{Script=Han}{2}/u.test(text)
}

/** Lines that continue the sentence of the line before. */
const CONTINUES = /^\s{0,8}["'(]?\p{L}[^:=]{0,40}(?:\s|[^:=\n]{40})/u
/** What is only warned of says nothing about the end of a run. */
const WARNING = /^\(Use `|^\W{0,4}(?:warn(?:ing)?|info|debug)\b/i

/**
 * The sentence to quote.
 * @param lines masked, and sentences by {@link sentenceLines}.
 * @param isCause tells the lines that a failure was recognised by. Of them, and without them of all,
 *   the last error of the CLI's own is quoted; else the first of them, or the last line of all.
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
    ({ at }) => !WARNING.test(lines[at] ?? '') && !OTHERS_WORDS.test(lines[at] ?? ''),
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
