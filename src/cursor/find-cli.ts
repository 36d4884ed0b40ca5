/**
 * Finds the Cursor CLI on this machine: which install, which program, which arguments before
 * the CLI's own. The one file to open when Cursor moves its files. Starting it belongs to `run.ts`.
 *
 * The Windows shims are never a program here: they go through PowerShell and cmd.exe, which
 * expand `%VAR%` and split at `&` and `|`.
 */

import { CursorStartError } from './start-error.ts'
import { environmentValue, pathOf, type System } from './system.ts'

/** The program that runs the CLI. `argv` of a child is `[program, ...leadingArgs, ...]`. */
export interface CursorCli {
  readonly program: string
  /** Arguments before the CLI's own: `index.js`, or nothing for the launcher. */
  readonly leadingArgs: readonly string[]
  /**
   * `launcher` sets up the trust store and the compile cache by itself; with the other two
   * the child gets them from this plugin as far as it can.
   */
  readonly runner: 'launcher' | 'bundled-node' | 'host-node'
  /** The directory of `index.js`. */
  readonly directory: string
  /** The version directory's name, when the install lies in one. */
  readonly version: string | undefined
}

/** One place that was looked at, in order. */
export interface Place {
  readonly path: string
  readonly state: 'missing' | 'unusable' | 'usable'
  /** What is wrong there; always given for `unusable`. */
  readonly reason?: string
}

export interface CliSearch {
  readonly cli: CursorCli | undefined
  readonly places: readonly Place[]
}

/** Names of version directories, from the CLI's own Windows launcher. Installers leave others beside them. */
const VERSION_NAME = /^(\d{4})\.(\d{1,2})\.(\d{1,2})(?:-(\d{2})-(\d{2})-(\d{2}))?-[a-f0-9]+$/

/** Windows takes it in any case; elsewhere another case is another file, which is looked at anyway. */
const INDEX_NAME = /^index\.js$/i
const SHIM_NAME = /\.(?:cmd|ps1)$/i
const EDITOR_NAME = /^cursor(?:\.(?:exe|cmd|ps1)|(?:-[^/\\]*)?\.appimage)?$/i

/** An error is read by a person, and the host keeps only its beginning. */
const MOST_PLACES_SHOWN = 15

/** Enough of a launcher to see how it ends; the real one has about 1 KiB. */
const LAUNCHER_BYTES = 16_384

/** Whether `name` is a version directory's name, which is also what `--version` prints. */
export function isCursorVersion(name: string): boolean {
  return VERSION_NAME.test(name)
}

/**
 * Sorts version names newest first: by date as numbers, then by time (a name with one is newer
 * than one without on the same date), then by name, so that the order is always the same.
 */
export function compareVersionsNewestFirst(a: string, b: string): number {
  const left = VERSION_NAME.exec(a)
  const right = VERSION_NAME.exec(b)
  for (let part = 1; part <= 6; part++) {
    const difference = Number(right?.[part] ?? -1) - Number(left?.[part] ?? -1)
    if (difference !== 0) return difference
  }
  return a < b ? 1 : a > b ? -1 : 0
}

/**
 * @returns the CLI that a run starts.
 * @throws {CursorStartError} `cli-not-found` or `broken-install`, listing every place looked at.
 */
export function resolveCursorCli(system: System, cliPath?: string): CursorCli {
  const { cli, places } = searchCursorCli(system, cliPath)
  if (cli !== undefined) return cli
  const lookedAt = places
    .slice(0, MOST_PLACES_SHOWN)
    .map(({ path, reason }) => `  ${path}: ${reason ?? 'nothing there'}`)
  const others = places.length - MOST_PLACES_SHOWN
  if (others > 0) lookedAt.push(`  and ${others} more`)
  const unusable = places.filter(({ state }) => state === 'unusable')
  if (unusable.length === 0) {
    throw new CursorStartError('cli-not-found', { details: ['Looked at:', ...lookedAt] })
  }
  throw new CursorStartError('broken-install', {
    happened: `The Cursor CLI is installed but cannot run: ${unusable[0]?.reason}.`,
    details: ['Looked at:', ...lookedAt],
  })
}

/**
 * Looks in every place of the platform, in order, until one is usable.
 * @throws {CursorStartError} `cli-not-found` when `cliPath` is the editor's launcher.
 */
export function searchCursorCli(system: System, cliPath?: string): CliSearch {
  const search = new Search(system)
  const cli =
    cliPath === undefined ? search.everywhere() : search.behind(expandHome(system, cliPath))
  return { cli, places: search.places }
}

