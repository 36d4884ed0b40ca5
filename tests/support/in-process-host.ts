// What the two in-process hosts of the behavioural suite share: live parent agents whose inbox is
// recorded, the real tool registry, subprocess service and sandbox policy on a real cordis context,
// captured log lines, and a tool call as a model would make it. Which `ctx.subagents` runs on top
// is for `host-0.1/boot.ts` and `host-0.2/boot.ts` to say.
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Context, Logger } from '@deepseek-ai/cordis'
import type { Fiber, Plugin } from '@deepseek-ai/cordis'
import { AgentRegistry, Inbox } from '@deepseek-ai/dsh-agent'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { ContentBlock } from '@deepseek-ai/dsh-llm'
import { SandboxPolicyService, setSandboxMode } from '@deepseek-ai/dsh-sandbox-policy'
import { Session, SessionId } from '@deepseek-ai/dsh-session'
import type { UserMessage } from '@deepseek-ai/dsh-session'
import { LocalSubprocessRuntime } from '@deepseek-ai/dsh-subprocess-local'
import { ToolRuntime } from '@deepseek-ai/dsh-tools'
import type { ToolExecutionInput, ToolExecutionResult } from '@deepseek-ai/dsh-tools'

/** A plugin module: what a profile row names. */
export type PluginModule = Plugin | Record<string, unknown>

export type SandboxMode = 'read-only' | 'workspace-write' | 'danger-full-access'

export interface HostOptions {
  /** Mounted last; more instances can follow with `mount`. */
  readonly plugin?: PluginModule
  /** The row's `config`. */
  readonly config?: Record<string, unknown>
  /** Laid over `process.env` until `dispose()`; `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The deployment's default policy; without it there is no `ctx.sandboxPolicy` at all. */
  readonly sandboxPolicy?: SandboxMode
}

/** One message that reached a parent's inbox. */
export interface Notice {
  /** `followup` opens a turn, `steer` reaches the running one, `inject` wakes nobody. */
  readonly delivery: 'followup' | 'steer' | 'inject'
  readonly blocks: readonly ContentBlock[]
  /** The text of each text block. */
  readonly texts: readonly string[]
  /** All texts, one block a line. */
  readonly text: string
}

export interface ParentOptions {
  readonly id?: string
  /** `session.header.cwd`: the project the session was opened in. */
  readonly cwd: string
  /** The current directory, which 0.2 keeps apart from `cwd`; `cwd` when omitted. */
  readonly directory?: string
  /** The agent whose child this one is. */
  readonly above?: ParentAgent
  readonly status?: 'idle' | 'running'
}

export interface ToolOutcome {
  readonly isError: boolean
  /** What the model reads: on failure `Error: ` and the thrown message. */
  readonly text: string
  /** The canonical value; `undefined` on failure. */
  readonly value: unknown
}

export interface LogLine {
  readonly level: 'error' | 'info' | 'warn' | 'debug'
  /** The logger's name: by default the plugin's. */
  readonly name: string
  readonly text: string
}

export interface ToolCallOptions {
  readonly parent?: ParentAgent
  readonly signal?: AbortSignal
}

/**
 * Imports the default export of a package that only the installed host depends on, so that it is
 * the host's own copy. `via` is a package this project can see and that can see `name`.
 */
export async function importFromHost(
  name: string,
  via = '@deepseek-ai/dsh',
): Promise<(ctx: Context) => void> {
  const own = createRequire(import.meta.url)
  const host = createRequire(own.resolve(`${via}/package.json`))
  const module = await import(pathToFileURL(host.resolve(name)).href)
  return module.default ?? module
}

/** Logs an event that the installed 0.1 types do not know. */
export function appendTo(session: Session, type: string, data: object): void {
  ;(session as unknown as { append(type: string, data: object): void }).append(type, data)
}

/** An agent that is live in `ctx.agents` and keeps what is sent to it instead of running a model. */
export class ParentAgent {
  readonly agent: Agent
  readonly notices: Notice[] = []
  readonly #wakeUps = new Set<() => void>()
  readonly #leave: () => Promise<void>
  #status: 'idle' | 'running'

  constructor(ctx: Context, options: ParentOptions & { readonly id: string }) {
    this.#status = options.status ?? 'idle'
    const id = SessionId(options.id)
    const above = options.above === undefined ? {} : { parentSession: options.above.agent.id }
    const header = { version: 0, id, createdAt: 0, cwd: options.cwd, ...above } as const
    const session = Session.create(id, undefined, header)
    if (options.directory !== undefined) {
      appendTo(session, 'working-directory/change', { cwd: options.directory })
    }
    const scope = ctx.plugin(function parentAgent() {})
    const receive = (delivery: Notice['delivery']) => (message: UserMessage) =>
      this.#receive(delivery, message)
    const status = (): 'idle' | 'running' => this.#status
    this.agent = {
      id,
      options: {},
      session,
      inbox: new Inbox(session, { inserted() {}, discarded() {}, claimed() {} }),
      get status() {
        return status()
      },
      ctx: scope.ctx,
      send: receive('followup'),
      followup: receive('followup'),
      steer: receive('steer'),
      inject: receive('inject'),
      cancel() {},
      whenIdle: async () => {},
      runMaintenance: (task) => task(new AbortController().signal),
    }
    const unregister = ctx.agents.register(this.agent)
    this.#leave = async () => {
      await scope.dispose()
      unregister()
    }
  }

  set status(status: 'idle' | 'running') {
    this.#status = status
  }

  /** The session's own policy, which outranks the deployment's. */
  set sandboxMode(mode: SandboxMode) {
    setSandboxMode(this.agent.session, mode)
  }

  /** The first notice, whether it came already or is still to come. */
  async firstNotice(): Promise<Notice> {
    for (;;) {
      const [notice] = this.notices
      if (notice !== undefined) return notice
      await new Promise<void>((wake) => this.#wakeUps.add(wake))
    }
  }

  /** Ends the session: jobs it owns are stopped and awaited, then it is no longer live. */
  async leave(): Promise<void> {
    await this.#leave()
  }

  #receive(delivery: Notice['delivery'], message: UserMessage): void {
    const texts = message.content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
    this.notices.push({ delivery, blocks: message.content, texts, text: texts.join('\n') })
    for (const wake of this.#wakeUps) wake()
    this.#wakeUps.clear()
  }
}

