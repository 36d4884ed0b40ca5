/**
 * A report for a person, in their language: the verdict first, then one line a check, and what to do
 * where one failed. States are words, so that it reads the same without colour; English is plain
 * ASCII, so that any Windows console shows it; folded to the terminal's width.
 */

import type { Colors } from 'picocolors/types.js'
import type { Language, Words } from '../words.ts'
import { textWidth, wrapText } from '../wrap-text.ts'
import { filled, TITLES } from './findings.ts'
import type { Check, CheckState, Report } from './report.ts'

export interface TextStyle {
  /** Columns of the terminal. */
  readonly columns: number
  readonly colors: Colors
  readonly language: Language
  /** With every line that a check has to say. */
  readonly isVerbose: boolean
  /** The self-check as it can be typed here. */
  readonly command: string
}

const STATES = {
  passed: { en: 'ok', zh: '正常' },
  warning: { en: 'warn', zh: '注意' },
  failed: { en: 'FAIL', zh: '失败' },
  skipped: { en: 'skip', zh: '跳过' },
} as const satisfies Record<CheckState, Words>

const VERDICTS = {
  failed: {
    en: 'Delegations cannot work like this: {failed} of {ran} checks failed ({names}).',
    zh: '目前无法委派：{ran} 项检查中有 {failed} 项失败（{names}）。',
  },
  warned: {
    en: 'Nothing is known to stop a delegation: {ran} checks, none failed; look at {names}.',
    zh: '没有发现妨碍委派的问题：{ran} 项检查均未失败，但请留意：{names}。',
  },
  passed: {
    en: 'Nothing is known to stop a delegation: {ran:check:checks} passed.',
    zh: '没有发现妨碍委派的问题：{ran} 项检查全部通过。',
  },
  proven: {
    en: 'The test run worked, so delegations work with this configuration.',
    zh: '试运行成功，委派在这份配置下可用。',
  },
  unproven: {
    en: 'Only a test run proves that delegations work; it costs about 10,000 input tokens:',
    zh: '只有试运行才能证明委派可用，约消耗 1 万输入 token：',
  },
  'no-profile': {
    en: 'This was the default configuration; --profile <name> checks the one of a DSH profile.',
    zh: '以上检查的是默认配置；加 --profile <名称> 可检查某个 DSH profile 的配置。',
  },
  rows: { en: 'Row {row}', zh: '条目 {row}' },
} as const satisfies Record<string, Words>

const STATE_COLUMNS = 6
const TITLE_COLUMNS = 10
/** Below this, text goes under its title instead of beside it. */
const NARROW_COLUMNS = 60
const NARROW_INDENT = 2
const LEAST_TEXT_COLUMNS = 16

export function reportText(report: Report, style: TextStyle): string {
  const { plugin, profile } = report
  const whose = profile === null ? '' : `, profile ${profile}`
  const shown = groups(report)
  const parts = [
    wrapText(`${plugin.name} ${plugin.version}${whose}`, style.columns),
    verdictText(
      report,
      shown.flatMap(({ checks }) => checks),
      style,
    ),
    ...shown.map(({ row, checks }) => {
      const lines = checks
        .filter(({ kind }) => style.isVerbose || kind !== 'not-checked')
        .map((check) => checkText(check, style))
      const head = row === null ? '' : `${style.colors.bold(said('rows', { row }, style))}\n`
      return lines.length === 0 ? '' : head + lines.join('')
    }),
  ]
  return parts
    .filter((part) => part !== '')
    .map((part) => (part.endsWith('\n') ? part : `${part}\n`))
    .join('\n')
}

interface Group {
  readonly row: string | null
  readonly checks: readonly Check[]
}

