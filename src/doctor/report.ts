/**
 * The data of a self-check: its findings with their words, what a page shows of them, and the JSON
 * form, whose field names are stable and whose sentences are English. How it looks to a person
 * belongs to `text.ts`.
 */

import type { FailureCategory } from '../cursor/categories.ts'
import type { CursorCli } from '../cursor/find-cli.ts'
import type { Place } from '../cursor/places.ts'
import type { PermissionModeName } from '../cursor/permission-modes.ts'
import type { Words } from '../words.ts'
import type { FindingKind } from './findings.ts'

/** `warning` counts as passed; `skipped` means that an earlier check made this one pointless. */
export type CheckState = 'passed' | 'warning' | 'failed' | 'skipped'

/** A check with several findings is as bad as the worst of them. */
export const WORST_FIRST: readonly CheckState[] = ['failed', 'warning', 'passed', 'skipped']

/** What each check found, for machines. */
export interface CheckData {
  readonly platform: {
    readonly platform: string
    readonly arch: string
    readonly nodeVersion: string
  }
  readonly profile: {
    readonly name: string
    /** The plugin's version in the profile, when it is installed there. */
    readonly installedVersion: string | null
    readonly rows: readonly {
      readonly id: string | null
      readonly enabled: boolean
      readonly valid: boolean
      /** Fields whose value is a `!!js` expression, which only the host evaluates. */
      readonly notEvaluated: readonly string[]
    }[]
  }
  readonly install: {
    /** `null` when nothing usable was found. */
    readonly program: string | null
    readonly runner: CursorCli['runner'] | null
    readonly directory: string | null
    /** Everything that was looked at, in order. */
    readonly places: readonly Place[]
    /** Every version beside the chosen one, newest first. */
    readonly versions: readonly Place[]
  }
  readonly version: { readonly version: string }
  readonly login: { readonly state: 'logged-in' | 'details-missing' | 'logged-out' | 'unknown' }
  readonly models: {
    readonly count: number
    readonly default: string | null
    readonly current: string | null
    readonly configured: string | null
    readonly configuredIsOffered: boolean | null
    /** Of the configured model, when it is not offered. */
    readonly closest: readonly string[]
    /** Every model, when the list was asked for. */
    readonly list: readonly { readonly id: string; readonly label: string }[] | null
  }
  readonly host: { readonly version: string }
  /** The arguments of a run, with secrets masked. */
  readonly config: { readonly args: string }
  readonly 'permission-mode': {
    readonly configured: PermissionModeName
    readonly supported: readonly PermissionModeName[]
  }
  /** Names only: the values can hold credentials. */
  readonly proxy: { readonly variables: readonly string[] }
  readonly probe: {
    /** ms from the start of the process. */
    readonly firstEventMs: number | null
    readonly resultMs: number
    /** Whether the answer was PONG and nothing else. */
    readonly exact: boolean
    readonly inputTokens: number | null
    readonly outputTokens: number | null
  }
}

export type CheckId = keyof CheckData

/** What a check says, before it is known whose it is. */
export interface Finding<Data> {
  readonly state: CheckState
  readonly kind: FindingKind
  /** One sentence. */
  readonly summary: Words
  /** What to do; always given when the check failed. */
  readonly nextStep: Words | null
  /** The CLI's own words, masked. */
  readonly said: readonly string[]
  /** Further lines, for whoever wants to know more. */
  readonly details: readonly Words[]
  /** As in a delegation's diagnostic, when the check failed in a known way. */
  readonly category: FailureCategory | null
  readonly data: Data | null
}

export type Check = {
  readonly [Id in CheckId]: {
    readonly id: Id
    /** The row's id in the profile, when the profile has several; `null` concerns all. */
    readonly instance: string | null
    readonly durationMs: number
  } & Finding<CheckData[Id]>
}[CheckId]

export interface Report {
  readonly schemaVersion: 1
  readonly plugin: { readonly name: string; readonly version: string }
  readonly profile: string | null
  /** No check failed. */
  readonly ok: boolean
  /** A run was made for each instance and worked; nothing else proves that runs work. */
  readonly proven: boolean
  readonly checks: readonly Check[]
}

/** The report as `--json` prints it. */
export interface JsonReport extends Omit<Report, 'checks'> {
  readonly checks: readonly JsonCheck[]
}

type JsonCheck = Check extends infer One
  ? One extends Check
    ? Omit<One, 'summary' | 'nextStep' | 'said' | 'details'> & {
        readonly summary: string
        readonly details: readonly string[]
        readonly nextStep: string | null
      }
    : never
  : never

export function jsonReport({ checks, ...report }: Report): JsonReport {
  return {
    ...report,
    checks: checks.map(({ id, instance, durationMs, state, kind, category, data, ...said }) => ({
      id,
      instance,
      durationMs,
      state,
      kind,
      summary: said.summary.en,
      details: [...said.said, ...said.details.map(({ en }) => en)],
      nextStep: said.nextStep?.en ?? null,
      category,
      data,
    })) as JsonReport['checks'],
  }
}
