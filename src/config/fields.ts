/**
 * Declares each field of the configuration once: its kind, default, check, texts, and whether it may
 * change while the host runs. Imports nothing from Node, because the settings card uses it too.
 * `config.ts` builds the host's schema from it.
 */

import { MAX_TIMER_DELAY_MS } from '../cursor/options.ts'
import { PERMISSION_MODE_NAMES, type PermissionModeName } from '../cursor/permission-modes.ts'
import type { Words } from '../words.ts'

/** How the settings card labels a field. */
export interface LiveText {
  readonly title: Words
  readonly hint?: Words
}

export interface Field<T> {
  readonly kind: 'text' | 'choice' | 'flag' | 'delay' | 'list' | 'map'
  /** The values of a `choice`. */
  readonly options?: readonly T[]
  /** The default. A field without one is `undefined` if left out. */
  readonly fallback?: T
  readonly accepts: (value: unknown) => value is T
  /** Tells the user in an error which values are allowed. */
  readonly allowed: Words
  readonly text: Words
  /** The user may change it while the host runs, in the settings card; the next delegation uses it. */
  readonly live?: LiveText
  /** May contain a secret, so errors name its type instead of its value. */
  readonly secret?: true
  /** Refuses an empty value in YAML, because the default may not be what the user meant. */
  readonly neverEmpty?: true
}

// Includes line breaks and escapes, because names are printed to logs and terminals.
const CONTROL = /\p{Cc}/u

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && !CONTROL.test(value)

const isFlag = (value: unknown): value is boolean => typeof value === 'boolean'

const isDelay = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 && value <= MAX_TIMER_DELAY_MS

const isAbsolute = (value: string): boolean =>
  /^(?:\/|~[/\\])/.test(value) ||
  (globalThis.process?.platform === 'win32' && /^(?:[A-Za-z]:[/\\]|[/\\]{2})/.test(value))

/** Whether a name and its value can be an environment variable. */
export const isVariable = ([name, value]: readonly [string, unknown]): boolean =>
  /^[^=\0]+$/.test(name) &&
  // A YAML expression such as `!!js process.env.X` is `undefined` if the variable is not set.
  (value == null || (typeof value === 'string' && !value.includes('\0')))

export const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const DELAY: Words = {
  en: `a number of milliseconds above 0 and at most ${MAX_TIMER_DELAY_MS}`,
  zh: `大于 0 且不超过 ${MAX_TIMER_DELAY_MS} 的毫秒数`,
}

/** `cursor/time-limits.ts` defines when each limit is reached. */
const LIMIT = {
  kind: 'delay' as const,
  accepts: isDelay,
  allowed: {
    en: `${DELAY.en}; leave it out for no limit`,
    zh: `${DELAY.zh}；不限制就不要写这个字段`,
  },
}

function choice<const T extends string>(options: readonly T[]) {
  return {
    kind: 'choice' as const,
    options,
    accepts: (value: unknown): value is T => options.includes(value as T),
    allowed:
      options.length === 2
        ? { en: options.join(' or '), zh: options.join(' 或 ') }
        : { en: `one of ${options.join(', ')}`, zh: `${options.join('、')} 之一` },
    neverEmpty: true as const,
  }
}

