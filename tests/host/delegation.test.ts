// The plugin as a user has it: packed, installed into the real host with the real package manager,
// called by a (scripted) parent model, with the stand-in CLI in the place of Cursor's. Asserted is
// what reaches the CLI, what reaches the parent model, and which processes are left.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import {
  anotherInstance,
  assertHostSucceeded,
  runHost,
  startHost,
  TOOL_NAME,
} from '../support/dsh-host.ts'
import { allToolResults, lastToolResults } from '../support/model-server.ts'
import { assertNoProcess, fileText, markedProcesses } from '../support/processes.ts'
import { assertFailure, delegate, resultLine } from './scripted.ts'

const linux = process.platform === 'linux'

describe('a delegation on the real host', () => {
  test('the tool is offered; the command line is the documented one; prompts stay prompts', async () => {
    const like = ['--force and delete everything', '- item one\n- item two', 'logout', 'help', '--']
    const outcome = await runHost({
      script: [
        delegate('Reply with exactly: PONG'),
        ...like.map((prompt) => delegate(prompt)),
        { text: 'It said PONG.' },
      ],
      env: { NODE_OPTIONS: '--no-deprecation', CURSOR_API_KEY: 'ambient-value' },
    })
    assertHostSucceeded(outcome)
    assert.equal(outcome.stdout, 'It said PONG.\n')

    const tool = outcome.requests[0]?.tools.find((item) => item.function.name === TOOL_NAME)
    assert.ok(tool, 'the tool was not sent to the model')
    const { properties, required } = tool.function.parameters as {
      properties: object
      required: string[]
    }
    assert.deepEqual(Object.keys(properties), [
      'description',
      'prompt',
      'read_only',
      'run_in_background',
    ])
    assert.deepEqual(required, ['description', 'prompt'])
    const text = JSON.stringify(tool.function)
    for (const rule of [/Cursor/, /imperative/i, /single-shot/i, /10,000/]) assert.match(text, rule)

    const [start, ...others] = outcome.starts
    assert.equal(
      start?.argv.join(' '),
      '-p --output-format stream-json --trust --approve-mcps Reply with exactly: PONG',
    )
    assert.equal(start?.cwd, outcome.workspace)
    assert.equal(start?.env['CURSOR_INVOKED_AS'], 'cursor-agent')
    assert.equal(start?.env['NODE_OPTIONS'], undefined)
    assert.equal(start?.env['CURSOR_API_KEY'], undefined)
    assert.equal(allToolResults(outcome.requests)[0]?.content, 'PONG')
    assert.deepEqual(
      others.map(({ action, options, prompt }) => [action, options['force'], prompt]),
      like.map((prompt) => ['run', undefined, ` ${prompt}`]),
    )
  })

  test('a read-only session refuses a mode that can write; a configured row reaches the CLI', async () => {
    const ask = {
      providerName: 'cursor-ask',
      toolName: 'ask_cursor',
      model: 'gpt-5',
      permissionMode: 'ask',
      approveMcps: false,
      extraArgs: ['-H', 'X-Test: 1'],
      env: { CURSOR_API_KEY: 'configured-value' },
    }
    const { tool, args } = delegate('Reply with exactly: PONG')
    const outcome = await runHost({
      env: { DSH_PERMISSION_MODE: 'read-only' },
      config: { permissionMode: 'yolo', approveMcps: true },
      patches: [anotherInstance(ask)],
      script: [
        delegate('Say something.'),
        // The refusal's first way out, against everything that the row allows.
        { tool, args: { ...args, read_only: true } },
        delegate('Reply with exactly: PONG', 'ask_cursor'),
        { text: 'done' },
      ],
    })
    assertHostSucceeded(outcome)
    const [refused = '', ...answers] = allToolResults(outcome.requests).map((item) => item.content)
    assertFailure(refused, 'policy-refused')
    assert.match(refused, /readOnlySessions/)
    assert.match(refused, /read_only: true/)
    assert.deepEqual(answers, ['PONG', 'PONG'])
    const [narrowed, asked, ...more] = outcome.starts
    assert.deepEqual(more, [])
    const { mode, force, 'approve-mcps': approveMcps } = narrowed?.options ?? {}
    assert.deepEqual([mode, force, approveMcps], ['ask', undefined, undefined])
    assert.equal(
      asked?.argv.join(' '),
      '-p --output-format stream-json --trust --model gpt-5 --mode ask -H X-Test: 1 Reply with exactly: PONG',
    )
    assert.equal(asked?.env['CURSOR_API_KEY'], 'configured-value')
  })

  test(
    'two calls in one message run side by side, and each gets its own answer',
    { skip: !linux },
    async () => {
      let left: unknown
      // Each CLI waits until the other one is there: in sequence neither would ever end.
      const host = await startHost({
        cases: [
          {
            id: 'one',
            readyFile: 'one.ready',
            waitForFile: 'two.ready',
            stdout: [resultLine('first')],
            helper: 'holds-pipes',
            hang: true,
          },
          {
            id: 'two',
            readyFile: 'two.ready',
            waitForFile: 'one.ready',
            stdout: [resultLine('second')],
          },
        ],
        config: { disposeGraceMs: 200 },
        script: async (request, index) => {
          if (index === 0)
            return { tools: [delegate('Do case:one now'), delegate('Do case:two now')] }
          // The tool waits for dispose(), so at this point nothing may be left: no deadline.
          left = markedProcesses(host.mark).filter((process) => process.pid !== host.pid)
          assert.deepEqual(
            lastToolResults(request).map(({ content }) => content),
            ['first', 'second'],
          )
          return { text: 'done' }
        },
        timeLimit: 20_000,
      })
      try {
        assertHostSucceeded(await host.exited)
        assert.equal(host.model.scriptError, undefined)
        assert.deepEqual(left, [], 'a CLI that outlives its result is gone at the next request')
      } finally {
        await host.dispose()
      }
    },
  )
})

describe('stopping the host', { skip: !linux, concurrency: 2 }, () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    test(`${signal} ends a CLI that ignores SIGTERM and has a helper on its pipes`, async () => {
      const host = await startHost({
        script: [delegate('Do case:stuck now')],
        config: { disposeGraceMs: 200 },
        cases: [
          {
            id: 'stuck',
            readyFile: 'stuck.ready',
            ignoreSigterm: true,
            helper: 'holds-pipes',
            floodStdout: -1,
          },
        ],
      })
      try {
        await fileText(join(host.workspace, 'stuck.ready'))
        host.signal(signal)
        await host.exited
        await assertNoProcess(host.mark, 3000)
      } finally {
        await host.dispose()
      }
    })
  }
})
