// The part of the DSH 0.2 subagent surface that an external provider and its tool touch, as shapes.
// It owns no behaviour: `subagents.ts` is the stand-in service, `vocabulary.ts` the package's values.
//
// Source of every fact: the DSH sources at generation 0.2 (`packages/subagent/subagent/src/types.ts`,
// `manager.ts` and `index.ts`), which cannot be installed. What local (in-process) children add to
// that surface is left out.
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { ContentBlock } from '@deepseek-ai/dsh-llm'
import type { Session, SessionId } from '@deepseek-ai/dsh-session'

/** Start options a provider can honour. `agentOptions` is what 0.2 added to the four of 0.1. */
export interface SubagentCapabilities02 {
  readonly agentOptions: boolean
  readonly outputSchema: boolean
  readonly depthLimit: boolean
  readonly toolFilter: boolean
  readonly persona: boolean
}

export interface SubagentResult02 {
  readonly output: readonly ContentBlock[]
  readonly stopReason: 'completed' | 'aborted' | 'error' | 'max-tokens' | 'refusal'
  /** At most 4096 UTF-8 bytes, written by the provider. */
  readonly diagnostic?: string
}

/** What `provider.start` publishes: `id` must be unique in the whole runtime, not per parent. */
export interface SubagentRun02 {
  readonly id: SessionId
  readonly result: Promise<SubagentResult02>
  dispose(): Promise<void>
}

/** What a caller of `startActivation` asks for. */
export interface SubagentRequest02 {
  readonly parent: Agent
  readonly prompt: ContentBlock[]
  /** Relative paths resolve against the parent's current directory; omitted means that directory. */
  readonly cwd?: string
  readonly agentOptions?: unknown
  readonly outputSchema?: unknown
  readonly maxDepth?: number
  readonly toolFilter?: unknown
  readonly persona?: string
  /** What this plugin's own tool adds; the service spreads the request, so it reaches the provider. */
  readonly cursor?: { readonly callId: string; readonly readOnly: boolean }
}

/**
 * What the provider is given. `signal` belongs to the runtime: before publication it follows the
 * caller's, afterwards only the runtime aborts it, with a plain object as the reason.
 */
export interface ResolvedSubagentRequest02 extends SubagentRequest02 {
  /** Absolute. */
  readonly cwd: string
  readonly label: string
  readonly signal: AbortSignal
}

export interface SubagentProvider02 {
  readonly name: string
  readonly capabilities: SubagentCapabilities02
  readonly inheritsParentContext: boolean
  start?(request: ResolvedSubagentRequest02): Promise<SubagentRun02>
  prepareContinuable?(request: unknown): Promise<unknown>
}

export interface SubagentActivationSpec02 {
  readonly provider: string
  readonly label: string
  readonly request: SubagentRequest02
  /** Cancels startup only. */
  readonly signal: AbortSignal
  /** `parent`: the runtime tells the parent how the child ended. `caller`: nobody is told. */
  readonly delivery: 'parent' | 'caller'
  /** A reserved identity; external providers mint their own, so for them it is refused. */
  readonly childId?: SessionId
}

export interface SubagentActivation02 {
  readonly childId: SessionId
  /** Settles after the run was disposed and the parent told; rejects when `run.result` did. */
  readonly result: Promise<SubagentResult02>
  /** Stops the child; rejects with `ACTIVATION_TEARDOWN_FAILED` when the run's teardown failed. */
  dispose(): Promise<void>
}

/** Codes of the `SubagentError`s that an external provider or its tool can meet. */
export type SubagentErrorCode02 =
  | 'NO_PROVIDER'
  | 'CONTINUATION_UNAVAILABLE'
  | 'DUPLICATE_PROVIDER'
  | 'UNSUPPORTED_CAPABILITY'
  | 'UNAUTHORIZED'
  | 'ACTIVATION_LIMIT_REACHED'
  | 'DUPLICATE_CHILD'
  | 'DRAINING'
  | 'ACTIVATION_TEARDOWN_FAILED'

export type SubagentInterruptAuthority02 =
  | { readonly kind: 'user'; readonly parentSessionId: SessionId }
  | { readonly kind: 'ancestor'; readonly agent: Agent }

/** `ctx.workingDirectory`, as far as a start asks it. */
export interface WorkingDirectory02 {
  get(session: Session): string
  /** Where the agent is now, or again where its session began; rejects when both are gone. */
  ensure(agent: Agent, signal?: AbortSignal): Promise<string>
}

/** `ctx.subagents` of generation 0.2. There is no `start()`. */
export interface SubagentRuntime02 {
  registerProvider(provider: SubagentProvider02): () => void
  getProvider(name: string): SubagentProvider02 | undefined
  list(): string[]
  startActivation(spec: SubagentActivationSpec02): Promise<SubagentActivation02>
  interrupt(childId: SessionId, authority: SubagentInterruptAuthority02): void
  /** Resolves when nothing below `parent` runs or starts any more: what headless mode waits for. */
  waitForChildren(parent: Agent): Promise<boolean>
  drainDescendants(parents: readonly Agent[]): Promise<void>
}
