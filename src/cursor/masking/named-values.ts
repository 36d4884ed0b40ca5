/**
 * Finds secrets by the name before them: in assignments, JSON, headers, flags and tables.
 * `spellings.ts` decodes escapes first; `secret-shapes.ts` finds secrets without a name.
 *
 * Every pattern is bounded or sticky, so the search takes linear time. This matters because the
 * text may come from a hostile process, and the host's event loop waits for the search.
 */

import type { Stretch } from './spellings.ts'
import { looksRandom, readsAsProse, isExplanation } from './ordinary-words.ts'

/**
 * What a name says about the value after it. `secret`: the value is a secret. `maybe`: the name has
 * other uses (`key`, `session`, `TOKEN_URL`), so only a random value is one. `assigned`: like
 * `secret` after an equals sign, like `maybe` elsewhere (`pass`, which test runners print too).
 * `header`: the rest of the line is secret. `scheme`: `Bearer` and `Basic`, which prose uses too.
 */
type NameKind = 'secret' | 'maybe' | 'assigned' | 'header' | 'scheme'

/**
 * Which values count as secrets. `any`: all but words that explain an error. `not-prose`: what a
 * sentence would not continue with. `random`: only what looks random.
 */
type Accepts = 'any' | 'not-prose' | 'random'

/** One way to write a value after its name. */
interface Form {
  /** Only documents the row. */
  readonly example: string
  /** Must match the text before the name. */
  readonly before?: RegExp
  /** Matches from the end of the name to the start of the value, without the value's own quote. */
  readonly between: RegExp
  /** Only a value in quotes counts. */
  readonly quoted?: true
  readonly accepts: Accepts
}

/** Closes a quoted name, as in `"name"` or `["name"]`. */
const CLOSE = String.raw`(?:["'\x60*”’)]{1,3}\]?|\])`
const BLANK = String.raw`[ \t\u3000]{0,20}`
const SPACE = String.raw`\s{0,20}`
const ASSIGN = '(?:[=-]>|→|:=|={1,3}|\\?=|＝|是|为|為|は)'
const COLON = '(?:::?|：)'

function form(
  example: string,
  between: string,
  accepts: Accepts,
  more: Partial<Pick<Form, 'before' | 'quoted'>> = {},
): Form {
  return { example, between: new RegExp(between, 'iy'), accepts, ...more }
}

const ABOUT_WHOM = String.raw`(?:[ \t](?:for|of|from|by)[ \t][\w@.'"-]{1,40})?`
const SAYING = 'is|was|has|as|to|of|for|from|set|provided|given|used|value|received|got|sent'

const ASSIGNMENT = form('API_KEY=x', `${CLOSE}?${BLANK}${ASSIGN}${BLANK}`, 'any')

