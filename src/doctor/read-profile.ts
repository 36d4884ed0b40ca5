/**
 * Reads a DSH profile as the host composes it, as far as this plugin's rows go: the bundles' layers in
 * order, then the profile's own, then `$DSH_HOME/cordis.patch.yml`, which lies over every profile.
 * What is found is judged by `checks/profile.ts`.
 *
 * The self-check must work where no DSH is, so the host's rules stand here once more; a test holds them
 * to the host's own `--dump-config`. A row patch replaces the row's whole `config`; of
 * `!!js` values only a plain `process.env.NAME` is evaluated here.
 */

import { distance } from 'fastest-levenshtein'
import { isMap as isMapNode, isScalar, LineCounter, parseDocument, type ScalarTag } from 'yaml'
import { isFieldName } from '../config/fields.ts'
import { environmentValue, pathOf, type System } from '../cursor/system.ts'
import { PACKAGE_NAME } from './own-package.ts'

/** Read of each file, in bytes; a longer one is no profile's. */
const MAX_FILE_BYTES = 1_048_576

/** A `!!js` expression, kept as written: the host evaluates it where it stands, if it does at all. */
class Expression {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
}

/** Where something is written. */
export interface Location {
  readonly file: string
  readonly line?: number | undefined
}

export interface ProfileRow {
  readonly id: string | undefined
  readonly enabled: boolean
  /** As written, without the fields that hold an expression. */
  readonly config: unknown
  /** Paths of expressions: `model`, `env.CURSOR_API_KEY`, or the row's own `disabled`. */
  readonly notEvaluated: readonly string[]
  /** @returns the expression that a field holds, as written: the value of a variable may be a secret. */
  expressionOf(field: string): string | undefined
  /** Where the row is inserted, its configuration stands, or one field of that. */
  readonly at: Location
  locate(field?: string): Location
}

/** A file that the host cannot read either. */
export interface FileProblem {
  readonly kind:
    | 'file-not-json'
    | 'file-not-yaml'
    | 'file-not-a-list'
    | 'file-cyclic'
    | 'empty-list-left'
  readonly at: Location
  /** The parser's name for what is wrong; its message could quote a secret. */
  readonly code?: string
}

/** A configuration of the user's that a later patch has replaced. */
export interface Replaced {
  readonly id: string
  readonly first: Location
  readonly second: Location
  readonly lost: readonly string[]
}

/** The user data directory of DSH: `$DSH_HOME`, else `~/.dsh`; without a home directory that of the root. */
function dshHome({ platform, env, home }: System): string {
  const { join, resolve } = pathOf({ platform })
  const configured = environmentValue(platform, env, 'DSH_HOME')?.trim() ?? ''
  if (configured === '') return join(home || '/', '.dsh')
  return resolve(/^~(?:[/\\]|$)/.test(configured) ? join(home, configured.slice(1)) : configured)
}

/** @returns the name of the profile whose directory `directory` is, as it is under `dsh plugin exec`. */
export function profileAt(system: System, directory: string): string | undefined {
  const { basename, dirname, join } = pathOf(system)
  const profiles = join(dshHome(system), 'profiles')
  const real = (path: string): string => system.files.realPath(path) ?? path
  return real(dirname(directory)) === real(profiles) ? basename(directory) : undefined
}

export type ProfileReading = ReturnType<typeof readProfile>

