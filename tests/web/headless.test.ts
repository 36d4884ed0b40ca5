// A headless profile needs nothing of the page's parts: with them cut out of the package it loads
// and delegates as before.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { assertHostSucceeded, packPlugin, runHost, scratchDirectory } from '../support/dsh-host.ts'
import { lastToolResults } from '../support/model-server.ts'

const run = promisify(execFile)

it('delegates in a headless profile with the parts for the page removed', async () => {
  const directory = await scratchDirectory('without-page')
  await run('tar', ['-xzf', await packPlugin(), '-C', directory])
  const packed = await readdir(join(directory, 'package'))
  for (const name of ['tests', 'src', 'scripts', 'bench']) {
    assert.ok(!packed.includes(name), `${name}/ is not published`)
  }
  // Without `force`: what is removed must have been there.
  await rm(join(directory, 'package/lib/client.cjs'))
  await rm(join(directory, 'package/lib/web'), { recursive: true })
  const tarball = join(directory, 'without-page.tgz')
  await run('tar', ['-czf', tarball, '-C', directory, 'package'])

  const outcome = await runHost({
    tarball,
    script: [
      { tool: 'subagent_cursor', args: { description: 'A task', prompt: 'Do the task.' } },
      { text: 'Done.' },
    ],
  })
  assertHostSucceeded(outcome)
  const request = outcome.requests[1]
  assert.ok(request)
  assert.equal(lastToolResults(request)[0]?.content, 'This is the answer of the stand-in CLI.')
})
