// A person's hands and eyes on the host's page: writing to the agent, finding a delegation's row
// and card, stopping, opening the plugin's settings card, taking pictures. It asserts nothing.

import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { pictureFile } from './browser.ts'
import { callHost, type WebHost } from './web-host.ts'

// In the page; this program has no types of what a browser has.
interface PageElement {
  readonly parentElement: PageElement | null
  readonly style: { cssText: string }
  readonly children: Iterable<{ readonly scrollWidth: number; readonly clientWidth: number }>
  readonly scrollWidth: number
  readonly clientWidth: number
  getBoundingClientRect(): object
}
declare function requestAnimationFrame(callback: (time: number) => void): number

export type PageLanguage = 'en' | 'zh'

const LOCALES = { en: 'en-US', zh: 'zh-CN' } as const

/** The page's own words, as its dictionaries have them. */
const WORDS = {
  en: {
    settings: 'Settings',
    plugins: 'Plugins',
    stop: 'Stop generating',
    greeted: 'Continue',
    newSession: 'New session',
  },
  zh: {
    settings: '设置',
    plugins: '插件',
    stop: '停止生成',
    greeted: '继续',
    newSession: '新建会话',
  },
} as const

export const WIDE = { width: 1400, height: 900 } as const
export const NARROW = { width: 800, height: 900 } as const

export type RowState = 'running' | 'ok' | 'error' | 'stopped'

export class ChatPage {
  readonly page: Page
  /** Errors that the page has thrown or logged. */
  readonly errors: string[] = []
  readonly #context: BrowserContext
  readonly #words: (typeof WORDS)[PageLanguage]

  private constructor(context: BrowserContext, page: Page, language: PageLanguage) {
    this.#context = context
    this.page = page
    this.#words = WORDS[language]
    page.on('pageerror', (error) => this.errors.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') this.errors.push(message.text())
    })
  }

  /** Opens the host's page with its workspace chosen. */
  static async open(
    browser: Browser,
    host: WebHost,
    language: PageLanguage = 'en',
  ): Promise<ChatPage> {
    await callHost(host.url, 'workspace.create', { path: host.workspace })
    const context = await browser.newContext({
      viewport: WIDE,
      locale: LOCALES[language],
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const page = new ChatPage(context, await context.newPage(), language)
    // A fresh DSH_HOME greets with a notice that covers the page.
    const notice = page.page.getByRole('button', { name: page.#words.greeted, exact: true })
    await page.page.addLocatorHandler(notice, (button) => button.click())
    await page.page.goto(host.url)
    await page.composer.click()
    return page
  }

  /** Leaves whatever is open for a session of its own. */
  async newSession(): Promise<void> {
    if (await this.page.getByRole('dialog').isVisible()) await this.closeSettings()
    await this.page
      .getByRole('button', { name: this.#words.newSession, exact: true })
      .last()
      .click()
    await this.rows().first().waitFor({ state: 'detached' })
    this.errors.length = 0
  }

  get composer(): Locator {
    return this.page.locator('[contenteditable=true], textarea').first()
  }

  async send(text: string): Promise<void> {
    await this.composer.click()
    await this.page.keyboard.type(text)
    await this.page.keyboard.press('Enter')
  }

  /** The rows of delegations, optionally only those in one state, oldest first. */
  rows(state?: RowState): Locator {
    const suffix = state === undefined ? '' : `[data-state=${state}]`
    return this.page.locator(`[data-tool=subagent_cursor]${suffix}`)
  }

  /** Opens a row, when it is closed. */
  async open(row: Locator): Promise<Locator> {
    const head = row.getByRole('button').first()
    if ((await head.getAttribute('aria-expanded')) !== 'true') await head.click()
    return row
  }

  /** Whether nothing in an element has to be scrolled sideways. */
  fitsSideways(element: Locator): Promise<boolean> {
    return element.evaluate((outer) => {
      const { children, scrollWidth, clientWidth } = outer as unknown as PageElement
      const parts = [{ scrollWidth, clientWidth }, ...children]
      return parts.every((part) => part.scrollWidth <= part.clientWidth)
    })
  }

  clipboard(): Promise<string> {
    return this.page.evaluate('navigator.clipboard.readText()')
  }

  async stop(): Promise<void> {
    await this.page.getByRole('button', { name: this.#words.stop }).click()
  }

  /** Opens Settings → Plugins and there the plugin's card; returns the card. */
  async openSettingsCard(namespace = 'subagent-cursor'): Promise<Locator> {
    await this.page.getByRole('button', { name: this.#words.settings, exact: true }).click()
    await this.page.getByRole('button', { name: this.#words.plugins, exact: true }).click()
    const card = this.page.locator(`[data-namespace=${namespace}]`)
    await card.getByRole('button').first().click()
    return card
  }

  async closeSettings(): Promise<void> {
    await this.page.keyboard.press('Escape')
    await this.page.getByRole('dialog').waitFor({ state: 'detached' })
  }

  /** Gives the page a size and waits until its panels have come to rest. */
  async resize(size: { readonly width: number; readonly height: number }): Promise<void> {
    await this.page.setViewportSize(size)
    await this.composer.evaluate(async (element) => {
      const place = (): string => {
        const page = element as unknown as PageElement
        return JSON.stringify(page.getBoundingClientRect())
      }
      let last = place()
      for (let still = 0; still < 10;) {
        await new Promise((resolve) => requestAnimationFrame(resolve))
        still = place() === last ? still + 1 : 0
        last = place()
      }
    })
  }

  /** Takes pictures at both widths and in both themes, for people to look at. */
  async pictures(name: string): Promise<void> {
    for (const size of [NARROW, WIDE]) {
      await this.resize(size)
      for (const colorScheme of ['dark', 'light'] as const) {
        await this.page.emulateMedia({ colorScheme })
        const path = await pictureFile(`${name}-${size.width}-${colorScheme}`)
        await this.page.screenshot({ path, animations: 'disabled' })
      }
    }
  }

  /** A picture of one element as a whole, without what the page scrolls away or lays over it. */
  async wholePicture(element: Locator): Promise<Buffer> {
    await element.evaluate((start) => {
      for (let each = (start as unknown as PageElement).parentElement; each;) {
        each.style.cssText += '; overflow: visible; max-height: none; height: auto'
        each = each.parentElement
      }
    })
    return element.screenshot({ animations: 'disabled' })
  }

  /** A picture of the part of the page from one element to another, with a margin in px. */
  async pictureOfPart(first: Locator, last: Locator, margin: number): Promise<Buffer> {
    const [top, bottom] = [await first.boundingBox(), await last.boundingBox()]
    if (top === null || bottom === null) throw new Error('one of the elements is not visible')
    await this.page.mouse.move(0, 0)
    return this.page.screenshot({
      animations: 'disabled',
      clip: {
        x: top.x - margin,
        y: top.y - margin,
        width: top.width + 2 * margin,
        height: bottom.y + bottom.height - top.y + 2 * margin,
      },
    })
  }

  async close(): Promise<void> {
    await this.#context.close()
  }
}
