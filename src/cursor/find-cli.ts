/**
 * Finds the Cursor CLI on this machine and says how to start it: the program, and the arguments
 * before the CLI's own. Open this file when Cursor moves its files. `run.ts` starts the CLI.
 *
 * Windows shims are never started, because they run through PowerShell and cmd.exe, which expand
 * `%VAR%` and split at `&` and `|`.
 */

import { desktopDirectories, ownBin, searchPath } from './find-cli/command-directories.ts'
import { follow, isEditorLauncher, isLauncher, obstacleAt, type Lead } from './find-cli/follow.ts'
import { placeReason, type Place, type PlaceReason } from './find-cli/places.ts'
import { CATEGORIES } from './failures/categories.ts'
import { withValue } from './failures/format.ts'
import { CursorStartError } from './start-error.ts'
import { absolutePath, localAppData, pathOf, type System } from './system.ts'
import { isCursorVersion, versionsNewestFirst } from './find-cli/versions.ts'

/** How to start the CLI: a child's `argv` is `[program, ...leadingArgs, ...]`. */
export interface CursorCli {
  readonly program: string
  /** Arguments before the CLI's own: `index.js`, or nothing for the launcher. */
  readonly leadingArgs: readonly string[]
  /**
   * Only `launcher` trusts the system's certificates, because it passes `--use-system-ca`.
   * `child-env.ts` sets up the rest for the other two.
   */
  readonly runner: 'launcher' | 'bundled-node' | 'host-node'
  /** The directory of `index.js`. */
  readonly directory: string
  /** The name of the version directory, if the install is in one. */
  readonly version: string | undefined
}

export interface CliSearch {
  readonly cli: CursorCli | undefined
  /** In search order, without duplicates. */
  readonly places: readonly Place[]
  /** The CLI that would be used without `cliPath`; only searched for if `cliPath` fails. */
  readonly elsewhere: CursorCli | undefined
}

/** Ignores case for Windows; elsewhere `Index.js` is accepted too and then found to be missing. */
const INDEX_NAME = /^index\.js$/i
const SHIM_NAME = /\.(?:cmd|ps1)$/i

/** Names of the CLI on PATH. Other products install an `agent` too. */
const COMMANDS = ['cursor-agent', 'agent'] as const

/** The host keeps only the start of an error, so a long list would push the rest out. */
const MOST_PLACES_SHOWN = 15

/**
 * @returns the CLI that a run starts.
 * @throws {CursorStartError} `cli-not-found` or `broken-install`, listing the searched places.
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
          happened: withValue(
            CATEGORIES['broken-install'].inDetail.reason.en,
            placeReason(unusable, 'en'),
          ),
        }),
    ...(elsewhere !== undefined && {
      nextStep: 'Leave `cliPath` out: there is a complete install in the usual place.',
    }),
  })
}

/** Searches the platform's usual places until it finds a usable CLI; with `cliPath`, only there. */
export function searchCursorCli(system: System, cliPath?: string): CliSearch {
  const search = new Search(system)
  const cli = cliPath === undefined ? search.usualPlaces() : search.fromCliPath(cliPath)
  const cliPathFailed = cliPath !== undefined && cli === undefined
  return {
    cli,
    places: search.places,
    elsewhere: cliPathFailed ? new Search(system).usualPlaces() : undefined,
  }
}

/** Where Cursor's installer puts the CLI; `undefined` if this process has no usable home. */
export function installersPlace(system: System): string | undefined {
  const { platform, home } = system
  const { join } = pathOf(system)
  const data =
    platform === 'win32'
      ? localAppData(system)
      : absolutePath(system, join(home, '.local', 'share'))
  return data && join(data, 'cursor-agent')
}

/** The install that a command in the user's terminal starts. */
export interface TerminalCommand {
  readonly command: string
  readonly directory: string
  readonly version: string | undefined
}

/**
 * @returns the install that `cursor-agent` starts in the user's terminal, if it is not `cli`:
 * somebody pinned the link to a version, or there is a second install.
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

/** Equal for two spellings of the same path. */
function keyOf(system: System, path: string): string {
  const normal = pathOf(system)
    .normalize(path)
    .replace(/(?<=[^:/\\])[/\\]$/, '')
  return system.platform === 'win32' ? normal.toLowerCase() : normal
}

