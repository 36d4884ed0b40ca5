/** This package's name and version. */

import { readFileSync } from 'node:fs'

export const PACKAGE_NAME = 'dsh-subagent-cursor'

export function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
