// Delegations in the host's web page, in a real browser: what a person sees of one that runs, that
// has answered, that has failed, of two at once, of one stopped, of one in the background, and after
// a reload.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Locator } from 'playwright-core'
import type { ToolUse } from '../support/model-server.ts'
import { fileText, isAlive, until } from '../support/processes.ts'
import { NARROW, WIDE } from './support/chat-page.ts'
import { ROW, stage } from './support/stage.ts'

const event = (value: object): string => JSON.stringify(value)
const result = (text: string): string =>
  event({ type: 'result', subtype: 'success', is_error: false, result: text })
const toolCall = (subtype: string): string =>
  event({ type: 'tool_call', subtype, call_id: 'a', tool_call: { readToolCall: { args: {} } } })

const PROSE =
  'The reader recognises an event by the head of its line and passes over the rest without decoding it. '
const ANSWER = [
  'I have read `src/cursor/stream-reader.ts`.',
  '',
  PROSE.repeat(5).trim(),
  '',
  `- ${'它只解码真正需要的行，其余的行无论多长都直接跳过，因此一个读取大文件的工具不会占用内存，也不会拖慢页面。'.repeat(2)}`,
].join('\n')

function delegate(description: string, prompt: string, more: object = {}): ToolUse {
  return { tool: 'subagent_cursor', args: { description, prompt, ...more } }
}

/** Whether the card's output has nothing to scroll sideways. */
function fitsSideways(card: Locator): Promise<boolean> {
  // The page's element, of which this program has no types.
  interface Part {
    readonly children: Iterable<{ readonly scrollWidth: number; readonly clientWidth: number }>
  }
  return card.evaluate((element) =>
    [...(element as unknown as Part).children].every(
      (part) => part.scrollWidth <= part.clientWidth,
    ),
  )
}

