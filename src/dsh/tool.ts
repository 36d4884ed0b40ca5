/**
 * The tool that the model calls: its name, parameters and description. `delivery-*.ts` start the
 * delegation and deliver the answer, because that differs between host generations.
 */

import type { Context } from '@deepseek-ai/cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { ToolDefinition } from '@deepseek-ai/dsh-tools'
import type { ResolvedConfig } from '../config/config.ts'
import { PERMISSION_MODES, READ_ONLY_MODE } from '../cursor/permission-modes.ts'
import { canWrite, wideningArgs } from '../cursor/rights.ts'
import { DELEGATION_TOKENS, START_SECONDS } from '../cursor/measured.ts'
import { presentDelegationCall, presentDelegationResult } from './card.ts'
import type { DelegationMeta } from './recorded.ts'
import type { Delegation, RunRegistry } from './runs.ts'

/** The parts of the tool that are the same on every host. */
export interface ToolContract {
  readonly name: string
  /** The provider's name on `ctx.subagents`. */
  readonly provider: string
  /** Describes the agent. Each delivery adds how the answer comes back. */
  readonly description: string
  /** The configuration of the next delegation; throws if the settings are invalid. */
  readonly settings: () => ResolvedConfig
  readonly runs: RunRegistry
}

/** How one generation of hosts starts a delegation and delivers its answer. */
export interface Delivery {
  /** The function of `ctx.subagents` that it calls, and by which it knows its hosts. */
  readonly calls: string
  readonly toolFor: (ctx: Context, contract: ToolContract) => ToolDefinition
}

export const TASK_PARAMETERS = {
  description: {
    type: 'string',
    required: true,
    description: 'A short (3-5 word) description of the task, for display.',
  },
  prompt: {
    type: 'string',
    required: true,
    // Measured: a prompt that was only the instruction led to 78 tool calls, one that started with the
    // instruction to 92, and one that started with "working directory: …" to none.
    description:
      'The whole task, self-contained: the agent does not see this conversation. ' +
      'The FIRST SENTENCE must be an imperative instruction ("Find …", "Fix …"); put paths, dates and ' +
      'other context after it. A prompt that opens with context such as "working directory: …" makes the ' +
      'agent acknowledge it and do nothing. The working directory need not be stated: the agent starts in it.',
  },
  read_only: {
    type: 'boolean',
    description:
      "Ask for the CLI's read-only mode, whatever is configured: the agent explores and answers " +
      'questions. The mode is no sandbox. Also the way to delegate from a read-only session. ' +
      'Defaults to false.',
  },
} as const

export function toolContract(
  config: ResolvedConfig,
  { settings, runs }: Pick<ToolContract, 'settings' | 'runs'>,
): ToolContract {
  return {
    name: config.toolName,
    provider: config.providerName,
    description: describe(config),
    settings,
    runs,
  }
}

interface Args {
  readonly read_only?: boolean
}

/** The members of the tool definition that are the same on every host. */
export function sharedMembers(contract: ToolContract) {
  return {
    name: contract.name,
    isConcurrencySafe: () => true,
    presentCall: (args: Args) => presentDelegationCall(args, settingsToShow(contract, args)),
    presentResult: presentDelegationResult,
  }
}

/**
 * @returns the calling agent, and what the tool tells the provider.
 * @throws {Error} if no agent made the call.
 */
export function readCall(
  { name }: ToolContract,
  exec: { readonly agent?: Agent; readonly callId: string },
  args: Args,
): { readonly parent: Agent; readonly delegation: Delegation } {
  if (exec.agent === undefined) throw new Error(`${name} needs a calling agent`)
  const delegation = { callId: exec.callId, readOnly: args.read_only === true }
  return { parent: exec.agent, delegation }
}

/**
 * Stops a run that should be read-only if the provider did not get the request for that: a host that
 * drops the extra field would have started a run that can write.
 * @throws {Error} if it stopped the run.
 */
export async function assertReadOnlyHonored(
  run: { dispose(): Promise<void> },
  { callId, readOnly }: Delegation,
  runs: RunRegistry,
): Promise<void> {
  if (!readOnly || runs.isReadOnly(callId)) return
  await run.dispose()
  throw new Error('policy-refused: This host did not pass on `read_only`, so the run was stopped.')
}

/** The settings that the session records with a delegation, for its card in the page. */
export function recordedSettings(
  { permissionMode, model }: ResolvedConfig,
  readOnly = false,
): DelegationMeta {
  return { mode: readOnly ? READ_ONLY_MODE : permissionMode, ...(model !== undefined && { model }) }
}

/** Like {@link recordedSettings}, but returns `undefined` if the settings are invalid. */
export function settingsToShow({ settings }: ToolContract, args: Args): DelegationMeta | undefined {
  try {
    return recordedSettings(settings(), args.read_only === true)
  } catch {
    return undefined
  }
}

function describe(config: ResolvedConfig): string {
  return [
    'Delegate a task to the Cursor agent, which works in this workspace with its own context and tools',
    'and returns only its final answer.',
    rightsOf(config),
    'Single-shot: it cannot be steered while it runs and cannot be continued afterwards; a follow-up is',
    'a new delegation with the context written out again.',
    `Each delegation costs about ${DELEGATION_TOKENS.en} input tokens on the Cursor side and`,
    `${START_SECONDS.least}-${START_SECONDS.most} s of start-up, so do tiny tasks yourself.`,
    'Several delegations may run side by side.',
  ].join(' ')
}

function rightsOf(config: ResolvedConfig): string {
  const { writes, tool } = PERMISSION_MODES[config.permissionMode]
  if (writes || !canWrite(config)) return tool
  return `It can write files and run commands: ${wideningArgs(config.extraArgs).join(', ')} overrides its read-only mode.`
}
