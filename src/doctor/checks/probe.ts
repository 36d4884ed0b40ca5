/** Check: one small delegation, through the code of every delegation. The only proof that runs work. */

import { Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { RunFailure } from '../../cursor/outcome.ts'
import { startCursorRun, type CursorRun } from '../../cursor/run.ts'
import { Masker } from '../../cursor/masking.ts'
import { tokenUsage } from '../../cursor/stream-reader/token-usage.ts'
import { same, type Words } from '../../words.ts'
import { filled } from '../fill-sentence.ts'
import { failure, sayer, type Finding, type Findings } from '../finding.ts'
import { PACKAGE_NAME, packageVersion } from '../own-package.ts'
import { Recorder } from '../recording.ts'
import type { Subject } from '../check-input.ts'
import { shownArguments, shownProgram } from '../shown-paths.ts'

const FINDINGS = {
  'run-works': {
    en: 'A run works: first event after {first} s, result after {total} s',
    zh: '运行成功：{first} 秒后收到首个事件，{total} 秒后得到结果',
  },
  'run-not-exact': {
    en: 'A run works (result after {total} s), but its answer was not exactly PONG.',
    zh: '运行成功（{total} 秒后得到结果），但回答不是所要求的 PONG。',
    enNext: 'If this repeats, try another `model`.',
    zhNext: '如果多次如此，请换一个 `model`。',
  },
  'run-too-slow': {
    en: 'The run gave no result within {seconds} s.',
    zh: '运行在 {seconds} 秒内没有得到结果。',
    enNext:
      'If the network is slow, give it more time: `{doctor} --probe --limit {longer}`. By hand, this is the run: `{line}`.',
    zhNext:
      '如果网络较慢，可以放宽时限：`{doctor} --probe --limit {longer}`。也可以手动运行同样的命令：`{line}`。',
  },
} as const satisfies Findings

const TOKENS = {
  en: '{input} input tokens, {output} output tokens',
  zh: '输入 {input} token，输出 {output} token',
} as const

const finding = sayer(FINDINGS)

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
  zh: '请参考 CLI 的提示和这里的其他检查。如需反馈问题，可以把 CLI 的输出存成用例（不含提示词、回答和文件内容）：`{doctor} --probe --record case.json`。',
}

const PROBE_PROMPT = 'Reply with exactly: PONG'
const ANSWER = 'PONG'
/** ms; a configured grace may be longer than anybody waits for a check. */
const MOST_GRACE_MS = 3000
/** ms on top of the grace; a tree that cannot be killed must not keep the check from its end. */
const END_LIMIT_MS = 2000

async function checkProbe(subject: Subject): Promise<ReturnType<typeof worked>> {
  const { onRecorded, config, system, spawn, cwd, probeLimitMs, signal } = subject
  const notes: string[] = []
  const recorder = new Recorder()
  const run = await startCursorRun({
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
  const cancel = (): void => run.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    if (signal.aborted) cancel()
    const outcome = await run.outcome
    // Nobody but the signal cancels it.
    if (outcome.status === 'aborted') throw signal.reason
    const answer = outcome.status === 'completed' ? outcome.answer : undefined
    onRecorded?.(
      recorder.recording({
        plugin: `${PACKAGE_NAME} ${packageVersion()}`,
        cli: run.cli.version ?? 'unknown',
        platform: system.platform,
        masker: new Masker({
          environmentValues: Object.values(config.env),
          extraArgs: config.extraArgs,
          prompt: PROBE_PROMPT,
          answer,
          home: system.home,
          cwd,
        }),
        answer,
        category: outcome.status === 'failed' ? outcome.failure.category : undefined,
      }),
    )
    return outcome.status === 'completed'
      ? worked(run, outcome.answer, notes)
      : failed(run, outcome.failure, subject, notes)
  } finally {
    signal.removeEventListener('abort', cancel)
    const isDown = run.dispose().catch(() => {})
    await Promise.race([isDown, delay(MOST_GRACE_MS + END_LIMIT_MS, undefined, { ref: false })])
  }
}

function failed(
  run: CursorRun,
  { category, happened, nextStep, said, diagnostic }: RunFailure,
  subject: Subject,
  notes: readonly string[],
): Finding<never> {
  const { probeLimitMs, system } = subject
  const rest = {
    category,
    said: said === undefined ? [] : [said],
    details: [...notes, ...diagnostic.split('\n').slice(1)].map(same),
  }
  if (category === 'timeout' && run.progress().elapsedMs >= probeLimitMs) {
    const line = `${shownProgram(system, run.cli)} ${shownArguments(subject, PROBE_PROMPT)}`
    const limit = probeLimitMs / 1000
    const values = { seconds: limit, longer: Math.ceil(limit * 3), line }
    return finding('failed', 'run-too-slow', values, rest)
  }
  // What has just failed is no advice.
  const advice = nextStep.includes('{doctor}') ? AFTER_FAILED_RUN : nextStep
  return failure(category, { happened, nextStep: advice }, rest)
}

function worked(run: CursorRun, answer: string, notes: readonly string[]) {
  const { firstEventMs, elapsedMs, usage } = run.progress()
  const tokens = tokenUsage(usage)
  const { inputTokens = null, outputTokens = null } = tokens ?? {}
  const exact = answer.trim() === ANSWER
  const values = { input: inputTokens ?? '?', output: outputTokens ?? '?' }
  const rest = {
    data: {
      /** ms from the start of the process. */
      firstEventMs: firstEventMs ?? null,
      resultMs: elapsedMs,
      exact,
      inputTokens,
      outputTokens,
    },
    details: [...notes.map(same), ...(tokens === undefined ? [] : [filled(TOKENS, values)])],
  }
  const total = seconds(elapsedMs)
  return exact
    ? finding('passed', 'run-works', { first: seconds(firstEventMs ?? elapsedMs), total }, rest)
    : finding('warning', 'run-not-exact', { total }, rest)
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1)
