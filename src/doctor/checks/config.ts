/** Check: whether the row's own settings leave a run any chance, and the command line that they make. */

import { extraArgsFaults } from '../../cursor/extra-args.ts'
import { finding } from '../finding.ts'
import type { CheckData, Finding } from '../report.ts'
import { shownArguments, type Subject } from '../subject.ts'

/** ms; the fastest cold start to the first event that was measured. */
const FASTEST_START_MS = 3000
/** ms; below it a slow start alone can end a run. */
const SHORT_LIMIT_MS = 30_000

export function checkConfig(subject: Subject): readonly Finding<CheckData['config']>[] {
  const { config } = subject
  const { permissionMode: mode } = config
  const limits = (['timeoutMs', 'stallTimeoutMs'] as const).flatMap((field) => {
    const ms = config[field]
    if (ms === undefined || ms >= SHORT_LIMIT_MS) return []
    return ms < FASTEST_START_MS
      ? [finding('failed', 'limit-too-short', { field, ms })]
      : [finding('warning', 'limit-short', { field, ms })]
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
        return finding('warning', 'args-widen', { options: fault.options.join(', '), mode })
    }
  })
  const args = shownArguments(subject)
  const troubles = [...limits, ...faults]
  if (troubles.length > 0) return troubles
  return [finding('passed', 'config-ok', { args }, { data: { args } })]
}
