// Debian's Chromium under playwright-core, for all tests of the page: starting it, and where its
// pictures go. What a page must show is the tests' business.

import assert from 'node:assert/strict'
import { access, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser } from 'playwright-core'

/** Pictures of the last run, for people; git ignores them. */
export const ARTEFACTS = fileURLToPath(new URL('../../../.artefacts/web/', import.meta.url))

// Without the last five, Chromium keeps calling home, which a closed network refuses.
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Starts the browser; the caller closes it. `CHROMIUM` names another one than Debian's. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
  await access(executablePath).catch(() =>
    assert.fail(`no browser at ${executablePath}: apt-get install chromium, or set CHROMIUM`),
  )
  return chromium.launch({ executablePath, args: FLAGS })
}

/** The file for a picture; its directory exists then. */
export async function pictureFile(name: string): Promise<string> {
  await mkdir(ARTEFACTS, { recursive: true })
  return join(ARTEFACTS, `${name}.png`)
}
