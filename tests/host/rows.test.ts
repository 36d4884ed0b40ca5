// The plugin's rows on the real host: several instances, configurations that must not load, and
// edits of the row while the host runs.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import {
  assertHostSucceeded,
  ROW_ID,
  runHost,
  secondInstance,
  startHost,
  TOOL_NAME,
} from '../support/dsh-host.ts'
import { allToolResults, lastToolResults } from '../support/model-server.ts'
import { assertNoProcess, fileText } from '../support/processes.ts'
import { delegate, inBackground, jobId, resultLine, toolNames } from './scripted.ts'

const linux = process.platform === 'linux'

describe('several instances', () => {
  test('two instances with their own names both work', async () => {
    const outcome = await runHost({
      patches: [
        secondInstance({
          providerName: 'cursor-ask',
          toolName: 'ask_cursor',
          permissionMode: 'ask',
        }),
      ],
      script: [
        { tools: [delegate('Reply with exactly: PONG'), delegate('Say something.', 'ask_cursor')] },
        { text: 'done' },
      ],
    })
    assertHostSucceeded(outcome)
    const modes = outcome.starts.map((start) => [start.prompt, start.options['mode']])
    assert.deepEqual(
      new Map(modes as [string, unknown][]),
      new Map([
        ['Reply with exactly: PONG', undefined],
        ['Say something.', 'ask'],
      ]),
    )
    assert.ok(allToolResults(outcome.requests).every((item) => !item.content.startsWith('Error')))
  })

  for (const [field, config] of [
    ['providerName', { toolName: 'ask_cursor' }],
    ['toolName', { providerName: 'cursor-ask' }],
  ] as const) {
    test(`a second instance with the same ${field} fails the load and names the field`, async () => {
      const outcome = await runHost({ patches: [secondInstance(config)], script: [] })
      assert.equal(outcome.code, 1)
      assert.match(outcome.stderr, new RegExp(field))
      assert.equal(outcome.requests.length, 0)
    })
  }
})

describe('a bad configuration fails the load', { concurrency: 2 }, () => {
  const bad: readonly (readonly [Record<string, unknown>, ...RegExp[]])[] = [
    [{ permissionMode: 'safer' }, /permissionMode/, /safer/, /trust.*safe.*yolo.*plan.*ask/s],
    [{ permisionMode: 'ask' }, /permisionMode/, /permissionMode/],
    [{ timeoutMs: -1 }, /timeoutMs/, /-1/],
    [{ stallTimeoutMs: 3e9 }, /stallTimeoutMs/, /3000000000/],
    [{ disposeGraceMs: 0 }, /disposeGraceMs/],
    [{ cliPath: 'bin/index.js' }, /cliPath/, /bin\/index\.js/],
    [{ model: '--force' }, /model/, /--force/],
    [{ toolName: 'a tool' }, /toolName/, /a tool/],
    [{ providerName: '' }, /providerName/],
    [{ readOnlySessions: 'maybe' }, /readOnlySessions/, /refuse.*allow/s],
  ]
  for (const [config, ...patterns] of bad) {
    test(`${JSON.stringify(config)} names the field and the value`, async () => {
      const outcome = await runHost({ config, script: [] })
      assert.equal(outcome.code, 1, outcome.stderr)
      assert.equal(outcome.requests.length, 0)
      for (const pattern of patterns) assert.match(outcome.stderr, pattern)
    })
  }
})

test('editing the row renames the tool, disabling it removes the tool, and a run in flight goes on', async () => {
  let job = ''
  let phase: 'start' | 'renaming' | 'removing' | 'collecting' = 'start'
  const host = await startHost({
    cases: [
      {
        id: 'late',
        readyFile: 'late.ready',
        waitForFile: 'go',
        stdout: [resultLine('the late answer')],
      },
    ],
    script: async (request) => {
      // Something harmless that makes the host ask again, until it has taken over the edit. The
      // host can miss an edit that follows another within half a second, so it is saved again.
      const askAgain = { tool: 'bash', args: { command: 'sleep 1', description: 'wait' } }
      const rename = () => host.reconfigure({ config: { toolName: 'renamed_tool' } })
      const disable = () => host.reconfigure({ patches: [{ id: ROW_ID, disabled: true }] })
      const names = toolNames(request)
      if (phase === 'start') {
        if (job === '' && request.messages.at(-1)?.role === 'user') {
          return inBackground('Do case:late now')
        }
        job = jobId(request)
        await fileText(join(host.workspace, 'late.ready'))
        await rename()
        phase = 'renaming'
        return askAgain
      }
      if (phase === 'renaming') {
        if (!names.includes('renamed_tool')) {
          await rename()
          return askAgain
        }
        assert.ok(!names.includes(TOOL_NAME))
        await disable()
        phase = 'removing'
        return askAgain
      }
      if (phase === 'removing') {
        if (names.includes('renamed_tool')) {
          await disable()
          return askAgain
        }
        phase = 'collecting'
        await writeFile(join(host.workspace, 'go'), '')
        return { tool: 'job_output', args: { job_id: job, wait: true, timeout_ms: 20_000 } }
      }
      return { text: 'done' }
    },
    timeLimit: 40_000,
  })
  try {
    const result = await host.exited
    assert.equal(host.model.scriptError, undefined)
    assertHostSucceeded(result)
    assert.equal(phase, 'collecting')
    const last = host.model.requests.at(-1)
    assert.ok(last)
    assert.match(lastToolResults(last)[0]?.content ?? '', /the late answer/)
    if (linux) await assertNoProcess(host.mark, 1000)
  } finally {
    await host.dispose()
  }
})
