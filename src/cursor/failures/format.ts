/**
 * Writes and parses the text of a failure. The row in the web page parses it, because a failed call
 * leaves nothing but text; so this file imports nothing from Node. `../outcome.ts` decides what the
 * parts say, `diagnostic.ts` how much of the CLI's output to show.
 */

import type { Language, Words } from '../../words.ts'
import { SILENT, TIME_LIMITS } from '../time-limits.ts'
import { ADVICE, CATEGORIES, type CategoryText, type FailureCategory } from './categories.ts'

/** The first line of a failure. All text from the CLI in it is masked already. */
export interface Headline {
  readonly category: FailureCategory
  /** One or two sentences. */
  readonly happened: string
  /** A sentence quoted from the CLI. */
  readonly said?: string | undefined
  /** What the user should do. */
  readonly nextStep: string
}

/** Lines of the CLI's output, by stream. */
export type Excerpts = Readonly<Record<'stderr' | 'stdout', readonly string[]>>

export interface FailureText extends Headline {
  readonly facts: readonly string[]
  readonly excerpts: Excerpts
}

/** Works for users who installed the package globally; used if no better command is known. */
export const DEFAULT_DOCTOR = 'dsh-subagent-cursor doctor'

/** @returns `text` with the command of the self-check in place of `{doctor}`. */
export function withDoctor(text: string, doctorCommand: string = DEFAULT_DOCTOR): string {
  return text.replaceAll('{doctor}', () => doctorCommand)
}

// `unmarked` removes these marks from the parts, so that the parser can rely on them.
const SAID = { before: ' The CLI says: “', after: '”' } as const
const NEXT = ' → '
const EXCERPT_TITLES = {
  stderr: 'stderr:',
  stdout: 'other lines on stdout:',
} as const satisfies Record<keyof Excerpts, string>
/** Only the CLI's lines are indented, so the parser never takes one for a fact. */
const INDENT = '  '

/** Formats `category: happened The CLI says: “said” → next step` on one line. */
export function firstLine({ category, happened, said, nextStep }: Headline): string {
  const quote = said === undefined ? '' : `${SAID.before}${unmarked(said)}${SAID.after}`
  return `${category}: ${unmarked(happened)}${quote}${NEXT}${inOneLine(nextStep)}`
}

export function failureText({ facts, excerpts, ...headline }: FailureText): string {
  return [
    firstLine(headline),
    ...facts,
    ...(['stderr', 'stdout'] as const).flatMap((stream) =>
      excerpts[stream].length === 0
        ? []
        : [EXCERPT_TITLES[stream], ...excerpts[stream].map((line) => INDENT + line)],
    ),
  ].join('\n')
}

/**
 * @param text from {@link failureText}, with or without the `Error: ` that the host records before it.
 * @returns its parts, or `undefined` for any other text.
 */
export function readFailureText(text: string): FailureText | undefined {
  const [first = '', ...rest] = text.split('\n')
  const named = /^(?:Error: )?([a-z-]+): /.exec(first)
  const next = first.indexOf(NEXT)
  if (named === null || next === -1) return undefined
  const [start, category = ''] = named
  if (!isCategory(category)) return undefined
  const cause = first.slice(start.length, next)
  const quote = cause.indexOf(SAID.before)
  const excerpts: Record<keyof Excerpts, string[]> = { stderr: [], stdout: [] }
  const facts: string[] = []
  let lines = facts
  for (const line of rest) {
    const stream = streamTitled(line)
    if (stream !== undefined) lines = excerpts[stream]
    else lines.push(lines !== facts && line.startsWith(INDENT) ? line.slice(INDENT.length) : line)
  }
  return {
    category,
    happened: quote === -1 ? cause : cause.slice(0, quote),
    ...(quote !== -1 && {
      said: cause.slice(quote + SAID.before.length, cause.length - SAID.after.length),
    }),
    nextStep: first.slice(next + NEXT.length),
    facts,
    excerpts,
  }
}

/** Translates a next step by the tables; keeps what is in none of them. */
export function nextStepIn(language: Language, nextStep: string): string {
  const { translated, rest } = translate(language, nextStep)
  return rest === '' ? translated : `${translated} ${rest}`.trimStart()
}

/** Translates what happened by the tables; the category's sentence where none has the exact one. */
export function happenedIn(
  language: Language,
  { category, happened }: Pick<Headline, 'category' | 'happened'>,
): string {
  if (language === 'en') return happened
  const { translated, rest } = translate(language, happened)
  return rest === '' ? translated : CATEGORIES[category].happened[language]
}

/** Sentence by sentence, as far as the tables have them. */
function translate(language: Language, text: string): { translated: string; rest: string } {
  const sentences: string[] = []
  let rest = text
  while (rest !== '') {
    const found = SENTENCES.map((words) => startsWith(rest, words)).find(Boolean)
    if (found === undefined) break
    sentences.push(withValue(found.words[language], found.value))
    rest = rest.slice(found.length).trimStart()
  }
  return { translated: sentences.join(language === 'zh' ? '' : ' '), rest }
}

const SENTENCES: readonly Words[] = [
  ...Object.values(ADVICE),
  ...Object.values<CategoryText>(CATEGORIES).flatMap(({ happened, inDetail = {}, nextStep }) => [
    happened,
    ...Object.values(inDetail),
    nextStep,
  ]),
  ...Object.values(TIME_LIMITS).map(({ happened }) => happened),
  SILENT,
]

/** Of a value, such as the self-check's command; a sentence has one at most. */
const PLACE = /\{\w+\}/g

/** @returns `sentence` with `value` in its place. */
export function withValue(sentence: string, value: string | number | null): string {
  return sentence.replaceAll(PLACE, () => String(value))
}

/** @returns how much of `text` is the English of `words`, and the value in its place. */
function startsWith(
  text: string,
  words: Words,
): { words: Words; length: number; value: string } | undefined {
  const [before = '', after] = words.en.split(PLACE)
  if (!text.startsWith(before)) return undefined
  if (after === undefined) return { words, length: before.length, value: '' }
  let end = text.indexOf(after, before.length)
  // A value can hold what follows it, such as the full stop in a version.
  while (end !== -1 && /^\S/.test(text.slice(end + after.length)))
    end = text.indexOf(after, end + 1)
  if (end === -1) return undefined
  return { words, length: end + after.length, value: text.slice(before.length, end) }
}

function isCategory(name: string): name is FailureCategory {
  return Object.hasOwn(CATEGORIES, name)
}

function streamTitled(line: string): keyof Excerpts | undefined {
  return (['stderr', 'stdout'] as const).find((stream) => EXCERPT_TITLES[stream] === line)
}

function inOneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ')
}

function unmarked(text: string): string {
  return inOneLine(text).replaceAll(/[“”]/g, '"').replaceAll('→', '->')
}
