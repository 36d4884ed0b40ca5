// What a test needs to know of the processes that a run leaves: who is alive, and waiting for a fact
// with a deadline. Processes are recognised by an environment variable that children inherit, so a
// descendant counts wherever it has moved in the process tree.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'

/** The variable that marks the processes of one test; the host passes it on to its children. */
export const MARK = 'STANDIN_MARK'

export interface LiveProcess {
  readonly pid: number
  /** The command line, for messages. */
  readonly command: string
}

/** A value for {@link MARK} that no other test has. */
export function newMark(): string {
  return randomUUID()
}

/** A process file's text; undefined when the process is gone or is another user's. */
function readProcessFile(pid: string, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return undefined
  }
}

/**
 * The live processes whose environment has this mark, without the caller. A zombie (state Z) is
 * gone: in a container nobody may ever reap it. Linux only.
 * @throws on other systems, where the environment of a process cannot be read.
 */
export function markedProcesses(mark: string): LiveProcess[] {
  if (process.platform !== 'linux') throw new Error('processes can only be scanned on Linux')
  const found: LiveProcess[] = []
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) continue
    const environment = readProcessFile(pid, 'environ')
    if (environment?.split('\0').includes(`${MARK}=${mark}`) !== true) continue
    if (!isAlive(Number(pid))) continue
    const command = readProcessFile(pid, 'cmdline') ?? ''
    found.push({ pid: Number(pid), command: command.replaceAll('\0', ' ').slice(0, 200) })
  }
  return found
}

/** Whether the process exists and is not a zombie. */
export function isAlive(pid: number): boolean {
  if (process.platform === 'linux') {
    const stat = readProcessFile(String(pid), 'stat')
    // The state follows the command name, which is in parentheses and can hold anything.
    return stat !== undefined && !/^ ?[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 1))
  }
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

export interface UntilOptions {
  /** What is waited for, for the message. */
  readonly what: string
  /** Deadline in ms; default 10,000. A fact that never comes is a failure, not a pause. */
  readonly within?: number
}

/**
 * Waits until `look` returns something other than undefined or false, looking every 10 ms.
 * @throws AssertionError at the deadline.
 */
export async function until<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
  { what, within = 10_000 }: UntilOptions,
): Promise<T> {
  const deadline = performance.now() + within
  for (;;) {
    const value = await look()
    if (value !== undefined && value !== false) return value
    if (performance.now() > deadline) assert.fail(`${what}: not so after ${within} ms`)
    await delay(10)
  }
}

/** Waits for a file and returns its text. */
export async function fileText(path: string, within = 10_000): Promise<string> {
  await until(() => existsSync(path), { what: `the file ${path} exists`, within })
  // The writer creates the file before it writes to it.
  return until(async () => (await readFile(path, 'utf8')) || undefined, {
    what: `the file ${path} has text`,
    within,
  })
}

/** Asserts that no process with this mark is alive, at once or within the given ms. */
export async function assertNoProcess(mark: string, within = 0): Promise<void> {
  const deadline = performance.now() + within
  let alive = markedProcesses(mark)
  while (alive.length > 0 && performance.now() < deadline) {
    await delay(10)
    alive = markedProcesses(mark)
  }
  assert.deepEqual(alive, [], 'processes of the run are still alive')
}

/** Kills what a failed test has left: only processes with its own mark. */
export function killMarked(mark: string): void {
  for (const { pid } of markedProcesses(mark)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It went by itself meanwhile.
    }
  }
}
