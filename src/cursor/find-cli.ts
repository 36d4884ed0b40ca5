/**
 * Finds the Cursor CLI on this machine: which install, which program, which arguments before
 * the CLI's own. The one file to open when Cursor moves its files. Starting it belongs to `run.ts`.
 *
 * The Windows shims are never a program here: they go through PowerShell and cmd.exe, which
 * expand `%VAR%` and split at `&` and `|`.
 */

import { desktopDirectories, ownBin, searchPath } from './find-cli/command-directories.ts'
import { follow, isEditorLauncher, isLauncher, obstacleAt, type Lead } from './find-cli/follow.ts'
import { placeReason, type Place, type PlaceReason } from './find-cli/places.ts'
import { CursorStartError } from './start-error.ts'
import { absolutePath, localAppData, pathOf, type System } from './system.ts'
import { isCursorVersion, versionsNewestFirst } from './find-cli/versions.ts'

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

export interface CliSearch {
  readonly cli: CursorCli | undefined
  /** In the order in which they were looked at, each once. */
  readonly places: readonly Place[]
  /** Where `cliPath` leads to no CLI: the one that would be used without it. */
  readonly elsewhere: CursorCli | undefined
}

/** Windows takes it in any case; elsewhere another case is another file, which is looked at anyway. */
const INDEX_NAME = /^index\.js$/i
const SHIM_NAME = /\.(?:cmd|ps1)$/i

/** Under which names the CLI can be on PATH. The second one is another product's too. */
const COMMANDS = ['cursor-agent', 'agent'] as const

/** An error is read by a person, and the host keeps only its beginning. */
const MOST_PLACES_SHOWN = 15

/**
 * @returns the CLI that a run starts.
 * @throws {CursorStartError} `cli-not-found` or `broken-install`, listing every place looked at.
 */
export function resolveCursorCli(system: System, cliPath?: string): CursorCli {
  const search = searchCursorCli(system, cliPath)
  if (search.cli !== undefined) return search.cli
  throw nothingUsable(search, cliPath)
}

function nothingUsable({ places, elsewhere }: CliSearch, cliPath?: string): CursorStartError {
  const details = [
    'Looked at:',
    ...places
      .slice(0, MOST_PLACES_SHOWN)
      .map((place) => `  ${place.path}: ${placeReason(place, 'en')}`),
  ]
  const others = places.length - MOST_PLACES_SHOWN
  if (others > 0) details.push(`  and ${others} more`)
  if (elsewhere !== undefined) details.push(`A complete install is in ${elsewhere.directory}`)
  const unusable = places.find(({ state }) => state === 'unusable')
  const blamed = unusable ?? places[0]
  return new CursorStartError(unusable === undefined ? 'cli-not-found' : 'broken-install', {
    details,
    ...(cliPath !== undefined && blamed !== undefined
      ? {
          happened: `\`cliPath\` does not lead to a Cursor CLI that can run: ${placeReason(blamed, 'en')}.`,
        }
      : unusable !== undefined && {
          happened: `The Cursor CLI is installed but cannot run: ${placeReason(unusable, 'en')}.`,
        }),
    ...(elsewhere !== undefined && {
      nextStep: 'Leave `cliPath` out: there is a complete install in the usual place.',
    }),
  })
}

/** Looks in every place of the platform, in order, until one is usable; with `cliPath` only there. */
export function searchCursorCli(system: System, cliPath?: string): CliSearch {
  const search = new Search(system)
  const cli = cliPath === undefined ? search.everywhere() : search.behind(cliPath)
  const isAtFault = cliPath !== undefined && cli === undefined
  return {
    cli,
    places: search.places,
    elsewhere: isAtFault ? new Search(system).everywhere() : undefined,
  }
}

/** Where Cursor's installer puts the CLI; `undefined` for a process without such a place. */
export function installersPlace(system: System): string | undefined {
  const { platform, home } = system
  const { join } = pathOf(system)
  const data =
    platform === 'win32'
      ? localAppData(system)
      : absolutePath(system, join(home, '.local', 'share'))
  return data && join(data, 'cursor-agent')
}

/** What a command in the user's terminal leads to. */
export interface TerminalCommand {
  readonly command: string
  readonly directory: string
  readonly version: string | undefined
}

