// The card's first part: what the self-check found, and the buttons that make it look again.

import { useId, type ReactNode } from 'react'
import type { Check, CliReport, Endpoint } from '../protocol.ts'
import { Button } from './button.tsx'
import type { TextKey } from './locale.ts'
import type { Translate } from './page.ts'

export function StatusPart(props: {
  t: Translate
  report: CliReport | undefined
  running: Endpoint | undefined
  /** Why the last question got no answer. */
  problem: string | undefined
  onAsk: (endpoint: Endpoint) => void
  onCancel: () => void
}): ReactNode {
  const { t, report, running } = props
  const id = useId()
  const busy = { check: t('checking'), probe: t('probing') }
  return (
    <section
      className="dsh-cursor-part"
      data-part="status"
      aria-labelledby={`${id}-title`}
      aria-busy={running !== undefined}
    >
      <div className="dsh-cursor-title">
        <span id={`${id}-title`}>{t('status')}</span>
        <span className="dsh-cursor-muted" role="status">
          {running === undefined ? '' : busy[running]}
        </span>
      </div>
      {/* Present before there is anything in it, so that what comes into it is read out. */}
      <div className="dsh-cursor-rows" aria-live="polite">
        {report === undefined ? null : <Findings t={t} report={report} />}
        {props.problem === undefined ? null : (
          <p className="dsh-cursor-note" data-failed>
            {props.problem}
          </p>
        )}
      </div>
      <div className="dsh-cursor-buttons">
        {(['check', 'probe'] as const).map((endpoint) => (
          <Button
            key={endpoint}
            text={t(endpoint)}
            off={running !== undefined}
            onPress={() => props.onAsk(endpoint)}
          />
        ))}
        {running === undefined ? null : (
          <Button text={t('cancel')} off={false} onPress={props.onCancel} />
        )}
      </div>
      <p className="dsh-cursor-muted">{t('probeHint')}</p>
    </section>
  )
}

function Findings({ t, report }: { t: Translate; report: CliReport }): ReactNode {
  const { install, login, models, probe } = report
  const values = {
    version: install.version ?? '?',
    count: models.choices.length,
    model: models.configured ?? '?',
    total: seconds(probe?.totalMs),
    first: seconds(probe?.firstEventMs),
  }
  // One bad login is told once.
  const repeated = models.kind !== undefined && models.kind === login.kind
  const row = (name: 'install' | 'login' | 'models' | 'probed', check: Check): ReactNode => (
    <div className="dsh-cursor-row" data-check={name} data-state={check.state}>
      <span
        className="dsh-cursor-dot"
        data-state={check.state}
        role="img"
        aria-label={t(check.state)}
      />
      <span>{t(name)}</span>
      <span className="dsh-cursor-detail">
        {repeated && check === models ? t(check.state) : findingText(t, check, `${name}Ok`, values)}
        {name !== 'install' || install.directory === undefined ? null : (
          <span className="dsh-cursor-muted dsh-cursor-place">{install.directory}</span>
        )}
      </span>
    </div>
  )
  return (
    <>
      {row('install', install)}
      {row('login', login)}
      {row('models', models)}
      {probe === undefined ? null : row('probed', probe)}
    </>
  )
}

/** The self-check's words, and what to do, in the page's language. */
function findingText(
  t: Translate,
  { state, sentence, help, said = [] }: Check,
  ok: TextKey,
  values: Readonly<Record<string, string | number>>,
): string {
  if (state === 'ok') return t(ok, values)
  if (state === 'unknown') return t('unknown')
  const language = t('language') === 'zh' ? 'zh' : 'en'
  const probe = `“${t('probe')}”`
  return [sentence?.[language], ...said, help?.[language].replaceAll('{probe}', probe)]
    .filter(Boolean)
    .join(' ')
}

function seconds(ms: number | undefined): string {
  return ms === undefined ? '?' : (ms / 1000).toFixed(1)
}
