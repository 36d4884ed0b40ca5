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
  /api[-_.]?key|access[-_.]?key|private[-_.]?key|token(?!iz)|secret|passw(?:or)?d|passphrase|credentials?$|^auth$|^pwd$|^pass$|session[-_]?id$|\bsid$/i
/** What such a name can also stand before. */
const HARMLESS_VALUE = /^["']?(?:\d{1,6}|none|null|undefined|true|false)?["']?$/i

/** `name = value`, `"name": "value"`, `name => value`, and the same inside a JSON string. */
const ASSIGNMENT =
  /(?<![\w.-])([\w.-]+)(\\{0,4}["']?\]?\s{0,20}(?:=>|[:=])\s{0,20})(\\{0,4}"(?:\\[^"\n]|\\"(?=\w)|[^"\\\n])*\\{0,4}"?|'[^'\n]*'?|[^\s"',;]+)/g

/** Enough like a credential not to be the next word of a sentence. */
const VALUE = String.raw`["'(]?(?:(?=[^\s"',;)]{0,200}[\d=._-])[^\s"';)]{3,}|[^\s"';)]{12,})`

/** Each with what stays. Whole headers come first: their values can look like anything. */
const SHAPES: readonly (readonly [RegExp, string])[] = [
  [/\b((?:set-)?cookies?|(?:proxy-)?authorization)(\\{0,4}["']?\s*[:=,]).*/gi, `$1$2 ${SECRET}`],
  [new RegExp(String.raw`\b(bearer|basic)[\s:="']{1,10}${VALUE}`, 'gi'), `$1 ${SECRET}`],
  [/-----BEGIN [A-Z ]{1,40}-----(?:[^-]|-(?!----))*(?:-----END [A-Z ]{1,40}-----)?/g, SECRET],
  [
    /(--(?:api[-_]key|(?:auth|access)[-_]token|token|secret|header|password)|-H)(?:=|\s{1,4}|["']\s{0,4},\s{0,4}(?=["']))(?:"[^"\n]*"?|'[^'\n]*'?|[^\s"',;]+)/gi,
    `$1 ${SECRET}`,
  ],
  [
    new RegExp(
      String.raw`\b((?:api|access|secret|private) key)(?:\s{0,4}[:=]\s{0,4}|\s(?=["'(]))${VALUE}`,
      'gi',
    ),
    `$1 ${SECRET}`,
  ],
  // Keys by their usual beginnings: Cursor, OpenAI, Anthropic, GitHub, GitLab, Slack, Hugging Face.
  [
    /(?<![A-Za-z0-9])(?:key|crsr|sk|gh[pousr]|github_pat|glpat|xox[a-z]|hf)[-_](?=[\w-]{0,15}\d|[\w-]{14})[\w-]{8,}/gi,
    SECRET,
  ],
  // AWS and Google, then JWTs.
  [/(?:AKIA|ASIA)[A-Z0-9]{12,}|AIza[\w-]{20,}|\bya29\.[\w-]{10,}/g, SECRET],
  [/(?<![\w-])eyJ[\w-]{5,}(?:\.[\w-]*){1,4}/g, SECRET],
  // Long runs of mixed characters: hexadecimal, or letters of both cases with digits.
  [/(?<![\w-])(?=[a-f]{0,200}\d)[a-f0-9]{32,}(?![\w-])/gi, SECRET],
  [
    /(?<![\w+=])(?=[^\d\s]{0,200}\d)(?=[^a-z\s]{0,200}[a-z])(?=[^A-Z\s]{0,200}[A-Z])[\w+=]{40,}/g,
    SECRET,
  ],
]

/** With credentials a URL may hold quotes and brackets before the `@`; JSON may escape its slashes. */
const URL = /\b[a-z][a-z0-9+.-]{0,30}:(?:\\?\/){2}(?:[^\s/@]{1,200}@)?[^\s"'`<>]*/gi
const CREDENTIALS_BEFORE_HOST = /[\w.+-]{1,64}:[^\s@/:]{1,128}@[\w.-]{1,255}/g
const EMAIL = /[^\s@<>()"'`:;,=[\]]{1,64}(?:@|%40)[^\s@<>()"'`:;,=[\]/]{1,255}\.[\p{L}\d-]{2,63}/gu

/** @returns `text` with everything that looks like a secret, an address or a URL replaced. */
export function maskShapes(text: string): string {
  let masked = text
    .replaceAll(URL, maskUrl)
    .replaceAll(CREDENTIALS_BEFORE_HOST, '<url>')
    .replaceAll(EMAIL, '<email>')
  for (const [pattern, replacement] of SHAPES) {
    masked = masked.replaceAll(pattern, replacement)
  }
  return masked.replaceAll(ASSIGNMENT, (whole, name: string, between: string, value: string) =>
    SECRET_NAME.test(name) && !HARMLESS_VALUE.test(value) ? `${name}${between}${SECRET}` : whole,
  )
}

/** Only Cursor's own pages are of use to a reader; without what may carry a token. */
function maskUrl(url: string): string {
  const punctuation = /[).,;:!?\]]{0,4}$/.exec(url)?.[0] ?? ''
  const page = /^https:\/\/((?:[\w-]{1,40}\.){0,4}cursor\.com)((?:\/[a-z-]{1,40}){0,6}\/?)/i.exec(
    url,
  )
  const behind = page === null ? undefined : url[page[0].length]
  if (page === null || !(behind === undefined || /[?#.,;:)\]/\w-]/.test(behind))) {
    return `<url>${punctuation}`
  }
  if (behind !== undefined && !page[2] && /[\w-]/.test(behind)) return `<url>${punctuation}`
  return `https://${page[1]}${page[2]}${punctuation}`
}
