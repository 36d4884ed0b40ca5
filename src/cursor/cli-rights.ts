/**
 * Reads the user's own configuration of the Cursor CLI for settings that undo the limits of a
 * permission mode. The self-check and the settings card report them. A workspace can allow more in
 * `.cursor/cli.json`; this module does not read that file.
 */

import { environmentValue, pathOf, type System } from './system.ts'

/** The real file has a few KiB. */
const MAX_FILE_BYTES = 1_048_576

export interface CliRights {
  readonly file: string
  /**
   * `unrestricted`: the CLI approves everything whatever the flags, and ignores `--sandbox enabled`
   * (measured with 2026.08.25). `every-shell`: the allowlist accepts every shell command, and
   * accepted commands run outside the sandbox. `unreadable`: the file is not JSON. `in-workspace`:
   * its path is relative, so whoever writes to the workspace decides what the CLI may do.
   */
  readonly state: 'unrestricted' | 'every-shell' | 'bounded' | 'unreadable' | 'in-workspace'
  /** The allowlist entries that accept every shell command. */
  readonly entries: readonly string[]
}

/**
 * @param configured the row's `env`, which goes over the host's environment.
 * @returns `undefined` if the user has no such file.
 */
export function readCliRights(
  system: System,
  configured: Readonly<NodeJS.ProcessEnv>,
): CliRights | undefined {
  const file = configFile(system, configured)
  if (file && !pathOf(system).isAbsolute(file)) return { file, state: 'in-workspace', entries: [] }
  const text = file && system.files.isFile(file) && system.files.textOf(file, MAX_FILE_BYTES)
  if (typeof text !== 'string' || !file) return undefined
  let config: { approvalMode?: unknown; permissions?: { allow?: unknown } | null } | null
  try {
    config = JSON.parse(text) as typeof config
  } catch {
    return { file, state: 'unreadable', entries: [] }
  }
  const allowed = config?.permissions?.allow
  const entries = (Array.isArray(allowed) ? allowed : []).filter(allowsEveryCommand)
  const isUnrestricted = config?.approvalMode === 'unrestricted'
  return {
    file,
    state: isUnrestricted ? 'unrestricted' : entries.length > 0 ? 'every-shell' : 'bounded',
    entries,
  }
}

/** `CURSOR_CONFIG_DIR`, else `$XDG_CONFIG_HOME/cursor`, else `~/.cursor`. */
function configFile(system: System, configured: Readonly<NodeJS.ProcessEnv>): string | undefined {
  const { platform, env, home } = system
  const { join } = pathOf(system)
  const value = (name: string): string =>
    environmentValue(platform, configured, name) ?? environmentValue(platform, env, name) ?? ''
  const own = value('CURSOR_CONFIG_DIR')
  const shared = value('XDG_CONFIG_HOME')
  const directory = own || (shared ? join(shared, 'cursor') : home && join(home, '.cursor'))
  return directory ? join(directory, 'cli-config.json') : undefined
}

/** Programs that run other commands, so allowing one of them allows everything. */
const RUNNERS =
  /^(?:\*+|(?:ba|z|da|k|fi|c|tc|a)?sh|cmd|powershell|pwsh|busybox|env|sudo|doas|su|xargs|nohup|nice|timeout|time|setsid|stdbuf|exec|eval|command|(?:python|perl|ruby|php)[\d.]*|node|bun|deno)(?:\.exe)?$/i

/**
 * Matches `Shell(<runner>)`, also with arguments after a colon or a blank that are only options and
 * `*`, such as `Shell(bash -c *)`.
 */
function allowsEveryCommand(entry: unknown): entry is string {
  if (typeof entry !== 'string') return false
  const inside = /^\s*Shell\s*\((.*)\)\s*$/i.exec(entry)?.[1]?.trim() ?? ''
  const [, command = '', args = ''] =
    /^((?:[a-z]:(?=[\\/]))?[^:\s]*)[:\s]*(.*)$/is.exec(inside) ?? []
  const name = command.split(/[\\/]/).at(-1) ?? ''
  return RUNNERS.test(name) && /^(?:(?:-\S*\s+)*\*+)?$/.test(args)
}
