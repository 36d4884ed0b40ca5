/**
 * What a check says: one finding, by a kind of the check's own, by a failure's category, or for a command
 * of the CLI that failed. Whose finding it is, and how it looks, is not known here.
 */

import { CATEGORIES, type FailureCategory } from '../cursor/failures/categories.ts'
import { sentenceLines, wordsIn } from '../cursor/failures/quotation.ts'
import { happenedIn, nextStepIn } from '../cursor/failures/format.ts'
import { recogniseFailure } from '../cursor/failures.ts'
import { plain, type Masker } from '../cursor/masking.ts'
import type { CursorStartError } from '../cursor/start-error.ts'
import { same, type Words } from '../words.ts'
import type { CommandOutput } from './cli-commands.ts'
import { filled, type ValuesOf } from './fill-sentence.ts'

/** `warning` counts as passed; `skipped` means that an earlier check made this one pointless. */
export type CheckState = 'passed' | 'warning' | 'failed' | 'skipped'

export interface Finding<Data = unknown> {
  readonly state: CheckState
  /** One of the check's own, or a failure's category. */
  readonly kind: string
  /** One sentence. */
  readonly summary: Words
  /** What to do; always given when the check failed. */
  readonly nextStep: Words | null
  /** The CLI's own words, masked. */
  readonly said: readonly string[]
  /** Further lines, for whoever wants to know more. */
  readonly details: readonly Words[]
  /** As in a delegation's diagnostic, when the check failed in a known way. */
  readonly category: FailureCategory | null
  readonly data: Data | null
}

/** A check's own findings: what was found in one sentence, and what to do next. */
export type Findings = Readonly<
  Record<string, Words & Partial<Record<'enNext' | 'zhNext', string>>>
>

type Rest<Data> = Partial<Pick<Finding<Data>, 'said' | 'details' | 'category' | 'data'>>

type EnglishOf<Says> =
  | (Says extends { en: infer Text extends string } ? Text : never)
  | (Says extends { enNext: infer Text extends string } ? Text : never)

/** @returns what makes findings of a check's own, in the words of their kind. */
export function sayer<const Own extends Findings>(own: Own) {
  return <Kind extends keyof Own & string, Data = never>(
    state: CheckState,
    kind: Kind,
    values: ValuesOf<EnglishOf<Own[Kind]>>,
    rest: Rest<Data> = {},
  ): Finding<Data> => {
    const { enNext: en, zhNext: zh, ...says } = own[kind] as Findings[string]
    return {
      state,
      kind,
      summary: filled<string>(says, values),
      nextStep: en === undefined || zh === undefined ? null : filled<string>({ en, zh }, values),
      said: [],
      details: [],
      category: null,
      data: null,
      ...rest,
    }
  }
}

export const LOG_IN = {
  enNext:
    'Log in, in a terminal: `cursor-agent login`. Or give a CURSOR_API_KEY in `env` of the configuration.',
  zhNext: '请在终端里登录：`cursor-agent login`。或者在配置的 `env` 中提供 CURSOR_API_KEY。',
} as const

/** Of more than one check. */
export const SHARED = {
  'not-checked': { en: '{check} failed', zh: '“{check}”失败' },
  'same-cause': {
    en: 'Fails for the reason told above ({check})',
    zh: '失败原因同上（见“{check}”）',
  },
  'command-timeout': {
    en: '`cursor-agent {command}` did not end within {seconds} s.',
    zh: '`cursor-agent {command}` 在 {seconds} 秒内没有结束。',
    enNext: 'If the network is slow, give it more time: `{doctor} --limit {longer}`.',
    zhNext: '如果网络较慢，可以放宽时限：`{doctor} --limit {longer}`。',
  },
  'command-failed': {
    en: '`cursor-agent {command}` ended with {exit}.',
    zh: '`cursor-agent {command}` 以 {exit} 结束。',
    enNext:
      "Go by the CLI's own words here. A damaged install is mended by an update: `cursor-agent update`.",
    zhNext: '请按此处 CLI 的提示处理。如果是安装损坏，更新即可修复：`cursor-agent update`。',
  },
  'not-understood': {
    en: 'The answer of `cursor-agent {command}` is not understood.',
    zh: '无法识别 `cursor-agent {command}` 的输出。',
    enNext: 'Make a test run to see whether delegations work: {probe}.',
    zhNext: '请试运行，看委派是否可用：{probe}。',
  },
} as const satisfies Findings

export const shared: ReturnType<typeof sayer<typeof SHARED>> = sayer(SHARED)

/** A failure as a delegation has it. */
export function failure<Data>(
  category: FailureCategory,
  text: { readonly happened?: string; readonly nextStep?: string | Words } = {},
  rest: Rest<Data> = {},
): Finding<Data> {
  const { nextStep } = CATEGORIES[category]
  const { happened = CATEGORIES[category].happened.en } = text
  return {
    state: 'failed',
    kind: category,
    summary: { en: happened, zh: happenedIn('zh', { category, happened }) },
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
    return shared('failed', 'command-timeout', values, { category: 'timeout', said })
  }
  const { exitCode, signal } = output.exit
  const recognised = recogniseFailure(wordsIn({ head: words, tail: '' }), exitCode)
  if (recognised !== undefined) {
    return failure(recognised.category, { nextStep: recognised.nextStep }, { said })
  }
  if (exitCode === 0) return undefined
  const exit = signal ?? { en: `exit code ${exitCode}`, zh: `退出码 ${exitCode}` }
  return shared('failed', 'command-failed', { command, exit }, { said })
}

/** What the CLI answered and nobody understands. */
export function notUnderstood(
  command: string,
  { stdout }: CommandOutput,
  { masker }: { readonly masker: Masker },
): Finding<never> {
  return shared('warning', 'not-understood', { command }, { said: excerpt(stdout, masker) })
}

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
