/** Check: what `status` says of the login. It shows that a token exists, not that runs work. */

import { parseStatus } from '../../cursor/account.ts'
import type { CursorCli } from '../../cursor/find-cli.ts'
import { environmentValue } from '../../cursor/system.ts'
import { excerpt, failedCommand, finding, note } from '../finding.ts'
import type { CheckData, Finding } from '../report.ts'
import type { Subject } from '../subject.ts'

export async function checkLogin(
  subject: Subject,
  cli: CursorCli,
): Promise<Finding<CheckData['login']>> {
  const { config, system, masker } = subject
  const output = await subject.commands.run(cli, config, ['status'])
  const state = parseStatus(output.stdout)
  const rest = { data: { state }, details: keyNotes(subject) }
  switch (state) {
    case 'logged-in':
      return finding('passed', 'logged-in', {}, rest)
    case 'details-missing':
      return finding('warning', 'details-missing', {}, rest)
    case 'logged-out':
      return environmentValue(system.platform, config.env, 'CURSOR_API_KEY')
        ? finding('warning', 'own-key', {}, rest)
        : finding('failed', 'logged-out', {}, { ...rest, category: 'not-authenticated' })
    case 'unknown':
      return (
        failedCommand('status', output, subject) ??
        finding(
          'warning',
          'not-understood',
          { command: 'status' },
          { ...rest, said: excerpt(output.stdout, masker) },
        )
      )
  }
}

function keyNotes({ config, system }: Subject) {
  const { platform, env } = system
  const isSet = (variables: Readonly<NodeJS.ProcessEnv>): boolean =>
    Boolean(environmentValue(platform, variables, 'CURSOR_API_KEY'))
  return isSet(env) && !isSet(config.env) ? [note('ambient-key', {})] : []
}
