/**
 * Decides how a run ended from what its process left: the result event, the exit, stderr and
 * noise. The order of the rules is here; the CLI's texts are in `failures.ts`, the layout of the
 * answer to a person in `diagnostic.ts`.
 */

import type { BoundedText, KeptText } from './bounded-text.ts'
import { CATEGORIES, type FailureCategory } from './categories.ts'
import { closest } from './closest.ts'
import { composeDiagnostic } from './diagnostic.ts'
import { withDoctor } from './failure-text.ts'
import { recogniseFailure, START_RACES, type Recognised } from './failures.ts'
import { plain, type Masker } from './masking.ts'
import type { ProcessExit } from './process.ts'
import type { CursorStreamReader, ResultEvent } from './stream-reader.ts'

/** Why reading one process ended. */
export type AttemptEnd = 'result' | 'framing-lost' | 'exited' | 'timed-out' | 'stalled'

/** What one process left behind. */
export interface Evidence {
  readonly end: AttemptEnd
  readonly reader: CursorStreamReader
  readonly stderr: BoundedText
  /** `undefined` while the process has not closed. */
  readonly exit: ProcessExit | undefined
  /** ms; the limit that was reached, for `timed-out` and `stalled`. */
  readonly limitMs?: number | undefined
}

export interface RunFailure {
  readonly category: FailureCategory
  /** What happened and what to do next, as they stand in the diagnostic. */
  readonly happened: string
  readonly nextStep: string
  /** The CLI's own sentence, masked. */
  readonly said?: string
  /** It died of a race between parallel starts, which passes at once. */
  readonly startRace?: boolean
  /** At most 4096 UTF-8 bytes, safe to show. */
  readonly diagnostic: string
}

/** How the process of a run ended, judged; cancellation is not judged here. */
export type Verdict =
  | { readonly status: 'completed'; readonly answer: string }
  | { readonly status: 'failed'; readonly failure: RunFailure }

/** What the verdict may show of the request. */
export interface Request {
  readonly prompt: string
  readonly model: string | undefined
  /** The self-check as it can be typed in this profile. */
  readonly doctorCommand?: string | undefined
}

/** Shorter prompts would cut signatures out of the CLI's own words. */
const SHORTEST_PROMPT_LEFT_OUT = 32
const NEAREST_MODELS = 3
const LEFT_OUT = '\n[…]\n'
/** The requested id, and the offered ones before and behind a gap in what was kept. */
const UNKNOWN_MODEL =
  /Cannot use this model:\s*(.+?)(?:\.\s+Available models:\s*([^\n]*)(?:\n\[…\]\n([^\n]*))?|\.?$)/m
/** Codes with which a shell reports SIGINT, SIGKILL and SIGTERM. */
const SIGNAL_EXIT_CODES = new Set([130, 137, 143])

/**
 * The answer is `result.result` of a result that reports no error, and nothing else, ever.
 * @param masker makes, for a failure alone, what hides the parts that must not show.
 */
export function judge(evidence: Evidence, request: Request, masker: () => Masker): Verdict {
  const { result } = evidence.reader
  if (result !== undefined && !reportsError(result)) {
    const answer = result.result
    if (typeof answer === 'string' && answer.trim() !== '') return { status: 'completed', answer }
  }
  return { status: 'failed', failure: explain(evidence, request, masker()) }
}

function reportsError({ isError, subtype }: ResultEvent): boolean {
  return (
    (isError !== undefined && isError !== false) || (subtype !== undefined && subtype !== 'success')
  )
}

function explain(evidence: Evidence, request: Request, masker: Masker): RunFailure {
  const words = wordsOf(evidence, request)
  const recognised = recogniseFailure(words)
  const category = categoryOf(evidence, recognised)
  const happened = happenedIn(category, evidence, request, words, masker)
  const nextStep = withDoctor(nextStepFor(category, recognised), request.doctorCommand)
  return {
    category,
    happened,
    nextStep,
    startRace: START_RACES.has(category),
    diagnostic: composeDiagnostic(
      {
        headline: { category, happened, nextStep },
        facts: factsOf(evidence, masker),
        stderr: evidence.stderr,
        noise: evidence.reader.noise,
      },
      masker,
    ),
  }
}

/** What was decided by the facts keeps its category; a known text still says what to do. */
function nextStepFor(category: FailureCategory, recognised: Recognised | undefined): string {
  if (recognised === undefined) return CATEGORIES[category].nextStep.en
  const { nextStep } = recognised
  return recognised.category === category
    ? nextStep
    : `${CATEGORIES[recognised.category].happened.en} ${nextStep}`
}

