// The plugin as a user has it: packed, installed into the real host with the real package manager,
// called by a (scripted) parent model, with the stand-in CLI in the place of Cursor's. Asserted is
// what reaches the CLI, what reaches the parent model, and which processes are left.
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { assertHostSucceeded, ROW_ID, runHost, startHost, TOOL_NAME } from '../support/dsh-host.ts'
import { makeHome } from '../support/install.ts'
import { allToolResults } from '../support/model-server.ts'
import { assertNoProcess, fileText, markedProcesses } from '../support/processes.ts'
import { assertFailure, delegate, delegateOnce, resultLine, toolNames } from './scripted.ts'

const linux = process.platform === 'linux'

describe('a delegation on the real host', () => {
  test('the tool is offered with its parameters, and its description tells the model the rules', async () => {
    const outcome = await runHost({ script: [{ text: 'hello' }] })
    assertHostSucceeded(outcome)
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
  })

  test('a disabled row offers no tool', async () => {
    const outcome = await runHost({
      script: [{ text: 'hello' }],
      patches: [{ id: ROW_ID, disabled: true }],
    })
    assertHostSucceeded(outcome)
    assert.ok(toolNames(outcome.requests[0]).includes('bash'))
    assert.ok(!toolNames(outcome.requests[0]).includes(TOOL_NAME))
  })

  test('the default configuration gives the documented command line, and the answer alone comes back', async () => {
    const outcome = await runHost({
      script: [delegate('Reply with exactly: PONG'), { text: 'It said PONG.' }],
      env: { NODE_OPTIONS: '--no-deprecation', CURSOR_API_KEY: 'ambient-value' },
    })
    assertHostSucceeded(outcome)
    assert.equal(outcome.stdout, 'It said PONG.\n')
    assert.equal(outcome.starts.length, 1)
    const [start] = outcome.starts
    assert.deepEqual(start?.argv, [
      '-p',
      '--output-format',
      'stream-json',
      '--trust',
      '--approve-mcps',
      'Reply with exactly: PONG',
    ])
    assert.equal(start?.cwd, outcome.workspace)
    assert.equal(start?.env['CURSOR_INVOKED_AS'], 'cursor-agent')
    assert.equal(start?.env['NODE_OPTIONS'], undefined)
    assert.equal(start?.env['CURSOR_API_KEY'], undefined)
    assert.deepEqual(
      allToolResults(outcome.requests).map((result) => result.content),
      ['PONG'],
    )
  })

  test('configuration reaches the command line and the environment', async () => {
    const { starts } = await delegateOnce('Say something.', {
      config: {
        model: 'gpt-5',
        permissionMode: 'plan',
        approveMcps: false,
        extraArgs: ['-H', 'X-Test: 1'],
        env: { CURSOR_API_KEY: 'configured-value' },
      },
    })
    assert.deepEqual(starts[0]?.argv, [
      '-p',
      '--output-format',
      'stream-json',
      '--trust',
      '--model',
      'gpt-5',
      '--mode',
      'plan',
      '-H',
      'X-Test: 1',
      'Say something.',
    ])
    assert.equal(starts[0]?.env['CURSOR_API_KEY'], 'configured-value')
  })

  test('prompts that look like options or subcommands reach the CLI as prompts', async () => {
    const prompts = [
      '--force and delete everything',
      '- item one\n- item two',
      'logout',
      'help',
      '--',
    ]
    const outcome = await runHost({
      script: [...prompts.map((prompt) => delegate(prompt)), { text: 'done' }],
    })
    assertHostSucceeded(outcome)
    assert.deepEqual(
      outcome.starts.map((start) => [start.action, start.options['force'], start.prompt]),
      prompts.map((prompt) => ['run', undefined, ` ${prompt}`]),
    )
  })

  test('two calls in one message run side by side, and each gets its own answer', async () => {
    // Each CLI waits until the other one is there: in sequence neither would ever end.
    const outcome = await runHost({
      script: [
        { tools: [delegate('Do case:one now'), delegate('Do case:two now')] },
        { text: 'done' },
      ],
      cases: [
        {
          id: 'one',
          readyFile: 'one.ready',
          waitForFile: 'two.ready',
          stdout: [resultLine('first')],
        },
        {
          id: 'two',
          readyFile: 'two.ready',
          waitForFile: 'one.ready',
          stdout: [resultLine('second')],
        },
      ],
      timeLimit: 20_000,
    })
    assertHostSucceeded(outcome)
    assert.deepEqual(
      allToolResults(outcome.requests).map((result) => result.content),
      ['first', 'second'],
    )
  })

  test('a missing CLI fails the call, names the places looked at, and leaves the host running', async () => {
    const home = await makeHome()
    try {
      await rm(join(home.home, '.local'), { recursive: true })
      const { content, starts } = await delegateOnce('Say something.', { home })
      assertFailure(content, 'cli-not-found')
      assert.match(content, /cliPath/)
      assert.equal(starts.length, 0)
    } finally {
      await home.cleanup()
    }
  })

  test('an install without index.js is a broken install', async () => {
    const home = await makeHome({ index: false })
    try {
      const { content } = await delegateOnce('Say something.', { home })
      assertFailure(content, 'broken-install')
      assert.match(content, /index\.js/)
    } finally {
      await home.cleanup()
    }
  })

  test('a read-only session is not left by a mode that can write', async () => {
    const readOnly = { DSH_PERMISSION_MODE: 'read-only' }
    const refused = await delegateOnce('Say something.', { env: readOnly })
    assertFailure(refused.content, 'policy-refused')
    assert.match(refused.content, /readOnlySessions/)
    assert.match(refused.content, /read_only: true/)
    assert.equal(refused.starts.length, 0)
    // The refusal's first way out, against everything that the row allows.
    const { tool, args } = delegate('Reply with exactly: PONG')
    const narrowed = await runHost({
      script: [{ tools: [{ tool, args: { ...args, read_only: true } }] }, { text: 'done' }],
      env: readOnly,
      config: { permissionMode: 'yolo', approveMcps: true },
    })
    assert.deepEqual(
      narrowed.starts.map(({ options }) => [
        options['mode'],
        options['force'],
        options['approveMcps'],
      ]),
      [['ask', undefined, undefined]],
    )
    const asked = await delegateOnce('Reply with exactly: PONG', {
      env: readOnly,
      config: { permissionMode: 'ask' },
    })
    assert.equal(asked.content, 'PONG')
  })
})

test(
  'a CLI that outlives its result is gone when the host goes on to the next request',
  { skip: !linux },
  async () => {
    let left: unknown
    const host = await startHost({
      cases: [
        {
          id: 'linger',
          stdout: [resultLine('done')],
          helper: 'holds-pipes',
          hang: true,
        },
      ],
      config: { disposeGraceMs: 200 },
      script: async (_request, index) => {
        if (index === 0) return delegate('Do case:linger now')
        // The tool waits for dispose(), so at this point nothing may be left: no deadline.
        left = markedProcesses(host.mark).filter((process) => process.pid !== host.pid)
        return { text: 'done' }
      },
    })
    try {
      assertHostSucceeded(await host.exited)
      assert.equal(host.model.scriptError, undefined)
      assert.deepEqual(left, [])
    } finally {
      await host.dispose()
    }
  },
)

describe('stopping the host', { skip: !linux }, () => {
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
