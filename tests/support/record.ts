// The contract with the stand-in CLI (stand-in/index.js): what a case may say, and what a start
// leaves in the record. It leaves the replaying to the stand-in and the cases to cases.ts.
import { readFile } from 'node:fs/promises'

/** One case the stand-in replays; a JSON file of it is named by STANDIN_CASE or by the prompt. */
export interface StandInCase {
  /**
   * Lines without their newline, or raw text. A line can be a directive: `@HANG@` never exits,
   * `@SLEEP n@` waits n ms (over STANDIN_TIME_SCALE), `@STDERR text@` writes a line to stderr at
   * that point, `@LONG_LINE@` is where `longLine` goes (else it comes last).
   */
  readonly stdout?: readonly string[] | string
  /** Written before stdout. */
  readonly stderr?: string
  readonly exit?: number | null
  /** Stays alive after the last byte. */
  readonly hang?: boolean
  readonly gen?: { readonly replace: string; readonly with: string; readonly times: number }
  /** Bytes per write to stdout. */
  readonly chunk_bytes?: number
  readonly no_final_newline?: boolean
  /** Bytes that come last on stdout, whether they are text or not. */
  readonly tailHex?: string
  /** Wait before the first byte. */
  readonly delayMs?: number
  /** Ends by sending itself this signal, after the output. */
  readonly signal?: NodeJS.Signals
  readonly ignoreSigterm?: boolean
  /** Closes its stdout after the output and stays alive. */
  readonly closeStdoutAndLive?: boolean
  /** Starts a child that inherits stdout and stderr and ignores SIGTERM, before any output. */
  readonly helper?: 'holds-pipes'
  /** Bytes of plain lines after the output; negative never ends. */
  readonly floodStdout?: number
  readonly floodStderr?: number
  /** One line of `bytes` bytes (without the newline), written in pieces and never held whole. */
  readonly longLine?: { readonly bytes: number; readonly head?: string; readonly tail?: string }
  /** Calls process.exit() while its writes are queued: what the pipe has not taken is lost. */
  readonly exitImmediately?: boolean
  /** The first `raceTimes` (1) processes to come to this path fail as a configuration race does. */
  readonly raceFile?: string
  readonly raceTimes?: number
  readonly raceStderr?: string
  /** The agent's work: a file, relative to the working directory. */
  readonly writeFile?: { readonly path: string; readonly text: string }
  /** Created, with the pid in it, when signal handlers and helper are in place. */
  readonly readyFile?: string
  /** Waits for this file before any output; two runs that wait for each other must overlap. */
  readonly waitForFile?: string
}

/** A start of the stand-in, as it saw itself. */
export interface StandInStart {
  readonly kind: 'start'
  /** Without Node and the script. */
  readonly argv: readonly string[]
  readonly execArgv: readonly string[]
  readonly execPath: string
  /** The path of the stand-in's own index.js. */
  readonly entry: string
  readonly cwd: string
  readonly pid: number
  /** `run`, a subcommand's name, `version`, `help` or `usage-error`. */
  readonly action: string
  readonly options: Readonly<Record<string, string | boolean>>
  /** The prompt as the command line's parser understood it. */
  readonly prompt: string
  /** Both `--sandbox enabled` and `--force` were given: the CLI then runs without a sandbox. */
  readonly sandboxOff: boolean
  /** CURSOR_*, STANDIN_*, NODE_OPTIONS and NODE_COMPILE_CACHE. */
  readonly env: Readonly<Record<string, string>>
  readonly envNames: readonly string[]
}

export interface StandInHelper {
  readonly kind: 'helper'
  readonly pid: number
}

/** Every entry of a record file, oldest first; empty when the stand-in was never started. */
export async function readRecord(file: string): Promise<(StandInStart | StandInHelper)[]> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
  const lines = text.split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line) as StandInStart | StandInHelper)
}

/** The starts in a record file. */
export async function readStarts(file: string): Promise<StandInStart[]> {
  const entries = await readRecord(file)
  return entries.filter((entry) => entry.kind === 'start')
}
