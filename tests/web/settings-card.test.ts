// The plugin's card under Settings, Plugins, in a real browser: what it says in both languages,
// that its buttons run the self-check, that a saved field reaches the next command line and no run
// in flight, and that a bad value is refused with the words of the load check.

import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { Locator } from 'playwright-core'
import { parse } from 'yaml'
import type { ToolUse } from '../support/model-server.ts'
import { fileText, isAlive, until } from '../support/processes.ts'
import { theBrowser } from './support/browser.ts'
import { ChatPage } from './support/chat-page.ts'
import { ROW, stage, type Stage } from './support/stage.ts'
import { startWebHost } from './support/web-host.ts'

const TEXTS = {
  en: {
    title: 'Cursor subagent',
    parts: ['Status', 'Model', 'Permission mode', 'MCP servers', 'Time limits (ms)'],
    plan: 'Read-only: makes a plan.',
    check: 'Check again',
    loggedOut: 'Not logged in, or the key was rejected. Run cursor-agent login',
    noModel: 'The configured gpt-9 is not among the 2 models of the account.',
    notFound: 'The Cursor CLI was not found. Install it as cursor.com/cli says',
    notChecked: 'Not checked',
  },
  zh: {
    title: 'Cursor 子代理',
    parts: ['状态', '模型', '权限模式', 'MCP 服务器', '时限（毫秒）'],
    plan: '只读，给出方案。',
    check: '重新检查',
    loggedOut: '未登录，或密钥被拒绝。请在终端运行 cursor-agent login',
    noModel: '账户的 2 个模型里没有所配置的 gpt-9。',
    notFound: '没有找到 Cursor CLI。请按 cursor.com/cli 安装',
    notChecked: '未检查',
  },
} as const

// In the page; this program has no types of what a browser has.
interface Scrollable {
  scrollIntoView(options: { readonly block: 'end' }): void
}

const SAVED = 'Saved. The next delegation uses it.'

function delegate(prompt: string): ToolUse {
  return { tool: 'subagent_cursor', args: { description: 'A small task', prompt } }
}

const check = (card: Locator, name: string, state?: string): Locator =>
  card.locator(`[data-check=${name}]${state === undefined ? '' : `[data-state=${state}]`}`)

/** Saves, and returns what the card says about it. */
async function save(card: Locator): Promise<string> {
  await card.getByRole('button', { name: 'Save', exact: true }).click()
  const note = card.locator('.dsh-cursor-foot [role=status]')
  return until(async () => (await note.innerText()) || undefined, { what: 'the card answers' })
}

let answers = 0

/** Lets the parent delegate once more and returns the arguments that reached the CLI. */
async function nextCommandLine({ host, page }: Stage): Promise<readonly string[]> {
  const known = (await host.starts()).length
  const answer = `Answer number ${++answers}.`
  host.script(delegate('Do the next task.'), { text: answer })
  await page.send('Next')
  await page.page.getByText(answer).waitFor()
  const runs = (await host.starts()).slice(known).filter(({ action }) => action === 'run')
  assert.equal(runs.length, 1)
  return runs[0]?.argv ?? []
}

