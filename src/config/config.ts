/**
 * A configuration as a whole: the schema that the host applies at load, the check that gives a bad
 * value an error worth reading, and the resolved form that everything behind it uses without a
 * default of its own. The fields themselves are declared in `fields.ts`.
 */

import z from '@deepseek-ai/schemastery'
import { closest } from '../cursor/closest.ts'
import { same, type Language, type Words } from '../words.ts'
import {
  FIELD_NAMES,
  FIELDS,
  isMap,
  isVariable,
  type Field,
  type FieldName,
  type FilledConfig,
  type RawConfig,
} from './fields.ts'

/** As the plugin uses it: checked, with every default filled in. */
export interface ResolvedConfig extends FilledConfig {
  /** Whether `approveMcps: true` is written out, and not merely the default. */
  readonly approvesMcpsByName: boolean
}

/** What is wrong with one field. What is found is shown as far as it can hold no secret. */
export type ConfigProblem =
  | {
      readonly kind: 'bad-value'
      readonly field: FieldName
      readonly found: Words
      readonly allowed: Words
    }
  | { readonly kind: 'unknown-field'; readonly field: string; readonly nearest: FieldName }
  | { readonly kind: 'not-a-map'; readonly found: Words }

/** A configuration that cannot be used; the message holds every problem as a sentence. */
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

/** The schema of one field: its type for forms, its default, and whether it is live. */
function schemaOf({ kind, options = [], fallback, live, text }: Field<unknown>): z {
  const schema = SCHEMAS[kind](options as string[]).description(text.en)
  // Written out or not makes a difference for a flag (see `approvesMcpsByName`).
  const filled: z =
    fallback === undefined || kind === 'flag' ? schema : schema.default(fallback as never)
  return live ? filled.volatile() : filled
}

/** As {@link RawConfig}, by the name that the schema has too. */
export type Config = RawConfig

/**
 * The schema that the host applies at load and to every live edit. A newer host looks for volatile
 * fields in a plain top-level object; there they reach `apply` as boxes with `get()`.
 */
export const Config = z.object(
  Object.fromEntries(FIELD_NAMES.map((name) => [name, schemaOf(FIELDS[name])])),
)

// The host validates through the Standard Schema interface. Our check stands before the library's,
// which would let unknown fields pass and repeat what may be a secret.
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
 * Checks a configuration and fills in every default. Takes it as it is written and as the host's
 * schema gives it, with live fields in boxes, whose present values it reads.
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
    approvesMcpsByName: given.approveMcps === true,
  }
}

/** @returns what is wrong with a configuration, field by field; an empty list for a good one. */
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
        : `配置项 \`${field}\` 的值是 ${found}；允许的值：${allowed}`
    }
    case 'unknown-field': {
      const { field, nearest } = problem
      return language === 'en'
        ? `config has no field \`${field}\`; did you mean \`${nearest}\`? The fields are ${FIELD_NAMES.join(', ')}`
        : `没有名为 \`${field}\` 的配置项；是不是想写 \`${nearest}\`？可用的配置项：${FIELD_NAMES.join('、')}`
    }
    case 'not-a-map':
      return language === 'en'
        ? `config must be a map of fields, not ${problem.found.en}`
        : `config 必须是“配置项: 值”的映射，而不是 ${problem.found.zh}`
  }
}

function isFieldName(name: string): name is FieldName {
  return Object.hasOwn(FIELDS, name)
}

const LONGEST_SHOWN = 80

function unknownField(written: string): ConfigProblem {
  const field = shownName(written)
  const [nearest = 'model'] = closest(field, FIELD_NAMES, 1)
  return { kind: 'unknown-field', field, nearest: nearest as FieldName }
}

/**
 * Without what a terminal would obey. A name behind which `=` or a space follows is a variable or an
 * option with its value.
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
    // A YAML anchor can make a map that holds itself.
    return kindOf(value)
  }
  // With a level too many, `env` stands in the place of any field.
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
  unfit: { en: 'a name or a text that no variable can have', zh: '变量不允许的名称或内容' },
} as const satisfies Record<string, Words>

function kindOf(value: unknown): Words {
  if (value === null) return KINDS.null
  if (Array.isArray(value)) return KINDS.list
  if (isMap(value)) return KINDS.map
  const kind = typeof value
  return kind === 'string' || kind === 'number' || kind === 'boolean' ? KINDS[kind] : KINDS.other
}

/** For values that may be secrets: what it is, and where in it the fault lies, not what it says. */
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

/** A live field in its box, or the bare value; a box that cannot be opened stays, and is refused. */
function unboxed(raw: unknown): unknown {
  if (!isMap(raw)) return raw
  return Object.fromEntries(
    Object.entries(raw).map(([name, value]) => {
      const { get } = (value ?? {}) as { get?: unknown }
      return [name, typeof get === 'function' ? get.call(value) : value]
    }),
  )
}

/** Without fields left empty, and copied, because the schema library writes into what it is given. */
function withoutEmpty(raw: unknown): unknown {
  return Object.fromEntries(
    Object.entries(raw as object)
      .filter(([, value]) => value != null)
      .map(([name, value]) => [name, isMap(value) ? { ...value } : value]),
  )
}
