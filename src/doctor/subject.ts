/** What is examined: one configuration of the plugin on one machine, and how its paths and lines are shown. */

import type { ResolvedConfig } from '../config/config.ts'
import { buildArgv } from '../cursor/command-line.ts'
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

/** A path of the plugin's own finding, without anybody's home directory in it. */
export function shownPath({ home, files }: System, path: string): string {
  // The real path of no home at all would be this process's own directory.
  for (const directory of home === '' ? [] : [home, files.realPath(home)]) {
    if (directory === undefined || directory.length <= 1) continue
    if (path === directory) return '~'
    if (path.startsWith(directory) && /[/\\]/.test(path[directory.length] ?? '')) {
      return `~${path.slice(directory.length)}`
    }
  }
  // Homebrew's place on Linux is nobody's home.
  return path.replace(
    /^(?:\/(?:home|Users)\/(?!linuxbrew\/)[^/]+|[a-z]:[\\/]Users[\\/][^\\/]+)/i,
    '~',
  )
}

/** The arguments of a delegation as they can be typed, with secrets masked; without a prompt its options alone. */
export function shownArguments({ config, masker }: Subject, prompt?: string): string {
  const args = buildArgv(config, prompt ?? '')
  return masker.mask((prompt === undefined ? args.slice(0, -1) : args).map(quoted).join(' '))
}

/** A path of the plugin's own finding as it can be typed. */
export function shownProgram(system: System, { program, leadingArgs }: CursorCli): string {
  return [program, ...leadingArgs].map((path) => quoted(shownPath(system, path))).join(' ')
}

function quoted(argument: string): string {
  return /^[\w./:@%+=,~\\-]+$/.test(argument) ? argument : `"${argument.replaceAll('"', '\\"')}"`
}
