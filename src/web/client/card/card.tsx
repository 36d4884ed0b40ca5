// The settings card of one instance: the state of the CLI, the live fields, and saving. The tables in
// config/ know which values are allowed; the self-check knows what is wrong with the CLI.

import { useEffect, useId, useRef, useState, useSyncExternalStore, type ReactNode } from 'react'
import { notAllowed, type Ceiling } from '../../../config/ceiling.ts'
import { FIELDS, type LiveField, type LiveText } from '../../../config/fields.ts'
import type { InstanceInfo } from '../../protocol.ts'
import type { PageInstances } from '../instances.ts'
import { languageOf } from '../locale.ts'
import type { Translate } from '../page.ts'
import { Button } from './button.tsx'
import { isOwn, problemOf, shownValue } from './draft.ts'
import type { Form, FormProps, UseForm } from './form.ts'
import { LimitField, LIMITS, type Limit } from './limits.tsx'
import { ModelPicker } from './model-picker.tsx'
import { Modes } from './modes.tsx'
import { Part } from './part.tsx'
import { StatusPart } from './status.tsx'
import { useCliCheck, type CliCheck } from './use-check.ts'
import { useEdit, type Edit, type Kept } from './use-draft.ts'

interface CardProps extends FormProps {
  readonly t: Translate
  /** Set by pages from 0.1.7 on: one line for the list, or the whole form. */
  readonly view?: 'summary' | 'page'
}

export interface CardSource {
  readonly useForm: UseForm
  readonly instances: PageInstances
  /** Finds the instance that this card belongs to. */
  readonly isOf: (instance: InstanceInfo) => boolean
  /** The card's name in a list that opens and closes it; unset if the page gives it its own place. */
  readonly listedAs?: string
}

export function createSettingsCard({ useForm, instances, isOf, listedAs }: CardSource) {
  const kept: Kept = { draft: {} }

  return function SettingsCard(props: CardProps): ReactNode {
    const { t } = props
    const form = useForm(props)
    const edit = useEdit(form, kept)
    const known = useSyncExternalStore(instances.subscribe, instances.getSnapshot)
    const instance = known.find(isOf)
    const id = useId()
    const [opened, setOpened] = useState(listedAs === undefined)
    const open = opened && props.view !== 'summary'
    const check = useCliCheck(instances, instance, open)
    useEffect(() => {
      if (!open) return
      void form.refresh()
      void instances.refresh()
    }, [open])

    if (props.view === 'summary') return t('description')
    if (form.snapshot.status !== 'ready') return null
    const body = <Body t={t} id={id} form={form} edit={edit} check={check} instance={instance} />
    if (listedAs === undefined) return <div className="dsh-cursor-card dsh-cursor-page">{body}</div>
    // Several instances need different names in the list.
    const name = known.length > 1 && instance ? `${t('title')} · ${instance.toolName}` : t('title')
    return (
      <li className="dsh-cursor-card" data-open={open || undefined} data-namespace={listedAs}>
        <button
          type="button"
          className="dsh-cursor-head"
          aria-expanded={open}
          aria-controls={open ? `${id}-body` : undefined}
          onClick={() => setOpened(!opened)}
        >
          <span className="dsh-cursor-about">
            <span className="dsh-cursor-name">{name}</span>
            <span className="dsh-cursor-muted">{t('description')}</span>
          </span>
          {edit.dirty ? <span className="dsh-cursor-badge">{t('unsaved')}</span> : null}
          <span className="dsh-cursor-chevron" data-open={open || undefined} aria-hidden />
        </button>
        {open ? body : null}
      </li>
    )
  }
}

interface BodyProps {
  readonly t: Translate
  readonly id: string
  readonly form: Form
  readonly edit: Edit
  readonly check: CliCheck
  readonly instance: InstanceInfo | undefined
}

