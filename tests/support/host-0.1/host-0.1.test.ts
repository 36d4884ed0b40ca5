// The in-process host of generation 0.1: that the installed services are really mounted and reach
// each other, with a plugin that runs no process.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import type { Context } from '@deepseek-ai/cordis'
import { defineTool } from '@deepseek-ai/dsh-tools'
import { bootHost01 } from './boot.ts'
import type { Host01 } from './boot.ts'

let host: Host01 | undefined

afterEach(async () => {
  await host?.dispose()
  host = undefined
})

/** A tool that starts a background job which lasts until it is cancelled. */
const jobPlugin = {
  name: 'job-plugin',
  inject: ['tools', 'jobs'],
  apply(ctx: Context) {
    ctx.tools.register(
      defineTool({
        name: 'lasting_job',
        description: 'Starts a job.',
        parameters: { label: { type: 'string', required: true, description: 'A label.' } },
        output: {
          schema: { type: 'string' },
          render: (_args, id) => [{ type: 'text', text: `started ${id}` }],
        },
        async execute({ label }, { agent }) {
          const done = Promise.withResolvers<{ status: 'killed' }>()
          ctx.logger.info(`job ${label}`)
          return ctx.jobs.start({
            kind: 'subagent',
            label,
            ...(agent === undefined ? {} : { owner: agent }),
            run: () => ({ cancel: () => done.resolve({ status: 'killed' }), done: done.promise }),
          })
        },
      }),
    )
  },
}

test('the tool, job and subagent services of the installed host are there', async () => {
  host = await bootHost01()
  assert.deepEqual(host.toolNames(), ['job_output', 'job_list', 'job_kill'])
  assert.equal('start' in host.ctx.subagents, true)
  assert.equal('startActivation' in host.ctx.subagents, false)
  assert.equal(typeof host.ctx.subprocess.spawn, 'function')
})

test('without jobs there is neither the service nor its tools', async () => {
  host = await bootHost01({ jobs: false })
  assert.deepEqual(host.toolNames(), [])
  assert.equal(host.ctx.get('jobs'), undefined)
})

test('a tool is called as a model calls it, and its log lines are kept', async () => {
  host = await bootHost01({ plugin: jobPlugin })
  const parent = host.parent({ cwd: '/project' })
  const call = await host.call('lasting_job', { label: 'x' }, { parent })
  assert.deepEqual(call, { isError: false, text: 'started subagent-1', value: 'subagent-1' })
  const bad = await host.call('lasting_job', {}, { parent })
  assert.equal(bad.isError, true)
  assert.match(bad.text, /^Error: /)
  assert.deepEqual(host.logs, [{ level: 'info', name: 'job-plugin', text: 'job x' }])
  assert.deepEqual(host.tool('lasting_job').parameters, ['label'])
})

test('a job belongs to its parent: the parent is told of its end, and leaving stops it', async () => {
  host = await bootHost01({ plugin: jobPlugin })
  const parent = host.parent({ cwd: '/project' })
  await host.call('lasting_job', { label: 'x' }, { parent })
  await host.call('lasting_job', { label: 'y' }, { parent })
  const killed = await host.call('job_kill', { job_id: 'subagent-1' }, { parent })
  assert.equal(killed.isError, false)
  const listed = await host.call('job_list', {}, { parent })
  assert.match(listed.text, /subagent-1 \[subagent\] killed/)
  assert.match(listed.text, /subagent-2 \[subagent\] running/)
  await parent.leave()
  assert.deepEqual(host.ctx.jobs.list(parent.agent), [])
})

test('a second mount of one tool name fails with the registry message', async () => {
  host = await bootHost01({ plugin: jobPlugin })
  await assert.rejects(host.mount({ ...jobPlugin }), /"lasting_job" is already registered/)
})
