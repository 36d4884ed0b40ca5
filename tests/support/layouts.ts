// The layouts of tests/layouts.jsonl on a machine: one whose files exist only in memory, so that
// every platform's can be had anywhere, and this very one with real files. What must be found in a
// layout is in its line; finding it is the tests' business.
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { CursorCli } from '../../src/cursor/find-cli.ts'
import {
  thisSystem,
  type FileQuestions,
  type Obstacle,
  type System,
} from '../../src/cursor/system.ts'
import { layoutCases } from './cases.ts'

type Platform = 'linux' | 'darwin' | 'win32'

/** `~` is the home directory and `{a,b}` stands for both names in every path but `cliPath`. */
export interface Disk {
  readonly platform: Platform
  /** A name that ends in a separator is a directory. */
  readonly files: readonly string[]
  /** Link to target; a target may be a directory. */
  readonly links?: Readonly<Record<string, string>>
  /** File, or its name, to octal mode. By default a program's name is executable and another is not. */
  readonly modes?: Readonly<Record<string, string>>
  /** File to its text; a launcher's is the CLI's own by default. */
  readonly texts?: Readonly<Record<string, string>>
  /** Nothing at or below these can be looked at. */
  readonly forbidden?: readonly string[]
  /** Besides PATH; on Windows in the place of the usual LOCALAPPDATA. */
  readonly env?: Readonly<Record<string, string>>
  readonly path?: string
  readonly home?: string
}

export interface Layout extends Disk {
  readonly why: string
  /** Real files would not do: something lies outside of what a test may write. */
  readonly memory?: boolean
  /** Each has the same outcome; null: without one. */
  readonly cliPath?: string | readonly (string | null)[]
  /** The directory of the install that is found, and what runs it (the platform's usual by default). */
  readonly in?: string
  readonly by?: CursorCli['runner']
  /** The category of the failure; a list goes with the list of `cliPath`. */
  readonly fails?: string | readonly string[]
  /** Patterns that the failure's text matches, or must not match. */
  readonly says?: readonly string[]
  readonly silent?: readonly string[]
  /** Every place that is called unusable, in order. */
  readonly unusable?: readonly string[]
  /** Every place that is listed, in order. */
  readonly looked?: readonly string[]
  /** Place to a pattern of what is said about it. */
  readonly tells?: Readonly<Record<string, string>>
}

export const HOME = { linux: '/home/u', darwin: '/Users/u', win32: 'C:\\Users\\u' }
const HOST_NODE = { linux: '/opt/host/node', darwin: '/opt/host/node', win32: 'C:\\host\\node.exe' }

/** Names of programs; on Windows every file can be one. */
const PROGRAM = /^(?:node|cursor-agent|agent|cursor|rg)$/

/** How the CLI's own launcher begins and ends. */
const LAUNCHER = `#!/usr/bin/env bash
set -euo pipefail
here="$(dirname "$0")"
# the last statement hands over
exec "$here/node" --use-system-ca "$here/index.js" "$@"
`

type Line = Omit<Layout, 'platform'> & {
  readonly platform: Platform | 'posix'
  /** A layout of tests/cases.jsonl, of which only the outcome is here. */
  readonly case?: string
}

