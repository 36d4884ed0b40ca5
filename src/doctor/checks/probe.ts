/** Check: one small delegation, through the code of every delegation. The only proof that runs work. */

import { Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { CursorStartError } from '../../cursor/start-error.ts'
import { startCursorRun, type CursorRun } from '../../cursor/run.ts'
import { tokenUsage } from '../../cursor/token-usage.ts'
import { failed, failedStart, passed, warning } from '../finding.ts'
import type { CheckData, Finding } from '../report.ts'
import type { Subject } from '../subject.ts'

const PROMPT = 'Reply with exactly: PONG'
const ANSWER = 'PONG'
/** What a delegation of the default configuration runs. */
const BY_HAND = ['-p', '--output-format', 'stream-json', '--trust', '--approve-mcps']
/** ms; a configured grace may be longer than anybody waits for a check. */
const MOST_GRACE_MS = 3000
/** ms on top of the grace; a tree that cannot be killed must not keep the check from its end. */
const END_LIMIT_MS = 2000

export async function checkProbe(subject: Subject): Promise<Finding<CheckData['probe']>> {
  const { config, system, spawn, cwd, probeLimitMs, signal, masker } = subject
  const notes: string[] = []
  let run: CursorRun
  try {
    run = await startCursorRun({
      prompt: PROMPT,
      cwd,
      config: {
        ...config,
        timeoutMs: Math.min(config.timeoutMs ?? Infinity, probeLimitMs),
        disposeGraceMs: Math.min(config.disposeGraceMs, MOST_GRACE_MS),
      },
      system,
      spawn,
      // A failure text quotes what matters of it.
      stderr: new Writable({ write: (_chunk, _encoding, written) => written() }),
      log: (message) => notes.push(message),
    })
  } catch (error) {
    if (error instanceof CursorStartError) return failedStart(error, masker)
    throw error
  }
  const cancel = (): void => run.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    if (signal.aborted) cancel()
    return await outcomeOf(run, subject, notes)
  } finally {
    signal.removeEventListener('abort', cancel)
    const isDown = run.dispose().catch(() => {})
    await Promise.race([isDown, delay(MOST_GRACE_MS + END_LIMIT_MS, undefined, { ref: false })])
  }
}

async function outcomeOf(
  run: CursorRun,
  { probeLimitMs, signal, config }: Subject,
  notes: readonly string[],
): Promise<Finding<CheckData['probe']>> {
  const outcome = await run.outcome
  const { firstEventMs, elapsedMs, usage } = run.progress()
  if (outcome.status === 'aborted') {
    signal.throwIfAborted()
    return failed('The run was cancelled.', { nextStep: 'Try again.' })
  }
  if (outcome.status === 'failed') {
    const { category, happened, nextStep, diagnostic } = outcome.failure
    const details = [...notes, ...diagnostic.split('\n').slice(1)]
    const isOwnLimit = category === 'timeout' && probeLimitMs <= (config.timeoutMs ?? Infinity)
    if (!isOwnLimit) return failed(happened, { category, nextStep, details })
    return failed(`The run gave no result within ${seconds(probeLimitMs)}.`, {
      category,
      nextStep: `Run \`cursor-agent ${BY_HAND.join(' ')} "${PROMPT}"\` in a terminal to see what it waits for; --limit gives it more time here.`,
      details,
    })
  }
  const tokens = tokenUsage(usage)
  const exact = outcome.answer.trim() === ANSWER
  const rest = {
    data: {
      firstEventMs: firstEventMs ?? null,
      resultMs: elapsedMs,
      exact,
      inputTokens: tokens?.inputTokens ?? null,
      outputTokens: tokens?.outputTokens ?? null,
    },
    details: [
      ...notes,
      ...(tokens === undefined
        ? []
        : [`${tokens.inputTokens} input tokens, ${tokens.outputTokens} output tokens`]),
    ],
  }
  const times = `first event after ${seconds(firstEventMs ?? elapsedMs)}, result after ${seconds(elapsedMs)}`
  return exact
    ? passed(`A run works: ${times}`, rest)
    : warning(`A run works, but its answer was not exactly ${ANSWER}: ${times}`, rest)
}

function seconds(ms: number): string {
  return `${ms % 1000 === 0 ? ms / 1000 : (ms / 1000).toFixed(1)} s`
}
