// Picks a permission mode and says what each one allows. A mode that cannot be picked says why: the
// platform cannot run it, or the profile's row forbids it.

import { Fragment, type ReactNode } from 'react'
import {
  PERMISSION_MODE_NAMES,
  PERMISSION_MODES,
  type PermissionMode,
  type PermissionModeName,
} from '../../../cursor/permission-modes.ts'
import { languageOf } from '../locale.ts'
import type { Translate } from '../page.ts'

export function Modes(props: {
  t: Translate
  /** Of the radio group. */
  name: string
  value: unknown
  unavailable: readonly PermissionModeName[]
  /** @returns why the row forbids a mode, or `undefined` if it does not. */
  forbidden: (mode: PermissionModeName) => string | undefined
  onPick: (mode: PermissionModeName) => void
}): ReactNode {
  const { t, value } = props
  const language = languageOf(t)
  return (
    <div className="dsh-cursor-modes">
      {PERMISSION_MODE_NAMES.map((mode) => {
        const { allows, unbounded }: PermissionMode = PERMISSION_MODES[mode]
        const why = props.unavailable.includes(mode) ? t('modeUnavailable') : props.forbidden(mode)
        return (
          <Fragment key={mode}>
            <label
              className="dsh-cursor-option"
              data-off={why !== undefined || undefined}
              data-warn={unbounded !== undefined || undefined}
            >
              <input
                type="radio"
                name={props.name}
                value={mode}
                disabled={why !== undefined}
                checked={value === mode}
                onChange={() => props.onPick(mode)}
              />
              <code>{mode}</code>
              <span className="dsh-cursor-muted">
                {allows[language]}
                {why === undefined ? null : <span className="dsh-cursor-why">{why}</span>}
              </span>
            </label>
            {unbounded && value === mode ? (
              <p className="dsh-cursor-warning" role="status">
                {unbounded[language]}
              </p>
            ) : null}
          </Fragment>
        )
      })}
    </div>
  )
}
