// A stand-in for `ctx.subagents` of DSH 0.2, on the real cordis: the provider registry, admission,
// and the activations of external providers from start to notice. It leaves out what an external
// provider never meets: local children, resuming, projections and the remote surface.
import { isAbsolute, resolve } from 'node:path'
import { randomUUID } from 'node:crypto'
import { Service } from '@deepseek-ai/cordis'
import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { createUserMessage } from '@deepseek-ai/dsh-llm'
import type { SessionId } from '@deepseek-ai/dsh-session'
import { SubagentError as HostSubagentError } from '@deepseek-ai/dsh-subagent'
import { settlementBlocks } from './settlement-notice.ts'
import type {
  ResolvedSubagentRequest02,
  SubagentActivation02,
  SubagentActivationSpec02,
  SubagentCapabilities02,
  SubagentErrorCode02,
  SubagentInterruptAuthority02,
  SubagentProvider02,
  SubagentRequest02,
  SubagentResult02,
  SubagentRun02,
  SubagentRuntime02,
} from './types.ts'

export interface SubagentsConfig02 {
  /** Live and starting children per root agent; the host's default is 8. */
  readonly maxActiveSubagents?: number
  /** The agent's current directory; the host keeps it apart from `session.header.cwd`. */
  readonly directoryOf: (agent: Agent) => string
}

const DEFAULT_MAX_ACTIVE_SUBAGENTS = 8

function refuse(code: SubagentErrorCode02, message: string, cause?: unknown): HostSubagentError {
  return new HostSubagentError(message, code, cause === undefined ? undefined : { cause })
}

/** `ctx.subagents`. `started` is for tests: every spec that `startActivation` was called with. */
export class StandInSubagents extends Service implements SubagentRuntime02 {
  static inject = ['agents']
  readonly started: SubagentActivationSpec02[] = []
  private readonly providers = new Map<string, SubagentProvider02>()
  private readonly activations: Activations

  constructor(ctx: Context, config: SubagentsConfig02) {
    super(ctx, 'subagents')
    this.activations = new Activations(ctx, config)
    ctx.effect(() => () => this.activations.drain(), 'subagents.drain()')
  }

