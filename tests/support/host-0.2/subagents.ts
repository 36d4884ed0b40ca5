// A stand-in for `ctx.subagents` of DSH 0.2, on the real cordis: the provider registry, admission,
// and the activations of external providers from start to notice, with the host's words for every
// refusal. It leaves out what an external provider never meets: local children, resuming,
// projections and the remote surface. Source: `packages/subagent/subagent/src/` there.
import { randomUUID } from 'node:crypto'
import { isAbsolute, resolve } from 'node:path'
import { Service } from '@deepseek-ai/cordis'
import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { SessionId } from '@deepseek-ai/dsh-session'
import { assertSubagentMaxDepth } from '@deepseek-ai/dsh-subagent'
import { appendTo } from '../in-process-host.ts'
import { refusal } from './refusals.ts'
import { settlementNotice } from './settlement-notice.ts'
import type {
  ResolvedSubagentRequest02,
  SubagentActivation02,
  SubagentActivationSpec02,
  SubagentCapabilities02,
  SubagentInterruptAuthority02,
  SubagentProvider02,
  SubagentRequest02,
  SubagentResult02,
  SubagentRun02,
  SubagentRuntime02,
  WorkingDirectory02,
} from './types.ts'

export interface SubagentsConfig02 {
  /** Live and starting children per root agent. */
  readonly maxActiveSubagents: { get(): number }
}

const detailOf = (error: unknown): string =>
  error instanceof Error ? error.message : 'unknown teardown failure'

/** Tells every listener; one that throws or rejects is logged and stops no other. */
function tell(ctx: Context, event: string, payload: unknown): void {
  const report = (error: unknown): void =>
    ctx.logger.warn(`subagents: a ${event} listener failed: ${String(error)}`)
  for (const listener of ctx.events.dispatch('emit', [event, payload])) {
    try {
      void Promise.resolve(listener(payload)).catch(report)
    } catch (error) {
      report(error)
    }
  }
}

/** `ctx.subagents`. `started` is for tests: every spec that `startActivation` was called with. */
export class StandInSubagents extends Service implements SubagentRuntime02 {
  static inject = ['workingDirectory']
  readonly started: SubagentActivationSpec02[] = []
  private readonly providers = new Map<string, SubagentProvider02>()
  /** Absent where the host has no agents. */
  private activations: Activations | undefined

  constructor(ctx: Context, config: SubagentsConfig02) {
    super(ctx, 'subagents')
    ctx.inject(['agents'], (inner) => {
      const activations = new Activations(inner, () => config.maxActiveSubagents.get())
      this.activations = activations
      inner.effect(() => () => {
        this.activations = undefined
        return activations.drain()
      })
    })
  }

  registerProvider(provider: SubagentProvider02): () => void {
    const { name } = provider
    if (provider.start === undefined && provider.prepareContinuable === undefined)
      throw refusal('UNSUPPORTED_CAPABILITY', 'provider', name)
    // `this.ctx` is the caller's context here, so the registration lives and dies with its fiber.
    const { ctx } = this
    return ctx.effect(() => {
      if (this.providers.has(name)) throw refusal('DUPLICATE_PROVIDER', 'provider', name)
      this.providers.set(name, provider)
      tell(ctx, 'subagent/provider-added', provider)
      return () => {
        this.providers.delete(name)
        tell(ctx, 'subagent/provider-removed', name)
      }
    }, 'subagents.registerProvider()')
  }

  getProvider(name: string): SubagentProvider02 | undefined {
    return this.providers.get(name)
  }

  list(): string[] {
    return [...this.providers.keys()]
  }

