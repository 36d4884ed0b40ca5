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
import { bootHost01, type Host01 } from '../tests/support/host-0.1/boot.ts'
import { makeHome } from '../tests/support/install.ts'
import type { ParentAgent } from '../tests/support/in-process-host.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const RUN_MS = 1000
const PROMPT = 'Read the module and say what it does'

export class DelegationBench {
  readonly #host: Host01
  readonly #parent: ParentAgent
  readonly #directory: string
  readonly #cleanUp: () => Promise<void>

  private constructor(host: Host01, directory: string, cleanUp: () => Promise<void>) {
    this.#host = host
    this.#directory = directory
    this.#parent = host.parent({ cwd: directory })
    this.#cleanUp = cleanUp
  }

  static async open(): Promise<DelegationBench> {
    const home = await makeHome()
    const directory = await mkdtemp(join(tmpdir(), 'cursor-bench-'))
    const lines = realisticLines()
    const middle = lines.length >> 1
    const stdout = [...lines.slice(0, middle), `@SLEEP ${RUN_MS}@`, ...lines.slice(middle)]
    const file = await writeCaseFile(directory, 'one-second', { stdout, exit: 0 })
    const host = await bootHost01({ plugin, env: { ...home.env, STANDIN_CASE: file } })
    return new DelegationBench(host, directory, async () => {
      await host.dispose()
      await home.cleanup()
      await rm(directory, { recursive: true, force: true })
    })
  }

  async close(): Promise<void> {
    await this.#cleanUp()
  }

  /** From the request until the process tree is gone. @throws when it did not end with the answer. */
  async delegate(): Promise<void> {
    const run = await this.#host.ctx.subagents.start('cursor', {
      parent: this.#parent.agent,
      prompt: [{ type: 'text', text: PROMPT }],
      signal: new AbortController().signal,
    })
    const { stopReason, diagnostic } = await run.result
    await run.dispose()
    if (stopReason !== 'completed') throw new Error(diagnostic ?? stopReason)
  }

  /** The same process with the same arguments, started by Node alone and read to its end. */
  async rawSpawn(): Promise<void> {
    const cli = resolveCursorCli(thisSystem())
    const args = [...cli.leadingArgs, ...buildArgv(resolveConfig({}), PROMPT)]
    const child = spawn(cli.program, args, {
      cwd: this.#directory,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stderr.resume()
    let bytes = 0
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    await new Promise((resolve, reject) => child.on('close', resolve).on('error', reject))
    if (bytes === 0) throw new Error('the stand-in wrote nothing')
  }

  /** Times of delegations and bare processes in ms, in turns. */
  async compare(rounds: number): Promise<{ delegation: number[]; raw: number[] }> {
    await this.delegate()
    await this.rawSpawn()
    const delegation: number[] = []
    const raw: number[] = []
    for (let round = 0; round < rounds; round++) {
      if (round % 2 === 0) raw.push(await timed(() => this.rawSpawn()))
      delegation.push(await timed(() => this.delegate()))
      if (round % 2 === 1) raw.push(await timed(() => this.rawSpawn()))
    }
    return { delegation, raw }
  }

  /** Runs `count` of one kind at once and watches this process meanwhile. */
  async atOnce(count: number, kind: 'delegate' | 'rawSpawn'): Promise<Load> {
    // What the runs before have left must not be collected, or counted, during this one.
    collectGarbage()
    await pause(200)
    const before = heldMemory()
    let peak = before
    const sampler = setInterval(() => {
      peak = Math.max(peak, heldMemory())
    }, 20)
    const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS })
    const cpu = process.cpuUsage()
    loop.enable()
    const ms = await timed(() =>
      Promise.all(Array.from({ length: count }, () => this[kind]())).then(() => {}),
    )
    loop.disable()
    clearInterval(sampler)
    const { user, system } = process.cpuUsage(cpu)
    return {
      ms,
      cpuMs: (user + system) / 1000,
      loopDelayP50: delayMs(loop.percentile(50)),
      loopDelayP99: delayMs(loop.percentile(99)),
      loopDelayMax: delayMs(loop.max),
      bytesPerRun: (peak - before) / count,
    }
  }
}

export interface Load {
  /** Until the last one was done. */
  readonly ms: number
  /** CPU time of this process, without its children. */
  readonly cpuMs: number
  /** How late timers came, in ms. */
  readonly loopDelayP50: number
  readonly loopDelayP99: number
  readonly loopDelayMax: number
  /** Rise of heap and external memory over the state before, garbage included, shared out. */
  readonly bytesPerRun: number
}

/** Resident memory would not do: pages of an earlier load stay with the process, and hide a later one. */
function heldMemory(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const LOOP_RESOLUTION_MS = 5

/** The histogram holds whole intervals in ns: what is over the resolution is delay. */
const delayMs = (interval: number): number => Math.max(0, interval / 1e6 - LOOP_RESOLUTION_MS)

async function timed(task: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await task()
  return performance.now() - start
}
