// Every recorded stream, failure text and ending of cases.jsonl, through the real host: the parent
// model gets exactly the answer, or a failure of the right category that hides what it must.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runCases, type RunCase } from '../support/cases.ts'
import { assertHostSucceeded, runHost } from '../support/dsh-host.ts'
import { allToolResults, type ToolResult, type ToolUse } from '../support/model-server.ts'
import { assertFailure, delegate } from './scripted.ts'

/** Delegates every case within one boot, some at a time. */
async function replayAll(
  items: readonly RunCase[],
  config?: Readonly<Record<string, unknown>>,
): Promise<Map<string, ToolResult>> {
  const perTurn = 6
  const turns: { tools: ToolUse[] }[] = []
  for (let at = 0; at < items.length; at += perTurn) {
    const tools = items.slice(at, at + perTurn).map((item) => delegate(`Do case:${item.id} now`))
    turns.push({ tools })
  }
  const outcome = await runHost({
    script: [...turns, { text: 'done' }],
    cases: items,
    env: { STANDIN_TIME_SCALE: '1000' },
    timeLimit: 60_000,
    ...(config === undefined ? {} : { config }),
  })
  assertHostSucceeded(outcome)
  const results = allToolResults(outcome.requests)
  assert.equal(results.length, items.length)
  return new Map(items.map((item, index) => [item.id, results[index] as ToolResult]))
}

function assertWanted(item: RunCase, content: string): void {
  const { stop, answer, category, absent = [], present = [] } = item.want
  if (stop === 'completed') {
    if ((answer ?? '').length > 50_000) {
      // The host keeps long results in a file and shows the model a beginning and the path.
      assert.ok(content.startsWith((answer ?? '').slice(0, 1000)), 'the long answer was not kept')
      assert.ok(content.length < (answer ?? '').length)
    } else assert.equal(content, answer)
    return
  }
  if (category === undefined) assert.ok(content.startsWith('Error: '))
  else assertFailure(content, category)
  for (const text of absent) assert.ok(!content.includes(text), `${text} is shown: ${content}`)
  for (const text of present) assert.ok(content.includes(text), `${text} is missing: ${content}`)
}

describe('every recorded stream and failure, through the real host', () => {
  const groups = Map.groupBy(runCases, (item) => JSON.stringify(item.want.config))
  for (const items of groups.values()) {
    const config = items[0]?.want.config
    const title = config === undefined ? 'the default configuration' : JSON.stringify(config)
    test(`the ${items.length} cases under ${title}`, async (t) => {
      const results = await replayAll(items, config)
      for (const item of items) {
        await t.test(`${item.id}: ${item.expect}`, () => {
          assertWanted(item, results.get(item.id)?.content ?? '')
        })
      }
    })
  }
})
