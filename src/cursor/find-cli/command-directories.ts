/** Directories that can hold a command of the CLI. `../find-cli.ts` looks into them. */

import { absolutePath, environmentValue, pathOf, type System } from '../system.ts'

/** Package managers put commands here; programs started from a desktop lack them on PATH. */
const DESKTOP_DIRECTORIES = [
  '/opt/homebrew/bin',
  '/usr/local/bin',
  '/home/linuxbrew/.linuxbrew/bin',
] as const

export function desktopDirectories(system: System): string[] {
  return system.platform === 'win32' ? [] : [...DESKTOP_DIRECTORIES, ...ownBin(system)]
}

/** Where Cursor's installer puts its links. Most shells have it on PATH. */
export function ownBin(system: System): string[] {
  const { platform, home } = system
  const own = absolutePath(system, pathOf(system).join(home, '.local', 'bin'))
  return platform === 'win32' || own === undefined ? [] : [own]
}

/** PATH without relative and empty entries, because they would mean the workspace. */
export function searchPath(system: System): string[] {
  const { platform, env } = system
  const { delimiter, resolve } = pathOf(system)
  return (environmentValue(platform, env, 'PATH') ?? '')
    .split(delimiter)
    .map((directory) => (platform === 'win32' ? directory.replaceAll('"', '') : directory))
    .filter((directory) => absolutePath(system, directory) !== undefined)
    .map((directory) => resolve(directory))
}
