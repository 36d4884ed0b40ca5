/** Check: whether the CLI starts in the configured mode here, and whether the mode holds what it says. */

import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { readCliRights } from '../../cursor/cli-rights.ts'
import { CATEGORIES } from '../../cursor/failures/categories.ts'
import {
  PERMISSION_MODE_NAMES,
  PERMISSION_MODES,
  READ_ONLY_MODES,
  runsOn,
  type PermissionMode,
  type PermissionModeName,
} from '../../cursor/permission-modes.ts'
import { canWrite } from '../../cursor/rights.ts'
import {
  sandboxArguments,
  sandboxPolicy,
  sandboxProgram,
  sandboxVerdict,
} from '../../cursor/sandbox.ts'
import { environmentValue } from '../../cursor/system.ts'
import type { Words } from '../../words.ts'
import { filled } from '../fill-sentence.ts'
import { excerpt, sayer, type Finding, type Findings } from '../finding.ts'
import type { Subject } from '../check-input.ts'
import { shownPath } from '../shown-paths.ts'

const FINDINGS = {
  'mode-ok': { en: '{mode}: {allows}', zh: '{mode}：{allows}' },
  'mode-not-here': {
    en: '{mode} does not work on {platform}.',
    zh: '{mode} 在 {platform} 上不可用。',
    enNext: 'Set `permissionMode` to one of {others}.',
    zhNext: '请把 `permissionMode` 设为 {others} 之一。',
  },
  'mode-refused': {
    en: 'DSH_PERMISSION_MODE is read-only here: sessions with that policy refuse {mode}.',
    zh: 'DSH_PERMISSION_MODE 设成了 read-only，按它运行的会话里不能用 {mode}。',
    enNext: `In such sessions only delegations with \`read_only: true\` run. Set \`permissionMode\` to ${READ_ONLY_MODES.en}, or \`readOnlySessions: allow\`.`,
    zhNext: `这类会话里只有带 \`read_only: true\` 的委派可以运行。请把 \`permissionMode\` 设为 ${READ_ONLY_MODES.zh}，或设置 \`readOnlySessions: allow\`。`,
  },
  'sandbox-works': {
    en: "{mode}: {allows}. The install's own check of the sandbox passes",
    zh: '{mode}：{allows}。CLI 自带的沙箱检测已通过',
  },
  'sandbox-unavailable': {
    en: "{mode} needs Cursor's sandbox, which does not work on this system.",
    zh: '{mode} 需要 Cursor 的沙箱，但它在当前系统上不可用。',
    enNext: CATEGORIES['sandbox-unavailable'].nextStep.en,
    zhNext: CATEGORIES['sandbox-unavailable'].nextStep.zh,
  },
  'sandbox-unknown': {
    en: "{mode} needs Cursor's sandbox, and only a run can prove that it works here.",
    zh: '{mode} 需要 Cursor 的沙箱，只有实际运行才能证明它在这里可用。',
    enNext: 'Make a test run: {probe}.',
    zhNext: '请试运行：{probe}。',
  },
  'cli-unrestricted': {
    en: '{file} says approvalMode "unrestricted": the CLI approves everything by itself, so {mode} does not hold what it says.',
    zh: '{file} 中 approvalMode 为 "unrestricted"：CLI 会自动批准一切操作，{mode} 的限制不起作用。',
    enNext:
      'Take "unrestricted" out of that file, or choose another approval mode in `cursor-agent` itself.',
    zhNext: '请去掉该文件中的 "unrestricted"，或在 `cursor-agent` 中改选其他审批模式。',
  },
  'cli-allows-shell': {
    en: '{file} allows every shell command ({entries}), outside the sandbox too, so {mode} does not hold what it says.',
    zh: '{file} 允许执行任意 shell 命令（{entries}），而且不受沙箱约束，{mode} 的限制不起作用。',
    enNext: 'Take {entries} out of permissions.allow in that file.',
    zhNext: '请从该文件的 permissions.allow 中删除 {entries}。',
  },
  'cli-config-unreadable': {
    en: '{file} is not valid JSON, so what the CLI allows by itself is unknown.',
    zh: '{file} 不是有效的 JSON，读不出 CLI 自己放行了哪些操作。',
    enNext: 'Correct that file; the CLI reads it on every start.',
    zhNext: '请修正该文件，CLI 每次启动都会读取它。',
  },
  'cli-config-relative': {
    en: 'The CLI looks for its configuration at {file} in the workspace, whose files then decide what it may do.',
    zh: 'CLI 会从工作区的 {file} 读取配置，工作区里的文件就能改变 CLI 的权限。',
    enNext: 'Make CURSOR_CONFIG_DIR or XDG_CONFIG_HOME an absolute path, or remove it.',
    zhNext: '请把 CURSOR_CONFIG_DIR 或 XDG_CONFIG_HOME 改为绝对路径，或去掉它。',
  },
} as const satisfies Findings

