/**
 * Delegates on hosts of generation 0.2: the host starts the run, owns it, and notifies the parent
 * when it has ended. Detected by the service's methods, never by a version.
 */

import type { Agent } from '@deepseek-ai/dsh-agent'
import type { Context } from '@deepseek-ai/cordis'
import { defineTool, type ToolDefinition } from '@deepseek-ai/dsh-tools'
import type { WithDelegation } from './runs.ts'
import {
  assertReadOnlyHonored,
  readCall,
  settingsToShow,
  sharedMembers,
  TASK_PARAMETERS,
  type Delivery,
  type ToolContract,
} from './tool.ts'

/**
 * The part of 0.2's `ctx.subagents` that this file uses. Written by hand, because 0.2 cannot be
 * installed yet. Source: `packages/subagent/subagent/src/{types,manager}.ts` of DSH 0.2.
 */
interface ActivationHost {
  startActivation(spec: {
    readonly provider: string
    readonly label: string
    readonly request: WithDelegation & {
      readonly parent: Agent
      readonly prompt: { readonly type: 'text'; readonly text: string }[]
      /** Relative to the parent's directory. */
      readonly cwd?: string
    }
    /** Cancels only the start; afterwards the host owns the run. */
    readonly signal: AbortSignal
    /** `parent`: the host sends the parent a notice when the run settles. */
    readonly delivery: 'parent'
  }): Promise<{ readonly childId: string; dispose(): Promise<void> }>
  /** The host's own tool `interrupt_agent` uses this to stop a child. */
  readonly interrupt?: unknown
}

export const activationDelivery: Delivery = {
  calls: 'startActivation',
  toolFor: activationTool,
}

function activationTool(ctx: Context, contract: ToolContract): ToolDefinition {
  const subagents = ctx.subagents as unknown as ActivationHost
  return defineTool({
    ...sharedMembers(contract),
    description:
      `${contract.description} The call returns the delegation's id at once; the answer arrives as a ` +
      'notice when the agent has finished, so go on with other work or end the turn meanwhile.' +
      (typeof subagents.interrupt === 'function'
        ? ' `interrupt_agent` with that id stops a delegation that is no longer wanted.'
        : ''),
    parameters: {
      ...TASK_PARAMETERS,
      cwd: {
        type: 'string',
        description:
          'Directory in which the agent starts, relative to yours. Leave it out to use your own.',
      },
    },
    output: {
      schema: {
        type: 'object',
        additionalProperties: false,
        properties: {
          kind: { type: 'string', required: true, const: 'activation' },
          subagentId: { type: 'string', required: true },
        },
      },
      render: (_args, value) => [
        {
          type: 'text',
          text: `started subagent ${value.subagentId}; its answer will arrive as a notice`,
        },
      ],
      presentationMeta: (args) => settingsToShow(contract, args) ?? null,
    },
    async execute(args, exec) {
      const { parent, delegation } = readCall(contract, exec, args)
      const activation = await subagents.startActivation({
        provider: contract.provider,
        label: args.description,
        request: {
          parent,
          prompt: [{ type: 'text', text: args.prompt }],
          ...(args.cwd !== undefined && { cwd: args.cwd }),
          cursor: delegation,
        },
        signal: exec.signal,
        delivery: 'parent',
      })
      await assertReadOnlyHonored(activation, delegation, contract.runs)
      return { kind: 'activation' as const, subagentId: activation.childId }
    },
  })
}
