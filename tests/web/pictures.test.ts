// The READMEs' pictures, taken of the real page in both languages: three delegations, and the settings
// card. `npm run test:web -- --update-pictures` writes them into docs/; otherwise they go to
// .artefacts/web. The CLI is the stand-in, so the numbers in them are a replay's.

import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { pictureFile } from './support/browser.ts'
import { WIDE } from './support/chat-page.ts'
import { ROW, stage } from './support/stage.ts'

/** Room for a row that is open and two that are not. */
const TALL = { width: 1400, height: 1300 }

/** So that a README loads at once. */
const MAX_BYTES = 130_000

async function keep(name: string, picture: Buffer): Promise<void> {
  const width = picture.readUInt32BE(16)
  const file =
    process.env['UPDATE_PICTURES'] === '1'
      ? fileURLToPath(new URL(`../../docs/${name}.png`, import.meta.url))
      : await pictureFile(name)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, picture)
  assert.ok(picture.length <= MAX_BYTES, `${name} has ${picture.length} bytes`)
  assert.ok(width <= 900, `${name} is ${width} px wide`)
}

const MODELS = `Available models

auto - Auto (default)
composer-1 - Composer 1
gpt-5 - GPT-5 (current)
sonnet-4.5 - Claude 4.5 Sonnet
opus-4.5 - Claude 4.5 Opus
gemini-3-pro - Gemini 3 Pro
`

const event = (value: object): string => JSON.stringify(value)
const toolCalls = (count: number): string[] =>
  Array.from({ length: count }, (_, id) => id).flatMap((id) =>
    ['started', 'completed'].map((subtype) =>
      event({
        type: 'tool_call',
        subtype,
        call_id: `${id}`,
        tool_call: { readToolCall: { args: {} } },
      }),
    ),
  )

/** The first task is shown in full, so it names no case. */
const SCENES = {
  en: {
    asked: 'Have these three looked at, each by a subagent of its own.',
    tasks: [
      ['Fix empty input', "Find out why parse('') throws in src/parser.ts, and fix it."],
      ['Explain slow test', 'Explain case:slow why the nesting test takes ten times as long.'],
      ['Write missing test', 'Write case:running the missing test for src/lexer.ts.'],
    ],
    answer: `## Cause

\`parse('')\` reads \`tokens[0]\` before it looks at the length.

## Fix

| File | Change |
| --- | --- |
| \`src/parser.ts\` | the length is checked first |
| \`tests/parser.test.ts\` | none, the test passes now |
`,
  },
  zh: {
    asked: '把这三件事各交给一个子智能体。',
    tasks: [
      ['修复空输入', "找出 src/parser.ts 里 parse('') 抛错的原因并修复。"],
      ['解释慢测试', '解释 case:slow 嵌套测试为什么慢了十倍。'],
      ['补上缺的测试', '为 src/lexer.ts 补上 case:running 缺的测试。'],
    ],
    answer: `## 原因

\`parse('')\` 在检查长度之前就读取了 \`tokens[0]\`。

## 修复

| 文件 | 改动 |
| --- | --- |
| \`src/parser.ts\` | 先检查长度 |
| \`tests/parser.test.ts\` | 不用改，测试已通过 |
`,
  },
} as const

describe("the READMEs' pictures", () => {
  for (const language of ['zh', 'en'] as const) {
    const { asked, tasks, answer } = SCENES[language]
    it(`show a delegation that has answered, one that has failed and one that runs, in ${language}`, async (t) => {
      const { host, page } = await stage(t, { language })
      const usage = { inputTokens: 84_212, outputTokens: 2310 }
      await host.addCase('answered', {
        stdout: [
          ...toolCalls(9),
          event({ type: 'result', subtype: 'success', result: answer, usage }),
        ],
        delayMs: 2000,
      })
      await host.addCase('slow', {
        stderr: 'Error: [resource_exhausted] Too many requests, please try again later.\n',
        exit: 1,
      })
      await host.addCase('running', { stdout: [...toolCalls(4), '@HANG@'] })
      await host.reconfigure({ ...ROW, env: { STANDIN_CASE: host.caseFile('answered') } })
      host.script({
        tools: tasks.map(([description, prompt]) => ({
          tool: 'subagent_cursor',
          args: { description, prompt },
        })),
      })
      await page.resize(TALL)
      await page.send(asked)
      await page.rows('ok').waitFor()
      await page.rows('error').waitFor()
      const running = page.rows('running')
      await running.getByText('4').waitFor()
      await page.open(page.rows('ok'))
      await keep(
        `delegation-row-${language}`,
        await page.pictureOfPart(page.rows().first(), running, 8),
      )
      await page.resize(WIDE)
      await page.stop()
      await page.rows('stopped').waitFor()
    })

    it(`show the settings card after a test run, in ${language}`, async (t) => {
      const { page } = await stage(t, {
        language,
        config: { ...ROW, disposeGraceMs: 5000, env: { STANDIN_MODELS: MODELS } },
      })
      const card = await page.openSettingsCard()
      await card.locator('[data-check=models][data-state=passed]').waitFor()
      await card.locator('[data-part=status]').getByRole('button').nth(1).click()
      await card.locator('[data-check=probe][data-state=passed]').waitFor()
      await keep(`settings-card-${language}`, await page.wholePicture(card))
      // The panels that were opened wide for the picture.
      await page.page.reload()
    })
  }
})