/** The first form with a matching value decides. */
const FORMS: readonly Form[] = [
  ASSIGNMENT,
  form('"apiKey": "x"', String.raw`${CLOSE}${BLANK}${COLON}${SPACE}`, 'any'),
  form(
    'token: string = "x"',
    String.raw`${BLANK}:[ \t]{0,4}[A-Za-z][\w<>|[\] ]{0,40}=[ \t]{0,4}`,
    'any',
    { quoted: true },
  ),
  form('token: "x"', `${BLANK}${COLON}${BLANK}`, 'any', { quoted: true }),
  form('token: x', `${BLANK}${COLON}${BLANK}(?![\\s>|])`, 'not-prose'),
  form(
    'token: >-\n  x',
    String.raw`${BLANK}${COLON}[ \t]{0,4}(?:[|>][-+]?)?[ \t]{0,4}\n${SPACE}`,
    'random',
  ),
  form('--api-key x', String.raw`(?:[ \t]{1,4}|${CLOSE}[ \t]{0,4},${SPACE})(?![-<[|])`, 'any', {
    before: /(?:^|[\s"'`([|/])--?$/,
  }),
  form('login bob password x', String.raw`[ \t]+`, 'not-prose', {
    before: /\b(?:login|user(?:name)?|account)\s{1,4}\S{1,64}\s{1,4}$/i,
  }),
  form('<key>TOKEN</key><string>x', String.raw`</key>${SPACE}<string>`, 'any', {
    before: /<key>$/i,
  }),
  form(
    '<password>x',
    String.raw`(?:\s[^<>\n]{0,80})?>(?:[ \t]{0,4}\n\s{0,20})?(?:<!\[CDATA\[)?(?=[^\s<])`,
    'any',
    {
      before: /<(?:[\w.-]{1,30}:)?$/,
    },
  ),
  form(
    'name="token" value="x"',
    String.raw`(?:${CLOSE}[\s,]{0,20}|[\s,]{1,20})["']?(?:value|content)["']?\s{0,4}[:=]\s{0,4}`,
    'any',
  ),
  form('| TOKEN | x |', String.raw`[ \t*\x60"']{0,20}[|│┃║\t][ \t*\x60"']{0,20}`, 'not-prose'),
  form("'X-Api-Key',\n  'x'", String.raw`${CLOSE}${SPACE},${SPACE}`, 'not-prose', {
    quoted: true,
  }),
  form('<entry key="token">x', String.raw`["'][^<>\n]{0,80}>${SPACE}(?=[^\s<])`, 'any', {
    before: /<[^<>\n]{1,60}["']$/,
  }),
  form('token,x', `${CLOSE}?[,;][ \\t]?`, 'random'),
  form('setToken("x")', String.raw`\(\s{0,4}`, 'any', { quoted: true }),
  form(
    'the API key for bob is x',
    `${CLOSE}?${ABOUT_WHOM}(?:[ \\t]{1,4}(?:${SAYING})\\b){0,3}:?(?:[ \\t]{1,20}[([（【]?|[([（【]|(?=[“‘「『《"'\`]))`,
    'random',
  ),
]

/** The value of a cookie or an authorization header: on the same line, the next one, or in a list. */
const AFTER_HEADER = new RegExp(
  String.raw`${CLOSE}?${BLANK}(?:${ASSIGN}|${COLON}|[,>])${SPACE}`,
  'iy',
)
const AFTER_SCHEME = /[\s:="']{1,10}/y
const SCHEME =
  /(?:bearer|basic|token|negotiate|ntlm|api-?key|apikey|ssws|key|googlelogin)[ \t]{1,4}(?=\S)/iy
/** `Digest username="x", response="y"`. */
const HEADER_LIST = /^[\w-]{1,30}[ \t]{1,4}[\w-]{1,30}=/
/** Parameters of a server's challenge, which holds no secret: `Bearer error="invalid_token"`. */
const CHALLENGE = /^(?:realm|error|error_description|scope|charset|error_uri)\b/i

/** Candidate names. The listed ones match inside longer words, as some scripts have no spaces. */
const NAME =
  /密码|密碼|口令|令牌|密钥|密鑰|秘钥|密匙|凭证|凭据|私钥|パスワード|トークン|비밀번호|пароль|токен|contraseña|[A-Za-z0-9_][\w.-]*/giu
const NAME_CONSIDERED = 80

const SECRET_WORD =
  /(?:key|token|secret|passw(?:or)?d|passphrase|passcode|passwort|kennwort|pass|pwd|auth|credentials?|userpass)\d*$/i
const MAYBE_WORD =
  /^(?:keys|tokens|secrets|passwords|pass|session|sessionid|phpsessid|jsessionid|sessid|sid|sess|pat|creds?|jwt|sig|signature|code|verifier|assertion|nonce|otp|pin)$/i
const NOT_SECRET =
  /(?:monkey|turkey|donkey|hockey|jockey|whiskey|hotkey|compass|bypass|surpass|trespass|keypass|pubkey|publickey|oauth)$/i
/** After a secret's name, these words make it a name of metadata: `TOKEN_LIMIT`, `keyFile`. */
const ABOUT =
  /^(?:count|counts|limit|limits|length|len|size|type|types|url|uri|endpoint|host|path|file|files|filename|dir|name|names|id|ids|expires?|expiry|expiration|expired|ttl|age|usage|used|budget|status|state|policy|error|errors|code|provider|source|env|var|field|fields|format|version|hint|required|valid|invalid|missing|index|kind|scope|scopes|issuer|audience|alg|algorithm|per|max|min|total|rate|cost|price|at|in|on|method|mode|service|manager|store|storage|helper|hash|fingerprint|digest|exchange|refresh|rotation|validator|validation|parser)$/i
/** Before `key`, these words make it the name of something public: `primaryKey`, `cache_key`. */
const ABOUT_KEY =
  /^(?:any|arrow|hot|shortcut|public|publishable|primary|foreign|partition|sort|cache|object|unique|duplicate|config|registry|query|idempotency|translation|row|group|routing|map|dict|index|lookup|unknown|invalid|missing|host|state|storage|react|sponsor|turbo|task|message|commit)$/i
const BEFORE_SPACED_KEY =
  /(?:api|access|secret|private|signing|encryption|license|licence|master|account|auth|service|admin|deploy|cursor|team|user|storage)['’]?s?[ \t]$/i
/** "Unexpected token" comes from a parser; "output tokens" are counts of a model. */
const PARSED_TOKEN = /(?:unexpected|illegal)[ \t]$/i
const BEFORE_COUNTED_TOKEN =
  /(?:next|end|eos|bos|pad|first|last|output|input|prompt|completion|max|per|each)[ \t_-]$/i

/** @returns the places of named secrets, in order, without their quotes. */
export function namedSecrets(text: string): Stretch[] {
  const found: Stretch[] = []
  let done = 0
  for (const match of text.matchAll(NAME)) {
    if (match.index < done) continue
    const to = match.index + match[0].length
    const name = match[0].slice(-NAME_CONSIDERED)
    const before = text.slice(Math.max(0, match.index - NAME_CONSIDERED), match.index)
    const kind = nameKind(name, before)
    const secret = kind === undefined ? undefined : valueAfterName(text, kind, { to, before })
    if (secret === undefined) continue
    found.push(secret)
    done = secret.to
  }
  return found
}

/** @param before the text in front of the name. */
export function nameKind(name: string, before = ''): NameKind | undefined {
  if (/[^\x00-\x7f]/.test(name)) return 'secret'
  const words = name
    .replaceAll(/([a-z\d])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$2 ')
    .split(/[ _.-]+/)
    .filter((word) => word !== '')
  const last = words.at(-1) ?? ''
  const previous = words.at(-2) ?? ''
  if (/^cookies?\d?$|^authori[sz]ation$/i.test(last)) return 'header'
  if (/^(?:bearer|basic|ssws)$/i.test(name)) return 'scheme'
  const secretAt = words.findLastIndex((word) => SECRET_WORD.test(word) && !NOT_SECRET.test(word))
  if (secretAt === -1) return MAYBE_WORD.test(last) ? 'maybe' : undefined
  const secret = words[secretAt] ?? ''
  const rest = words.slice(secretAt + 1)
  if (/token$/i.test(secret)) {
    if (PARSED_TOKEN.test(before)) return undefined
    if (BEFORE_COUNTED_TOKEN.test(`${before}${previous && `${previous}_`}`)) return 'maybe'
  }
  if (/^auth$/i.test(secret) && rest.length > 0) return 'maybe'
  if (rest.some((word) => ABOUT.test(word))) return 'maybe'
  if (!/^(?:key|pass)$/i.test(secret)) return 'secret'
  if (words.length > 1) return ABOUT_KEY.test(previous) ? 'maybe' : 'secret'
  if (/^pass$/i.test(name)) return 'assigned'
  return name === 'KEY' || BEFORE_SPACED_KEY.test(before) ? 'secret' : 'maybe'
}

function valueAfterName(
  text: string,
  kind: NameKind,
  { to, before }: { readonly to: number; readonly before: string },
): Stretch | undefined {
  if (kind === 'header') return headerValue(text, to)
  if (kind === 'scheme') {
    const from = matchEnd(AFTER_SCHEME, text, to)
    const value = from === undefined ? undefined : valueAt(text, from)
    const isChallenge =
      value === undefined || CHALLENGE.test(text.slice(value.from, value.from + 20))
    return isChallenge || !isSecret(text, value, 'not-prose') ? undefined : value
  }
  for (const { between, quoted, accepts, before: needed } of FORMS) {
    if (needed !== undefined && !needed.test(before)) continue
    const from = matchEnd(between, text, to)
    if (from === undefined) continue
    const value = valueAt(text, from)
    if (value === undefined || (quoted && !value.isQuoted)) continue
    const isSure = kind === 'secret' || (kind === 'assigned' && between === ASSIGNMENT.between)
    return isSecret(text, value, isSure ? accepts : 'random', isSure) ? value : undefined
  }
  return undefined
}

/** Hides a scheme's credential, or else the whole quoted value or line, whatever it looks like. */
function headerValue(text: string, nameEnd: number): Stretch | undefined {
  const from = matchEnd(AFTER_HEADER, text, nameEnd)
  if (from === undefined) return undefined
  const value = valueAt(text, from)
  if (value === undefined) return undefined
  const credential = matchEnd(SCHEME, text, value.from)
  if (credential !== undefined && credential < text.length) {
    const found = valueAt(text, credential)
    const said = found && text.slice(found.from, Math.min(found.to, found.from + VALUE_CONSIDERED))
    const isWord = said !== undefined && /^[a-z]{1,16}[.,:]?$/i.test(said) && isExplanation(said)
    return isWord ? undefined : found
  }
  const said = text.slice(value.from, Math.min(value.to, value.from + VALUE_CONSIDERED))
  const isList = HEADER_LIST.test(text.slice(value.from, value.from + NAME_CONSIDERED))
  if (readsAsProse(said) && !isList) return undefined
  if (value.isQuoted) return value
  const lineEnd = text.indexOf('\n', value.from)
  return { from: value.from, to: lineEnd === -1 ? text.length : lineEnd }
}

interface Value extends Stretch {
  readonly isQuoted: boolean
}

const OPENING = /[[({]?\s{0,4}(?:(\\{0,8})(["'`]{3}|["'`])|([“‘「『《<]))/y
const CLOSING: Readonly<Record<string, string>> = {
  '“': '”',
  '‘': '’',
  '「': '」',
  '『': '』',
  '《': '》',
  '<': '>',
}
/** One character of an unquoted value, which ends at a blank or a separator of lists and sentences. */
const IN_VALUE = String.raw`[^\s"'\x60<>|,;&()[\]{}\\，。；、！」』”’％]|\\(?![nrtu"'\x60])|[,;&](?![\s,;&]|$|["'\w.-]{1,40}[=:])|[)\]}"'\x60|](?=[\w/+=])|[([{]|<(?:secret|prompt|answer|email|url)>`
const UNQUOTED = new RegExp(`(?:${IN_VALUE})+`, 'iy')

function valueAt(text: string, at: number): Value | undefined {
  OPENING.lastIndex = at
  const opening = OPENING.exec(text)
  if (opening === null) {
    const to = matchEnd(UNQUOTED, text, at)
    return to === undefined ? undefined : { from: at, to, isQuoted: false }
  }
  const from = at + opening[0].length
  const [, escape = '', quote = '', foreign] = opening
  const closing = (foreign && CLOSING[foreign]) ?? escape + quote
  const lineEnd = text.indexOf('\n', from)
  const limit = lineEnd === -1 ? text.length : lineEnd
  let to = text.indexOf(closing, from)
  // A quote with more backslashes than the opening one is part of the value.
  while (to > from && to < limit && text[to - 1] === '\\') to = text.indexOf(closing, to + 1)
  return { from, to: to === -1 || to > limit ? limit : to, isQuoted: true }
}

/** A value that is masked already, left out, or the name of a variable. */
const PLACEHOLDER =
  /^(?:<[^<>]{1,40}>|[*•.…xX_-]+|\[[\w ]{1,40}\]|\$\{.*|\$\(.*|\$[A-Z_]+|\$env:\w+|%\w+%|\{\{.*|(?:process\.|import\.meta\.)?env[.[].*|os\.environ.*)$/i

/** Longest part of a value to judge, in UTF-16 units. An unclosed quote runs to the end of its line. */
const VALUE_CONSIDERED = 200

function isSecret(text: string, { from, to }: Stretch, accepts: Accepts, isNamed = false): boolean {
  const value = text
    .slice(from, Math.min(to, from + VALUE_CONSIDERED))
    .replace(/[.:!?…\s]{1,8}$/, '')
  if (value === '' || PLACEHOLDER.test(value)) return false
  // Angle brackets usually hold a tag, or a placeholder for the user to fill in.
  if (text[from - 1] === '<') return looksRandom(value)
  if (accepts === 'any') return !isExplanation(value)
  if (accepts === 'not-prose') return !readsAsProse(value)
  return looksRandom(value, { countsHex: isNamed })
}

function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}
