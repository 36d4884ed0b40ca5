/** Check: whether the row's own settings leave a run any chance, and the command line that they make. */

import { extraArgsFaults } from '../../cursor/extra-args.ts'
import { START_SECONDS } from '../../cursor/measured.ts'
import { TIME_LIMIT_NAMES, TIME_LIMITS } from '../../cursor/time-limits.ts'
import { same } from '../../words.ts'
import { sayer, type Finding, type Findings } from '../finding.ts'
import type { Subject } from '../check-input.ts'
import { shownArguments } from '../shown-paths.ts'

const REMOVE = {
  enNext: 'Remove it from `extraArgs`.',
  zhNext: '请从 `extraArgs` 中删除它。',
} as const
const LENGTHEN = {
  enNext: 'Set `{field}` to at least {short}, or leave it out.',
  zhNext: '请把 `{field}` 设为 {short} 以上，或去掉它。',
} as const

const FINDINGS = {
  'config-ok': { en: 'No option and no limit stops a run', zh: '没有妨碍运行的参数或时限' },
  'args-break': {
    en: 'extraArgs: {option} takes away what every run depends on, so no run can work.',
    zh: 'extraArgs：{option} 会破坏运行的前提，任何委派都无法成功。',
    ...REMOVE,
  },
  'args-touch-stream': {
    en: 'extraArgs: {option} touches the stream or the one fresh chat that every run depends on.',
    zh: 'extraArgs：委派需要固定格式的输出流和全新的会话，{option} 会影响这两点。',
    ...REMOVE,
  },
  'args-stray': {
    en: 'extraArgs: entry {position} follows no option, so the CLI takes it for part of the prompt.',
    zh: 'extraArgs：第 {position} 项前面没有选项，CLI 会把它当作提示词的一部分。',
    ...REMOVE,
  },
  'args-widen': {
    en: 'extraArgs: with {options} a run can do more than permissionMode {mode} says.',
    zh: 'extraArgs：加了 {options}，运行时的权限会超出 permissionMode {mode} 的范围。',
    enNext: 'Remove it from `extraArgs`, or set the `permissionMode` that says so.',
    zhNext: '请从 `extraArgs` 中删除，或者改用与之相符的 `permissionMode`。',
  },
  'limit-too-short': {
    en: '{field} is {ms} ms, and the CLI alone takes {least} to {most} s to start, so no run can work.',
    zh: '{field} 为 {ms} 毫秒，而 CLI 启动就要 {least} 到 {most} 秒，任何运行都无法成功。',
    ...LENGTHEN,
  },
  'limit-short': {
    en: '{field} is {ms} ms; the CLI takes {least} to {most} s to start, and healthy runs have been silent for minutes.',
    zh: '{field} 为 {ms} 毫秒；CLI 启动要 {least} 到 {most} 秒，正常运行也可能几分钟没有输出。',
    ...LENGTHEN,
  },
} as const satisfies Findings

const finding = sayer(FINDINGS)

export const configCheck = {
  of: 'row',
  title: { en: 'Command', zh: '命令行' },
  findings: FINDINGS,
  after: ['profile'],
  look: checkConfig,
} as const

const FAULTS = {
  fatal: 'args-break',
  breaking: 'args-touch-stream',
  stray: 'args-stray',
  widening: 'args-widen',
} as const

/** Its data: the arguments of a run, with secrets masked. */
function checkConfig(subject: Subject): readonly Finding<{ readonly args: string }>[] {
  const { config } = subject
  const { permissionMode: mode } = config
  const limits = TIME_LIMIT_NAMES.flatMap((field) => {
    const ms = config[field]
    const short = TIME_LIMITS[field].shortBelowMs
    if (ms === undefined || ms >= short) return []
    const values = { field, ms, ...START_SECONDS, short }
    return ms < START_SECONDS.least * 1000
      ? [finding('failed', 'limit-too-short', values)]
      : [finding('warning', 'limit-short', values)]
  })
  const faults = extraArgsFaults(config).map((fault) => {
    const values = { option: '', position: 0, options: [], mode, ...fault }
    return finding(fault.kind === 'fatal' ? 'failed' : 'warning', FAULTS[fault.kind], values)
  })
  const args = shownArguments(subject)
  const rest = { data: { args }, details: [same(`\`cursor-agent ${args}\``)] }
  const troubles = [...limits, ...faults]
  return troubles.length > 0 ? troubles : [finding('passed', 'config-ok', {}, rest)]
}
