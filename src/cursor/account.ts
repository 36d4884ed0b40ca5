/**
 * Parses the output of the CLI's `status`, `models`, `about` and `--version`. Cursor may change
 * these formats at any time, so the parsers report unknown output as such, not as bad news.
 * The callers run the commands.
 */

import { isCursorVersion } from './find-cli/versions.ts'
import { plain } from './masking.ts'

/**
 * `details-missing`: `Logged in (unable to fetch user details)`, seen while runs failed.
 * Even `logged-in` does not prove that runs work, because `status` only checks that a token exists.
 */
export type LoginState = 'logged-in' | 'details-missing' | 'logged-out' | 'unknown'

/** @param output of `status`, as text or as JSON. The e-mail address in it is dropped. */
export function parseStatus(output: string): LoginState {
  const text = plain(output)
  const status = jsonObject(text)
  if (typeof status?.['isAuthenticated'] === 'boolean') {
    return status['isAuthenticated'] ? 'logged-in' : 'logged-out'
  }
  if (/\bnot logged in\b/i.test(text)) return 'logged-out'
  if (/\bunable to fetch user details\b/i.test(text)) return 'details-missing'
  return /\blogged in\b/i.test(text) ? 'logged-in' : 'unknown'
}

export interface Model {
  readonly id: string
  readonly label: string
  readonly isDefault: boolean
  /** The model used last. A run without `--model` uses it again. */
  readonly isCurrent: boolean
}

/**
 * `none`: the CLI says that it has no models; some builds say so when not logged in.
 * `unreadable`: the output is neither a list nor that sentence.
 */
export type ModelList =
  | { readonly status: 'listed'; readonly models: readonly Model[] }
  | { readonly status: 'none' | 'unreadable' }

const MODEL_HEADER = /^available models:?$/i
const MODEL_ROW = /^([A-Za-z0-9._-]+) - (\S.*)$/
const MODEL_MARKERS = / \(((?:current|default)(?:, ?(?:current|default))*)\)$/

/** @param output of `models`: a header, `<id> - <label>` rows, a tip. */
export function parseModels(output: string): ModelList {
  const lines = plain(output)
    .split('\n')
    .map((line) => line.trim())
  const header = lines.findIndex((line) => MODEL_HEADER.test(line))
  const models = lines.slice(header + 1).flatMap((line) => {
    const [, id, described] = MODEL_ROW.exec(line) ?? []
    if (id === undefined || described === undefined) return []
    const markers = MODEL_MARKERS.exec(described)?.[1]?.split(/, ?/) ?? []
    return [
      {
        id,
        label: described.replace(MODEL_MARKERS, ''),
        isDefault: markers.includes('default'),
        isCurrent: markers.includes('current'),
      },
    ]
  })
  if (models.length > 0) return { status: 'listed', models }
  // A header without models below it is an empty list, whatever other lines follow.
  const saysNone = header !== -1 || lines.some((line) => /^no models available\b/i.test(line))
  return { status: saysNone ? 'none' : 'unreadable' }
}

/**
 * @param output of `--version`: one line, the name of the version directory.
 * @returns `undefined` if another program answered: other products install an `agent` too, and the
 * editor's launcher prints three lines.
 */
export function parseVersion(output: string): string | undefined {
  const version = plain(output).trim()
  return isCursorVersion(version) ? version : undefined
}

export interface About {
  readonly version: string | undefined
  /** The subscription's name, such as `Free` or `Pro`. */
  readonly plan: string | undefined
}

/** @param output of `about --format json`; values may be null. The e-mail address is dropped. */
export function parseAbout(output: string): About | undefined {
  const about = jsonObject(plain(output))
  if (about === undefined) return undefined
  const { cliVersion, subscriptionTier } = about
  return {
    version: typeof cliVersion === 'string' ? parseVersion(cliVersion) : undefined,
    plan: typeof subscriptionTier === 'string' ? subscriptionTier : undefined,
  }
}

function jsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
