/**
 * Decides how a run ended, from the result event, the exit, stderr and other output on stdout. This
 * file owns the order of the rules; `failures.ts` recognises the CLI's texts, and
 * `failures/diagnostic.ts` lays out the message.
 */

import type { BoundedText } from './bounded-text.ts'
import type { Words } from '../words.ts'
import { ADVICE, CATEGORIES, type FailureCategory } from './failures/categories.ts'
import { quoteFrom, wordsIn } from './failures/quotation.ts'
import { closest } from './closest.ts'
import { composeDiagnostic, shownLines } from './failures/diagnostic.ts'
import { withDoctor, withValue, type Excerpts } from './failures/format.ts'
import { isRpcCode, recogniseFailure, type Recognised } from './failures.ts'
import { plain, type Masker } from './masking.ts'
import type { ProcessExit } from './process.ts'
import type { CursorStreamReader, ResultEvent } from './stream-reader.ts'
import { SILENT, TIME_LIMITS, type ReachedLimit } from './time-limits.ts'

/** How reading a process ended without a limit from outside. */
export type ReadingEnd = 'result' | 'framing-lost' | 'exited'

export type AttemptEnd = ReadingEnd | ReachedLimit

/** What is known about a process when its attempt ends. */
export interface Evidence {
  readonly end: AttemptEnd
  readonly reader: CursorStreamReader
  readonly stderr: BoundedText
  /** `undefined` while the process is still running. */
  readonly exit: ProcessExit | undefined
}

export interface RunFailure {
  readonly category: FailureCategory
  /** These three are in the diagnostic too. `said` quotes the CLI, masked. */
  readonly happened: string
  readonly nextStep: string
  readonly said?: string
  /** Whether parallel starts caused the failure, so that a second start may work. */
  readonly startRace?: boolean
  /** At most 4096 UTF-8 bytes, safe to show. */
  readonly diagnostic: string
}

/** `run.ts` handles cancellation, so there is no verdict for it. */
export type Verdict =
  | { readonly status: 'completed'; readonly answer: string }
  | { readonly status: 'failed'; readonly failure: RunFailure }

/** The parts of the request that a failure text may use. */
export interface Request {
  readonly prompt: string
  readonly model: string | undefined
  /** How to start the self-check in this profile. */
  readonly doctorCommand?: string | undefined
}

/** Shorter prompts may occur in the CLI's own sentences, which must stay recognisable. */
const SHORTEST_PROMPT_LEFT_OUT = 32
const NEAREST_MODELS = 3
/** Captures the requested id and the list of offered ids, which may contain a gap. */
const UNKNOWN_MODEL = /Cannot use this model:\s*(.+?)(?:\.\s+Available models:\s*([^\n]*)|\.?$)/m
const REFUSED_OPTION = /^error: (?:unknown option|option) '(-[^'\s=]*)/im
/** The date on which a usage limit ends, in the formats that the CLI uses. */
const RESET_DATE =
  /\b(?:resets?|ends|return|again)\b.{0,60}?\b(\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6} \d{1,2}(?:, \d{4})?)\b/i
/** Shells report a signal as 128 plus its number; Windows reports Ctrl+C as 0xc000013a. */
const isSignalExit = (code: number): boolean => (code > 128 && code < 160) || code === 0xc000013a

/**
 * The answer is always `result.result` of a result event that reports no error, never other output.
 * @param masker is called only for a failure, because building a masker takes time.
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
  const { reader, stderr, exit } = evidence
  const words = [stderr, reader.noise].flatMap((text) =>
    wordsIn(text.kept(), (said) => withoutEcho(said, request)),
  )
  const recognised = recogniseFailure(words, exit?.exitCode)
  const category = categoryOf(evidence, recognised)
  const shown = {
    stderr: shownLines(stderr.kept(), masker),
    stdout: shownLines(reader.noise.kept(), masker),
  }
  const happened = happenedIn(category, evidence, request, words.join('\n'), masker)
  const said = repeatsQuote(category, words) ? undefined : saidIn(category, recognised, shown)
  const nextStep = withDoctor(nextStepFor(category, recognised, reader), request.doctorCommand)
  return {
    category,
    happened,
    ...(said !== undefined && { said }),
    nextStep,
    startRace: recognised?.category === category && recognised.startRace,
    diagnostic: composeDiagnostic({
      headline: { category, happened, said, nextStep },
      facts: factsOf(evidence, masker),
      shown,
    }),
  }
}

/** Categories that follow from the facts, not from the CLI's texts; these may still say why. */
const BY_FACTS: ReadonlySet<FailureCategory> = new Set([
  'timeout',
  'stream-framing',
  'agent-error',
  'empty-answer',
  'killed',
])