const NOTES = {
  'other-modes': { en: 'also possible here: {modes}', zh: '这里还可以用：{modes}' },
  'no-modes': { en: 'does not work on {platform}: {modes}', zh: '在 {platform} 上不可用：{modes}' },
} as const satisfies Record<string, Words>

const finding = sayer(FINDINGS)

export interface ModeData {
  readonly configured: PermissionModeName
  readonly supported: readonly PermissionModeName[]
}

export const permissionModeCheck = {
  of: 'row',
  title: { en: 'Mode', zh: '权限模式' },
  findings: FINDINGS,
  after: ['profile'],
  look: checkPermissionMode,
} as const

type ModeFinding = Finding<ModeData>

async function checkPermissionMode(subject: Subject): Promise<readonly ModeFinding[]> {
  const { config, system } = subject
  const { platform } = system
  const mode = config.permissionMode
  const supported = PERMISSION_MODE_NAMES.filter((name) => runsOn(name, platform))
  const others = supported.filter((name) => name !== mode)
  const missing = PERMISSION_MODE_NAMES.filter((name) => name !== mode && !supported.includes(name))
  const rest = {
    data: { configured: mode, supported },
    details: [
      filled(NOTES['other-modes'], { modes: others }),
      ...(missing.length === 0 ? [] : [filled(NOTES['no-modes'], { platform, modes: missing })]),
    ],
  }
  if (!supported.includes(mode)) {
    const failed = { ...rest, category: 'unsupported-platform' } as const
    return [finding('failed', 'mode-not-here', { mode, platform, others: supported }, failed)]
  }
  const { allows, sandboxed }: PermissionMode = PERMISSION_MODES[mode]
  const told: ModeFinding = sandboxed
    ? { ...(await sandboxFinding(subject)), ...rest }
    : finding('passed', 'mode-ok', { mode, allows }, rest)
  const doubts = [...policyDoubts(subject), ...rightsDoubts(subject)]
  // A doubt about what is merely fine says more than that it is fine.
  return told.state === 'passed' && doubts.length > 0
    ? doubts.map((doubt) => ({ ...doubt, ...rest }))
    : [told, ...doubts]
}

/** Linux has the install's own check; elsewhere only a run can prove it. */
async function sandboxFinding(subject: Subject): Promise<Finding<never>> {
  const { cli, config, system, cwd, commands, masker } = subject
  const mode = config.permissionMode
  const unknown = finding('warning', 'sandbox-unknown', { mode })
  const program = cli && system.platform === 'linux' ? sandboxProgram(system, cli) : undefined
  if (cli === undefined || program === undefined) return unknown
  const policy = path.join(cwd, 'sandbox-policy.json')
  await writeFile(policy, sandboxPolicy(cwd))
  const helper = { ...cli, program, leadingArgs: [] }
  const { exit, stdout, stderr } = await commands.run(helper, config, sandboxArguments(policy))
  const said = excerpt(`${stderr}\n${stdout}`, masker)
  const works = sandboxVerdict(exit?.exitCode ?? null)
  if (works === undefined) return { ...unknown, said }
  const { allows } = PERMISSION_MODES[mode]
  return works
    ? finding('passed', 'sandbox-works', { mode, allows })
    : finding('failed', 'sandbox-unavailable', { mode }, { said, category: 'sandbox-unavailable' })
}

/** The deployment's default policy, which sessions begin with. */
function policyDoubts({ config, system }: Subject): readonly Finding<never>[] {
  const policy = environmentValue(system.platform, system.env, 'DSH_PERMISSION_MODE')
  return policy === 'read-only' && config.readOnlySessions === 'refuse' && canWrite(config)
    ? [finding('warning', 'mode-refused', { mode: config.permissionMode })]
    : []
}

/** What the user has allowed in Cursor itself takes the bounds off a mode that has any. */
function rightsDoubts({ config, system }: Subject): readonly Finding<never>[] {
  const mode = config.permissionMode
  const rights = readCliRights(system, config.env)
  if (rights === undefined || 'unbounded' in PERMISSION_MODES[mode]) return []
  const file = shownPath(system, rights.file)
  if (rights.state === 'bounded') return []
  const entries = rights.state === 'every-shell' ? rights.entries : []
  return [finding('warning', RIGHTS[rights.state], { file, mode, entries })]
}

const RIGHTS = {
  unreadable: 'cli-config-unreadable',
  'in-workspace': 'cli-config-relative',
  unrestricted: 'cli-unrestricted',
  'every-shell': 'cli-allows-shell',
} as const
