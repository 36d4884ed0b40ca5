// Cases of cases.jsonl through the real host: the parent model gets exactly the answer, or a failure
// of the right category that hides what it must. TEST_CASES=all replays every case of the file.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleCases, type RunCase } from '../support/cases.ts'
import { anotherInstance, assertHostSucceeded, runHost } from '../support/dsh-host.ts'
import { allToolResults, type ToolResult, type ToolUse } from '../support/model-server.ts'
import { assertFailure, delegate } from './scripted.ts'

interface Instance {
  readonly tool: string
  readonly config: Readonly<Record<string, unknown>>
}

/** An instance of the plugin for each configuration that a case needs. */
const instances = new Map<string, Instance>()
for (const { want } of exampleCases) {
  const at = instances.size
  const config = { providerName: `cursor-${at}`, toolName: `cursor_${at}`, ...want.config }
  const key = JSON.stringify(want.config)
  if (!instances.has(key)) instances.set(key, { tool: config.toolName, config })
}

/** Delegates every case within one boot, some at a time. */
async function replayAll(items: readonly RunCase[]): Promise<Map<string, ToolResult>> {
  const perTurn = 6
  const turns: { tools: ToolUse[] }[] = []
  for (let at = 0; at < items.length; at += perTurn) {
    const tools = items
      .slice(at, at + perTurn)
      .map(({ id, want }) =>
        delegate(`Do case:${id} now`, instances.get(JSON.stringify(want.config))?.tool),
      )
    turns.push({ tools })
  }
  const outcome = await runHost({
    script: [...turns, { text: 'done' }],
    cases: items,
    env: { STANDIN_TIME_SCALE: '1000' },
    timeLimit: 110_000,
    patches: [...instances.values()].map(({ config }) => anotherInstance(config)),
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

test('recorded streams, failure texts and endings', async (t) => {
  const results = await replayAll(exampleCases)
  for (const item of exampleCases) {
    await t.test(`${item.id}: ${item.expect}`, () => {
      assertWanted(item, results.get(item.id)?.content ?? '')
    })
  }
})
