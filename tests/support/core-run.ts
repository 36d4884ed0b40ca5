// Runs of the plugin's core on real processes: the stand-in CLI in a throw-away home, started by
// the host's real subprocess service. It leaves the host, its tools and its sessions out.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, type Writable } from 'node:stream'
import { Context } from '@deepseek-ai/cordis'
import { LocalSubprocessRuntime } from '@deepseek-ai/dsh-subprocess-local'
import { resolveConfig, type Config } from '../../src/config/config.ts'
import type { CursorProcess } from '../../src/cursor/process.ts'
import { startCursorRun, type CursorRun } from '../../src/cursor/run.ts'
import { thisSystem } from '../../src/cursor/system.ts'
import { writeCaseFile } from './cases.ts'
import { makeHome, type InstallOptions, type TestHome } from './install.ts'
import { killMarked, MARK, newMark } from './processes.ts'
import type { StandInCase } from './record.ts'

export interface StartOptions {
  readonly config?: Config
  readonly prompt?: string
  /** Default: takes everything at once and keeps nothing. */
  readonly stderr?: Writable
}

export interface StartedRun {
  readonly run: CursorRun
  /** The processes that were started for it, oldest first. */
  readonly processes: readonly CursorProcess[]
  readonly log: readonly string[]
  /** Listeners on the processes' streams that were not there when they were handed over. */
  listenersLeft(): string[]
}

const STREAM_EVENTS = ['data', 'end', 'close', 'error', 'pause', 'resume', 'readable'] as const

/** How many listeners each event of the process's streams has, by a readable name. */
function countListeners({ stdout, stderr }: CursorProcess): Map<string, number> {
  const counts = Object.entries({ stdout, stderr }).flatMap(([name, stream]) =>
    STREAM_EVENTS.map((event) => [`${name} ${event}`, stream?.listenerCount(event) ?? 0] as const),
  )
  return new Map(counts)
}

export interface CoreBench {
  /** Marks every process that is started here. */
  readonly mark: string
  readonly directory: string
  readonly home: TestHome
  /** Where the stand-in records how it was started. */
  readonly record: string
  readonly ctx: Context
  start(item: StandInCase, options?: StartOptions): Promise<StartedRun>
  close(): Promise<void>
}

/** A stream that takes everything and keeps nothing. */
function blackHole(): Writable {
  return new PassThrough().resume()
}

/** @param install how the CLI is installed; default: as its installer does it. */
export async function openBench(install: Omit<InstallOptions, 'root'> = {}): Promise<CoreBench> {
  const mark = newMark()
  const directory = await mkdtemp(join(tmpdir(), 'cursor-core-'))
  const home = await makeHome(install)
  const record = join(directory, 'record.jsonl')
  const ctx = new Context()
  await ctx.plugin(LocalSubprocessRuntime)
  let started = 0
  return {
    mark,
    directory,
    home,
    record,
    ctx,
    async start(item, options = {}) {
      started++
      const file = await writeCaseFile(join(directory, 'cases'), `case-${started}`, item)
      const config = resolveConfig({
        disposeGraceMs: 500,
        ...options.config,
        env: {
          ...home.env,
          [MARK]: mark,
          STANDIN_CASE: file,
          STANDIN_RECORD: record,
          ...options.config?.env,
        },
      })
      const processes: CursorProcess[] = []
      const before: Map<string, number>[] = []
      const log: string[] = []
      const run = await startCursorRun({
        prompt: options.prompt ?? 'Do the task of this test',
        cwd: directory,
        config,
        system: { ...thisSystem(), home: home.home, env: { ...process.env, ...home.env } },
        spawn(spec) {
          const child: CursorProcess = ctx.subprocess.spawn(spec)
          processes.push(child)
          before.push(countListeners(child))
          return child
        },
        stderr: options.stderr ?? blackHole(),
        log: (message) => log.push(message),
      })
      const listenersLeft = (): string[] =>
        processes.flatMap((child, at) =>
          [...countListeners(child)]
            .filter(([name, count]) => count > (before[at]?.get(name) ?? 0))
            .map(([name]) => name),
        )
      return { run, processes, log, listenersLeft }
    },
    async close() {
      killMarked(mark)
      await ctx.fiber.dispose()
      await home.cleanup()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
