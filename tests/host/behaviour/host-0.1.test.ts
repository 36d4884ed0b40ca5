// The behaviour on hosts of generation 0.1: the shared suite on the installed services, and what is
// 0.1's own: the call that waits for the answer, and background jobs.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import * as plugin from '../../../src/index.ts'
import { bootHost01, type Host01 } from '../../support/host-0.1/boot.ts'
import type { ToolOutcome } from '../../support/in-process-host.ts'
import { fileText, until } from '../../support/processes.ts'
import type { StandInCase } from '../../support/record.ts'
import { events, TOOL, type Config, type Ending, type Generation, type Rig } from './rig.ts'
import { suite, useRig } from './suite.ts'

const generation: Generation<Host01> = {
  name: '0.1',
  plugin,
  capabilityNames: ['outputSchema', 'depthLimit', 'toolFilter', 'persona'],
  badDirectory: 'bad-cwd',
  boot: bootHost01,
  delegate(host, tool, args, { parent, signal }) {
    const controller = new AbortController()
    const call = host.call(tool, args, { parent, signal: signal ?? controller.signal })
    return { call, ending: call.then(endingOf), cancel: () => controller.abort() }
  },
}

/** The model reads a failure as the host's `Error: `, the diagnostic, and the stop reason as its second line. */
function endingOf({ isError, text }: ToolOutcome): Ending {
  if (!isError) return { stop: 'completed', text }
  const [, headline = '', stop, rest = ''] =
    /^Error: ([^\n]*)(?:\nstop reason: (\S+))?([^]*)$/.exec(text) ?? []
  const failure = headline + rest
  if (stop !== undefined) return { stop: stop as Ending['stop'], text: failure }
  return { stop: failure.startsWith('aborted: ') ? 'aborted' : 'refused', text: failure }
}

suite(generation)

const makeRig = useRig(generation)
const boot = async (config: Config = {}): Promise<Rig<Host01>> => (await makeRig()).boot({ config })
const STUBBORN: StandInCase = { ignoreSigterm: true, helper: 'holds-pipes', hang: true }

async function recordedToolCalls(call: Promise<ToolOutcome>): Promise<unknown> {
  return ((await call).value as { run: { toolCalls?: number } }).run.toolCalls
}

describe('the call on a 0.1 host', () => {
  test('it offers run_in_background and no cwd', async () => {
    const rig = await boot()
    assert.deepEqual(rig.host.tool(TOOL).parameters, [
      'description',
      'prompt',
      'read_only',
      'run_in_background',
    ])
    assert.doesNotMatch(rig.host.tool(TOOL).description, /interrupt_agent/)
  })

  test('the 0.1 delivery is in use: the call itself returns the answer (src/dsh/delivery-0.1.ts)', async () => {
    const rig = await boot()
    const stdout = [
      events.toolCall('started', 'a'),
      events.toolCall('completed', 'a'),
      events.result('the answer'),
    ]
    const call = await rig.delegate(await rig.task({ stdout })).call
    assert.equal(call.text, 'the answer')
    const { kind, answer, run } = call.value as {
      kind: string
      answer: string
      run: Record<string, unknown>
    }
    assert.deepEqual([kind, answer], ['answer', 'the answer'])
    const { durationMs, ...rest } = run
    assert.equal(typeof durationMs, 'number')
    assert.deepEqual(rest, { mode: 'trust', stopReason: 'completed', toolCalls: 1 })
    assert.deepEqual(rig.parent.notices, [])
  })

  test('a failure reads as the diagnostic, with the stop reason behind its first line', async () => {
    const rig = await boot()
    const call = await rig.delegate(
      await rig.task({ stderr: 'Error: Authentication required.\n', exit: 1 }),
    ).call
    assert.equal(call.isError, true)
    assert.match(call.text, /^Error: not-authenticated: [^\n]*\nstop reason: error\nexit code: 1/)
  })

  test('calls that share the signal of their step record each their own run', async () => {
    const rig = await boot()
    const { signal } = new AbortController()
    const call = async (item: StandInCase): Promise<ToolOutcome> =>
      rig.delegate(await rig.task(item), { signal }).call
    const first = call({
      readyFile: 'one',
      waitForFile: 'two',
      stdout: [
        events.toolCall('started', 'a'),
        events.toolCall('completed', 'a'),
        events.result('first'),
      ],
    })
    await fileText(rig.file('one'))
    const second = call({ readyFile: 'two', waitForFile: 'go', stdout: [events.result('second')] })
    assert.equal(await recordedToolCalls(first), 1)
    await writeFile(rig.file('go'), '')
    assert.equal(await recordedToolCalls(second), 0)
  })
})

interface Job {
  readonly id: string
  output(wait?: boolean): Promise<string>
  kill(): Promise<ToolOutcome>
}

