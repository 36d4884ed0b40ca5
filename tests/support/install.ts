// Install directories of the Cursor CLI on the real file system, with the stand-in in the place of
// its index.js, and throw-away home directories around them. It runs nothing.
import { chmod, copyFile, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const STAND_IN = fileURLToPath(new URL('stand-in/index.js', import.meta.url))
const COMMANDER = dirname(fileURLToPath(import.meta.resolve('commander')))
export const DEFAULT_VERSION = '2026.10.22-27dcf5f'

// Finds the directory behind the symlink it was called through, as the CLI's own launcher does, and
// hands over to the Node beside it with the system's trust store.
const LAUNCHER = `#!/usr/bin/env bash
set -euo pipefail
self="$0"
while [ -L "$self" ]; do
  target="$(readlink "$self")"
  case "$target" in
    /*) self="$target" ;;
    *) self="$(dirname "$self")/$target" ;;
  esac
done
here="$(cd "$(dirname "$self")" && pwd -P)"
CURSOR_INVOKED_AS="$(basename "$0")"
export CURSOR_INVOKED_AS
if [ -z "\${NODE_COMPILE_CACHE:-}" ]; then
  case "$(uname -s)" in
    Darwin) NODE_COMPILE_CACHE="$HOME/Library/Caches/cursor-compile-cache" ;;
    *) NODE_COMPILE_CACHE="\${XDG_CACHE_HOME:-$HOME/.cache}/cursor-compile-cache" ;;
  esac
  export NODE_COMPILE_CACHE
fi
exec "$here/node" --use-system-ca "$here/index.js" "$@"
`

export interface InstallOptions {
  /** The `cursor-agent` data directory, or with `layout: 'flat'` the directory of the files. */
  readonly root: string
  readonly version?: string
  readonly layout?: 'versions' | 'flat'
  /** Default: true except on Windows. */
  readonly launcher?: boolean | 'not-executable'
  /** Default: the running Node under the install's name, as a symlink, or as a copy on Windows. */
  readonly node?: 'none'
  /** Default: true. An update that is half-written has none. */
  readonly index?: boolean
}

export interface Install {
  readonly version: string
  /** The directory of the files. */
  readonly directory: string
  readonly indexPath: string
  readonly nodePath: string
  /** The bash launcher; the .cmd shim with Windows names. */
  readonly launcherPath: string
}

const windows = process.platform === 'win32'

/** Builds one install; directories that exist already are kept, so several versions can share a root. */
export async function makeInstall(options: InstallOptions): Promise<Install> {
  const version = options.version ?? DEFAULT_VERSION
  const directory =
    options.layout === 'flat' ? options.root : join(options.root, 'versions', version)
  const install: Install = {
    version,
    directory,
    indexPath: join(directory, 'index.js'),
    nodePath: join(directory, windows ? 'node.exe' : 'node'),
    launcherPath: join(directory, windows ? 'cursor-agent.cmd' : 'cursor-agent'),
  }
  await mkdir(directory, { recursive: true })
  if (options.index !== false) {
    await copyFile(STAND_IN, install.indexPath)
    await copyFile(join(dirname(STAND_IN), 'package.json'), join(directory, 'package.json'))
    const library = join(directory, 'node_modules', 'commander')
    await mkdir(dirname(library), { recursive: true })
    await (windows ? cp(COMMANDER, library, { recursive: true }) : symlink(COMMANDER, library))
  }
  if (options.node !== 'none') {
    await (windows ? copyFile : symlink)(process.execPath, install.nodePath)
  }
  const launcher = options.launcher ?? !windows
  if (launcher !== false) {
    const text = windows ? '@rem a shim that must never be run\r\n@exit /b 97\r\n' : LAUNCHER
    await writeFile(install.launcherPath, text)
    await chmod(install.launcherPath, launcher === 'not-executable' ? 0o644 : 0o755)
  }
  return install
}

export interface TestHome {
  /** The home directory. */
  readonly home: string
  /** The `cursor-agent` data directory in it, for further versions. */
  readonly dataDirectory: string
  readonly install: Install
  /** `~/.local/bin/cursor-agent`; on Windows nothing is there. */
  readonly binLink: string
  /** HOME and its relatives for a child; nothing else. */
  readonly env: Readonly<Record<string, string>>
  cleanup(): Promise<void>
}

/** A throw-away home directory with one install in the place where the CLI's installer puts it. */
export async function makeHome(options: Omit<InstallOptions, 'root'> = {}): Promise<TestHome> {
  const home = await mkdtemp(join(tmpdir(), 'cursor-home-'))
  const local = windows ? join(home, 'AppData', 'Local') : join(home, '.local', 'share')
  const dataDirectory = join(local, 'cursor-agent')
  const install = await makeInstall({ ...options, root: dataDirectory })
  const binLink = join(home, '.local', 'bin', 'cursor-agent')
  if (!windows) {
    await mkdir(dirname(binLink), { recursive: true })
    await symlink(install.launcherPath, binLink)
    await symlink(install.launcherPath, join(dirname(binLink), 'agent'))
  }
  return {
    home,
    dataDirectory,
    install,
    binLink,
    env: {
      HOME: home,
      USERPROFILE: home,
      LOCALAPPDATA: join(home, 'AppData', 'Local'),
      XDG_CACHE_HOME: join(home, '.cache'),
    },
    cleanup: () => rm(home, { recursive: true, force: true, maxRetries: 5 }),
  }
}
