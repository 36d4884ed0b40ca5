/**
 * The configuration of one instance of the plugin: the single source of its fields, their
 * defaults, what each allows, and the error that a bad value gets. Checked once, at load;
 * nothing behind `resolveConfig` falls back to a default.
 */

import path from 'node:path'
import z from '@deepseek-ai/schemastery'
import { closest } from './closest.ts'
import { PERMISSION_MODE_NAMES, type PermissionModeName } from './permission-modes.ts'

/** The longest delay a Node timer takes, in ms; a longer one fires at once. */
export const MAX_TIMER_DELAY_MS = 2_147_483_647

export type ReadOnlySessions = 'refuse' | 'allow'

/** As a person writes it; every field may be left out. */
export interface Config {
  providerName?: string
  toolName?: string
  model?: string
  env?: Record<string, string>
  permissionMode?: PermissionModeName
  approveMcps?: boolean
  extraArgs?: string[]
  disposeGraceMs?: number
  cliPath?: string
  readOnlySessions?: ReadOnlySessions
  timeoutMs?: number
  stallTimeoutMs?: number
}

/** As the plugin uses it: checked, with every default filled in. */
export interface ResolvedConfig {
  readonly providerName: string
  readonly toolName: string
  readonly model: string | undefined
  readonly env: Readonly<Record<string, string>>
  readonly permissionMode: PermissionModeName
  readonly approveMcps: boolean
  readonly extraArgs: readonly string[]
  /** ms between the tiers of termination. */
  readonly disposeGraceMs: number
  readonly cliPath: string | undefined
  readonly readOnlySessions: ReadOnlySessions
  /** ms; the wall-clock limit of one run. */
  readonly timeoutMs: number | undefined
  /** ms; how long the CLI may write nothing. */
  readonly stallTimeoutMs: number | undefined
}

interface Field {
  readonly schema: z
  /** What is allowed, as it stands in an error. */
  readonly allowed: string
  readonly accepts: (value: unknown) => boolean
  /** How a bad value stands in an error, where it may hold secrets and is not repeated. */
  readonly describe?: (value: unknown) => string
  /** Left empty it would mean a default that somebody may not have meant. */
  readonly neverEmpty?: true
}

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && !value.includes('\0')

const isDelay = (value: unknown): boolean =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 && value <= MAX_TIMER_DELAY_MS

const isVariable = ([name, value]: readonly [string, unknown]): boolean =>
  /^[^=\0]+$/.test(name) &&
  // What a YAML expression such as `!!js process.env.X` gives for a variable that is not set.
  (value == null || (typeof value === 'string' && !value.includes('\0')))

const isMap = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isEnvironment = (value: unknown): boolean =>
  isMap(value) && Object.entries(value).every(isVariable)

const DELAY = `a number of milliseconds above 0 and at most ${MAX_TIMER_DELAY_MS}`

const FIELDS = {
  providerName: {
    schema: z
      .string()
      .default('cursor')
      .description("Name of this instance in the host's registry of subagent providers."),
    allowed: 'a non-empty string',
    accepts: isText,
  },
  toolName: {
    schema: z
      .string()
      .default('subagent_cursor')
      .description('Name of the tool that the model calls; unique in the whole host.'),
    allowed: '1 to 64 letters, digits, underscores and hyphens',
    accepts: (value) => typeof value === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(value),
  },
  model: {
    schema: z
      .string()
      .description("Model id, passed as `--model`. Left out: the account's default rules."),
    allowed:
      'a non-empty model id that does not start with "-"; leave it out for the account default',
    accepts: (value) => isText(value) && !value.startsWith('-'),
  },
  env: {
    schema: z
      .dict(z.string())
      .default({})
      .description("Environment of the CLI, over the host's scrubbed one."),
    allowed: 'a map from variable names to strings',
    accepts: isEnvironment,
    describe: describeEnvironment,
  },
  permissionMode: {
    schema: z
      .union(PERMISSION_MODE_NAMES)
      .default('trust')
      .description('What the agent may do: trust, safe, yolo, plan or ask.'),
    allowed: `one of ${PERMISSION_MODE_NAMES.join(', ')}`,
    accepts: (value) => PERMISSION_MODE_NAMES.includes(value as PermissionModeName),
    neverEmpty: true,
  },
  approveMcps: {
    schema: z
      .boolean()
      .default(true)
      .description('Adds `--approve-mcps`: all configured MCP servers are approved.'),
    allowed: 'true or false',
    accepts: (value) => typeof value === 'boolean',
  },
  extraArgs: {
    schema: z
      .array(z.string())
      .default([])
      .description('Arguments appended as they are, before the prompt.'),
    allowed: 'a list of strings',
    accepts: (value) => Array.isArray(value) && value.every((entry) => typeof entry === 'string'),
    describe: describeArguments,
  },
  disposeGraceMs: {
    schema: z
      .number()
      .default(3000)
      .description('Milliseconds between asking the CLI to stop and killing it.'),
    allowed: DELAY,
    accepts: isDelay,
  },
  cliPath: {
    schema: z
      .string()
      .description(
        'The CLI to use: its index.js, or a directory that holds it. Left out: looked for.',
      ),
    allowed: 'an absolute path, or one that starts with "~/"',
    accepts: (value) => isText(value) && (path.isAbsolute(value) || /^~[/\\]/.test(value)),
  },
  readOnlySessions: {
    schema: z
      .union(['refuse', 'allow'] as const)
      .default('refuse')
      .description('What a mode that can write does when the parent session is read-only.'),
    allowed: 'refuse or allow',
    accepts: (value) => value === 'refuse' || value === 'allow',
    neverEmpty: true,
  },
  timeoutMs: {
    schema: z.number().description('Limit of one run, in milliseconds. Left out: none.'),
    allowed: `${DELAY}; leave it out for no limit`,
    accepts: isDelay,
  },
  stallTimeoutMs: {
    schema: z.number().description('Limit on silence of the CLI, in milliseconds. Left out: none.'),
    allowed: `${DELAY}; leave it out for no limit`,
    accepts: isDelay,
  },
} as const satisfies Record<keyof Config, Field>

