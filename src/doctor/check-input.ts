/** What the checks of a row are given: one configuration of the plugin on one machine. */

import type { ResolvedConfig } from '../config/config.ts'
import type { CliSearch, CursorCli } from '../cursor/find-cli.ts'
import type { Masker } from '../cursor/masking.ts'
import type { SpawnProcess } from '../cursor/process.ts'
import type { System } from '../cursor/system.ts'
import type { CliCommands } from './cli-commands.ts'
import type { Recording } from './recording.ts'

export interface Subject {
  /** The row's id, when the profile has several; `null` otherwise. */
  readonly instance: string | null
  readonly config: ResolvedConfig
  readonly system: System
  readonly spawn: SpawnProcess
  readonly commands: CliCommands
  readonly cli: CursorCli | undefined
  /** An empty directory, where the CLI runs. */
  readonly cwd: string
  /** Hides what the CLI's free text may hold. */
  readonly masker: Masker
  /** ms; the limit of one command. */
  readonly limitMs: number
  /** ms; the limit of the probe's run. */
  readonly probeLimitMs: number
  readonly signal: AbortSignal
  /** Where the CLI was looked for. */
  readonly search: CliSearch
  /** Whether the report is to hold every model. */
  readonly listModels: boolean
  /** Given what the CLI has printed in a test run, as a case. */
  readonly onRecorded: ((recording: Recording) => void) | undefined
}

/** With the CLI that the install has: what is asked after that check has not failed. */
export type Asked = Subject & { readonly cli: CursorCli }
