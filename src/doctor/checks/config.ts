/** Check: whether the row's own settings leave a run any chance, and the command line that they make. */

import { extraArgsFaults } from '../../cursor/extra-args.ts'
import { SHORT_LIMIT_MS, START_SECONDS, TIME_LIMIT_NAMES } from '../../cursor/time-limits.ts'
import { finding, note } from '../finding.ts'
import type { CheckData, Finding } from '../report.ts'
import { shownArguments, type Subject } from '../subject.ts'

export function checkConfig(subject: Subject): readonly Finding<CheckData['config']>[] {
  const { config } = subject
  const { permissionMode: mode } = config
  const limits = TIME_LIMIT_NAMES.flatMap((field) => {
    const ms = config[field]
    if (ms === undefined || ms >= SHORT_LIMIT_MS) return []
    const values = { field, ms, ...START_SECONDS, short: SHORT_LIMIT_MS }
    return ms < START_SECONDS.least * 1000
      ? [finding('failed', 'limit-too-short', values)]
      : [finding('warning', 'limit-short', values)]
  })
  const faults = extraArgsFaults(config).map((fault) => {
    switch (fault.kind) {
      case 'fatal':
        return finding('failed', 'args-break', { option: fault.option })
      case 'breaking':
        return finding('warning', 'args-touch-stream', { option: fault.option })
      case 'stray':
        return finding('warning', 'args-stray', { position: fault.position })
      case 'widening':
        return finding('warning', 'args-widen', { options: fault.options, mode })
    }
  })
  const args = shownArguments(subject)
  const troubles = [...limits, ...faults]
  if (troubles.length > 0) return troubles
  const rest = { data: { args }, details: [note('command', { args })] }
  return [finding('passed', 'config-ok', {}, rest)]
}
