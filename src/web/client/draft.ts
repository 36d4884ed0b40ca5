// What the user has changed in the card and not yet saved, and the edits that saving it makes.
// Nothing is judged here: whether a value is allowed is for the host to say, as at load.

import { isClearable, type LiveField } from '../../config/fields.ts'
import type { SettingsEdit, SettingsSnapshot } from './page.ts'

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

/** A limit as typed: a number, `null` when empty, else the text, which the host will refuse. */
export function parseNumber(text: string): number | string | null {
  const trimmed = text.trim()
  if (trimmed === '') return null
  const number = Number(trimmed)
  return Number.isFinite(number) ? number : trimmed
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
  return snapshot.user !== undefined && Object.hasOwn(snapshot.user, field)
}
