/** Check: whether DSH itself starts with the versions that it is installed with. */

import { sayer, type Finding, type Findings } from '../finding.ts'
import type { ProfileSubject } from './profile.ts'

const FINDINGS = {
  'host-ok': { en: 'DSH {version}', zh: 'DSH {version}' },
  'host-unknown': {
    en: 'its version is known only once it has started',
    zh: '首次启动后才能得知版本',
  },
  'host-cannot-boot': {
    en: 'DSH {version} does not start with {packages}.',
    zh: 'DSH {version} 与 {packages} 搭配时无法启动。',
    enNext:
      'Where DSH is installed, put this into `overrides` of package.json (`pnpm.overrides` with pnpm), and install again: {pins}.',
    zhNext:
      '请在 DSH 安装目录的 package.json 中，把下面的内容写进 `overrides`（pnpm 用 `pnpm.overrides`），然后重新安装：{pins}。',
  },
} as const satisfies Findings

const finding = sayer(FINDINGS)

export const hostCheck = {
  of: 'profile',
  title: { en: 'DSH', zh: 'DSH' },
  findings: FINDINGS,
  look: checkHost,
} as const

/**
 * The newest with which 0.1.0-rc.8 starts: a plain install brings newer ones, and its watching of the
 * user's patches then asks for a service that comes too late.
 */
const PINS = { loader: '1.0.2', hmr: '1.0.16' } as const

const PLUGINS = ['loader', 'hmr'] as const

const nameOf = (plugin: keyof typeof PINS): string => `@deepseek-ai/cordis-plugin-${plugin}`

function checkHost({ reading: { host } }: ProfileSubject): Finding<{ readonly version: string }> {
  if (host === undefined) return finding('skipped', 'host-unknown', {})
  const rest = { data: { version: host.dsh } }
  const tooNew = PLUGINS.filter((plugin) => {
    // A prerelease comes before its release, so it is not newer than that.
    const [release = ''] = host[plugin]?.split(/[-+]/) ?? []
    return release.localeCompare(PINS[plugin], 'en', { numeric: true }) > 0
  })
  if (!/^0\.1\.0-rc\.\d+$/.test(host.dsh) || tooNew.length === 0) {
    return finding('passed', 'host-ok', { version: host.dsh }, rest)
  }
  const packages = tooNew.map((plugin) => `${nameOf(plugin)} ${host[plugin]}`)
  const pins = PLUGINS.map((plugin) => `"${nameOf(plugin)}": "${PINS[plugin]}"`).join(', ')
  const values = { version: host.dsh, packages, pins: `\`${pins}\`` }
  return finding('failed', 'host-cannot-boot', values, rest)
}
