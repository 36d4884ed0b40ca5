/**
 * Why a run failed, as a closed set of categories, and how the CLI's own words are recognised.
 * One row of `SIGNATURES` is one text of the CLI; one row of `CATEGORIES` is what a person is
 * told. How the facts are laid out belongs to `diagnostic.ts`.
 */

export type FailureCategory =
  | 'cli-not-found'
  | 'broken-install'
  | 'unsupported-platform'
  | 'prompt-rejected'
  | 'bad-cwd'
  | 'policy-refused'
  | 'spawn-failed'
  | 'not-authenticated'
  | 'credential-store'
  | 'invalid-model'
  | 'plan-limit'
  | 'usage-limit'
  | 'rate-limited'
  | 'network'
  | 'workspace-not-trusted'
  | 'sandbox-unavailable'
  | 'admin-policy'
  | 'cli-outdated'
  | 'cli-config'
  | 'timeout'
  | 'killed'
  | 'stream-framing'
  | 'empty-answer'
  | 'agent-error'
  | 'no-result'

interface CategoryText {
  /** What happened, as a sentence. */
  readonly happened: string
  /** What a person does next, as one or two sentences. */
  readonly nextStep: string
}

export const CATEGORIES = {
  'cli-not-found': {
    happened: 'The Cursor CLI was not found.',
    nextStep:
      'Install it as cursor.com/cli says and run `cursor-agent login`, or set `cliPath` to its index.js or its directory.',
  },
  'broken-install': {
    happened: 'The Cursor CLI is installed but cannot run.',
    nextStep: 'Install it again as cursor.com/cli says, or set `cliPath` to a complete install.',
  },
  'unsupported-platform': {
    happened: 'This permission mode does not work on this platform.',
    nextStep: 'Set `permissionMode` to trust, yolo, plan or ask.',
  },
  'prompt-rejected': {
    happened: 'The prompt cannot be given to the Cursor CLI.',
    nextStep: 'Write the whole task as text in `prompt`.',
  },
  'bad-cwd': {
    happened: 'The working directory cannot be used.',
    nextStep: 'Delegate from a session whose directory exists and can be entered.',
  },
  'policy-refused': {
    happened:
      "The parent session's sandbox policy is read-only, and this permission mode can write.",
    nextStep:
      'Use an instance of this plugin with `permissionMode` ask or plan, give the session another policy, or set `readOnlySessions: allow`.',
  },
  'spawn-failed': {
    happened: 'The Cursor CLI could not be started.',
    nextStep: 'Run `dsh-subagent-cursor doctor` to see which program is started and why it fails.',
  },
  'not-authenticated': {
    happened: 'The Cursor CLI is not logged in, or its key was rejected.',
    nextStep:
      'Run `cursor-agent login` in a terminal, or give this plugin a valid CURSOR_API_KEY in `env`.',
  },
  'credential-store': {
    happened: "The Cursor CLI could not read its login from the system's credential store.",
    nextStep:
      'Try again: parallel starts can race for it. If it stays, unlock the keychain or run `cursor-agent login` again.',
  },
  'invalid-model': {
    happened: 'The Cursor CLI does not offer this model.',
    nextStep:
      'Set `model` to an id that `cursor-agent models` lists, or leave it out to use the account default.',
  },
  'plan-limit': {
    happened: "Named models are not part of this account's Cursor plan.",
    nextStep: 'Set `model` to auto, or upgrade the plan.',
  },
  'usage-limit': {
    happened: "The account's Cursor usage limit is reached.",
    nextStep: "Wait until it resets, raise the spend limit or upgrade in Cursor's dashboard.",
  },
  'rate-limited': {
    happened: "Cursor's servers refused the run for lack of capacity.",
    nextStep: 'Try again in a few minutes, with fewer delegations at once.',
  },
  network: {
    happened: "The Cursor CLI lost or did not get its connection to Cursor's servers.",
    nextStep:
      'Check the network; behind a proxy or TLS inspection set HTTPS_PROXY and NODE_EXTRA_CA_CERTS for the host or in `env`. Then try again.',
  },
  'workspace-not-trusted': {
    happened: 'The Cursor CLI does not trust the working directory.',
    nextStep: 'Run `cursor-agent` once in that directory and trust it, or update the CLI.',
  },
  'sandbox-unavailable': {
    happened: "Cursor's sandbox is not available on this system.",
    nextStep:
      'Set `permissionMode` to trust, yolo, plan or ask, or make the sandbox work (on Linux: AppArmor and user namespaces).',
  },
  'admin-policy': {
    happened: "The Cursor team's administrator has disabled this use.",
    nextStep: 'Ask the administrator, or use another `permissionMode`.',
  },
  'cli-outdated': {
    happened: 'The Cursor CLI does not accept an option of the command line.',
    nextStep: 'Update it with `cursor-agent update`, and check `extraArgs`.',
  },
  'cli-config': {
    happened: "The Cursor CLI's own configuration file is busy, damaged or not writable.",
    nextStep:
      'Try again: parallel starts can race for it. If it stays, check ~/.cursor/cli-config.json and its permissions.',
  },
  timeout: {
    happened: 'The run reached its time limit.',
    nextStep:
      'Give a smaller task, or raise the limit; background shells that the agent starts keep a run open.',
  },
  killed: {
    happened: 'The Cursor CLI was stopped from outside before it gave a result.',
    nextStep:
      'Look for what stopped it (a person, memory pressure, a service manager), then try again.',
  },
  'stream-framing': {
    happened: 'The output of the Cursor CLI held a line of more than 8 MiB that is no known event.',
    nextStep:
      'Check `extraArgs` for an output option, and update the CLI with `cursor-agent update`.',
  },
  'empty-answer': {
    happened: 'The agent finished without an answer.',
    nextStep:
      'Its work may be done all the same: look at the workspace, or delegate again and ask for the result in the final reply.',
  },
  'agent-error': {
    happened: 'The Cursor CLI reported that the agent failed.',
    nextStep: 'Try again, with a smaller task if it repeats.',
  },
  'no-result': {
    happened: 'The Cursor CLI ended without a result.',
    nextStep: 'Run `dsh-subagent-cursor doctor --probe` to see whether a small task works.',
  },
} as const satisfies Record<FailureCategory, CategoryText>

