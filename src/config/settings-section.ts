/**
 * Checks a section of the user's settings document, which hosts before 0.1.7 keep, and lays it over
 * the configuration of the profile's row. The host and the self-check read the document.
 */

import { CursorStartError } from '../cursor/start-error.ts'
import type { Language, Words } from '../words.ts'
import { notAllowed } from './ceiling.ts'
import {
  ConfigError,
  configProblems,
  problemSentence,
  resolveConfig,
  type ConfigProblem,
  type ResolvedConfig,
} from './config.ts'
import {
  FIELDS,
  isClearable,
  isFieldName,
  isMap,
  LIVE_FIELDS,
  type FieldName,
  type LiveField,
} from './fields.ts'
import { SETTINGS_NAMESPACE } from './namespace.ts'

/**
 * @returns the namespace of an instance in the settings document: `subagent-cursor` for the default
 * tool name, or else `subagent-cursor-<name>`.
 */
export function settingsNamespaceOf(toolName: string): string {
  if (toolName === FIELDS.toolName.fallback) return SETTINGS_NAMESPACE
  // The host accepts only lower-case words. Other names are hex-encoded, so they stay unique.
  const isPlain = /^[a-z0-9]+(?:_[a-z0-9]+)*$/.test(toolName)
  const words = isPlain
    ? toolName.replaceAll('_', '-')
    : `x--${Buffer.from(toolName).toString('hex')}`
  return `${SETTINGS_NAMESPACE}-${words}`
}

/** What is wrong with one field of a stored section, or with the section itself. */
export type SectionProblem =
  | { readonly kind: 'not-a-map' }
  /** Only the row may set this field. */
  | { readonly kind: 'row-field'; readonly field: FieldName }
  | { readonly kind: 'bad-value'; readonly field: string; readonly problem: ConfigProblem }
  /** The row does not allow this value; `refused` tells the user what to do. */
  | { readonly kind: 'right'; readonly field: LiveField; readonly refused: Words }

export function sectionProblems(row: ResolvedConfig, section: unknown): SectionProblem[] {
  if (section == null) return []
  if (!isMap(section)) return [{ kind: 'not-a-map' }]
  return Object.entries(section).flatMap(([name, value]): SectionProblem[] => {
    const field = LIVE_FIELDS.find((known) => known === name)
    if (field === undefined && isFieldName(name)) {
      return [{ kind: 'row-field', field: name }]
    }
    if (value == null && field !== undefined && !isClearable(field)) return []
    const [problem] = configProblems({ [name]: value })
    if (problem !== undefined) return [{ kind: 'bad-value', field: name, problem }]
    const refused = field === undefined ? undefined : notAllowed(row, field, value)
    return field === undefined || refused === undefined ? [] : [{ kind: 'right', field, refused }]
  })
}

export function sectionProblemSentence(problem: SectionProblem, language: Language): string {
  switch (problem.kind) {
    case 'not-a-map':
      return { en: 'it must be a map of fields', zh: '应当是“字段: 值”的映射' }[language]
    case 'row-field':
      return {
        en: `\`${problem.field}\` is set in the profile's row`,
        zh: `\`${problem.field}\` 只能在 profile 的条目中设置`,
      }[language]
    case 'bad-value':
      return problemSentence(problem.problem, language)
    case 'right':
      return problem.refused[language]
  }
}

/**
 * Lays a stored section over the row's configuration. `null` clears a field that has no default; for
 * other fields, and for the section itself, it means absent.
 * @throws {ConfigError} if the section contains a bad value.
 * @throws {Error} if the section is not a map or contains a field that only the row may set.
 * @throws {CursorStartError} `policy-refused` if the section asks for more than the row allows.
 */
export function layerConfig(row: ResolvedConfig, section: unknown): ResolvedConfig {
  const problems = sectionProblems(row, section)
  if (problems.length > 0) throw sectionError(problems)
  const given = Object.entries(isMap(section) ? section : {}).filter(
    ([name, value]) => value != null || isClearable(name as LiveField),
  )
  const { approvesMcpsExplicitly, ...fields } = row
  const config = resolveConfig({ ...fields, ...Object.fromEntries(given) })
  return { ...config, approvesMcpsExplicitly: approvesMcpsExplicitly && config.approveMcps }
}

function sectionError(problems: readonly SectionProblem[]): Error {
  const misplaced = problems.find(({ kind }) => kind === 'not-a-map' || kind === 'row-field')
  if (misplaced !== undefined) {
    // Names settings.yaml, because the row can contain the same fields.
    const what = sectionProblemSentence(misplaced, 'en')
    return new Error(
      `subagent-cursor: the section of the user's settings (settings.yaml) cannot be used: ${what}`,
    )
  }
  const bad = problems.flatMap((each) => (each.kind === 'bad-value' ? [each.problem] : []))
  if (bad.length > 0) return new ConfigError(bad)
  const refused = problems.find((each) => each.kind === 'right')
  return new CursorStartError('policy-refused', {
    happened: "The user's settings ask for more than the profile's row allows.",
    ...(refused !== undefined && { nextStep: refused.refused.en }),
  })
}
