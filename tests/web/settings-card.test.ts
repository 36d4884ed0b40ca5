// The plugin's card under Settings, Plugins, in a real browser: what it says in both languages,
// that a saved field reaches the next command line and no run in flight, and that a bad value is
// refused with the words of the load check.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Browser, Locator } from 'playwright-core'
import type { ToolUse } from '../support/model-server.ts'
import { fileText, until } from '../support/processes.ts'
import { launchBrowser } from './support/browser.ts'
import { ChatPage, type PageLanguage } from './support/chat-page.ts'
import { startWebHost, type WebHost, type WebHostOptions } from './support/web-host.ts'

const TEXTS = {
  en: {
    title: 'Cursor subagent',
    parts: ['Status', 'Model', 'Permission mode', 'MCP servers', 'Limits (ms)'],
    plan: 'Read-only: makes a plan.',
    install: /2026\.10\.22-27dcf5f in ~\//,
    saved: 'Saved. The next delegation uses it.',
    check: 'Check again',
    probe: 'Test run',
    probed: /Passed in \d/,
    save: 'Save',
  },
  zh: {
    title: 'Cursor 子代理',
    parts: ['状态', '模型', '权限模式', 'MCP 服务器', '限制（毫秒）'],
    plan: '只读，给出方案。',
    install: /2026\.10\.22-27dcf5f，位于 ~\//,
    saved: '已保存，下一次委派生效。',
    check: '重新检查',
    probe: '试运行',
    probed: /成功，用时 \d/,
    save: '保存',
  },
} as const

function delegate(prompt: string): ToolUse {
  return { tool: 'subagent_cursor', args: { description: 'A small task', prompt } }
}

/** Saves, and returns what the card says about it. */
async function save(card: Locator): Promise<string> {
  await card.getByRole('button', { name: 'Save', exact: true }).click()
  return card.locator('.dsh-cursor-foot [role=status]').innerText()
}

