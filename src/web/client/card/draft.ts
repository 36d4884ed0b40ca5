// What the user has changed in the card and not yet saved, and the edits that saving it makes. What
// a field may hold is the field table's to say, as at load.

import { FIELDS, isClearable, type LiveField } from '../../../config/fields.ts'
import type { Words } from '../../../words.ts'
import type { SettingsEdit, SettingsSnapshot } from '../page.ts'

/** A new value, `null` for none; or back to what the profile's row says. */
export type Change = { readonly set: unknown } | 'reset'

export type Draft = Readonly<Partial<Record<LiveField, Change>>>

/** The value that a control shows: the draft's, else the one in force. */
export function shownValue(snapshot: SettingsSnapshot, draft: Draft, field: LiveField): unknown {
  const change = draft[field]
  if (change === undefined) return snapshot.value?.[field] ?? null
  return change === 'reset' ? (snapshot.base?.[field] ?? null) : change.set
}

/** Whether the field would be the user's own, and not the row's, after saving. */
export function isOwn(snapshot: SettingsSnapshot, draft: Draft, field: LiveField): boolean {
  const change = draft[field]
  if (change === 'reset') return false
  if (change === undefined) return isStored(snapshot, field)
  return editOf(snapshot, field, change)?.op !== 'unset'
}

/** The edits that turn the stored section into the drafted one; empty when nothing differs. */
export function editsOf(snapshot: SettingsSnapshot, draft: Draft): SettingsEdit[] {
  return (Object.entries(draft) as [LiveField, Change][]).flatMap(
    ([field, change]) => editOf(snapshot, field, change) ?? [],
  )
}

/** @returns what is allowed instead of `value`, when the field cannot hold it. */
export function problemOf(field: LiveField, value: unknown): Words | undefined {
  return value === null || FIELDS[field].accepts(value) ? undefined : FIELDS[field].allowed
}

/** A time as typed into two boxes. */
export interface TypedTime {
  readonly minutes: string
  readonly seconds: string
}

/** @returns ms, `null` for two empty boxes, or what was typed when that is no time. */
export function parseTime({ minutes, seconds }: TypedTime): number | string | null {
  const typed = [minutes.trim(), seconds.trim()]
  if (typed.every((text) => text === '')) return null
  const [m = 0, s = 0] = typed.map(Number)
  const ms = Math.round((m * 60 + s) * 1000)
  return Number.isFinite(ms) && m >= 0 && s >= 0 ? ms : typed.filter(Boolean).join(' ')
}

/** @param value ms, or anything else that a settings document can hold. */
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
  // "None" over a row that sets nothing needs no entry of the user's, and an emptied field that
  // must have a value goes back to the row's.
  const needless = !isClearable(field) || snapshot.base?.[field] === undefined
  if (change.set === null && needless) return unset
  if (change.set === (snapshot.value?.[field] ?? null)) return undefined
  return { op: 'set', path: [field], value: change.set }
}

function isStored(snapshot: SettingsSnapshot, field: LiveField): boolean {
  return Object.hasOwn(snapshot.user ?? {}, field)
}
