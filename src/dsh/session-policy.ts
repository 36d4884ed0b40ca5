/**
 * Keeps a read-only session read-only. The CLI runs outside DSH's sandbox and asks nobody, so a
 * delegation must not be the way around a session's policy.
 */

import type { Context } from '@deepseek-ai/cordis'
import type {} from '@deepseek-ai/dsh-sandbox-policy'
import type { Session } from '@deepseek-ai/dsh-session'
import type { ResolvedConfig } from '../cursor/config.ts'
import { CursorStartError } from '../cursor/failures.ts'
import { PERMISSION_MODES } from '../cursor/permission-modes.ts'

/**
 * Hosts without the policy service are left as they are.
 * @throws {CursorStartError} `policy-refused` when the session is read-only and the mode can write.
 */
export function refuseReadOnlySession(
  ctx: Context,
  session: Session,
  { permissionMode, readOnlySessions }: ResolvedConfig,
): void {
  if (!PERMISSION_MODES[permissionMode].writes || readOnlySessions === 'allow') return
  const service = ctx.get('sandboxPolicy')
  if (service === undefined) return
  const mode = modeOf(() => service.resolve({ session }))
  if (mode === 'workspace-write' || mode === 'danger-full-access') return
  const policy = mode === 'read-only' ? 'is read-only' : 'cannot be read'
  throw new CursorStartError('policy-refused', {
    happened: `The parent session's sandbox policy ${policy}, and permissionMode ${permissionMode} can write.`,
  })
}

/** What the service says, whatever it is; a policy that is not understood permits nothing. */
function modeOf(resolve: () => { readonly mode?: unknown } | undefined): unknown {
  try {
    return resolve()?.mode
  } catch {
    return undefined
  }
}
