/** Which language the user reads, by the system's locale. */

import { environmentValue } from '../cursor/system.ts'
import type { Language } from '../words.ts'

/** In the order in which POSIX asks them; the first that is set decides. */
const LOCALE_VARIABLES = ['LC_ALL', 'LC_MESSAGES', 'LANG']

/** @param systemLocale what Windows is set to; elsewhere the environment alone counts. */
export function languageOf(
  platform: NodeJS.Platform,
  env: Readonly<NodeJS.ProcessEnv>,
  systemLocale: string,
): Language {
  const set = LOCALE_VARIABLES.map((name) => environmentValue(platform, env, name)).find(Boolean)
  const locale = set ?? (platform === 'win32' ? systemLocale : '')
  return /^zh\b/i.test(locale.replaceAll('_', '-')) ? 'zh' : 'en'
}