/**
 * Lists all versions in `cli`'s `versions` directory, its own included, newest first. Incomplete
 * ones are listed too. Empty if `cli` is not in a version directory.
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

/** @returns `directory` or its parent, whichever is a version directory. */
function versionDirectoryOf(system: System, directory: string): string | undefined {
  const { basename, dirname } = pathOf(system)
  return [directory, dirname(directory)].find((path) => isCursorVersion(basename(path)))
}

interface InstallOptions {
  /** Use the host's Node if there is none beside index.js. */
  readonly hostNode?: boolean
  /** An install belongs here, so a missing index.js means that it is broken. */
  readonly expected?: boolean
  /** Do not note that nothing is here, because the caller notes it. */
  readonly quiet?: boolean
}

class Search {
  readonly places: Place[] = []
  readonly #system: System
  readonly #path: ReturnType<typeof pathOf>
  readonly #nodeName: string
  /** Keys of the directories that were tried as an install. */
  readonly #tried = new Set<string>()
  readonly #noted = new Set<string>()

  constructor(system: System) {
    this.#system = system
    this.#path = pathOf(system)
    this.#nodeName = system.platform === 'win32' ? 'node.exe' : 'node'
  }

  usualPlaces(): CursorCli | undefined {
    return this.#inInstallersPlace() ?? this.#onSearchPath() ?? this.#inDesktopDirectories()
  }

  #inInstallersPlace(): CursorCli | undefined {
    const own = installersPlace(this.#system)
    if (own !== undefined) return this.#inRoot(own)
    const path = this.#system.platform === 'win32' ? '%LOCALAPPDATA%' : '~'
    return this.#note({ path, state: 'missing', reason: { code: 'no-home' } })
  }

  #onSearchPath(): CursorCli | undefined {
    const before = this.places.length
    const cli = this.#fromCommandsIn(searchPath(this.#system))
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
    const cli = this.#fromCommandsIn(directories)
    if (cli === undefined) {
      const noted = new Set(this.places.slice(before).map(({ path }) => this.#path.dirname(path)))
      for (const path of directories) {
        if (!noted.has(path)) this.#note({ path, state: 'missing' })
      }
    }
    return cli
  }

  #fromCommandsIn(directories: readonly string[]): CursorCli | undefined {
    for (const name of COMMANDS) {
      for (const directory of directories) {
        const lead = this.#followCommand(directory, name)
        const cli = lead && this.#fromLauncher(lead.directory)
        if (cli !== undefined) return cli
      }
    }
    return undefined
  }

