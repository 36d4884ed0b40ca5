// The user's unsaved changes, and the edits that save them. The field table checks the values, as it
// does at load.

import { FIELDS, isClearable, type LiveField } from '../../../config/fields.ts'
import type { Words } from '../../../words.ts'
import type { SettingsEdit, SettingsSnapshot } from '../page.ts'

/** A new value, with `null` for none, or a reset to the value of the profile's row. */
export type Change = { readonly set: unknown } | 'reset'

export type Draft = Readonly<Partial<Record<LiveField, Change>>>

/** @returns the draft's value, or else the current one. */
export function shownValue(snapshot: SettingsSnapshot, draft: Draft, field: LiveField): unknown {
  const change = draft[field]
  if (change === undefined) return snapshot.value?.[field] ?? null
  return change === 'reset' ? (snapshot.base?.[field] ?? null) : change.set
}

/** Whether the user's settings, and not the row, will set the field after saving. */
export function isOwn(snapshot: SettingsSnapshot, draft: Draft, field: LiveField): boolean {
  const change = draft[field]
  if (change === 'reset') return false
  if (change === undefined) return isStored(snapshot, field)
  return editOf(snapshot, field, change)?.op !== 'unset'
}

/** @returns the edits that save the draft; empty if it changes nothing. */
export function editsOf(snapshot: SettingsSnapshot, draft: Draft): SettingsEdit[] {
  return (Object.entries(draft) as [LiveField, Change][]).flatMap(
    ([field, change]) => editOf(snapshot, field, change) ?? [],
  )
}

/** @returns what the field allows, if it does not allow `value`. */
export function problemOf(field: LiveField, value: unknown): Words | undefined {
  return value === null || FIELDS[field].accepts(value) ? undefined : FIELDS[field].allowed
}

export interface TypedTime {
  readonly minutes: string
  readonly seconds: string
}

/** @returns ms, `null` for two empty boxes, or the typed text if it is not a time. */
export function parseTime({ minutes, seconds }: TypedTime): number | string | null {
  const typed = [minutes.trim(), seconds.trim()]
  if (typed.every((text) => text === '')) return null
  const [m = 0, s = 0] = typed.map(Number)
  const ms = Math.round((m * 60 + s) * 1000)
  return Number.isFinite(ms) && m >= 0 && s >= 0 ? ms : typed.filter(Boolean).join(' ')
}

/** @param value ms, or anything else that a settings document can contain. */
export function typedTime(value: unknown): TypedTime {
  if (typeof value !== 'number') return { minutes: '', seconds: value == null ? '' : String(value) }
  const minutes = Math.floor(value / 60_000)
  const seconds = (value - minutes * 60_000) / 1000
  return {
    minutes: minutes === 0 ? '' : String(minutes),
    seconds: seconds === 0 && minutes > 0 ? '' : String(seconds),
  }
}

function editOf(
  snapshot: SettingsSnapshot,
  field: LiveField,
  change: Change,
): SettingsEdit | undefined {
  const unset = isStored(snapshot, field) ? ({ op: 'unset', path: [field] } as const) : undefined
  if (change === 'reset') return unset
  // Drops the user's entry if none is what the row says too, or if the field must have a value.
  const needless = !isClearable(field) || snapshot.base?.[field] === undefined
  if (change.set === null && needless) return unset
  if (change.set === (snapshot.value?.[field] ?? null)) return undefined
  return { op: 'set', path: [field], value: change.set }
}

function isStored(snapshot: SettingsSnapshot, field: LiveField): boolean {
  return Object.hasOwn(snapshot.user ?? {}, field)
}
