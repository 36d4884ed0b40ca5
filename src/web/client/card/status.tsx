// The first part of the card: what the self-check found, and the buttons that run it again.

import { useId, type ReactNode } from 'react'
import { withDoctor } from '../../../cursor/failures/format.ts'
import type { Check, CliReport, InstanceInfo } from '../../protocol.ts'
import { Sentence } from '../copy.tsx'
import { languageOf, type TextKey } from '../locale.ts'
import type { Translate } from '../page.ts'
import { Button } from './button.tsx'
import type { CliCheck } from './use-check.ts'

export function StatusPart(props: {
  t: Translate
  check: CliCheck
  /** Absent until the host has answered. */
  instance: InstanceInfo | undefined
}): ReactNode {
  const { t, check, instance } = props
  const { report, running, problem } = check
  const id = useId()
  const busy = { check: t('checking'), probe: t('probing') }
  const noCli = report?.install.state === 'failed'
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
        {report === undefined ? null : <Findings t={t} report={report} doctor={instance?.doctor} />}
        {problem === undefined ? null : (
          <p className="dsh-cursor-note" data-failed>
            {problem}
          </p>
        )}
      </div>
      {instance?.buttons === false ? (
        <p className="dsh-cursor-muted">
          {t('noButtons')} <Sentence t={t} text={`\`${instance.doctor}\``} />
        </p>
      ) : (
        <>
          <div className="dsh-cursor-buttons">
            {(['check', 'probe'] as const).map((endpoint) => (
              <Button
                key={endpoint}
                text={t(endpoint)}
                off={
                  running !== undefined || instance === undefined || (endpoint === 'probe' && noCli)
                }
                onPress={() => check.ask(endpoint)}
              />
            ))}
            {running === undefined ? null : (
              <Button text={t('cancel')} off={false} onPress={check.cancel} />
            )}
          </div>
          <p className="dsh-cursor-muted">{t('probeHint')}</p>
        </>
      )}
    </section>
  )
}

function Findings(props: {
  t: Translate
  report: CliReport
  doctor: string | undefined
}): ReactNode {
  const { t, report, doctor } = props
  const { install, login, models, probe, troubles } = report
  const language = languageOf(t)
  const values = {
    version: install.version ?? '?',
    count: models.choices.length,
    total: seconds(probe?.totalMs),
    first: seconds(probe?.firstEventMs),
  }
  // A bad login fails both checks, but is shown only once.
  const repeated = models.kind !== undefined && models.kind === login.kind
  const row = (check: Check, ok?: TextKey, key?: number): ReactNode => (
    <div className="dsh-cursor-row" data-check={check.id} data-state={check.state} key={key}>
      <span
        className="dsh-cursor-dot"
        data-state={check.state}
        role="img"
        aria-label={t(check.state)}
      />
      <span>{check.title[language]}</span>
      <span className="dsh-cursor-detail">
        {repeated && check === models ? (
          t(check.state)
        ) : (
          <Sentence t={t} text={findingText(t, check, ok, values, doctor)} />
        )}
        {check === install ? <Install t={t} install={install} /> : null}
      </span>
    </div>
  )
  return (
    <>
      {row(install, 'installOk')}
      {row(login, 'loginOk')}
      {row(models, 'modelsOk')}
      {troubles.map((check, at) => row(check, undefined, at))}
      {probe === undefined ? null : row(probe, 'probedOk')}
    </>
  )
}

/** Shows where the CLI is, or which places were searched. */
function Install({ t, install }: { t: Translate; install: CliReport['install'] }): ReactNode {
  if (install.state !== 'failed') {
    return install.directory === undefined ? null : (
      <span className="dsh-cursor-muted dsh-cursor-place">{install.directory}</span>
    )
  }
  return install.places.length === 0 ? null : (
    <details className="dsh-cursor-details">
      <summary>{t('places')}</summary>
      <ul className="dsh-cursor-muted">
        {install.places.map((place) => (
          <li key={place}>{place}</li>
        ))}
      </ul>
    </details>
  )
}

/** The finding and its next step, in the page's language. */
function findingText(
  t: Translate,
  { state, kind, summary, nextStep, said = [] }: Check,
  ok: TextKey | undefined,
  values: Readonly<Record<string, string | number>>,
  doctor: string | undefined,
): string {
  if (state === 'passed') return ok === undefined ? t('passed') : t(ok, values)
  // A check skipped for the cause of another one names that check instead of repeating it.
  if (state === 'skipped' && kind !== 'same-cause') return t('skipped')
  const language = languageOf(t)
  const next = nextStep?.[language].replaceAll('{probe}', () => `“${t('probe')}”`)
  return withDoctor([summary?.[language], ...said, next].filter(Boolean).join(' '), doctor)
}

function seconds(ms: number | undefined): string {
  return ms === undefined ? '?' : (ms / 1000).toFixed(1)
}
