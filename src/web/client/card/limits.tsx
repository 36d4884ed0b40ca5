// The time limits, typed as minutes and seconds.

import { useId, useState, type ReactNode } from 'react'
import { FIELDS } from '../../../config/fields.ts'
import { MAX_TIMER_DELAY_MS } from '../../../cursor/options.ts'
import { START_SECONDS } from '../../../cursor/measured.ts'
import { TIME_LIMIT_NAMES, TIME_LIMITS } from '../../../cursor/time-limits.ts'
import { languageOf } from '../locale.ts'
import type { Translate } from '../page.ts'
import { parseTime, problemOf, typedTime } from './draft.ts'

/** The grace comes last, because unlike the limits it cannot be empty. */
export const LIMITS = [...TIME_LIMIT_NAMES, 'disposeGraceMs'] as const

export type Limit = (typeof LIMITS)[number]

export function LimitField(props: {
  t: Translate
  limit: Limit
  value: unknown
  showProblem: boolean
  onType: (value: number | string | null) => void
}): ReactNode {
  const { t, limit, value } = props
  const id = useId()
  const [typed, setTyped] = useState(() => typedTime(value))
  const bad = props.showProblem && problemOf(limit, value) !== undefined
  const shortBelowMs = limit === 'disposeGraceMs' ? -Infinity : TIME_LIMITS[limit].shortBelowMs
  const short = typeof value === 'number' && value < shortBelowMs
  const box = (unit: 'minutes' | 'seconds'): ReactNode => (
    <label className="dsh-cursor-time">
      <input
        className="dsh-cursor-input"
        name={`${limit}-${unit}`}
        inputMode="decimal"
        aria-labelledby={`${id}-label ${id}-${unit}`}
        aria-invalid={bad}
        aria-describedby={bad || short ? `${id}-note` : undefined}
        value={typed[unit]}
        onChange={(event) => {
          const next = { ...typed, [unit]: event.target.value }
          setTyped(next)
          props.onType(parseTime(next))
        }}
      />
      <span id={`${id}-${unit}`}>{t(unit)}</span>
    </label>
  )
  const note = bad
    ? t('bad', {
        found: String(value),
        allowed: t('timeAllowed', { days: Math.floor(MAX_TIMER_DELAY_MS / 86_400_000) }),
      })
    : t('tooShort', { ...START_SECONDS, short: shortBelowMs / 1000 })
  return (
    <div className="dsh-cursor-limit" data-limit={limit}>
      <span id={`${id}-label`}>{FIELDS[limit].live.title[languageOf(t)]}</span>
      <span className="dsh-cursor-times">
        {box('minutes')}
        {box('seconds')}
      </span>
      {!bad && !short ? null : (
        <p
          className={bad ? 'dsh-cursor-problem' : 'dsh-cursor-warning'}
          id={`${id}-note`}
          role={bad ? 'alert' : 'status'}
        >
          {note}
        </p>
      )}
    </div>
  )
}