export function readProfile(system: System, name: string) {
  const { files } = system
  const { join } = pathOf(system)
  const home = dshHome(system)
  const profiles = join(home, 'profiles')
  const directory = join(profiles, name)
  const settingsFile = join(home, 'settings.yaml')
  const isName = name !== '' && !/[/\\]/.test(name) && !['.', '..'].includes(name)
  const isProfile = (candidate: string): boolean =>
    candidate !== 'node_modules' && files.isFile(join(profiles, candidate, 'package.json'))
  const reader = new Reader(system)
  const manifestFile = join(directory, 'package.json')
  const exists = isName && isProfile(name)
  const manifest = exists ? reader.json(manifestFile) : undefined
  const listed = at(manifest, 'dsh', 'profile', 'bundles')
  const bundles = Array.isArray(listed) ? listed.filter((entry) => typeof entry === 'string') : []
  // The host's own packages come first, wherever the profile has a copy: they are linked here.
  const packageDirectory = (bundle: string): string | undefined =>
    [join(profiles, 'node_modules', bundle), join(directory, 'node_modules', bundle)].find(
      (path) => exists && files.isFile(join(path, 'package.json')),
    )
  const versionOf = (bundle: string): string | undefined => {
    const found = packageDirectory(bundle)
    const version = found && at(reader.json(join(found, 'package.json')), 'version')
    return typeof version === 'string' ? version : undefined
  }
  const own = packageDirectory(PACKAGE_NAME)
  const dsh = versionOf('@deepseek-ai/dsh')
  const composed = new Composition(system, reader)
  for (const bundle of bundles) {
    const found = packageDirectory(bundle)
    if (found === undefined && bundle === PACKAGE_NAME) composed.lay(OWN_LAYER)
    const patch = found && at(reader.json(join(found, 'package.json')), 'dsh', 'bundle', 'patch')
    if (found !== undefined && typeof patch === 'string')
      composed.lay(reader.patches(join(found, patch)))
  }
  for (const layer of exists ? [join(directory, USER_LAYER), join(home, USER_LAYER)] : []) {
    if (files.isFile(layer)) composed.lay(reader.patches(layer), { isUsers: true })
  }
  const document = exists ? reader.yaml(settingsFile, AS_TEXT) : undefined
  const settings = isEntry(document) ? document : {}
  return {
    name,
    /** `$DSH_HOME/profiles`, and the files of this profile in it. */
    profiles,
    manifest: manifestFile,
    settingsFile,
    /** Whether the directory has a package.json. */
    exists,
    /** Names of the profiles beside it. */
    others: files.names(profiles).filter((other) => other !== name && isProfile(other)),
    isDependency: at(manifest, 'dependencies', PACKAGE_NAME) !== undefined,
    /** Bundles of the list without a package; without the host's links nobody can tell which it has. */
    missingBundles: bundles.filter(
      (bundle) =>
        packageDirectory(bundle) === undefined &&
        bundle !== PACKAGE_NAME &&
        (dsh !== undefined || !bundle.startsWith('@deepseek-ai/')),
    ),
    /** The plugin in the profile. */
    installed:
      own === undefined
        ? undefined
        : {
            directory: own,
            version: versionOf(PACKAGE_NAME),
            isBuilt: files.isFile(join(own, 'lib', 'index.js')),
          },
    rows: composed.rows(),
    replaced: composed.replaced,
    /** Patches of the user's for a row of this plugin that does not exist. */
    strays: composed.strays,
    /** Fields of this plugin beside `config`, or a misspelt `config`. */
    misplaced: composed.misplaced,
    /** The user's settings document by namespace; it lies over the rows of every profile. */
    settings,
    /** Where a namespace, or a field of its section, stands in it. */
    locateSetting(namespace: string, field?: string): Location {
      const section = settings[namespace]
      if (field === undefined || !isEntry(section)) return reader.locate(settings, namespace)
      return reader.locate(section, field)
    },
    problems: reader.problems,
    /** Versions of the host's installation. */
    host:
      dsh === undefined
        ? undefined
        : {
            dsh,
            loader: versionOf('@deepseek-ai/cordis-plugin-loader'),
            hmr: versionOf('@deepseek-ai/cordis-plugin-hmr'),
          },
  }
}

/** Of a profile, and of `$DSH_HOME` for all of them. */
const USER_LAYER = 'cordis.patch.yml'

const OWN_ID = 'subagent-cursor'
/** The layer of the plugin's own bundle, for a profile where it is listed and not installed. */
const OWN_LAYER = [{ insert: [{ id: OWN_ID, name: PACKAGE_NAME }] }]

type Entry = Record<string, unknown>

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** @returns the value at `keys`, or `undefined` where there is no such path. */
function at(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((inner, key) => (isEntry(inner) ? inner[key] : undefined), value)
}

function isGroup(entry: Entry): entry is Entry & { config: unknown[] } {
  return Boolean(entry['group']) && Array.isArray(entry['config'])
}

const isOwn = (entry: Entry): boolean => entry['name'] === PACKAGE_NAME

/** Whether an id that no row has was meant for a row of this plugin. */
const meansOwnRow = (id: string): boolean => id.includes('cursor') || distance(id, OWN_ID) <= 3

/** Whether a key of a row was meant as a field of its configuration, or as `config` itself. */
const belongsInConfig = (key: string): boolean =>
  isFieldName(key) || (key !== 'config' && distance(key, 'config') <= 2)

/** Lays patches over an empty list, as the host's include does; one that fits nothing is passed over. */
class Composition {
  readonly replaced: Replaced[] = []
  readonly strays: { id: string; at: Location }[] = []
  readonly misplaced: { key: string; at: Location }[] = []
  readonly #entries: Entry[] = []
  readonly #byId = new Map<unknown, Entry>()
  /** Configurations that the user has written. */
  readonly #users = new WeakSet<object>()
  readonly #system: System
  readonly #reader: Reader