export const FIELDS = {
  providerName: {
    kind: 'text',
    fallback: 'cursor',
    accepts: isText,
    allowed: {
      en: 'a non-empty string without control characters',
      zh: '非空字符串，不含控制字符',
    },
    text: {
      en: "Name of this instance in the host's registry of subagent providers.",
      zh: '向 DSH 注册子智能体时用的名称，不能与其他后端重名。',
    },
  },
  toolName: {
    kind: 'text',
    fallback: 'subagent_cursor',
    accepts: (value): value is string =>
      typeof value === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(value),
    allowed: {
      en: '1 to 64 letters, digits, underscores and hyphens',
      zh: '1 到 64 个字母、数字、下划线或连字符',
    },
    text: {
      en: 'Name of the tool that the model calls; unique in the whole host.',
      zh: '模型调用的工具名，在整个 DSH 中不能重名。',
    },
  },
  model: {
    kind: 'text',
    accepts: (value): value is string => isText(value) && !value.startsWith('-'),
    allowed: {
      en: 'a non-empty model id that does not start with "-"; leave it out for the account default',
      zh: '非空的模型 id，不能以 "-" 开头；不指定就不要写这个字段',
    },
    text: {
      en: "Model id, passed as `--model`. Left out: the model that the CLI used last, or else the account's default.",
      zh: '模型 id，以 `--model` 传给 CLI。不写则用 CLI 上次用过的模型，没有就用账号的默认模型。',
    },
    live: {
      title: { en: 'Model', zh: '模型' },
      hint: {
        en: "Not set, the CLI uses the model it saved last, or else the account's default. One that is set here is also saved by the CLI as its current model.",
        zh: '不指定时，CLI 用上次用过的模型，没有就用账号的默认模型。在这里指定的模型，CLI 也会记住，作为它的当前模型。',
      },
    },
  },
  env: {
    kind: 'map',
    fallback: {},
    accepts: (value): value is Record<string, string> =>
      isMap(value) && Object.entries(value).every(isVariable),
    allowed: { en: 'a map from variable names to strings', zh: '变量名到字符串的映射' },
    text: {
      en: "Environment of the CLI, over the host's scrubbed one.",
      zh: '额外传给 CLI 的环境变量，同名时以这里为准。CLI 还会收到 DSH 传给子进程的变量，名字里有 KEY、PASSWORD、SECRET、TOKEN 的除外。',
    },
    secret: true,
  },
  permissionMode: {
    ...choice<PermissionModeName>(PERMISSION_MODE_NAMES),
    fallback: 'trust',
    text: { en: 'What the agent may do.', zh: '允许智能体做什么。' },
    live: { title: { en: 'Permission mode', zh: '权限模式' } },
  },
  approveMcps: {
    kind: 'flag',
    fallback: true,
    accepts: isFlag,
    allowed: { en: 'true or false', zh: 'true 或 false' },
    text: {
      en: 'Adds `--approve-mcps`: all configured MCP servers are approved.',
      zh: '加上 `--approve-mcps`：批准所有已配置的 MCP 服务器。',
    },
    live: {
      title: { en: 'MCP servers', zh: 'MCP 服务器' },
      hint: {
        en: 'Apart from the permission mode: without it the CLI uses no third-party MCP servers.',
        zh: '与权限模式无关：不批准时，CLI 不使用第三方 MCP 服务器。',
      },
    },
  },
  extraArgs: {
    kind: 'list',
    fallback: [],
    accepts: (value): value is string[] =>
      Array.isArray(value) && value.every((entry) => typeof entry === 'string'),
    allowed: { en: 'a list of strings', zh: '字符串列表' },
    text: {
      en: 'Arguments appended as they are, before the prompt.',
      zh: '额外的 CLI 参数，原样放在提示词前面。',
    },
    secret: true,
  },
  disposeGraceMs: {
    kind: 'delay',
    fallback: 3000,
    accepts: isDelay,
    allowed: DELAY,
    text: {
      en: 'Milliseconds between asking the CLI to stop and killing it.',
      zh: '要求 CLI 停止后，等多少毫秒再强制结束。',
    },
    live: { title: { en: 'Wait before it is killed', zh: '强制结束前的等待时间' } },
  },
  cliPath: {
    kind: 'text',
    accepts: (value): value is string => isText(value) && isAbsolute(value),
    allowed: {
      en: 'an absolute path, or one that starts with "~/"',
      zh: '绝对路径，或以 "~/" 开头的路径',
    },
    text: {
      en: 'The CLI to use: its index.js, or a directory that holds it. Left out: looked for.',
      zh: 'CLI 的 index.js 或其所在目录。不写则自动查找。',
    },
  },
  readOnlySessions: {
    ...choice(['refuse', 'allow']),
    fallback: 'refuse',
    text: {
      en: 'What a run that can write does when the parent session is read-only.',
      zh: '会话为只读时，如何处理可写的委派。',
    },
  },
  timeoutMs: {
    ...LIMIT,
    text: {
      en: 'Limit of one run, in milliseconds. Left out: none.',
      zh: '一次委派的时长上限（毫秒）。不写则不限。',
    },
    live: { title: { en: 'Longest delegation', zh: '单次委派时限' } },
  },
  stallTimeoutMs: {
    ...LIMIT,
    text: {
      en: 'Limit on silence of the CLI, in milliseconds. Left out: none.',
      zh: 'CLI 持续没有输出的时长上限（毫秒）。不写则不限。',
    },
    live: { title: { en: 'Longest without output', zh: '无输出时限' } },
  },
} as const satisfies Record<string, Field<never> | Field<unknown>>

export type FieldName = keyof typeof FIELDS

export const FIELD_NAMES = Object.keys(FIELDS) as FieldName[]

export function isFieldName(name: string): name is FieldName {
  return Object.hasOwn(FIELDS, name)
}

type ValueOf<F> = F extends { accepts: (value: unknown) => value is infer T } ? T : never

/** A configuration as the user writes it. */
export type RawConfig = { [Name in FieldName]?: ValueOf<(typeof FIELDS)[Name]> }

/** A configuration with all defaults filled in; a field without a default may be `undefined`. */
export type FilledConfig = {
  readonly [Name in FieldName]:
    | ValueOf<(typeof FIELDS)[Name]>
    | ((typeof FIELDS)[Name] extends { fallback: unknown } ? never : undefined)
}

type LiveNames<Name extends FieldName = FieldName> = Name extends unknown
  ? (typeof FIELDS)[Name] extends { live: object }
    ? Name
    : never
  : never

export type LiveField = LiveNames

/** The fields that a user may change while the host runs. */
export const LIVE_FIELDS = FIELD_NAMES.filter((name): name is LiveField => 'live' in FIELDS[name])

/** Whether the user can clear the field, which overrides the row's value with none. */
export function isClearable(name: FieldName): boolean {
  return !('fallback' in FIELDS[name])
}
