/** Check: the platform, the Node that runs the plugin, and whether there is a home directory. */

import { pathOf, type System } from '../../cursor/system.ts'
import { finding } from '../finding.ts'
import type { CheckData, Finding } from '../report.ts'

/** The oldest major version that this package runs on. */
const OLDEST_NODE = 22
/** What package.json and DSH ask for: `^22.19.0 || >=24`. */
const DSH_NODE = { major: 22, minor: 19, next: 24 }

/** @param node as in `process.versions.node`. */
export function checkPlatform(
  system: System,
  node: string = process.versions.node,
): readonly Finding<CheckData['platform']>[] {
  const { platform, home } = system
  const { arch } = process
  const rest = { data: { platform, arch, nodeVersion: node } }
  const [major = 0, minor = 0] = node.split('.').map(Number)
  const suits = major >= DSH_NODE.next || (major === DSH_NODE.major && minor >= DSH_NODE.minor)
  const judged = suits
    ? finding('passed', 'platform-ok', { platform, arch, node }, rest)
    : major < OLDEST_NODE
      ? finding('failed', 'node-too-old', { node }, rest)
      : finding('warning', 'node-not-for-dsh', { node }, rest)
  return pathOf(system).isAbsolute(home) ? [judged] : [judged, finding('warning', 'no-home', {})]
}
