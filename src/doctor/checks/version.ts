/** Check: that the program is Cursor's CLI, and which version it says it is. */

import { parseVersion } from '../../cursor/account.ts'
import { otherInTerminal, type CursorCli } from '../../cursor/find-cli.ts'
import { compareVersionsNewestFirst } from '../../cursor/versions.ts'
import { installCommand } from '../../cursor/install-command.ts'
import { excerpt, failedCommand, finding } from '../finding.ts'
import type { CheckData, Finding } from '../report.ts'
import { shownPath, type Subject } from '../subject.ts'

/** Builds before about February 2026 do not know `--trust`, which every delegation passes. */
const FIRST_WITH_TRUST = '2026.2.1-0'

export async function checkVersion(
  subject: Subject,
  cli: CursorCli,
): Promise<readonly Finding<CheckData['version']>[]> {
  const { commands, config, masker, system } = subject
  const output = await commands.run(cli, config, ['--version'])
  const version = parseVersion(output.stdout)
  if (version === undefined) {
    return [
      failedCommand('--version', output, subject) ??
        finding(
          'failed',
          'not-cursor',
          { command: installCommand(system.platform) },
          { said: excerpt(output.stdout, masker) },
        ),
    ]
  }
  const rest = { data: { version } }
  // Whoever sets `cliPath` has chosen another one.
  const other = config.cliPath === undefined ? otherInTerminal(system, cli) : undefined
  if (other !== undefined) {
    const path = shownPath(system, other.directory)
    const values = { version, other: other.version ?? path, path }
    return [judged(version, cli), finding('warning', 'version-differs', values, rest)]
  }
  return [judged(version, cli)]
}

function judged(version: string, cli: CursorCli): Finding<CheckData['version']> {
  const rest = { data: { version } }
  if (compareVersionsNewestFirst(version, FIRST_WITH_TRUST) > 0) {
    return finding('warning', 'old-version', { version }, rest)
  }
  return cli.version === undefined || cli.version === version
    ? finding('passed', 'version-ok', { version }, rest)
    : finding('passed', 'version-misplaced', { version, directory: cli.version }, rest)
}