/** Checks of all rows stand together; those of one row alone under its name. */
function groups({ checks }: Report): readonly Group[] {
  const rows = [...new Set(checks.map(({ instance }) => instance))].filter((row) => row !== null)
  const contentOf = (check: Check): string =>
    JSON.stringify([check.id, check.state, check.summary, check.said, check.nextStep])
  const isShared = (check: Check): boolean =>
    rows.every((row) =>
      checks.some((other) => other.instance === row && contentOf(other) === contentOf(check)),
    )
  const shared = checks.filter((check) => check.instance === null || isShared(check))
  return [
    {
      row: null,
      checks: shared.filter(({ instance }) => instance === null || instance === rows[0]),
    },
    ...rows.map((row) => ({
      row,
      checks: checks.filter((check) => check.instance === row && !shared.includes(check)),
    })),
  ]
}

function verdictText(report: Report, checks: readonly Check[], style: TextStyle): string {
  const { colors, columns, command, language } = style
  const inState = (state: CheckState): readonly Check[] =>
    checks.filter((check) => check.state === state)
  const [failed, warned] = [inState('failed'), inState('warning')]
  const worst = failed.length > 0 ? failed : warned
  const names = [...new Set(worst.map(({ id }) => TITLES[id][language]))]
  const values = {
    failed: failed.length,
    ran: checks.length - inState('skipped').length,
    names: names.join({ en: ', ', zh: '、' }[language]),
  }
  const verdict = failed.length > 0 ? 'failed' : warned.length > 0 ? 'warned' : 'passed'
  const paint = { failed: colors.red, warned: colors.yellow, passed: colors.green }[verdict]
  const lines = wrapText(said(verdict, values, style), columns)
    .split('\n')
    .map(paint)
  if (report.proven) lines.push(wrapText(said('proven', {}, style), columns))
  else if (failed.length === 0) {
    lines.push(wrapText(said('unproven', {}, style), columns), `  ${command} --probe`)
  }
  if (report.profile === null) lines.push(wrapText(said('no-profile', {}, style), columns))
  return lines.join('\n')
}

function said(
  part: keyof typeof VERDICTS,
  values: Readonly<Record<string, string | number>>,
  { language }: TextStyle,
): string {
  return filled(VERDICTS[part], values)[language]
}

/** One check, with a line end. */
function checkText(check: Check, style: TextStyle): string {
  const { colors, language, command, isVerbose } = style
  const { state, summary, nextStep, details } = check
  const paint = {
    passed: colors.green,
    warning: colors.yellow,
    failed: (text: string) => colors.bold(colors.red(text)),
    skipped: colors.dim,
  }[state]
  const isNarrow = style.columns < NARROW_COLUMNS
  const indent = isNarrow ? NARROW_INDENT : STATE_COLUMNS + TITLE_COLUMNS
  const head =
    paint(padded(STATES[state][language], STATE_COLUMNS)) +
    colors.bold(padded(TITLES[check.id][language], isNarrow ? 0 : TITLE_COLUMNS))
  const commands = { doctor: command, probe: `\`${command} --probe\`` }
  const step = nextStep === null ? '' : filled(nextStep, commands)[language]
  const isBad = state === 'failed' || state === 'warning'
  const paragraphs = [
    ...folded(summary[language], indent, style),
    ...(isBad || isVerbose ? check.said.flatMap((line) => folded(`> ${line}`, indent, style)) : []),
    ...(step === ''
      ? []
      : folded(`-> ${step}`, indent, style).map(state === 'failed' ? colors.bold : String)),
    ...(isVerbose
      ? details.flatMap((line) => folded(line[language], indent, style).map(colors.dim))
      : []),
  ]
  const margin = ' '.repeat(indent)
  const [first = '', ...rest] = isNarrow ? ['', ...paragraphs] : paragraphs
  const lines = [`${head}${first}`, ...rest.map((line) => `${margin}${line}`)]
  return lines.map((line) => `${line.trimEnd()}\n`).join('')
}

function padded(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - textWidth(text)))
}

/** Folds at white space and behind the separators of paths; only what still does not fit is cut. */
function folded(text: string, indent: number, { columns }: TextStyle): string[] {
  const room = Math.max(LEAST_TEXT_COLUMNS, columns - indent)
  return wrapText(text, room).split('\n')
}
