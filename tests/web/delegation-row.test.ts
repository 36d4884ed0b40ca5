// Delegations in the host's web page, in a real browser: the row of one that runs, that has answered,
// that has failed, that was stopped, of two at once, of one in the background, and after a reload.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ToolUse } from '../support/model-server.ts'
import { fileText, isAlive, until } from '../support/processes.ts'
import { anotherInstance } from '../support/dsh-host.ts'
import { theBrowser } from './support/browser.ts'
import { ChatPage, NARROW, WIDE } from './support/chat-page.ts'
import { ROW, stage } from './support/stage.ts'
import { startWebHost } from './support/web-host.ts'

const event = (value: object): string => JSON.stringify(value)
const result = (text: string): string =>
  event({
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: text,
    usage: { inputTokens: 84_212, outputTokens: 2310 },
  })
const edit = (subtype: string, path: string): string =>
  event({
    type: 'tool_call',
    subtype,
    call_id: path,
    tool_call: { editToolCall: { args: { path } } },
  })
const call = (path: string): string[] => [edit('started', path), edit('completed', path)]

const LOGIN =
  "Error: Authentication required. Please run 'agent login' first, or set CURSOR_API_KEY environment variable.\n"
const BUSY = 'Error: [resource_exhausted] Too many requests, please try again later.\n'

/** What an answer can hold that a page must show and not do. */
const HOSTILE = '\u001b[31mred\u001b[0m \u202etxt.exe [run](javascript:window.ran=1)'
const ANSWER = [
  '# Why it throws',
  '',
  'See https://example.com/a/very/long/address/without/any/space/that/a/fold/would/have/broken/in/two.',
  '',
  '| input | result |',
  '| --- | --- |',
  '| `""` | throws |',
  '',
  '```ts',
  "parse('')",
  '```',
  '',
  '<img src=x onerror="window.ran=1"><script>window.ran=1</script>',
  '',
  HOSTILE,
  '',
  ...Array.from({ length: 60 }, (_, at) => `${at + 1}. 它只解码真正需要的行，其余的行直接跳过。  `),
  '',
].join('\n')

function delegate(description: string, prompt: string, more: object = {}): ToolUse {
  return { tool: 'subagent_cursor', args: { description, prompt, ...more } }
}

