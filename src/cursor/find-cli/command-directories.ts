/** Directories in which a command of the CLI can be. Looking into them belongs to `../find-cli.ts`. */

import { absolutePath, environmentValue, pathOf, type System } from '../system.ts'

/** Where a package manager puts commands, and a program started from a desktop has no PATH to. */
const DESKTOP_DIRECTORIES = [
  '/opt/homebrew/bin',
  '/usr/local/bin',
  '/home/linuxbrew/.linuxbrew/bin',
] as const

export function desktopDirectories(system: System): string[] {
  return system.platform === 'win32' ? [] : [...DESKTOP_DIRECTORIES, ...ownBin(system)]
}

/** Where Cursor's installer puts its links; shells have it on PATH, as a rule. */
export function ownBin(system: System): string[] {
  const { platform, home } = system
  const own = absolutePath(system, pathOf(system).join(home, '.local', 'bin'))
  return platform === 'win32' || own === undefined ? [] : [own]
}

/** PATH without what is relative or empty: that would be the workspace. */
export function searchPath(system: System): string[] {
  const { platform, env } = system
  const { delimiter, resolve } = pathOf(system)
  return (environmentValue(platform, env, 'PATH') ?? '')
    .split(delimiter)
    .map((directory) => (platform === 'win32' ? directory.replaceAll('"', '') : directory))
    .filter((directory) => absolutePath(system, directory) !== undefined)
    .map((directory) => resolve(directory))
}
