// What one behavioural test stands on, whatever the host generation: a home with the stand-in CLI in
// it, a workspace, a record of every start, a booted host, and delegations followed to what the
// parent is told in the end. What is expected of all that is the tests' business.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Fiber } from '@deepseek-ai/cordis'
import type { SubagentProvider, SubagentRun } from '@deepseek-ai/dsh-subagent'
import { LocalSubprocessRuntime } from '@deepseek-ai/dsh-subprocess-local'
import { writeCaseFile } from '../../support/cases.ts'
import type { HostOptions01 } from '../../support/host-0.1/boot.ts'
import type { HostOptions02 } from '../../support/host-0.2/boot.ts'
import type {
  HostOptions,
  InProcessHost,
  LogLine,
  ParentAgent,
  ParentOptions,
  PluginModule,
  ToolOutcome,
} from '../../support/in-process-host.ts'
import { makeHome, type TestHome } from '../../support/install.ts'
import { assertNoProcess, fileText, killMarked, MARK, newMark } from '../../support/processes.ts'
import { readStarts, type StandInCase, type StandInStart } from '../../support/record.ts'

export const TOOL = 'subagent_cursor'
export const PROVIDER = 'cursor'
export const LABEL = 'A scripted task'

/** What the parent learns of a delegation in the end. */
export interface Ending {
  /** `refused`: the call failed before there was a run. */
  readonly stop: 'completed' | 'error' | 'aborted' | 'refused'
  /** The answer, or the whole failure text as the plugin wrote it. */
  readonly text: string
}

export interface Delegation {
  readonly call: Promise<ToolOutcome>
  readonly ending: Promise<Ending>
  /** Stops a run that was published. */
  cancel(): void | Promise<void>
}

export interface CallOptions {
  readonly parent: ParentAgent
  /** Of the call; by default one that nobody aborts but `cancel`. */
  readonly signal?: AbortSignal
}

/** What differs between the host generations as far as the shared suite goes. */
export interface Generation<Host extends InProcessHost = InProcessHost> {
  readonly name: '0.1' | '0.2'
  readonly plugin: PluginModule
  /** The flags that a provider of this generation must spell out. */
  readonly capabilityNames: readonly string[]
  /** How a refusal begins when the parent's directory is gone: on 0.2 the host looks first. */
  readonly badDirectory: string
  boot(options: HostOptions): Promise<Host>
  delegate(host: Host, tool: string, args: object, options: CallOptions): Delegation
}

export type Config = Readonly<Record<string, unknown>>

export interface RigOptions
  extends
    Omit<HostOptions, 'plugin' | 'config'>,
    Pick<HostOptions01, 'jobs'>,
    Pick<HostOptions02, 'maxActiveSubagents'> {
  readonly config?: Config
}

/** `rig.host` exists once `boot` has resolved. */
export class Rig<Host extends InProcessHost = InProcessHost> {
  readonly generation: Generation<Host>
  readonly home: TestHome
  readonly workspace: string
  /** See `MARK`: in the environment of every process of this rig. */
  readonly mark = newMark()
  /** What the plugin has written to the host's stderr. */
  hostStderr = ''
  /** Processes that were asked of the host, whether or not they came up. */
  spawned = 0
  /** Called within each spawn, when the process exists and the caller has no handle yet. */
  onSpawn = (): void => {}
  readonly #scratch: string
  readonly #restore: (() => void)[]
  #host: Host | undefined
  #parent: ParentAgent | undefined
  #cases = 0

  static async make<Host extends InProcessHost>(generation: Generation<Host>): Promise<Rig<Host>> {
    const scratch = await mkdtemp(join(tmpdir(), 'behaviour-'))
    await mkdir(join(scratch, 'workspace'))
    return new Rig(generation, await makeHome(), scratch)
  }

