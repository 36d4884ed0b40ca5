// Whole delegations through the real 0.1 host: its subagent registry and its local subprocess service in this
// process, the plugin as a profile row mounts it, and the stand-in CLI as the child. The stand-in replays one
// realistic run that takes a second, most of it waiting, as an agent does.

import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { buildArgv } from '../src/cursor/command-line.ts'
import { resolveConfig } from '../src/config/config.ts'
import { resolveCursorCli } from '../src/cursor/find-cli.ts'
import { thisSystem } from '../src/cursor/system.ts'
import * as plugin from '../src/index.ts'
import { writeCaseFile } from '../tests/support/cases.ts'
import { realisticLines } from '../tests/support/generators.ts'
import { bootHost01 } from '../tests/support/host-0.1/boot.ts'
import { makeHome } from '../tests/support/install.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const RUN_MS = 1000
const PROMPT = 'Read the module and say what it does'

export interface Delegations {
  /** From the request until the process tree is gone. Rejects when it did not end with the answer. */
  delegate(): Promise<void>
  /** The same process with the same arguments, started by Node alone and read to its end. */
  rawSpawn(): Promise<void>
  close(): Promise<void>
}

export async function openDelegations(): Promise<Delegations> {
  const home = await makeHome()
  const cwd = await mkdtemp(join(tmpdir(), 'cursor-bench-'))
  const lines = realisticLines()
  const stdout = lines.toSpliced(lines.length >> 1, 0, `@SLEEP ${RUN_MS}@`)
  const file = await writeCaseFile(cwd, 'one-second', { stdout, exit: 0 })
  const host = await bootHost01({ plugin, env: { ...home.env, STANDIN_CASE: file } })
  const { agent } = host.parent({ cwd })
  return {
    async delegate() {
      const run = await host.ctx.subagents.start('cursor', {
        parent: agent,
        prompt: [{ type: 'text', text: PROMPT }],
        signal: new AbortController().signal,
      })
      const { stopReason, diagnostic } = await run.result
      await run.dispose()
      if (stopReason !== 'completed') throw new Error(diagnostic ?? stopReason)
    },
    async rawSpawn() {
      const cli = resolveCursorCli(thisSystem())
      const args = [...cli.leadingArgs, ...buildArgv(resolveConfig({}), PROMPT)]
      const child = spawn(cli.program, args, { cwd, stdio: ['ignore', 'pipe', 'ignore'] })
      let bytes = 0
      child.stdout.on('data', (chunk: Buffer) => (bytes += chunk.length))
      await new Promise((resolve, reject) => child.on('close', resolve).on('error', reject))
      if (bytes === 0) throw new Error('the stand-in wrote nothing')
    },
    async close() {
      await host.dispose()
      await home.cleanup()
      await rm(cwd, { recursive: true, force: true })
    },
  }
}

export interface Load {
  /** Until the last one was done. */
  readonly ms: number
  /** CPU time of this process, without its children. */
  readonly cpuMs: number
  /** How late timers came, in ms. */
  readonly late: Readonly<Record<'p50' | 'p99' | 'max', number>>
  /** Rise of heap and external memory over the state before, garbage included, shared out. */
  readonly bytesPerRun: number
}

const LOOP_RESOLUTION_MS = 5

/** The histogram holds whole intervals in ns: what is over the resolution is delay. */
const delayMs = (interval: number): number => Math.max(0, interval / 1e6 - LOOP_RESOLUTION_MS)

/** Resident memory would not do: pages of an earlier load stay with the process, and hide a later one. */
function heldMemory(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Runs `count` tasks at once and watches this process meanwhile. */
export async function atOnce(count: number, task: () => Promise<void>): Promise<Load> {
  // What the runs before have left must not be collected, or counted, during this one.
  collectGarbage()
  await pause(200)
  const before = heldMemory()
  let peak = before
  const sampler = setInterval(() => (peak = Math.max(peak, heldMemory())), 20)
  const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS })
  const cpu = process.cpuUsage()
  const start = performance.now()
  loop.enable()
  await Promise.all(Array.from({ length: count }, task))
  loop.disable()
  const ms = performance.now() - start
  clearInterval(sampler)
  const { user, system } = process.cpuUsage(cpu)
  const [p50, p99, max] = [loop.percentile(50), loop.percentile(99), loop.max].map(delayMs) as [
    number,
    number,
    number,
  ]
  return {
    ms,
    cpuMs: (user + system) / 1000,
    late: { p50, p99, max },
    bytesPerRun: (peak - before) / count,
  }
}
