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
    parts: ['Status', 'Model', 'Permission mode', 'MCP servers', 'Time limits'],
    plan: 'Read-only: explores and plans',
    check: 'Check again',
    probe: 'Test run',
    loggedOut: 'cursor-agent login',
    noModel: 'gpt-9',
    proxy: /Proxy\s+HTTPS_PROXY is no URL.*Correct it in the environment of DSH/,
    copy: 'Copy the command curl https://cursor.com/install -fsS | bash',
    places: 'Where it was looked for',
    notChecked: 'Not checked',
    forbidden: /allows at most permissionMode trust, and yolo may do more\..*cordis\.patch\.yml/,
  },
  zh: {
    title: 'Cursor 子智能体',
    parts: ['状态', '模型', '权限模式', 'MCP 服务器', '时限'],
    plan: '只读：查看代码并给出方案',
    check: '重新检查',
    probe: '试运行',
    loggedOut: 'cursor-agent login',
    noModel: 'gpt-9',
    proxy: /代理\s+HTTPS_PROXY 不是.*请在 DSH 的环境变量中改正/,
    copy: '复制命令 curl https://cursor.com/install -fsS | bash',
    places: '找过的位置',
    notChecked: '未检查',
    forbidden: /最多允许 permissionMode trust，而 yolo 的权限更大。.*cordis\.patch\.yml/,
  },
} as const

const SAVED = 'Saved. The next delegation uses it.'

function delegate(prompt: string): ToolUse {
  return { tool: 'subagent_cursor', args: { description: 'A small task', prompt } }
}

const check = (card: Locator, name: string, state?: string): Locator =>
  card.locator(`[data-check=${name}]${state === undefined ? '' : `[data-state=${state}]`}`)