function Body({ t, id, form, edit, check, instance }: BodyProps): ReactNode {
  const { snapshot } = form
  const body = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (edit.tried) body.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [edit.tried, edit.saving])

  const language = languageOf(t)
  const disabled = edit.saving || !snapshot.writable
  const value = (field: LiveField): unknown => shownValue(snapshot, edit.draft, field)
  const common = (field: LiveField) => {
    const { title, hint }: LiveText = FIELDS[field].live
    return {
      t,
      title: title[language],
      hint: hint?.[language],
      field,
      disabled,
      own: isOwn(snapshot, edit.draft, field),
      onReset: () => edit.change(field, 'reset'),
      problem: problemText(t, field, value(field)),
    }
  }
  const ceiling = form.over === 'row' ? ceilingOf(snapshot.base) : undefined
  const forbids = (field: LiveField, wish: unknown): string | undefined =>
    ceiling && notAllowed(ceiling, field, wish)?.[language]
  const mcpsForbidden = forbids('approveMcps', true)
  // A new live field does not compile until it gets a control here, unless it is a limit.
  const controls: Record<Exclude<LiveField, Limit>, ReactNode> = {
    model: (
      <ModelPicker
        t={t}
        name={`${id}-model`}
        value={value('model')}
        choices={check.report?.models.choices ?? []}
        onPick={(model) => edit.change('model', { set: model })}
      />
    ),
    permissionMode: (
      <Modes
        t={t}
        name={`${id}-mode`}
        value={value('permissionMode')}
        unavailable={check.report?.unavailableModes ?? []}
        forbidden={(mode) => forbids('permissionMode', mode)}
        onPick={(mode) => edit.change('permissionMode', { set: mode })}
      />
    ),
    approveMcps: (
      <label
        className="dsh-cursor-option dsh-cursor-lone"
        data-off={mcpsForbidden !== undefined || undefined}
      >
        <input
          type="checkbox"
          checked={value('approveMcps') === true}
          disabled={mcpsForbidden !== undefined && value('approveMcps') !== true}
          onChange={(event) => edit.change('approveMcps', { set: event.target.checked })}
        />
        <span>
          {t('approveMcpsLabel')}
          {mcpsForbidden === undefined ? null : (
            <span className="dsh-cursor-why dsh-cursor-muted">{mcpsForbidden}</span>
          )}
        </span>
      </label>
    ),
  }

  const save = async (): Promise<void> => {
    const newModel = 'model' in edit.draft
    // Checks again, because the account may not offer the new model.
    if ((await edit.save()) && newModel && check.running === undefined) check.ask('check')
  }

  return (
    <div className="dsh-cursor-body" id={`${id}-body`} ref={body}>
      {snapshot.writable ? null : <p className="dsh-cursor-muted">{t('readOnly')}</p>}
      <StatusPart t={t} check={check} instance={instance} />
      {(Object.keys(controls) as (keyof typeof controls)[]).map((field) => (
        <Part key={field} {...common(field)}>
          {controls[field]}
        </Part>
      ))}
      <Part
        t={t}
        title={t('limits')}
        hint={t('limitsHint', { grace: FIELDS.disposeGraceMs.live.title[language] })}
        disabled={disabled}
        own={LIMITS.some((limit) => isOwn(snapshot, edit.draft, limit))}
        onReset={() => edit.change(LIMITS, 'reset')}
      >
        <div className="dsh-cursor-limits">
          {LIMITS.map((limit) => (
            <LimitField
              // The field keeps typed text as its own state until the stored value changes.
              key={`${limit} ${edit.generation} ${String(snapshot.value?.[limit])}`}
              t={t}
              limit={limit}
              value={value(limit)}
              showProblem={edit.tried || !(limit in edit.draft)}
              onType={(typed) => edit.change(limit, { set: typed })}
            />
          ))}
        </div>
      </Part>
      <div className="dsh-cursor-foot">
        <p className="dsh-cursor-note" role="status" data-failed={edit.note?.failed || undefined}>
          {edit.note === undefined
            ? ''
            : typeof edit.note.text === 'string'
              ? t(edit.note.text)
              : edit.note.text.said}
        </p>
        <Button text={t('discard')} off={!edit.dirty || edit.saving} onPress={edit.discard} />
        <Button
          text={t(edit.saving ? 'saving' : 'save')}
          off={!edit.dirty || disabled}
          main
          onPress={() => void save()}
        />
      </div>
    </div>
  )
}

/** Tells the user what is wrong with a value. Limits show this at their own boxes. */
function problemText(t: Translate, field: LiveField, value: unknown): string | undefined {
  const allowed = problemOf(field, value)
  return allowed && t('bad', { found: String(value), allowed: allowed[languageOf(t)] })
}

/** @returns the fields of the row that limit the settings, if the page knows them. */
function ceilingOf(base: Form['snapshot']['base']): Ceiling | undefined {
  const { permissionMode, approveMcps } = base ?? {}
  return FIELDS.permissionMode.accepts(permissionMode) && FIELDS.approveMcps.accepts(approveMcps)
    ? { permissionMode, approveMcps }
    : undefined
}
