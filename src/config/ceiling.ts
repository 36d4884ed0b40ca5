/**
 * Keeps the user's settings within what the profile's row allows. They may narrow it, but never widen
 * it, because on hosts before 0.1.7 anything that reaches the loopback API or the file can change the
 * settings, the delegating model included. Imports nothing from Node, because the card uses it too.
 */

import { PERMISSION_MODES } from '../cursor/permission-modes.ts'
import type { RunOptions } from '../cursor/options.ts'
import type { Words } from '../words.ts'
import { FIELDS, type LiveField } from './fields.ts'

/** The fields of the row that limit the settings. */
export type Ceiling = Pick<RunOptions, 'permissionMode' | 'approveMcps'>

const WAY_OUT: Words = {
  en: "To allow it, change the plugin's row in the profile's cordis.patch.yml.",
  zh: '如需放开，请修改 profile 的 cordis.patch.yml 中本插件的条目。',
}

/**
 * @param value one that the field accepts.
 * @returns why the row does not allow `value`, and what to do; `undefined` if it does.
 */
export function notAllowed(row: Ceiling, field: LiveField, value: unknown): Words | undefined {
  if (field === 'permissionMode' && FIELDS.permissionMode.accepts(value)) {
    if (PERMISSION_MODES[value].reach <= PERMISSION_MODES[row.permissionMode].reach)
      return undefined
    return {
      en: `The profile's row allows at most permissionMode ${row.permissionMode}, and ${value} may do more. ${WAY_OUT.en}`,
      zh: `profile 中的配置最多允许 permissionMode ${row.permissionMode}，而 ${value} 的权限更大。${WAY_OUT.zh}`,
    }
  }
  if (field === 'approveMcps' && value === true && !row.approveMcps) {
    return {
      en: `The profile's row says approveMcps: false. ${WAY_OUT.en}`,
      zh: `profile 中的配置写明了 approveMcps: false。${WAY_OUT.zh}`,
    }
  }
  return undefined
}
