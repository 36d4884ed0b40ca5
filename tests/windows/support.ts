// What the Windows tests share: users whose names are hard on paths, installs in their profiles, and
// one run through the real subprocess service of the host. Each file boots its own.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { resolveConfig, type Config } from '../../src/config/config.ts'
import { CursorStartError } from '../../src/cursor/start-error.ts'
import type { CursorProcess, SpawnSpec } from '../../src/cursor/process.ts'
import { startCursorRun, type CursorOutcome, type CursorRun } from '../../src/cursor/run.ts'
import { thisSystem, type System } from '../../src/cursor/system.ts'
import { bootHost01, type Host01 } from '../support/host-0.1/boot.ts'
import { readStarts, type StandInStart } from '../support/record.ts'

assert.equal(process.platform, 'win32', 'these tests are about Windows: pnpm test:windows')

export const PONG = 'Reply with exactly: PONG'

/** Names as people have them on Windows, and what they are hard on. */
export const USER_NAMES = {
  'a plain name': 'u',
  'a Chinese name': '张三',
  'a name with blanks': 'Anna Maria von Berg',
  "a name of cmd's own characters": "100% (O'Neil) & Söhne ^!",
} as const

/** A user's folders, in a throw-away directory. */
export interface User {
  /** `C:\Users\<name>` of this user. */
  readonly profile: string
  readonly local: string
  /** `%LOCALAPPDATA%\cursor-agent`. */
  readonly data: string
  /** A directory outside the profile, in the place of `C:\`. */
  readonly drive: string
  /** This machine as that user has it. */
  readonly system: System
  remove(): Promise<void>
}

export async function makeUser(name: string = USER_NAMES['a Chinese name']): Promise<User> {
  const root = await mkdtemp(join(tmpdir(), 'windows-'))
  const profile = join(root, 'Users', name)
  const local = join(profile, 'AppData', 'Local')
  await mkdir(local, { recursive: true })
  return {
    profile,
    local,
    data: join(local, 'cursor-agent'),
    drive: join(root, 'drive'),
    system: { ...thisSystem(), env: { LOCALAPPDATA: local }, home: profile },
    // A program that has just ended may still hold its file for a moment.
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  }
}

export interface Task {
  readonly user: User
  readonly prompt?: string
  readonly config?: Config
}

export interface Bench {
  readonly host: Host01
  /** What the next spawns were asked for. */
  readonly spawned: SpawnSpec[]
  /** The log lines of the runs. */
  readonly logs: string[]
  /** The path of the stand-in's record in a user's profile. */
  recordOf(user: User): string
  start(task: Task): Promise<CursorRun>
  /** One run to its end and away. */
  outcome(task: Task): Promise<CursorOutcome>
  /** The error of a run that must not start a process. */
  refusal(task: Task): Promise<CursorStartError>
  /** One run, and what the CLI saw of its start. */
  runAndRecord(task: Task): Promise<StandInStart>
  dispose(): Promise<void>
}

/** The real subprocess service of the host, with the run of the plugin on it. */
export async function openBench(): Promise<Bench> {
  const host = await bootHost01({ jobs: false })
  const spawned: SpawnSpec[] = []
  const logs: string[] = []
  const recordOf = (user: User): string => join(user.profile, 'record.jsonl')

  const start = ({ user, prompt = PONG, config = {} }: Task): Promise<CursorRun> => {
    const env = { STANDIN_RECORD: recordOf(user), ...config.env }
    return startCursorRun({
      prompt,
      cwd: user.profile,
      config: resolveConfig({ ...config, env }),
      system: user.system,
      spawn: (spec) => {
        spawned.push(spec)
        return host.ctx.subprocess.spawn(spec as never) as CursorProcess
      },
      stderr: new Writable({ write: (_chunk, _encoding, done) => done() }),
      log: (message) => logs.push(message),
    })
  }

  const outcome = async (task: Task): Promise<CursorOutcome> => {
    const run = await start(task)
    try {
      return await run.outcome
    } finally {
      await run.dispose()
    }
  }

  return {
    host,
    spawned,
    logs,
    recordOf,
    start,
    outcome,
    async refusal(task) {
      const before = spawned.length
      const error = await outcome(task).then(
        () => assert.fail('the run started'),
        (reason: unknown) => reason,
      )
      assert.ok(error instanceof CursorStartError, String(error))
      assert.equal(spawned.length, before, 'a process was started')
      return error
    },
    async runAndRecord(task) {
      await rm(recordOf(task.user), { force: true })
      const end = await outcome(task)
      assert.equal(end.status, 'completed', JSON.stringify(end))
      const [record, ...more] = await readStarts(recordOf(task.user))
      assert.ok(record, 'the CLI was not started')
      assert.deepEqual(more, [])
      return record
    },
    dispose: () => host.dispose(),
  }
}
