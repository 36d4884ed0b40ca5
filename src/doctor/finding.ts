/** Findings in the making: by their kind, by a failure's category, and for a command that failed. */

import { CATEGORIES, type FailureCategory } from '../cursor/categories.ts'
import { sentenceLines, wordsIn } from '../cursor/cli-words.ts'
import { nextStepIn } from '../cursor/failure-text.ts'
import { recogniseFailure } from '../cursor/failures.ts'
import { plain, type Masker } from '../cursor/masking.ts'
import type { CursorStartError } from '../cursor/start-error.ts'
import { same, type Words } from '../words.ts'
import type { CommandOutput } from './cli-commands.ts'
import {
  filled,
  FINDINGS,
  NOTES,
  type NoteKind,
  type NoteValues,
  type OwnKind,
  type Value,
  type ValuesOf,
} from './findings.ts'
import type { CheckState, Finding } from './report.ts'

type Rest<Data> = Partial<Pick<Finding<Data>, 'said' | 'details' | 'category' | 'data'>>

/** A finding of the self-check's own, in the words of its kind. */
export function finding<Kind extends OwnKind, Data = never>(
  state: CheckState,
  kind: Kind,
  values: ValuesOf<Kind>,
  rest: Rest<Data> = {},
): Finding<Data> {
  const { says, next }: { readonly says: Words; readonly next?: Words } = FINDINGS[kind]
  return {
    state,
    kind,
    summary: filled(says, values),
    nextStep: next === undefined ? null : filled(next, values),
    said: [],
    details: [],
    category: null,
    data: null,
    ...rest,
  }
}

export function note<Kind extends NoteKind>(kind: Kind, values: NoteValues<Kind>): Words {
  return filled(NOTES[kind], values as Readonly<Record<string, Value>>)
}

/** A failure as a delegation has it. */
export function failure<Data>(
  category: FailureCategory,
  text: { readonly happened?: string; readonly nextStep?: string | Words } = {},
  rest: Rest<Data> = {},
): Finding<Data> {
  const { happened, nextStep } = CATEGORIES[category]
  return {
    state: 'failed',
    kind: category,
    // What is said of this run alone stands in English; the CLI's own words are below it anyway.
    summary: { en: text.happened ?? happened.en, zh: happened.zh },
    nextStep:
      typeof text.nextStep === 'string'
        ? { en: text.nextStep, zh: nextStepIn('zh', text.nextStep) }
        : (text.nextStep ?? nextStep),
    said: [],
    details: [],
    data: null,
    ...rest,
    category,
  }
}

/** What makes a start impossible, in the words of a delegation; masked. */
export function failedStart<Data>(error: CursorStartError, masker: Masker): Finding<Data> {
  const { category, happened, nextStep, details } = error
  return failure(
    category,
    { happened: masker.mask(happened), nextStep },
    { details: details.map((line) => same(masker.mask(line))) },
  )
}

/** @returns why a command of the CLI gave no output to understand, if it did not. */
export function failedCommand<Data>(
  command: string,
  output: CommandOutput,
  { masker, limitMs }: { readonly masker: Masker; readonly limitMs: number },
): Finding<Data> | undefined {
  // What a failing command has to say, it says in its first words.
  const words = [output.stderr, output.stdout].map((text) => text.slice(0, FIRST_WORDS)).join('\n')
  const said = excerpt(words, masker)
  if (output.exit === undefined) {
    const seconds = limitMs / 1000
    const values = { command, seconds, longer: Math.ceil(seconds * 3) }
    return finding('failed', 'command-timeout', values, { category: 'timeout', said })
  }
  const recognised = recogniseFailure(wordsIn({ head: words, tail: '' }), output.exit.exitCode)
  if (recognised !== undefined) {
    const { category, nextStep } = recognised
    return failure(category, { nextStep }, { said })
  }
  const { exitCode, signal } = output.exit
  if (exitCode === 0) return undefined
  const exit = signal === null ? EXIT(exitCode) : same(signal)
  return finding('failed', 'command-failed', { command, exit }, { said })
}

const EXIT = (code: number | null): Words => ({ en: `exit code ${code}`, zh: `退出码 ${code}` })

/** Characters of each stream; masking them takes the host's time on the web page. */
const FIRST_WORDS = 8192
const EXCERPT_LINES = 4
const EXCERPT_COLUMNS = 160

/** The first lines that the CLI wrote, masked. */
export function excerpt(wholeText: string, masker: Masker): string[] {
  const text = wholeText.slice(0, 2 * FIRST_WORDS)
  return sentenceLines(plain(masker.mask(text)).split('\n'))
    .map((line) => line.trim())
    .slice(0, EXCERPT_LINES)
    .map((line) => (line.length > EXCERPT_COLUMNS ? `${line.slice(0, EXCERPT_COLUMNS)}...` : line))
}