describe('a delegation in the web page', () => {
  it('shows what was delegated, and the answer folded so that nothing scrolls sideways', async (t) => {
    const { host, page } = await stage(t)
    await host.addCase('answer', {
      stdout: [toolCall('started'), toolCall('completed'), result(ANSWER)],
      exit: 0,
    })
    host.script(
      delegate('Explain the reader', 'Explain case:answer how the stream reader works.'),
      { text: 'The subagent has explained it.' },
    )
    await page.send('How does the reader work?')
    const row = page.rows('ok')
    await row.waitFor()
    assert.match(await row.innerText(), /Cursor: Explain the reader/)

    const card = await page.openCard(row)
    const text = await card.innerText()
    assert.match(text, /cursor-agent · mode trust · model gpt-5 · \d+\.\d s · 1 tool call/)
    assert.match(text, /Explain case:answer how the stream reader works\./)
    assert.match(text, /I have read `src\/cursor\/stream-reader\.ts`\./)
    assert.match(text, /它只解码真正需要的行/)
    assert.match(text, /\bdemo\b/, 'the directory is shown')
    for (const size of [NARROW, WIDE]) {
      await page.resize(size)
      assert.ok(await fitsSideways(card), `nothing scrolls sideways at ${size.width} px`)
    }
    await page.picture('answered')
    await page.page.getByText('The subagent has explained it.').waitFor()
    assert.deepEqual(page.errors, [])
  })

  it("shows a failure's first line in the row, and its help and exit state in the card", async (t) => {
    const { host, page } = await stage(t)
    await host.addCase('login', {
      stderr:
        "Error: Authentication required. Please run 'agent login' first, or set CURSOR_API_KEY environment variable.\n",
      exit: 1,
    })
    host.script(delegate('Fix the test', 'Fix case:login the failing test.'), {
      text: 'It failed.',
    })
    await page.send('Fix the test')
    const row = page.rows('error')
    await row.waitFor()
    assert.match(await row.innerText(), /not-authenticated: .*not logged in/)
    const card = await page.openCard(row)
    const text = await card.innerText()
    assert.match(text, /cursor-agent · not-authenticated/)
    assert.match(text, /cursor-agent login/)
    assert.match(text, /exit code 1/, "the card's exit state")
    assert.ok(await fitsSideways(card))
    await page.picture('failed')
  })

  it('shows two at once, each running until its own end', async (t) => {
    const { host, page } = await stage(t)
    const answer = (name: string) => ({
      waitForFile: `<${name}>`,
      stdout: [result(`The ${name} answer.`)],
      exit: 0,
    })
    await host.addCase('first', answer('first'))
    await host.addCase('second', answer('second'))
    host.script(
      {
        tools: [
          delegate('First task', 'Do case:first the first task.'),
          delegate('Second task', 'Do case:second the second task.'),
        ],
      },
      { text: 'Both are done.' },
    )
    await page.send('Do both')
    await page.rows('running').nth(1).waitFor()
    const running = await page.openCard(page.rows('running').first())
    assert.match(
      await running.innerText(),
      /cursor-agent · mode trust · model gpt-5\n.*first task/s,
    )
    await page.picture('two-running')

    // The host commits results in the order of their calls.
    await host.touch('first')
    await page.rows('ok').waitFor()
    assert.equal(await page.rows('running').count(), 1)
    await host.touch('second')
    await page.page.getByText('Both are done.').waitFor()
    assert.match(await (await page.openCard(page.rows().nth(0))).innerText(), /The first answer\./)
    assert.match(await (await page.openCard(page.rows().nth(1))).innerText(), /The second answer\./)
  })

  it('tells of two side by side what each has done', async (t) => {
    const { host, page } = await stage(t)
    const calls = [toolCall('started'), toolCall('completed')]
    await host.addCase('three', {
      waitForFile: '<three>',
      stdout: [...calls, ...calls, ...calls, result('Three.')],
      exit: 0,
    })
    await host.addCase('one', { waitForFile: '<three>', stdout: [...calls, result('One.')] })
    host.script(
      {
        tools: [
          delegate('First task', 'Do case:three the first task.'),
          delegate('Second task', 'Do case:one the second task.'),
        ],
      },
      { text: 'Both of them are done.' },
    )
    await page.send('Do both')
    await page.rows('running').nth(1).waitFor()
    await host.touch('three')
    await page.page.getByText('Both of them are done.').waitFor()
    const texts = []
    for (const index of [0, 1]) {
      texts.push(await (await page.openCard(page.rows().nth(index))).innerText())
    }
    assert.match(texts[0] ?? '', /· 3 tool calls\n/)
    assert.match(texts[1] ?? '', /· 1 tool call\n/)
  })

  it("stops one by the page's stop button, and its process is gone", async (t) => {
    const { host, page } = await stage(t)
    await host.addCase('endless', { readyFile: '<endless>', hang: true })
    host.script(delegate('Long task', 'Do case:endless a long task.'))
    await page.send('Do it')
    await page.rows('running').waitFor()
    const pid = Number(await fileText(host.file('endless')))
    assert.ok(isAlive(pid))
    await page.stop()
    await until(() => !isAlive(pid), { what: 'the CLI is gone' })
    const row = page.rows().and(page.page.locator('[data-state=error], [data-state=stopped]'))
    await row.waitFor()
    assert.match(await (await page.openCard(row)).innerText(), /cursor-agent · stopped/)
    await page.picture('stopped')
  })

  it('shows one in the background as a pill in the header, and its row as started', async (t) => {
    const { host, page } = await stage(t)
    await host.addCase('behind', {
      waitForFile: '<behind>',
      stdout: [result('Done behind.')],
      exit: 0,
    })
    host.script(
      delegate('Long task', 'Do case:behind a long task.', { run_in_background: true }),
      { text: 'It runs in the background.' },
      { text: 'The background task has ended.' },
    )
    await page.send('Do it behind')
    const row = page.rows('ok')
    await row.waitFor()
    const card = await page.openCard(row)
    assert.match(await card.innerText(), /mode trust · model gpt-5 · in the background/)
    await page.page.getByRole('button', { name: /background/i }).click()
    await page.page.getByText('Long task').last().waitFor()
    await page.picture('background')
    await host.touch('behind')
    await page.page.getByText('The background task has ended.').waitFor()
  })

  it('shows the same after a reload, when the configuration is another one', async (t) => {
    const { host, page } = await stage(t, { config: { ...ROW, permissionMode: 'ask' } })
    host.script(delegate('Say it', 'Say something.'), { text: 'Said.' })
    await page.send('Say it')
    await page.rows('ok').waitFor()
    const before = await (await page.openCard(page.rows())).innerText()
    assert.match(before, /mode ask · model gpt-5 · \d/)
    await page.page.getByText('Said.').waitFor()
    await host.reconfigure({ permissionMode: 'plan' })
    await page.page.reload()
    await page.rows('ok').waitFor()
    assert.equal(await (await page.openCard(page.rows())).innerText(), before)
  })
})
