/**
 * The tool that the model calls. Owns what the model is told; how a delegation is started and its
 * answer delivered differs between host generations and is in `delivery-*.ts`.
 */

import type { ResolvedConfig } from '../cursor/config.ts'
import { PERMISSION_MODES, type PermissionModeName } from '../cursor/permission-modes.ts'
import type { DelegationMeta } from './card.ts'

/** Everything about the tool that is the same on every host. */
export interface ToolContract {
  readonly name: string
  /** The provider's name on `ctx.subagents`. */
  readonly provider: string
  /** What it delegates to, without how the answer comes back. */
  readonly description: string
  readonly promptDescription: string
  readonly settings: () => ResolvedConfig
}

/** The two parameters of every host. */
export function taskParameters({ promptDescription }: ToolContract) {
  return {
    description: {
      type: 'string',
      required: true,
      description: 'A short (3-5 word) description of the task, for display.',
    },
    prompt: { type: 'string', required: true, description: promptDescription },
  } as const
}

/** @param settings what the next delegation runs with; may throw, which refuses it. */
export function toolContract(
  { toolName, providerName }: ResolvedConfig,
  mode: PermissionModeName,
  settings: () => ResolvedConfig,
): ToolContract {
  return {
    name: toolName,
    provider: providerName,
    description: describe(mode),
    promptDescription: PROMPT,
    settings,
  }
}

/** What is recorded about how a delegation is run, for its card on the web page. */
export function recordedSettings({ permissionMode, model }: ResolvedConfig): DelegationMeta {
  return { mode: permissionMode, ...(model !== undefined && { model }) }
}

/** As {@link recordedSettings}, for a card that must not fail with the settings. */
export function settingsToShow({ settings }: ToolContract): DelegationMeta | undefined {
  try {
    return recordedSettings(settings())
  } catch {
    return undefined
  }
}

/** Measured: the bare instruction made 78 tool calls, instruction first 92, "working directory: …" first none. */
const PROMPT =
  'The whole task, self-contained: the agent does not see this conversation. ' +
  'The FIRST SENTENCE must be an imperative instruction ("Find …", "Fix …"); put paths, dates and ' +
  'other context after it. A prompt that opens with context such as "working directory: …" makes the ' +
  'agent acknowledge it and do nothing. The working directory need not be stated: the agent starts in it.'

const MODE_NOTES: Record<PermissionModeName, string> = {
  trust:
    'It can read and write files; shell commands are denied unless the user allowed them in Cursor.',
  safe: "It can write files and run commands inside Cursor's own sandbox.",
  yolo: 'It can do everything without asking: write files, run shell commands, use the network.',
  plan:
    'It is read-only and plans. Ask for the complete plan in the final reply: a plan that it keeps in ' +
    'its own plan tool does not come back.',
  ask: 'It is read-only: it explores and answers questions.',
} satisfies Record<keyof typeof PERMISSION_MODES, string>

function describe(mode: PermissionModeName): string {
  return [
    'Delegate a task to the Cursor agent, which works in this workspace with its own context and tools',
    'and returns only its final answer.',
    MODE_NOTES[mode],
    'Single-shot: it cannot be steered while it runs and cannot be continued afterwards; a follow-up is',
    'a new delegation with the context written out again.',
    'Each delegation costs about 10,000 input tokens on the Cursor side and 3-6 s of start-up, so do',
    'tiny tasks yourself. Several delegations may run side by side.',
  ].join(' ')
}