interface StartErrorText {
  /** Both default to the category's own. */
  readonly happened?: string
  readonly nextStep?: string
  /** Further lines, such as the places looked at. */
  readonly details?: readonly string[]
}

/** Thrown before a run exists. The message's first line is that of a diagnostic. */
export class CursorStartError extends Error {
  override readonly name = 'CursorStartError'
  readonly category: FailureCategory
  readonly happened: string
  readonly nextStep: string
  readonly details: readonly string[]
  readonly #text: StartErrorText

  constructor(category: FailureCategory, text: StartErrorText = {}) {
    const { happened, nextStep, details } = { ...CATEGORIES[category], details: [], ...text }
    super([firstLine(category, happened, nextStep), ...details].join('\n'))
    this.category = category
    this.happened = happened
    this.nextStep = nextStep
    this.details = details
    this.#text = text
  }

  /** @returns the same error with everything but the category's own texts passed through `change`. */
  withText(change: (text: string) => string): CursorStartError {
    const { happened, details, ...rest } = this.#text
    return new CursorStartError(this.category, {
      ...rest,
      ...(happened !== undefined && { happened: change(happened) }),
      ...(details !== undefined && { details: details.map((line) => change(line)) }),
    })
  }
}

/** The first line of every failure text: category, what happened, next step. */
export function firstLine(category: FailureCategory, happened: string, nextStep: string): string {
  return `${category}: ${happened} ${nextStep}`
}

interface Signature {
  readonly category: FailureCategory
  readonly pattern: RegExp
  /**
   * Also printed by a CLI that recovers, or by a tool that it runs, so it explains an end only when
   * nothing else does: a signal is then the better explanation.
   */
  readonly recoverable?: true
  /** What to do, where the category's own advice is too general. */
  readonly nextStep?: string
}

/**
 * What the CLI says when it fails, most specific first: the first row that matches decides.
 * Facts: the failure table of builds 2026.01 to 2026.10 and the recorded cases. Every text is
 * looked for on stderr and among the noise on stdout, since builds differ in where they print it.
 */
