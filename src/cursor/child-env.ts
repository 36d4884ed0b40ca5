/**
 * The environment that the CLI's process gets on top of the host's scrubbed one.
 */

import type { RunOptions } from './options.ts'
import type { CursorCli } from './find-cli.ts'
import { environmentValue, pathOf, type System } from './system.ts'

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
  // The bundled Node refuses some flags of the parent's and exits 9.
  if (!configures('NODE_OPTIONS')) env['NODE_OPTIONS'] = undefined
  if (!configures('CURSOR_API_KEY')) env['CURSOR_API_KEY'] = undefined
  // The launcher sets both of the following by itself.
  if (!configures('CURSOR_INVOKED_AS')) env['CURSOR_INVOKED_AS'] = 'cursor-agent'
  if (
    runner !== 'launcher' &&
    !configures('NODE_COMPILE_CACHE') &&
    !environmentValue(system.platform, system.env, 'NODE_COMPILE_CACHE')
  ) {
    env['NODE_COMPILE_CACHE'] = compileCacheDirectory(system)
  }
  for (const [name, value] of Object.entries(configured)) {
    // The CLI takes an empty key for a wrong one.
    if (name.toUpperCase() === 'CURSOR_API_KEY' && value === '') env[name] = undefined
    else env[name] = value
  }
  return env
}

/** Where the CLI's own launcher keeps compiled code, so that both share it. */
function compileCacheDirectory(system: System): string {
  const { platform, env, home } = system
  const { join } = pathOf(system)
  const caches =
    platform === 'win32'
      ? environmentValue(platform, env, 'LOCALAPPDATA') || join(home, 'AppData', 'Local')
      : platform === 'darwin'
        ? join(home, 'Library', 'Caches')
        : env['XDG_CACHE_HOME'] || join(home, '.cache')
  return join(caches, 'cursor-compile-cache')
}
