/** What deserves a word, once at load, about `extraArgs`. They are passed as they are all the same. */

import { PERMISSION_MODES } from './permission-modes.ts'
import type { RunOptions } from './options.ts'
import { wideningArgs } from './rights.ts'

/** Options that take away the stream or the one fresh chat that a run depends on. */
const BREAKING_OPTIONS = new Set([
  '--output-format',
  '--stream-partial-output',
  '-p',
  '--print',
  '--',
  '--resume',
])

/** @returns a sentence for each entry that breaks runs, and one for those that widen their rights. */
export function extraArgsNotes({
  extraArgs,
  permissionMode,
}: Pick<RunOptions, 'extraArgs' | 'permissionMode'>): string[] {
  const breaking = extraArgs.flatMap((entry, at) => {
    const [option = ''] = entry.split('=', 1)
    if (BREAKING_OPTIONS.has(option)) {
      return [`extraArgs: ${option} breaks the stream or the prompt that every run depends on`]
    }
    if (!entry.startsWith('-') && !/^-[^=]*$/.test(extraArgs[at - 1] ?? '')) {
      return [
        `extraArgs: entry ${at + 1} follows no option, so the CLI takes it for part of the prompt`,
      ]
    }
    return []
  })
  const widening = wideningArgs(extraArgs)
  if (widening.length === 0 || permissionMode === 'yolo') return breaking
  const means = PERMISSION_MODES[permissionMode].writes ? 'do more than its mode says' : 'write'
  return [
    ...breaking,
    `extraArgs: with ${widening.join(', ')} a run in permissionMode ${permissionMode} can ${means}`,
  ]
}
