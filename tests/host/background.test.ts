// Background delegations on the real host: a job at once, progress without content, the answer at
// the end of the job's output, and nothing left after a kill.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { assertHostSucceeded, runHost, startHost } from '../support/dsh-host.ts'
import { allToolResults, lastToolResults } from '../support/model-server.ts'
import { assertNoProcess, fileText, markedProcesses, until } from '../support/processes.ts'
import { inBackground, jobId, resultLine } from './scripted.ts'

const linux = process.platform === 'linux'

describe('background delegations', () => {
  const TOOL_CALL = JSON.stringify({
    type: 'tool_call',
    subtype: 'started',
    call_id: 'a',
    tool_call: { readToolCall: { args: { path: 'secret-name.txt' } } },
  })

  test('a background call returns a job at once; its output ends with the answer', async () => {
    let job = ''
    let outputBefore = ''
    const host = await startHost({
      cases: [
        {
          id: 'late',
          readyFile: 'late.ready',
          waitForFile: 'go',
          stdout: [TOOL_CALL, resultLine('the late answer')],
        },
      ],
      script: async (request, index) => {
        if (index === 0) return inBackground('Do case:late now')
        if (index === 1) {
          job = jobId(request)
          await fileText(join(host.workspace, 'late.ready'))
          return { tool: 'job_output', args: { job_id: job } }
        }
        if (index === 2) {
          outputBefore = lastToolResults(request)[0]?.content ?? ''
          await writeFile(join(host.workspace, 'go'), '')
          return { tool: 'job_output', args: { job_id: job, wait: true, timeout_ms: 20_000 } }
        }
        return { text: 'done' }
      },
    })
    try {
      const result = await host.exited
      assert.equal(host.model.scriptError, undefined)
      assertHostSucceeded(result)
      assert.match(outputBefore, /\[status: running\]/)
      assert.ok(!outputBefore.includes('the late answer'))
      const last = host.model.requests.at(-1)
      assert.ok(last)
      const content = lastToolResults(last)[0]?.content ?? ''
      assert.match(content, /the late answer\s+\[status: completed\]\s*$/)
      assert.ok(!content.includes('secret-name'), 'progress shows tool inputs')
      if (linux) await assertNoProcess(host.mark, 1000)
    } finally {
      await host.dispose()
    }
  })

  test('a failed background call ends the job as failed, with the category', async () => {
    let job = ''
    const outcome = await runHost({
      cases: [{ id: 'login', stderr: 'Error: Authentication required.\n', exit: 1 }],
      script: (request, index) => {
        if (index === 0) return inBackground('Do case:login now')
        if (index > 1) return { text: 'done' }
        job = jobId(request)
        return { tool: 'job_output', args: { job_id: job, wait: true, timeout_ms: 20_000 } }
      },
    })
    assertHostSucceeded(outcome)
    const content = allToolResults(outcome.requests)[1]?.content ?? ''
    assert.match(content, /^(.*: )?not-authenticated: /m)
    assert.match(content, /\[status: failed/)
  })

  test('a killed job has left no process while the host goes on', { skip: !linux }, async () => {
    const host = await startHost({
      cases: [{ id: 'stuck', readyFile: 'stuck.ready', helper: 'holds-pipes', hang: true }],
      config: { disposeGraceMs: 200 },
      script: async (request, index) => {
        if (index === 0) return inBackground('Do case:stuck now')
        if (index > 1) {
          // Before the host ends: it would kill what is left.
          await until(() => markedProcesses(host.mark).every(({ pid }) => pid === host.pid), {
            what: 'only the host is alive',
            within: 3000,
          })
          return { text: 'done' }
        }
        const job = jobId(request)
        await fileText(join(host.workspace, 'stuck.ready'))
        return { tool: 'job_kill', args: { job_id: job } }
      },
    })
    try {
      const result = await host.exited
      assert.equal(host.model.scriptError, undefined)
      assertHostSucceeded(result)
      await assertNoProcess(host.mark, 1000)
    } finally {
      await host.dispose()
    }
  })
})
