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
import type { ResolvedConfig } from '../cursor/config.ts'
import { CursorStartError } from '../cursor/failures.ts'
import { startCursorRun, type CursorOutcome, type CursorRun } from '../cursor/run.ts'
import { thisSystem } from '../cursor/system.ts'
import { trackProgress } from './progress.ts'
import { logEnd, logStart, type Log } from './run-log.ts'
import { refuseReadOnlySession } from './session-policy.ts'

/** Generation 0.2 resolves the child's directory; 0.1 leaves it to the provider. */
type Request = SubagentStartRequest & { readonly cwd?: string }

export class CursorProvider implements SubagentProvider {
  readonly name: string
  readonly capabilities = NO_START_CAPABILITIES
  readonly inheritsParentContext = false
  readonly #ctx: Context
  readonly #settings: () => ResolvedConfig

  /** @param settings asked once for each run, so that a change never touches a run in flight. */
  constructor(name: string, ctx: Context, settings: () => ResolvedConfig) {
    this.name = name
    this.#ctx = ctx
    this.#settings = settings
  }

  /**
   * Starts one run and publishes it as soon as its process exists.
   * @throws {CursorStartError} for whatever can be known before; nothing is left running then.
   */
  async start(request: Request): Promise<SubagentRun> {
    const { signal } = request
    if (signal.aborted) throw abortedBeforeStart()
    const config = this.#settings()
    // Taken now: the run goes on when the plugin's context is gone.
    const { subprocess, logger } = this.#ctx
    const log: Log = (message) => contained(() => logger.info(message))
    const id = randomUUID()
    const cwd = request.cwd ?? request.parent.session.header.cwd ?? ''
    const run = await startCursorRun({
      prompt: textOf(request.prompt),
      cwd,
      admit: () => {
        assertDirectory(cwd)
        refuseReadOnlySession(this.#ctx, request.parent.session, config)
      },
      config,
      system: thisSystem(),
      spawn: (spec) => subprocess.spawn(spec),
      stderr: process.stderr,
      log: (message) => log(`run ${id}: ${message}`),
    })
    if (signal.aborted) {
      await run.dispose()
      throw abortedBeforeStart()
    }
    trackProgress(signal, run)
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
  switch (outcome.status) {
    case 'completed':
      return { stopReason: 'completed', output: [{ type: 'text', text: outcome.answer }] }
    case 'aborted':
      return { stopReason: 'aborted', output: [] }
    case 'failed':
      return { stopReason: 'error', output: [], diagnostic: outcome.failure.diagnostic }
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

/** @throws {CursorStartError} `bad-cwd` */
function assertDirectory(cwd: string): void {
  if (cwd === '') {
    throw new CursorStartError('bad-cwd', {
      happened: 'The parent session has no working directory.',
    })
  }
  try {
    assertUsableCwd('subagent-cursor', 'the working directory', cwd)
  } catch (error) {
    const { message } = error as Error
    throw new CursorStartError('bad-cwd', {
      happened: `${message.replace('subagent-cursor: the working directory', 'The working directory')}.`,
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
