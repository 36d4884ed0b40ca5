// The plugin as a whole on Windows: mounted on the real services of the installed host, its tool
// called as a model calls it, with the CLI's install in a user's local profile. What a delegation
// does in every case is the business of tests/host.
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
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

before(async () => {
  user = await makeUser()
  install = await makeInstall({ root: user.data })
})

after(() => user.remove())

const record = (): string => join(user.profile, 'record.jsonl')

async function boot(
  config: Record<string, unknown> = {},
  options: { readonly sandboxPolicy?: 'read-only'; readonly case?: string } = {},
): Promise<void> {
  const { case: caseFile, ...rest } = options
  host = await bootHost01({
    ...rest,
    jobs: false,
    plugin,
    config,
    env: { LOCALAPPDATA: user.local, STANDIN_RECORD: record(), STANDIN_CASE: caseFile },
  })
}

beforeEach(() => rm(record(), { force: true }))
afterEach(() => host.dispose())

const delegate = (prompt: string, signal?: AbortSignal) =>
  host.call(
    TOOL,
    { description: 'a task', prompt },
    {
      parent: host.parent({ cwd: user.profile }),
      ...(signal === undefined ? {} : { signal }),
    },
  )

describe('a delegation on Windows', () => {
  test("finds the CLI under LOCALAPPDATA, runs it in the session's directory and gives the answer", async () => {
    await boot()
    assert.deepEqual(host.toolNames(), [TOOL])
    const { isError, text } = await delegate(PONG)
    assert.deepEqual({ isError, text }, { isError: false, text: 'PONG' })
    const [start] = await readStarts(record())
    assert.equal(start?.entry, install.indexPath)
    assert.equal(start?.execPath, install.nodePath)
    assert.equal(start?.cwd, user.profile)
  })

  test('a hostile prompt reaches the CLI as it was written', async () => {
    await boot()
    const prompt = '把 "C:\\temp\\" 里的文件 %PATH% ^& | 总结\r\n- 第一\r\n- 第二 🚀\\'
    assert.equal((await delegate(prompt)).isError, false)
    const [start] = await readStarts(record())
    assert.equal(start?.prompt, prompt)
  })

  test('delegations side by side each get their own answer', async () => {
    await boot()
    const answers = await Promise.all(Array.from({ length: 4 }, () => delegate(PONG)))
    assert.deepEqual(
      answers.map(({ text }) => text),
      ['PONG', 'PONG', 'PONG', 'PONG'],
    )
    const starts = await readStarts(record())
    assert.equal(new Set(starts.map(({ pid }) => pid)).size, 4)
  })

  test('a failure of the CLI is an error with category and next step', async () => {
    const file = await writeCaseFile(user.profile, 'logged-out', {
      stderr: "Error: Authentication required. Please run 'agent login' first.\r\n",
      exit: 1,
    })
    await boot({}, { case: file })
    const { isError, text } = await delegate('Say hello')
    assert.ok(isError)
    assert.match(text, /^Error: .*not-authenticated/)
    assert.match(text, /login/)
  })

  test('safe is refused without a process, and the error names the modes that work', async () => {
    await boot({ permissionMode: 'safe' })
    const { isError, text } = await delegate(PONG)
    assert.ok(isError)
    assert.match(text, /unsupported-platform/)
    assert.match(text, /trust, yolo, plan, ask/)
    assert.deepEqual(await readStarts(record()), [])
  })

  test('a read-only session is refused without a process; mode ask is not', async () => {
    await boot({}, { sandboxPolicy: 'read-only' })
    assert.match((await delegate(PONG)).text, /policy-refused/)
    assert.deepEqual(await readStarts(record()), [])
    await host.dispose()
    await boot({ permissionMode: 'ask' }, { sandboxPolicy: 'read-only' })
    assert.equal((await delegate(PONG)).text, 'PONG')
  })

  test('a CLI that is not there is an error that lists where it was looked for', async () => {
    await boot({ cliPath: join(user.drive, 'nowhere', 'index.js') })
    const { isError, text } = await delegate(PONG)
    assert.ok(isError)
    assert.match(text, /cli-not-found/)
    assert.match(text, /nowhere\\index\.js/)
  })

  test('a directory that is gone is refused by name', async () => {
    await boot()
    const parent = host.parent({ cwd: join(user.profile, 'gone') })
    const { text } = await host.call(TOOL, { description: 'a task', prompt: PONG }, { parent })
    assert.match(text, /bad-cwd/)
  })

  test('cancelling the call stops the CLI', async () => {
    const file = await writeCaseFile(user.profile, 'hanging', { hang: true })
    await boot({}, { case: file })
    const controller = new AbortController()
    const call = delegate('Wait here', controller.signal)
    const [start] = await until(
      async () => {
        const starts = await readStarts(record())
        return starts.length > 0 && starts
      },
      { what: 'the CLI has started', within: 30_000 },
    )
    controller.abort()
    assert.ok((await call).isError)
    await until(() => start !== undefined && !isAlive(start.pid), { what: 'the CLI is gone' })
  })

  test("the provider's run has an answer, a name of its own and nothing left after dispose", async () => {
    await boot()
    const run = await host.ctx.subagents.start('cursor', {
      parent: host.parent({ cwd: user.profile }).agent,
      prompt: [{ type: 'text', text: PONG }],
      signal: new AbortController().signal,
    } as never)
    const { stopReason, output } = await run.result
    assert.equal(stopReason, 'completed')
    assert.deepEqual(output, [{ type: 'text', text: 'PONG' }])
    await run.dispose()
    const [start] = await readStarts(record())
    assert.ok(start)
    await until(() => !isAlive(start.pid), { what: 'the CLI is gone' })
  })
})
