/** What the checks of a row are given: one configuration of the plugin on one machine. */

import type { CliSearch, CursorCli } from '../cursor/find-cli.ts'
import type { Masker } from '../cursor/masking.ts'
import type { CliCommands } from './cli-commands.ts'
import type { DiagnoseOptions } from './diagnose.ts'

export interface Subject extends Required<
  Omit<DiagnoseOptions, 'profile' | 'probe' | 'onProgress'>
> {
  /** The row's id, when the profile has several; `null` otherwise. */
  readonly instance: string | null
  readonly commands: CliCommands
  readonly cli: CursorCli | undefined
  /** An empty directory, where the CLI runs. */
  readonly cwd: string
  /** Hides what the CLI's free text may hold. */
  readonly masker: Masker
  /** Where the CLI was looked for. */
  readonly search: CliSearch
}

/** With the CLI that the install has: what is asked after that check has not failed. */
export type Asked = Subject & { readonly cli: CursorCli }