function categoryOf(evidence: Evidence, recognised: Recognised | undefined): FailureCategory {
  const { end, reader, exit } = evidence
  if (end === 'timed-out' || end === 'stalled') return 'timeout'
  if (end === 'framing-lost') return 'stream-framing'
  if (reader.result !== undefined)
    return reportsError(reader.result) ? 'agent-error' : 'empty-answer'
  if (recognised !== undefined && !recognised.recoverable) return recognised.category
  if (exit?.signal || SIGNAL_EXIT_CODES.has(exit?.exitCode ?? 0)) return 'killed'
  return recognised?.category ?? 'no-result'
}

/** What the CLI itself said, without the prompt that it may have echoed and without stream pieces. */
function wordsOf({ stderr, reader }: Evidence, { prompt }: Request): string {
  const said = [stderr, reader.noise].map((text) => joined(text.kept())).join('\n')
  const withoutEcho =
    prompt.length >= SHORTEST_PROMPT_LEFT_OUT
      ? said.replaceAll(plain(prompt).trim(), () => '<prompt>')
      : said
  return withoutEcho
    .split('\n')
    .filter((line) => !/^\s*\{|\{\s*"type"/.test(line))
    .join('\n')
}

/** Where something was left out, the words cut there go too: half a model id is another model's. */
function joined({ head, tail }: KeptText): string {
  if (tail === '') return plain(head)
  return `${plain(head).replace(/[^,\s]+$/, '')}${LEFT_OUT}${plain(tail).replace(/^[^,\s]+/, '')}`
}

function happenedIn(
  category: FailureCategory,
  evidence: Evidence,
  request: Request,
  words: string,
  masker: Masker,
): string {
  const happened = CATEGORIES[category].happened.en
  switch (category) {
    case 'timeout': {
      const silent = evidence.reader.bytes === 0 && evidence.stderr.length === 0
      const limit =
        evidence.end === 'stalled'
          ? `The Cursor CLI wrote nothing for ${evidence.limitMs} ms (\`stallTimeoutMs\`).`
          : `The run reached its time limit of ${evidence.limitMs} ms (\`timeoutMs\`).`
      return silent ? `${limit} There was no output from the CLI at all.` : limit
    }
    case 'agent-error': {
      const subtype = evidence.reader.result?.subtype
      return typeof subtype === 'string' && /^[\w.-]{1,40}$/.test(subtype) && subtype !== 'success'
        ? `The Cursor CLI reported that the agent failed (${masker.mask(subtype)}).`
        : happened
    }
    case 'invalid-model':
      return unknownModel(words, request, masker) ?? happened
    case 'cli-outdated': {
      const option = /^error: (?:unknown option|option) '(-[^'\s=]*)/m.exec(words)?.[1]
      return option === undefined
        ? happened
        : `The Cursor CLI does not accept the option ${masker.mask(option)}.`
    }
    case 'killed': {
      const { exit } = evidence
      return exit?.signal
        ? `The Cursor CLI was stopped by ${exit.signal} before it gave a result.`
        : `The Cursor CLI was stopped from outside (exit code ${exit?.exitCode}) before it gave a result.`
    }
    case 'no-result':
      return endWithoutResult(evidence)
    default:
      return happened
  }
}

function unknownModel(words: string, request: Request, masker: Masker): string | undefined {
  const match = UNKNOWN_MODEL.exec(words)
  const requested = match?.[1] ?? request.model
  if (requested === undefined) return undefined
  const offered = `${match?.[2] ?? ''},${match?.[3] ?? ''}`
    .split(',')
    .map((id) => id.trim().replace(/\.$/, ''))
  const nearest = closest(
    requested,
    offered.filter((id) => /^[\w.[\]=-]+$/.test(id)),
    NEAREST_MODELS,
  )
  const hint = nearest.length === 0 ? '' : ` Closest: ${masker.mask(nearest.join(', '))}.`
  return `The Cursor CLI does not offer the model ${masker.mask(requested).slice(0, 200)}.${hint}`
}

function endWithoutResult({ exit, reader, stderr }: Evidence): string {
  if (exit === undefined)
    return 'The Cursor CLI closed its output without a result and went on running.'
  const silent = stderr.length === 0 && reader.noise.length === 0
  const message = silent && reader.eventCount === 0 ? ' and no message' : ' and no result'
  return `The Cursor CLI ended with exit code ${exit.exitCode}${message}.`
}

function factsOf({ exit, reader }: Evidence, masker: Masker): string[] {
  const types = [...reader.events]
    .map(([type, count]) => `${masker.mask(type)} ${count}`)
    .join(', ')
  const ended =
    exit === undefined
      ? 'process: still running'
      : exit.signal === null
        ? `exit code: ${exit.exitCode}`
        : `signal: ${exit.signal}`
  const { started, completed } = reader.toolCalls
  return [
    `${ended}; result events: ${reader.result === undefined ? 0 : 1}; ` +
      `events: ${reader.eventCount}${types === '' ? '' : ` (${types})`}; ` +
      `tool calls: ${started} started, ${completed} completed`,
    ...(reader.lastLineCut
      ? ['The last line on stdout was cut off: the CLI exited before its write was out.']
      : []),
  ]
}
