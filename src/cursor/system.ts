/**
 * What `src/cursor` needs to know about the machine: platform, environment, home and files. Tests
 * pass in their own, so that they can check every platform's layout on any machine.
 */

import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** Never throws: answers `undefined`, `false` or an empty list if it cannot look. */
export interface FileQuestions {
  names(directory: string): readonly string[]
  isFile(file: string): boolean
  isDirectory(directory: string): boolean
  /** True for a non-empty file that, on POSIX, has the execute permission. */
  isExecutable(file: string): boolean
  realPath(file: string): string | undefined
  /** Reads at most the first `maxBytes` bytes, as UTF-8. */
  textOf(file: string, maxBytes: number): string | undefined
  /**
   * Says why a path that exists cannot be read. Optional, because in-memory files in tests have no
   * obstacles.
   */
  obstacle?(path: string): Obstacle | undefined
}

export interface Obstacle {
  /** The system's error code, or a few words. */
  readonly error: string
  /** Where the path points, if it is a link. */
  readonly target: string | undefined
}

export interface System {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<NodeJS.ProcessEnv>
  /** The home directory; empty if this process has no absolute one. */
  readonly home: string
  /** The program that runs this process: Node, or an application that embeds it. */
  readonly execPath: string
  /** Electron's version, if that application is an Electron program. */
  readonly electron?: string | undefined
  readonly files: FileQuestions
}

/** Node's `path` for the platform of `system`. */
export function pathOf(system: Pick<System, 'platform'>): path.PlatformPath {
  return system.platform === 'win32' ? path.win32 : path.posix
}

/**
 * Rejects a relative or empty path, because it would point into the workspace, whose files must never
 * run. On Windows also rejects a path without a drive.
 * @returns `file` if it is absolute.
 */
export function absolutePath(
  system: Pick<System, 'platform'>,
  file: string | undefined,
): string | undefined {
  const isAbsolute = system.platform === 'win32' ? /^(?:[a-z]:[\\/]|[\\/]{2}[^\\/])/i : /^\//
  return file !== undefined && isAbsolute.test(file) ? file : undefined
}

/** Where Windows keeps a user's programs and caches. */
export function localAppData({ platform, env, home }: System): string | undefined {
  const given = absolutePath({ platform }, environmentValue(platform, env, 'LOCALAPPDATA'))
  return given ?? absolutePath({ platform }, path.win32.join(home, 'AppData', 'Local'))
}

/** Looks up an environment variable; ignores the case of its name on Windows. */
export function environmentValue(
  platform: NodeJS.Platform,
  env: Readonly<NodeJS.ProcessEnv>,
  name: string,
): string | undefined {
  if (platform !== 'win32') return env[name]
  const key = Object.keys(env).find((each) => each.toUpperCase() === name.toUpperCase())
  return key === undefined ? undefined : env[key]
}

/** Reads this machine anew at each call, because the environment may change while the host runs. */
export function thisSystem(): System {
  return {
    platform: process.platform,
    env: process.env,
    home: absolutePath(process, tryOr('', os.homedir)) ?? '',
    execPath: process.execPath,
    electron: process.versions['electron'],
    files: realFiles,
  }
}

function tryOr<T>(fallback: T, look: () => T): T {
  try {
    return look()
  } catch {
    return fallback
  }
}

const realFiles: FileQuestions = {
  names: (directory) => tryOr([], () => fs.readdirSync(directory)),
  // `throwIfNoEntry: false`, because an error costs ten times as much and most files do not exist.
  isFile: (file) =>
    tryOr(false, () => fs.statSync(file, { throwIfNoEntry: false })?.isFile() ?? false),
  isDirectory: (directory) =>
    tryOr(false, () => fs.statSync(directory, { throwIfNoEntry: false })?.isDirectory() ?? false),
  isExecutable: (file) =>
    tryOr(false, () => {
      fs.accessSync(file, fs.constants.X_OK)
      const stat = fs.statSync(file)
      // An interrupted update can leave an empty file.
      return stat.isFile() && stat.size > 0
    }),
  realPath: (file) => tryOr(undefined, () => fs.realpathSync(file)),
  textOf: (file, maxBytes) =>
    tryOr(undefined, () => {
      const descriptor = fs.openSync(file, 'r')
      try {
        const bytes = Buffer.alloc(maxBytes)
        return bytes.toString('utf8', 0, fs.readSync(descriptor, bytes, 0, maxBytes, 0))
      } finally {
        fs.closeSync(descriptor)
      }
    }),
  obstacle: (file) => {
    let target: string | undefined
    try {
      const entry = fs.lstatSync(file, { throwIfNoEntry: false })
      if (entry === undefined) return undefined
      const isLink = entry.isSymbolicLink()
      if (isLink) target = path.resolve(path.dirname(file), fs.readlinkSync(file))
      const stat = isLink ? fs.statSync(file) : entry
      fs.accessSync(file, fs.constants.R_OK)
      return stat.isFile() || stat.isDirectory() ? undefined : { error: 'not a file', target }
    } catch (error) {
      const { code = 'unknown error' } = error as NodeJS.ErrnoException
      return code === 'ENOTDIR' && target === undefined ? undefined : { error: code, target }
    }
  },
}
