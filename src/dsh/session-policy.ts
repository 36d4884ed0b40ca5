/**
 * Which options a delegation gets in its session. The CLI runs outside DSH's sandbox and asks
 * nobody, so a delegation must not be the way around a session's policy, nor around a person who is
 * waiting for a plan. Options only ever get narrower here.
 */

import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type {} from '@deepseek-ai/dsh-sandbox-policy'
import type { ResolvedConfig } from '../config/config.ts'
import { READ_ONLY_MODE } from '../cursor/permission-modes.ts'
import { CursorStartError } from '../cursor/start-error.ts'
import { canWrite, wideningArgs } from '../cursor/rights.ts'

/**
 * @param readOnly whether the call asked for a read-only run.
 * @returns the configuration that the run is made with.
 * @throws {CursorStartError} `policy-refused` when the session does not allow it.
 */
export function admittedConfig(
  ctx: Context,
  parent: Agent,
  config: ResolvedConfig,
  readOnly: boolean,
): ResolvedConfig {
  if (readOnly) return readOnlyConfig(config)
  if (config.readOnlySessions === 'allow') return config
  const policy = sessionMode(ctx, parent)
  if (policy === 'writable') return config
  if (!canWrite(config)) {
    // MCP servers can write, and approving them all is only the default.
    return { ...config, approveMcps: config.approveMcps && config.approvesMcpsByName }
  }
  const widening = wideningArgs(config.extraArgs)
  const what =
    widening.length === 0
      ? `permissionMode ${config.permissionMode}`
      : `permissionMode ${config.permissionMode} with ${widening.join(', ')} in extraArgs`
  throw new CursorStartError('policy-refused', {
    happened: `The parent session's sandbox policy ${policy}, and ${what} can write.`,
  })
}

/**
 * Whether the host says that a person has put the calling agent into plan mode. Hosts without the
 * service, and one that cannot be asked, are left as they are: plan mode is guidance, no policy.
 */
export function isInPlanMode(ctx: Context, agent: Agent): boolean {
  // Source: `packages/plan/plan-mode/src/index.ts`; its package is no dependency.
  const service = ctx.get('planMode' as never) as
    | { get?: (agent: Agent) => { active?: unknown; pending?: unknown } | undefined }
    | undefined
  try {
    const state = service?.get?.(agent)
    return state?.active === true || state?.pending === true
  } catch {
    return false
  }
}

/** @throws {CursorStartError} `policy-refused` when `extraArgs` would undo what was asked for. */
function readOnlyConfig(config: ResolvedConfig): ResolvedConfig {
  const undoing = [
    ...wideningArgs(config.extraArgs),
    ...config.extraArgs.filter((entry) => entry === '--approve-mcps'),
  ]
  if (undoing.length > 0) {
    throw new CursorStartError('policy-refused', {
      happened: `A read-only run was asked for, and ${undoing.join(', ')} in extraArgs lets every run write.`,
      nextStep: "Take it out of `extraArgs` in the profile's row.",
    })
  }
  return { ...config, permissionMode: READ_ONLY_MODE, approveMcps: false }
}

/** @returns `writable`, or what keeps the session from writing as it stands in a sentence. */
function sessionMode(ctx: Context, { session }: Agent): string {
  const service = ctx.get('sandboxPolicy')
  if (service === undefined) return 'writable'
  let mode: unknown
  try {
    mode = service.resolve({ session })?.mode
  } catch {
    // A policy that cannot be read permits nothing.
  }
  if (mode === 'workspace-write' || mode === 'danger-full-access') return 'writable'
  return mode === 'read-only' ? 'is read-only' : 'cannot be read'
}
