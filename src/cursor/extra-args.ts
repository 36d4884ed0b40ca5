/**
 * Finds mistakes in `extraArgs`. The plugin logs them at load and the self-check reports them, but
 * the arguments are passed on unchanged.
 */

import { VALUED } from './command-line.ts'
import { optionsOf, PERMISSION_MODES } from './permission-modes.ts'
import type { RunOptions } from './options.ts'
import { wideningArgs } from './rights.ts'

/**
 * `fatal`: no run can work. `breaking`: the option changes the stream format or resumes an old chat.
 * `stray`: a value without an option before it. `widening`: a run can do more than its mode says.
 */
export type ExtraArgsFault =
  | { readonly kind: 'fatal' | 'breaking'; readonly option: string }
  | { readonly kind: 'stray'; readonly position: number }
  | { readonly kind: 'widening'; readonly options: readonly string[] }

const BREAKING_OPTIONS = new Set([
  '--output-format',
  '--stream-partial-output',
  '-p',
  '--print',
  '--',
  '--resume',
])
/** The CLI prints something else and exits. */
const ENDING_OPTIONS = new Set(['--help', '-h', '--version', '-v', '--list-models'])
/** These take the next argument as their value; as the last entry they would take the prompt. */
const VALUED_OPTIONS = new Set([
  ...Object.values(PERMISSION_MODES)
    .flatMap(optionsOf)
    .flatMap(([option, value]) => (value === undefined ? [] : [option])),
  ...Object.values(VALUED),
  '--resume',
  '--api-key',
  '-H',
  '--header',
  '--workspace',
  '--background-shell-timeout',
])

type Options = Pick<RunOptions, 'extraArgs' | 'permissionMode'>

export function extraArgsFaults({ extraArgs, permissionMode }: Options): ExtraArgsFault[] {
  const faults = extraArgs.flatMap((entry, at): ExtraArgsFault[] => {
    const [option = '', value = extraArgs[at + 1]] = entry.split('=', 2)
    const isFormat = option === '--output-format' && value !== 'stream-json'
    const takesPrompt = at === extraArgs.length - 1 && VALUED_OPTIONS.has(entry)
    if (isFormat || takesPrompt || ENDING_OPTIONS.has(option)) return [{ kind: 'fatal', option }]
    if (BREAKING_OPTIONS.has(option)) return [{ kind: 'breaking', option }]
    const followsOption = /^-[^=]*$/.test(extraArgs[at - 1] ?? '')
    return entry.startsWith('-') || followsOption ? [] : [{ kind: 'stray', position: at + 1 }]
  })
  const options = wideningArgs(extraArgs)
  return options.length === 0 || 'unbounded' in PERMISSION_MODES[permissionMode]
    ? faults
    : [...faults, { kind: 'widening', options }]
}

export function extraArgsNotes(run: Options): string[] {
  const { permissionMode } = run
  return extraArgsFaults(run).map((fault) => {
    switch (fault.kind) {
      case 'fatal':
      case 'breaking':
        return `extraArgs: ${fault.option} breaks the stream or the prompt that every run depends on`
      case 'stray':
        return `extraArgs: entry ${fault.position} follows no option, so the CLI takes it for part of the prompt`
      case 'widening': {
        const more = PERMISSION_MODES[permissionMode].writes
          ? 'do more than its mode says'
          : 'write'
        return `extraArgs: with ${fault.options.join(', ')} a run in permissionMode ${permissionMode} can ${more}`
      }
    }
  })
}
