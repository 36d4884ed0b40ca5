// The READMEs' pictures, taken of the real page: docs/delegation-card.png and the settings card in
// both languages. `pnpm test:web --update-pictures` writes them into docs/; otherwise they go to
// .artefacts/web. The CLI is the stand-in, so the numbers in them are a replay's.

import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Turn } from '../support/model-server.ts'
import { pictureFile } from './support/browser.ts'
import { WIDE } from './support/chat-page.ts'
import { withPalette } from './support/palette-png.ts'
import { ROW, stage } from './support/stage.ts'

/** Room for three cards. */
const TALL = { width: 1400, height: 1300 }

/** So that a README loads at once. */
const MAX_BYTES = 60_000

async function keep(name: string, screenshot: Buffer): Promise<void> {
  const picture = withPalette(screenshot)
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
const toolCalls = ['a', 'b', 'c'].flatMap((id) =>
  ['started', 'completed'].map((subtype) =>
    event({ type: 'tool_call', subtype, call_id: id, tool_call: { readToolCall: { args: {} } } }),
  ),
)
const ANSWER = `\`parse('')\` reads \`tokens[0]\` before it looks at the length, so the empty string throws instead of giving an empty document.

Fixed in src/parser.ts: the length is checked first, and \`parse('')\` returns \`{ type: 'document', children: [] }\`. The test needs no change.`

const DELEGATIONS: Turn = {
  tools: [
    ['Fix empty input', 'Find out why test case:empty-input fails in parser.test.ts, and fix it.'],
    ['Explain slow test', 'Explain why test case:deep-nesting takes ten times as long since May.'],
    [
      'Write missing test',
      'Write the missing test case:unclosed-string for src/lexer.ts. Expect one error that names the line and the column where the string begins, and no second error after it.',
    ],
  ].map(([description, prompt]) => ({ tool: 'subagent_cursor', args: { description, prompt } })),
}

describe("the READMEs' pictures", () => {
  it('show a delegation that has answered, one that has failed and one that runs', async (t) => {
    const { host, page } = await stage(t)
    await host.addCase('empty-input', {
      stdout: [
        ...toolCalls,
        event({ type: 'result', subtype: 'success', is_error: false, result: ANSWER }),
      ],
      exit: 0,
    })
    await host.addCase('deep-nesting', {
      stderr: 'Error: [resource_exhausted] Too many requests, please try again later.\n',
      exit: 1,
    })
    await host.addCase('unclosed-string', {
      waitForFile: '<picture-taken>',
      stdout: [event({ type: 'result', subtype: 'success', result: 'Written.' })],
      exit: 0,
    })
    host.script(DELEGATIONS, { text: 'The three delegations have ended.' })
    await page.resize(TALL)
    await page.send('Have the three tests looked at, each by a subagent of its own.')
    await page.rows('ok').waitFor()
    await page.rows('error').waitFor()
    await page.rows('running').waitFor()
    for (let index = 0; index < 3; index++) await page.openCard(page.rows().nth(index))
    await keep(
      'delegation-card',
      await page.pictureOfPart(
        page.rows().first(),
        page.rows('running').locator('[data-terminal]'),
        6,
      ),
    )
    await page.resize(WIDE)
    await host.touch('picture-taken')
    await page.page.getByText('The three delegations have ended.').waitFor()
  })

  for (const language of ['zh', 'en'] as const) {
    it(`show the settings card after a test run, in ${language}`, async (t) => {
      const { page } = await stage(t, {
        language,
        config: { ...ROW, disposeGraceMs: 5000, env: { STANDIN_MODELS: MODELS } },
      })
      const card = await page.openSettingsCard()
      await card.locator('[data-check=models][data-state=ok]').waitFor()
      await card.locator('[data-part=status]').getByRole('button').nth(1).click()
      await card.locator('[data-check=probed][data-state=ok]').waitFor()
      await keep(`settings-card-${language}`, await page.wholePicture(card))
      // The panels that were opened wide for the picture.
      await page.page.reload()
    })
  }
})
