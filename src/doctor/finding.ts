/** Findings in the making: the four states, and what a failed command or start looks like. */

import { CATEGORIES } from '../cursor/categories.ts'
import { wordsIn } from '../cursor/cli-words.ts'
import { recogniseFailure } from '../cursor/failures.ts'
import type { Masker } from '../cursor/masking.ts'
import type { CursorStartError } from '../cursor/start-error.ts'
import type { CommandOutput } from './cli-commands.ts'
import type { Finding } from './report.ts'

type Rest<Data> = Partial<Omit<Finding<Data>, 'state' | 'summary'>>

function finding<Data>(
  state: Finding<Data>['state'],
  summary: string,
  rest: Rest<Data>,
): Finding<Data> {
  return { state, summary, details: [], nextStep: null, category: null, data: null, ...rest }
}

export function passed<Data>(summary: string, rest: Rest<Data> = {}): Finding<Data> {
  return finding('passed', summary, rest)
}

export function warning<Data>(summary: string, rest: Rest<Data> = {}): Finding<Data> {
  return finding('warning', summary, rest)
}

export function skipped<Data>(summary: string): Finding<Data> {
  return finding('skipped', summary, {})
}

/** A failed check always says what to do. */
export function failed<Data>(
  summary: string,
  rest: Rest<Data> & { readonly nextStep: string },
): Finding<Data> {
  return finding('failed', summary, rest)
}

/** What makes a start impossible, in the words of a delegation; masked. */
export function failedStart<Data>(error: CursorStartError, masker: Masker): Finding<Data> {
  const { category, happened, nextStep, details } = error
  return failed(masker.mask(happened), {
    category,
    nextStep,
    details: details.map((line) => masker.mask(line)),
  })
}

/** @returns why a command of the CLI gave no output to understand, if it did not. */
export function failedCommand<Data>(
  command: string,
  output: CommandOutput,
  { masker, limitMs }: { readonly masker: Masker; readonly limitMs: number },
): Finding<Data> | undefined {
  // What a failing command has to say, it says in its first words.
  const words = [output.stderr, output.stdout].map((text) => text.slice(0, FIRST_WORDS)).join('\n')
  const details = excerpt(words, masker)
  const inTerminal = `Run \`cursor-agent ${command}\` in a terminal to see what it says.`
  if (output.exit === undefined) {
    return failed(`\`cursor-agent ${command}\` did not end within ${limitMs / 1000} s.`, {
      category: 'timeout',
      details,
      nextStep: `${inTerminal} --limit gives it more time here.`,
    })
  }
  const recognised = recogniseFailure(wordsIn({ head: words, tail: '' }), output.exit.exitCode)
  if (recognised !== undefined) {
    const { category, nextStep } = recognised
    return failed(CATEGORIES[category].happened.en, { category, details, nextStep: nextStep.en })
  }
  const { exitCode, signal } = output.exit
  if (exitCode === 0) return undefined
  return failed(`\`cursor-agent ${command}\` ended with ${signal ?? `exit code ${exitCode}`}.`, {
    details,
    nextStep: inTerminal,
  })
}

/** Characters of each stream; masking them takes the host's time on the web page. */
const FIRST_WORDS = 8192
const EXCERPT_LINES = 4
const EXCERPT_COLUMNS = 160

/** The first lines that the CLI wrote, masked. */
export function excerpt(wholeText: string, masker: Masker): string[] {
  const text = wholeText.slice(0, 2 * FIRST_WORDS)
  return masker
    .mask(text)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, EXCERPT_LINES)
    .map((line) => (line.length > EXCERPT_COLUMNS ? `${line.slice(0, EXCERPT_COLUMNS)}...` : line))
}
