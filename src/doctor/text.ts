/**
 * A report for a person: plain ASCII of its own, so that a Windows console shows it; states are
 * words, so that it reads the same without colour; folded to the terminal's width.
 */

import type { Colors } from 'picocolors/types.js'
import { wrapText } from '../wrap-text.ts'
import type { Check, CheckId, CheckState, Report } from './report.ts'

export interface TextStyle {
  /** Columns of the terminal. */
  readonly columns: number
  readonly colors: Colors
}

export const TITLES = {
  platform: 'Platform',
  profile: 'Profile',
  install: 'Install',
  'permission-mode': 'Mode',
  proxy: 'Proxy',
  version: 'Version',
  login: 'Login',
  models: 'Models',
  probe: 'Probe',
} as const satisfies Record<CheckId, string>

const STATES = {
  passed: 'ok',
  warning: 'warn',
  failed: 'FAIL',
  skipped: 'skip',
} as const satisfies Record<CheckState, string>

const STATE_COLUMNS = 6
const TITLE_COLUMNS = 10
/** Below this, text goes under its title instead of beside it. */
const NARROW_COLUMNS = 60
const NARROW_INDENT = 2
const LEAST_TEXT_COLUMNS = 16

/** One check, with a line end. */
export function checkText(check: Check, style: TextStyle): string {
  const { colors } = style
  const paint = {
    passed: colors.green,
    warning: colors.yellow,
    failed: (text: string) => colors.bold(colors.red(text)),
    skipped: colors.dim,
  }[check.state]
  const isNarrow = style.columns < NARROW_COLUMNS
  const indent = isNarrow ? NARROW_INDENT : STATE_COLUMNS + TITLE_COLUMNS
  const head =
    paint(STATES[check.state].padEnd(STATE_COLUMNS)) +
    colors.bold(TITLES[check.id].padEnd(isNarrow ? 0 : TITLE_COLUMNS))
  const step = check.nextStep === null ? [] : folded(`-> ${check.nextStep}`, indent, style)
  const paragraphs = [
    // The category is what the README's table of failures goes by.
    ...folded(
      check.category === null ? check.summary : `${check.category}: ${check.summary}`,
      indent,
      style,
    ),
    ...step.map(check.state === 'failed' ? colors.bold : String),
    ...check.details.flatMap((line) => folded(line, indent, style).map(colors.dim)),
  ]
  const margin = ' '.repeat(indent)
  const [first = '', ...rest] = isNarrow ? ['', ...paragraphs] : paragraphs
  const lines = [`${head}${first}`, ...rest.map((line) => `${margin}${line}`)]
  return lines.map((line) => `${line.trimEnd()}\n`).join('')
}

/** What stands above the checks of one of several instances. */
export function instanceText(instance: string, { colors }: TextStyle): string {
  return `\n${colors.bold(`Row ${instance}`)}\n`
}

export function headText(
  { plugin, profile }: Pick<Report, 'plugin' | 'profile'>,
  style: TextStyle,
): string {
  const whose = profile === null ? '' : `, profile ${profile}`
  return `${wrapText(`${plugin.name} ${plugin.version}${whose}`, style.columns)}\n\n`
}

/** The last lines: how many passed, and what that proves. */
export function verdictText(report: Report, style: TextStyle): string {
  const { colors, columns } = style
  const { checks } = report
  const count = (state: CheckState): number =>
    checks.filter((check) => check.state === state).length
  const failed = count('failed')
  const warnings = count('warning')
  const skipped = count('skipped')
  const ran = checks.length - skipped
  const verdict =
    failed > 0
      ? colors.red(
          `${failed} of ${ran} checks failed${skipped === 0 ? '' : `, ${skipped} not made`}.`,
        )
      : colors.green(
          `All ${ran} checks passed${warnings === 0 ? '' : `, ${warnings} with a warning`}.`,
        )
  const lines = [verdict]
  if (report.proven) lines.push('The probe ran to its end, so runs work with this configuration.')
  else if (failed === 0) {
    lines.push('Only `doctor --probe` proves that a run works: it makes one, at a small cost.')
  }
  if (report.profile === null) {
    lines.push("This was the default configuration; `--profile <name>` checks a DSH profile's own.")
  }
  return `\n${lines.map((line) => wrapText(line, columns)).join('\n')}\n`
}

function folded(text: string, indent: number, { columns }: TextStyle): string[] {
  const room = Math.max(LEAST_TEXT_COLUMNS, columns - indent)
  return wrapText(text, room).split('\n')
}