/** Every layout, `posix` ones for both platforms. */
export const layouts: readonly Layout[] = readFileSync(
  new URL('../layouts.jsonl', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .flatMap((text): Layout[] => {
    const line = JSON.parse(text) as Line
    const { case: id, platform } = line
    if (id !== undefined) return [ofCase(id, line)]
    const platforms = platform === 'posix' ? (['linux', 'darwin'] as const) : [platform]
    return platforms.map((each) => ({ ...line, platform: each }))
  })

function ofCase(id: string, wanted: Line): Layout {
  const found = layoutCases.find((item) => item.id === id)
  if (found === undefined) throw new Error(`tests/cases.jsonl has no layout ${id}`)
  const { why, scripts: texts = {}, path: directories = [], ...disk } = found
  const PATH = typeof directories === 'string' ? directories : directories.join(':')
  return { ...disk, texts, path: PATH, ...wanted, why: `${id}: ${why}`, platform: disk.platform }
}

function expand(name: string): string[] {
  const match = /(?<!\$)\{([^{}]*)\}/.exec(name)
  if (match === null) return [name]
  const [all, names = ''] = match
  return names.split(',').flatMap((each) => expand(name.replace(all, () => each)))
}

const pathOn = (platform: Platform): path.PlatformPath =>
  platform === 'win32' ? path.win32 : path.posix

/** Where a path of a layout is on a machine. */
type At = (place: string) => string

/** What is on a disk, by the paths of a machine. */
class Contents {
  readonly files = new Map<string, { readonly text: string; readonly mode: number }>()
  readonly directories: string[] = []
  readonly links: Readonly<Record<string, string>>
  readonly env: NodeJS.ProcessEnv

  constructor({ platform, files, links = {}, modes = {}, texts = {}, ...disk }: Disk, at: At) {
    const { basename, delimiter } = pathOn(platform)
    const moved = (record: Readonly<Record<string, string>>, key: At) =>
      Object.fromEntries(Object.entries(record).map(([name, value]) => [key(name), at(value)]))
    this.links = moved(links, at)
    for (const name of [...files, ...Object.keys(texts)].flatMap(expand)) {
      const file = at(name)
      const base = basename(file)
      if (/[/\\]$/.test(file)) {
        this.directories.push(file.slice(0, -1))
        continue
      }
      const mode = modes[name] ?? modes[base] ?? (PROGRAM.test(base) ? '755' : '644')
      const text = texts[name] ?? (base === 'cursor-agent' ? LAUNCHER : 'x')
      this.files.set(file, {
        text: text.replaceAll(/(?<![\w$.])\/opt\//g, at),
        mode: Number.parseInt(mode, 8),
      })
    }
    const PATH = (disk.path ?? '').split(delimiter).map(at).join(delimiter)
    const usual = platform === 'win32' ? { LOCALAPPDATA: '%LOCALAPPDATA%' } : {}
    this.env = { ...moved(disk.env ?? usual, (name) => name), PATH }
  }
}

/** A layout's disk on a machine. */
export interface Machine {
  readonly system: System
  readonly at: At
}

const folder = (home: string, name: string): string =>
  path.win32.join(home, 'AppData', name === '%APPDATA%' ? 'Roaming' : 'Local')

/** A machine whose files exist only in memory. */
export function inMemory(disk: Disk): Machine & { readonly system: { files: MemoryFiles } } {
  const { platform, home = HOME[platform] } = disk
  const at: At = (place) =>
    place.replace(/^~|^%\w+%/, (start) => (start === '~' ? HOME[platform] : folder(home, start)))
  const contents = new Contents(disk, at)
  const files = new MemoryFiles(platform, contents, disk.forbidden ?? [])
  return { at, system: { platform, env: contents.env, home, execPath: HOST_NODE[platform], files } }
}

/** This machine, with the layout's files in a directory of their own. */
export async function onDisk(disk: Disk, user: string) {
  const root = await mkdtemp(path.join(tmpdir(), 'layout-'))
  const home = path.join(root, 'home', user)
  const at: At = (place) =>
    disk.platform === 'win32'
      ? place.replace(/^C:\\Users\\[^\\]+|^"?[A-Z]:|^%\w+%/, (start) => {
          if (start.startsWith('%')) return folder(home, start)
          return start.endsWith(':')
            ? start.replace(/([A-Z]):/, (_, drive) => `${root}\\${drive}`)
            : home
        })
      : place.replace(/^~|^\/home\/u(?=\/)|^(?=\/)/, (start) => (start ? home : root))
  const { files, directories, links, env } = new Contents(disk, at)
  for (const each of [home, ...directories]) await mkdir(each, { recursive: true })
  for (const [file, { text, mode }] of files) {
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, text, { mode })
  }
  for (const [link, target] of Object.entries(links)) {
    await mkdir(path.dirname(link), { recursive: true })
    await symlink(target, link)
  }
  const remove = (): Promise<void> => rm(root, { recursive: true, force: true, maxRetries: 20 })
  return { at, system: { ...thisSystem(), env, home }, remove }
}

/** What a path is resolved to whose links never end. */
const LOOP = 'loop'

/** Entries are kept by the spelling that all spellings of a path have in common. */
class MemoryFiles implements FileQuestions {
  /** Every path that was asked about. */
  readonly asked = new Set<string>()
  readonly #path: path.PlatformPath
  readonly #isWindows: boolean
  readonly #contents: Contents
  readonly #forbidden: readonly string[]
  readonly #files: Map<string, string>
  readonly #directories = new Map<string, string>()

  constructor(platform: Platform, contents: Contents, forbidden: readonly string[]) {
    this.#path = pathOn(platform)
    this.#isWindows = platform === 'win32'
    this.#contents = contents
    this.#forbidden = forbidden
    const { dirname } = this.#path
    this.#files = new Map([...contents.files.keys()].map((file) => [this.#key(file), file]))
    const named = [...contents.files.keys(), ...Object.keys(contents.links)].map((each) =>
      dirname(each),
    )
    for (let each of [...contents.directories, ...named]) {
      for (; !this.#directories.has(this.#key(each)); each = dirname(each)) {
        this.#directories.set(this.#key(each), each)
      }
    }
  }

  names(directory: string): string[] {
    const real = this.#resolve(directory)
    const { basename, dirname } = this.#path
    const links = Object.keys(this.#contents.links)
    return [...this.#files.values(), ...this.#directories.values(), ...links]
      .filter((entry) => this.#key(entry) !== real && this.#key(dirname(entry)) === real)
      .map((entry) => basename(entry))
  }

  isFile(file: string): boolean {
    const real = this.#resolve(file)
    return this.#files.has(real) && !this.#isForbidden(real)
  }

  isDirectory(directory: string): boolean {
    const real = this.#resolve(directory)
    return this.#directories.has(real) && !this.#isForbidden(real)
  }

  obstacle(file: string): Obstacle | undefined {
    const target = this.#contents.links[file]
    const real = this.#resolve(file)
    if (real === LOOP) return { error: 'ELOOP', target }
    if (this.#isForbidden(real)) return { error: 'EACCES', target }
    return target === undefined || this.#isThere(real) ? undefined : { error: 'ENOENT', target }
  }

  isExecutable(file: string): boolean {
    const { text = '', mode = 0 } = this.#contentOf(file) ?? {}
    return text !== '' && (this.#isWindows || (mode & 0o111) !== 0)
  }

  realPath(file: string): string | undefined {
    const real = this.#resolve(file)
    return this.#files.get(real) ?? this.#directories.get(real)
  }

  textOf(file: string, maxBytes: number): string | undefined {
    return this.#contentOf(file)?.text.slice(0, maxBytes)
  }

  #contentOf(file: string) {
    return this.#contents.files.get(this.#files.get(this.#resolve(file)) ?? '')
  }

  #isThere(real: string): boolean {
    return this.#files.has(real) || this.#directories.has(real)
  }

  #isForbidden(real: string): boolean {
    return this.#forbidden.some((root) => real === root || real.startsWith(root + this.#path.sep))
  }

  #key(name: string): string {
    return this.#isWindows
      ? this.#path
          .normalize(name)
          .replace(/(?<=[^:])\\$/, '')
          .toLowerCase()
      : name
  }

  #resolve(asked: string): string {
    this.asked.add(asked)
    let real = this.#key(asked)
    const links = Object.entries(this.#contents.links)
    for (let level = 0; level < 10; level++) {
      const link = links.find(([name]) => real === name || real.startsWith(name + this.#path.sep))
      if (link === undefined) return real
      real = link[1] + real.slice(link[0].length)
    }
    return LOOP
  }
}