  constructor(system: System, reader: Reader) {
    this.#system = system
    this.#reader = reader
  }

  lay(patches: readonly Entry[], { isUsers = false } = {}): void {
    for (const patch of patches) {
      const { id, insert, name, ...overrides } = patch
      const target = id ? this.#byId.get(id) : undefined
      if (insert) {
        const added = Array.isArray(insert) ? insert.filter(isEntry) : []
        if (!id) this.#entries.push(...added)
        else if (target?.['group']) {
          target['config'] = [
            ...(Array.isArray(target['config']) ? target['config'] : []),
            ...added,
          ]
        } else continue
        this.#index(added, isUsers)
      } else if (target === undefined) {
        if (isUsers && typeof id === 'string' && meansOwnRow(id)) {
          this.strays.push({ id, at: this.#reader.locate(patch) })
        }
      } else if (!name || name === target['name']) {
        if (isOwn(target) && 'config' in overrides) this.#replace(String(id), target, patch)
        if (isUsers) this.#note(patch, target)
        Object.assign(target, overrides)
      }
    }
  }

  /** This plugin's rows, also those in groups. */
  rows(): ProfileRow[] {
    return this.#rowsOf(this.#entries, true)
  }

  #index(added: readonly unknown[], isUsers: boolean): void {
    for (const entry of added.filter(isEntry)) {
      if (entry['id']) this.#byId.set(entry['id'], entry)
      if (isUsers) this.#note(entry, entry)
      if (isGroup(entry)) this.#index(entry.config, isUsers)
    }
  }

  /** Remembers what the user has written about the row `target`. */
  #note(written: Entry, target: Entry): void {
    if (isEntry(written['config'])) this.#users.add(written['config'])
    for (const key of isOwn(target) ? Object.keys(written).filter(belongsInConfig) : []) {
      this.misplaced.push({ key, at: this.#reader.locate(written, key) })
    }
  }

  #replace(id: string, { config: old }: Entry, patch: Entry): void {
    if (!isEntry(old) || !this.#users.has(old)) return
    const next = isEntry(patch['config']) ? patch['config'] : {}
    const [first, second] = [this.#reader.locate(old), this.#reader.locate(patch, 'config')]
    // A layer above may mean to change a value; in one file the first patch is a leftover.
    const lost = Object.keys(old).filter(
      (field) =>
        !(field in next) ||
        (first.file === second.file && JSON.stringify(old[field]) !== JSON.stringify(next[field])),
    )
    // Of the environment its names are what somebody misses.
    const named = lost.map((field) =>
      isEntry(old[field]) ? `${field} (${Object.keys(old[field]).join(', ')})` : field,
    )
    if (named.length > 0) this.replaced.push({ id, first, second, lost: named })
  }

  #rowsOf(entries: readonly unknown[], groupEnabled: boolean): ProfileRow[] {
    return entries.filter(isEntry).flatMap((entry) => {
      const disabled = evaluated(this.#system, entry['disabled'])
      const isDisabled = disabled instanceof Expression ? false : Boolean(disabled)
      const enabled = groupEnabled && !isDisabled
      if (isGroup(entry)) return this.#rowsOf(entry.config, enabled)
      if (!isOwn(entry)) return []
      const notEvaluated = disabled instanceof Expression ? ['disabled'] : []
      const written = entry['config'] ?? {}
      const row = this.#reader.locate(entry)
      return [
        {
          id: typeof entry['id'] === 'string' ? entry['id'] : undefined,
          enabled,
          config: withoutExpressions(this.#system, written, [], notEvaluated),
          notEvaluated,
          expressionOf: (field) => {
            const value = at(written, field)
            return value instanceof Expression ? value.source : undefined
          },
          at: row,
          locate: (field) => (isEntry(written) ? this.#reader.locate(written, field) : row),
        },
      ]
    })
  }
}

/**
 * Evaluates `process.env.NAME` as the host does, in the environment that doctor and the host share. A
 * variable that is not set stays as `undefined`, since the host refuses that inside a list.
 * @returns an {@link Expression} where only the host can tell.
 */
function evaluated({ platform, env }: System, value: unknown): unknown {
  if (!(value instanceof Expression)) return value
  const [, name] = /^\s*process\.env\.(\w+)\s*$/.exec(value.source) ?? []
  return name === undefined ? value : environmentValue(platform, env, name)
}

/** @param found is given the path of every expression that is left out. */
function withoutExpressions(
  system: System,
  written: unknown,
  path: readonly string[],
  found: string[],
): unknown {
  const value = evaluated(system, written)
  if (value instanceof Expression) {
    found.push(path.join('.') || 'config')
    return path.length === 0 ? {} : value
  }
  const inner = (item: unknown, key: string): unknown =>
    withoutExpressions(system, item, [...path, key], found)
  const isKept = (item: unknown): boolean => !(item instanceof Expression)
  if (Array.isArray(value)) {
    return value.map((item, position) => inner(item, String(position))).filter(isKept)
  }
  if (!isEntry(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key, inner(item, key)] as const)
      .filter(([, item]) => isKept(item)),
  )
}

const JS_TAG = 'tag:yaml.org,2002:js'
const EXPRESSION: ScalarTag = { tag: JS_TAG, resolve: (source) => new Expression(source) }
/** The host's settings document has no expressions, so the host takes what follows the tag as text. */
const AS_TEXT: ScalarTag = { tag: JS_TAG, resolve: (source) => source }

/** Reads files, notes what is wrong with them without quoting their text, and remembers the lines. */
class Reader {
  readonly problems: FileProblem[] = []
  readonly #system: System
  readonly #locators = new WeakMap<object, (field?: string) => Location>()

  constructor(system: System) {
    this.#system = system
  }

  json(file: string): unknown {
    try {
      return JSON.parse(this.#textOf(file))
    } catch {
      this.#fail('file-not-json', { file })
      return undefined
    }
  }

  patches(file: string): readonly Entry[] {
    const patches = this.yaml(file)
    if (patches === undefined) return []
    if (Array.isArray(patches) && patches.every(isEntry)) return patches
    this.#fail('file-not-a-list', { file })
    return []
  }

  /** Where a value of one of the files stands, or a field of it. */
  locate(value: Entry, field?: string): Location {
    return this.#locators.get(value)?.(field) ?? { file: '' }
  }

  yaml(file: string, jsTag = EXPRESSION): unknown {
    const text = this.#textOf(file)
    const lines = new LineCounter()
    const document = parseDocument(text, {
      customTags: [jsTag],
      logLevel: 'silent',
      lineCounter: lines,
    })
    const [error] = [...document.errors, ...document.warnings]
    if (error !== undefined) {
      const line = error.linePos?.[0].line
      const [before, ...after] = text.split(EMPTY_LIST)
      if (before !== undefined && after.length > 0 && isYaml([before, ...after].join(''))) {
        this.#fail('empty-list-left', { file, line: before.split('\n').length })
      } else this.#fail('file-not-yaml', { file, line }, error.code)
      return undefined
    }
    try {
      const value: unknown = document.toJS()
      // A value that holds itself, or one that grows without end by its aliases, is no configuration.
      JSON.stringify(value)
      this.#remember(value, [], (path, field) => {
        const node = path.length === 0 ? document.contents : document.getIn(path, true)
        const pair = isMapNode(node)
          ? node.items.find(({ key }) => isScalar(key) && key.value === field)
          : undefined
        const start = (isScalar(pair?.key) ? pair.key.range : (node as Ranged)?.range)?.[0]
        return { file, line: start == null ? undefined : lines.linePos(start).line }
      })
      return value
    } catch {
      this.#fail('file-cyclic', { file })
      return undefined
    }
  }

  #remember(
    value: unknown,
    path: readonly (string | number)[],
    locate: (path: readonly (string | number)[], field?: string) => Location,
  ): void {
    if (typeof value !== 'object' || value === null || value instanceof Expression) return
    if (Array.isArray(value)) {
      value.forEach((item, position) => this.#remember(item, [...path, position], locate))
      return
    }
    this.#locators.set(value, (field) => locate(path, field))
    for (const [key, item] of Object.entries(value)) this.#remember(item, [...path, key], locate)
  }

  #fail(kind: FileProblem['kind'], where: Location, code?: string): void {
    if (this.problems.some((problem) => problem.at.file === where.file)) return
    this.problems.push({ kind, at: where, ...(code !== undefined && { code }) })
  }

  #textOf(file: string): string {
    return this.#system.files.textOf(file, MAX_FILE_BYTES) ?? ''
  }
}

/** What the host writes into a new layer; rows beside it make the file invalid. */
const EMPTY_LIST = /^\[\s*\][ \t]*(?:#.*)?$/m

function isYaml(text: string): boolean {
  const { errors } = parseDocument(text, { customTags: [EXPRESSION], logLevel: 'silent' })
  return errors.length === 0
}

type Ranged = { readonly range?: readonly [number, ...number[]] | null } | undefined