describe('a delegation in the web page', () => {
  it('runs with a moving clock and its tool calls, in Chinese, and a stop is no failure', async (t) => {
    const { host, page } = await stage(t, { language: 'zh' })
    await host.addCase('endless', {
      readyFile: '<endless>',
      stdout: [...call('src/a.ts'), ...call('src/b.ts'), '@HANG@'],
    })
    host.script(delegate('修复空输入', '修复 case:endless 的空输入问题。'))
    await page.send('请修复')
    const row = page.rows('running')
    await row.getByText('2 次工具调用').waitFor()
    const head = await row.innerText()
    for (const words of ['修复空输入', '运行中', '模式 trust', '模型 gpt-5']) {
      assert.ok(head.includes(words), `${words} in ${head}`)
    }
    const clock = async (): Promise<string> => /\d+ 秒/.exec(await row.innerText())?.[0] ?? ''
    const first = await clock()
    await until(async () => (await clock()) !== first, { what: 'the clock moves' })

    const pid = Number(await fileText(host.file('endless')))
    assert.ok(isAlive(pid))
    await page.stop()
    await until(() => !isAlive(pid), { what: 'the CLI is gone' })
    const stopped = page.rows('stopped')
    await stopped.waitFor()
    assert.match(await stopped.innerText(), /已停止[^]*运行 [^]*秒后停止，已经做的修改会保留。/)
    await page.pictures('stopped')
    assert.deepEqual(page.errors, [])
  })

  it('shows an answer as Markdown, copies it byte for byte, and runs nothing in it', async (t) => {
    const { host, page } = await stage(t)
    await host.addCase('answer', { stdout: [...call('src/parser.ts'), result(ANSWER)], exit: 0 })
    host.script(delegate('Explain the parser', 'Explain case:answer why the parser throws.'), {
      text: 'The subagent has explained it.',
    })
    await page.send('Why does it throw?')
    const row = page.rows('ok')
    await row.waitFor()
    await page.page.getByText('The subagent has explained it.').waitFor()
    assert.match(
      await row.innerText(),
      /Explain the parser[^]*Done[^]*mode trust[^]*model gpt-5[^]*\d s[^]*1 tool call[^]*84k tokens in, 2\.3k out/,
    )

    // By the keyboard, as the page's own rows.
    const head = row.getByRole('button').first()
    await head.focus()
    await page.page.keyboard.press('Enter')
    assert.equal(await head.getAttribute('aria-expanded'), 'true')
    assert.equal(await row.getByRole('heading', { name: 'Why it throws' }).count(), 1)
    assert.equal(await row.getByRole('table').count(), 1)
    await row.getByRole('button', { name: 'src/parser.ts' }).waitFor()
    assert.ok((await row.innerText()).includes('␛[31mred␛[0m ⟨U+202E⟩txt.exe'))
    assert.equal(await row.locator('script, img, a[href^=javascript]').count(), 0)
    assert.equal(await page.page.evaluate('window.ran'), undefined)

    const text = row.getByRole('region', { name: 'Answer' })
    for (const size of [NARROW, WIDE]) {
      await page.resize(size)
      assert.ok(await page.fitsSideways(text), `nothing scrolls sideways at ${size.width} px`)
      const box = await text.boundingBox()
      assert.ok(box && box.height < size.height, 'a long answer opens as far as a screen')
    }
    await page.pictures('answered')
    await text.getByRole('button', { name: 'Copy' }).first().click()
    await text.getByText('Copied').waitFor()
    assert.equal(await page.clipboard(), ANSWER)
    await text.getByRole('button', { name: 'Show all' }).click()
    const whole = await text.boundingBox()
    assert.ok(whole && whole.height > WIDE.height, 'all of it is shown')
    assert.deepEqual(page.errors, [])
  })

  it('copies the whole of an answer that the host has cut in the session', async (t) => {
    const { host, page } = await stage(t)
    const long = `${'A line of the answer.\n'.repeat(4000)}The last line.`
    await host.addCase('long', { stdout: [result(long)], exit: 0 })
    host.script(delegate('Long answer', 'Answer case:long at length.'), { text: 'It was long.' })
    await page.send('At length')
    await page.page.getByText('It was long.').waitFor()
    const row = await page.open(page.rows('ok'))
    await row.getByRole('button', { name: 'Copy' }).click()
    await row.getByText('Copied').waitFor()
    assert.equal(await page.clipboard(), long)
  })

  it('says in Chinese why two have failed, each with its task and a command to copy', async (t) => {
    const { host, page } = await stage(t, { language: 'zh' })
    await host.addCase('login', { stderr: LOGIN, exit: 1 })
    await host.addCase('busy', { stderr: BUSY, exit: 1 })
    host.script(
      {
        tools: [delegate('查登录', '检查 case:login。'), delegate('查慢测试', '检查 case:busy。')],
      },
      { text: '两个都失败了。' },
    )
    await page.send('都查一下')
    await page.page.getByText('两个都失败了。').waitFor()
    const [login, busy] = [page.rows('error').nth(0), page.rows('error').nth(1)]
    assert.match(await login.innerText(), /查登录[^]*没有登录[^]*怎么办[^]*cursor-agent login/)
    assert.match(await busy.innerText(), /查慢测试[^]*容量不足[^]*Too many requests[^]*怎么办/)
    for (const row of [login, busy]) {
      assert.doesNotMatch(await row.innerText(), /Error:|exit code|The Cursor CLI/)
      await page.open(row)
    }
    await page.pictures('failed')
    await login.getByRole('button', { name: '复制命令 cursor-agent login' }).click()
    await login.getByText('已复制').waitFor()
    assert.equal(await page.clipboard(), 'cursor-agent login')
    await login.getByText('详情').click()
    assert.match(await login.innerText(), /exit code: 1/)
    assert.deepEqual(page.errors, [])
  })

  it('says of two at once that one has finished while the host waits for the other', async (t) => {
    const { host, page } = await stage(t)
    await host.addCase('slow', { waitForFile: '<slow>', stdout: [result('The slow answer.')] })
    await host.addCase('quick', { stdout: [...call('src/a.ts'), result('The quick answer.')] })
    host.script(
      {
        tools: [
          delegate('Slow task', 'Do case:slow the slow task.'),
          delegate('Quick task', 'Do case:quick the quick task.'),
        ],
      },
      { text: 'Both are done.' },
    )
    await page.send('Do both')
    await page.rows().nth(1).getByText('Finished; waiting for the other calls').waitFor()
    assert.match(await page.rows().nth(0).innerText(), /Running/)
    await page.pictures('waiting')
    await host.touch('slow')
    await page.page.getByText('Both are done.').waitFor()
    for (const [index, answer] of ['The slow answer.', 'The quick answer.'].entries()) {
      await (await page.open(page.rows('ok').nth(index))).getByText(answer).waitFor()
    }
    assert.match(await page.rows().nth(0).innerText(), /0 tool calls/)
    assert.match(await page.rows().nth(1).innerText(), /1 tool call\b/)
  })

  it('goes on in its row in the background, and ends there with the answer or the failure', async (t) => {
    const { host, page } = await stage(t)
    const background = { run_in_background: true }
    await host.addCase('behind', { waitForFile: '<behind>', stdout: [result('Done behind.')] })
    await host.addCase('broken', { waitForFile: '<behind>', stderr: LOGIN, exit: 1 })
    host.script(
      {
        tools: [
          delegate('Long task', 'Do case:behind a long task.', background),
          delegate('Broken task', 'Do case:broken a task.', background),
        ],
      },
      { text: 'Both run in the background.' },
      { text: 'The first has ended.' },
      { text: 'The second has ended.' },
    )
    await page.send('Do both behind')
    await page.page.getByText('Both run in the background.').waitFor()
    assert.match(await page.rows('running').nth(0).innerText(), /Running[^]*in the background/)
    await page.pictures('background')
    await host.touch('behind')
    await (await page.open(page.rows('ok'))).getByText('Done behind.').waitFor()
    const failed = page.rows('error')
    await failed.waitFor()
    assert.match(await failed.innerText(), /Broken task[^]*not logged in/)
    await page.page.getByText('ended.').last().waitFor()
  })

  it('shows the same after a reload, when the configuration is another one', async (t) => {
    const { host, page } = await stage(t, { config: { ...ROW, permissionMode: 'ask' } })
    host.script(delegate('Say it', 'Say something.'), { text: 'Said.' })
    await page.send('Say it')
    await page.page.getByText('Said.').waitFor()
    const before = await page.rows('ok').innerText()
    assert.match(before, /mode ask[^]*model gpt-5[^]*\d s/)
    await host.reconfigure({ permissionMode: 'plan' })
    await page.page.reload()
    await page.rows('ok').waitFor()
    assert.equal(await page.rows('ok').innerText(), before)
  })

  it('has a row for the tool of a second instance too', async (t) => {
    const second = { providerName: 'cursor-two', toolName: 'cursor_two', permissionMode: 'ask' }
    const host = await startWebHost({ config: ROW, patches: [anotherInstance(second)] })
    t.after(() => host.dispose())
    const page = await ChatPage.open(await theBrowser(), host)
    t.after(() => page.close())
    host.script(
      { tool: 'cursor_two', args: { description: 'Second opinion', prompt: 'Say it.' } },
      { text: 'Said.' },
    )
    await page.send('Ask the other one')
    await page.page.getByText('Said.').waitFor()
    const row = page.page.locator('[data-tool=cursor_two]')
    assert.match(await row.innerText(), /Cursor[^]*Second opinion[^]*Done[^]*mode ask/)
    assert.deepEqual(page.errors, [])
  })
})
