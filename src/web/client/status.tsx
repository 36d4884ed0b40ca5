// The card's first part: what the doctor found, and the buttons that make it look again.

import type { ReactNode } from 'react'
import type { Check, CliReport, Endpoint } from '../protocol.ts'
import type { TextKey } from './locale.ts'
import type { Translate } from './page.ts'

export function StatusPart(props: {
  t: Translate
  report: CliReport | undefined
  running: Endpoint | undefined
  /** Why the last question got no answer. */
  problem: string | undefined
  onAsk: (endpoint: Endpoint) => Promise<void>
}): ReactNode {
  const { t, report, running } = props
  return (
    <section className="dsh-cursor-part" data-part="status" aria-busy={running !== undefined}>
      <div className="dsh-cursor-title">
        <span>{t('status')}</span>
        {running === undefined ? null : (
          <span className="dsh-cursor-muted" role="status">
            {t(running === 'probe' ? 'probing' : 'checking')}
          </span>
        )}
      </div>
      {report === undefined ? null : (
        <>
          <CheckRow t={t} name="install" check={report.install} ok={installText(t, report)} />
          <CheckRow t={t} name="login" check={report.login} ok={t('loginOk')} />
          <CheckRow
            t={t}
            name="models"
            check={report.models}
            ok={t('modelsOk', { count: report.models.choices.length })}
          />
          {report.probe === undefined ? null : (
            <CheckRow
              t={t}
              name="probed"
              check={report.probe}
              ok={t('probedOk', {
                total: seconds(report.probe.totalMs),
                first: seconds(report.probe.firstEventMs),
              })}
            />
          )}
        </>
      )}
      {props.problem === undefined ? null : (
        <p className="dsh-cursor-note" data-failed role="alert">
          {props.problem}
        </p>
      )}
      <div className="dsh-cursor-buttons">
        {(['check', 'probe'] as const).map((endpoint) => (
          <button
            key={endpoint}
            type="button"
            className="dsh-cursor-button"
            disabled={running !== undefined}
            onClick={() => void props.onAsk(endpoint)}
          >
            {t(endpoint)}
          </button>
        ))}
      </div>
      <p className="dsh-cursor-muted">{t('probeHint')}</p>
    </section>
  )
}

function CheckRow(props: { t: Translate; name: TextKey; check: Check; ok: string }): ReactNode {
  const { t, check } = props
  const found =
    check.state === 'ok' ? props.ok : [check.sentence, check.help].filter(Boolean).join(' ')
  return (
    <div className="dsh-cursor-row" data-check={props.name} data-state={check.state}>
      <span
        className="dsh-cursor-dot"
        data-state={check.state}
        role="img"
        aria-label={t(check.state)}
      />
      <span>{t(props.name)}</span>
      <span className="dsh-cursor-detail">{found === '' ? t(check.state) : found}</span>
    </div>
  )
}

function installText(t: Translate, { install }: CliReport): string {
  return t('installOk', { version: install.version ?? '?', directory: install.directory ?? '?' })
}

function seconds(ms: number | undefined): string {
  return ms === undefined ? '?' : (ms / 1000).toFixed(1)
}
