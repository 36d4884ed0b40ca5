/**
 * What the user's own configuration of the Cursor CLI lets it do without asking: where that file lies
 * and what in it takes the bounds off a permission mode. The self-check and the page's card tell it;
 * the workspace's `.cursor/cli.json` can widen it further, and is not known here.
 */

import { environmentValue, pathOf, type System } from './system.ts'

/** Of the file, in bytes; the real one has a few KiB. */
const MAX_FILE_BYTES = 1_048_576

export interface CliRights {
  readonly file: string
  /**
   * `unrestricted`: everything is approved, whatever the flags, and `--sandbox enabled` does nothing
   * (measured with 2026.08.25). `every-shell`: the allowlist lets any shell command through, and an
   * allowed command runs outside the sandbox. `unreadable`: there, and no JSON. `in-workspace`: its
   * place is a relative path, so whoever writes the workspace says what the CLI may do.
   */
  readonly state: 'unrestricted' | 'every-shell' | 'bounded' | 'unreadable' | 'in-workspace'
  /** Entries of the allowlist that let any shell command through. */
  readonly entries: readonly string[]
}

/**
 * @param configured the environment that the row gives the CLI, over the host's.
 * @returns `undefined` where there is no such file.
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

/** What runs what its arguments say, so that to allow one is to allow everything. */
const RUNNERS =
  /^(?:\*+|(?:ba|z|da|k|fi|c|tc|a)?sh|cmd|powershell|pwsh|busybox|env|sudo|doas|su|xargs|nohup|nice|timeout|time|setsid|stdbuf|exec|eval|command|(?:python|perl|ruby|php)[\d.]*|node|bun|deno)(?:\.exe)?$/i

/**
 * `Shell(<command>)`, where `*` stands for anything and what follows a colon or a blank for its
 * arguments: none, any, or any behind options.
 */
function allowsEveryCommand(entry: unknown): entry is string {
  if (typeof entry !== 'string') return false
  const inside = /^\s*Shell\s*\((.*)\)\s*$/i.exec(entry)?.[1]?.trim() ?? ''
  const [, command = '', args = ''] =
    /^((?:[a-z]:(?=[\\/]))?[^:\s]*)[:\s]*(.*)$/is.exec(inside) ?? []
  const name = command.split(/[\\/]/).at(-1) ?? ''
  return RUNNERS.test(name) && /^(?:(?:-\S*\s+)*\*+)?$/.test(args)
}