  private constructor(generation: Generation<Host>, home: TestHome, scratch: string) {
    this.generation = generation
    this.home = home
    this.#scratch = scratch
    this.workspace = join(scratch, 'workspace')
    this.#restore = [
      captureStderr((text) => (this.hostStderr += text)),
      observeSpawns(() => {
        this.spawned += 1
        this.onSpawn()
      }),
    ]
  }

  async boot(options: RigOptions = {}): Promise<this> {
    this.#host = await this.generation.boot({
      ...options,
      plugin: this.generation.plugin,
      env: {
        ...this.home.env,
        CURSOR_API_KEY: undefined,
        NODE_OPTIONS: undefined,
        NODE_COMPILE_CACHE: undefined,
        STANDIN_RECORD: this.#recordFile,
        STANDIN_CASES_DIR: this.#casesDirectory,
        STANDIN_TIME_SCALE: '1000',
        [MARK]: this.mark,
        ...options.env,
      },
    })
    return this
  }

  get host(): Host {
    assert.ok(this.#host, 'the host is not booted')
    return this.#host
  }

  /** The fiber of the plugin's first instance. */
  get plugin(): Fiber {
    assert.ok(this.host.plugin)
    return this.host.plugin
  }

  get provider(): SubagentProvider {
    const provider = this.host.ctx.subagents.getProvider(PROVIDER)
    assert.ok(provider, 'the provider is not registered')
    return provider
  }

  /** The parent of every delegation that names no other. */
  get parent(): ParentAgent {
    this.#parent ??= this.newParent()
    return this.#parent
  }

  newParent(options: Partial<ParentOptions> = {}): ParentAgent {
    return this.host.parent({ cwd: this.workspace, ...options })
  }

  /** A file in the workspace, which is where the stand-in resolves the paths of a case. */
  file(name: string): string {
    return join(this.workspace, name)
  }

  /**
   * Writes a case for the stand-in; returns the prompt that makes it replay the case.
   * @param item a function of the prompt, for a CLI that repeats it.
   */
  async task(item: StandInCase | ((prompt: string) => StandInCase)): Promise<string> {
    this.#cases += 1
    const id = `n${this.#cases}`
    const prompt = `Do case:${id} now and tell me about the heron colony`
    await writeCaseFile(this.#casesDirectory, id, typeof item === 'function' ? item(prompt) : item)
    return prompt
  }

  /** @param options `args`: further arguments of the tool. */
  delegate(
    prompt: string,
    {
      tool = TOOL,
      args = {},
      ...options
    }: Partial<CallOptions> & { readonly tool?: string; readonly args?: object } = {},
  ): Delegation {
    const delegation = this.generation.delegate(
      this.host,
      tool,
      { description: LABEL, prompt, ...args },
      { parent: this.parent, ...options },
    )
    const ending = withDeadline(delegation.ending, 'the parent has not learnt how it ended')
    ending.catch(() => {})
    return { ...delegation, ending }
  }

  /** Delegates a case and waits for its end. */
  async replay(
    item: StandInCase,
    options: { readonly parent?: ParentAgent; readonly args?: object } = {},
  ): Promise<Ending> {
    return this.delegate(await this.task(item), options).ending
  }

  /**
   * Delegates a case that stays alive, and resolves once its process has come up and has written
   * `readyFile`.
   */
  async delegateLasting(item: StandInCase = {}): Promise<Delegation> {
    this.#cases += 1
    const readyFile = `ready-${this.#cases}`
    const delegation = this.delegate(await this.task({ hang: true, ...item, readyFile }))
    const early = delegation.ending.then(({ stop, text }) =>
      assert.fail(`the delegation was to last and has ended as ${stop}: ${text}`),
    )
    await Promise.race([fileText(this.file(readyFile)), early])
    early.catch(() => {})
    return delegation
  }

  /** Starts a run on the provider itself, as the host's service does. */
  async startRun(prompt: string, signal = new AbortController().signal): Promise<SubagentRun> {
    return this.provider.start({
      label: LABEL,
      prompt: [{ type: 'text', text: prompt }],
      parent: this.parent.agent,
      signal,
    } as Parameters<SubagentProvider['start']>[0])
  }

  starts(): Promise<StandInStart[]> {
    return readStarts(this.#recordFile)
  }

  /** The log lines of the plugin, without those that cordis writes about it. */
  get logs(): LogLine[] {
    return this.host.logs.filter((line) => line.name === 'subagent-cursor')
  }

  assertNoProcess(): Promise<void> {
    return assertNoProcess(this.mark)
  }

  /** Shuts the host down, and asserts that it leaves no process. */
  async dispose(): Promise<void> {
    try {
      await this.#host?.dispose()
      await this.assertNoProcess()
    } finally {
      for (const restore of this.#restore) restore()
      killMarked(this.mark)
      await this.home.cleanup()
      await rm(this.#scratch, { recursive: true, force: true, maxRetries: 5 })
    }
  }

  get #recordFile(): string {
    return join(this.#scratch, 'record.jsonl')
  }

  get #casesDirectory(): string {
    return join(this.#scratch, 'cases')
  }
}

/** A wait that is for ever would be a test without a name in the report. */
async function withDeadline<T>(promise: Promise<T>, complaint: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${complaint} after 20 s`)), 20_000)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

function observeSpawns(observe: () => void): () => void {
  const runtime = LocalSubprocessRuntime.prototype
  const { spawn } = runtime
  runtime.spawn = function (spec) {
    const handle = spawn.call(this, spec)
    observe()
    return handle
  }
  return () => {
    runtime.spawn = spawn
  }
}

/** Keeps the CLI's stderr, which the plugin passes on, out of the test report. */
function captureStderr(take: (text: string) => void): () => void {
  const { stderr } = process
  const { write } = stderr
  const fake = (chunk: Uint8Array | string, ...rest: unknown[]): boolean => {
    take(Buffer.from(chunk as Uint8Array).toString('utf8'))
    const done = rest.at(-1)
    if (typeof done === 'function') process.nextTick(done)
    return true
  }
  stderr.write = fake as typeof write
  return () => {
    stderr.write = write
  }
}

const line = (event: object): string => JSON.stringify(event)

/** Lines of a stream, in the shapes of a real capture. */
export const events = {
  init: line({ type: 'system', subtype: 'init', session_id: 's', model: 'Auto' }),
  assistant: (text: string): string =>
    line({
      type: 'assistant',
      message: { role: 'assistant', content: [{ type: 'text', text }] },
      session_id: 's',
    }),
  toolCall: (subtype: 'started' | 'completed', path: string): string =>
    line({
      type: 'tool_call',
      subtype,
      call_id: 'call\nfc',
      tool_call: { readToolCall: { args: { path } } },
      session_id: 's',
    }),
  result: (result: string, more: object = {}): string =>
    line({
      type: 'result',
      subtype: 'success',
      duration_ms: 4200,
      is_error: false,
      result,
      session_id: 's',
      ...more,
    }),
} as const
