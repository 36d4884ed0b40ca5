// The format of a failure's text: whatever its parts hold, reading it back gives the same parts.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import {
  ADVICE,
  CATEGORIES,
  type CategoryText,
  type FailureCategory,
} from '../../src/cursor/failures/categories.ts'
import {
  failureText,
  firstLine,
  happenedIn,
  nextStepIn,
  readFailureText,
  withDoctor,
  withValue,
} from '../../src/cursor/failures/format.ts'
import { judged, type Left } from '../support/judged.ts'

const categories = Object.keys(CATEGORIES) as FailureCategory[]
/** Texts of the kinds that could be mistaken for the format itself. */
const words = fc
  .array(
    fc.oneof(
      fc.constantFrom('→', '“', '”', ' The CLI says: “', 'stderr:', 'network: ', ' ', '  '),
      fc.string({ minLength: 1, maxLength: 12 }),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => parts.join('').replaceAll(/[\r\n]/g, ''))
/** What the marks are replaced by where they are not the format's. */
const shown = (text: string): string => text.replaceAll(/[“”]/g, '"').replaceAll('→', '->')

const happenedInChinese = (category: FailureCategory, happened: string): string =>
  happenedIn('zh', { category, happened })

describe('what happened, in Chinese', () => {
  it('says which limit was reached, and that there was no output', () => {
    assert.equal(
      happenedInChinese('timeout', 'The run reached its time limit of 600000 ms (`timeoutMs`).'),
      '运行达到了 600000 毫秒的时间上限（`timeoutMs`）。',
    )
    assert.equal(
      happenedInChinese(
        'timeout',
        'The Cursor CLI wrote nothing for 300 ms (`stallTimeoutMs`). There was no output from the CLI at all.',
      ),
      'Cursor CLI 连续 300 毫秒没有输出（`stallTimeoutMs`）。CLI 自始至终没有任何输出。',
    )
  })

  it('keeps every value, whatever full stops are in it', () => {
    const exit = (exitCode: number | null, signal: NodeJS.Signals | null = null): Left => ({
      exit: { exitCode, signal },
    })
    const model =
      'Cannot use this model: gpt-5.6. Available models: gpt-5.5, gpt-5.4, sonnet-4.5-thinking'
    for (const [left, zh] of [
      [{ stdout: '{"type":"result","subtype":"error.x","is_error":true}\n' }, /（error\.x）。$/],
      [{ stderr: "You've hit your usage limit. It resets on 2026.11.17.\n" }, / 2026\.11\.17 ?。$/],
      [{ stderr: `${model}\n` }, /模型 gpt-5\.6。\S+：gpt-5\.5, gpt-5\.4, sonnet-4\.5-thinking。$/],
      [{ stderr: "error: unknown option '--no.x'\n" }, / --no\.x。$/],
      [exit(null, 'SIGKILL'), / SIGKILL /],
      [exit(137), /（退出码 137）。$/],
      [exit(3), /（退出码 3）。$/],
      [{ ...exit(3), stderr: 'Something odd happened.\n' }, /（退出码 3）。$/],
    ] as const) {
      assert.match(happenedIn('zh', judged(left)), zh)
    }
  })

  it('is the sentence of every table in full', () => {
    for (const [name, { inDetail = {} }] of Object.entries<CategoryText>(CATEGORIES)) {
      for (const { en, zh } of Object.values(inDetail)) {
        const value = 'spawn /opt/x.y/node.js ENOENT'
        assert.equal(
          happenedInChinese(name as FailureCategory, withValue(en, value)),
          withValue(zh, value),
        )
      }
    }
  })

  it('is the sentence of the category where no table has the exact one', () => {
    for (const category of categories) {
      const { en, zh } = CATEGORIES[category].happened
      assert.equal(happenedInChinese(category, en), zh)
      assert.equal(happenedInChinese(category, `${en} It was node-17.`), zh)
    }
  })
})

describe('a failure text', () => {
  it('is read back part for part', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...categories),
        words,
        fc.option(words, { nil: undefined }),
        words,
        fc.array(
          words.map((text) => `- ${text}`),
          { maxLength: 3 },
        ),
        fc.array(words, { maxLength: 3 }),
        fc.array(words, { maxLength: 3 }),
        (category, happened, said, nextStep, facts, stderr, stdout) => {
          const text = failureText({
            category,
            happened,
            said,
            nextStep,
            facts,
            excerpts: { stderr, stdout },
          })
          assert.deepEqual(readFailureText(`Error: ${text}`), readFailureText(text))
          assert.deepEqual(readFailureText(text), {
            category,
            happened: shown(happened),
            ...(said !== undefined && { said: shown(said) }),
            nextStep,
            facts,
            excerpts: { stderr, stdout },
          })
        },
      ),
    )
  })

  it('keeps its first line one line', () => {
    const line = firstLine({
      category: 'network',
      happened: 'It\nbroke.',
      said: 'a\n  b',
      nextStep: 'Try\nagain.',
    })
    assert.equal(line, 'network: It broke. The CLI says: “a b” → Try again.')
  })

  it('is not recognised in any other text', () => {
    for (const text of ['', 'network: x', 'tool call aborted', 'weather: fine → go out', ' → '])
      assert.equal(readFailureText(text), undefined)
  })
})

describe('a next step', () => {
  it('has every sentence of the tables in both languages', () => {
    for (const nextStep of [
      ...Object.values(CATEGORIES).map((texts) => texts.nextStep),
      ...Object.values(ADVICE),
    ]) {
      const inEnglish = withDoctor(nextStep.en, 'dsh plugin --profile web exec x doctor')
      const both = `${inEnglish} ${ADVICE.workspaceChanged.en}`
      const inChinese = withDoctor(nextStep.zh, 'dsh plugin --profile web exec x doctor')
      assert.equal(nextStepIn('zh', both), inChinese + ADVICE.workspaceChanged.zh)
      assert.equal(nextStepIn('en', both), both)
    }
  })

  it('stays as it is where no table has it', () => {
    const own = 'Set `permissionMode` to one of trust, yolo.'
    assert.equal(nextStepIn('zh', own), own)
    assert.equal(
      nextStepIn('zh', `${CATEGORIES.network.nextStep.en} ${own}`),
      `${CATEGORIES.network.nextStep.zh} ${own}`,
    )
  })
})