/** Whether `happened` already repeats what the CLI's sentence says. */
function repeatsQuote(category: FailureCategory, words: readonly string[]): boolean {
  if (category === 'invalid-model') return words.some((line) => UNKNOWN_MODEL.test(line))
  return category === 'cli-outdated' && words.some((line) => REFUSED_OPTION.test(line))
}

/**
 * Picks the sentence of the CLI to quote. If the facts decided the category, quotes only a recognised
 * failure, because the stderr of a long run can contain anything.
 */
function saidIn(
  category: FailureCategory,
  recognised: Recognised | undefined,
  shown: Excerpts,
): string | undefined {
  if (BY_FACTS.has(category) && recognised === undefined) return undefined
  const quote = (lines: readonly string[], isCause = recognised?.isCause): string | undefined =>
    quoteFrom(lines, isRpcCode, isCause)
  const { stderr, stdout } = shown
  if (
    recognised !== undefined &&
    !stderr.some(recognised.isCause) &&
    stdout.some(recognised.isCause)
  )
    return quote(stdout)
  return quote(stderr) ?? quote(stdout)
}

/** A recognised text supplies the next step even if the facts decided the category. */
function nextStepFor(
  category: FailureCategory,
  recognised: Recognised | undefined,
  { toolCalls }: CursorStreamReader,
): string {
  const steps: Words[] = []
  if (recognised === undefined) steps.push(CATEGORIES[category].nextStep)
  else if (recognised.category === category) steps.push(recognised.nextStep)
  else steps.push(CATEGORIES[recognised.category].happened, recognised.nextStep)
  if (toolCalls.completed > 0 && category !== 'empty-answer') steps.push(ADVICE.workspaceChanged)
  return steps.map(({ en }) => en).join(' ')
}

function categoryOf(evidence: Evidence, recognised: Recognised | undefined): FailureCategory {
  const { end, reader, exit } = evidence
  if (typeof end === 'object') return 'timeout'
  if (end === 'framing-lost') return 'stream-framing'
  if (reader.result !== undefined)
    return reportsError(reader.result) ? 'agent-error' : 'empty-answer'
  if (recognised !== undefined && !recognised.recoverable) return recognised.category
  if (exit?.signal || isSignalExit(exit?.exitCode ?? 0)) return 'killed'
  return recognised?.category ?? 'no-result'
}

/** Removes the echoed prompt, because its words say nothing about the failure. */
function withoutEcho(said: string, { prompt }: Request): string {
  return prompt.length >= SHORTEST_PROMPT_LEFT_OUT
    ? said.replaceAll(plain(prompt).trim(), () => '<prompt>')
    : said
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
      const { end, reader, stderr } = evidence
      if (typeof end !== 'object') return happened
      const reached = withValue(TIME_LIMITS[end.limit].happened.en, end.ms)
      const silent = reader.bytes === 0 && stderr.length === 0
      return silent ? `${reached} ${SILENT.en}` : reached
    }
    case 'agent-error': {
      const subtype = evidence.reader.result?.subtype
      return typeof subtype === 'string' && /^[\w.-]{1,40}$/.test(subtype) && subtype !== 'success'
        ? withValue(CATEGORIES[category].inDetail.subtype.en, masker.mask(subtype))
        : happened
    }
    case 'invalid-model':
      return unknownModel(words, request, masker) ?? happened
    case 'cli-outdated': {
      const option = REFUSED_OPTION.exec(words)?.[1]
      return option === undefined
        ? happened
        : withValue(CATEGORIES[category].inDetail.option.en, masker.mask(option))
    }
    case 'usage-limit': {
      const date = RESET_DATE.exec(words)?.[1]
      return date === undefined ? happened : withValue(CATEGORIES[category].inDetail.date.en, date)
    }
    case 'killed': {
      const { exit } = evidence
      if (exit === undefined) return happened
      const { signal, code } = CATEGORIES[category].inDetail
      return exit.signal ? withValue(signal.en, exit.signal) : withValue(code.en, exit.exitCode)
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
  const offered = (match?.[2] ?? '').split(/,|\[…\]/).map((id) => id.trim().replace(/\.$/, ''))
  const nearest = closest(
    requested,
    offered.filter((id) => /^[\w.[\]=-]+$/.test(id)),
    NEAREST_MODELS,
  )
  const { model, closest: hint } = CATEGORIES['invalid-model'].inDetail
  const unknown = withValue(model.en, masker.mask(requested).slice(0, 200))
  return nearest.length === 0
    ? unknown
    : `${unknown} ${withValue(hint.en, masker.mask(nearest.join(', ')))}`
}

function endWithoutResult({ exit, reader, stderr }: Evidence): string {
  const { running, code, silentCode } = CATEGORIES['no-result'].inDetail
  if (exit === undefined) return running.en
  const silent = stderr.length === 0 && reader.noise.length === 0 && reader.eventCount === 0
  return withValue((silent ? silentCode : code).en, exit.exitCode)
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