const SIGNATURES: readonly Signature[] = [
  // Option errors count only at the start of a line: they echo the prompt, which can hold anything.
  { category: 'cli-outdated', pattern: /^error: unknown option '/m },
  { category: 'cli-outdated', pattern: /^error: option '[^'\n]*' argument [^]*? is invalid/m },
  { category: 'prompt-rejected', pattern: /No prompt provided for print mode/ },
  { category: 'invalid-model', pattern: /Cannot use this model:/i },
  { category: 'plan-limit', pattern: /Named models unavailable|Free plans can only use Auto/i },
  {
    category: 'usage-limit',
    pattern: /\busage limits?\b|free requests limit|spend(?:ing)? limit (?:reached|hit)/i,
  },
  { category: 'workspace-not-trusted', pattern: /Workspace Trust Required/i },
  { category: 'sandbox-unavailable', pattern: /Sandbox mode is enabled but not available/i },
  { category: 'admin-policy', pattern: /(?:team|your) administrator has disabled/i },
  {
    category: 'credential-store',
    pattern:
      /Password not found for account|Security (?:command failed|process exited with code)|SecItem\w+ failed|\berrSec\w+/,
  },
  // The system's error for the file, not any mention of it.
  {
    category: 'cli-config',
    pattern: /\bE[A-Z]{3,12}\b.{0,300}cli-config\.json|cli-config\.json.{0,300}\bE[A-Z]{3,12}\b/,
  },
  {
    category: 'cli-config',
    pattern: /Unexpected (?:end of|token .*) JSON|^(?:Uncaught )?SyntaxError: .*\bJSON\b/m,
  },
  {
    category: 'broken-install',
    pattern: /is not allowed in NODE_OPTIONS/,
    nextStep: "The CLI's own Node refuses a flag in NODE_OPTIONS: remove it from `env`.",
  },
  {
    category: 'broken-install',
    pattern:
      /^(?:Uncaught )?(?:Error: |Error \[\w+\]: )?Cannot find (?:module|package)|node: bad option|ERR_MODULE_NOT_FOUND|Failed to load native binding|ERR_DLOPEN_FAILED/m,
  },
  {
    category: 'not-authenticated',
    pattern: /API key is invalid|invalid API key|\[unauthenticated\]/i,
    nextStep:
      'Its key was rejected: put a valid CURSOR_API_KEY into `env`, or remove it and run `cursor-agent login`.',
  },
  {
    category: 'not-authenticated',
    pattern: /Authentication required|\bnot (?:logged in|authenticated)\b/i,
  },
  // A lost connection explains the RetriableError that follows it, whatever that one says.
  { category: 'network', pattern: /Connection lost, reconnecting[^]*(?:Retriable|Connect)Error/ },
  { category: 'rate-limited', pattern: /\[resource_exhausted\]/ },
  {
    category: 'rate-limited',
    pattern: /\brate[- ]limit(?:ed)?\b|too many requests/i,
    recoverable: true,
  },
  {
    category: 'network',
    pattern: /Failed to reach the Cursor API|proxy CONNECT failed/i,
    nextStep:
      'Check the proxy: HTTPS_PROXY of the host or in `env`, its credentials, and whether it lets api2.cursor.sh through.',
  },
  {
    category: 'network',
    pattern:
      /\[(?:unavailable|deadline_exceeded)\]|network socket disconnected|PING timed out|Connection stalled|HTTP\/2 stream closed|\b(?:ECONNRESET|ECONNREFUSED|ECONNABORTED|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPROTO)\b|socket hang up|self[- ]signed certificate|unable to (?:get|verify) .*certificate|certificate (?:has expired|is not yet valid)|does not match certificate|\bUNABLE_TO_(?:GET|VERIFY)_\w|SELF_SIGNED_CERT|\bCERT_(?:HAS|NOT|UNTRUSTED|REVOKED|REJECTED|SIGNATURE|CHAIN)|ERR_TLS_|fetch failed|NGHTTP2_|\bEAI_FAIL\b/i,
    recoverable: true,
  },
  { category: 'network', pattern: /\b(?:Retriable|Connect)Error:|\[aborted\]/ },
  { category: 'network', pattern: /Connection lost, reconnecting/, recoverable: true },
]

export interface Recognised {
  readonly category: FailureCategory
  readonly recoverable: boolean
  readonly nextStep: string
}

/** @returns the first signature that the CLI's own words match, if any. */
export function recogniseFailure(text: string): Recognised | undefined {
  const found = SIGNATURES.find(({ pattern }) => pattern.test(text))
  if (found === undefined) return undefined
  const { category, recoverable = false, nextStep = CATEGORIES[category].nextStep } = found
  return { category, recoverable, nextStep }
}

/** Start-up failures that parallel runs cause each other and that pass at once (facts: failure table). */
export const START_RACES: ReadonlySet<FailureCategory> = new Set(['cli-config', 'credential-store'])
