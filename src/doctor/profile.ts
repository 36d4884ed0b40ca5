/**
 * Reads a DSH profile as the host composes it, as far as this plugin's rows go: the bundles'
 * layers in order, then the user's own. What is found is judged by `checks/profile.ts`.
 * The host's rules: a profile is `$DSH_HOME/profiles/<name>`; a row patch replaces the row's
 * whole `config`; `!!js` values are evaluated by the host only.
 */

import { parseDocument, type ScalarTag } from 'yaml'
import { environmentValue, pathOf, type System } from '../cursor/system.ts'

export const PACKAGE_NAME = 'dsh-subagent-cursor'

/** Read of each file, in bytes; a longer one is no profile's. */
const MAX_FILE_BYTES = 1_048_576

/** A `!!js` value, of which only the host knows what it is. */
class Expression {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
}

export interface ProfileRow {
  readonly id: string | undefined
  readonly enabled: boolean
  /** As written, without the fields that hold an expression. */
  readonly config: unknown
  /** Paths of expressions: `model`, `env.CURSOR_API_KEY`, or the row's own `disabled`. */
  readonly notEvaluated: readonly string[]
}

export interface ProfileReading {
  readonly name: string
  /** Whether the directory has a package.json. */
  readonly exists: boolean
  /** Names of the profiles beside it. */
  readonly others: readonly string[]
  readonly isDependency: boolean
  readonly isBundle: boolean
  /** The plugin's version in the profile; `undefined` when it is not installed there. */
  readonly installedVersion: string | undefined
  /** Whether the installed package has its built entry. */
  readonly isBuilt: boolean
  readonly rows: readonly ProfileRow[]
  /** The user's settings document by namespace; it lies over the rows of every profile. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Files that cannot be read, each as a sentence. */
  readonly problems: readonly string[]
}

/** The user data directory of DSH: `$DSH_HOME`, else `~/.dsh`. */
function dshHome({ platform, env, home }: System): string {
  const { join, resolve } = pathOf({ platform })
  const configured = environmentValue(platform, env, 'DSH_HOME')?.trim() ?? ''
  if (configured === '') return join(home, '.dsh')
  return resolve(/^~(?:[/\\]|$)/.test(configured) ? join(home, configured.slice(1)) : configured)
}

/** @returns the name of the profile whose directory `directory` is, as it is under `dsh plugin exec`. */
export function profileAt(system: System, directory: string): string | undefined {
  const { basename, dirname, join } = pathOf(system)
  const profiles = join(dshHome(system), 'profiles')
  const real = (path: string): string => system.files.realPath(path) ?? path
  return real(dirname(directory)) === real(profiles) ? basename(directory) : undefined
}

export function readProfile(system: System, name: string): ProfileReading {
  const { files } = system
  const { join } = pathOf(system)
  const profiles = join(dshHome(system), 'profiles')
  const directory = join(profiles, name)
  const isName = name !== '' && !/[/\\]/.test(name) && !['.', '..'].includes(name)
  const isProfile = (candidate: string): boolean =>
    candidate !== 'node_modules' && files.isFile(join(profiles, candidate, 'package.json'))
  const others = files.names(profiles).filter((other) => other !== name && isProfile(other))
  const reading = {
    name,
    exists: false,
    others,
    isDependency: false,
    isBundle: false,
    installedVersion: undefined,
    isBuilt: false,
    rows: [],
    settings: {},
    problems: [],
  }
  if (!isName || !isProfile(name)) return reading
  const problems: string[] = []
  const reader = new Reader(system, problems)
  const manifest = reader.json(join(directory, 'package.json'), 'package.json of the profile')
  const bundles = listOfText(at(manifest, 'dsh', 'profile', 'bundles'))
  const packageDirectory = (bundle: string): string | undefined =>
    [join(directory, 'node_modules', bundle), join(profiles, 'node_modules', bundle)].find((path) =>
      files.isFile(join(path, 'package.json')),
    )
  const installed = packageDirectory(PACKAGE_NAME)
  const installedVersion =
    installed === undefined
      ? undefined
      : at(
          reader.json(join(installed, 'package.json'), `package.json of ${PACKAGE_NAME}`),
          'version',
        )
  const layers = bundles.map((bundle) =>
    bundleLayer(reader, system, bundle, packageDirectory(bundle)),
  )
  const own = join(directory, 'cordis.patch.yml')
  if (files.isFile(own)) layers.push(reader.patches(own, 'cordis.patch.yml of the profile'))
  return {
    ...reading,
    exists: true,
    isDependency: at(manifest, 'dependencies', PACKAGE_NAME) !== undefined,
    isBundle: bundles.includes(PACKAGE_NAME),
    installedVersion: typeof installedVersion === 'string' ? installedVersion : undefined,
    isBuilt: installed !== undefined && files.isFile(join(installed, 'lib', 'index.js')),
    rows: rowsOf(compose(layers.flat()), true),
    settings: reader.settings(join(dshHome(system), 'settings.yaml')),
    problems,
  }
}

/** The layer of the plugin's own bundle, for a profile where it is listed and not installed. */
const OWN_LAYER = [{ insert: [{ id: 'subagent-cursor', name: PACKAGE_NAME }] }]

