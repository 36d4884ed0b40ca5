// The cases of tests/cases.jsonl, typed and expanded, and case files for the stand-in CLI. What a
// case means for the code under test is the tests' business.
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { StandInCase } from './record.ts'

export type CaseKind = 'stream' | 'stderr' | 'exit' | 'layout' | 'argv' | 'list'

/** What a run of a case must come to. */
export interface Wanted {
  readonly stop: 'completed' | 'error'
  readonly answer?: string
  readonly category?: string
  /** Must not be in the failure text. */
  readonly absent?: readonly string[]
  /** Must be in the failure text. */
  readonly present?: readonly string[]
  /** Plugin configuration that the case needs. */
  readonly config?: Readonly<Record<string, unknown>>
}

interface BaseCase {
  readonly id: string
  readonly why: string
  readonly expect: string
  readonly stdout: readonly string[] | string
  readonly stderr: string
  readonly exit: number | null
  readonly hang?: boolean
  readonly chunk_bytes?: number
  readonly no_final_newline?: boolean
}

/** What the process prints and how it ends. */
export interface RunCase extends BaseCase {
  readonly kind: 'stream' | 'stderr' | 'exit'
  readonly want: Wanted
}

/** Files on disk; `expect` says which install must be used. */
export interface LayoutCase extends BaseCase {
  readonly kind: 'layout'
  readonly platform: 'linux' | 'darwin' | 'win32'
  /** A name that ends in a separator is a directory. */
  readonly files: readonly string[]
  /** Link to target. */
  readonly links?: Readonly<Record<string, string>>
  /** File to the text of a script. */
  readonly scripts?: Readonly<Record<string, string>>
  readonly cliPath?: string
  /** Directories on PATH, or PATH itself. */
  readonly path?: readonly string[] | string
  /** The home directory; `/home/u` and its like by default. */
  readonly home?: string
  /** File name to octal mode. */
  readonly modes?: Readonly<Record<string, string>>
}

/** A prompt and options; `expect` says what must reach the CLI. */
export interface ArgvCase extends BaseCase {
  readonly kind: 'argv'
  readonly prompt: string
  readonly platform?: 'win32'
  readonly model?: string
  readonly options?: Readonly<Record<string, string | boolean>>
  readonly env?: Readonly<Record<string, string>>
  readonly stdout_if_dispatched?: readonly string[]
}

/** Output of another command; `expect` says what must be understood. */
export interface ListCase extends BaseCase {
  readonly kind: 'list'
}

export type Case = RunCase | LayoutCase | ArgvCase | ListCase

interface Padding {
  readonly replace: string
  readonly with: string
  readonly times: number
}

/** Replaces the pad token in every string of a value. */
function pad(value: unknown, { replace, with: text, times }: Padding): unknown {
  if (typeof value === 'string') return value.replaceAll(replace, text.repeat(times))
  if (Array.isArray(value)) return value.map((item) => pad(item, { replace, with: text, times }))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  return Object.fromEntries(
    entries.map(([key, item]) => [key, pad(item, { replace, with: text, times })]),
  )
}

function parseCase(line: string): Case {
  const { gen, ...rest } = JSON.parse(line) as Case & { gen?: Padding }
  return (gen === undefined ? rest : pad(rest, gen)) as Case
}

/** Every case, with `gen` carried out. */
const cases: readonly Case[] = readFileSync(new URL('../cases.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map(parseCase)

export const runCases: readonly RunCase[] = cases.filter(
  (item): item is RunCase =>
    item.kind === 'stream' || item.kind === 'stderr' || item.kind === 'exit',
)
/**
 * One run case of each ending, for tests that start a process or a host for each; a unit test judges
 * every case. TEST_CASES=all makes it every case.
 */
export const exampleCases: readonly RunCase[] =
  process.env['TEST_CASES'] === 'all'
    ? runCases
    : [...Map.groupBy(runCases, endingOf).values()].map(([first]) => first as RunCase)

function endingOf({ want, hang, chunk_bytes, no_final_newline }: RunCase): string {
  const { stop, category, config, answer = '' } = want
  const directives = [hang, chunk_bytes !== undefined, no_final_newline, answer.length > 50_000]
  return JSON.stringify([stop, category, config, directives])
}

export const layoutCases: readonly LayoutCase[] = cases.filter((item) => item.kind === 'layout')
export const argvCases: readonly ArgvCase[] = cases.filter((item) => item.kind === 'argv')
export const listCases: readonly ListCase[] = cases.filter((item) => item.kind === 'list')

/** The whole stdout of a case as one buffer, without its directives. */
export function stdoutBytes(item: Pick<BaseCase, 'stdout' | 'no_final_newline'>): Buffer {
  if (typeof item.stdout === 'string') return Buffer.from(item.stdout)
  const lines = item.stdout.filter(
    (line) => !/^@(HANG|LONG_LINE|SLEEP \d+|STDERR .*)@$/s.test(line),
  )
  const text = lines.map((line) => `${line}\n`).join('')
  return Buffer.from(item.no_final_newline === true ? text.slice(0, -1) : text)
}

/** Writes `<directory>/<id>.json` for the stand-in; returns its path. */
export async function writeCaseFile(
  directory: string,
  id: string,
  item: StandInCase,
): Promise<string> {
  const file = join(directory, `${id}.json`)
  await mkdir(directory, { recursive: true })
  await writeFile(file, JSON.stringify(item))
  return file
}
