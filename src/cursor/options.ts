/** The configuration of a run, without anything that only DSH needs. */

import type { PermissionModeName } from './permission-modes.ts'
import type { TimeLimits } from './time-limits.ts'

/** In ms. Node fires timers with a longer delay at once. */
export const MAX_TIMER_DELAY_MS = 2_147_483_647

export interface RunOptions extends TimeLimits {
  /** Passed as `--model`. Without it, the CLI uses the model it used last, or the account's default. */
  readonly model: string | undefined
  /** Laid over the host's environment. Contains credentials. */
  readonly env: Readonly<Record<string, string>>
  readonly permissionMode: PermissionModeName
  readonly approveMcps: boolean
  /** Inserted unchanged before the prompt. */
  readonly extraArgs: readonly string[]
  /** ms between asking the CLI to stop and killing it. */
  readonly disposeGraceMs: number
  readonly cliPath: string | undefined
}