  async startActivation(spec: SubagentActivationSpec02): Promise<SubagentActivation02> {
    this.started.push(spec)
    const { request } = spec
    const provider = this.providers.get(spec.provider)
    if (provider === undefined) throw refusal('NO_PROVIDER', 'provider', spec.provider)
    if (spec.childId !== undefined) throw refusal('UNSUPPORTED_CAPABILITY', 'childId')
    assertSubagentMaxDepth(request.maxDepth)
    assertCapabilities(provider, request)
    if (this.activations === undefined) throw refusal('CONTINUATION_UNAVAILABLE', 'agents')
    if (!this.activations.isLive(request.parent)) throw refusal('UNAUTHORIZED', 'creation')
    if (provider.start === undefined) throw new Error('the stand-in host has no local children')
    return this.activations.start(spec, provider)
  }

  interrupt(childId: SessionId, authority: SubagentInterruptAuthority02): void {
    this.activations?.interrupt(childId, authority)
  }

  async waitForChildren(parent: Agent): Promise<boolean> {
    return (await this.activations?.waitForChildren(parent)) ?? false
  }

  async drainDescendants(parents: readonly Agent[]): Promise<void> {
    await this.activations?.drainDescendants(parents)
  }
}

const NEEDED_CAPABILITY = {
  agentOptions: 'agentOptions',
  outputSchema: 'outputSchema',
  maxDepth: 'depthLimit',
  toolFilter: 'toolFilter',
  persona: 'persona',
} as const satisfies Partial<Record<keyof SubagentRequest02, keyof SubagentCapabilities02>>

function assertCapabilities(provider: SubagentProvider02, request: SubagentRequest02): void {
  for (const field of Object.keys(NEEDED_CAPABILITY) as (keyof typeof NEEDED_CAPABILITY)[]) {
    const capability = NEEDED_CAPABILITY[field]
    if (request[field] === undefined || provider.capabilities[capability]) continue
    throw refusal('UNSUPPORTED_CAPABILITY', 'request', provider.name, capability)
  }
}

/** One child between publication and the end of its disposal. */
interface Activation {
  readonly id: SessionId
  /** What listeners are told of it, at its start and at its end. */
  readonly identity: object
  readonly parent: Agent
  /** The parent and its live ancestors at the start; each may interrupt and drain the child. */
  readonly lineage: readonly Agent[]
  readonly delivery: 'parent' | 'caller'
  readonly run: SubagentRun02
  /** Its signal is the one the provider was given. */
  readonly controller: AbortController
  readonly outcome: PromiseWithResolvers<SubagentResult02>
  readonly releaseSlot: () => void
  /** False until startup is past its last check: a child nobody was told of leaves no notice. */
  announced: boolean
  closing: Promise<void> | undefined
}

/** One start between admission and publication. */
interface Startup {
  readonly lineage: readonly Agent[]
  readonly controller: AbortController
  readonly settled: Promise<void>
}

class Activations {
  readonly #ctx: Context
  readonly #capacity: () => number
  readonly #live = new Map<SessionId, Activation>()
  readonly #startups = new Set<Startup>()
  readonly #slots = new WeakMap<Agent, Set<symbol>>()
  /** Parents whose teardown has begun; each stays until it leaves the agent registry. */
  readonly #closingParents = new Set<Agent>()
  #draining = false

  constructor(ctx: Context, capacity: () => number) {
    this.#ctx = ctx
    this.#capacity = capacity
    ctx.on('agent/disposed', ({ agent }) => {
      this.#closingParents.delete(agent)
    })
  }

  isLive(agent: Agent): boolean {
    return this.#ctx.agents.get(agent.id) === agent
  }

