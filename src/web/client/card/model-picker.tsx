// Picks a model id: none, one of the CLI's list, or an id as typed, since the list may be missing or
// behind.

import { useState, type ReactNode } from 'react'
import type { ModelChoice } from '../../protocol.ts'
import { FIELDS } from '../../../config/fields.ts'
import { languageOf } from '../locale.ts'
import type { Translate } from '../page.ts'

export function ModelPicker(props: {
  t: Translate
  /** Of the radio group. */
  name: string
  /** The id in force, or null. */
  value: unknown
  choices: readonly ModelChoice[]
  onPick: (model: string | null) => void
}): ReactNode {
  const { t, value, choices } = props
  const [search, setSearch] = useState('')
  const wanted = search.trim()
  const shown = choices
    .filter((choice) => matches(choice, wanted.toLowerCase()))
    // The list has had 246 entries, so those that somebody is likely to want stand first.
    .toSorted((a, b) => rank(a, value) - rank(b, value))
  const listed = (id: string): boolean => choices.some((choice) => choice.id === id)

  const option = (id: string | null, text: ReactNode): ReactNode => (
    <label key={id ?? ''} className="dsh-cursor-option">
      <input
        type="radio"
        name={props.name}
        value={id ?? ''}
        checked={value === id}
        onChange={() => props.onPick(id)}
      />
      {text}
    </label>
  )

  return (
    <>
      <input
        type="search"
        className="dsh-cursor-input"
        aria-label={t('modelSearch')}
        placeholder={t('modelSearch')}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <div
        className="dsh-cursor-list"
        role="radiogroup"
        aria-label={FIELDS.model.live.title[languageOf(t)]}
      >
        {wanted === '' ? option(null, t('noModelSet')) : null}
        {typeof value === 'string' && !listed(value) ? option(value, <code>{value}</code>) : null}
        {shown.map(({ id, label, mark }) =>
          option(
            id,
            <>
              <code>{id}</code>
              <span className="dsh-cursor-muted">
                {label + (mark === undefined ? '' : ` (${t(mark)})`)}
              </span>
            </>,
          ),
        )}
        {wanted === '' || listed(wanted) || wanted === value
          ? null
          : option(wanted, t('asTyped', { id: wanted }))}
      </div>
    </>
  )
}

function matches({ id, label }: ModelChoice, wanted: string): boolean {
  return id.toLowerCase().includes(wanted) || label.toLowerCase().includes(wanted)
}

/** The selected one, the account's default, the CLI's current one, then the rest in the CLI's order. */
function rank({ id, mark }: ModelChoice, selected: unknown): number {
  if (id === selected) return 0
  return mark === 'default' ? 1 : mark === 'current' ? 2 : 3
}