  registerProvider(provider: SubagentProvider02): () => void {
    const { name } = provider
    if (provider.start === undefined && provider.prepareContinuable === undefined) {
      throw refuse('UNSUPPORTED_CAPABILITY', `the subagent provider "${name}" can start nothing`)
    }
    // `this.ctx` is the caller's context here, so the registration lives and dies with its fiber.
    return this.ctx.effect(() => {
      if (this.providers.has(name)) {
        throw refuse(
          'DUPLICATE_PROVIDER',
          `a subagent provider named "${name}" is already registered`,
        )
      }
      this.providers.set(name, provider)
      this.activations.emit('subagent/provider-added', provider)
      return () => {
        this.providers.delete(name)
        this.activations.emit('subagent/provider-removed', name)
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
    const provider = this.providers.get(spec.provider)
    if (provider === undefined) {
      throw refuse('NO_PROVIDER', `no subagent provider is called "${spec.provider}"`)
    }
    if (spec.childId !== undefined) {
      throw refuse('UNSUPPORTED_CAPABILITY', 'an external provider takes no reserved child id')
    }
    assertDepth(spec.request.maxDepth)
    assertCapabilities(provider, spec.request)
    this.activations.assertLive(spec.request.parent)
    if (provider.start === undefined) throw new Error('the stand-in host has no local children')
    return this.activations.start(spec, provider)
  }

  interrupt(childId: SessionId, authority: SubagentInterruptAuthority02): void {
    this.activations.interrupt(childId, authority)
  }

  async drainDescendants(parents: readonly Agent[]): Promise<void> {
    await this.activations.drainDescendants(parents)
  }
}

function assertDepth(maxDepth: number | undefined): void {
  if (maxDepth === undefined || (Number.isSafeInteger(maxDepth) && maxDepth >= 0)) return
  throw new TypeError(`maxDepth must be a non-negative safe integer, not ${maxDepth}`)
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
    throw refuse(
      'UNSUPPORTED_CAPABILITY',
      `the subagent provider "${provider.name}" does not support "${capability}"`,
    )
  }
}

/** One child between publication and the end of its disposal. */
interface Activation {
  readonly id: SessionId
  readonly provider: string
  readonly runId: string
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

/** The part of a session that takes an event which the installed 0.1 types do not know. */
interface CatalogLog02 {
  append(type: 'subagent/catalog', entry: object): unknown
}

/** One start between admission and publication. */
interface Startup {
  readonly lineage: readonly Agent[]
  readonly controller: AbortController
  readonly settled: Promise<void>
}

class Activations {
  readonly #ctx: Context
  readonly #config: SubagentsConfig02
  readonly #live = new Map<SessionId, Activation>()
  readonly #startups = new Set<Startup>()
  readonly #slots = new WeakMap<Agent, Set<symbol>>()
  /** Parents whose teardown has begun; each stays until it leaves the agent registry. */
  readonly #closingParents = new Set<Agent>()
  #draining = false

  constructor(ctx: Context, config: SubagentsConfig02) {
    this.#ctx = ctx
    this.#config = config
    ctx.on('agent/disposed', ({ agent }) => {
      this.#closingParents.delete(agent)
    })
  }

  /** Tells every listener; one that throws or rejects is logged and stops no other. */
  emit(event: string, payload: unknown): void {
    const report = (error: unknown): void =>
      this.#ctx.logger.warn(`subagents: a ${event} listener failed: ${String(error)}`)
    for (const listener of this.#ctx.events.dispatch('emit', [event, payload])) {
      try {
        void Promise.resolve(listener(payload)).catch(report)
      } catch (error) {
        report(error)
      }
    }
  }

  assertLive(parent: Agent): void {
    if (this.#ctx.agents.get(parent.id) === parent) return
    throw refuse('UNAUTHORIZED', 'the parent is not the live agent of that id')
  }

  async start(
    spec: SubagentActivationSpec02,
    provider: SubagentProvider02,
  ): Promise<SubagentActivation02> {
    const { parent } = spec.request
    this.#assertAdmitting(parent)
    const cwd = await this.#resolveCwd(spec.request)
    spec.signal.throwIfAborted()
    this.#assertAdmitting(parent)
    const lineage = this.#lineageOf(parent)
    const releaseSlot = this.#reserveSlot(lineage.at(-1)!)
    const settled = Promise.withResolvers<void>()
    const startup: Startup = {
      lineage,
      controller: new AbortController(),
      settled: settled.promise,
    }
    this.#startups.add(startup)
    try {
      const cancelled = AbortSignal.any([spec.signal, startup.controller.signal])
      const activation = await this.#publish(spec, provider, cwd, cancelled, releaseSlot, lineage)
      await this.#announce(activation, spec)
      return {
        childId: activation.id,
        result: activation.outcome.promise,
        dispose: () => this.#close(activation, 'stop'),
      }
    } catch (error) {
      releaseSlot()
      // A startup that a drain cut short says so instead of reporting a bare abort.
      if (error instanceof Error && error.name === 'AbortError') this.#assertAdmitting(parent)
      throw error
    } finally {
      this.#startups.delete(startup)
      settled.resolve()
    }
  }

  async #publish(
    spec: SubagentActivationSpec02,
    provider: SubagentProvider02,
    cwd: string,
    cancelled: AbortSignal,
    releaseSlot: () => void,
    lineage: readonly Agent[],
  ): Promise<Activation> {
    const { parent } = spec.request
    const controller = new AbortController()
    const run = await this.#startRun(provider, cancelled, controller, {
      ...spec.request,
      cwd,
      label: spec.label,
      signal: controller.signal,
    })
    const taken = this.#live.has(run.id) || this.#ctx.agents.get(run.id) !== undefined
    if (taken) {
      await run.dispose()
      throw refuse('DUPLICATE_CHILD', `a subagent "${run.id}" already exists`)
    }
    const activation: Activation = {
      id: run.id,
      provider: provider.name,
      runId: randomUUID(),
      parent,
      lineage,
      delivery: spec.delivery,
      run,
      controller,
      outcome: Promise.withResolvers<SubagentResult02>(),
      releaseSlot,
      announced: false,
      closing: undefined,
    }
    activation.outcome.promise.catch(() => {})
    this.#live.set(activation.id, activation)
    try {
      this.#assertAdmitting(parent)
      cancelled.throwIfAborted()
      this.assertLive(parent)
    } catch (error) {
      await this.#rollBack(activation, error)
      throw error
    }
    this.emit('subagent/start', this.#identity(activation))
    return activation
  }

  /**
   * The second look at admission and the catalog entry (`manager.ts` `startExternal`, `catalog.ts`).
   * What fails here rolls the start back: its end is told to listeners, and the parent gets no notice.
   */
  async #announce(activation: Activation, spec: SubagentActivationSpec02): Promise<void> {
    const { id, parent, run } = activation
    try {
      this.#assertAdmitting(parent)
      this.assertLive(parent)
      spec.signal.throwIfAborted()
      if (spec.delivery === 'parent') {
        const { label } = spec
        const childCreatedAt = Date.now()
        const entry = { version: 2, childId: id, childCreatedAt, mode: 'external', label }
        const log = parent.session as unknown as CatalogLog02
        log.append('subagent/catalog', entry)
      }
    } catch (error) {
      await this.#close(activation, 'stop').catch((failure: unknown) => {
        this.#ctx.logger.warn(`subagent "${id}" rollback failed: ${String(failure)}`)
      })
      throw error
    }
    activation.announced = true
    const settle = (): Promise<void> => this.#close(activation, 'settle')
    run.result.then(settle, settle).catch((error: unknown) => {
      this.#ctx.logger.warn(`subagent "${id}" teardown failed: ${String(error)}`)
    })
  }

  /** The agent and its live ancestors, the root last (`manager.ts` `liveLineage`). */
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

  /** The provider's signal follows the startup's until `start()` settles, and never afterwards. */
  async #startRun(
    provider: SubagentProvider02,
    cancelled: AbortSignal,
    controller: AbortController,
    request: ResolvedSubagentRequest02,
  ): Promise<SubagentRun02> {
    cancelled.throwIfAborted()
    const cancelStartup = (): void => controller.abort(cancelled.reason)
    cancelled.addEventListener('abort', cancelStartup, { once: true })
    try {
      const run = await provider.start!(request)
      run.result.catch(() => {})
      return run
    } finally {
      cancelled.removeEventListener('abort', cancelStartup)
    }
  }

  async #resolveCwd(request: SubagentRequest02): Promise<string> {
    if (request.cwd !== undefined && isAbsolute(request.cwd)) return request.cwd
    return resolve(await this.#config.directoryOf(request.parent), request.cwd ?? '.')
  }

  /** One pool serves the whole tree (`activation.ts` `ActivationPool`, `manager.ts` `rootPool`). */
  #reserveSlot(root: Agent): () => void {
    let slots = this.#slots.get(root)
    if (slots === undefined) this.#slots.set(root, (slots = new Set()))
    const capacity = this.#config.maxActiveSubagents ?? DEFAULT_MAX_ACTIVE_SUBAGENTS
    if (slots.size >= capacity) {
      throw refuse(
        'ACTIVATION_LIMIT_REACHED',
        `subagent limit reached (active child limit: ${capacity}); wait for an existing child to finish or complete this work with the current agents`,
      )
    }
    const slot = Symbol('subagent')
    slots.add(slot)
    return () => slots.delete(slot)
  }

  async #rollBack(activation: Activation, error: unknown): Promise<void> {
    // The refusal is what the caller must learn of; a failed dispose may not take its place.
    await activation.run.dispose().catch(() => {})
    this.#live.delete(activation.id)
    activation.releaseSlot()
    activation.outcome.reject(error)
  }

  #close(activation: Activation, why: 'stop' | 'settle'): Promise<void> {
    activation.closing ??= this.#finish(activation, why)
    return activation.closing
  }

  async #finish(activation: Activation, why: 'stop' | 'settle'): Promise<void> {
    const { run } = activation
    const failures: unknown[] = []
    // Some runs settle only once they are disposed, so a stop does not wait for the result first.
    if (why === 'stop') activation.controller.abort({ kind: 'parent' })
    const stopping = why === 'stop' ? Promise.resolve().then(() => run.dispose()) : undefined
    stopping?.catch(() => {})
    let result: SubagentResult02 = { output: [], stopReason: 'error' }
    let rejection: { readonly error: unknown } | undefined
    try {
      result = await run.result
    } catch (error) {
      rejection = { error }
      failures.push(error)
    }
    try {
      await (stopping ?? run.dispose())
    } catch (error) {
      failures.push(error)
    }

    this.#live.delete(activation.id)
    activation.releaseSlot()
    this.#notify(activation, result)
    const ending: SubagentResult02 =
      failures.length === 0 ? result : { output: [], stopReason: 'error' }
    this.emit('subagent/end', {
      ...this.#identity(activation),
      stopReason: ending.stopReason,
      ...(ending.output.length === 0 ? {} : { lastAssistantMessage: ending.output }),
    })
    if (rejection === undefined) activation.outcome.resolve(result)
    else activation.outcome.reject(rejection.error)
    if (failures.length > 0) throw teardownFailure([activation.id], failures)
  }

  /** The captured result reaches the parent even when the teardown failed; a gone parent is told nothing. */
  #notify(activation: Activation, result: SubagentResult02): void {
    const { parent } = activation
    if (!activation.announced || activation.delivery === 'caller') return
    if (this.#ctx.agents.get(parent.id) !== parent) return
    const message = createUserMessage({
      content: settlementBlocks(activation.id, result),
      // A source kind that the installed 0.1 types do not know.
      source: { kind: 'subagent-settled', senderSessionId: activation.id } as never,
    })
    try {
      if (this.#closesFor(parent)) parent.inject(message)
      else if (parent.status === 'idle') parent.followup(message)
      else parent.steer(message)
    } catch (error) {
      this.#ctx.logger.warn(`subagent "${activation.id}" left no notice: ${String(error)}`)
    }
  }

  interrupt(childId: SessionId, authority: SubagentInterruptAuthority02): void {
    const activation = this.#live.get(childId)
    if (authority.kind === 'ancestor') this.assertLive(authority.agent)
    if (activation === undefined) return
    const mayStop =
      authority.kind === 'user'
        ? authority.parentSessionId === activation.parent.id
        : activation.lineage.includes(authority.agent)
    if (!mayStop) throw refuse('UNAUTHORIZED', `subagent "${childId}" belongs to another parent`)
    this.#close(activation, 'stop').catch(() => {})
  }

  /** Admits nothing any more, lets every startup end, then stops every child. */
  async drain(): Promise<void> {
    this.#draining = true
    await this.#stopAll(() => true)
  }

  async drainDescendants(parents: readonly Agent[]): Promise<void> {
    const closing = parents.filter((parent) => this.#ctx.agents.get(parent.id) === parent)
    for (const parent of closing) this.#closingParents.add(parent)
    await this.#stopAll((lineage) => closing.some((parent) => lineage.includes(parent)))
  }

  async #stopAll(belongs: (lineage: readonly Agent[]) => boolean): Promise<void> {
    const startups = [...this.#startups].filter((startup) => belongs(startup.lineage))
    for (const startup of startups) startup.controller.abort()
    await Promise.all(startups.map((startup) => startup.settled))
    const activations = [...this.#live.values()].filter((each) => belongs(each.lineage))
    const ends = await Promise.allSettled(activations.map((each) => this.#close(each, 'stop')))
    const failures = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
    if (failures.length > 0) {
      throw teardownFailure(
        activations.map((each) => each.id),
        failures,
      )
    }
  }

  #assertAdmitting(parent: Agent): void {
    if (this.#closesFor(parent)) throw refuse('DRAINING', 'subagents are shutting down')
  }

  #closesFor(parent: Agent): boolean {
    if (this.#draining) return true
    return this.#lineageOf(parent).some((agent) => this.#closingParents.has(agent))
  }

  #identity(activation: Activation): object {
    const { runId, provider, id } = activation
    return { runId, provider, id, local: false }
  }
}

function teardownFailure(ids: readonly string[], failures: readonly unknown[]): HostSubagentError {
  const details = failures.map((each) => (each instanceof Error ? each.message : 'unknown failure'))
  return refuse(
    'ACTIVATION_TEARDOWN_FAILED',
    `teardown of ${ids.join(', ')} failed: ${details.join('; ')}`,
    failures.length === 1 ? failures[0] : new AggregateError(failures),
  )
}
