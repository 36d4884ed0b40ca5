// One group of the card's controls, with a title, a problem, a hint, and a button that resets the
// user's value to the profile's.

import { useId, type ReactNode } from 'react'
import type { LiveField } from '../../../config/fields.ts'
import type { Translate } from '../page.ts'

export function Part(props: {
  t: Translate
  title: string
  field?: LiveField
  hint?: string | undefined
  problem?: string | undefined
  disabled: boolean
  own: boolean
  onReset: () => void
  children: ReactNode
}): ReactNode {
  const { t, title, hint, problem } = props
  const id = useId()
  const described = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return (
    <fieldset
      className="dsh-cursor-part"
      data-field={props.field}
      disabled={props.disabled}
      aria-labelledby={`${id}-title`}
      aria-describedby={described || undefined}
    >
      {/* No <legend>: a button in it would be read as part of the group's name. */}
      <div className="dsh-cursor-title">
        <span id={`${id}-title`}>{title}</span>
        {!props.own ? null : (
          <>
            <span className="dsh-cursor-badge">{t('own')}</span>
            <button
              type="button"
              className="dsh-cursor-link"
              aria-describedby={`${id}-title`}
              onClick={props.onReset}
            >
              {t('reset')}
            </button>
          </>
        )}
      </div>
      {problem === undefined ? null : (
        <p className="dsh-cursor-problem" role="alert" id={`${id}-problem`}>
          {problem}
        </p>
      )}
      {props.children}
      {hint === undefined ? null : (
        <p className="dsh-cursor-muted" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </fieldset>
  )
}
