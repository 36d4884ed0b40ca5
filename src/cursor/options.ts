/** What a run is made of beside its task, as the CLI's side of the plugin needs it. */

import type { PermissionModeName } from './permission-modes.ts'
import type { TimeLimits } from './time-limits.ts'

/** The longest delay a Node timer takes, in ms; a longer one fires at once. */
export const MAX_TIMER_DELAY_MS = 2_147_483_647

export interface RunOptions extends TimeLimits {
  /** Passed as `--model`; absent: the account's default rules. */
  readonly model: string | undefined
  /** Laid over the environment of the host; holds credentials. */
  readonly env: Readonly<Record<string, string>>
  readonly permissionMode: PermissionModeName
  readonly approveMcps: boolean
  /** Appended as they are, before the prompt. */
  readonly extraArgs: readonly string[]
  /** ms between the tiers of termination. */
  readonly disposeGraceMs: number
  readonly cliPath: string | undefined
}
