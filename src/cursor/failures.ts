/**
 * How the CLI's own words are recognised: one row of `SIGNATURES` is one text of the CLI. What a
 * person is told about a category belongs to `categories.ts`, the order of the rules to `outcome.ts`.
 */

import { ADVICE, CATEGORIES, type FailureCategory } from './categories.ts'

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
    nextStep: ADVICE.nodeOptions.en,
  },
  {
    category: 'broken-install',
    pattern:
      /^(?:Uncaught )?(?:Error: |Error \[\w+\]: )?Cannot find (?:module|package)|node: bad option|ERR_MODULE_NOT_FOUND|Failed to load native binding|ERR_DLOPEN_FAILED/m,
  },
  {
    category: 'not-authenticated',
    pattern: /API key is invalid|invalid API key|\[unauthenticated\]/i,
    nextStep: ADVICE.keyRejected.en,
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
    nextStep: ADVICE.proxy.en,
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
  const { category, recoverable = false, nextStep = CATEGORIES[category].nextStep.en } = found
  return { category, recoverable, nextStep }
}

/** Start-up failures that parallel runs cause each other and that pass at once (facts: failure table). */
export const START_RACES: ReadonlySet<FailureCategory> = new Set(['cli-config', 'credential-store'])
