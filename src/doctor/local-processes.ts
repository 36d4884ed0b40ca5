/**
 * Starts processes the way the host's subprocess service does, for a doctor that runs without a
 * host: the same handle (`cursor/process.ts`), its own process tree, a scrubbed environment.
 */

import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { CursorProcess, ProcessExit, SpawnSpec } from '../cursor/process.ts'
import { environmentValue } from '../cursor/system.ts'

/** How often a tree is looked at while its end is waited for, in ms. */
const LOOK_EVERY_MS = 15
/** ms; `taskkill` answers at once or not at all. */
const TASKKILL_LIMIT_MS = 5000

/** Names that look like credentials, as the host judges them. */
const CREDENTIAL_NAME = /KEY|PASSWORD|SECRET|TOKEN/i

/** Processes of this machine that belong to this process and are killed with it. */
export function localProcesses() {
  const alive = new Set<LocalProcess>()
  return {
    spawn(spec: SpawnSpec): CursorProcess {
      const started = new LocalProcess(spec, () => alive.delete(started))
      alive.add(started)
      return started
    },
    /** Kills every tree that is still alive, at once: for an exit that cannot wait. */
    killAll(): void {
      for (const each of alive) each.kill()
    },
  }
}

/**
 * What a child gets of this process's environment under the host: no credentials and no `DSH_*`,
 * with `extra` laid over it, where `undefined` removes a variable.
 */
export function hostLikeEnvironment(
  platform: NodeJS.Platform,
  parent: Readonly<NodeJS.ProcessEnv>,
  extra: Readonly<NodeJS.ProcessEnv>,
): NodeJS.ProcessEnv {
  const spelled = (name: string): string => (platform === 'win32' ? name.toUpperCase() : name)
  const replaced = new Set(Object.keys(extra).map(spelled))
  const inherited = Object.entries(parent).filter(
    ([name]) =>
      !CREDENTIAL_NAME.test(name) &&
      !name.toUpperCase().startsWith('DSH_') &&
      !replaced.has(spelled(name)),
  )
  const added = Object.entries(extra).filter(([, value]) => value !== undefined)
  return Object.fromEntries([...inherited, ...added])
}

class LocalProcess implements CursorProcess {
  readonly pid: number
  readonly stdout: Readable | undefined
  readonly stderr: Readable | undefined
  readonly done: Promise<ProcessExit>
  readonly #child: ChildProcess
  readonly #graceMs: number
  readonly #onGone: () => void
  #treeGone: Promise<void> | undefined
  /** No signal goes to a tree that was seen gone: its id may be another's by then. */
  #isGone = false
  #killTimer: NodeJS.Timeout | undefined
  #terminating = false

  /** @param onGone told once, when the tree is seen gone. */
  constructor({ argv, cwd, env, stdio, graceMs }: SpawnSpec, onGone: () => void) {
    const [program = '', ...args] = argv
    this.#graceMs = graceMs
    this.#onGone = onGone
    this.#child = spawn(program, args, {
      cwd,
      env: hostLikeEnvironment(process.platform, process.env, env),
      stdio: [stdio.stdin, stdio.stdout, stdio.stderr],
      // A process group of its own on POSIX: signals reach the whole tree, and Ctrl-C only this process.
      detached: process.platform !== 'win32',
      windowsHide: true,
    })
    this.pid = this.#child.pid ?? -1
    this.stdout = this.#child.stdout ?? undefined
    this.stderr = this.#child.stderr ?? undefined
    this.done = this.#exit()
    // Whoever waits for it is told; an unwatched failure must not end this process.
    this.done.catch(() => {})
  }

  terminate(): void {
    if (this.#terminating || this.#isGone) return
    this.#terminating = true
    this.#signal('SIGTERM')
    this.#killTimer = setTimeout(() => this.#signal('SIGKILL'), this.#graceMs)
    void this.waitForExit()
  }

  kill(): void {
    this.#signal('SIGKILL')
  }

  async waitForExit(signal?: AbortSignal): Promise<boolean> {
    this.#treeGone ??= this.#watchTree()
    if (signal === undefined) {
      await this.#treeGone
      return true
    }
    const waited = new AbortController()
    const aborted = once(signal, 'abort', { signal: waited.signal }).catch(() => {})
    if (!signal.aborted) await Promise.race([this.#treeGone, aborted])
    // A signal that is there for longer keeps no listener of each wait.
    waited.abort()
    return this.#isGone
  }

  /** A descendant may hold the pipes open after the exit, so their end is waited for only so long. */
  #exit(): Promise<ProcessExit> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      this.#child.once('exit', (exitCode, signal) => {
        timer = setTimeout(() => resolve({ exitCode, signal }), this.#graceMs)
      })
      this.#child.once('close', (exitCode, signal) => {
        clearTimeout(timer)
        resolve({ exitCode, signal })
      })
      this.#child.on('error', (error) => {
        if (this.pid === -1) reject(error)
      })
    })
  }

  async #watchTree(): Promise<void> {
    while (this.#isTreeAlive()) await delay(LOOK_EVERY_MS)
    this.#isGone = true
    clearTimeout(this.#killTimer)
    this.#onGone()
  }

  #isTreeAlive(): boolean {
    if (this.pid === -1) return false
    const hasExited = this.#child.exitCode !== null || this.#child.signalCode !== null
    if (process.platform === 'win32') return !hasExited
    try {
      process.kill(-this.pid, 0)
    } catch {
      return !hasExited
    }
    // Killed orphans stay zombies where nobody reaps them; a group of those is gone.
    return !hasExited || process.platform !== 'linux' || groupHasLiveProcess(this.pid)
  }

  #signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    if (this.#isGone || !this.#isTreeAlive()) return
    if (process.platform === 'win32') {
      taskkill(this.pid)
      return
    }
    try {
      process.kill(-this.pid, signal)
    } catch {
      // It went by itself meanwhile.
    }
  }
}

function taskkill(pid: number): void {
  const system = environmentValue('win32', process.env, 'SystemRoot') ?? 'C:\\Windows'
  spawnSync(
    path.win32.join(system, 'System32', 'taskkill.exe'),
    ['/PID', String(pid), '/T', '/F'],
    { stdio: 'ignore', timeout: TASKKILL_LIMIT_MS, windowsHide: true },
  )
}

/** Linux: whether the process group has a member that is no zombie. */
function groupHasLiveProcess(group: number): boolean {
  return readdirSync('/proc').some((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      // `pid (command) state ppid pgrp …`; the command can hold anything.
      const [state, , pgrp] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return Number(pgrp) === group && state !== 'Z' && state !== 'X'
    } catch {
      return false
    }
  })
}
