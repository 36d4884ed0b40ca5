/** Check: whether the CLI starts in the configured mode here, and whether the mode holds what it says. */

import { PERMISSION_MODE_NAMES, PERMISSION_MODES, runsOn } from '../../cursor/permission-modes.ts'
import { finding, note } from '../finding.ts'
import type { CheckData, Finding } from '../report.ts'
import type { Subject } from '../subject.ts'

export function checkPermissionMode({
  config,
  system,
}: Subject): readonly Finding<CheckData['permission-mode']>[] {
  const { platform } = system
  const mode = config.permissionMode
  const supported = PERMISSION_MODE_NAMES.filter((name) => runsOn(name, platform))
  const others = PERMISSION_MODE_NAMES.filter((name) => name !== mode)
  const listed = (isSupported: boolean): string =>
    others.filter((name) => supported.includes(name) === isSupported).join(', ')
  const rest = {
    data: { configured: mode, supported },
    details: [
      note('other-modes', { modes: listed(true) }),
      ...(listed(false) === '' ? [] : [note('no-modes', { platform, modes: listed(false) })]),
    ],
  }
  if (!supported.includes(mode)) {
    const values = { mode, platform, others: supported.join(', ') }
    return [
      finding('failed', 'mode-not-here', values, { ...rest, category: 'unsupported-platform' }),
    ]
  }
  if (mode === 'safe') return [finding('warning', 'sandbox-unknown', { mode }, rest)]
  return [finding('passed', 'mode-ok', { mode, allows: PERMISSION_MODES[mode].allows }, rest)]
}
