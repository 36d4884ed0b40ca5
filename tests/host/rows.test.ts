// The plugin's row on the real host: a configuration that must not load, and edits of the row while
// the host runs.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { assertHostSucceeded, ROW_ID, runHost, startHost, TOOL_NAME } from '../support/dsh-host.ts'
import { lastToolResults } from '../support/model-server.ts'
import { assertNoProcess, fileText } from '../support/processes.ts'
import { inBackground, jobId, resultLine, toolNames } from './scripted.ts'

const linux = process.platform === 'linux'

// Every other configuration that must not load is data of the suite on in-process hosts.
test('a bad configuration ends the host, and its text names the field, the value and what is allowed', async () => {
  const outcome = await runHost({ config: { permissionMode: 'safer' }, script: [] })
  assert.equal(outcome.code, 1, outcome.stderr)
  assert.equal(outcome.requests.length, 0)
  for (const pattern of [/permissionMode/, /safer/, /trust.*safe.*yolo.*plan.*ask/s])
    assert.match(outcome.stderr, pattern)
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
