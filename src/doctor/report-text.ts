/**
 * A report for a person, in their language: the verdict first, one line for each check that ran, what to
 * do where one failed, and what was not checked. States are words, so that it reads the same without
 * colour; English is plain ASCII, so that any Windows console shows it; folded to the terminal's width.
 */

import type { styleText } from 'node:util'
import { DELEGATION_TOKENS } from '../cursor/measured.ts'
import type { Language, Words } from '../words.ts'
import { textWidth, wrapText } from '../wrap-text.ts'
import { CHECK_IDS, CHECKS } from './checks.ts'
import { filled, type Value } from './fill-sentence.ts'
import type { CheckState } from './finding.ts'
import { isTrouble, WORST_FIRST, type Check, type Report } from './report.ts'

type Format = Parameters<typeof styleText>[0]

export interface TextStyle {
  /** Columns of the terminal. */
  readonly columns: number
  paint(format: Format, text: string): string
  readonly language: Language
  /** With every line that a check has to say. */
  readonly isVerbose: boolean
  /** The self-check as it can be typed here. */
  readonly command: string
}

const STATES = {
  passed: { en: 'ok', zh: '正常', format: 'green' },
  warning: { en: 'warn', zh: '警告', format: 'yellow' },
  failed: { en: 'FAIL', zh: '失败', format: ['bold', 'red'] },
  skipped: { en: 'skip', zh: '跳过', format: 'dim' },
} as const satisfies Record<CheckState, Words & { format: Format }>

const TEXTS = {
  profile: { en: ', profile {profile}', zh: '，profile {profile}' },
  failed: {
    en: 'Delegations cannot work like this: {failed} of {ran} checks failed ({names}).',
    zh: '目前无法委派：{ran} 项检查中有 {failed} 项失败（{names}）。',
  },
  warning: {
    en: 'Nothing is known to stop a delegation: {ran} checks, none failed; look at {names}.',
    zh: '没有发现妨碍委派的问题：{ran} 项检查均未失败，但请留意：{names}。',
  },
  passed: {
    en: 'Nothing is known to stop a delegation: {ran:check:checks} passed.',
    zh: '没有发现妨碍委派的问题：{ran} 项检查全部通过。',
  },
  proven: {
    en: 'The test run worked, so delegations work with this configuration.',
    zh: '试运行成功，说明用这份配置可以委派。',
  },
  unproven: {
    en: `Only a test run proves that delegations work; it costs about ${DELEGATION_TOKENS.en} input tokens:`,
    zh: `只有试运行才能证明委派可用，约消耗 ${DELEGATION_TOKENS.zh}输入 token：`,
  },
  'not-run': { en: 'No test run was made.', zh: '没有进行试运行。' },
  'no-profile': {
    en: 'This was the default configuration; --profile <name> checks the one of a DSH profile.',
    zh: '以上检查的是默认配置；加 --profile <名称> 可检查某个 DSH profile 的配置。',
  },
  skipped: { en: 'Not checked: {parts}', zh: '未检查：{parts}' },
  'skipped-for': { en: '{names} ({why})', zh: '{names}（{why}）' },
  'not-named': { en: 'only with --profile', zh: '需加 --profile' },
  'not-asked': { en: 'only with --probe', zh: '需加 --probe' },
  row: { en: 'Row {row}', zh: '条目 {row}' },
} as const satisfies Record<string, Words>

const ARROW = '-> '
const SEMICOLON = { en: '; ', zh: '；' }
const STATE_COLUMNS = 6
const TITLE_COLUMNS = 10
/** Below this, text goes under its title instead of beside it. */
const NARROW_COLUMNS = 60
const NARROW_INDENT = 2
const LEAST_TEXT_COLUMNS = 16

export function reportText(report: Report, style: TextStyle): string {
  const { plugin, profile } = report
  const ofProfile = profile === null ? '' : said('profile', style, { profile })
  const title = `${plugin.name} ${plugin.version}${ofProfile}`
  const [shared, ...rows] = groups(report)
  const lines = (checks: readonly Check[], more: readonly Skipped[] = []): string[] => [
    ...checks.filter((check) => !isSkipped(check)).flatMap((check) => checkLines(check, style)),
    ...skippedLines([...checks.filter(isSkipped), ...more], style),
  ]
  return [
    wrapText(title, style.columns).split('\n'),
    verdictLines(report, [...shared, ...rows.flat()], style),
    lines(shared, notAsked(report)),
    ...rows.map((checks) => [
      style.paint('bold', said('row', style, { row: checks[0]?.instance ?? '' })),
      ...lines(checks),
    ]),
  ]
    .map((part) => part.map((line) => `${line.trimEnd()}\n`).join(''))
    .join('\n')
}

/** What all rows have in common, then what each has for itself. */
function groups({ checks }: Report): readonly [readonly Check[], ...(readonly Check[])[]] {
  const rows = [...new Set(checks.map(({ instance }) => instance))].filter((row) => row !== null)
  const contentOf = (check: Check): string =>
    JSON.stringify([check.id, check.state, check.summary, check.said, check.nextStep])
  const isShared = (check: Check): boolean =>
    rows.every((row) =>
      checks.some((other) => other.instance === row && contentOf(other) === contentOf(check)),
    )
  const shared = checks.filter((check) => check.instance === null || isShared(check))
  return [
    shared.filter(({ instance }) => instance === null || instance === rows[0]),
    ...rows
      .map((row) => checks.filter((check) => check.instance === row && !shared.includes(check)))
      .filter((own) => own.length > 0),
  ]
}

