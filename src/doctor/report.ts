/**
 * The data of a self-check: its findings with whose they are, and the JSON form, whose field names are
 * stable and whose sentences are English. How it looks to a person belongs to `report-text.ts`.
 */

import type { CheckId, DataOf } from './checks.ts'
import type { CheckState, Finding } from './finding.ts'

/** A check with several findings is as bad as the worst of them. */
export const WORST_FIRST: readonly CheckState[] = ['failed', 'warning', 'passed', 'skipped']

export function isTrouble({ state }: { readonly state: CheckState }): boolean {
  return state === 'failed' || state === 'warning'
}

interface Owner<Id> {
  readonly id: Id
  /** The row's id in the profile, when the profile has several; `null` concerns all. */
  readonly instance: string | null
  readonly durationMs: number
}

export type Check = {
  readonly [Id in CheckId]: Owner<Id> & Finding<DataOf<Id>>
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
export function jsonReport({ checks, ...report }: Report) {
  return {
    ...report,
    checks: checks.map(({ id, instance, durationMs, state, kind, category, data, ...words }) => ({
      id,
      instance,
      durationMs,
      state,
      kind,
      summary: words.summary.en,
      details: [...words.said, ...words.details.map(({ en }) => en)],
      nextStep: words.nextStep?.en ?? null,
      category,
      data,
    })),
  }
}
