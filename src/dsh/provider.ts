/**
 * The provider `cursor` on `ctx.subagents`: turns the host's request into a run of the Cursor CLI,
 * and the outcome into the host's result. `cursor/run.ts` does the run itself.
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
import { configForSession, isInPlanMode } from './session-policy.ts'

/** Only hosts of generation 0.2 set `cwd`; on 0.1 the provider uses the session's directory. */
type Request = SubagentStartRequest & WithDelegation & { readonly cwd?: string }

export class CursorProvider implements SubagentProvider {
  readonly name: string
  readonly capabilities = NO_START_CAPABILITIES
  readonly inheritsParentContext = false
  readonly #ctx: Context
  readonly #settings: () => ResolvedConfig
  readonly #runs: RunRegistry | undefined

  /**
   * @param settings called once per run, so a change never affects a run in flight.
   * @param runs receives the runs that this plugin's own tool started.
   */
  constructor(name: string, ctx: Context, settings: () => ResolvedConfig, runs?: RunRegistry) {
    this.name = name
    this.#ctx = ctx
    this.#settings = settings
    this.#runs = runs
  }

  /**
   * Starts a run and returns it as soon as its process exists.
   * @throws {CursorStartError} if it cannot start. No process is left running then.
   * @throws {Error} if the request was aborted before the start.
   */
  async start(request: Request): Promise<SubagentRun> {
    const { signal, parent, cursor: delegation } = request
    if (signal.aborted) throw abortedBeforeStart()
    const settings = this.#settings()
    // Read now, because the run may outlive the plugin's context.
    const ctx = this.#ctx
    const { subprocess, logger } = ctx
    const log: Log = (message) => logSafely(() => logger.info(message))
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
        config = configForSession(ctx, parent, settings, plans || delegation?.readOnly === true)
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
    // The outcome already says `aborted`, and only if the cancellation came before the result.
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

/** @throws {CursorStartError} `prompt-rejected` if a block is not text. */
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

/** @throws {CursorStartError} `bad-cwd` if the host's own check refuses the directory. */
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

function logSafely(log: () => void): void {
  try {
    log()
  } catch {
    // A failing log must not fail the run.
  }
}
