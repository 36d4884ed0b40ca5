// What the page and the host say to each other: the channels, their endpoints and what they answer.
// Types and names only, so that either half can import it.

import type { PermissionModeName } from '../cursor/permission-modes.ts'
import type { Finding } from '../doctor/finding.ts'

/** What the card shows of a check, as the self-check has it; one that was not made is `skipped`. */
export type Check = Pick<Finding, 'state'> &
  Partial<Pick<Finding, 'kind' | 'summary' | 'nextStep' | 'said'>>

export interface ModelChoice {
  readonly id: string
  readonly label: string
  /** The account's default, or the one that the CLI has saved as current. */
  readonly mark?: 'default' | 'current'
}

/** The state of the install and the login, as the self-check sees it. No e-mail, key or home path. */
export interface CliReport {
  readonly toolName: string
  readonly install: Check & {
    readonly version?: string
    readonly directory?: string
    /** Where it was looked for. */
    readonly places: readonly string[]
  }
  /** What the configuration in force leaves a run to hope for, and whether its mode holds. */
  readonly config: Check
  readonly mode: Check
  readonly login: Check
  readonly models: Check & {
    readonly choices: readonly ModelChoice[]
    /** The model id that was asked for, when there is one. */
    readonly configured?: string
  }
  /** Modes that this platform cannot run. */
  readonly unavailableModes: readonly PermissionModeName[]
  /** Present in the answer to `probe` only. */
  readonly probe?: Check & { readonly firstEventMs?: number; readonly totalMs?: number }
}

/** `check` starts the CLI's `status` and `models`; `probe` runs the PONG task, which costs quota. */
export type Endpoint = 'check' | 'probe'

export type { RunView } from '../dsh/runs.ts'

/** Answers for all instances: `instances`, and `run` with `{ callId }`, a {@link RunView} or `null`. */
export const PAGE_CHANNEL = '/subagent-cursor.page'

/** One instance of the plugin, as a page needs to know it. */
export interface InstanceInfo {
  readonly toolName: string
  /** Its settings section on hosts before 0.1.7; `/<namespace>` is the channel of its buttons. */
  readonly namespace: string
  /** Its settings' name on hosts from 0.1.7 on. */
  readonly rowId?: string
  /** Whether the channel of the card's buttons is served. */
  readonly buttons: boolean
  /** The self-check as it can be typed for this profile. */
  readonly doctor: string
}

/** What a handler of the host's channels returns. */
export type RpcResult =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false
      readonly error: {
        readonly code: 'internal'
        readonly message: string
        readonly details: object
      }
    }
