/** Check: the platform, the Node that runs the plugin, and whether there is a home directory. */

import { pathOf, type System } from '../../cursor/system.ts'
import { sayer, type Findings } from '../finding.ts'

const FINDINGS = {
  'platform-ok': { en: '{platform} {arch}, Node {node}', zh: '{platform} {arch}，Node {node}' },
  'node-too-old': {
    en: 'Node {node} is too old: 22.19 or newer is needed.',
    zh: 'Node {node} 版本过低，需要 22.19 或更高版本。',
    enNext: 'Update Node, or run this command through `dsh plugin`, with the Node of DSH.',
    zhNext: '请升级 Node，或通过 `dsh plugin` 运行本命令，以使用 DSH 的 Node。',
  },
  'node-not-for-dsh': {
    en: 'Node {node}, while DSH asks for 22.19 or newer, or 24 and newer.',
    zh: '当前 Node 为 {node}，DSH 要求 22.19 及以上的 22.x，或 24 及以上版本。',
    enNext: 'If DSH runs on this Node too, update it.',
    zhNext: '如果 DSH 也用这个 Node 运行，请升级。',
  },
  'no-home': {
    en: 'This process has no home directory, so the usual places of the CLI and its login are unknown.',
    zh: '当前进程没有主目录，无法得知 CLI 的常规安装位置，也不知道登录信息在哪里。',
    enNext:
      'Set HOME to an absolute path for DSH, or set `cliPath` and give a CURSOR_API_KEY in `env`.',
    zhNext:
      '请在 DSH 的环境变量中把 HOME 设为绝对路径；或者设置 `cliPath`，并在 `env` 中提供 CURSOR_API_KEY。',
  },
} as const satisfies Findings

const finding = sayer(FINDINGS)

export const platformCheck = {
  of: 'machine',
  title: { en: 'Platform', zh: '平台' },
  findings: FINDINGS,
  look: checkPlatform,
} as const

/** The oldest major version that this package runs on. */
const OLDEST_NODE = 22
/** What package.json and DSH ask for: `^22.19.0 || >=24`. */
const DSH_NODE = { major: 22, minor: 19, next: 24 }

/** @param node as in `process.versions.node`. */
function checkPlatform(system: System, node: string = process.versions.node) {
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
