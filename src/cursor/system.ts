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
}

export interface System {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<NodeJS.ProcessEnv>
  readonly home: string
  /** The Node that runs this process. */
  readonly execPath: string
  readonly files: FileQuestions
}

/** The path rules of a system's platform. */
export function pathOf(system: Pick<System, 'platform'>): path.PlatformPath {
  return system.platform === 'win32' ? path.win32 : path.posix
}

/** An environment variable by the platform's rules: names ignore case on Windows. */
export function environmentValue(
  platform: NodeJS.Platform,
  env: Readonly<NodeJS.ProcessEnv>,
  name: string,
): string | undefined {
  if (platform !== 'win32') return env[name]
  const key = Object.keys(env).find((key) => key.toUpperCase() === name.toUpperCase())
  return key === undefined ? undefined : env[key]
}

/** This machine, read afresh: the environment may change while a host runs. */
export function thisSystem(): System {
  return {
    platform: process.platform,
    env: process.env,
    home: os.homedir(),
    execPath: process.execPath,
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
  isFile: (file) => tryOr(false, () => fs.statSync(file).isFile()),
  isDirectory: (directory) => tryOr(false, () => fs.statSync(directory).isDirectory()),
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
}
