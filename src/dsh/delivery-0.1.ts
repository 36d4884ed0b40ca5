/**
 * Delegates on hosts of generation 0.1: the tool starts the run, awaits it and disposes it, and
 * background work is a job. It knows such a host by `subagents.start`. To drop 0.1, delete this file
 * and its use in `tool-registration.ts`.
 */

import type { Agent } from '@deepseek-ai/dsh-agent'
import type { Context } from '@deepseek-ai/cordis'
import type { JobHooks, JobOutcome } from '@deepseek-ai/dsh-jobs'
import type { SubagentResult, SubagentRun, SubagentStartRequest } from '@deepseek-ai/dsh-subagent'
import { defineTool, type ToolDefinition } from '@deepseek-ai/dsh-tools'
import { messageOf } from '../error-message.ts'
import { metaOf } from './recorded.ts'
import type { Delegation, RunView, WithDelegation } from './runs.ts'
import {
  assertReadOnlyHonored,
  readCall,
  recordedSettings,
  sharedMembers,
  TASK_PARAMETERS,
  type Delivery,
  type ToolContract,
} from './tool.ts'

interface Task {
  readonly description: string
  readonly prompt: string
}

export const foregroundDelivery: Delivery = {
  calls: 'start',
  toolFor: foregroundTool,
}

function foregroundTool(ctx: Context, contract: ToolContract): ToolDefinition {
  const start = async (
    task: Task,
    parent: Agent,
    signal: AbortSignal,
    delegation: Delegation,
  ): Promise<SubagentRun> => {
    const request: Omit<SubagentStartRequest, 'provider'> & WithDelegation = {
      label: task.description,
      prompt: [{ type: 'text', text: task.prompt }],
      parent,
      signal,
      cursor: delegation,
    }
    const run = await ctx.subagents.start(contract.provider, request)
    await assertReadOnlyHonored(run, delegation, contract.runs)
    return run
  }
  return defineTool({
    ...sharedMembers(contract),
    description:
      `${contract.description} The call waits for the answer; with \`run_in_background\` it returns ` +
      'a job id at once, for `job_output` and `job_kill`.',
    parameters: {
      ...TASK_PARAMETERS,
      run_in_background: {
        type: 'boolean',
        description: 'Return a job id at once instead of waiting. Defaults to false.',
      },
    },
    output: {
      schema: {
        oneOf: [
          {
            type: 'object',
            additionalProperties: false,
            properties: {
              kind: { type: 'string', required: true, const: 'answer' },
              answer: { type: 'string', required: true },
              run: { type: 'json', required: true },
            },
          },
          {
            type: 'object',
            additionalProperties: false,
            properties: {
              kind: { type: 'string', required: true, const: 'background' },
              jobId: { type: 'string', required: true },
              run: { type: 'json', required: true },
            },
          },
        ],
      },
      render: (_args, value) => [
        {
          type: 'text',
          text: value.kind === 'answer' ? value.answer : `started background job ${value.jobId}`,
        },
      ],
      presentationMeta: (_args, value) => value.run,
    },
    async execute(args, exec) {
      const { parent, delegation } = readCall(contract, exec, args)
      const recorded = recordedSettings(contract.settings(), delegation.readOnly)
      if (args.run_in_background === true) {
        const jobs = ctx.get('jobs')
        if (jobs === undefined) {
          throw new Error(
            'background jobs unavailable: this host has no job service; call again without run_in_background',
          )
        }
        const jobId = jobs.start({
          kind: 'subagent',
          label: args.description,
          owner: parent,
          run: () =>
            backgroundRun(
              (signal) => start(args, parent, signal, delegation),
              () => contract.runs.view(delegation.callId),
            ),
        })
        return { kind: 'background' as const, jobId, run: recorded }
      }
      const result = await finish(await start(args, parent, exec.signal, delegation))
      const view = contract.runs.view(delegation.callId)
      return {
        kind: 'answer' as const,
        answer: answerOf(result),
        run: { ...recorded, stopReason: result.stopReason, ...(view && metaOf(view)) },
      }
    },
  })
}

/** Awaits the result, then waits until the process tree has exited. */
async function finish(run: SubagentRun): Promise<SubagentResult> {
  const result = await run.result
  try {
    await run.dispose()
  } catch (error) {
    // Keep the answer if the host could not stop the process; the host logs that itself.
    if (result.stopReason !== 'completed') throw error
  }
  return result
}

/** @throws {Error} if the run did not complete; it starts with the diagnostic's first line. */
function answerOf(result: SubagentResult): string {
  if (result.stopReason === 'completed') {
    return result.output.map((block) => (block.type === 'text' ? block.text : '')).join('')
  }
  throw new Error(failureOf(result))
}

const ABORTED = 'aborted: the delegation was cancelled before it gave an answer'

function failureOf({ stopReason, diagnostic = 'The delegation failed.' }: SubagentResult): string {
  if (stopReason === 'aborted') return ABORTED
  // Goes before the excerpts; after them it would look like output of the CLI.
  const [headline, ...rest] = diagnostic.split('\n')
  return [headline, `stop reason: ${stopReason}`, ...rest].join('\n')
}

/** A background job. Its output is counts while it runs, and the answer once at the end. */
function backgroundRun(
  start: (signal: AbortSignal) => Promise<SubagentRun>,
  view: () => RunView | undefined,
): JobHooks {
  const controller = new AbortController()
  const startedAt = performance.now()
  let ending: string | undefined
  let endingShown = false

  const killed = (): JobOutcome => {
    ending = ABORTED
    return { status: 'killed' }
  }
  const follow = async (): Promise<JobOutcome> => {
    try {
      const result = await finish(await start(controller.signal))
      if (result.stopReason === 'aborted') return killed()
      ending = answerOf(result)
      return { status: 'completed' }
    } catch (error) {
      const message = messageOf(error)
      if (controller.signal.aborted) return killed()
      ending = message
      return { status: 'failed', detail: message.split('\n', 1)[0] ?? message }
    }
  }

  return {
    cancel: (reason) => controller.abort(reason),
    done: follow(),
    readOutput() {
      if (ending === undefined) {
        const seconds = Math.round((performance.now() - startedAt) / 1000)
        const calls = view()?.toolCalls.started ?? 0
        return `running for ${seconds} s, ${calls} tool ${calls === 1 ? 'call' : 'calls'} so far\n`
      }
      if (endingShown) return ''
      endingShown = true
      return ending
    },
  }
}
