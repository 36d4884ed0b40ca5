/** How paths and command lines are shown: as they can be typed, without a home directory or a secret. */

import { buildArgv } from '../cursor/command-line.ts'
import type { CursorCli } from '../cursor/find-cli.ts'
import type { System } from '../cursor/system.ts'
import type { Subject } from './check-input.ts'

/** A path of the plugin's own finding, without anybody's home directory in it. */
export function shownPath({ home, files }: System, path: string): string {
  // The real path of no home at all would be this process's own directory.
  for (const directory of home === '' ? [] : [home, files.realPath(home)]) {
    if (directory === undefined || directory.length <= 1) continue
    if (path === directory) return '~'
    if (path.startsWith(directory) && /[/\\]/.test(path[directory.length] ?? '')) {
      return `~${path.slice(directory.length)}`
    }
  }
  // Homebrew's place on Linux is nobody's home.
  return path.replace(
    /^(?:\/(?:home|Users)\/(?!linuxbrew\/)[^/]+|[a-z]:[\\/]Users[\\/][^\\/]+)/i,
    '~',
  )
}

/** The arguments of a delegation as they can be typed, with secrets masked; without a prompt its options alone. */
export function shownArguments({ config, masker }: Subject, prompt?: string): string {
  const args = buildArgv(config, prompt ?? '')
  return masker.mask((prompt === undefined ? args.slice(0, -1) : args).map(quoted).join(' '))
}

/** A path of the plugin's own finding as it can be typed. */
export function shownProgram(system: System, { program, leadingArgs }: CursorCli): string {
  return [program, ...leadingArgs].map((path) => quoted(shownPath(system, path))).join(' ')
}

function quoted(argument: string): string {
  return /^[\w./:@%+=,~\\-]+$/.test(argument) ? argument : `"${argument.replaceAll('"', '\\"')}"`
}
