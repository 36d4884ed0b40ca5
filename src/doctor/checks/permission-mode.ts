/** Check: the permission modes that the CLI starts in on this platform. */

import {
  PERMISSION_MODE_NAMES,
  PERMISSION_MODES,
  runsOn,
  type PermissionModeName,
} from '../../cursor/permission-modes.ts'
import { failed, passed, warning } from '../finding.ts'
import type { CheckData, Finding } from '../report.ts'
import type { Subject } from '../subject.ts'

/** Ubuntu's switch: `1` keeps Cursor's sandbox from starting without an AppArmor profile. */
const APPARMOR_SWITCH = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns'

/** The platform alone does not decide for a mode that needs the sandbox. */
function withCondition(mode: PermissionModeName): string {
  return mode === 'safe' ? "safe (where Cursor's sandbox works)" : mode
}

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
      `also possible here: ${listOf(others.filter((name) => supported.includes(name)).map(withCondition))}`,
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
  if (mode === 'safe') {
    const isRestricted = system.files.textOf(APPARMOR_SWITCH, 1) === '1'
    const doubt = isRestricted ? "this system's AppArmor settings may stop" : 'only a run can prove'
    return warning(`safe needs Cursor's sandbox, which ${doubt}.`, {
      ...rest,
      nextStep: 'Use --probe to see whether a run works in this mode.',
    })
  }
  return passed(`${mode}: ${PERMISSION_MODES[mode].allows.en}`, rest)
}
