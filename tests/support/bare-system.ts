// A machine on which nothing is but an index.js of the CLI, run by the host's own Node: for runs
// with a fake process, which never look at real files.
import { thisSystem, type System } from '../../src/cursor/system.ts'

export const BARE_CLI_PATH = '/opt/cursor/index.js'

export function bareSystem(): System {
  return {
    ...thisSystem(),
    files: {
      names: () => [],
      isFile: (file) => file === BARE_CLI_PATH,
      isDirectory: (path) => path === '/',
      isExecutable: () => false,
      realPath: (file) => file,
      textOf: () => undefined,
    },
  }
}
