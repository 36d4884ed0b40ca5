/** Check: whether the CLI starts in the configured mode here, and whether the mode holds what it says. */

import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { readCliRights } from '../../cursor/cli-rights.ts'
import type { CursorCli } from '../../cursor/find-cli.ts'
import {
  PERMISSION_MODE_NAMES,
  PERMISSION_MODES,
  runsOn,
  type PermissionMode,
} from '../../cursor/permission-modes.ts'
import { canWrite } from '../../cursor/rights.ts'
import {
  sandboxArguments,
  sandboxPolicy,
  sandboxProgram,
  sandboxVerdict,
} from '../../cursor/sandbox.ts'
import { environmentValue } from '../../cursor/system.ts'
import { excerpt, finding, note } from '../finding.ts'
import type { CheckData, Finding } from '../report.ts'
import { shownPath, type Subject } from '../subject.ts'

type ModeFinding = Finding<CheckData['permission-mode']>

/** @param cli asked about its sandbox, when there is one. */
export async function checkPermissionMode(
  subject: Subject,
  cli: CursorCli | undefined,
): Promise<readonly ModeFinding[]> {
  const { config, system } = subject
  const { platform } = system
  const mode = config.permissionMode
  const supported = PERMISSION_MODE_NAMES.filter((name) => runsOn(name, platform))
  const others = PERMISSION_MODE_NAMES.filter((name) => name !== mode)
  const listed = (isSupported: boolean): readonly string[] =>
    others.filter((name) => supported.includes(name) === isSupported)
  const rest = {
    data: { configured: mode, supported },
    details: [
      note('other-modes', { modes: listed(true) }),
      ...(listed(false).length === 0 ? [] : [note('no-modes', { platform, modes: listed(false) })]),
    ],
  }
  if (!supported.includes(mode)) {
    const values = { mode, platform, others: supported }
    return [
      finding('failed', 'mode-not-here', values, { ...rest, category: 'unsupported-platform' }),
    ]
  }
  const { allows, sandboxed }: PermissionMode = PERMISSION_MODES[mode]
  const told: ModeFinding = sandboxed
    ? { ...(await sandboxFinding(subject, cli)), ...rest }
    : finding('passed', 'mode-ok', { mode, allows }, rest)
  const doubts = [...policyDoubts(subject), ...rightsDoubts(subject)]
  // A doubt about what is merely fine says more than that it is fine.
  return told.state === 'passed' && doubts.length > 0
    ? doubts.map((doubt) => ({ ...doubt, ...rest }))
    : [told, ...doubts]
}

/** Linux has the install's own check; elsewhere only a run can prove it. */
async function sandboxFinding(
  subject: Subject,
  cli: CursorCli | undefined,
): Promise<Finding<never>> {
  const { config, system, cwd, commands, masker } = subject
  const mode = config.permissionMode
  const unknown = finding('warning', 'sandbox-unknown', { mode })
  const program = cli && system.platform === 'linux' ? sandboxProgram(system, cli) : undefined
  if (cli === undefined || program === undefined) return unknown
  const policy = path.join(cwd, 'sandbox-policy.json')
  await writeFile(policy, sandboxPolicy(cwd))
  const helper = { ...cli, program, leadingArgs: [] }
  const { exit, stdout, stderr } = await commands.run(helper, config, sandboxArguments(policy))
  const said = excerpt(`${stderr}\n${stdout}`, masker)
  switch (sandboxVerdict(exit?.exitCode ?? null)) {
    case true:
      return finding('passed', 'sandbox-works', { mode, allows: PERMISSION_MODES[mode].allows })
    case false:
      return finding(
        'failed',
        'sandbox-unavailable',
        { mode },
        { said, category: 'sandbox-unavailable' },
      )
    case undefined:
      return { ...unknown, said }
  }
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
  switch (rights.state) {
    case 'unreadable':
      return [finding('warning', 'cli-config-unreadable', { file })]
    case 'in-workspace':
      return [finding('warning', 'cli-config-relative', { file })]
    case 'unrestricted':
      return [finding('warning', 'cli-unrestricted', { file, mode })]
    case 'every-shell':
      return [finding('warning', 'cli-allows-shell', { file, mode, entries: rights.entries })]
    case 'bounded':
      return []
  }
}
