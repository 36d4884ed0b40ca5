/** Check: one small delegation, through the code of every delegation. The only proof that runs work. */

import { Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { startCursorRun, type CursorRun } from '../../cursor/run.ts'
import { Masker } from '../../cursor/masking.ts'
import { CursorStartError } from '../../cursor/start-error.ts'
import { tokenUsage } from '../../cursor/token-usage.ts'
import { same } from '../../words.ts'
import { failedStart, failure, finding, note } from '../finding.ts'
import { AFTER_FAILED_RUN } from '../findings.ts'
import { PACKAGE_NAME, packageVersion } from '../own-package.ts'
import { Recorder, type Recording } from '../recording.ts'
import type { CheckData, Finding } from '../report.ts'
import { shownArguments, shownProgram, type Subject } from '../subject.ts'

const PROBE_PROMPT = 'Reply with exactly: PONG'
const ANSWER = 'PONG'
/** ms; a configured grace may be longer than anybody waits for a check. */
const MOST_GRACE_MS = 3000
/** ms on top of the grace; a tree that cannot be killed must not keep the check from its end. */
const END_LIMIT_MS = 2000

/** @param onRecorded given what the CLI has printed, for a case. */
export async function checkProbe(
  subject: Subject,
  onRecorded?: (recording: Recording) => void,
): Promise<Finding<CheckData['probe']>> {
  const { config, system, spawn, cwd, probeLimitMs, signal, masker } = subject
  const notes: string[] = []
  const recorder = new Recorder()
  let run: CursorRun
  try {
    run = await startCursorRun({
      prompt: PROBE_PROMPT,
      cwd,
      config: {
        ...config,
        timeoutMs: Math.min(config.timeoutMs ?? Infinity, probeLimitMs),
        disposeGraceMs: Math.min(config.disposeGraceMs, MOST_GRACE_MS),
      },
      system,
      spawn: onRecorded === undefined ? spawn : recorder.tap(spawn),
      // A failure text quotes what matters of it.
      stderr: new Writable({ write: (_chunk, _encoding, written) => written() }),
      log: (message) => notes.push(message),
      doctorCommand: '{doctor}',
    })
  } catch (error) {
    if (error instanceof CursorStartError) return failedStart(error, masker)
    throw error
  }
  const cancel = (): void => run.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    if (signal.aborted) cancel()
    const told = await outcomeOf(run, subject, notes)
    const outcome = await run.outcome
    if (outcome.status !== 'aborted') {
      onRecorded?.(
        recorder.recording({
          plugin: `${PACKAGE_NAME} ${packageVersion()}`,
          cli: run.cli.version ?? 'unknown',
          platform: system.platform,
          masker: new Masker({
            environmentValues: Object.values(config.env),
            extraArgs: config.extraArgs,
            prompt: PROBE_PROMPT,
            answer: outcome.status === 'completed' ? outcome.answer : undefined,
            home: system.home,
            cwd,
          }),
          outcome:
            outcome.status === 'completed'
              ? outcome
              : { status: 'failed', category: outcome.failure.category },
        }),
      )
    }
    return told
  } finally {
    signal.removeEventListener('abort', cancel)
    const isDown = run.dispose().catch(() => {})
    await Promise.race([isDown, delay(MOST_GRACE_MS + END_LIMIT_MS, undefined, { ref: false })])
  }
}

async function outcomeOf(
  run: CursorRun,
  subject: Subject,
  notes: readonly string[],
): Promise<Finding<CheckData['probe']>> {
  const { probeLimitMs, signal, config, system } = subject
  const outcome = await run.outcome
  const { firstEventMs, elapsedMs, usage } = run.progress()
  if (outcome.status === 'aborted') {
    signal.throwIfAborted()
    return finding('failed', 'run-cancelled', {})
  }
  if (outcome.status === 'failed') {
    const { category, happened, nextStep, said, diagnostic } = outcome.failure
    const rest = {
      category,
      said: said === undefined ? [] : [said],
      details: [...notes, ...diagnostic.split('\n').slice(1)].map(same),
    }
    const isOwnLimit = category === 'timeout' && probeLimitMs <= (config.timeoutMs ?? Infinity)
    if (!isOwnLimit) {
      const failed = failure<CheckData['probe']>(category, { happened, nextStep }, rest)
      // What has just failed is no advice.
      return nextStep.includes('{doctor}') ? { ...failed, nextStep: AFTER_FAILED_RUN } : failed
    }
    const line = `${shownProgram(system, run.cli)} ${shownArguments(subject, PROBE_PROMPT)}`
    const limit = probeLimitMs / 1000
    const values = { seconds: limit, longer: Math.ceil(limit * 3), line }
    return finding('failed', 'run-too-slow', values, rest)
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
      ...notes.map(same),
      ...(tokens === undefined
        ? []
        : [note('tokens', { input: tokens.inputTokens, output: tokens.outputTokens })]),
    ],
  }
  const total = seconds(elapsedMs)
  return exact
    ? finding('passed', 'run-works', { first: seconds(firstEventMs ?? elapsedMs), total }, rest)
    : finding('warning', 'run-not-exact', { total }, rest)
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1)
}
