// Picks a model: none, one from the CLI's list, or a typed id, because the list may be missing or
// outdated.

import { useState, type ReactNode } from 'react'
import type { ModelChoice } from '../../protocol.ts'
import { FIELDS } from '../../../config/fields.ts'
import { languageOf } from '../locale.ts'
import type { Translate } from '../page.ts'

export function ModelPicker(props: {
  t: Translate
  /** Of the radio group. */
  name: string
  value: unknown
  choices: readonly ModelChoice[]
  onPick: (model: string | null) => void
}): ReactNode {
  const { t, value, choices } = props
  const [search, setSearch] = useState('')
  const wanted = search.trim()
  const shown = choices
    .filter((choice) => matches(choice, wanted.toLowerCase()))
    // Likely choices come first, because the list can have 246 entries.
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

/** Sorts the selected model first, then the account's default, the CLI's current model, the rest. */
function rank({ id, mark }: ModelChoice, selected: unknown): number {
  if (id === selected) return 0
  return mark === 'default' ? 1 : mark === 'current' ? 2 : 3
}