function bundleLayer(
  reader: Reader,
  system: System,
  bundle: string,
  directory: string | undefined,
): readonly unknown[] {
  if (directory === undefined) return bundle === PACKAGE_NAME ? OWN_LAYER : []
  const { join } = pathOf(system)
  const manifest = reader.json(join(directory, 'package.json'), `package.json of ${bundle}`)
  const patch = at(manifest, 'dsh', 'bundle', 'patch')
  return typeof patch === 'string'
    ? reader.patches(join(directory, patch), `${patch} of ${bundle}`)
    : []
}

type Entry = Record<string, unknown>

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** @returns the value at `keys`, or `undefined` where there is no such path. */
function at(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((inner, key) => (isEntry(inner) ? inner[key] : undefined), value)
}

function listOfText(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : []
}

function isGroup(entry: Entry): entry is Entry & { config: unknown[] } {
  return Boolean(entry['group']) && Array.isArray(entry['config'])
}

/** Lays patches over an empty list, as the host's include does; a patch that fits nothing is passed over. */
function compose(patches: readonly unknown[]): Entry[] {
  const entries: Entry[] = []
  const byId = new Map<string, Entry>()
  const index = (added: readonly unknown[]): void => {
    for (const entry of added.filter(isEntry)) {
      if (typeof entry['id'] === 'string') byId.set(entry['id'], entry)
      if (isGroup(entry)) index(entry.config)
    }
  }
  for (const patch of patches.filter(isEntry)) {
    const { id, insert, name, ...overrides } = patch
    const target = typeof id === 'string' ? byId.get(id) : undefined
    if (Array.isArray(insert)) {
      const added = insert.filter(isEntry)
      if (id === undefined) entries.push(...added)
      else if (target?.['group']) {
        target['config'] = [...(Array.isArray(target['config']) ? target['config'] : []), ...added]
      } else continue
      index(added)
    } else if (target !== undefined && (name === undefined || name === target['name'])) {
      Object.assign(target, overrides)
    }
  }
  return entries
}

/** This plugin's rows, also those in groups. */
function rowsOf(entries: readonly unknown[], groupEnabled: boolean): ProfileRow[] {
  return entries.filter(isEntry).flatMap((entry) => {
    const disabled = entry['disabled']
    const isDisabled = disabled instanceof Expression ? false : Boolean(disabled)
    const enabled = groupEnabled && !isDisabled
    if (isGroup(entry)) return rowsOf(entry.config, enabled)
    if (entry['name'] !== PACKAGE_NAME) return []
    const notEvaluated = disabled instanceof Expression ? ['disabled'] : []
    const config = withoutExpressions(entry['config'] ?? {}, [], notEvaluated)
    return [
      {
        id: typeof entry['id'] === 'string' ? entry['id'] : undefined,
        enabled,
        config,
        notEvaluated,
      },
    ]
  })
}

/** @param found is given the path of every expression that is left out. */
function withoutExpressions(value: unknown, path: readonly string[], found: string[]): unknown {
  if (value instanceof Expression) {
    found.push(path.join('.') || 'config')
    return path.length === 0 ? {} : undefined
  }
  if (Array.isArray(value)) {
    return value
      .map((item, position) => withoutExpressions(item, [...path, String(position)], found))
      .filter((item) => item !== undefined)
  }
  if (!isEntry(value)) return value
  const entries = Object.entries(value)
    .map(([key, item]) => [key, withoutExpressions(item, [...path, key], found)] as const)
    .filter(([, item]) => item !== undefined)
  return Object.fromEntries(entries)
}

const EXPRESSION_TAG: ScalarTag = {
  tag: 'tag:yaml.org,2002:js',
  resolve: (source) => new Expression(source),
}

/** Reads files, and notes what is wrong with them without quoting their text. */
class Reader {
  readonly #system: System
  readonly #problems: string[]

  constructor(system: System, problems: string[]) {
    this.#system = system
    this.#problems = problems
  }

  /** @param what the file's name in a sentence. */
  json(path: string, what: string): unknown {
    try {
      return JSON.parse(this.#textOf(path))
    } catch {
      this.#problems.push(`${what} is no valid JSON`)
      return undefined
    }
  }

  patches(path: string, what: string): readonly unknown[] {
    const patches = this.#yaml(path, what)
    if (patches === undefined) return []
    if (Array.isArray(patches) && patches.every(isEntry)) return patches
    this.#problems.push(`${what} is no list of row patches`)
    return []
  }

  settings(path: string): Readonly<Record<string, unknown>> {
    const document = this.#yaml(path, 'settings.yaml of DSH')
    return isEntry(document) ? document : {}
  }

  #yaml(path: string, what: string): unknown {
    const document = parseDocument(this.#textOf(path), {
      customTags: [EXPRESSION_TAG],
      logLevel: 'silent',
    })
    const [error] = [...document.errors, ...document.warnings]
    if (error === undefined) {
      try {
        const value: unknown = document.toJS()
        // A value that holds itself, or one that grows without end by its aliases, is no configuration.
        JSON.stringify(value)
        return value
      } catch {
        this.#problems.push(`${what}: its anchors and aliases cannot be followed`)
        return undefined
      }
    }
    // The library's message quotes the line, and there may be a secret in it.
    const line = error.linePos?.[0].line
    this.#problems.push(`${what}, line ${line}: not valid YAML (${error.code})`)
    return undefined
  }

  #textOf(path: string): string {
    return this.#system.files.textOf(path, MAX_FILE_BYTES) ?? ''
  }
}