export const CONFIG_FIELDS = Object.keys(FIELDS) as (keyof Config)[]

/**
 * The schema that the host applies at load. The first part refuses what the second would let
 * pass or report without the field's name.
 */
export const Config: z<Config, Config> = z.intersect([
  z.transform(z.any(), checkFields, true),
  z.object(Object.fromEntries(Object.entries(FIELDS).map(([name, { schema }]) => [name, schema]))),
]) as unknown as z<Config, Config>

/**
 * Checks a configuration and fills in every default.
 * @throws {Error} naming the field, its value and what is allowed.
 */
export function resolveConfig(raw: Config | undefined): ResolvedConfig {
  // The schema fills in defaults; a field left empty in YAML is null and stays so.
  const config = Config(copyOf(raw ?? {}))
  return {
    providerName: config.providerName as string,
    toolName: config.toolName as string,
    model: config.model ?? undefined,
    env: Object.fromEntries(
      Object.entries(config.env as Record<string, string | null | undefined>).filter(
        (entry): entry is [string, string] => entry[1] != null,
      ),
    ),
    permissionMode: config.permissionMode as PermissionModeName,
    approveMcps: config.approveMcps as boolean,
    extraArgs: config.extraArgs as string[],
    disposeGraceMs: config.disposeGraceMs as number,
    cliPath: config.cliPath ?? undefined,
    readOnlySessions: config.readOnlySessions as ReadOnlySessions,
    timeoutMs: config.timeoutMs ?? undefined,
    stallTimeoutMs: config.stallTimeoutMs ?? undefined,
  }
}

/** The schema library writes into the maps that it is given. */
function copyOf(raw: Config): Config {
  return isMap(raw) ? { ...raw, ...(isMap(raw.env) && { env: { ...raw.env } }) } : raw
}

/** @returns a copy without the fields that are left empty, as YAML's `model:` is. */
function checkFields(raw: unknown): Record<string, unknown> {
  if (!isMap(raw)) {
    throw new Error(`subagent-cursor: config must be a map of fields, not ${shown(raw)}`)
  }
  const given = Object.entries(raw).filter(([name, value]) => {
    if (!Object.hasOwn(FIELDS, name)) throw unknownField(name)
    const field: Field = FIELDS[name as keyof Config]
    if (value === undefined || (value === null && !field.neverEmpty)) return false
    if (field.accepts(value)) return true
    const found = field.describe?.(value) ?? shown(value)
    throw new Error(
      `subagent-cursor: config field \`${name}\` is ${found}; allowed: ${field.allowed}`,
    )
  })
  return Object.fromEntries(given)
}

function unknownField(name: string): Error {
  const [nearest] = closest(name.slice(0, LONGEST_SHOWN), CONFIG_FIELDS, 1)
  return new Error(
    `subagent-cursor: config has no field \`${name.slice(0, LONGEST_SHOWN)}\`; ` +
      `did you mean \`${nearest}\`? The fields are ${CONFIG_FIELDS.join(', ')}`,
  )
}

const LONGEST_SHOWN = 80

function shown(value: unknown): string {
  if (typeof value !== 'object' && typeof value !== 'string') return String(value)
  let json: string
  try {
    json = JSON.stringify(value)
  } catch {
    // A YAML anchor can make a map that holds itself.
    return kindOf(value)
  }
  return json.length > LONGEST_SHOWN ? `${json.slice(0, LONGEST_SHOWN)}…` : json
}

/** For values that may be secrets: what it is, not what it says. */
function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'a map' : `a ${typeof value}`
}

function describeEnvironment(value: unknown): string {
  if (!isMap(value)) return kindOf(value)
  const [name, entry] = Object.entries(value).find((entry) => !isVariable(entry)) ?? ['', undefined]
  const what =
    typeof entry === 'string' ? 'a name or a text that no variable can have' : kindOf(entry)
  return `a map whose entry \`${name.slice(0, LONGEST_SHOWN)}\` is ${what}`
}

function describeArguments(value: unknown): string {
  if (!Array.isArray(value)) return shown(value)
  const at = value.findIndex((entry) => typeof entry !== 'string')
  return `a list whose entry ${at + 1} is ${shown(value[at])}`
}

/** Options that take away the stream or the one fresh chat that a run depends on. */
const BREAKING_OPTIONS = new Set([
  '--output-format',
  '--stream-partial-output',
  '-p',
  '--print',
  '--',
  '--resume',
])

/** @returns a sentence for each entry of `extraArgs` that breaks runs; they are passed all the same. */
export function extraArgsNotes(config: ResolvedConfig): string[] {
  const { extraArgs, permissionMode } = config
  return extraArgs.flatMap((entry, at) => {
    const [option = ''] = entry.split('=')
    if (BREAKING_OPTIONS.has(option)) {
      return [`extraArgs: ${option} breaks the stream or the prompt that every run depends on`]
    }
    if (permissionMode === 'safe' && ['--force', '-f', '--yolo'].includes(option)) {
      return [`extraArgs: ${option} switches off the sandbox of permissionMode safe`]
    }
    if (!entry.startsWith('-') && !/^-[^=]*$/.test(extraArgs[at - 1] ?? '')) {
      return [
        `extraArgs: entry ${at + 1} follows no option, so the CLI takes it for part of the prompt`,
      ]
    }
    return []
  })
}
