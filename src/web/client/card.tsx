// The settings card: the state of the CLI, then the fields of the configuration, then saving.
// What a field may hold, and what the state is, the host says; texts are locale.ts's.

import { useEffect, useId, useRef, useState, useSyncExternalStore, type ReactNode } from 'react'
import { PERMISSION_MODE_NAMES } from '../../cursor/permission-modes.ts'
import type { LiveField } from '../../config/fields.ts'
import { SETTINGS_NAMESPACE } from '../../config/namespace.ts'
import type { CliReport, Endpoint } from '../protocol.ts'
import { Button } from './button.tsx'
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
    const asking = useRef<AbortController>(undefined)
    const body = useRef<HTMLDivElement>(null)

    const ask = async (endpoint: Endpoint): Promise<void> => {
      const asked = new AbortController()
      asking.current = asked
      setRunning(endpoint)
      setProblem(undefined)
      try {
        const { rpc } = page.connection
        const answer = await rpc.call(`/${namespace}`, endpoint, {}, asked.signal)
        if (answer.ok) setReport(answer.value as CliReport)
        else setProblem(answer.error.message)
      } catch (error) {
        if (!asked.signal.aborted) setProblem(String(error))
      }
      setRunning(undefined)
    }

    useEffect(() => {
      if (!open) return
      void readAgain(page, namespace)
      // Looking starts the CLI, so it waits until somebody wants to see.
      if (report === undefined && running === undefined) void ask('check')
    }, [open])
    useEffect(() => {
      body.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    }, [note])
    // Nobody reads the answer once the settings are closed, and the host stops what is not read.
    useEffect(() => () => asking.current?.abort(), [])

    if (snapshot.status !== 'ready') return null

    const edits = editsOf(snapshot, draft)
    const disabled = saving || !snapshot.writable
    const change = (field: LiveField, next: Change): void => {
      setDraft((current) => ({ ...current, [field]: next }))
      setNote(undefined)
    }
    const set = (field: LiveField, value: unknown): void => change(field, { set: value })

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
          // The account may not offer the new model.
          if ('model' in draft && running === undefined) void ask('check')
        } else if (result.error.code === 'settings-conflict') {
          await readAgain(page, namespace)
          setNote({ text: t('conflict'), failed: true })
        } else setNote({ text: result.error.message, failed: true })
      } catch (error) {
        setNote({ text: String(error), failed: true })
      }
      setSaving(false)
    }

    const part = (field: LiveField, content: ReactNode, hint?: TextKey): ReactNode => (
      <Part
        t={t}
        title={field}
        field={field}
        hint={hint}
        disabled={disabled}
        own={isOwn(snapshot, draft, field)}
        onReset={() => change(field, 'reset')}
      >
        {content}
      </Part>
    )
    const refused = (field: LiveField): boolean =>
      note !== undefined && note.failed && note.text.includes(`\`${field}\``)

    const extraTool =
      report === undefined || namespace === SETTINGS_NAMESPACE ? '' : ` · ${report.toolName}`

    return (
      <li className="dsh-cursor-card" data-open={open || undefined} data-namespace={namespace}>
        <button
          type="button"
          className="dsh-cursor-head"
          aria-expanded={open}
          aria-controls={open ? `${id}-body` : undefined}
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
          <div className="dsh-cursor-body" id={`${id}-body`} ref={body}>
            {snapshot.writable ? null : <p className="dsh-cursor-muted">{t('readOnly')}</p>}
            <StatusPart
              t={t}
              report={report}
              running={running}
              problem={problem}
              onAsk={(endpoint) => void ask(endpoint)}
              onCancel={() => asking.current?.abort()}
            />
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
              <div className="dsh-cursor-modes">
                {PERMISSION_MODE_NAMES.map((mode) => {
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
                })}
              </div>,
            )}
            {part(
              'approveMcps',
              <label className="dsh-cursor-option dsh-cursor-lone">
                <input
                  type="checkbox"
                  checked={shownValue(snapshot, draft, 'approveMcps') === true}
                  onChange={(event) => set('approveMcps', event.target.checked)}
                />
                {t('approveMcpsLabel')}
              </label>,
              'approveMcpsHint',
            )}
            <Part
              t={t}
              title="limits"
              hint="limitsHint"
              disabled={disabled}
              own={LIMITS.some((field) => isOwn(snapshot, draft, field))}
              onReset={() => LIMITS.forEach((field) => change(field, 'reset'))}
            >
              <div className="dsh-cursor-limits">
                {LIMITS.map((field) => (
                  <label key={field}>
                    <span className="dsh-cursor-muted">{t(field)}</span>
                    <input
                      className="dsh-cursor-input"
                      name={field}
                      inputMode="numeric"
                      aria-invalid={refused(field)}
                      placeholder={t('none')}
                      value={String(shownValue(snapshot, draft, field) ?? '')}
                      onChange={(event) => set(field, parseNumber(event.target.value))}
                    />
                  </label>
                ))}
              </div>
            </Part>
            <div
              className="dsh-cursor-foot"
              data-stuck={edits.length > 0 || note !== undefined || undefined}
            >
              <p className="dsh-cursor-note" role="status" data-failed={note?.failed || undefined}>
                {note?.text}
              </p>
              <Button
                text={t('discard')}
                off={edits.length === 0 || saving}
                onPress={() => {
                  setDraft({})
                  setNote(undefined)
                }}
              />
              <Button
                text={t(saving ? 'saving' : 'save')}
                off={edits.length === 0 || disabled}
                main
                onPress={() => void save()}
              />
            </div>
          </div>
        )}
      </li>
    )
  }
}

/**
 * Reads the section anew: the page is told of a change that the user has saved, but not of another
 * row in the profile.
 */
async function readAgain({ connection, settingsScope }: Page, namespace: string): Promise<void> {
  try {
    const { result } = await connection.api.settings.describe({})
    if (!result.ok) return
    const view = result.value.namespaces.find(({ ns }) => ns === namespace)
    if (view !== undefined) settingsScope.describe().acceptView(view)
  } catch {
    // Without a connection the page keeps what it has, and says so itself.
  }
}

/** One titled group of controls, with its way back to the row's value when it is the user's own. */
function Part(props: {
  t: Translate
  title: TextKey
  field?: LiveField
  hint: TextKey | undefined
  disabled: boolean
  own: boolean
  onReset: () => void
  children: ReactNode
}): ReactNode {
  const { t, title, hint } = props
  const id = useId()
  return (
    <fieldset
      className="dsh-cursor-part"
      data-field={props.field}
      disabled={props.disabled}
      aria-labelledby={`${id}-title`}
      aria-describedby={hint === undefined ? undefined : `${id}-hint`}
    >
      {/* No <legend>: a button in it would be read as part of the group's name. */}
      <div className="dsh-cursor-title">
        <span id={`${id}-title`}>{t(title)}</span>
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
      {props.children}
      {hint === undefined ? null : (
        <p className="dsh-cursor-muted" id={`${id}-hint`}>
          {t(hint)}
        </p>
      )}
    </fieldset>
  )
}
