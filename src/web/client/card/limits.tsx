// The three time limits, typed as minutes and seconds.

import { useId, useState, type ReactNode } from 'react'
import type { TextKey } from '../locale.ts'
import type { Translate } from '../page.ts'
import { parseTime, problemOf, typedTime } from './draft.ts'

export const LIMITS = ['timeoutMs', 'stallTimeoutMs', 'disposeGraceMs'] as const

export type Limit = (typeof LIMITS)[number]

/** A limit on a whole delegation below this is hardly meant. */
const SHORT_MS = 30_000

export function LimitField(props: {
  t: Translate
  limit: Limit
  value: unknown
  /** Whether a value that cannot be used is told. */
  judged: boolean
  onType: (value: number | string | null) => void
}): ReactNode {
  const { t, limit, value } = props
  const id = useId()
  const [typed, setTyped] = useState(() => typedTime(value))
  const bad = props.judged && problemOf(limit, value) !== undefined
  const short = limit !== 'disposeGraceMs' && typeof value === 'number' && value < SHORT_MS
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
  return (
    <div className="dsh-cursor-limit" data-limit={limit}>
      <span id={`${id}-label`}>{t(limit satisfies TextKey)}</span>
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
          {bad ? t('bad', { found: String(value), allowed: t('timeAllowed') }) : t('tooShort')}
        </p>
      )}
    </div>
  )
}
