// Background delegations on the real host: a job at once, progress without content, the answer at
// the end of the job's output, and nothing left after a kill.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { assertHostSucceeded, startHost } from '../support/dsh-host.ts'
import { lastToolResults } from '../support/model-server.ts'
import { assertNoProcess, fileText, markedProcesses, until } from '../support/processes.ts'
import { inBackground, jobId, resultLine } from './scripted.ts'

const linux = process.platform === 'linux'

const TOOL_CALL = JSON.stringify({
  type: 'tool_call',
  subtype: 'started',
  call_id: 'a',
  tool_call: { readToolCall: { args: { path: 'secret-name.txt' } } },
})

test(
  'jobs return at once; they end as killed, as failed and with the answer',
  { skip: !linux },
  async () => {
    const output = (job: string) => ({
      tool: 'job_output',
      args: { job_id: job, wait: true, timeout_ms: 20_000 },
    })
    const seen: string[] = []
    let late = ''
    const host = await startHost({
      cases: [
        { id: 'stuck', readyFile: 'stuck.ready', helper: 'holds-pipes', hang: true },
        { id: 'login', stderr: 'Error: Authentication required.\n', exit: 1 },
        {
          id: 'late',
          readyFile: 'late.ready',
          waitForFile: 'go',
          stdout: [TOOL_CALL, resultLine('the late answer')],
        },
      ],
      config: { disposeGraceMs: 200 },
      script: async (request, index) => {
        const steps = [
          () => inBackground('Do case:stuck now'),
          async () => {
            const job = jobId(request)
            await fileText(join(host.workspace, 'stuck.ready'))
            return { tool: 'job_kill', args: { job_id: job } }
          },
          async () => {
            // Before the host ends: it would kill what is left.
            await until(() => markedProcesses(host.mark).every(({ pid }) => pid === host.pid), {
              what: 'only the host is alive',
              within: 3000,
            })
            return inBackground('Do case:login now')
          },
          () => output(jobId(request)),
          () => inBackground('Do case:late now'),
          async () => {
            late = jobId(request)
            await fileText(join(host.workspace, 'late.ready'))
            return { tool: 'job_output', args: { job_id: late } }
          },
          async () => {
            await writeFile(join(host.workspace, 'go'), '')
            return output(late)
          },
          () => ({ text: 'done' }),
        ]
        seen.push(lastToolResults(request)[0]?.content ?? '')
        const step = steps[index]
        assert.ok(step, 'the host asked again after the end')
        return step()
      },
    })
    try {
      const result = await host.exited
      assert.equal(host.model.scriptError, undefined)
      assertHostSucceeded(result)
      const [failed = '', , before = '', last = ''] = seen.slice(4)
      assert.match(failed, /^(.*: )?not-authenticated: /m)
      assert.match(failed, /\[status: failed/)
      assert.match(before, /\[status: running\]/)
      assert.ok(!before.includes('the late answer'))
      assert.match(last, /the late answer\s+\[status: completed\]\s*$/)
      assert.ok(!(before + last).includes('secret-name'), 'progress shows tool inputs')
      await assertNoProcess(host.mark, 1000)
    } finally {
      await host.dispose()
    }
  },
)