describe('the settings card in the web page', () => {
  for (const language of ['en', 'zh'] as const) {
    it(`tells in ${language} what is there, and what is wrong and what to do`, async (t) => {
      const texts = TEXTS[language]
      const { host, page } = await stage(t, { language })
      const card = await page.openSettingsCard()
      await check(card, 'models', 'ok').waitFor()
      const text = await card.innerText()
      for (const words of [texts.title, ...texts.parts, texts.plan]) {
        assert.ok(text.includes(words), `the card says ${words}`)
      }
      const install = await check(card, 'install', 'ok').innerText()
      assert.match(
        install,
        /2026\.10\.22-27dcf5f\s+~\/\.local\/share\/cursor-agent\/versions\/2026\.10\.22-27dcf5f/,
      )
      await page.picture(`settings-${language}`)

      await host.reconfigure({
        ...ROW,
        model: 'gpt-9',
        env: { STANDIN_STATUS: 'Not logged in' },
      })
      await card.getByRole('button', { name: texts.check }).click()
      await check(card, 'login', 'failed').waitFor()
      assert.ok((await check(card, 'login').innerText()).includes(texts.loggedOut))
      assert.ok((await check(card, 'models').innerText()).includes(texts.noModel))

      await host.withoutCli(async () => {
        await card.getByRole('button', { name: texts.check }).click()
        await check(card, 'install', 'failed').waitFor()
      })
      assert.ok((await check(card, 'install').innerText()).includes(texts.notFound))
      assert.ok((await check(card, 'login').innerText()).includes(texts.notChecked))
      await page.picture(`settings-${language}-failed`)
      assert.deepEqual(page.errors, [])
    })
  }

  it('makes a test run when asked, and only then, with the settings in force', async (t) => {
    const { host, page } = await stage(t)
    const known = (await host.starts()).length
    const card = await page.openSettingsCard()
    await check(card, 'models', 'ok').waitFor()
    assert.equal(await check(card, 'probed').count(), 0)
    await card.getByRole('radio', { name: 'ask', exact: false }).check()
    assert.equal(await save(card), SAVED)
    assert.deepEqual(
      (await host.starts()).slice(known).filter(({ action }) => action === 'run'),
      [],
    )

    await card.getByRole('button', { name: 'Test run' }).click()
    await check(card, 'probed', 'ok').waitFor()
    assert.match(
      await check(card, 'probed').innerText(),
      /Passed in \d+\.\d s \(first event after \d+\.\d s\)/,
    )
    const runs = (await host.starts()).slice(known).filter(({ action }) => action === 'run')
    assert.deepEqual(
      runs.map(({ argv }) => argv),
      [
        [
          '-p',
          '--output-format',
          'stream-json',
          '--trust',
          '--model',
          'gpt-5',
          '--mode',
          'ask',
          '--approve-mcps',
          'Reply with exactly: PONG',
        ],
      ],
    )
    assert.notEqual(runs[0]?.cwd, host.workspace, 'it runs in an empty directory of its own')
  })

  for (const how of ['the Cancel button', 'closing the settings'] as const) {
    it(`stops a test run by ${how}, and its process is gone`, async (t) => {
      const { host, page } = await stage(t)
      const name = `probe-${how.length}`
      const file = host.file(`${name}.json`)
      await writeFile(file, JSON.stringify({ readyFile: host.file(name), hang: true }))
      await host.reconfigure({ ...ROW, env: { STANDIN_CASE: file } })
      const card = await page.openSettingsCard()
      await check(card, 'models', 'ok').waitFor()
      await card.getByRole('button', { name: 'Test run' }).click()
      const pid = Number(await fileText(host.file(name)))
      assert.ok(isAlive(pid))
      if (how === 'closing the settings') await page.closeSettings()
      else await card.getByRole('button', { name: 'Cancel' }).click()
      await until(() => !isAlive(pid), { what: 'the CLI is gone' })
      if (how === 'the Cancel button') {
        await card.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'detached' })
        assert.equal(await check(card, 'models', 'ok').count(), 1, 'the last report stays')
      }
    })
  }

  it('puts a saved field on the next command line, without a restart', async (t) => {
    const on = await stage(t)
    const { host, page } = on
    assert.ok(!(await nextCommandLine(on)).includes('--mode'))

    const card = await page.openSettingsCard()
    await check(card, 'models', 'ok').waitFor()
    await card.getByRole('searchbox').fill('auto')
    await card.getByRole('radio', { name: 'auto', exact: false }).check()
    await card.getByRole('radio', { name: 'plan', exact: false }).check()
    await card.getByRole('checkbox').uncheck()
    assert.equal(await save(card), SAVED)
    await page.closeSettings()

    const argv = await nextCommandLine(on)
    assert.deepEqual(argv.slice(0, -1), [
      '-p',
      '--output-format',
      'stream-json',
      '--trust',
      '--model',
      'auto',
      '--mode',
      'plan',
    ])
    const stored = parse(await readFile(join(host.dshHome, 'settings.yaml'), 'utf8')) as object
    assert.deepEqual(Object.entries(stored).find(([name]) => name === 'subagent-cursor')?.[1], {
      model: 'auto',
      permissionMode: 'plan',
      approveMcps: false,
    })
  })

  it('takes away what the row sets, and gives it back', async (t) => {
    const on = await stage(t)
    let card = await on.page.openSettingsCard()
    await card.getByRole('radio', { name: 'Not set (Cursor decides)' }).check()
    assert.equal(await save(card), SAVED)
    await on.page.closeSettings()
    assert.ok(!(await nextCommandLine(on)).includes('--model'))

    card = await on.page.openSettingsCard()
    await card.locator('[data-field=model]').getByText("Back to the profile's value").click()
    assert.equal(await save(card), SAVED)
    await on.page.closeSettings()
    assert.ok((await nextCommandLine(on)).includes('--model'))
  })

  it('refuses a bad value with the words of the check at load, and stores nothing', async (t) => {
    const { host, page } = await stage(t)
    const card = await page.openSettingsCard()
    const limit = card.getByLabel('Silence')
    await limit.fill('soon')
    // At the bottom of the panel, where the buttons are.
    await limit.evaluate((element) =>
      (element as unknown as Scrollable).scrollIntoView({ block: 'end' }),
    )
    assert.match(
      await save(card),
      /config field `stallTimeoutMs` is "soon"; allowed: a number of milliseconds above 0/,
    )
    assert.equal(await limit.getAttribute('aria-invalid'), 'true')
    assert.equal(
      await limit.and(page.page.locator(':focus')).count(),
      1,
      'it is ready to be mended',
    )
    assert.equal(await card.getByLabel('One run').getAttribute('aria-invalid'), 'false')
    const [field, foot] = [
      await limit.boundingBox(),
      await card.locator('.dsh-cursor-foot').boundingBox(),
    ]
    assert.ok(field && foot && field.y + field.height <= foot.y, 'the buttons do not cover it')
    await page.picture('settings-refused')
    const stored = await readFile(join(host.dshHome, 'settings.yaml'), 'utf8')
    assert.doesNotMatch(stored, /stallTimeoutMs/)
    await card.getByRole('button', { name: 'Discard' }).click()
    assert.equal(await limit.inputValue(), '')
  })

  it("follows the profile's row while it is open, and saves over nothing that it has not shown", async (t) => {
    const on = await stage(t)
    const { host, page } = on
    const card = await page.openSettingsCard()
    const mode = (name: string): Locator => card.getByRole('radio', { name, exact: false })
    await mode('plan').check()
    assert.equal(await save(card), SAVED)
    await card.getByRole('checkbox').uncheck()
    await host.reconfigure({ ...ROW, approveMcps: true, timeoutMs: 5000 })
    assert.match(await save(card), /^The settings were changed elsewhere/)
    assert.equal(await card.getByLabel('One run').inputValue(), '5000')
    assert.ok(!(await card.getByRole('checkbox').isChecked()), 'the draft is kept')
    await card.getByRole('button', { name: 'Save', exact: true }).click()
    await card.getByText(SAVED).waitFor()
    await page.closeSettings()
    assert.ok(!(await nextCommandLine(on)).includes('--approve-mcps'))

    await host.reconfigure({ ...ROW, timeoutMs: 7000 })
    await page.openSettingsCard()
    await until(async () => (await card.getByLabel('One run').inputValue()) === '7000', {
      what: "the card shows the row's new value",
    })
  })

  it('is worked by the keyboard alone, which never loses its place', async (t) => {
    const on = await stage(t)
    const { page } = on
    const card = await page.openSettingsCard()
    await check(card, 'models', 'ok').waitFor()
    const isFocused = async (control: Locator): Promise<boolean> =>
      (await control.and(page.page.locator(':focus')).count()) === 1
    const tabTo = async (control: Locator): Promise<void> => {
      for (let presses = 0; !(await isFocused(control)); presses++) {
        assert.ok(presses < 20, 'the Tab key comes to it')
        await page.page.keyboard.press('Tab')
      }
    }

    // Closed and opened again: the key that opens it leaves the focus on it.
    const head = card.getByRole('button', { name: 'Cursor subagent' })
    for (const expanded of ['false', 'true']) {
      await page.page.keyboard.press('Enter')
      assert.equal(await head.getAttribute('aria-expanded'), expanded)
      assert.ok(await isFocused(head))
    }
    await tabTo(card.getByRole('radio', { name: 'trust', exact: false }))
    for (let presses = 0; presses < 4; presses++) await page.page.keyboard.press('ArrowDown')
    assert.ok(await card.getByRole('radio', { name: 'ask', exact: false }).isChecked())
    const button = card.getByRole('button', { name: 'Save', exact: true })
    await tabTo(button)
    await page.page.keyboard.press('Enter')
    await card.getByText(SAVED).waitFor()
    assert.ok(await isFocused(button), 'the focus stays on the button that has nothing to do now')
    assert.equal(await button.getAttribute('aria-disabled'), 'true')
    await page.closeSettings()
    assert.deepEqual((await nextCommandLine(on)).slice(6, 8), ['--mode', 'ask'])
  })

  it('leaves a run in flight as it is', async (t) => {
    const { host, page } = await stage(t)
    const result = JSON.stringify({ type: 'result', subtype: 'success', result: 'Long answer.' })
    await host.addCase('long', {
      readyFile: '<long>',
      waitForFile: '<long-end>',
      stdout: [result],
      exit: 0,
    })
    host.script(delegate('Do case:long a long task.'), { text: 'All done.' })
    await page.send('Start')
    await page.rows('running').waitFor()
    await fileText(host.file('long'))

    const card = await page.openSettingsCard()
    await card.getByRole('radio', { name: 'ask', exact: false }).check()
    assert.equal(await save(card), SAVED)
    await page.closeSettings()
    assert.equal(await page.rows('running').count(), 1)
    await host.touch('long-end')
    await page.page.getByText('All done.').waitFor()
    const text = await (await page.openCard(page.rows('ok'))).innerText()
    assert.match(text, /mode trust/)
    assert.match(text, /Long answer\./)
  })

  it('shows the card for a stored section that is not valid, and delegations say why', async (t) => {
    const host = await startWebHost({
      config: ROW,
      settings: { 'subagent-cursor': { permissionMode: 'readonly' } },
    })
    t.after(() => host.dispose())
    const page = await ChatPage.open(await theBrowser(), host)
    t.after(() => page.close())

    host.script(delegate('Do it.'), { text: 'It was refused.' })
    await page.send('Do it')
    const row = page.rows('error')
    await row.waitFor()
    assert.match(await row.innerText(), /config field `permissionMode` is "readonly"/)
    assert.deepEqual(await host.starts(), [])
    await page.page.getByText('It was refused.').waitFor()

    const card = await page.openSettingsCard()
    await card.getByRole('radio', { name: 'ask', exact: false }).check()
    assert.equal(await save(card), SAVED)
    await page.closeSettings()
    assert.deepEqual((await nextCommandLine({ host, page })).slice(6, 8), ['--mode', 'ask'])
  })
})
