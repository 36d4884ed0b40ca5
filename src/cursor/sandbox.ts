/**
 * Whether Cursor's sandbox works on this Linux, by the install's own check. Who runs the command, and
 * what becomes of the answer, belongs to the self-check.
 */

import type { CursorCli } from './find-cli.ts'
import { pathOf, type System } from './system.ts'

/** @returns the install's sandbox helper, where it has one. */
export function sandboxProgram(system: System, { directory }: CursorCli): string | undefined {
  const program = pathOf(system).join(directory, 'cursorsandbox')
  return system.files.isExecutable(program) ? program : undefined
}

/** The policy that the CLI's engine asks about, for a file in `cwd`. */
export function sandboxPolicy(cwd: string): string {
  return JSON.stringify({
    sandbox: {
      type: 'workspace_readwrite',
      cwd,
      additionalReadwritePaths: [],
      networkAccess: false,
      disableTmpWrite: false,
    },
  })
}

/** @param policyFile holds the policy. */
export function sandboxArguments(policyFile: string): readonly string[] {
  return ['--policy', policyFile, '--preflight-only', '--', '/bin/true']
}

/** @returns whether it works; `undefined` when the check itself failed. */
export function sandboxVerdict(exitCode: number | null): boolean | undefined {
  if (exitCode === 0) return true
  return exitCode === 2 ? false : undefined
}
