// The settings card: the state of the CLI, then the fields of the configuration, then saving.
// What a field may hold, and what the state is, the host says; texts are locale.ts's.

import { useEffect, useId, useState, useSyncExternalStore, type ReactNode } from 'react'
import { PERMISSION_MODE_NAMES } from '../../cursor/permission-modes.ts'
import { SETTINGS_NAMESPACE, type SettingsField } from '../../dsh/settings-fields.ts'
import type { CliReport, Endpoint } from '../protocol.ts'
import { editsOf, isOwn, parseNumber, shownValue, type Change, type Draft } from './draft.ts'
import type { TextKey } from './locale.ts'
import { ModelPicker } from './model-picker.tsx'
import type { Page, Translate } from './page.ts'
import { StatusPart } from './status.tsx'

const LIMITS = ['timeoutMs', 'stallTimeoutMs', 'disposeGraceMs'] as const

type Note = { readonly text: string; readonly failed: boolean }

/** The card of one instance, bound to its settings namespace. */
export function createSettingsCard(page: Page, namespace: string) {
  const scope = page.settingsScope.bind({ namespace })

  return function SettingsCard({ t }: { t: Translate }): ReactNode {
    const snapshot = useSyncExternalStore(
      (listener) => scope.subscribe(listener),
      () => scope.getSnapshot(),
    )
    const id = useId()
    const [open, setOpen] = useState(false)
    const [draft, setDraft] = useState<Draft>({})
    const [saving, setSaving] = useState(false)
    const [note, setNote] = useState<Note>()
    const [report, setReport] = useState<CliReport>()
    const [running, setRunning] = useState<Endpoint>()
    const [problem, setProblem] = useState<string>()

    const ask = async (endpoint: Endpoint): Promise<void> => {
      setRunning(endpoint)
      setProblem(undefined)
      try {
        const answer = await page.connection.rpc.call(`/${namespace}`, endpoint, {})
        if (answer.ok) setReport(answer.value as CliReport)
        else setProblem(answer.error.message)
      } catch (error) {
        setProblem(String(error))
      }
      setRunning(undefined)
    }

    useEffect(() => {
      // Looking starts the CLI, so it waits until somebody wants to see.
      if (open && report === undefined) void ask('check')
    }, [open])

    if (snapshot.status !== 'ready') return null

    const edits = editsOf(snapshot, draft)
    const disabled = saving || !snapshot.writable
    const change = (field: SettingsField, next: Change): void => {
      setDraft((current) => ({ ...current, [field]: next }))
      setNote(undefined)
    }
    const set = (field: SettingsField, value: unknown): void => change(field, { set: value })

    const save = async (): Promise<void> => {
      setSaving(true)
      setNote(undefined)
      try {
        const { result } = await page.connection.api.settings.mutate({
          ns: namespace,
          ops: edits,
          ...(snapshot.revision === undefined ? {} : { expectedRevision: snapshot.revision }),
        })
        if (result.ok) {
          page.settingsScope.describe().acceptView(result.value)
          setDraft({})
          setNote({ text: t('saved'), failed: false })
        } else setNote({ text: result.error.message, failed: true })
      } catch (error) {
        setNote({ text: String(error), failed: true })
      }
      setSaving(false)
    }

    const part = (field: SettingsField, content: ReactNode, hint?: TextKey): ReactNode => (
      <fieldset className="dsh-cursor-part" data-field={field} disabled={disabled}>
        <PartTitle
          t={t}
          text={t(field)}
          own={isOwn(snapshot, draft, field)}
          onReset={() => change(field, 'reset')}
        />
        {content}
        {hint === undefined ? null : <p className="dsh-cursor-muted">{t(hint)}</p>}
      </fieldset>
    )

    const extraTool =
      report === undefined || namespace === SETTINGS_NAMESPACE ? '' : ` · ${report.toolName}`

    return (
      <li className="dsh-cursor-card" data-open={open || undefined} data-namespace={namespace}>
        <button
          type="button"
          className="dsh-cursor-head"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          <span className="dsh-cursor-about">
            <span className="dsh-cursor-name">{t('title') + extraTool}</span>
            <span className="dsh-cursor-muted">{t('description')}</span>
          </span>
          {edits.length === 0 ? null : <span className="dsh-cursor-badge">{t('unsaved')}</span>}
          <span className="dsh-cursor-chevron" aria-hidden />
        </button>
        {!open ? null : (
          <div className="dsh-cursor-body">
            {snapshot.writable ? null : <p className="dsh-cursor-muted">{t('readOnly')}</p>}
            <StatusPart t={t} report={report} running={running} problem={problem} onAsk={ask} />
            {part(
              'model',
              <ModelPicker
                t={t}
                name={`${id}-model`}
                value={shownValue(snapshot, draft, 'model')}
                choices={report?.models.choices ?? []}
                onPick={(model) => set('model', model)}
              />,
              'modelHint',
            )}
            {part(
              'permissionMode',
              PERMISSION_MODE_NAMES.map((mode) => {
                const off = report?.unavailableModes.includes(mode) ?? false
                return (
                  <label key={mode} className="dsh-cursor-option" data-off={off || undefined}>
                    <input
                      type="radio"
                      name={`${id}-mode`}
                      value={mode}
                      disabled={off}
                      checked={shownValue(snapshot, draft, 'permissionMode') === mode}
                      onChange={() => set('permissionMode', mode)}
                    />
                    <code>{mode}</code>
                    <span className="dsh-cursor-muted">
                      {t(mode) + (off ? ` (${t('modeUnavailable')})` : '')}
                    </span>
                  </label>
                )
              }),
            )}
            {part(
              'approveMcps',
              <label className="dsh-cursor-option">
                <input
                  type="checkbox"
                  checked={shownValue(snapshot, draft, 'approveMcps') === true}
                  onChange={(event) => set('approveMcps', event.target.checked)}
                />
                {t('approveMcpsLabel')}
              </label>,
              'approveMcpsHint',
            )}
            <fieldset className="dsh-cursor-part" disabled={disabled}>
              <PartTitle
                t={t}
                text={t('limits')}
                own={LIMITS.some((field) => isOwn(snapshot, draft, field))}
                onReset={() => LIMITS.forEach((field) => change(field, 'reset'))}
              />
              <div className="dsh-cursor-limits">
                {LIMITS.map((field) => (
                  <label key={field}>
                    <span className="dsh-cursor-muted">{t(field)}</span>
                    <input
                      className="dsh-cursor-input"
                      name={field}
                      inputMode="numeric"
                      placeholder={t('none')}
                      value={String(shownValue(snapshot, draft, field) ?? '')}
                      onChange={(event) => set(field, parseNumber(event.target.value))}
                    />
                  </label>
                ))}
              </div>
            </fieldset>
            <div className="dsh-cursor-foot">
              {note === undefined ? null : (
                <p className="dsh-cursor-note" role="status" data-failed={note.failed || undefined}>
                  {note.text}
                </p>
              )}
              <button
                type="button"
                className="dsh-cursor-button"
                disabled={edits.length === 0 || saving}
                onClick={() => {
                  setDraft({})
                  setNote(undefined)
                }}
              >
                {t('discard')}
              </button>
              <button
                type="button"
                className="dsh-cursor-button"
                data-main
                disabled={edits.length === 0 || disabled}
                onClick={() => void save()}
              >
                {t(saving ? 'saving' : 'save')}
              </button>
            </div>
          </div>
        )}
      </li>
    )
  }
}

function PartTitle(props: {
  t: Translate
  text: string
  own: boolean
  onReset: () => void
}): ReactNode {
  return (
    <legend className="dsh-cursor-title">
      <span>{props.text}</span>
      {!props.own ? null : (
        <>
          <span className="dsh-cursor-badge">{props.t('own')}</span>
          <button type="button" className="dsh-cursor-link" onClick={props.onReset}>
            {props.t('reset')}
          </button>
        </>
      )}
    </legend>
  )
}
