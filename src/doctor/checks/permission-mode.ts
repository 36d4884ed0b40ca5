/** Check: the permission modes that the CLI starts in on this platform. */

import { PERMISSION_MODE_NAMES, PERMISSION_MODES, runsOn } from '../../cursor/permission-modes.ts'
import { failed, passed, warning } from '../finding.ts'
import type { CheckData, Finding } from '../report.ts'
import type { Subject } from '../subject.ts'

/** Ubuntu's switch: `1` keeps Cursor's sandbox from starting without an AppArmor profile. */
const APPARMOR_SWITCH = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns'

export function checkPermissionMode({
  config,
  system,
}: Subject): Finding<CheckData['permission-mode']> {
  const mode = config.permissionMode
  const supported = PERMISSION_MODE_NAMES.filter((name) => runsOn(name, system.platform))
  const others = PERMISSION_MODE_NAMES.filter((name) => name !== mode)
  const listOf = (names: readonly string[]): string => names.join(', ')
  const unsupported = others.filter((name) => !supported.includes(name))
  const rest = {
    data: { configured: mode, supported },
    details: [
      `works here too: ${listOf(others.filter((name) => supported.includes(name)))}`,
      ...(unsupported.length === 0
        ? []
        : [`does not work on ${system.platform}: ${listOf(unsupported)}`]),
    ],
  }
  if (!supported.includes(mode)) {
    return failed(`${mode} does not work on ${system.platform}.`, {
      ...rest,
      category: 'unsupported-platform',
      nextStep: `Set \`permissionMode\` to one of ${listOf(supported)}.`,
    })
  }
  if (mode === 'safe' && system.files.textOf(APPARMOR_SWITCH, 1) === '1') {
    return warning("safe needs Cursor's sandbox, which this system's AppArmor settings may stop.", {
      ...rest,
      nextStep: 'Use --probe to see whether a run works in this mode.',
    })
  }
  return passed(`${mode}: the agent ${PERMISSION_MODES[mode].allows}`, rest)
}
