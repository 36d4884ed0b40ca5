/** Check: whether DSH itself starts with the versions that it is installed with. */

import { finding } from '../finding.ts'
import type { HostVersions } from '../profile.ts'
import type { CheckData, Finding } from '../report.ts'

/**
 * The newest with which 0.1.0-rc.8 starts: a plain install brings newer ones, and its watching of the
 * user's patches then asks for a service that comes too late.
 */
const PINS = { loader: '1.0.2', hmr: '1.0.16' } as const

const nameOf = (plugin: keyof typeof PINS): string => `@deepseek-ai/cordis-plugin-${plugin}`

export function checkHost(host: HostVersions | undefined): Finding<CheckData['host']> {
  if (host === undefined) return finding('skipped', 'host-unknown', {})
  const rest = { data: { version: host.dsh } }
  const tooNew = (['loader', 'hmr'] as const).filter((plugin) => {
    const version = host[plugin]
    return version !== undefined && isNewer(version, PINS[plugin])
  })
  if (!/^0\.1\.0-rc\.\d+$/.test(host.dsh) || tooNew.length === 0) {
    return finding('passed', 'host-ok', { version: host.dsh }, rest)
  }
  const packages = tooNew.map((plugin) => `${nameOf(plugin)} ${host[plugin]}`)
  const pins = (['loader', 'hmr'] as const)
    .map((plugin) => `"${nameOf(plugin)}": "${PINS[plugin]}"`)
    .join(', ')
  return finding(
    'failed',
    'host-cannot-boot',
    { version: host.dsh, packages, pins: `\`${pins}\`` },
    rest,
  )
}

function isNewer(version: string, than: string): boolean {
  const [left, right] = [version, than].map((each) => each.split(/[.-]/).map(Number))
  for (const [at, part] of (right ?? []).entries()) {
    const difference = (left?.[at] ?? 0) - part
    if (difference !== 0) return difference > 0
  }
  return false
}
