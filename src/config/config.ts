/**
 * Turns the declarations in `fields.ts` into the host's schema, checks a whole configuration with
 * errors that name the field, and fills in all defaults, so that no other module has any.
 */

import z from '@deepseek-ai/schemastery'
import { closest } from '../cursor/closest.ts'
import { same, type Language, type Words } from '../words.ts'
import {
  FIELD_NAMES,
  FIELDS,
  isFieldName,
  isMap,
  isVariable,
  type Field,
  type FieldName,
  type FilledConfig,
  type RawConfig,
} from './fields.ts'

export interface ResolvedConfig extends FilledConfig {
  /** Whether the user wrote `approveMcps: true`, instead of getting the default. */
  readonly approvesMcpsExplicitly: boolean
}

/** What is wrong with one field. `found` never contains what may be a secret. */
export type ConfigProblem =
  | {
      readonly kind: 'bad-value'
      readonly field: FieldName
      readonly found: Words
      readonly allowed: Words
    }
  | { readonly kind: 'unknown-field'; readonly field: string; readonly nearest: FieldName }
  | { readonly kind: 'not-a-map'; readonly found: Words }

/** An invalid configuration. The message lists every problem. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly ConfigProblem[]

  constructor(problems: readonly ConfigProblem[]) {
    super(
      `subagent-cursor: ${problems.map((problem) => problemSentence(problem, 'en')).join('. ')}`,
    )
    this.problems = problems
  }
}

const SCHEMAS: Record<Field<unknown>['kind'], (options: readonly string[]) => z> = {
  text: () => z.string(),
  choice: (options) => z.union(options),
  flag: () => z.boolean(),
  delay: () => z.number(),
  list: () => z.array(z.string()),
  map: () => z.dict(z.string()),
}

function schemaOf({ kind, options = [], fallback, live, text }: Field<unknown>): z {
  const schema = SCHEMAS[kind](options as string[]).description(text.en)
  // Flags get no default here, so that `approvesMcpsExplicitly` can tell whether one was written.
  const filled: z =
    fallback === undefined || kind === 'flag' ? schema : schema.default(fallback as never)
  return live ? filled.volatile() : filled
}

/** The type that goes with the schema of the same name. */
export type Config = RawConfig

/**
 * The schema that the host applies at load and to every live edit. Hosts from 0.1.7 on only look for
 * volatile fields in a plain top-level object, and pass them to `apply` as boxes with `get()`.
 */
export const Config = z.object(
  Object.fromEntries(FIELD_NAMES.map((name) => [name, schemaOf(FIELDS[name])])),
)

// The host validates through the Standard Schema interface. Run our own check before the library's,
// because that accepts unknown fields and repeats values in its errors, which may be secrets.
const { '~standard': standard } = Config
Object.defineProperty(Config, '~standard', {
  value: {
    ...standard,
    validate(value: unknown) {
      const problems = configProblems(value ?? {})
      if (problems.length === 0) return standard.validate(withoutEmpty(value ?? {}))
      return { issues: [{ message: new ConfigError(problems).message }] }
    },
  },
})

/**
 * Checks a configuration and fills in all defaults.
 * @param raw as the user wrote it, or from the host's schema, with live fields in boxes.
 * @throws {ConfigError} naming each field, its value and what is allowed.
 */
export function resolveConfig(raw: unknown): ResolvedConfig {
  const config = unboxed(raw ?? {})
  const problems = configProblems(config)
  if (problems.length > 0) throw new ConfigError(problems)
  const given = config as RawConfig
  const filled = Object.fromEntries(
    FIELD_NAMES.map((name) => {
      const { fallback }: Field<unknown> = FIELDS[name]
      return [name, given[name] ?? fallback]
    }),
  ) as unknown as FilledConfig
  return {
    ...filled,
    env: Object.fromEntries(Object.entries(filled.env).filter(([, value]) => value != null)),
    approvesMcpsExplicitly: given.approveMcps === true,
  }
}

/** @returns what is wrong with each field; empty for a valid configuration. */
export function configProblems(raw: unknown): ConfigProblem[] {
  if (!isMap(raw)) return [{ kind: 'not-a-map', found: kindOf(raw) }]
  return Object.entries(raw).flatMap(([name, value]): ConfigProblem[] => {
    if (!isFieldName(name)) return [unknownField(name)]
    const field: Field<unknown> = FIELDS[name]
    if (value === undefined || (value === null && !field.neverEmpty)) return []
    if (field.accepts(value)) return []
    const found = field.secret ? describe(value) : shown(value)
    return [{ kind: 'bad-value', field: name, found, allowed: field.allowed }]
  })
}

