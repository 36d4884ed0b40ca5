/**
 * What the Cursor side asks of the machine it runs on: platform, environment, home and a few
 * questions about files. Everything is injectable, so that every platform's layout can be
 * checked on any machine.
 */

import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** Questions about files; each answers `undefined`, `false` or an empty list where it cannot look. */
export interface FileQuestions {
  names(directory: string): readonly string[]
  isFile(file: string): boolean
  isDirectory(directory: string): boolean
  /** A file with something in it; POSIX: and with the execute permission. */
  isExecutable(file: string): boolean
  realPath(file: string): string | undefined
  /** The first `maxBytes` bytes as text. */
  textOf(file: string, maxBytes: number): string | undefined
  /**
   * What stands in the way where something is there and cannot be looked at: the system's error,
   * and where a link points. Optional, because files in memory need not have any.
   */
  obstacle?(path: string): Obstacle | undefined
}

export interface Obstacle {
  /** The system's error code, or words for one. */
  readonly error: string
  readonly target: string | undefined
}

export interface System {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<NodeJS.ProcessEnv>
  /** The home directory; empty when this process has none that is absolute. */
  readonly home: string
  /** The program that runs this process: Node, or an application that holds it. */
  readonly execPath: string
  /** Electron's version, when that application is an Electron program. */
  readonly electron?: string | undefined
  readonly files: FileQuestions
}

/** The path rules of a system's platform. */
export function pathOf(system: Pick<System, 'platform'>): path.PlatformPath {
  return system.platform === 'win32' ? path.win32 : path.posix
}

/**
 * @returns `path` when it is absolute. A relative or empty one is no place: it would lie in the
 * workspace, whose files must never run. On Windows neither is one without a drive.
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

/** An environment variable by the platform's rules: names ignore case on Windows. */
export function environmentValue(
  platform: NodeJS.Platform,
  env: Readonly<NodeJS.ProcessEnv>,
  name: string,
): string | undefined {
  if (platform !== 'win32') return env[name]
  const key = Object.keys(env).find((each) => each.toUpperCase() === name.toUpperCase())
  return key === undefined ? undefined : env[key]
}

/** This machine, read afresh: the environment may change while a host runs. */
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
  // An error costs ten times as much as the answer, and most places are empty.
  isFile: (file) =>
    tryOr(false, () => fs.statSync(file, { throwIfNoEntry: false })?.isFile() ?? false),
  isDirectory: (directory) =>
    tryOr(false, () => fs.statSync(directory, { throwIfNoEntry: false })?.isDirectory() ?? false),
  isExecutable: (file) =>
    tryOr(false, () => {
      fs.accessSync(file, fs.constants.X_OK)
      const stat = fs.statSync(file)
      // An update that was interrupted can leave an empty file.
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