const mode = (card: Locator, name: string): Locator => card.locator(`[type=radio][value=${name}]`)

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
      await check(card, 'models', 'passed').waitFor()
      const text = await card.innerText()
      for (const words of [texts.title, ...texts.parts, texts.plan]) {
        assert.ok(text.includes(words), `the card says ${words}`)
      }
      assert.match(
        await check(card, 'install', 'passed').innerText(),
        /2026\.10\.22-27dcf5f\s+~\/\.local\/share\/cursor-agent\/versions\/2026\.10\.22-27dcf5f/,
      )
      // The row is the ceiling.
      const yolo = card.locator('label', { hasText: 'yolo' })
      assert.ok(await yolo.getByRole('radio').isDisabled())
      assert.match(await yolo.innerText(), texts.forbidden)
      await page.pictures(`settings-${language}`)

      await host.reconfigure({
        ...ROW,
        model: 'gpt-9',
        env: { STANDIN_STATUS: 'Not logged in', HTTPS_PROXY: 'nowhere' },
      })
      await card.getByRole('button', { name: texts.check }).click()
      await check(card, 'login', 'failed').waitFor()
      assert.ok((await check(card, 'login').innerText()).includes(texts.loggedOut))
      assert.ok((await check(card, 'models').innerText()).includes(texts.noModel))
      assert.match(await check(card, 'proxy', 'warning').innerText(), texts.proxy)

      await host.withoutCli(async () => {
        await card.getByRole('button', { name: texts.check }).click()
        await check(card, 'install', 'failed').waitFor()
      })
      const install = check(card, 'install')
      await install.getByText(texts.places).click()
      assert.match(await install.innerText(), /~\/\.local\/share\/cursor-agent/)
      await install.getByRole('button', { name: texts.copy }).click()
      assert.equal(await page.clipboard(), 'curl https://cursor.com/install -fsS | bash')
      const probe = card.getByRole('button', { name: texts.probe })
      assert.equal(await probe.getAttribute('aria-disabled'), 'true')
      assert.ok((await check(card, 'login').innerText()).includes(texts.notChecked))
      await page.pictures(`settings-${language}-failed`)
      assert.deepEqual(page.errors, [])
    })
  }

  it('believes a good test run over what status says about the login', async (t) => {
    const { page } = await stage(t, {
      config: { ...ROW, env: { STANDIN_STATUS: 'Logged in (unable to fetch user details)' } },
    })
    const card = await page.openSettingsCard()
    await check(card, 'login', 'warning').waitFor()
    await card.getByRole('button', { name: 'Test run' }).click()
    await check(card, 'probe', 'passed').waitFor()
    await check(card, 'login', 'passed').waitFor()
  })

  it('warns of yolo where the row allows it, and of a limit below half a minute', async (t) => {
    const { page } = await stage(t, { config: { ...ROW, permissionMode: 'yolo' } })
    const card = await page.openSettingsCard()
    await card.getByText('Every command runs at once').waitFor()
    await mode(card, 'ask').check()
    await card.getByText('Every command runs at once').waitFor({ state: 'detached' })
    assert.equal(await card.getByText('below 30 s most tasks').count(), 0)
    await card.getByRole('textbox', { name: 'Longest delegation min' }).fill('')
    await card.getByRole('textbox', { name: 'Longest delegation s' }).fill('20')
    await card.getByText('below 30 s most tasks').waitFor()
  })

  it('keeps unsaved changes when the settings are closed, until they are thrown away', async (t) => {
    const { page } = await stage(t)
    let card = await page.openSettingsCard()
    await mode(card, 'ask').check()
    await card.getByRole('textbox', { name: 'Longest without output min' }).fill('5')
    await page.closeSettings()
    card = await page.openSettingsCard()
    await card.getByText('Unsaved').waitFor()
    assert.ok(await mode(card, 'ask').isChecked())
    const silence = card.getByRole('textbox', { name: 'Longest without output min' })
    assert.equal(await silence.inputValue(), '5')
    await card.getByRole('button', { name: 'Discard' }).click()
    assert.ok(await mode(card, 'trust').isChecked())
    assert.equal(await silence.inputValue(), '')
  })

  it('makes a test run when asked, and only then, with the settings in force', async (t) => {
    const { host, page } = await stage(t)
    const known = (await host.starts()).length
    const card = await page.openSettingsCard()
    await check(card, 'models', 'passed').waitFor()
    assert.equal(await check(card, 'probe').count(), 0)
    await mode(card, 'ask').check()
    assert.equal(await save(card), SAVED)
    assert.deepEqual(
      (await host.starts()).slice(known).filter(({ action }) => action === 'run'),
      [],
    )

    await card.getByRole('button', { name: 'Test run' }).click()
    await check(card, 'probe', 'passed').waitFor()
    assert.match(
      await check(card, 'probe').innerText(),
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
      await check(card, 'models', 'passed').waitFor()
      await card.getByRole('button', { name: 'Test run' }).click()
      const pid = Number(await fileText(host.file(name)))
      assert.ok(isAlive(pid))
      if (how === 'closing the settings') await page.closeSettings()
      else await card.getByRole('button', { name: 'Cancel' }).click()
      await until(() => !isAlive(pid), { what: 'the CLI is gone' })
      if (how === 'the Cancel button') {
        await card.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'detached' })
        assert.equal(await check(card, 'models', 'passed').count(), 1, 'the last report stays')
      }
    })
  }

  it('puts a saved field on the next command line, without a restart', async (t) => {
    const on = await stage(t)
    const { host, page } = on
    assert.ok(!(await nextCommandLine(on)).includes('--mode'))

    const card = await page.openSettingsCard()
    await check(card, 'models', 'passed').waitFor()
    await card.getByRole('searchbox').fill('auto')
    await mode(card, 'auto').check()
    await mode(card, 'plan').check()
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

  it('says at the field what is wrong, stores nothing, and covers nothing', async (t) => {
    const { host, page } = await stage(t)
    const card = await page.openSettingsCard()
    const limit = card.getByRole('textbox', { name: 'Longest without output min' })
    await limit.fill('soon')
    await card.getByRole('button', { name: 'Save', exact: true }).click()
    const field = card.locator('[data-limit=stallTimeoutMs]')
    assert.match(
      await field.getByRole('alert').innerText(),
      /“soon” cannot be used\. Allowed: a time above 0 and at most 24 days\./,
    )
    assert.equal(await limit.getAttribute('aria-invalid'), 'true')
    assert.equal(
      await limit.and(page.page.locator(':focus')).count(),
      1,
      'it is ready to be mended',
    )
    const other = card.getByRole('textbox', { name: 'Longest delegation min' })
    assert.equal(await other.getAttribute('aria-invalid'), 'false')
    const [above, foot] = [
      await field.boundingBox(),
      await card.locator('.dsh-cursor-foot').boundingBox(),
    ]
    assert.ok(above && foot && above.y + above.height <= foot.y, 'the buttons do not cover it')
    await page.pictures('settings-refused')
    const stored = await readFile(join(host.dshHome, 'settings.yaml'), 'utf8')
    assert.doesNotMatch(stored, /stallTimeoutMs/)
    await card.getByRole('button', { name: 'Discard' }).click()
    assert.equal(await limit.inputValue(), '')
  })

  it("follows the profile's row while it is open, and saves over nothing that it has not shown", async (t) => {
    const on = await stage(t)
    const { host, page } = on
    const card = await page.openSettingsCard()
    await mode(card, 'plan').check()
    assert.equal(await save(card), SAVED)
    await card.getByRole('checkbox').uncheck()
    await host.reconfigure({ ...ROW, approveMcps: true, timeoutMs: 60_000 })
    assert.match(await save(card), /^The settings were changed elsewhere/)
    const longest = card.getByRole('textbox', { name: 'Longest delegation min' })
    assert.equal(await longest.inputValue(), '1')
    assert.ok(!(await card.getByRole('checkbox').isChecked()), 'the draft is kept')
    await card.getByRole('button', { name: 'Save', exact: true }).click()
    await card.getByText(SAVED).waitFor()
    await page.closeSettings()
    assert.ok(!(await nextCommandLine(on)).includes('--approve-mcps'))

    await host.reconfigure({ ...ROW, timeoutMs: 420_000 })
    await page.openSettingsCard()
    await until(async () => (await longest.inputValue()) === '7', {
      what: "the card shows the row's new value",
    })
  })

  it('is worked by the keyboard alone, which never loses its place', async (t) => {
    const on = await stage(t)
    const { page } = on
    const card = await page.openSettingsCard()
    await check(card, 'models', 'passed').waitFor()
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
    await tabTo(mode(card, 'trust'))
    // Past safe and plan; yolo, which the row does not allow, is passed over.
    for (let presses = 0; presses < 3; presses++) await page.page.keyboard.press('ArrowDown')
    assert.ok(await mode(card, 'ask').isChecked())
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
    await mode(card, 'ask').check()
    assert.equal(await save(card), SAVED)
    await page.closeSettings()
    assert.equal(await page.rows('running').count(), 1)
    await host.touch('long-end')
    await page.page.getByText('All done.').waitFor()
    const text = await (await page.open(page.rows('ok'))).innerText()
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
    assert.match(await row.innerText(), /permissionMode[^]*readonly/)
    assert.deepEqual(await host.starts(), [])
    await page.page.getByText('It was refused.').waitFor()

    const card = await page.openSettingsCard()
    await mode(card, 'ask').check()
    assert.equal(await save(card), SAVED)
    await page.closeSettings()
    assert.deepEqual((await nextCommandLine({ host, page })).slice(6, 8), ['--mode', 'ask'])
  })
})
