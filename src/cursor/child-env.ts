/**
 * The environment that the CLI's process gets on top of the host's scrubbed one.
 */

import type { RunOptions } from './options.ts'
import type { CursorCli } from './find-cli.ts'
import { absolutePath, environmentValue, localAppData, pathOf, type System } from './system.ts'

/**
 * @returns entries to lay over the host's environment; `undefined` removes an inherited variable.
 * What the configuration's `env` names always wins.
 */
export function childEnvironment(
  system: System,
  configured: RunOptions['env'],
  runner: CursorCli['runner'],
): NodeJS.ProcessEnv {
  const configures = (name: string): boolean =>
    environmentValue(system.platform, configured, name) !== undefined
  const env: NodeJS.ProcessEnv = {}
  const remove = (name: string): void => {
    if (!configures(name)) env[name] = undefined
  }
  // The bundled Node refuses some flags of the parent's and exits 9.
  remove('NODE_OPTIONS')
  remove('CURSOR_API_KEY')
  // An Electron host's own switches would reach every Electron program that the agent starts.
  for (const name of Object.keys(system.env)) if (/^ELECTRON_/i.test(name)) remove(name)
  if (
    runner === 'host-node' &&
    system.electron !== undefined &&
    !configures('ELECTRON_RUN_AS_NODE')
  ) {
    // Without it the host's executable opens another window.
    env['ELECTRON_RUN_AS_NODE'] = '1'
  }
  // The launcher sets both of the following by itself.
  if (!configures('CURSOR_INVOKED_AS')) env['CURSOR_INVOKED_AS'] = 'cursor-agent'
  if (!configures('NODE_COMPILE_CACHE')) {
    Object.assign(env, compileCache(system, configured, runner))
  }
  for (const [name, value] of Object.entries(configured)) {
    // The CLI takes an empty key for a wrong one.
    if (name.toUpperCase() === 'CURSOR_API_KEY' && value === '') env[name] = undefined
    else env[name] = value
  }
  return env
}

/**
 * Compiled code is code: a relative cache directory would be read from the workspace.
 * @returns what makes the child use the cache of the CLI's own launcher, or none.
 */
function compileCache(
  system: System,
  configured: RunOptions['env'],
  runner: CursorCli['runner'],
): NodeJS.ProcessEnv {
  const { platform, env } = system
  const value = (name: string): string =>
    environmentValue(platform, configured, name) ?? environmentValue(platform, env, name) ?? ''
  const isPlace = (path: string): boolean => absolutePath(system, path) !== undefined
  const given = value('NODE_COMPILE_CACHE')
  if (isPlace(given)) return {}
  const xdg = value('XDG_CACHE_HOME')
  const launcherHasPlace =
    given === '' && isPlace(system.home) && (xdg === '' || isPlace(xdg) || platform === 'darwin')
  if (runner === 'launcher' && launcherHasPlace) return {}
  const directory = cachesDirectory(system, xdg)
  if (directory !== undefined) {
    return { NODE_COMPILE_CACHE: pathOf(system).join(directory, 'cursor-compile-cache') }
  }
  // The launcher would take `$HOME`, and stops where that is not set.
  return { NODE_COMPILE_CACHE: '/dev/null', NODE_DISABLE_COMPILE_CACHE: '1' }
}

function cachesDirectory(system: System, xdg: string): string | undefined {
  const { platform, home } = system
  const { join } = pathOf(system)
  if (platform === 'win32') return localAppData(system)
  if (platform === 'darwin') return absolutePath(system, join(home, 'Library', 'Caches'))
  return absolutePath(system, xdg) ?? absolutePath(system, join(home, '.cache'))
}
