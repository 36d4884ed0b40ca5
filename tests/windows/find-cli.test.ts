// Starting what was found, on Windows: the layouts themselves are tests/unit/find-cli.test.ts, which
// has real files here.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { after, afterEach, before, describe, test } from 'node:test'
import { resolveCursorCli } from '../../src/cursor/find-cli.ts'
import { thisSystem } from '../../src/cursor/system.ts'
import { makeInstall } from '../support/install.ts'
import { makeUser, openBench, USER_NAMES, type Bench, type User } from './support.ts'

let user: User

afterEach(() => user.remove())

test("this machine's own environment is used, whatever the case of a name", async () => {
  user = await makeUser()
  const install = await makeInstall({ root: user.data })
  const kept = process.env['LOCALAPPDATA']
  try {
    process.env['LocalAppData'] = user.local
    assert.equal(resolveCursorCli(thisSystem()).directory, install.directory)
  } finally {
    process.env['LOCALAPPDATA'] = kept
  }
})

describe('what was found runs', () => {
  let bench: Bench
  before(async () => {
    bench = await openBench()
  })
  after(() => bench.dispose())

  for (const [kind, name] of Object.entries(USER_NAMES)) {
    test(`the newest install of ${kind}, on its own node.exe, in the user's directory`, async () => {
      user = await makeUser(name)
      const old = await makeInstall({ root: user.data, version: '2026.9.30-ffffff', node: 'none' })
      await writeFile(old.nodePath, 'x')
      const install = await makeInstall({ root: user.data, version: '2026.10.2-aaaaaa' })
      const start = await bench.runAndRecord({ user })
      assert.equal(start.entry, install.indexPath)
      assert.equal(start.execPath, install.nodePath)
      assert.equal(start.cwd, user.profile)
      assert.deepEqual(start.execArgv, [])
    })
  }

  test('an index.js without a Node runs on this very node.exe', async () => {
    user = await makeUser()
    const install = await makeInstall({ root: user.drive, layout: 'flat', node: 'none' })
    const start = await bench.runAndRecord({ user, config: { cliPath: install.indexPath } })
    assert.deepEqual([start.execPath, start.entry], [process.execPath, install.indexPath])
  })

  test('a version that vanishes between finding and starting: the next one runs', async () => {
    user = await makeUser()
    const next = await makeInstall({ root: user.data, version: '2026.10.1-aaaaaa' })
    const { directory: vanishing, nodePath } = await makeInstall({
      root: user.data,
      version: '2026.10.2-bbbbbb',
    })
    // It is there for the search and gone for the start.
    const { files } = user.system
    const isExecutable = (file: string): boolean => {
      const there = files.isExecutable(file)
      if (file.startsWith(vanishing)) rmSync(vanishing, { recursive: true, force: true })
      return there
    }
    const system = { ...user.system, files: { ...files, isExecutable } }
    const spawned = bench.spawned.length
    const start = await bench.runAndRecord({ user: { ...user, system } })
    assert.equal(start.entry, next.indexPath)
    const programs = bench.spawned.slice(spawned).map(({ argv }) => argv[0])
    assert.deepEqual(programs, [nodePath, next.nodePath])
  })
})
