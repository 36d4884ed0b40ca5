/** How the self-check is started from a terminal, for this profile: failure texts name it. */

import { fileURLToPath } from 'node:url'
import path from 'node:path'
import type { Context } from '@deepseek-ai/cordis'

/** On nobody's PATH by itself, but right where the package is installed globally. */
const BARE = 'dsh-subagent-cursor doctor'

/** @returns the command as it can be typed; the profile is known from where the host composes it. */
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
