// The doctor's own way to start processes, held to the contract that a run is written against
// (src/cursor/process.ts), on real processes.
import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import type { CursorProcess, SpawnSpec } from '../../src/cursor/process.ts'
import { localProcesses } from '../../src/doctor/local-processes.ts'
import {
  assertNoProcess,
  fileText,
  isAlive,
  killMarked,
  MARK,
  newMark,
} from '../support/processes.ts'

interface Bench {
  readonly mark: string
  readonly ready: string
  start(code: string, spec?: Partial<SpawnSpec>): CursorProcess
  killAll(): void
}

async function bench(t: TestContext): Promise<Bench> {
  const mark = newMark()
  const directory = await mkdtemp(join(tmpdir(), 'cursor-spawn-'))
  const ready = join(directory, 'ready')
  const processes = localProcesses()
  t.after(async () => {
    killMarked(mark)
    await rm(directory, { recursive: true, force: true })
  })
  return {
    mark,
    ready,
    start: (code, spec) =>
      processes.spawn({
        argv: [process.execPath, '-e', code],
        cwd: directory,
        stdio: { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
        graceMs: 300,
        ...spec,
        env: { [MARK]: mark, READY: ready, ...spec?.env },
      }),
    killAll: processes.killAll,
  }
}

const STUBBORN = `process.on('SIGTERM', () => {})
  require('node:fs').writeFileSync(process.env.READY, 'yes')
  setInterval(() => {}, 1 << 30)`

/** Starts a stubborn child that holds the pipes, and exits once it is in place. */
const LEAVES_A_CHILD = `const child = require('node:child_process').spawn(
    process.execPath, ['-e', ${JSON.stringify(STUBBORN)}], { stdio: ['ignore', 'inherit', 'inherit'] })
  child.unref()
  setInterval(() => { if (require('node:fs').existsSync(process.env.READY)) process.exit(7) }, 10)`

test('output and exit of a process are given', async (t) => {
  const { start } = await bench(t)
  const child = start('console.log("out"); console.error("err"); process.exitCode = 3')
  assert.ok(child.pid !== undefined && child.pid > 0 && child.stdout && child.stderr)
  const [stdout, stderr, exit] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    child.done,
  ])
  assert.deepEqual([stdout, stderr, exit], ['out\n', 'err\n', { exitCode: 3, signal: null }])
  const { signal } = new AbortController()
  assert.deepEqual([await child.waitForExit(), await child.waitForExit(signal)], [true, true])
  assert.deepEqual(getEventListeners(signal, 'abort'), [])
})

test('a process that ignores SIGTERM is killed after the grace, with its tree', async (t) => {
  const { start, ready, mark } = await bench(t)
  const child = start(STUBBORN)
  await fileText(ready)
  child.terminate()
  child.terminate()
  assert.deepEqual(await child.done, { exitCode: null, signal: 'SIGKILL' })
  assert.equal(await child.waitForExit(), true)
  await assertNoProcess(mark)
})

test('a child left behind holds neither `done` nor the tree for ever', async (t) => {
  const { start, mark } = await bench(t)
  const child = start(LEAVES_A_CHILD)
  assert.deepEqual(await child.done, { exitCode: 7, signal: null })
  const impatient = AbortSignal.timeout(50)
  assert.equal(await child.waitForExit(impatient), false)
  child.terminate()
  assert.equal(await child.waitForExit(), true)
  await assertNoProcess(mark)
})

test('a program that is not there has no pid, and `done` rejects', async (t) => {
  const { start } = await bench(t)
  const child = start('', { argv: ['/nonexistent/cursor-agent'] })
  assert.equal(child.pid, -1)
  await assert.rejects(child.done, /ENOENT/)
  child.terminate()
  assert.equal(await child.waitForExit(), true)
})

test('an inherited variable can be removed', async (t) => {
  const { start } = await bench(t)
  process.env['DOCTOR_SPAWN_TEST'] = 'inherited'
  t.after(() => delete process.env['DOCTOR_SPAWN_TEST'])
  const code = 'console.log(process.env.DOCTOR_SPAWN_TEST)'
  const kept = start(code)
  const removed = start(code, { env: { DOCTOR_SPAWN_TEST: undefined } })
  assert.ok(kept.stdout && removed.stdout)
  assert.deepEqual(await Promise.all([text(kept.stdout), text(removed.stdout)]), [
    'inherited\n',
    'undefined\n',
  ])
})

test('killAll leaves nothing alive', async (t) => {
  const { start, ready, mark, killAll } = await bench(t)
  const child = start(STUBBORN, { graceMs: 60_000 })
  await fileText(ready)
  assert.ok(isAlive(child.pid ?? -1))
  killAll()
  assert.equal(await child.waitForExit(), true)
  await assertNoProcess(mark)
})