  /** Finds the first `cursor-agent` that leads to an install, usable or not. */
  inTerminal(): TerminalCommand | undefined {
    const directories = new Set([...searchPath(this.#system), ...ownBin(this.#system)])
    for (const directory of directories) {
      const lead = this.#followCommand(directory, 'cursor-agent')
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

  /** Follows a command to its install, and notes the place if it leads to none. */
  #followCommand(
    directory: string,
    name: (typeof COMMANDS)[number],
  ): { directory: string } | undefined {
    const isWindows = this.#system.platform === 'win32'
    const command = this.#path.join(directory, isWindows ? `${name}.cmd` : name)
    const lead = isWindows ? this.#followShim(command) : this.#follow(command)
    if (lead === undefined) return undefined
    if ('reason' in lead) {
      const isOtherProduct = name === 'agent' && !/cursor-agent/.test(lead.reason.path ?? '')
      if (!isOtherProduct) this.#note({ path: command, state: 'missing', reason: lead.reason })
      return undefined
    }
    return name === 'cursor-agent' || this.#isMadeByCursor(lead.directory) ? lead : undefined
  }

  #follow(command: string): Lead | undefined {
    return follow(this.#system, command, (directory) => this.#isInstall(directory))
  }

  /** A Windows shim stands beside its install; without one it is somebody's own wrapper. */
  #followShim(shim: string): Lead | undefined {
    const { files } = this.#system
    if (!files.isFile(shim)) return undefined
    const directory = this.#path.dirname(files.realPath(shim) ?? shim)
    return this.#isInstall(directory) || files.isDirectory(this.#path.join(directory, 'versions'))
      ? { directory }
      : { reason: { code: 'wrapper' } }
  }

  /** Also true for a version directory without index.js: an update can leave one incomplete. */
  #isInstall(directory: string): boolean {
    return (
      this.#directoryOfIndex(directory) !== undefined ||
      this.#versionsAround(directory) !== undefined
    )
  }

  /** An index.js can be anybody's, so Cursor's own launcher must be beside it. */
  #isMadeByCursor(directory: string): boolean {
    const { platform, files } = this.#system
    if (this.#versionsAround(directory) !== undefined) return true
    const launcher = platform === 'win32' ? 'cursor-agent.cmd' : 'cursor-agent'
    return [directory, this.#directoryOfIndex(directory) ?? directory].some((candidate) =>
      files.isFile(this.#path.join(candidate, launcher)),
    )
  }

  /** Finds the install that `cliPath` names; it may be any file or directory of it, or a wrapper. */
  fromCliPath(cliPath: string): CursorCli | undefined {
    const { files, home } = this.#system
    const inHome = /^~[/\\]/.test(cliPath)
    const path = inHome ? this.#path.join(home, cliPath.slice(2)) : cliPath
    if (inHome ? absolutePath(this.#system, path) === undefined : !this.#path.isAbsolute(path)) {
      const code = inHome ? 'no-home' : 'relative'
      return this.#note({ path: cliPath, state: 'missing', reason: { code } })
    }
    if (files.isDirectory(path)) return this.#fromDirectory(path)
    const name = this.#path.basename(path)
    if (isEditorLauncher(name)) {
      return this.#note({ path, state: 'missing', reason: { code: 'editor', detail: name } })
    }
    if (!files.isFile(path)) return this.#fromFollowed(path, 'missing')
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
    return this.#fromFollowed(path, 'unusable')
  }

  #fromDirectory(directory: string): CursorCli | undefined {
    return (
      this.#inRoot(directory, { hostNode: true, quiet: true }) ??
      // mise keeps the version directories directly in its installs folder.
      this.#inVersions(directory, { quiet: true }) ??
      this.#noteForeign(directory, { code: 'foreign' })
    )
  }

  #fromFollowed(path: string, state: 'missing' | 'unusable'): CursorCli | undefined {
    const lead = this.#follow(path)
    if (lead === undefined) return this.#note({ path, state: 'missing' })
    if ('directory' in lead) return this.#fromLauncher(lead.directory)
    if (lead.reason.code === 'editor') state = 'missing'
    return this.#note({ path, state, reason: lead.reason })
  }

  /** An update may have left the launcher's version incomplete; then uses the newest beside it. */
  #fromLauncher(directory: string): CursorCli | undefined {
    const versions = this.#versionsAround(directory)
    return (
      this.#install(directory, { expected: versions !== undefined }) ??
      this.#inVersions(versions ?? this.#path.join(directory, 'versions'), { quiet: true })
    )
  }

  /** @returns the `versions` directory around `directory`, if `directory` is a version in one. */
  #versionsAround(directory: string): string | undefined {
    const version = versionDirectoryOf(this.#system, directory)
    const parent = version && this.#path.dirname(version)
    return parent && this.#path.basename(parent) === 'versions' ? parent : undefined
  }

  /** Looks for index.js and its Node in `root` itself, then in `versions/<v>/`. */
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

  version(directory: string): CursorCli | undefined {
    return this.#install(directory, { expected: true })
  }

  /** Looks in `directory` itself, then in its `dist-package`. */
  #directoryOfIndex(directory: string): string | undefined {
    return [directory, this.#path.join(directory, 'dist-package')].find((candidate) =>
      this.#system.files.isFile(this.#path.join(candidate, 'index.js')),
    )
  }

  #install(directory: string, options: InstallOptions = {}): CursorCli | undefined {
    const { files, execPath } = this.#system
    const key = keyOf(this.#system, directory)
    if (this.#tried.has(key)) return undefined
    this.#tried.add(key)
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

  /** Notes that `cliPath` exists but is not part of an install, unless a better reason is noted. */
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
