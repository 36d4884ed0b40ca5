/**
 * Builds the CLI's environment, which the host lays over its own scrubbed one.
 */

import type { RunOptions } from './options.ts'
import type { CursorCli } from './find-cli.ts'
import { absolutePath, environmentValue, localAppData, pathOf, type System } from './system.ts'

/**
 * The configured `env` always wins.
 * @returns entries to lay over the host's environment; `undefined` removes an inherited variable.
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
  // The CLI's bundled Node exits 9 if it does not know a flag in NODE_OPTIONS.
  remove('NODE_OPTIONS')
  remove('CURSOR_API_KEY')
  // Otherwise an Electron host's switches would reach every Electron program the agent starts.
  for (const name of Object.keys(system.env)) if (/^ELECTRON_/i.test(name)) remove(name)
  if (
    runner === 'host-node' &&
    system.electron !== undefined &&
    !configures('ELECTRON_RUN_AS_NODE')
  ) {
    // Makes Electron run as Node; otherwise the host's executable opens another window.
    env['ELECTRON_RUN_AS_NODE'] = '1'
  }
  // The CLI's own launcher sets these two; the other runners depend on us.
  if (!configures('CURSOR_INVOKED_AS')) env['CURSOR_INVOKED_AS'] = 'cursor-agent'
  if (!configures('NODE_COMPILE_CACHE')) {
    Object.assign(env, compileCache(system, configured, runner))
  }
  for (const [name, value] of Object.entries(configured)) {
    // The CLI rejects an empty key as a wrong one.
    if (name.toUpperCase() === 'CURSOR_API_KEY' && value === '') env[name] = undefined
    else env[name] = value
  }
  return env
}

/**
 * Makes the child use the same compile cache as the CLI's own launcher, or none. Never a relative
 * directory: the child would then run compiled code from the workspace.
 * @returns the variables to set; empty if the child finds the right cache itself.
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
  // Keeps the launcher from falling back to `$HOME`; it fails when `$HOME` is not set.
  return { NODE_COMPILE_CACHE: '/dev/null', NODE_DISABLE_COMPILE_CACHE: '1' }
}

function cachesDirectory(system: System, xdg: string): string | undefined {
  const { platform, home } = system
  const { join } = pathOf(system)
  if (platform === 'win32') return localAppData(system)
  if (platform === 'darwin') return absolutePath(system, join(home, 'Library', 'Caches'))
  return absolutePath(system, xdg) ?? absolutePath(system, join(home, '.cache'))
}
