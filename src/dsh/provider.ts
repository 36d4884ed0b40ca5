/**
 * The provider `cursor` on `ctx.subagents`: turns the host's request into one run of the Cursor
 * CLI and its outcome into the host's result. The run itself is `cursor/run.ts`.
 */

import { randomUUID } from 'node:crypto'
import type { Context } from '@deepseek-ai/cordis'
import type { ContentBlock } from '@deepseek-ai/dsh-llm'
import {
  assertUsableCwd,
  NO_START_CAPABILITIES,
  settleRunResult,
  subprocessRunHandle,
  type SubagentProvider,
  type SubagentResult,
  type SubagentRun,
  type SubagentStartRequest,
} from '@deepseek-ai/dsh-subagent'
import type {} from '@deepseek-ai/dsh-subprocess'
import type { ResolvedConfig } from '../config/config.ts'
import { CursorStartError } from '../cursor/start-error.ts'
import { startCursorRun, type CursorOutcome, type CursorRun } from '../cursor/run.ts'
import { thisSystem } from '../cursor/system.ts'
import { logEnd, logStart, type Log } from './run-log.ts'
import { STOP_REASONS, type RunRegistry, type WithDelegation } from './runs.ts'
import { selfCheckCommand } from './self-check-command.ts'
import { admittedConfig, isInPlanMode } from './session-policy.ts'

/** Generation 0.2 resolves the child's directory; 0.1 leaves it to the provider. */
type Request = SubagentStartRequest & WithDelegation & { readonly cwd?: string }

export class CursorProvider implements SubagentProvider {
  readonly name: string
  readonly capabilities = NO_START_CAPABILITIES
  readonly inheritsParentContext = false
  readonly #ctx: Context
  readonly #settings: () => ResolvedConfig
  readonly #runs: RunRegistry | undefined

  /**
   * @param settings asked once for each run, so that a change never touches a run in flight.
   * @param runs is given the runs that this plugin's own tool asked for.
   */
  constructor(name: string, ctx: Context, settings: () => ResolvedConfig, runs?: RunRegistry) {
    this.name = name
    this.#ctx = ctx
    this.#settings = settings
    this.#runs = runs
  }

  /**
   * Starts one run and publishes it as soon as its process exists.
   * @throws {CursorStartError} for whatever can be known before; nothing is left running then.
   */
  async start(request: Request): Promise<SubagentRun> {
    const { signal, parent, cursor: delegation } = request
    if (signal.aborted) throw abortedBeforeStart()
    const settings = this.#settings()
    // Taken now: the run goes on when the plugin's context is gone.
    const ctx = this.#ctx
    const { subprocess, logger } = ctx
    const log: Log = (message) => contained(() => logger.info(message))
    const id = randomUUID()
    const cwd = request.cwd ?? parent.session.header.cwd ?? ''
    let config = settings
    const run = await startCursorRun({
      prompt: textOf(request.prompt),
      cwd,
      config: settings,
      beforeStart: () => {
        assertDirectory(cwd)
        const plans = isInPlanMode(ctx, parent)
        if (plans) log(`run ${id}: the calling agent is in plan mode, so the run is read-only`)
        config = admittedConfig(ctx, parent, settings, plans || delegation?.readOnly === true)
        return config
      },
      system: thisSystem(),
      spawn: (spec) => subprocess.spawn(spec),
      stderr: process.stderr,
      log: (message) => log(`run ${id}: ${message}`),
      doctorCommand: selfCheckCommand(ctx),
    })
    if (signal.aborted) {
      await run.dispose()
      throw abortedBeforeStart()
    }
    if (delegation !== undefined) this.#runs?.add(delegation, run, config)
    logStart(log, { id, provider: this.name, config, cli: run.cli })
    void run.outcome.then((outcome) => logEnd(log, { id, outcome, progress: run.progress() }))
    return publish(id, run, signal)
  }
}

function publish(id: string, run: CursorRun, signal: AbortSignal): SubagentRun {
  const onAbort = (): void => run.cancel()
  signal.addEventListener('abort', onAbort, { once: true })
  const result = settleRunResult({
    attempt: async () => resultOf(await run.outcome),
    collectOutput: () => [],
    // The outcome says `aborted` by itself, and only when cancellation came first.
    cancelled: () => false,
    signal,
    onAbort,
  })
  return subprocessRunHandle({
    id: id as SubagentRun['id'],
    result,
    signal,
    onAbort,
    requestCancel: onAbort,
    teardown: () => run.dispose(),
  })
}

function resultOf(outcome: CursorOutcome): SubagentResult {
  return {
    stopReason: STOP_REASONS[outcome.status],
    output: outcome.status === 'completed' ? [{ type: 'text', text: outcome.answer }] : [],
    ...(outcome.status === 'failed' && { diagnostic: outcome.failure.diagnostic }),
  }
}

/** @throws {CursorStartError} `prompt-rejected` for a block that is no text. */
function textOf(blocks: readonly ContentBlock[]): string {
  return blocks
    .map((block) => {
      if (block.type !== 'text') {
        throw new CursorStartError('prompt-rejected', {
          happened: `The prompt holds a block of type ${block.type}; the Cursor CLI takes only text.`,
        })
      }
      return block.text
    })
    .join('')
}

/** @throws {CursorStartError} `bad-cwd`, where the host's own check refuses the directory. */
function assertDirectory(cwd: string): void {
  if (cwd === '') {
    throw new CursorStartError('bad-cwd', {
      happened: 'The parent session has no working directory.',
    })
  }
  try {
    assertUsableCwd('subagent-cursor', 'cwd', cwd)
  } catch {
    throw new CursorStartError('bad-cwd', {
      happened: `The working directory is no absolute path to a directory that can be entered: ${cwd}.`,
    })
  }
}

function abortedBeforeStart(): Error {
  return new Error('subagent-cursor: the request was aborted before the Cursor CLI was started')
}

function contained(log: () => void): void {
  try {
    log()
  } catch {
    // A log that fails must not fail a run.
  }
}
