/**
 * The command line of one run: its arguments in order, the prompt made safe, and whether the
 * platform takes a line of that length.
 */

import type { RunOptions } from './options.ts'
import { CursorStartError } from './start-error.ts'
import { permissionArgs } from './permission-modes.ts'

/** Linux: one argument with its terminator, in bytes (`MAX_ARG_STRLEN`). */
export const LINUX_ARGUMENT_BYTES = 131_072
/** Windows: the whole line without its terminator, in UTF-16 units (`CreateProcess`). */
export const WINDOWS_LINE_UNITS = 32_766
/** macOS: all arguments with their terminators, in bytes; past it a client saw the CLI end silently. */
export const MACOS_LINE_BYTES = 460_000

type CommandOptions = Pick<RunOptions, 'model' | 'permissionMode' | 'approveMcps' | 'extraArgs'>

/**
 * The CLI's arguments, without the program and `index.js`. The prompt is the last one, and one.
 * @param prompt the task as written.
 */
export function buildArgv(options: CommandOptions, prompt: string): string[] {
  return [
    '-p',
    '--output-format',
    'stream-json',
    '--trust',
    ...(options.model === undefined ? [] : ['--model', options.model]),
    ...permissionArgs(options.permissionMode),
    ...(options.approveMcps ? ['--approve-mcps'] : []),
    ...options.extraArgs,
    promptArgument(prompt),
  ]
}

/**
 * The prompt as the CLI's parser takes it for a prompt. One that starts with `-` would be an
 * option, and one bare word could name a subcommand (`logout`), even after `--`; a space in
 * front is neither.
 */
function promptArgument(prompt: string): string {
  return prompt.startsWith('-') || /^\S+$/.test(prompt) ? ` ${prompt}` : prompt
}

/**
 * @throws {CursorStartError} `prompt-rejected` for nothing but white space, and for a NUL
 * character, which no command line can hold.
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
 * @param argv program and arguments; the prompt is the last one.
 * @throws {CursorStartError} `prompt-rejected` when the platform cannot take it. Nothing is cut off.
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
 * An argument as Node puts it into a Windows command line (libuv's `quote_cmd_arg`): quoted only
 * when it must be, with backslashes doubled before a quote and at the end.
 */
export function quotedForWindows(argument: string): string {
  if (argument === '') return '""'
  if (!/[ \t"]/.test(argument)) return argument
  if (!/["\\]/.test(argument)) return `"${argument}"`
  return `"${argument.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`
}