  async start(
    spec: SubagentActivationSpec02,
    provider: SubagentProvider02,
  ): Promise<SubagentActivation02> {
    this.#assertAdmitting(spec.request.parent)
    const cwd = await this.#resolveCwd(spec)
    const activation = await this.#admit(spec, provider, cwd)
    try {
      this.#announce(activation, spec)
    } catch (error) {
      await this.#close(activation, 'stop').catch((failure: unknown) => {
        this.#ctx.logger.warn(`subagent "${activation.id}" rollback failed: ${detailOf(failure)}`)
      })
      throw error
    }
    return {
      childId: activation.id,
      result: activation.outcome.promise,
      dispose: () => this.#close(activation, 'stop'),
    }
  }

  async #resolveCwd({ request, signal }: SubagentActivationSpec02): Promise<string> {
    const { cwd = '.', parent } = request
    if (isAbsolute(cwd)) return cwd
    const directories = this.#ctx.get('workingDirectory' as never) as unknown as WorkingDirectory02
    return resolve(await directories.ensure(parent, signal), cwd)
  }

  /** Takes a slot for the start, and gives it back when nothing comes of it. */
  async #admit(
    spec: SubagentActivationSpec02,
    provider: SubagentProvider02,
    cwd: string,
  ): Promise<Activation> {
    const { parent } = spec.request
    this.#assertAdmitting(parent)
    spec.signal.throwIfAborted()
    const lineage = this.#lineageOf(parent)
    const releaseSlot = this.#reserveSlot(lineage.at(-1)!)
    const { promise: settled, resolve: settle } = Promise.withResolvers<void>()
    const startup: Startup = { lineage, controller: new AbortController(), settled }
    this.#startups.add(startup)
    try {
      return await this.#publish(spec, provider, cwd, startup, releaseSlot)
    } catch (error) {
      releaseSlot()
      // A startup that a drain cut short says so instead of reporting a bare abort.
      if (error instanceof Error && error.name === 'AbortError') this.#assertAdmitting(parent)
      throw error
    } finally {
      this.#startups.delete(startup)
      settle()
    }
  }

  async #publish(
    spec: SubagentActivationSpec02,
    provider: SubagentProvider02,
    cwd: string,
    startup: Startup,
    releaseSlot: () => void,
  ): Promise<Activation> {
    const { label, request, delivery } = spec
    const { parent } = request
    const cancelled = AbortSignal.any([spec.signal, startup.controller.signal])
    const controller = new AbortController()
    const resolved = { ...request, cwd, label, signal: controller.signal }
    const run = await this.#startRun(provider, resolved, cancelled, controller)
    const { id } = run
    const activation: Activation = {
      id,
      identity: { runId: randomUUID(), provider: provider.name, id, local: false },
      parent,
      lineage: startup.lineage,
      delivery,
      run,
      controller,
      outcome: Promise.withResolvers<SubagentResult02>(),
      releaseSlot,
      announced: false,
      closing: undefined,
    }
    activation.outcome.promise.catch(() => {})
    this.#live.set(id, activation)
    try {
      this.#assertAdmitting(parent)
      cancelled.throwIfAborted()
      if (!this.isLive(parent)) throw refusal('UNAUTHORIZED', 'start')
    } catch (error) {
      const rollBack = async (): Promise<void> => {
        await run.dispose().finally(() => this.#live.delete(id))
      }
      activation.closing = rollBack()
      // The refusal is what the caller must learn of; a failed dispose may not take its place.
      await activation.closing.catch(() => {})
      activation.outcome.reject(error)
      throw error
    }
    tell(this.#ctx, 'subagent/start', activation.identity)
    return activation
  }

  /** The provider's signal follows the startup's until `start()` settles, and never afterwards. */
  async #startRun(
    provider: SubagentProvider02,
    request: ResolvedSubagentRequest02,
    cancelled: AbortSignal,
    controller: AbortController,
  ): Promise<SubagentRun02> {
    cancelled.throwIfAborted()
    const cancelStartup = (): void => controller.abort(cancelled.reason)
    cancelled.addEventListener('abort', cancelStartup, { once: true })
    try {
      const run = await provider.start!(request)
      run.result.catch(() => {})
      if (this.#isTaken(run.id)) {
        await run.dispose()
        throw refusal('DUPLICATE_CHILD', 'id', run.id)
      }
      return run
    } finally {
      cancelled.removeEventListener('abort', cancelStartup)
    }
  }

  #isTaken(id: SessionId): boolean {
    const registries = [this.#live, this.#ctx.agents, this.#ctx.get('sessions')]
    return registries.some((each) => each?.get(id) !== undefined)
  }

  /**
   * The second look at admission, and the catalog entry. What fails here rolls the start back: its
   * end is told to listeners, and the parent gets no notice.
   */
  #announce(activation: Activation, { label, signal }: SubagentActivationSpec02): void {
    const { id, parent, run, delivery } = activation
    this.#assertAdmitting(parent)
    if (!this.isLive(parent)) throw refusal('UNAUTHORIZED', 'announcement', id)
    signal.throwIfAborted()
    if (delivery === 'parent') {
      const childCreatedAt = Date.now()
      const entry = { version: 2, childId: id, childCreatedAt, mode: 'external', label }
      appendTo(parent.session, 'subagent/catalog', entry)
    }
    activation.announced = true
    const settle = (): Promise<void> => this.#close(activation, 'settle')
    run.result.then(settle, settle).catch((error: unknown) => {
      this.#ctx.logger.warn(`subagent "${id}" teardown failed: ${detailOf(error)}`)
    })
  }

  /** The agent and its live ancestors, the root last. */
  #lineageOf(agent: Agent): readonly Agent[] {
    const lineage = new Set<Agent>()
    let at: Agent | undefined = agent
    while (at !== undefined && !lineage.has(at)) {
      lineage.add(at)
      const above: SessionId | undefined = at.session.header.parentSession
      at = above === undefined ? undefined : this.#ctx.agents.get(above)
    }
    return [...lineage]
  }

  /** One pool serves the whole tree: an agent below another stands for a local child of it. */
  #reserveSlot(root: Agent): () => void {
    let slots = this.#slots.get(root)
    if (slots === undefined) this.#slots.set(root, (slots = new Set()))
    const capacity = this.#capacity()
    if (slots.size >= capacity) throw refusal('ACTIVATION_LIMIT_REACHED', 'pool', capacity)
    const slot = Symbol('subagent')
    slots.add(slot)
    return () => slots.delete(slot)
  }

  #close(activation: Activation, why: 'stop' | 'settle'): Promise<void> {
    activation.closing ??= this.#finish(activation, why)
    return activation.closing
  }

  async #finish(activation: Activation, why: 'stop' | 'settle'): Promise<void> {
    const { id, run, outcome } = activation
    const failures: Error[] = []
    // Some runs settle only once they are disposed, so a stop does not wait for the result first.
    if (why === 'stop') activation.controller.abort({ kind: 'parent' })
    const stopping = why === 'stop' ? Promise.resolve().then(() => run.dispose()) : undefined
    stopping?.catch(() => {})
    let result: SubagentResult02 = { output: [], stopReason: 'error' }
    let settle = (): void => outcome.resolve(result)
    try {
      result = await run.result
    } catch (error) {
      settle = () => outcome.reject(error)
      failures.push(refusal('ACTIVATION_TEARDOWN_FAILED', 'result', id, detailOf(error)))
    }
    try {
      await (stopping ?? run.dispose())
    } catch (error) {
      failures.push(refusal('ACTIVATION_TEARDOWN_FAILED', 'handle', id, detailOf(error)))
    }

    this.#live.delete(id)
    activation.releaseSlot()
    this.#notify(activation, result)
    const { stopReason, output } =
      failures.length === 0 ? result : { stopReason: 'error', output: [] }
    tell(this.#ctx, 'subagent/end', {
      ...activation.identity,
      stopReason,
      ...(output.length === 0 ? {} : { lastAssistantMessage: output }),
    })
    settle()
    if (failures.length > 1) {
      const details = failures.map(detailOf).join('; ')
      throw refusal('ACTIVATION_TEARDOWN_FAILED', 'both', id, details)
    }
    if (failures[0] !== undefined) throw failures[0]
  }

  /** The captured result reaches the parent even when the teardown failed; a gone parent is told nothing. */
  #notify({ id, parent, announced, delivery }: Activation, result: SubagentResult02): void {
    if (!announced || delivery === 'caller' || !this.isLive(parent)) return
    const notice = settlementNotice(id, result)
    try {
      if (this.#closingAbove(parent) !== undefined) parent.inject(notice)
      else if (parent.status === 'idle') parent.followup(notice)
      else parent.steer(notice)
    } catch (error) {
      this.#ctx.logger.warn(`subagent "${id}" left no notice: ${detailOf(error)}`)
    }
  }

  interrupt(childId: SessionId, authority: SubagentInterruptAuthority02): void {
    if (authority.kind === 'ancestor') {
      const { agent } = authority
      if (!this.isLive(agent)) throw refusal('UNAUTHORIZED', 'caller', childId)
      if (agent.id === childId) throw refusal('UNAUTHORIZED', 'self', agent.id)
    }
    const activation = this.#live.get(childId)
    if (activation === undefined) return
    if (authority.kind === 'user' && authority.parentSessionId !== activation.parent.id)
      throw refusal('UNAUTHORIZED', 'user', childId)
    if (authority.kind === 'ancestor' && !activation.lineage.includes(authority.agent))
      throw refusal('UNAUTHORIZED', 'ancestor', childId, authority.agent.id)
    if (activation.closing !== undefined) return
    activation.controller.abort({ kind: authority.kind === 'user' ? 'user' : 'parent' })
    this.#close(activation, 'stop').catch(() => {})
  }

  /** @returns whether there was anything to wait for. */
  async waitForChildren(parent: Agent): Promise<boolean> {
    for (let waited = false; ; waited = true) {
      const waits = [
        ...this.#startupsBelow([parent]).map(({ settled }) => settled),
        ...this.#liveBelow([parent]).map(({ outcome }) => outcome.promise.catch(() => {})),
      ]
      if (waits.length === 0) return waited
      await Promise.all(waits)
    }
  }

  /** Admits nothing any more, lets every startup end, then stops every child. */
  async drain(): Promise<void> {
    this.#draining = true
    await this.#cancelStartups([...this.#startups])
    await this.#stop([...this.#live.values()], 'activation(s)')
  }

  /** The children are on their way out before the first startup is waited for. */
  async drainDescendants(parents: readonly Agent[]): Promise<void> {
    const closing = parents.filter((parent) => this.isLive(parent))
    for (const parent of closing) this.#closingParents.add(parent)
    const startups = this.#cancelStartups(this.#startupsBelow(closing))
    const stopped = this.#stop(this.#liveBelow(closing), 'scoped activation(s)')
    stopped.catch(() => {})
    await startups
    await stopped
  }

  #startupsBelow(roots: readonly Agent[]): Startup[] {
    return [...this.#startups].filter(({ lineage }) => roots.some((root) => lineage.includes(root)))
  }

  #liveBelow(roots: readonly Agent[]): Activation[] {
    const live = [...this.#live.values()]
    return live.filter(({ lineage }) => roots.some((root) => lineage.includes(root)))
  }

  async #cancelStartups(startups: readonly Startup[]): Promise<void> {
    for (const { controller } of startups) controller.abort()
    await Promise.all(startups.map(({ settled }) => settled))
  }

  async #stop(activations: readonly Activation[], what: string): Promise<void> {
    const ends = await Promise.allSettled(activations.map((each) => this.#close(each, 'stop')))
    const details = ends.flatMap((end) => (end.status === 'rejected' ? detailOf(end.reason) : []))
    if (details.length === 0) return
    const subject = `${details.length} ${what}`
    throw refusal('ACTIVATION_TEARDOWN_FAILED', 'several', subject, details.join('; '))
  }

  #assertAdmitting(parent: Agent): void {
    const closing = this.#closingAbove(parent)
    if (closing === undefined) return
    throw closing === 'all' ? refusal('DRAINING', 'all') : refusal('DRAINING', 'tree', closing.id)
  }

  /** What is on its way out above this agent: everything, or one agent's tree. */
  #closingAbove(agent: Agent): 'all' | Agent | undefined {
    if (this.#draining) return 'all'
    return this.#lineageOf(agent).find((each) => this.#closingParents.has(each))
  }
}
