// The stand-in CLI as a program: what of the real CLI's command line its library does not decide.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { STAND_IN } from '../support/install.ts'

test('an unknown option is echoed whole, with the prompt that is in it, and exits 1', () => {
  const run = spawnSync(process.execPath, [STAND_IN, '-p', '--seriously reply with OK'])
  assert.equal(run.status, 1)
  assert.equal(run.stderr.toString(), "error: unknown option '--seriously reply with OK'\n")
  assert.equal(run.stdout.length, 0)
})

test('print mode without a prompt waits for stdin, and fails when it holds none', () => {
  const empty = spawnSync(process.execPath, [STAND_IN, '-p'], { input: ' \n' })
  assert.equal(empty.status, 1)
  assert.equal(empty.stderr.toString(), 'Error: No prompt provided for print mode\n')
  const given = spawnSync(process.execPath, [STAND_IN, '-p'], { input: 'Reply with exactly: PONG' })
  assert.equal(given.stdout.toString(), 'PONG\n')
})
