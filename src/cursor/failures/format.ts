/**
 * The format of a failure's text: written here and read back here, because the row in the web page
 * has nothing but the text of a failed call. Free of Node for that reason. What the parts say is
 * decided in `../outcome.ts`; how much of the CLI's output is shown, in `diagnostic.ts`.
 */

import type { Language, Words } from '../../words.ts'
import { ADVICE, CATEGORIES, type FailureCategory } from './categories.ts'

/** The first line of a failure. Whatever comes from the CLI in it is masked already. */
export interface Headline {
  readonly category: FailureCategory
  /** What happened, as one or two sentences. */
  readonly happened: string
  /** The CLI's own sentence. */
  readonly said?: string | undefined
  /** What a person does next. */
  readonly nextStep: string
}

/** Lines that the CLI wrote, by where it wrote them. */
export type Excerpts = Readonly<Record<'stderr' | 'stdout', readonly string[]>>

export interface FailureText extends Headline {
  readonly facts: readonly string[]
  readonly excerpts: Excerpts
}

/** The self-check where nobody knows better: it is on the PATH of whoever installed the package. */
export const DEFAULT_DOCTOR = 'dsh-subagent-cursor doctor'

/** @returns `text` with the self-check's command in it, as it can be typed in this profile. */
export function withDoctor(text: string, doctorCommand: string = DEFAULT_DOCTOR): string {
  return text.replaceAll('{doctor}', () => doctorCommand)
}

// No part may hold the marks by which the line is read back.
const SAID = { before: ' The CLI says: “', after: '”' } as const
const NEXT = ' → '
const EXCERPT_TITLES = {
  stderr: 'stderr:',
  stdout: 'other lines on stdout:',
} as const satisfies Record<keyof Excerpts, string>
/** No fact is indented like this, so that no line of the CLI's can be taken for one. */
const INDENT = '  '

/** `category: happened The CLI says: “said” → next step`, in one line. */
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
 * @param text as {@link failureText} made it, or as the host records it for a call that threw.
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

/** @returns a next step in another language, as the tables have it; what is in none of them stays. */
export function nextStepIn(language: Language, nextStep: string): string {
  const translated: string[] = []
  let rest = nextStep
  while (rest !== '') {
    const found = NEXT_STEPS.map((words) => startsWith(rest, words)).find(Boolean)
    if (found === undefined) return [...translated, rest].join(' ')
    translated.push(withDoctor(found.words[language], found.doctorCommand))
    rest = rest.slice(found.length).trimStart()
  }
  return translated.join(language === 'zh' ? '' : ' ')
}

const NEXT_STEPS: readonly Words[] = [
  ...Object.values(ADVICE),
  ...Object.values(CATEGORIES).flatMap(({ happened, nextStep }) => [happened, nextStep]),
]

/** Whether `text` starts with the English of `words`, and with which self-check command in it. */
function startsWith(
  text: string,
  words: Words,
): { words: Words; length: number; doctorCommand?: string } | undefined {
  const [before = '', after] = words.en.split('{doctor}')
  if (!text.startsWith(before)) return undefined
  if (after === undefined) return { words, length: before.length }
  const end = text.indexOf(after, before.length)
  if (end === -1) return undefined
  return { words, length: end + after.length, doctorCommand: text.slice(before.length, end) }
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