export function problemSentence(problem: ConfigProblem, language: Language): string {
  switch (problem.kind) {
    case 'bad-value': {
      const { field } = problem
      const found = problem.found[language]
      const allowed = problem.allowed[language]
      return language === 'en'
        ? `config field \`${field}\` is ${found}; allowed: ${allowed}`
        : `字段 \`${field}\` 的值是 ${found}；允许的值：${allowed}`
    }
    case 'unknown-field': {
      const { field, nearest } = problem
      return language === 'en'
        ? `config has no field \`${field}\`; did you mean \`${nearest}\`? The fields are ${FIELD_NAMES.join(', ')}`
        : `没有名为 \`${field}\` 的字段；是不是想写 \`${nearest}\`？可用的字段：${FIELD_NAMES.join('、')}`
    }
    case 'not-a-map':
      return language === 'en'
        ? `config must be a map of fields, not ${problem.found.en}`
        : `config 必须是“字段: 值”的映射，而不是 ${problem.found.zh}`
  }
}

const LONGEST_SHOWN = 80

function unknownField(written: string): ConfigProblem {
  const field = shownName(written)
  const [nearest = 'model'] = closest(field, FIELD_NAMES, 1)
  return { kind: 'unknown-field', field, nearest: nearest as FieldName }
}

/**
 * Cuts off what follows `=`, `:` or a space, because it may be the value of a variable or an option,
 * and removes control characters.
 */
function shownName(written: string): string {
  const [name = ''] = written.split(/[=\s:]/, 1)
  return name.slice(0, LONGEST_SHOWN).replaceAll(/\p{Cc}/gu, '')
}

function shown(value: unknown): Words {
  if (typeof value !== 'object' && typeof value !== 'string') return same(String(value))
  let json: string
  try {
    json = String(JSON.stringify(value))
  } catch {
    // A YAML anchor can make a map that contains itself.
    return kindOf(value)
  }
  // Never shows a map or a list: with wrong indentation it can contain `env` and its secrets.
  if (/^[[{].{2}/s.test(json)) return kindOf(value)
  return same(json.length > LONGEST_SHOWN ? `${json.slice(0, LONGEST_SHOWN)}…` : json)
}

const KINDS = {
  null: same('null'),
  string: { en: 'a string', zh: '字符串' },
  number: { en: 'a number', zh: '数字' },
  boolean: { en: 'true or false', zh: '布尔值' },
  map: { en: 'a map', zh: '映射' },
  list: { en: 'a list', zh: '列表' },
  other: { en: 'a value of no known kind', zh: '无法识别的值' },
  unfit: { en: 'a name or a text that no variable can have', zh: '不能用作环境变量的名称或内容' },
} as const satisfies Record<string, Words>

function kindOf(value: unknown): Words {
  if (value === null) return KINDS.null
  if (Array.isArray(value)) return KINDS.list
  if (isMap(value)) return KINDS.map
  const kind = typeof value
  return kind === 'string' || kind === 'number' || kind === 'boolean' ? KINDS[kind] : KINDS.other
}

/** Describes the type of a value that may be secret, and which of its entries is wrong. */
function describe(value: unknown): Words {
  const whole = kindOf(value)
  if (Array.isArray(value)) {
    const at = value.findIndex((entry) => typeof entry !== 'string')
    return at === -1 ? whole : inside(whole, String(at + 1), kindOf(value[at]))
  }
  if (!isMap(value)) return whole
  const bad = Object.entries(value).find((entry) => !isVariable(entry))
  if (bad === undefined) return whole
  const [name, entry] = bad
  const what = typeof entry === 'string' ? KINDS.unfit : kindOf(entry)
  return inside(whole, `\`${shownName(name)}\``, what)
}

function inside(whole: Words, entry: string, what: Words): Words {
  return {
    en: `${whole.en} whose entry ${entry} is ${what.en}`,
    zh: `${whole.zh}，其中 ${entry} 是${what.zh}`,
  }
}

/** Takes live fields out of their boxes. */
function unboxed(raw: unknown): unknown {
  if (!isMap(raw)) return raw
  return Object.fromEntries(
    Object.entries(raw).map(([name, value]) => {
      const { get } = (value ?? {}) as { get?: unknown }
      return [name, typeof get === 'function' ? get.call(value) : value]
    }),
  )
}

/** Drops empty fields, and copies the rest, because the schema library modifies its input. */
function withoutEmpty(raw: unknown): unknown {
  return Object.fromEntries(
    Object.entries(raw as object)
      .filter(([, value]) => value != null)
      .map(([name, value]) => [name, isMap(value) ? { ...value } : value]),
  )
}
