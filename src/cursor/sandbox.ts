/**
 * Describes the install's own check of whether Cursor's sandbox works on this Linux. The self-check
 * runs it.
 */

import type { CursorCli } from './find-cli.ts'
import { pathOf, type System } from './system.ts'

export function sandboxProgram(system: System, { directory }: CursorCli): string | undefined {
  const program = pathOf(system).join(directory, 'cursorsandbox')
  return system.files.isExecutable(program) ? program : undefined
}

/** The policy that the CLI checks for a run in `cwd`. */
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

/** @param policyFile a file with the text of {@link sandboxPolicy}. */
export function sandboxArguments(policyFile: string): readonly string[] {
  return ['--policy', policyFile, '--preflight-only', '--', '/bin/true']
}

/** @returns whether the sandbox works; `undefined` if the check itself failed. */
export function sandboxVerdict(exitCode: number | null): boolean | undefined {
  if (exitCode === 0) return true
  return exitCode === 2 ? false : undefined
}