/**
 * Every version beside `cli`'s own and itself, newest first, half-written ones too; empty when it
 * lies in no version directory.
 */
export function versionsBeside(system: System, cli: CursorCli): readonly Place[] {
  const { dirname, join } = pathOf(system)
  const own = versionDirectoryOf(system, cli.directory)
  if (own === undefined) return []
  const names = system.files.names(dirname(own)).filter(isCursorVersion)
  return names.toSorted(compareVersionsNewestFirst).flatMap((name) => {
    const search = new Search(system)
    search.version(join(dirname(own), name))
    return search.places
  })
}

/** @returns the version directory that the directory of an `index.js` is, or lies in. */
function versionDirectoryOf(system: System, directory: string): string | undefined {
  const { basename, dirname } = pathOf(system)
  return [directory, dirname(directory)].find((path) => isCursorVersion(basename(path)))
}

/** `~/x` and `~\x` name a path in the home directory. */
function expandHome(system: System, path: string): string {
  return /^~[/\\]/.test(path) ? pathOf(system).join(system.home, path.slice(2)) : path
}

class Search {
  readonly places: Place[] = []
  readonly #system: System
  readonly #path: ReturnType<typeof pathOf>
  readonly #nodeName: string

  constructor(system: System) {
    this.#system = system
    this.#path = pathOf(system)
    this.#nodeName = system.platform === 'win32' ? 'node.exe' : 'node'
  }

  everywhere(): CursorCli | undefined {
    const { platform, env, home } = this.#system
    if (platform === 'win32') {
      const local =
        environmentValue(platform, env, 'LOCALAPPDATA') || this.#path.join(home, 'AppData', 'Local')
      return this.#inRoot(this.#path.join(local, 'cursor-agent'))
    }
    return (
      this.#inRoot(this.#path.join(home, '.local', 'share', 'cursor-agent')) ?? this.#onSearchPath()
    )
  }

  /** The install that `cliPath` belongs to. */
  behind(cliPath: string): CursorCli | undefined {
    const { files } = this.#system
    if (files.isDirectory(cliPath)) {
      return this.#inRoot(cliPath, { hostNode: true }) ?? this.#noteForeign(cliPath)
    }
    const name = this.#path.basename(cliPath)
    if (EDITOR_NAME.test(name)) {
      throw new CursorStartError('cli-not-found', {
        happened: `\`cliPath\` names the launcher of the Cursor editor (${name}), not the Cursor CLI.`,
      })
    }
    if (!files.isFile(cliPath)) return this.#note({ path: cliPath, state: 'missing' })
    const real = files.realPath(cliPath) ?? cliPath
    const directory = this.#path.dirname(real)
    if (SHIM_NAME.test(name)) return this.#inRoot(directory) ?? this.#noteForeign(cliPath)
    if (INDEX_NAME.test(this.#path.basename(real))) {
      const named = this.#path.dirname(cliPath)
      const withNode = [named, directory].find((candidate) =>
        files.isFile(this.#path.join(candidate, this.#nodeName)),
      )
      return this.#install(withNode ?? named, { hostNode: true })
    }
    return this.#behindLauncher(directory) ?? this.#noteForeign(cliPath)
  }

  /** A launcher's own version may be half-written by now: the newest beside it serves. */
  #behindLauncher(directory: string): CursorCli | undefined {
    const versions = this.#versionsAround(directory)
    return (
      this.#install(directory, { expected: versions !== undefined }) ??
      (versions === undefined ? undefined : this.#inVersions(versions))
    )
  }

  /** @returns the `versions` directory that `directory` lies in, if it is a version. */
  #versionsAround(directory: string): string | undefined {
    const parent = this.#path.dirname(directory)
    return this.#path.basename(parent) === 'versions' ? parent : undefined
  }

  /** A directory laid out like Cursor's own: a flat pair, or `versions/<v>/`. */
  #inRoot(root: string, options: { hostNode?: boolean } = {}): CursorCli | undefined {
    return this.#install(root, options) ?? this.#inVersions(this.#path.join(root, 'versions'))
  }

