/** Check: the platform, and the Node that runs the plugin. */

import type { System } from '../../cursor/system.ts'
import { failed, passed, warning } from '../finding.ts'
import type { CheckData, Finding } from '../report.ts'

/** The oldest major version that this package runs on, as in its package.json. */
const OLDEST_NODE = 22
/** What DSH 0.1 asks for: `^22.19.0 || >=24`. */
const DSH_NODE = { major: 22, minor: 19, next: 24 }

/** @param nodeVersion as in `process.versions.node`. */
export function checkPlatform(
  { platform }: System,
  nodeVersion: string = process.versions.node,
): Finding<CheckData['platform']> {
  const { arch } = process
  const data = { platform, arch, nodeVersion }
  const here = `${platform} ${arch}, Node ${nodeVersion}`
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number)
  if (major < OLDEST_NODE) {
    return failed(`${here} is too old: Node ${OLDEST_NODE} or newer is needed.`, {
      data,
      nextStep: 'Update Node, or run this command through `dsh plugin`, with the Node of DSH.',
    })
  }
  const suitsDsh = major >= DSH_NODE.next || (major === DSH_NODE.major && minor >= DSH_NODE.minor)
  if (!suitsDsh) {
    return warning(`${here}: DSH asks for Node 22.19 or newer, or 24 and newer.`, {
      data,
      nextStep: 'If DSH runs on this Node too, update it.',
    })
  }
  return passed(here, { data })
}
