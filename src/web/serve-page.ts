// Answers the page: the state of a run for its row, and the self-check for the settings card's
// buttons. The self-check is the one of the command line, with the current configuration.

import type { Context } from '@deepseek-ai/cordis'
import type { ResolvedConfig } from '../config/config.ts'
import { settingsNamespaceOf } from '../config/settings-section.ts'
import { PERMISSION_MODE_NAMES } from '../cursor/permission-modes.ts'
import { thisSystem } from '../cursor/system.ts'
import { diagnose } from '../doctor/diagnose.ts'
import { CHECKS, type CheckId } from '../doctor/checks.ts'
import { isTrouble, WORST_FIRST, type Check as DoctorCheck, type Report } from '../doctor/report.ts'
import { selfCheckCommand } from '../dsh/self-check-command.ts'
import { serveChannel, shared } from './channels.ts'
import { joinPage } from './instances.ts'
import type { Check, CliReport, Endpoint, InstanceInfo, ModelChoice, RunView } from './protocol.ts'

export interface Served {
  readonly toolName: string
  /** The current configuration; throws if the settings are invalid. */
  readonly settings: () => ResolvedConfig
  readonly view: (callId: string) => RunView | undefined
}

/** @param ctx injected with `connection` and `webServer`. */
export function servePage(ctx: Context, { toolName, settings, view }: Served): void {
  const { subprocess } = ctx
  const examine = (probe: boolean) => async (signal: AbortSignal) =>
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
  const namespace = settingsNamespaceOf(toolName)
  // `owner`, because a check starts processes and a test run spends quota.
  const card = serveChannel(ctx, `/${namespace}`, 'owner', {
    check: shared(ctx, examine(false)),
    probe: shared(ctx, examine(true)),
  } satisfies Record<Endpoint, unknown>)
  const rowId = rowIdOf(ctx)
  joinPage(ctx, {
    toolName,
    namespace,
    ...(rowId !== undefined && { rowId }),
    buttons: card !== undefined,
    doctor: selfCheckCommand(ctx),
    view,
  } satisfies InstanceInfo & { view: Served['view'] })
}

interface Fiber {
  readonly entry?: { readonly options?: { readonly id?: unknown } }
  readonly parent?: { readonly fiber: Fiber }
}

/** Hosts from 0.1.7 on name the settings by the profile row's id, which is on the row's fiber. */
function rowIdOf(ctx: Context): string | undefined {
  let fiber: Fiber | undefined = ctx.fiber as Fiber
  for (let depth = 0; fiber !== undefined && depth < 4; depth++, fiber = fiber.parent?.fiber) {
    const id = fiber.entry?.options?.id
    if (typeof id === 'string') return id
  }
  return undefined
}

/** Picks what the card shows from the self-check's report. */
function cardReport(toolName: string, report: Report): CliReport {
  const install = checkOf(report, 'install')
  const version = checkOf(report, 'version')
  // One row for both checks, because a program that is not the Cursor CLI is a broken install.
  const program = version?.state === 'failed' || install?.state === 'passed' ? version : install
  const login = checkOf(report, 'login')
  const models = checkOf(report, 'models')
  const probe = checkOf(report, 'probe')
  const told = new Set<DoctorCheck | undefined>([program, login, models, probe])
  const supported = checkOf(report, 'permission-mode')?.data?.supported
  const configured = models?.data?.configured
  return {
    toolName,
    install: {
      ...shown('install', program),
      ...(version?.data && { version: version.data.version }),
      ...(install?.data?.directory && { directory: install.data.directory }),
      places: (install?.data?.places ?? []).map(({ path }) => path),
    },
    login: shown('login', login),
    models: {
      ...shown('models', models),
      choices: choicesOf(models?.data ?? null),
      ...(configured != null && { configured }),
    },
    unavailableModes: PERMISSION_MODE_NAMES.filter((mode) => supported?.includes(mode) === false),
    ...(probe !== undefined && {
      probe: {
        ...shown('probe', probe),
        ...(probe.data?.firstEventMs != null && { firstEventMs: probe.data.firstEventMs }),
        ...(probe.data && { totalMs: probe.data.resultMs }),
      },
    }),
    troubles: report.checks
      .filter((check) => isTrouble(check) && !told.has(check))
      .map((check) => shown(check.id, check)),
  }
}

/** The worst finding of a check. */
function checkOf<Id extends CheckId>(
  { checks }: Report,
  id: Id,
): Extract<DoctorCheck, { id: Id }> | undefined {
  const own = checks.filter((check): check is Extract<DoctorCheck, { id: Id }> => check.id === id)
  return own.toSorted((a, b) => WORST_FIRST.indexOf(a.state) - WORST_FIRST.indexOf(b.state))[0]
}

function shown(id: CheckId, check: DoctorCheck | undefined): Check {
  const { title } = CHECKS[id]
  if (check === undefined) return { id, title, state: 'skipped' }
  const { state, kind, summary, nextStep, said } = check
  return { id, title, state, kind, summary, nextStep, said }
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
