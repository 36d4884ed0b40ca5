/** Check: that the program is Cursor's CLI, and which version it says it is. */

import { parseVersion } from '../../cursor/account.ts'
import { compareVersionsNewestFirst, type CursorCli } from '../../cursor/find-cli.ts'
import { excerpt, failed, failedCommand, passed, warning } from '../finding.ts'
import type { CheckData, Finding } from '../report.ts'
import type { Subject } from '../subject.ts'

/** Builds before about February 2026 do not know `--trust`, which every delegation passes. */
const FIRST_WITH_TRUST = '2026.2.1-0'

export async function checkVersion(
  subject: Subject,
  cli: CursorCli,
): Promise<Finding<CheckData['version']>> {
  const output = await subject.commands.run(cli, subject.config, ['--version'])
  const version = parseVersion(output.stdout)
  if (version === undefined) {
    return (
      failedCommand('--version', output, subject) ??
      failed("The program answers, but it is not Cursor's CLI.", {
        details: excerpt(output.stdout, subject.masker),
        nextStep:
          'Install the Cursor CLI as cursor.com/cli says, or set `cliPath` to it: other products use the name `agent`.',
      })
    )
  }
  const data = { version }
  if (compareVersionsNewestFirst(version, FIRST_WITH_TRUST) > 0) {
    return warning(`${version} is old and may not know every option of a delegation.`, {
      data,
      nextStep: 'Update it with `cursor-agent update`.',
    })
  }
  return passed(
    cli.version === undefined || cli.version === version
      ? version
      : `${version}, in a directory of another name (${cli.version})`,
    { data },
  )
}
