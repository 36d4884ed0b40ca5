/**
 * Builds the command line of one run, keeps the prompt from being read as an option, and checks
 * the platform's length limits.
 */

import type { RunOptions } from './options.ts'
import { CursorStartError } from './start-error.ts'
import { permissionArgs } from './permission-modes.ts'

/** Linux limits each argument: bytes with the terminator (`MAX_ARG_STRLEN`). */
export const LINUX_ARGUMENT_BYTES = 131_072
/** Windows limits the whole line: UTF-16 units without the terminator (`CreateProcess`). */
export const WINDOWS_LINE_UNITS = 32_766
/** macOS: bytes of all arguments with terminators. Beyond it, a client saw the CLI exit silently. */
export const MACOS_LINE_BYTES = 460_000

/** The options that a run passes with a value, besides its mode's. `extra-args.ts` knows them too. */
export const VALUED = { format: '--output-format', model: '--model' } as const

type CommandOptions = Pick<RunOptions, 'model' | 'permissionMode' | 'approveMcps' | 'extraArgs'>

/**
 * @param prompt the task as written; it becomes the last argument.
 * @returns the CLI's arguments, without the program and `index.js`.
 */
export function buildArgv(options: CommandOptions, prompt: string): string[] {
  return [
    '-p',
    VALUED.format,
    'stream-json',
    '--trust',
    ...(options.model === undefined ? [] : [VALUED.model, options.model]),
    ...permissionArgs(options.permissionMode),
    ...(options.approveMcps ? ['--approve-mcps'] : []),
    ...options.extraArgs,
    promptArgument(prompt),
  ]
}

/**
 * Puts a space in front of a prompt that the CLI would read as something else: one that starts with
 * `-` as an option, a single word as a subcommand (`logout`), even after `--`.
 */
function promptArgument(prompt: string): string {
  return prompt.startsWith('-') || /^\S+$/.test(prompt) ? ` ${prompt}` : prompt
}

/**
 * @throws {CursorStartError} `prompt-rejected` if the prompt is blank or contains a NUL character.
 */
export function assertUsablePrompt(prompt: string): void {
  if (prompt.trim() === '') {
    throw new CursorStartError('prompt-rejected', { happened: 'The prompt is empty.' })
  }
  if (prompt.includes('\0')) {
    throw new CursorStartError('prompt-rejected', {
      happened: 'The prompt holds a NUL character, which a command line cannot hold.',
      nextStep: 'Remove it from `prompt`.',
    })
  }
}

/**
 * Never shortens the prompt.
 * @param argv program and arguments; the prompt is the last one.
 * @throws {CursorStartError} `prompt-rejected` if the command line is too long for the platform.
 */
export function assertFitsCommandLine(platform: NodeJS.Platform, argv: readonly string[]): void {
  const { size, limit, unit, what } = measure(platform, argv)
  if (size <= limit) return
  throw new CursorStartError('prompt-rejected', {
    happened: `The prompt is too long: ${what} would have ${size} ${unit}, and the limit is ${limit}.`,
    nextStep: 'Put the material in a file in the workspace and name that file in a shorter prompt.',
  })
}

function measure(
  platform: NodeJS.Platform,
  argv: readonly string[],
): { size: number; limit: number; unit: string; what: string } {
  if (platform === 'win32') {
    return {
      size: argv.map(quotedForWindows).join(' ').length,
      limit: WINDOWS_LINE_UNITS,
      unit: 'UTF-16 units',
      what: 'the command line of this platform',
    }
  }
  const bytes = argv.map((argument) => Buffer.byteLength(argument) + 1)
  if (platform === 'darwin') {
    return {
      size: bytes.reduce((sum, size) => sum + size, 0),
      limit: MACOS_LINE_BYTES,
      unit: 'bytes',
      what: 'the command line of this platform',
    }
  }
  return {
    size: Math.max(...bytes),
    limit: LINUX_ARGUMENT_BYTES,
    unit: 'bytes with its terminator',
    what: 'one argument of this platform',
  }
}

/**
 * Quotes an argument as Node does on Windows (libuv's `quote_cmd_arg`): only if necessary, and with
 * doubled backslashes before a quote and at the end.
 */
export function quotedForWindows(argument: string): string {
  if (argument === '') return '""'
  if (!/[ \t"]/.test(argument)) return argument
  if (!/["\\]/.test(argument)) return `"${argument}"`
  return `"${argument.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`
}