  #inVersions(versions: string): CursorCli | undefined {
    const names = this.#system.files.names(versions).filter(isCursorVersion)
    if (names.length === 0) return this.#note({ path: versions, state: 'missing' })
    for (const name of names.toSorted(compareVersionsNewestFirst)) {
      const directory = this.#path.join(versions, name)
      const cli = this.version(directory)
      if (cli !== undefined) return cli
    }
    return undefined
  }

  /** The install in a version directory, which should be whole. */
  version(directory: string): CursorCli | undefined {
    return this.#install(directory, { expected: true })
  }

  /** Homebrew and other installs that a `cursor-agent` on PATH leads to. `agent` may be another product. */
  #onSearchPath(): CursorCli | undefined {
    const { platform, env, files } = this.#system
    const directories = (environmentValue(platform, env, 'PATH') ?? '').split(this.#path.delimiter)
    const launchers = directories
      .filter((directory) => this.#path.isAbsolute(directory))
      .map((directory) => this.#path.join(directory, 'cursor-agent'))
      .filter((launcher) => files.isFile(launcher))
    for (const launcher of launchers) {
      const directory = this.#path.dirname(files.realPath(launcher) ?? launcher)
      if (this.places.some(({ path }) => path === directory)) continue
      if (!this.#directoryOfIndex(directory) && !this.#versionsAround(directory)) {
        const reason = 'no install of the Cursor CLI (no index.js beside it)'
        this.#note({ path: launcher, state: 'missing', reason })
        continue
      }
      const cli = this.#behindLauncher(directory)
      if (cli !== undefined) return cli
    }
    if (launchers.length === 0) this.#note({ path: 'cursor-agent on PATH', state: 'missing' })
    return undefined
  }

  /** The directory of `index.js`: the given one, or `dist-package` in it. */
  #directoryOfIndex(directory: string): string | undefined {
    return [directory, this.#path.join(directory, 'dist-package')].find((candidate) =>
      this.#system.files.isFile(this.#path.join(candidate, 'index.js')),
    )
  }

  /** @param options `expected`: an install should be here, so that nothing here is a broken one. */
  #install(
    directory: string,
    options: { hostNode?: boolean; expected?: boolean } = {},
  ): CursorCli | undefined {
    const { files, execPath } = this.#system
    const home = this.#directoryOfIndex(directory)
    if (home === undefined) {
      if (options.expected || files.isFile(this.#path.join(directory, this.#nodeName))) {
        this.#note({ path: directory, state: 'unusable', reason: 'index.js is missing' })
      } else if (!files.isDirectory(this.#path.join(directory, 'versions'))) {
        this.#note({ path: directory, state: 'missing' })
      }
      return undefined
    }
    const index = this.#path.join(home, 'index.js')
    const node = this.#path.join(home, this.#nodeName)
    const versionDirectory = versionDirectoryOf(this.#system, home)
    const version = versionDirectory && this.#path.basename(versionDirectory)
    if (files.isExecutable(node)) {
      this.#note({ path: home, state: 'usable' })
      const launcher = this.#path.join(home, 'cursor-agent')
      return this.#isLauncher(launcher)
        ? { program: launcher, leadingArgs: [], runner: 'launcher', directory: home, version }
        : { program: node, leadingArgs: [index], runner: 'bundled-node', directory: home, version }
    }
    if (files.isFile(node)) {
      this.#note({
        path: home,
        state: 'unusable',
        reason: `its ${this.#nodeName} is not executable (EACCES)`,
      })
      return undefined
    }
    if (options.hostNode !== true) {
      this.#note({ path: home, state: 'unusable', reason: `${this.#nodeName} is missing` })
      return undefined
    }
    this.#note({ path: home, state: 'usable' })
    return {
      program: execPath,
      leadingArgs: [index],
      runner: 'host-node',
      directory: home,
      version,
    }
  }

  /** A shell script that hands over to the CLI at its end, so that the child is the CLI itself. */
  #isLauncher(file: string): boolean {
    const { platform, files } = this.#system
    if (platform === 'win32' || !files.isExecutable(file)) return false
    const text = files.textOf(file, LAUNCHER_BYTES) ?? ''
    // With Windows' line ends the system looks for an interpreter called `bash\r`.
    if (text.includes('\r\n')) return false
    const lines = text.split('\n').map((line) => line.trim())
    if (!/^#!.*\b(?:ba)?sh\b/.test(lines[0] ?? '')) return false
    const statements = lines.filter((line) => line !== '' && !line.startsWith('#'))
    let last = statements.length - 1
    while (last > 0 && statements[last - 1]?.endsWith('\\')) last--
    return /^exec\s/.test(statements[last] ?? '')
  }

  #note(place: Place): undefined {
    this.places.push(place)
  }

  /** What `cliPath` names is there, and no install belongs to it. */
  #noteForeign(path: string): undefined {
    if (this.places.some(({ state }) => state === 'unusable')) return
    this.#note({ path, state: 'unusable', reason: 'no index.js belongs to it' })
  }
}