/** A cordis context with everything below `ctx.subagents` mounted; the boots add the rest. */
export class InProcessHost {
  readonly ctx = new Context()
  /** Every line, whatever its level; a real host drops `warn` and `debug` by default. */
  readonly logs: LogLine[] = []
  /** The fiber of the plugin given to the boot. */
  plugin: Fiber | undefined
  readonly #restoreEnv: () => void
  #calls = 0
  #parents = 0

  constructor(options: HostOptions) {
    this.#restoreEnv = overlayEnv(options.env ?? {})
    this.ctx.logger.exporter({
      levels: { default: 3 },
      export: (message) => {
        const { type: level, name } = message
        this.logs.push({ level, name, text: Logger.format({ export() {} }, message) })
      },
    })
  }

  /**
   * Mounts the services that are the same in both generations, then what `more` mounts, then the plugin.
   * Rejects, with everything shut down again, when one fails to load.
   */
  async boot(options: HostOptions, more: () => Promise<unknown>): Promise<this> {
    try {
      await this.#mountCommon(options)
      await more()
      const { plugin, config } = options
      if (plugin !== undefined) this.plugin = await this.mount(plugin, config)
      return this
    } catch (error) {
      await this.dispose()
      throw error
    }
  }

  async #mountCommon(options: HostOptions): Promise<void> {
    await this.ctx.plugin(AgentRegistry)
    // The tool registry adds its schemas to the prompt, so it does not start without this service.
    await this.ctx.plugin(
      await importFromHost('@deepseek-ai/dsh-system-prompt', '@deepseek-ai/dsh-tools'),
    )
    await this.ctx.plugin(ToolRuntime)
    await this.ctx.plugin(LocalSubprocessRuntime)
    if (options.sandboxPolicy !== undefined) {
      await this.ctx.plugin(SandboxPolicyService, { mode: options.sandboxPolicy })
    }
  }

  /** Mounts one instance of a plugin as a profile row does; rejects when it fails to load. */
  async mount(plugin: PluginModule, config: Record<string, unknown> = {}): Promise<Fiber> {
    const fiber = this.ctx.plugin(plugin as never, config as never) as Fiber
    try {
      await fiber.await()
    } catch (error) {
      await fiber.dispose()
      throw error
    }
    return fiber
  }

  parent(options: ParentOptions): ParentAgent {
    this.#parents += 1
    return new ParentAgent(this.ctx, { id: `parent-${this.#parents}`, ...options })
  }

  toolNames(): string[] {
    return this.ctx.tools.schemas().map((schema) => schema.name)
  }

  /** What the model is shown of a tool. */
  tool(name: string): { readonly description: string; readonly parameters: readonly string[] } {
    const schema = this.ctx.tools.schemas().find((each) => each.name === name)
    if (schema === undefined) throw new Error(`no tool ${name}; there are: ${this.toolNames()}`)
    const { properties = {} } = schema.parameters as { properties?: Record<string, unknown> }
    return { description: schema.description, parameters: Object.keys(properties) }
  }

  /** Calls a tool through the registry's whole pipeline; never rejects, as towards a model. */
  async call(name: string, args: object, options: ToolCallOptions = {}): Promise<ToolOutcome> {
    this.#calls += 1
    const input = {
      callId: `call-${this.#calls}`,
      name,
      arguments: args,
      signal: options.signal ?? new AbortController().signal,
      ...(options.parent === undefined ? {} : { agent: options.parent.agent }),
    } as ToolExecutionInput
    const result: ToolExecutionResult = await this.ctx.tools.execute(input)
    const text = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
    return { isError: result.isError, text, value: result.value }
  }

  /** Shuts the host down as a whole: every service ends its live work; then the env is restored. */
  async dispose(): Promise<void> {
    try {
      await this.ctx.fiber.dispose()
    } finally {
      this.#restoreEnv()
    }
  }
}

function overlayEnv(overlay: Readonly<Record<string, string | undefined>>): () => void {
  const before = Object.keys(overlay).map((name) => [name, process.env[name]] as const)
  for (const [name, value] of Object.entries(overlay)) setEnv(name, value)
  return () => {
    for (const [name, value] of before) setEnv(name, value)
  }
}

function setEnv(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name]
  else process.env[name] = value
}
