/** Builds the command that starts the self-check for this profile; failure texts name it. */

import { fileURLToPath } from 'node:url'
import path from 'node:path'
import type { Context } from '@deepseek-ai/cordis'

/** Only on PATH if the package is installed globally. */
const BARE = 'dsh-subagent-cursor doctor'

/** @returns the command to type. The profile's name is part of the directory that the host loads from. */
export function selfCheckCommand({ baseUrl }: Context): string {
  try {
    const directory = fileURLToPath(baseUrl ?? '')
    const [profiles, name] = [path.basename(path.dirname(directory)), path.basename(directory)]
    return profiles === 'profiles' && /^[\w.-]+$/.test(name)
      ? `dsh plugin --profile ${name} exec ${BARE}`
      : BARE
  } catch {
    return BARE
  }
}
