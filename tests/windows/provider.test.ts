// The plugin as a whole on Windows: mounted on the real services of the installed host, its tool
// called as a model calls it, with the CLI's install in a user's local profile. What a delegation
// does in every case is the business of tests/host.
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import * as plugin from '../../src/index.ts'
import { writeCaseFile } from '../support/cases.ts'
import { bootHost01, type Host01 } from '../support/host-0.1/boot.ts'
import { makeInstall, type Install } from '../support/install.ts'
import { isAlive, until } from '../support/processes.ts'
import { readStarts } from '../support/record.ts'
import { makeUser, PONG, type User } from './support.ts'

const TOOL = 'subagent_cursor'

let user: User
let install: Install
let host: Host01

const record = (): string => join(user.profile, 'record.jsonl')

before(async () => {
  user = await makeUser()
  install = await makeInstall({ root: user.data })
  const env = { LOCALAPPDATA: user.local, STANDIN_RECORD: record() }
  host = await bootHost01({ jobs: false, plugin, env })
})

after(async () => {
  await host.dispose()
  await user.remove()
})

beforeEach(() => rm(record(), { force: true }))

const delegate = (prompt: string, cwd = user.profile) =>
  host.call(TOOL, { description: 'a task', prompt }, { parent: host.parent({ cwd }) })

describe('a delegation on Windows', () => {
  test("finds the CLI under LOCALAPPDATA, runs it in the session's directory and gives the answer", async () => {
    assert.deepEqual(host.toolNames(), [TOOL])
    const { isError, text } = await delegate(PONG)
    assert.deepEqual({ isError, text }, { isError: false, text: 'PONG' })
    const [start] = await readStarts(record())
    assert.equal(start?.entry, install.indexPath)
    assert.equal(start?.execPath, install.nodePath)
    assert.equal(start?.cwd, user.profile)
    await until(() => start !== undefined && !isAlive(start.pid), { what: 'the CLI is gone' })
  })

  test('brings a hostile prompt to the CLI as it was written', async () => {
    const prompt = '把 "C:\\temp\\" 里的文件 %PATH% ^& | 总结\r\n- 第一\r\n- 第二 🚀\\'
    assert.equal((await delegate(prompt)).isError, false)
    const [start] = await readStarts(record())
    assert.equal(start?.prompt, prompt)
  })

  test('gets its own answer beside others', async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => delegate(PONG)))
    assert.deepEqual(
      answers.map(({ text }) => text),
      ['PONG', 'PONG', 'PONG', 'PONG'],
    )
    const starts = await readStarts(record())
    assert.equal(new Set(starts.map(({ pid }) => pid)).size, 4)
  })

  test('is refused in a directory that is gone, by name', async () => {
    assert.match((await delegate(PONG, join(user.profile, 'gone'))).text, /bad-cwd/)
  })

  test('has an error with category and next step where the CLI fails', async () => {
    const file = await writeCaseFile(user.profile, 'logged-out', {
      stderr: "Error: Authentication required. Please run 'agent login' first.\r\n",
      exit: 1,
    })
    process.env['STANDIN_CASE'] = file
    try {
      const { isError, text } = await delegate('Say hello')
      assert.ok(isError)
      assert.match(text, /^Error: .*not-authenticated.*login/)
    } finally {
      delete process.env['STANDIN_CASE']
    }
  })
})