/**
 * @returns what `cursor-agent` runs in the user's terminal, when that is another install than
 * `cli`: a link that somebody pinned to a version, or a second install.
 */
export function otherInTerminal(system: System, cli: CursorCli): TerminalCommand | undefined {
  const found = new Search(system).inTerminal()
  if (found === undefined || sameDirectory(system, found.directory, cli.directory)) return undefined
  return found
}

function sameDirectory(system: System, a: string, b: string): boolean {
  const real = (directory: string): string =>
    keyOf(system, system.files.realPath(directory) ?? directory)
  return real(a) === real(b)
}

/** By which two spellings of a path are one place. */
function keyOf(system: System, path: string): string {
  const normal = pathOf(system)
    .normalize(path)
    .replace(/(?<=[^:/\\])[/\\]$/, '')
  return system.platform === 'win32' ? normal.toLowerCase() : normal
}

/**
 * Every version beside `cli`'s own and itself, newest first, half-written ones too; empty when it
 * lies in no version directory.
 */
export function versionsBeside(system: System, cli: CursorCli): readonly Place[] {
  const { dirname, join } = pathOf(system)
  const own = versionDirectoryOf(system, cli.directory)
  if (own === undefined) return []
  return versionsNewestFirst(system.files.names(dirname(own))).flatMap((name) => {
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

interface InstallOptions {
  /** Where no Node is beside index.js, the host's own runs it. */
  readonly hostNode?: boolean
  /** An install should be here, so that nothing here is a broken one. */
  readonly expected?: boolean
  /** Somebody else says that nothing is here. */
  readonly quiet?: boolean
}

class Search {
  readonly places: Place[] = []
  readonly #system: System
  readonly #path: ReturnType<typeof pathOf>
  readonly #nodeName: string
  /** Keys of the directories that were taken for an install. */
  readonly #looked = new Set<string>()
  readonly #noted = new Set<string>()

  constructor(system: System) {
    this.#system = system
    this.#path = pathOf(system)
    this.#nodeName = system.platform === 'win32' ? 'node.exe' : 'node'
  }

  everywhere(): CursorCli | undefined {
    return this.#inOwnPlace() ?? this.#onSearchPath() ?? this.#inDesktopDirectories()
  }

  #inOwnPlace(): CursorCli | undefined {
    const own = installersPlace(this.#system)
    if (own !== undefined) return this.#inRoot(own)
    const path = this.#system.platform === 'win32' ? '%LOCALAPPDATA%' : '~'
    return this.#note({ path, state: 'missing', reason: { code: 'no-home' } })
  }

  #onSearchPath(): CursorCli | undefined {
    const before = this.places.length
    const cli = this.#behindCommands(searchPath(this.#system))
    if (cli === undefined && this.places.length === before) {
      this.#note({ path: 'PATH', state: 'missing', reason: { code: 'not-on-path' } })
    }
    return cli
  }

  #inDesktopDirectories(): CursorCli | undefined {
    const searched = new Set(searchPath(this.#system))
    const directories = desktopDirectories(this.#system).filter(
      (directory) => !searched.has(directory),
    )
    const before = this.places.length
    const cli = this.#behindCommands(directories)
    if (cli === undefined) {
      const told = new Set(this.places.slice(before).map(({ path }) => this.#path.dirname(path)))
      for (const path of directories) {
        if (!told.has(path)) this.#note({ path, state: 'missing' })
      }
    }
    return cli
  }

  #behindCommands(directories: readonly string[]): CursorCli | undefined {
    for (const name of COMMANDS) {
      for (const directory of directories) {
        const lead = this.#lead(directory, name)
        const cli = lead && this.#behindLauncher(lead.directory)
        if (cli !== undefined) return cli
      }
    }
    return undefined
  }

  /** The first command that leads to an install, usable or not. */
  inTerminal(): TerminalCommand | undefined {
    const directories = new Set([...searchPath(this.#system), ...ownBin(this.#system)])
    for (const directory of directories) {
      const lead = this.#lead(directory, 'cursor-agent')
      const found = lead && this.#directoryOfIndex(lead.directory)
      if (found === undefined) continue
      const version = versionDirectoryOf(this.#system, found)
      return {
        command: this.#path.join(directory, 'cursor-agent'),
        directory: found,
        version: version && this.#path.basename(version),
      }
    }
    return undefined
  }

  /** Follows one command; one that leads to nothing is noted. */
  #lead(directory: string, name: (typeof COMMANDS)[number]): { directory: string } | undefined {
    const isWindows = this.#system.platform === 'win32'
    const command = this.#path.join(directory, isWindows ? `${name}.cmd` : name)
    const lead = isWindows ? this.#leadOfShim(command) : this.#follow(command)
    if (lead === undefined) return undefined
    if ('reason' in lead) {
      const isAnothers = name === 'agent' && !/cursor-agent/.test(lead.reason.path ?? '')
      if (!isAnothers) this.#note({ path: command, state: 'missing', reason: lead.reason })
      return undefined
    }
    return name === 'cursor-agent' || this.#isCursors(lead.directory) ? lead : undefined
  }

  #follow(command: string): Lead | undefined {
    return follow(this.#system, command, (directory) => this.#isInstall(directory))
  }

  /** The directory of a Windows shim; where no install is beside it, it is somebody's wrapper. */
  #leadOfShim(shim: string): Lead | undefined {
    const { files } = this.#system
    if (!files.isFile(shim)) return undefined
    const directory = this.#path.dirname(files.realPath(shim) ?? shim)
    return this.#isInstall(directory) || files.isDirectory(this.#path.join(directory, 'versions'))
      ? { directory }
      : { reason: { code: 'wrapper' } }
  }

  /** Whether an install is here, or should be: an update can leave a version half-written. */
  #isInstall(directory: string): boolean {
    return (
      this.#directoryOfIndex(directory) !== undefined ||
      this.#versionsAround(directory) !== undefined
    )
  }

  /** Beside an index.js that can be anybody's, Cursor's own launcher tells that it is Cursor's. */
  #isCursors(directory: string): boolean {
    const { platform, files } = this.#system
    if (this.#versionsAround(directory) !== undefined) return true
    const launcher = platform === 'win32' ? 'cursor-agent.cmd' : 'cursor-agent'
    return [directory, this.#directoryOfIndex(directory) ?? directory].some((candidate) =>
      files.isFile(this.#path.join(candidate, launcher)),
    )
  }

  /** The install that `cliPath` belongs to. */
  behind(cliPath: string): CursorCli | undefined {
    const { files, home } = this.#system
    const inHome = /^~[/\\]/.test(cliPath)
    const path = inHome ? this.#path.join(home, cliPath.slice(2)) : cliPath
    if (inHome ? absolutePath(this.#system, path) === undefined : !this.#path.isAbsolute(path)) {
      const code = inHome ? 'no-home' : 'relative'
      return this.#note({ path: cliPath, state: 'missing', reason: { code } })
    }
    if (files.isDirectory(path)) return this.#behindDirectory(path)
    const name = this.#path.basename(path)
    if (isEditorLauncher(name)) {
      return this.#note({ path, state: 'missing', reason: { code: 'editor', detail: name } })
    }
    if (!files.isFile(path)) return this.#behindFollowed(path, 'missing')
    const real = files.realPath(path) ?? path
    const directory = this.#path.dirname(real)
    if (SHIM_NAME.test(name)) {
      return (
        this.#inRoot(directory, { quiet: true }) ?? this.#noteForeign(path, { code: 'wrapper' })
      )
    }
    if (INDEX_NAME.test(this.#path.basename(real))) {
      const named = this.#path.dirname(path)
      const withNode = [named, directory].find((candidate) =>
        files.isFile(this.#path.join(candidate, this.#nodeName)),
      )
      return this.#install(withNode ?? named, { hostNode: true })
    }
    return this.#behindFollowed(path, 'unusable')
  }

  #behindDirectory(directory: string): CursorCli | undefined {
    return (
      this.#inRoot(directory, { hostNode: true, quiet: true }) ??
      // mise keeps the versions right in its installs folder.
      this.#inVersions(directory, { quiet: true }) ??
      this.#noteForeign(directory, { code: 'foreign' })
    )
  }

  #behindFollowed(path: string, state: 'missing' | 'unusable'): CursorCli | undefined {
    const lead = this.#follow(path)
    if (lead === undefined) return this.#note({ path, state: 'missing' })
    if ('directory' in lead) return this.#behindLauncher(lead.directory)
    if (lead.reason.code === 'editor') state = 'missing'
    return this.#note({ path, state, reason: lead.reason })
  }

  /** A launcher's own version may be half-written by now: the newest beside it serves. */
  #behindLauncher(directory: string): CursorCli | undefined {
    const versions = this.#versionsAround(directory)
    return (
      this.#install(directory, { expected: versions !== undefined }) ??
      this.#inVersions(versions ?? this.#path.join(directory, 'versions'), { quiet: true })
    )
  }

  /** @returns the `versions` directory that `directory` lies in, if it is a version. */
  #versionsAround(directory: string): string | undefined {
    const version = versionDirectoryOf(this.#system, directory)
    const parent = version && this.#path.dirname(version)
    return parent && this.#path.basename(parent) === 'versions' ? parent : undefined
  }

  /** A directory laid out like Cursor's own: a flat pair, or `versions/<v>/`. */
  #inRoot(root: string, options: InstallOptions = {}): CursorCli | undefined {
    return (
      this.#install(root, options) ?? this.#inVersions(this.#path.join(root, 'versions'), options)
    )
  }

  #inVersions(versions: string, { quiet }: InstallOptions = {}): CursorCli | undefined {
    const names = versionsNewestFirst(this.#system.files.names(versions))
    if (names.length === 0 && quiet !== true && this.#system.files.isDirectory(versions)) {
      this.#noteMissing(versions)
    }
    for (const name of names) {
      const cli = this.version(this.#path.join(versions, name))
      if (cli !== undefined) return cli
    }
    return undefined
  }

  /** The install in a version directory, which should be whole. */
  version(directory: string): CursorCli | undefined {
    return this.#install(directory, { expected: true })
  }

  /** The directory of `index.js`: the given one, or `dist-package` in it. */
  #directoryOfIndex(directory: string): string | undefined {
    return [directory, this.#path.join(directory, 'dist-package')].find((candidate) =>
      this.#system.files.isFile(this.#path.join(candidate, 'index.js')),
    )
  }

  #install(directory: string, options: InstallOptions = {}): CursorCli | undefined {
    const { files, execPath } = this.#system
    const key = keyOf(this.#system, directory)
    if (this.#looked.has(key)) return undefined
    this.#looked.add(key)
    const home = this.#directoryOfIndex(directory)
    if (home === undefined) {
      if (options.expected || files.isFile(this.#path.join(directory, this.#nodeName))) {
        const reason = obstacleAt(this.#system, directory) ?? { code: 'index-missing' }
        this.#note({ path: directory, state: 'unusable', reason })
      } else if (
        options.quiet !== true &&
        !files.isDirectory(this.#path.join(directory, 'versions'))
      ) {
        this.#noteMissing(directory)
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
      return isLauncher(this.#system, launcher)
        ? { program: launcher, leadingArgs: [], runner: 'launcher', directory: home, version }
        : { program: node, leadingArgs: [index], runner: 'bundled-node', directory: home, version }
    }
    if (files.isFile(node)) {
      this.#note({
        path: home,
        state: 'unusable',
        reason: { code: 'node-not-executable', detail: this.#nodeName },
      })
      return undefined
    }
    if (options.hostNode !== true) {
      const reason = obstacleAt(this.#system, node) ?? ({ code: 'node-missing' } as const)
      this.#note({
        path: home,
        state: 'unusable',
        reason: { ...reason, detail: reason.detail ?? this.#nodeName },
      })
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

  #noteMissing(path: string): void {
    const reason = obstacleAt(this.#system, path)
    this.#note({ path, state: 'missing', ...(reason !== undefined && { reason }) })
  }

  /** What `cliPath` names is there, and no install belongs to it. */
  #noteForeign(path: string, reason: PlaceReason): undefined {
    if (this.places.some(({ state }) => state === 'unusable')) return
    this.#note({ path, state: 'unusable', reason })
  }

  #note(place: Place): undefined {
    const key = keyOf(this.#system, place.path)
    if (!this.#noted.has(key)) this.places.push(place)
    this.#noted.add(key)
  }
}