describe('the settings card in the web page', () => {
  let browser: Browser
  let host: WebHost
  let page: ChatPage

  before(async () => {
    browser = await launchBrowser()
  })
  after(async () => {
    await browser?.close()
  })
  afterEach(async () => {
    await page?.close()
    await host?.dispose()
  })

  async function open(options: WebHostOptions = {}, language: PageLanguage = 'en') {
    host = await startWebHost(options)
    page = await ChatPage.open(browser, host, language)
  }

  /** Lets the parent delegate once more and returns the arguments that reached the CLI. */
  async function nextCommandLine(prompt = 'Do the next task.'): Promise<readonly string[]> {
    const known = (await host.starts()).length
    host.script(delegate(prompt), { text: 'Done.' })
    await page.send('Next')
    const runs = await until(
      async () => {
        const starts = (await host.starts()).slice(known).filter(({ action }) => action === 'run')
        return starts.length > 0 && starts
      },
      { what: 'the CLI is started' },
    )
    return runs[0]?.argv ?? []
  }

  for (const language of ['en', 'zh'] as const) {
    it(`shows state, modes and fields, and checks again, in ${language}`, async () => {
      const texts = TEXTS[language]
      await open({}, language)
      const card = await page.openSettingsCard()
      await card.locator('[data-check=install][data-state=ok]').waitFor()
      const text = await card.innerText()
      for (const words of [texts.title, ...texts.parts, texts.plan]) {
        assert.ok(text.includes(words), `the card says ${words}`)
      }
      assert.match(text, texts.install)
      await page.picture(`settings-${language}`)
      await card.locator('[data-field=permissionMode]').scrollIntoViewIfNeeded()
      await page.picture(`settings-${language}-fields`)

      await host.home.cleanup()
      await card.getByRole('button', { name: texts.check }).click()
      await card.locator('[data-check=install][data-state=failed]').waitFor()
      assert.match(await card.locator('[data-check=install]').innerText(), /cursor\.com\/cli/)
      assert.deepEqual(page.errors, [])
    })
  }

  it('runs the probe when asked, and only then', async () => {
    await open()
    const card = await page.openSettingsCard()
    await card.locator('[data-check=install][data-state=ok]').waitFor()
    assert.equal(await card.locator('[data-check=probed]').count(), 0)
    await card.getByRole('button', { name: TEXTS.en.probe }).click()
    await card.locator('[data-check=probed][data-state=ok]').waitFor()
    assert.match(await card.locator('[data-check=probed]').innerText(), TEXTS.en.probed)
  })

  it('puts a saved field on the next command line, without a restart', async () => {
    await open({ config: { permissionMode: 'trust', model: 'auto' } })
    assert.ok(!(await nextCommandLine()).includes('--mode'))
    await page.page.getByText('Done.').waitFor()

    const card = await page.openSettingsCard()
    await card.getByRole('searchbox').fill('gpt-5')
    await card.getByRole('radio', { name: 'gpt-5', exact: false }).first().check()
    await card.getByRole('radio', { name: 'plan', exact: false }).check()
    await card.getByRole('checkbox').uncheck()
    assert.equal(await save(card), TEXTS.en.saved)
    await page.closeSettings()

    const argv = await nextCommandLine()
    assert.deepEqual(argv.slice(0, -1), [
      '-p',
      '--output-format',
      'stream-json',
      '--trust',
      '--model',
      'gpt-5',
      '--mode',
      'plan',
    ])
    const stored = await readFile(join(host.dshHome, 'settings.yaml'), 'utf8')
    assert.match(stored, /subagent-cursor:\n(?: {2}\S.*\n)* {2}permissionMode: plan\n/)
  })

  it('takes away what the row sets, and gives it back', async () => {
    await open({ config: { model: 'auto', timeoutMs: 600_000 } })
    let card = await page.openSettingsCard()
    await card.getByRole('radio', { name: 'Account default', exact: true }).check()
    await save(card)
    await page.closeSettings()
    assert.ok(!(await nextCommandLine()).includes('--model'))
    await page.page.getByText('Done.').first().waitFor()

    card = await page.openSettingsCard()
    await card.locator('[data-field=model]').getByText("Back to the profile's value").click()
    await save(card)
    await page.closeSettings()
    assert.ok((await nextCommandLine()).includes('--model'))
  })

  it('refuses a bad value with the words of the check at load, and stores nothing', async () => {
    await open()
    const card = await page.openSettingsCard()
    await card.locator('input[name=timeoutMs]').fill('soon')
    assert.match(
      await save(card),
      /config field `timeoutMs` is "soon"; allowed: a number of milliseconds above 0/,
    )
    await page.picture('settings-refused')
    const stored = await readFile(join(host.dshHome, 'settings.yaml'), 'utf8')
    assert.doesNotMatch(stored, /subagent-cursor/)
  })

  it('leaves a run in flight as it is', async () => {
    const result = JSON.stringify({ type: 'result', subtype: 'success', result: 'Long answer.' })
    await open({
      cases: { long: { readyFile: '<ready>', waitForFile: '<go>', stdout: [result], exit: 0 } },
    })
    host.script(delegate('Do case:long a long task.'), { text: 'All done.' })
    await page.send('Start')
    await page.rows('running').waitFor()
    await fileText(host.file('ready'))

    const card = await page.openSettingsCard()
    await card.getByRole('radio', { name: 'ask', exact: false }).check()
    assert.equal(await save(card), TEXTS.en.saved)
    await page.closeSettings()
    assert.equal(await page.rows('running').count(), 1)
    await host.touch('go')
    await page.page.getByText('All done.').waitFor()
    const text = await (await page.openCard(page.rows('ok'))).innerText()
    assert.match(text, /mode trust/)
    assert.match(text, /Long answer\./)
  })

  it('shows the card for a stored section that is not valid, and delegations say why', async () => {
    await open({ settings: { 'subagent-cursor': { permissionMode: 'readonly' } } })
    host.script(delegate('Do it.'), { text: 'It was refused.' })
    await page.send('Do it')
    const row = page.rows('error')
    await row.waitFor()
    assert.match(await row.innerText(), /config field `permissionMode` is "readonly"/)
    assert.deepEqual(await host.starts(), [])

    const card = await page.openSettingsCard()
    await card.getByRole('radio', { name: 'ask', exact: false }).check()
    assert.equal(await save(card), TEXTS.en.saved)
    await page.closeSettings()
    assert.deepEqual((await nextCommandLine()).slice(4, 6), ['--mode', 'ask'])
  })
})
