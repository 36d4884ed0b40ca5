/**
 * What secrets, addresses and URLs look like in free text, and what stands in their place. Values
 * that are known (the environment's, the prompt) are hidden by `masking.ts`.
 *
 * Every pattern takes linear time: the text comes from a process that may be hostile, and the
 * host's event loop waits. So each starts at the beginning of a word or is bounded in length.
 */

const SECRET = '<secret>'

/** Names whose value is a secret, as they stand in assignments, JSON and headers. */
const SECRET_NAME =
  /api[-_.]?key|access[-_.]?key|private[-_.]?key|token|secret|passw(?:or)?d|passphrase|credentials?$|^auth$/i

/** `name = value`, `"name": "value"`, and the same inside a JSON string. */
const ASSIGNMENT =
  /(?<![\w.-])([\w.-]+)(\\{0,4}["']?\s{0,4}[:=]\s{0,4})(\\{0,4}"[^"\n]*"?|'[^'\n]*'?|[^\s"',;]+)/g

/** Each with what stays. Whole headers come first: their values can look like anything. */
const SHAPES: readonly (readonly [RegExp, string])[] = [
  [
    /\b((?:set-)?cookies?|(?:proxy-)?authorization)(\\{0,4}["']?\s{0,4}[:=,]).*/gi,
    `$1$2 ${SECRET}`,
  ],
  [/\b(bearer|basic)\s{1,4}[^\s"',;]+/gi, `$1 ${SECRET}`],
  [/-----BEGIN [A-Z ]{1,40}-----(?:[^-]|-(?!----))*(?:-----END [A-Z ]{1,40}-----)?/g, SECRET],
  [
    /(--(?:api-key|auth-token|token|header|password)|-H)(?:=|\s{1,4})(?:"[^"\n]*"?|'[^'\n]*'?|[^\s"',;]+)/gi,
    `$1 ${SECRET}`,
  ],
  [/\b((?:api|access|secret|private) key)\s{0,4}[:=]\s{0,4}[^\s"',;]+/gi, `$1: ${SECRET}`],
  // Keys by their usual beginnings: Cursor, OpenAI, Anthropic, GitHub, GitLab, Slack.
  [
    /(?:key|crsr|sk|gh[pousr]|github_pat|glpat|xox[a-z])[-_](?=[\w-]{0,15}\d|[\w-]{16})[\w-]{8,}/gi,
    SECRET,
  ],
  // AWS and Google, then JWTs.
  [/(?:AKIA|ASIA)[A-Z0-9]{12,}|AIza[\w-]{20,}/g, SECRET],
  [/(?<![\w-])eyJ[\w-]{5,}(?:\.[\w-]*){1,4}/g, SECRET],
  // Long runs of mixed characters: hexadecimal, or letters of both cases with digits.
  [/(?<![\w-])(?=[a-f]{0,200}\d)[a-f0-9]{32,}(?![\w-])/gi, SECRET],
  [
    /(?<![\w+=-])(?=[^\d\s]{0,200}\d)(?=[^a-z\s]{0,200}[a-z])(?=[^A-Z\s]{0,200}[A-Z])[\w+=-]{40,}/g,
    SECRET,
  ],
]

/** With credentials a URL may hold quotes and brackets before the `@`; JSON may escape its slashes. */
const URL = /\b[a-z][a-z0-9+.-]{0,30}:(?:\\?\/){2}(?:[^\s/@]{1,200}@)?[^\s"'`<>]*/gi
const CREDENTIALS_BEFORE_HOST = /[\w.+-]{1,64}:[^\s@/:]{1,128}@[\w.-]{1,255}/g
const EMAIL = /[^\s@<>()"'`:;,=[\]]{1,64}@[^\s@<>()"'`:;,=[\]/]{1,255}\.[\p{L}\d-]{2,63}/gu

/** @returns `text` with everything that looks like a secret, an address or a URL replaced. */
export function maskShapes(text: string): string {
  let masked = text
    .replaceAll(URL, maskUrl)
    .replaceAll(CREDENTIALS_BEFORE_HOST, '<url>')
    .replaceAll(EMAIL, '<email>')
  for (const [pattern, replacement] of SHAPES) {
    masked = masked.replaceAll(pattern, replacement)
  }
  return masked.replaceAll(ASSIGNMENT, (whole, name: string, between: string) =>
    SECRET_NAME.test(name) ? `${name}${between}${SECRET}` : whole,
  )
}

/** Only Cursor's own pages are of use to a reader; without what may carry a token. */
function maskUrl(url: string): string {
  const page = /^https:\/\/((?:[\w-]+\.)*cursor\.com)((?:\/[\w./-]*)?)/i.exec(url)
  const behind = page === null ? undefined : url[page[0].length]
  if (page === null || !(behind === undefined || /[?#.,;:)\]]/.test(behind))) return '<url>'
  return `https://${page[1]}${page[2]}`
}
