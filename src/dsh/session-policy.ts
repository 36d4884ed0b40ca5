/**
 * Narrows the options of a delegation to what its session allows, and never widens them. The CLI runs
 * outside DSH's sandbox and asks nobody, so without this a delegation could bypass the session's
 * policy, or write while the user is waiting for a plan.
 */

import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type {} from '@deepseek-ai/dsh-sandbox-policy'
import type { ResolvedConfig } from '../config/config.ts'
import { READ_ONLY_MODE } from '../cursor/permission-modes.ts'
import { CursorStartError } from '../cursor/start-error.ts'
import { canWrite, wideningArgs } from '../cursor/rights.ts'

/**
 * @param readOnly whether the run must be read-only, because of its call or of plan mode.
 * @returns the configuration to start the run with.
 * @throws {CursorStartError} `policy-refused` if the session does not allow the run.
 */
export function configForSession(
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
    // MCP servers can write, so in a read-only session the default does not approve them.
    return { ...config, approveMcps: config.approveMcps && config.approvesMcpsExplicitly }
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
 * Whether the user has put the calling agent into plan mode. False if the host has no such service or
 * it throws, because plan mode is guidance and not a security policy.
 */
export function isInPlanMode(ctx: Context, agent: Agent): boolean {
  // Source: `packages/plan/plan-mode/src/index.ts`. We do not depend on that package.
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

/** @throws {CursorStartError} `policy-refused` if `extraArgs` would let the run write anyway. */
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

/** @returns `writable`, or the reason why not, as a predicate for "the policy …". */
function sessionMode(ctx: Context, { session }: Agent): string {
  const service = ctx.get('sandboxPolicy')
  if (service === undefined) return 'writable'
  let mode: unknown
  try {
    mode = service.resolve({ session })?.mode
  } catch {
    // `mode` stays undefined, and an unreadable policy permits nothing.
  }
  if (mode === 'workspace-write' || mode === 'danger-full-access') return 'writable'
  return mode === 'read-only' ? 'is read-only' : 'cannot be read'
}
