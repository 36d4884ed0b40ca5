/** Check: what `status` says of the login. It shows that a token exists, not that runs work. */

import { parseStatus } from '../../cursor/account.ts'
import { CATEGORIES } from '../../cursor/categories.ts'
import type { CursorCli } from '../../cursor/find-cli.ts'
import { environmentValue } from '../../cursor/system.ts'
import { excerpt, failed, failedCommand, passed, warning } from '../finding.ts'
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
      return passed('Logged in.', rest)
    case 'details-missing':
      return warning('Logged in, but the CLI could not fetch the account. Runs may fail.', {
        ...rest,
        nextStep: 'Use --probe to see whether a run works; if not, run `cursor-agent login` again.',
      })
    case 'logged-out':
      if (environmentValue(system.platform, config.env, 'CURSOR_API_KEY')) {
        return warning('No login, but the configuration gives a CURSOR_API_KEY.', {
          ...rest,
          nextStep: 'Use --probe to see whether that key is accepted.',
        })
      }
      return failed('Not logged in.', {
        ...rest,
        category: 'not-authenticated',
        nextStep: CATEGORIES['not-authenticated'].nextStep.en,
      })
    case 'unknown':
      return (
        failedCommand('status', output, subject) ??
        warning('The answer of `cursor-agent status` is not understood.', {
          ...rest,
          details: [...excerpt(output.stdout, masker), ...rest.details],
          nextStep: 'Use --probe to see whether a run works.',
        })
      )
  }
}

function keyNotes({ config, system }: Subject): string[] {
  const { platform, env } = system
  const isSet = (variables: Readonly<NodeJS.ProcessEnv>): boolean =>
    Boolean(environmentValue(platform, variables, 'CURSOR_API_KEY'))
  return isSet(env) && !isSet(config.env)
    ? [
        'CURSOR_API_KEY is set here, but DSH gives it to no child: only one in `env` of the configuration reaches the CLI',
      ]
    : []
}
