/** Check: one small delegation, through the code of every delegation. The only proof that runs work. */

import { Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { startCursorRun, type CursorRun } from '../../cursor/run.ts'
import { Masker } from '../../cursor/masking.ts'
import { CursorStartError } from '../../cursor/start-error.ts'
import { tokenUsage } from '../../cursor/token-usage.ts'
import { same, type Words } from '../../words.ts'
import { filled } from '../filled.ts'
import { failedStart, failure, sayer, type Finding, type Findings } from '../finding.ts'
import { PACKAGE_NAME, packageVersion } from '../own-package.ts'
import { Recorder } from '../recording.ts'
import { shownArguments, shownProgram, type Subject } from '../subject.ts'

const FINDINGS = {
  'run-works': {
    en: 'A run works: first event after {first} s, result after {total} s',
    zh: '运行成功：{first} 秒后收到首个事件，{total} 秒后得到结果',
  },
  'run-not-exact': {
    en: 'A run works (result after {total} s), but its answer was not exactly PONG.',
    zh: '运行成功（{total} 秒后得到结果），但回答不是所要求的 PONG。',
    next: { en: 'If this repeats, try another `model`.', zh: '如果多次如此，请换一个 `model`。' },
  },
  'run-too-slow': {
    en: 'The run gave no result within {seconds} s.',
    zh: '运行在 {seconds} 秒内没有得到结果。',
    next: {
      en: 'If the network is slow, give it more time: `{doctor} --probe --limit {longer}`. By hand, this is the run: `{line}`.',
      zh: '如果网络较慢，可以放宽时限：`{doctor} --probe --limit {longer}`。手动执行同样的运行：`{line}`。',
    },
  },
  'run-cancelled': {
    en: 'The run was cancelled.',
    zh: '运行已取消。',
    next: { en: 'Try again.', zh: '请重试。' },
  },
} as const satisfies Findings

const NOTES = {
  tokens: {
    en: '{input} input tokens, {output} output tokens',
    zh: '输入 {input} token，输出 {output} token',
  },
} as const satisfies Record<string, Words>

const finding = sayer(FINDINGS)

export interface ProbeData {
  /** ms from the start of the process. */
  readonly firstEventMs: number | null
  readonly resultMs: number
  /** Whether the answer was PONG and nothing else. */
  readonly exact: boolean
  readonly inputTokens: number | null
  readonly outputTokens: number | null
}

export const probeCheck = {
  of: 'row',
  title: { en: 'Test run', zh: '试运行' },
  findings: FINDINGS,
  after: ['platform', 'profile', 'install', 'version'],
  look: checkProbe,
} as const

/** For a failed run whose category can only advise another one. */
const AFTER_FAILED_RUN: Words = {
  en: "Go by the CLI's words and the other checks here. For a report, this writes down what it printed, without content: `{doctor} --probe --record case.json`.",
  zh: '请参考 CLI 的提示和这里的其他检查。如需反馈问题，可以记下它的输出（不含内容）：`{doctor} --probe --record case.json`。',
}

const PROBE_PROMPT = 'Reply with exactly: PONG'
const ANSWER = 'PONG'
/** ms; a configured grace may be longer than anybody waits for a check. */
const MOST_GRACE_MS = 3000
/** ms on top of the grace; a tree that cannot be killed must not keep the check from its end. */
const END_LIMIT_MS = 2000

async function checkProbe(subject: Subject): Promise<Finding<ProbeData>> {
  const { onRecorded, config, system, spawn, cwd, probeLimitMs, signal, masker } = subject
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
): Promise<Finding<ProbeData>> {
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
      const failed = failure<ProbeData>(category, { happened, nextStep }, rest)
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
        : [filled(NOTES.tokens, { input: tokens.inputTokens, output: tokens.outputTokens })]),
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
