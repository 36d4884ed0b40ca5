// Writes the tables and lists that the code owns into the READMEs and docs/: `node scripts/docs.ts`. Each
// stands between `<!-- name -->` and `<!-- /name -->`; tests/unit/readme.test.ts fails while one
// differs from the code. All other text is written by hand.
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { resolveConfig } from '../src/config/config.ts'
import { FIELD_NAMES, FIELDS, LIVE_FIELDS, type Field } from '../src/config/fields.ts'
import { CATEGORIES } from '../src/cursor/failures/categories.ts'
import {
  LINUX_ARGUMENT_BYTES,
  MACOS_LINE_BYTES,
  WINDOWS_LINE_UNITS,
} from '../src/cursor/command-line.ts'
import { installCommand } from '../src/cursor/install-command.ts'
import { MAX_DIAGNOSTIC_BYTES } from '../src/cursor/failures/diagnostic.ts'
import { PERMISSION_MODES } from '../src/cursor/permission-modes.ts'
import { CHECKS } from '../src/doctor/checks.ts'
import type { DelegationMeta } from '../src/dsh/recorded.ts'
import { RunRegistry } from '../src/dsh/runs.ts'
import { toolContract } from '../src/dsh/tool.ts'
import type { Language, Words } from '../src/words.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Every document, by its path from the root. */
export const DOCUMENTS = [
  'README.md',
  'README.en.md',
  ...globSync('docs/*.md', { cwd: ROOT }).map((path) => path.replaceAll('\\', '/')),
].toSorted()

export function languageOf(document: string): Language {
  return document.endsWith('.en.md') ? 'en' : 'zh'
}

export function textOf(document: string): string {
  return readFileSync(join(ROOT, document), 'utf8')
}

type Cell = string | Words

function table(language: Language, head: readonly Words[], rows: readonly (readonly Cell[])[]) {
  const line = (cells: readonly Cell[]): string =>
    `| ${cells.map((cell) => (typeof cell === 'string' ? cell : cell[language])).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``

const code = (text: string): string => `\`${text}\``

const figure = (value: number): string => value.toLocaleString('en')

function defaultOf(name: keyof typeof FIELDS): Cell {
  const { fallback }: Field<unknown> = FIELDS[name] as never
  if (fallback === undefined) return { en: 'none', zh: '无' }
  return code(typeof fallback === 'string' ? fallback : JSON.stringify(fallback))
}

function wrapped(text: string, columns: number): string {
  return text.replaceAll(new RegExp(`(.{1,${columns}})(?: +|$)`, 'g'), '$1\n').trimEnd()
}

const BYTES: Words = { en: 'bytes', zh: '字节' }
const UNITS: Words = { en: 'UTF-16 units', zh: '个 UTF-16 单元' }

const LIMITS: readonly (readonly [en: string, zh: string, value: number, unit: Words])[] = [
  [
    'the whole command line on Windows, quoting included',
    'Windows：整条命令行，含引号',
    WINDOWS_LINE_UNITS,
    UNITS,
  ],
  [
    'one argument on Linux, with its terminator',
    'Linux：单个参数，含结束符',
    LINUX_ARGUMENT_BYTES,
    BYTES,
  ],
  ['all arguments on macOS', 'macOS：全部参数合计', MACOS_LINE_BYTES, BYTES],
  ['the text of a failure', '失败信息', MAX_DIAGNOSTIC_BYTES, BYTES],
]

/** What the session records of a delegation for the page alone. */
const RECORDED: Readonly<Record<keyof DelegationMeta, Words>> = {
  mode: { en: 'mode', zh: '模式' },
  model: { en: 'model', zh: '模型' },
  stopReason: { en: 'how it ended', zh: '结束原因' },
  durationMs: { en: 'time', zh: '用时' },
  toolCalls: { en: 'tool calls', zh: '工具调用次数' },
  usage: { en: 'tokens', zh: 'token 数' },
}

const list = (language: Language, words: readonly Words[]): string =>
  words.map((each) => each[language]).join({ en: ', ', zh: '、' }[language])

const TABLES: Readonly<Record<string, (language: Language) => string>> = {
  install: () =>
    [
      fenced('sh', `${installCommand('linux')}\ncursor-agent login`),
      fenced('powershell', `${installCommand('win32')}\ncursor-agent login`),
    ].join('\n\n'),

  fields: (language) =>
    table(
      language,
      [
        { en: 'field', zh: '字段' },
        { en: 'default', zh: '默认值' },
        { en: 'meaning', zh: '含义' },
        { en: 'value', zh: '取值' },
        { en: 'page', zh: '网页可改' },
      ],
      FIELD_NAMES.map((name) => [
        code(name),
        defaultOf(name),
        FIELDS[name].text,
        FIELDS[name].allowed,
        (LIVE_FIELDS as readonly string[]).includes(name) ? '✓' : '',
      ]),
    ),

  modes: (language) =>
    table(
      language,
      [
        { en: 'mode', zh: '模式' },
        { en: 'flags beside `--trust`', zh: '除 `--trust` 以外的 CLI 参数' },
        { en: 'what the agent may do', zh: '允许做什么' },
      ],
      Object.entries(PERMISSION_MODES)
        .toSorted(([, one], [, other]) => one.reach - other.reach)
        .map(([name, { args, allows }]) => [
          code(name),
          args.length === 0 ? { en: 'none', zh: '无' } : code(args.join(' ')),
          allows,
        ]),
    ),

  categories: (language) =>
    table(
      language,
      [
        { en: 'category', zh: '类别' },
        { en: 'what happened', zh: '发生了什么' },
        { en: 'what to do', zh: '怎么办' },
      ],
      Object.entries(CATEGORIES).map(([name, { happened, nextStep }]) => [
        code(name),
        happened,
        nextStep,
      ]),
    ),

  limits: (language) =>
    table(
      language,
      [
        { en: 'what', zh: '限制对象' },
        { en: 'limit', zh: '上限' },
      ],
      LIMITS.map(([en, zh, value, unit]) => [
        { en, zh },
        { en: `${figure(value)} ${unit.en}`, zh: `${figure(value)} ${unit.zh}` },
      ]),
    ),

  tool: () => {
    const config = resolveConfig({})
    const { description } = toolContract(config, {
      settings: () => config,
      runs: new RunRegistry(),
    })
    return fenced('text', wrapped(description, 100))
  },

  recorded: (language) => list(language, Object.values(RECORDED)),

  checks: (language) =>
    list(
      language,
      Object.values(CHECKS).map(({ title }) => title),
    ),

  'doctor-help': (language) => {
    const program = join(ROOT, 'src', 'doctor', 'main.ts')
    const { stdout } = spawnSync(
      process.execPath,
      [program, 'doctor', '--help', '--lang', language],
      { encoding: 'utf8', env: { ...process.env, COLUMNS: '' } },
    )
    return fenced('text', stdout.trim())
  },
}

/** @returns `text` with each marked table as the code has it. */
export function withTables(text: string, language: Language): string {
  return text.replaceAll(
    /(<!-- ([\w-]+) -->(\n?))[^]*?(<!-- \/\2 -->)/g,
    (_all, start: string, name: string, newline: string, end: string) => {
      const make = TABLES[name]
      if (make === undefined) throw new Error(`there is no table ${name}`)
      return `${start}${make(language)}${newline}${end}`
    },
  )
}

if (import.meta.main) {
  for (const document of DOCUMENTS) {
    writeFileSync(join(ROOT, document), withTables(textOf(document), languageOf(document)))
  }
}
