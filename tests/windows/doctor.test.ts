// `dsh-subagent-cursor doctor` on Windows, as a process of its own with its own way of starting the
// CLI. What each check means is the business of tests/process/doctor.test.ts.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { localProcesses } from '../../src/doctor/local-processes.ts'
import type { Report } from '../../src/doctor/report.ts'
import { writeCaseFile } from '../support/cases.ts'
import { DEFAULT_VERSION, makeInstall, type Install } from '../support/install.ts'
import { isAlive, until } from '../support/processes.ts'
import { readRecord, readStarts } from '../support/record.ts'
import { makeUser, USER_NAMES, type User } from './support.ts'

const MAIN = fileURLToPath(new URL('../../src/doctor/main.ts', import.meta.url))

let user: User
let install: Install

before(async () => {
  user = await makeUser(USER_NAMES["a name of cmd's own characters"])
  install = await makeInstall({ root: user.data })
})

after(() => user.remove())

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

async function doctor(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const child = spawn(process.execPath, [MAIN, 'doctor', ...args], {
    cwd: user.profile,
    env: {
      ...process.env,
      USERPROFILE: user.profile,
      LOCALAPPDATA: user.local,
      STANDIN_RECORD: join(user.profile, 'record.jsonl'),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), closed])
  return { code, stdout, stderr }
}

describe('doctor on Windows', () => {
  test('finds the install, runs the CLI and proves a run with the probe', async () => {
    const { code, stdout, stderr } = await doctor(['--json', '--probe'])
    const report = JSON.parse(stdout) as Report
    assert.equal(code, 0, `${stdout}\n${stderr}`)
    assert.ok(report.ok)
    assert.ok(stdout.includes(DEFAULT_VERSION))
    assert.match(stdout, /win32/)
    const starts = await readStarts(join(user.profile, 'record.jsonl'))
    assert.ok(starts.some(({ action }) => action === 'run'))
    for (const start of starts) assert.equal(start.entry, install.indexPath)
  })

  test('shows no path with the name of the user in it', async () => {
    const { stdout } = await doctor([])
    assert.match(stdout, /~\\AppData\\Local\\cursor-agent/)
    assert.ok(!stdout.includes(USER_NAMES["a name of cmd's own characters"]), stdout)
  })

  test('fails where nothing is installed, says so and what to do', async () => {
    const empty = join(user.profile, 'Empty')
    await mkdir(empty)
    const { code, stdout } = await doctor([], { LOCALAPPDATA: empty })
    assert.equal(code, 1)
    assert.match(stdout, /cliPath/)
  })

  test("its own process handle kills a tree as the host's does", async () => {
    const record = join(user.profile, 'tree.jsonl')
    const item = { helper: 'holds-pipes', ignoreSigterm: true, hang: true } as const
    const file = await writeCaseFile(user.profile, 'hanging', item)
    const { spawn: start } = localProcesses()
    const child = start({
      argv: [install.nodePath, install.indexPath, '-p', 'two words'],
      cwd: user.profile,
      env: { STANDIN_RECORD: record, STANDIN_CASE: file },
      stdio: { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
      graceMs: 3000,
    })
    const pids = await until(
      async () => {
        const entries = await readRecord(record)
        return entries.length === 2 && entries.map(({ pid }) => pid)
      },
      { what: 'the CLI has started its helper', within: 30_000 },
    )
    assert.ok(pids.includes(child.pid ?? -1))
    child.terminate()
    assert.equal(await child.waitForExit(), true)
    await child.done
    await until(() => !pids.some(isAlive), { what: 'the whole tree is gone' })
  })
})
