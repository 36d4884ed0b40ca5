/**
 * Whether a run can write, read off its whole command line: the mode says what it means to allow,
 * and `extraArgs` can undo that. The session policy, the tool's description, the load notes, the
 * self-check and the page's card all ask here.
 */

import type { RunOptions } from './options.ts'
import { PERMISSION_MODES, type PermissionMode } from './permission-modes.ts'

/**
 * Options that take away the bounds of any mode: those by which a mode is set, since the CLI takes
 * the last one, and others; facts: the CLI's help and `cursor-cli.md`.
 */
const WIDENING_OPTIONS: ReadonlySet<string> = new Set([
  ...Object.values<PermissionMode>(PERMISSION_MODES).flatMap(({ args, sandboxed }) =>
    sandboxed ? [] : args.slice(0, 1),
  ),
  '--yolo',
  '--auto-review',
])

/**
 * @returns the entries of `extraArgs` that let a run write whatever its mode, as they can be shown:
 * the options alone, without values. An entry that is really another option's value counts too,
 * because a run that is taken for read-only by mistake is worse than the opposite.
 */
export function wideningArgs(extraArgs: readonly string[]): string[] {
  return extraArgs.flatMap((entry, at) => {
    const [option = '', value = extraArgs[at + 1]] = splitOnce(entry)
    if (WIDENING_OPTIONS.has(option)) return [option]
    if (option === '--sandbox' && value?.toLowerCase() === 'disabled') return ['--sandbox disabled']
    return holdsForce(entry) ? ['-f'] : []
  })
}

/** Whether a run with these options may change something. */
export function canWrite({
  permissionMode,
  extraArgs,
}: Pick<RunOptions, 'permissionMode' | 'extraArgs'>): boolean {
  return PERMISSION_MODES[permissionMode].writes || wideningArgs(extraArgs).length > 0
}

/** `--name=value` as name and value; anything else as it is. */
function splitOnce(entry: string): [string, string?] {
  const at = entry.indexOf('=')
  return at === -1 ? [entry] : [entry.slice(0, at), entry.slice(at + 1)]
}

/** Whether `-f` stands in a cluster of short options; behind `-H` stands a header, not options. */
function holdsForce(entry: string): boolean {
  const [cluster = ''] = /^-[A-Za-z]+/.exec(entry) ?? []
  const [options = ''] = cluster.split('H', 1)
  return options.includes('f')
}
