/**
 * Decides whether a run can write, from its mode and its `extraArgs`, which can undo the mode. The
 * session policy, the tool's description, the notes at load, the self-check and the settings card
 * all ask this module.
 */

import type { RunOptions } from './options.ts'
import { optionsOf, PERMISSION_MODES, type PermissionMode } from './permission-modes.ts'

/**
 * Options that undo the limits of any mode: the flags that set a mode, because the CLI obeys the last
 * one, and two more. Source: the CLI's `--help`.
 */
const WIDENING_OPTIONS: ReadonlySet<string> = new Set([
  ...Object.values<PermissionMode>(PERMISSION_MODES)
    .filter(({ sandboxed }) => !sandboxed)
    .flatMap((mode) => optionsOf(mode).map(([option]) => option)),
  '--yolo',
  '--auto-review',
])

/**
 * Also counts an entry that is really the value of another option, because it is worse to call a
 * writing run read-only than the other way round.
 * @returns the options in `extraArgs` that let a run write whatever its mode, safe to show.
 */
export function wideningArgs(extraArgs: readonly string[]): string[] {
  return extraArgs.flatMap((entry, at) => {
    const [option = '', value = extraArgs[at + 1]] = splitOnce(entry)
    if (WIDENING_OPTIONS.has(option)) return [option]
    if (option === '--sandbox' && value?.toLowerCase() === 'disabled') return ['--sandbox disabled']
    return holdsForce(entry) ? ['-f'] : []
  })
}

export function canWrite({
  permissionMode,
  extraArgs,
}: Pick<RunOptions, 'permissionMode' | 'extraArgs'>): boolean {
  return PERMISSION_MODES[permissionMode].writes || wideningArgs(extraArgs).length > 0
}

/** Splits `--name=value` at the first `=`. */
function splitOnce(entry: string): [string, string?] {
  const at = entry.indexOf('=')
  return at === -1 ? [entry] : [entry.slice(0, at), entry.slice(at + 1)]
}

/** Whether a cluster of short options contains `-f`. What follows `H` is a header, not options. */
function holdsForce(entry: string): boolean {
  const [cluster = ''] = /^-[A-Za-z]+/.exec(entry) ?? []
  const [options = ''] = cluster.split('H', 1)
  return options.includes('f')
}
