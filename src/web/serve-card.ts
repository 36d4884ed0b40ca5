// Answers the settings card's buttons with the self-check, run inside the host: the same code as on
// the command line, with the configuration in force and the host's own subprocess service.

import type { Context } from '@deepseek-ai/cordis'
import type { ResolvedConfig } from '../config/config.ts'
import { installCommand } from '../cursor/install-command.ts'
import { PERMISSION_MODE_NAMES } from '../cursor/permission-modes.ts'
import { thisSystem } from '../cursor/system.ts'
import { diagnose } from '../doctor/diagnose.ts'
import type { Check as DoctorCheck, CheckId, Report } from '../doctor/report.ts'
import { settingsNamespaceOf } from '../config/settings-section.ts'
import { serveCardActions } from './actions-channel.ts'
import type { Check, CheckState, CliReport, ModelChoice } from './protocol.ts'

/** @param ctx injected with `connection` and `webServer`. */
export function serveSettingsCard(
  ctx: Context,
  toolName: string,
  settings: () => ResolvedConfig,
): void {
  const { subprocess } = ctx
  const examine = async (signal: AbortSignal, probe: boolean): Promise<CliReport> =>
    cardReport(
      toolName,
      await diagnose({
        system: thisSystem(),
        spawn: (spec) => subprocess.spawn(spec),
        config: settings(),
        listModels: true,
        probe,
        signal,
      }),
    )
  serveCardActions(ctx, settingsNamespaceOf(toolName), {
    check: (signal) => examine(signal, false),
    probe: (signal) => examine(signal, true),
  })
}

/** The self-check's report as far as the card shows it. */
function cardReport(toolName: string, report: Report): CliReport {
  const install = checkOf(report, 'install')
  const version = checkOf(report, 'version')
  const models = checkOf(report, 'models')
  const probe = checkOf(report, 'probe')
  const supported = checkOf(report, 'permission-mode')?.data?.supported
  const configured = models?.data?.configured
  return {
    toolName,
    install: {
      // One row for both: a program that is not the Cursor CLI is an install that does not work.
      ...shown(version?.state === 'failed' || install?.state === 'passed' ? version : install),
      ...(version?.data && { version: version.data.version }),
      ...(install?.data?.directory && { directory: install.data.directory }),
      command: installCommand(process.platform),
    },
    config: shown(checkOf(report, 'config')),
    mode: shown(checkOf(report, 'permission-mode')),
    login: shown(checkOf(report, 'login')),
    models: {
      ...shown(models),
      choices: choicesOf(models?.data ?? null),
      ...(configured != null && { configured }),
    },
    unavailableModes: PERMISSION_MODE_NAMES.filter((mode) => supported?.includes(mode) === false),
    ...(probe !== undefined && {
      probe: {
        ...shown(probe),
        ...(probe.data?.firstEventMs != null && { firstEventMs: probe.data.firstEventMs }),
        ...(probe.data && { totalMs: probe.data.resultMs }),
      },
    }),
  }
}

const STATES: Record<DoctorCheck['state'], CheckState> = {
  passed: 'ok',
  warning: 'warning',
  failed: 'failed',
  skipped: 'unknown',
}

/** The worst finding of a check. */
function checkOf<Id extends CheckId>(
  { checks }: Report,
  id: Id,
): Extract<DoctorCheck, { id: Id }> | undefined {
  const own = checks.filter((check): check is Extract<DoctorCheck, { id: Id }> => check.id === id)
  return own.toSorted((a, b) => SEVERITY.indexOf(a.state) - SEVERITY.indexOf(b.state))[0]
}

const SEVERITY: readonly DoctorCheck['state'][] = ['failed', 'warning', 'passed', 'skipped']

function shown(check: DoctorCheck | undefined): Check {
  if (check === undefined) return { state: 'unknown' }
  const { state, kind, summary, nextStep, said } = check
  return {
    state: STATES[state],
    kind,
    sentence: summary,
    ...(nextStep !== null && { help: nextStep }),
    ...(said.length > 0 && { said }),
  }
}

function choicesOf(models: Extract<DoctorCheck, { id: 'models' }>['data']): ModelChoice[] {
  return (models?.list ?? []).map(({ id, label }) => ({
    id,
    label,
    ...(id === models?.default
      ? { mark: 'default' as const }
      : id === models?.current && { mark: 'current' as const }),
  }))
}
