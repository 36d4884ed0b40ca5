// Debian's Chromium under playwright-core, one for all tests of a process, and where pictures go.
// What a page must show is the tests' business.

import assert from 'node:assert/strict'
import { access, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser } from 'playwright-core'

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

let browser: Promise<Browser> | undefined
after(async () => (await browser)?.close())

/** The browser; started once, and closed when the tests are over. `CHROMIUM` names another one. */
export function theBrowser(): Promise<Browser> {
  browser ??= launch()
  return browser
}

async function launch(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
  await access(executablePath).catch(() =>
    assert.fail(`no browser at ${executablePath}: run \`pnpm test:web\`, or set CHROMIUM`),
  )
  return chromium.launch({ executablePath, args: FLAGS })
}

/** The file for a picture of this run, for people; git ignores it. Its directory exists then. */
export async function pictureFile(name: string): Promise<string> {
  const directory = fileURLToPath(new URL('../../../.artefacts/web/', import.meta.url))
  await mkdir(directory, { recursive: true })
  return join(directory, `${name}.png`)
}