async function startJob(rig: Rig<Host01>, prompt: string): Promise<Job> {
  const { host, parent } = rig
  const call = await rig.delegate(prompt, { args: { run_in_background: true } }).call
  assert.equal(call.isError, false, call.text)
  const { kind, jobId } = call.value as { kind: string; jobId: string }
  assert.equal(kind, 'background')
  assert.ok(call.text.includes(jobId), call.text)
  const output = async (wait = false): Promise<string> => {
    const read = { job_id: jobId, wait, timeout_ms: 20_000 }
    return (await host.call('job_output', read, { parent })).text
  }
  return {
    id: jobId,
    output,
    kill: () => host.call('job_kill', { job_id: jobId }, { parent }),
  }
}

describe('a background job on a 0.1 host', () => {
  test('its output counts while it runs, shows no content, and ends with the answer, once', async () => {
    const rig = await boot()
    const job = await startJob(
      rig,
      await rig.task({
        stdout: [
          events.assistant('thinking of otters'),
          events.toolCall('started', 'private-file.txt'),
          events.toolCall('started', 'other-file.txt'),
        ],
        hang: true,
      }),
    )
    const running = await until(
      async () => {
        const text = await job.output()
        assert.ok(!/otters|private-file/.test(text), text)
        return /2 tool calls/.test(text) && text
      },
      { what: 'the job counts two tool calls' },
    )
    assert.match(running, /^running for \d+ s, 2 tool calls so far\n\[status: running\]$/)
    await job.kill()
    await job.output(true)
    await rig.assertNoProcess()

    const next = await startJob(
      rig,
      await rig.task({ waitForFile: 'go', stdout: [events.result('the late answer')] }),
    )
    assert.match(await next.output(), /^running for \d+ s, 0 tool calls so far\n/)
    await writeFile(rig.file('go'), '')
    assert.equal(await next.output(true), 'the late answer\n[status: completed]')
    assert.equal(await next.output(), '(no new output)\n[status: completed]')
    await rig.assertNoProcess()
  })

  test('its owner is told when it has finished', async () => {
    const rig = await boot()
    const job = await startJob(rig, await rig.task({ stdout: [events.result('done')] }))
    const notice = await rig.parent.firstNotice()
    assert.ok(notice.text.includes(job.id))
    assert.match(notice.text, /completed/)
    assert.ok(!notice.text.includes('done\n'))
    await rig.assertNoProcess()
  })

  test('the call returns before the CLI has said anything, and ends with its turn unharmed', async () => {
    const rig = await boot()
    const controller = new AbortController()
    const prompt = await rig.task({
      readyFile: 'up',
      waitForFile: 'go',
      stdout: [events.result('ok')],
    })
    const { host, parent } = rig
    const { signal } = controller
    const call = await rig.delegate(prompt, { args: { run_in_background: true }, signal }).call
    await fileText(rig.file('up'))
    controller.abort()
    await writeFile(rig.file('go'), '')
    const { jobId } = call.value as { jobId: string }
    const read = { job_id: jobId, wait: true, timeout_ms: 20_000 }
    assert.match((await host.call('job_output', read, { parent })).text, /^ok\n/)
  })

  test('a failed run is a failed job, with the diagnostic as its output', async () => {
    const rig = await boot()
    const job = await startJob(
      rig,
      await rig.task({ stderr: 'Error: Authentication required.\n', exit: 1 }),
    )
    const text = await job.output(true)
    assert.match(text, /^not-authenticated: /)
    assert.match(text, /\[status: failed, not-authenticated: .*\]$/)
  })

  test('a request that cannot be started is a failed job', async () => {
    const rig = await boot()
    const job = await startJob(rig, ' ')
    assert.match(await job.output(true), /^prompt-rejected: [^]*\[status: failed, prompt-rejected/)
    assert.deepEqual(await rig.starts(), [])
  })

  test('a killed job leaves no process, however stubborn its CLI', async () => {
    const rig = await boot({ disposeGraceMs: 200 })
    const job = await startJob(rig, await rig.task({ ...STUBBORN, readyFile: 'up' }))
    await fileText(rig.file('up'))
    assert.equal((await job.kill()).isError, false)
    assert.match(await job.output(true), /\[status: killed\]$/)
    await rig.assertNoProcess()
  })

  test('a parent that leaves takes its job along', async () => {
    const rig = await boot({ disposeGraceMs: 200 })
    await startJob(rig, await rig.task({ ...STUBBORN, readyFile: 'up' }))
    await fileText(rig.file('up'))
    await rig.parent.leave()
    await rig.assertNoProcess()
  })

  test('a job goes on when the plugin is removed', async () => {
    const rig = await boot()
    const item = { readyFile: 'up', waitForFile: 'go', stdout: [events.result('the late answer')] }
    const job = await startJob(rig, await rig.task(item))
    await fileText(rig.file('up'))
    await rig.plugin.dispose()
    assert.match(await job.output(), /^running for /)
    await writeFile(rig.file('go'), '')
    assert.equal(await job.output(true), 'the late answer\n[status: completed]')
  })

  test('without a job service the call says that background jobs are unavailable', async () => {
    const rig = await makeRig()
    await rig.boot({ jobs: false })
    const call = await rig.delegate('Do it now.', { args: { run_in_background: true } }).call
    assert.equal(call.isError, true)
    assert.match(call.text, /^Error: background jobs unavailable: /)
    assert.deepEqual(await rig.starts(), [])
  })
})