function verdictLines(report: Report, findings: readonly Check[], style: TextStyle): string[] {
  // A check with two findings is one check.
  const countOf = (found: readonly Check[]): number =>
    new Set(found.map(({ id, instance }) => `${id} ${instance}`)).size
  const inState = (state: CheckState): readonly Check[] =>
    findings.filter((each) => each.state === state)
  const state = WORST_FIRST.find((each) => inState(each).length > 0) ?? 'passed'
  const verdict = said(state, style, {
    failed: countOf(inState('failed')),
    ran: countOf(findings) - countOf(inState('skipped')),
    names: [...new Set(inState(state).map(({ id }) => CHECKS[id].title))],
  })
  const prose = (text: keyof typeof TEXTS): string[] =>
    wrapText(said(text, style), style.columns).split('\n')
  const probes = report.checks.filter(({ id }) => id === 'probe')
  const proof =
    probes.length > 0 && probes.every(isSkipped)
      ? prose('not-run')
      : state === 'failed'
        ? []
        : report.proven
          ? prose('proven')
          : [...prose('unproven'), `  ${style.command} --probe`]
  return [
    ...wrapText(verdict, style.columns)
      .split('\n')
      .map((line) => style.paint(STATES[state].format, line)),
    ...proof,
    ...(report.profile === null ? prose('no-profile') : []),
  ]
}

/** A check that was not made, and why. */
type Skipped = Pick<Check, 'id' | 'summary'>

const isSkipped = ({ state, kind }: Check): boolean => state === 'skipped' && kind !== 'same-cause'

function notAsked({ profile, ok, checks }: Report): readonly Skipped[] {
  const isProbed = checks.some(({ id }) => id === 'probe')
  return [
    ...CHECK_IDS.filter((id) => profile === null && CHECKS[id].of === 'profile').map((id) => ({
      id,
      summary: TEXTS['not-named'],
    })),
    // Where all is well, the verdict says how to make one.
    ...(ok || isProbed ? [] : [{ id: 'probe' as const, summary: TEXTS['not-asked'] }]),
  ]
}

function skippedLines(skipped: readonly Skipped[], style: TextStyle): string[] {
  if (skipped.length === 0) return []
  const reasons = new Set(skipped.map(({ summary }) => summary[style.language]))
  const parts = [...reasons].map((why) => {
    const ids = skipped.filter(({ summary }) => summary[style.language] === why)
    return said('skipped-for', style, { why, names: ids.map(({ id }) => CHECKS[id].title) })
  })
  const all = said('skipped', style, { parts: parts.join(SEMICOLON[style.language]) })
  const head = padded(STATES.skipped[style.language], STATE_COLUMNS)
  return beside(head, folded(all, STATE_COLUMNS, style), STATE_COLUMNS).map((line) =>
    style.paint('dim', line),
  )
}

function said(
  text: keyof typeof TEXTS,
  { language }: TextStyle,
  values: Readonly<Record<string, Value>> = {},
): string {
  return filled<string>(TEXTS[text], values)[language]
}

function checkLines(check: Check, style: TextStyle): string[] {
  const { language, command, isVerbose, paint } = style
  const { id, state, summary, nextStep, details } = check
  const isNarrow = style.columns < NARROW_COLUMNS
  const indent = isNarrow ? NARROW_INDENT : STATE_COLUMNS + TITLE_COLUMNS
  const isBad = isTrouble(check)
  const commands = { doctor: command, probe: `\`${command} --probe\`` }
  const step = nextStep === null ? '' : filled(nextStep, commands)[language]
  const lines = [
    ...folded(summary[language], indent, style),
    ...(isBad || isVerbose ? check.said.flatMap((line) => folded(`> ${line}`, indent, style)) : []),
    ...beside(ARROW, withCommands(step, indent + ARROW.length, style), ARROW.length).map((line) =>
      state === 'failed' ? paint('bold', line) : line,
    ),
    ...(isVerbose ? details : []).flatMap((line) =>
      withCommands(line[language], indent, style).map((each) => paint('dim', each)),
    ),
  ]
  const head =
    paint(STATES[state].format, padded(STATES[state][language], STATE_COLUMNS)) +
    paint('bold', padded(CHECKS[id].title[language], isNarrow ? 0 : TITLE_COLUMNS))
  return beside(head, isNarrow ? ['', ...lines] : lines, indent)
}

/** The first line behind `head`, the others indented as far as that is wide. */
function beside(head: string, lines: readonly string[], indent: number): string[] {
  return lines.map((line, at) => (at === 0 ? head : ' '.repeat(indent)) + line)
}

function padded(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - textWidth(text)))
}

/** Folds at white space and behind the separators of paths; only what still does not fit is cut. */
function folded(text: string, indent: number, { columns }: TextStyle): string[] {
  return wrapText(text, Math.max(LEAST_TEXT_COLUMNS, columns - indent)).split('\n')
}

/** Any code; a command has several words, a setting such as `name: value` is none. */
const CODE = /(`[^`]+`)/
const COMMAND = /^`(?!\w+: )([^`\s]+\s[^`]+)`$/

/** As `folded`, with each command on a line of its own, whole, so that it can be copied. */
function withCommands(text: string, indent: number, style: TextStyle): string[] {
  const lines: string[] = []
  let prose = ''
  const flush = (): void => {
    // What is left of the punctuation behind a command.
    prose = prose.replace(/^[.,;。，；]?\s*/, '').trimEnd()
    if (prose !== '') lines.push(...folded(prose, indent, style))
    prose = ''
  }
  for (const part of text.split(CODE)) {
    const command = COMMAND.exec(part)?.[1]
    if (command === undefined) prose += part
    else {
      flush()
      lines.push(`  ${command}`)
    }
  }
  flush()
  return lines
}
