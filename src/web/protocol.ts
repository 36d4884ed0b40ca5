// The channels between the page and the host, their endpoints and answers. Only types and names, so
// that both halves can import it.

import type { PermissionModeName } from '../cursor/permission-modes.ts'
import type { CheckId } from '../doctor/checks.ts'
import type { Finding } from '../doctor/finding.ts'
import type { Words } from '../words.ts'

/** The parts of a finding that the card shows. A check that did not run is `skipped`. */
export type Check = { readonly id: CheckId; readonly title: Words } & Pick<Finding, 'state'> &
  Partial<Pick<Finding, 'kind' | 'summary' | 'nextStep' | 'said'>>

export interface ModelChoice {
  readonly id: string
  readonly label: string
  /** `current` is the model that the CLI used last. */
  readonly mark?: 'default' | 'current'
}

/** The self-check's report for the card. Contains no e-mail address, key or home path. */
export interface CliReport {
  readonly toolName: string
  readonly install: Check & {
    readonly version?: string
    readonly directory?: string
    readonly places: readonly string[]
  }
  readonly login: Check
  readonly models: Check & {
    readonly choices: readonly ModelChoice[]
    readonly configured?: string
  }
  /** Modes that this platform cannot run. */
  readonly unavailableModes: readonly PermissionModeName[]
  /** Only in the answer to `probe`. */
  readonly probe?: Check & { readonly firstEventMs?: number; readonly totalMs?: number }
  /** The other findings that are warnings or failures, of any check. */
  readonly troubles: readonly Check[]
}

/** `check` runs the CLI's `status` and `models`; `probe` runs the PONG task, which costs quota. */
export type Endpoint = 'check' | 'probe'

export type { RunView } from '../dsh/runs.ts'

/** Endpoints: `instances`; `run` with `{ callId }`, which returns a {@link RunView} or `null`. */
export const PAGE_CHANNEL = '/subagent-cursor.page'

/** What the page needs to know about an instance of the plugin. */
export interface InstanceInfo {
  readonly toolName: string
  /** Names its settings on hosts before 0.1.7; `/<namespace>` is the channel of its buttons. */
  readonly namespace: string
  /** Names its settings on hosts from 0.1.7 on. */
  readonly rowId?: string
  /** Whether the host serves the channel of the card's buttons. */
  readonly buttons: boolean
  /** The command that starts the self-check in this profile. */
  readonly doctor: string
}

/** What handlers return to the host's channels. */
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
