/** Check: that the program is Cursor's CLI, and which version it says it is. */

import { parseVersion } from '../../cursor/account.ts'
import { otherInTerminal, type CursorCli } from '../../cursor/find-cli.ts'
import { dateOfVersion } from '../../cursor/find-cli/versions.ts'
import { installCommand } from '../../cursor/install-command.ts'
import { excerpt, failedCommand, sayer, type Finding, type Findings } from '../finding.ts'
import type { Asked } from '../check-input.ts'
import { shownPath } from '../shown-paths.ts'

const FINDINGS = {
  'version-ok': { en: '{version}', zh: '{version}' },
  'version-misplaced': {
    en: '{version}, in a directory of another name ({directory})',
    zh: '{version}，但所在目录名为 {directory}',
  },
  'old-version': {
    en: '{version} is old and may not know every option of a delegation.',
    zh: '{version} 较旧，可能不支持委派用到的参数。',
    enNext: 'Update it: `cursor-agent update`.',
    zhNext: '请更新：`cursor-agent update`。',
  },
  'version-differs': {
    en: 'Delegations use {version}, while `cursor-agent` in a terminal runs {other}.',
    zh: '委派使用 {version}，而终端里的 `cursor-agent` 运行的是 {other}。',
    enNext: 'To use the same one, set `cliPath` to {path}.',
    zhNext: '如需一致，请把 `cliPath` 设为 {path}。',
  },
  'not-cursor': {
    en: "The program answers, but it is not Cursor's CLI.",
    zh: '该程序有响应，但不是 Cursor CLI。',
    enNext:
      'Other products use the name `agent` too. Set `cliPath` to the Cursor CLI, or install it: `{command}`.',
    zhNext:
      '其他产品也使用 `agent` 这个名称。请把 `cliPath` 指向 Cursor CLI，或者安装它：`{command}`。',
  },
} as const satisfies Findings

const finding = sayer(FINDINGS)

type Version = Finding<{ readonly version: string }>

export const versionCheck = {
  of: 'row',
  title: { en: 'Version', zh: '版本' },
  findings: FINDINGS,
  after: ['install'],
  look: checkVersion,
} as const

/** Builds before about February 2026 do not know `--trust`, which every delegation passes. */
const FIRST_WITH_TRUST = '20260201'

async function checkVersion(subject: Asked): Promise<readonly Version[]> {
  const { cli, commands, config, masker, system } = subject
  const output = await commands.run(cli, config, ['--version'])
  const version = parseVersion(output.stdout)
  const said = excerpt(output.stdout, masker)
  if (version === undefined) {
    return [
      failedCommand('--version', output, subject) ??
        finding('failed', 'not-cursor', { command: installCommand(system.platform) }, { said }),
    ]
  }
  const rest = { data: { version } }
  // Whoever sets `cliPath` has chosen another one.
  const other = config.cliPath === undefined ? otherInTerminal(system, cli) : undefined
  if (other === undefined) return [judged(version, cli)]
  const path = shownPath(system, other.directory)
  const values = { version, other: other.version ?? path, path }
  return [judged(version, cli), finding('warning', 'version-differs', values, rest)]
}

function judged(version: string, cli: CursorCli): Version {
  const rest = { data: { version } }
  if (dateOfVersion(version) < FIRST_WITH_TRUST) {
    return finding('warning', 'old-version', { version }, rest)
  }
  return cli.version === undefined || cli.version === version
    ? finding('passed', 'version-ok', { version }, rest)
    : finding('passed', 'version-misplaced', { version, directory: cli.version }, rest)
}
