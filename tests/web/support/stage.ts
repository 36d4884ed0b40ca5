// What most tests of the page stand on: one web host and one page in each language for a whole
// process, since starting them takes longer than most tests. Each test gets a new session, the
// standard row and no settings of the user's; a test that failed takes its host with it.

import { after, type TestContext } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { theBrowser } from './browser.ts'
import { ChatPage, type PageLanguage } from './chat-page.ts'
import { startWebHost, type WebHost } from './web-host.ts'

/** The configuration of the plugin's row at the start of each test. */
export const ROW = { permissionMode: 'trust', model: 'gpt-5', timeoutMs: 600_000 } as const

export interface Stage {
  readonly host: WebHost
  readonly page: ChatPage
}

let started: WebHost | undefined
const pages = new Map<PageLanguage, ChatPage>()

after(strike)

async function strike(): Promise<void> {
  for (const page of pages.values()) await page.close()
  pages.clear()
  await started?.dispose()
  started = undefined
}

/** @param config the row for this test. */
export async function stageHost(t: TestContext, config: object = ROW): Promise<WebHost> {
  t.after(async () => {
    // In Node since 21.7, and not yet in its types.
    if (!(t as TestContext & { readonly passed: boolean }).passed) await strike()
  })
  started ??= await startWebHost({ config: ROW })
  const host = started
  host.script()
  await host.resetSettings()
  if (!isDeepStrictEqual(host.row, config)) await host.reconfigure({ ...config })
  return host
}

export async function stage(
  t: TestContext,
  { language = 'en', config }: { language?: PageLanguage; config?: object } = {},
): Promise<Stage> {
  const host = await stageHost(t, config)
  let page = pages.get(language)
  if (page === undefined) {
    page = await ChatPage.open(await theBrowser(), host, language)
    pages.set(language, page)
  } else await page.newSession()
  return { host, page }
}
