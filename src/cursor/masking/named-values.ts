/**
 * Finds values that stand behind the name of a secret, wherever the name stands: behind a label,
 * in another value, in a header, a flag or a table. Escapes are taken away by `spellings.ts`; what
 * a secret without a name looks like belongs to `secret-shapes.ts`.
 *
 * Every pattern is bounded or starts at one place, so all of it takes linear time: the text comes
 * from a process that may be hostile, and the host's event loop waits.
 */

import type { Stretch } from './spellings.ts'
import { looksRandom, readsAsWords, saysWhy } from './ordinary-words.ts'

/**
 * How much a name says. `secret`: what follows is one. `maybe`: the name has other uses too, so
 * only a random value counts (`key`, `session`, `TOKEN_URL`). `assigned`: the same, but behind an
 * equals sign it is a secret's (`pass`, which test runners print too). `header`: the rest of the line is
 * one, whatever is in it. `scheme`: `Bearer` and `Basic`, which prose uses too.
 */
type NameKind = 'secret' | 'maybe' | 'assigned' | 'header' | 'scheme'

/**
 * What is taken for a secret behind a form. `any`: all but a word that says why. `unlike-words`:
 * what a sentence would not go on with. `random`: only what looks made by chance.
 */
type Doubt = 'any' | 'unlike-words' | 'random'

/** How a value can stand behind its name. */
interface Form {
  /** For whoever reads the table. */
  readonly example: string
  /** What must stand before the name. */
  readonly before?: RegExp
  /** From the end of the name to the beginning of the value; the value's own quote is not part of it. */
  readonly between: RegExp
  /** Only a value in quotes counts. */
  readonly quoted?: true
  readonly doubt: Doubt
}

/** The end of a quoted name, in an index or not. */
const CLOSE = String.raw`(?:["'\x60*”’)]{1,3}\]?|\])`
const BLANK = String.raw`[ \t\u3000]{0,20}`
const SPACE = String.raw`\s{0,20}`
const ASSIGN = '(?:[=-]>|→|:=|={1,3}|\\?=|＝|是|为|為|は)'
const COLON = '(?:::?|：)'

function form(
  example: string,
  between: string,
  doubt: Doubt,
  more: Partial<Pick<Form, 'before' | 'quoted'>> = {},
): Form {
  return { example, between: new RegExp(between, 'iy'), doubt, ...more }
}

const ABOUT_WHOM = String.raw`(?:[ \t](?:for|of|from|by)[ \t][\w@.'"-]{1,40})?`
const SAYING = 'is|was|has|as|to|of|for|from|set|provided|given|used|value|received|got|sent'

const ASSIGNMENT = form('API_KEY=x', `${CLOSE}?${BLANK}${ASSIGN}${BLANK}`, 'any')

/** The first form that fits decides. */
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
  form('token: x', `${BLANK}${COLON}${BLANK}(?![\\s>|])`, 'unlike-words'),
  form(
    'token: >-\n  x',
    String.raw`${BLANK}${COLON}[ \t]{0,4}(?:[|>][-+]?)?[ \t]{0,4}\n${SPACE}`,
    'random',
  ),
  form('--api-key x', String.raw`(?:[ \t]{1,4}|${CLOSE}[ \t]{0,4},${SPACE})(?![-<[|])`, 'any', {
    before: /(?:^|[\s"'`([|/])--?$/,
  }),
  form('login bob password x', String.raw`[ \t]+`, 'unlike-words', {
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
  form('| TOKEN | x |', String.raw`[ \t*\x60"']{0,20}[|│┃║\t][ \t*\x60"']{0,20}`, 'unlike-words'),
  form("'X-Api-Key',\n  'x'", String.raw`${CLOSE}${SPACE},${SPACE}`, 'unlike-words', {
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

/** A cookie or an authorization takes the line, a list's next item, or the line below. */
const BEHIND_HEADER = new RegExp(
  String.raw`${CLOSE}?${BLANK}(?:${ASSIGN}|${COLON}|[,>])${SPACE}`,
  'iy',
)
const BEHIND_SCHEME = /[\s:="']{1,10}/y
const SCHEME =
  /(?:bearer|basic|token|negotiate|ntlm|api-?key|apikey|ssws|key|googlelogin)[ \t]{1,4}(?=\S)/iy
/** `Digest username="x", response="y"`. */
const HEADER_LIST = /^[\w-]{1,30}[ \t]{1,4}[\w-]{1,30}=/
/** What a challenge tells about itself: `Bearer error="invalid_token"`. */
const CHALLENGE = /^(?:realm|error|error_description|scope|charset|error_uri)\b/i

/** The names, and those that need no border: scripts that write without spaces. */
const NAME =
  /密码|密碼|口令|令牌|密钥|密鑰|秘钥|密匙|凭证|凭据|私钥|パスワード|トークン|비밀번호|пароль|токен|contraseña|[A-Za-z0-9_][\w.-]*/giu
const NAME_CONSIDERED = 80

const SECRET_WORD =
  /(?:key|token|secret|passw(?:or)?d|passphrase|passcode|passwort|kennwort|pass|pwd|auth|credentials?|userpass)\d*$/i
const MAYBE_WORD =
  /^(?:keys|tokens|secrets|passwords|pass|session|sessionid|phpsessid|jsessionid|sessid|sid|sess|pat|creds?|jwt|sig|signature|code|verifier|assertion|nonce|otp|pin)$/i
const NO_SECRET =
  /(?:monkey|turkey|donkey|hockey|jockey|whiskey|hotkey|compass|bypass|surpass|trespass|keypass|pubkey|publickey|oauth)$/i
/** Behind a secret's name these make it the name of something about the secret. */
const ABOUT =
  /^(?:count|counts|limit|limits|length|len|size|type|types|url|uri|endpoint|host|path|file|files|filename|dir|name|names|id|ids|expires?|expiry|expiration|expired|ttl|age|usage|used|budget|status|state|policy|error|errors|code|provider|source|env|var|field|fields|format|version|hint|required|valid|invalid|missing|index|kind|scope|scopes|issuer|audience|alg|algorithm|per|max|min|total|rate|cost|price|at|in|on|method|mode|service|manager|store|storage|helper|hash|fingerprint|digest|exchange|refresh|rotation|validator|validation|parser)$/i
/** Before `key` these make it the name of something that everybody may know. */
const ABOUT_KEY =
  /^(?:any|arrow|hot|shortcut|public|publishable|primary|foreign|partition|sort|cache|object|unique|duplicate|config|registry|query|idempotency|translation|row|group|routing|map|dict|index|lookup|unknown|invalid|missing|host|state|storage|react|sponsor|turbo|task|message|commit)$/i
const BEFORE_SPACED_KEY =
  /(?:api|access|secret|private|signing|encryption|license|licence|master|account|auth|service|admin|deploy|cursor|team|user|storage)['’]?s?[ \t]$/i
/** A parser's tokens are no secrets, and a model's are counted. */
const PARSED_TOKEN = /(?:unexpected|illegal)[ \t]$/i
const BEFORE_COUNTED_TOKEN =
  /(?:next|end|eos|bos|pad|first|last|output|input|prompt|completion|max|per|each)[ \t_-]$/i

/** @returns where secrets stand behind their names, in order, without their quotes. */
export function namedSecrets(text: string): Stretch[] {
  const found: Stretch[] = []
  let done = 0
  for (const match of text.matchAll(NAME)) {
    if (match.index < done) continue
    const to = match.index + match[0].length
    const name = match[0].slice(-NAME_CONSIDERED)
    const before = text.slice(Math.max(0, match.index - NAME_CONSIDERED), match.index)
    const kind = nameKind(name, before)
    const secret = kind === undefined ? undefined : behind(text, kind, { to, before })
    if (secret === undefined) continue
    found.push(secret)
    done = secret.to
  }
  return found
}

/** @param before what stands in front of the name. */
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
  const secretAt = words.findLastIndex((word) => SECRET_WORD.test(word) && !NO_SECRET.test(word))
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

function behind(
  text: string,
  kind: NameKind,
  { to, before }: { readonly to: number; readonly before: string },
): Stretch | undefined {
  if (kind === 'header') return headerValue(text, to)
  if (kind === 'scheme') {
    const from = matchEnd(BEHIND_SCHEME, text, to)
    const value = from === undefined ? undefined : valueAt(text, from)
    const isChallenge =
      value === undefined || CHALLENGE.test(text.slice(value.from, value.from + 20))
    return isChallenge || !isSecret(text, value, 'unlike-words') ? undefined : value
  }
  for (const { between, quoted, doubt, before: needed } of FORMS) {
    if (needed !== undefined && !needed.test(before)) continue
    const from = matchEnd(between, text, to)
    if (from === undefined) continue
    const value = valueAt(text, from)
    if (value === undefined || (quoted && !value.isQuoted)) continue
    const isSure = kind === 'secret' || (kind === 'assigned' && between === ASSIGNMENT.between)
    return isSecret(text, value, isSure ? doubt : 'random', isSure) ? value : undefined
  }
  return undefined
}

/** A scheme's credential, or else all of a quoted value or the line: it can look like anything. */
function headerValue(text: string, nameEnd: number): Stretch | undefined {
  const from = matchEnd(BEHIND_HEADER, text, nameEnd)
  if (from === undefined) return undefined
  const value = valueAt(text, from)
  if (value === undefined) return undefined
  const credential = matchEnd(SCHEME, text, value.from)
  if (credential !== undefined && credential < text.length) {
    const found = valueAt(text, credential)
    const said = found && text.slice(found.from, Math.min(found.to, found.from + VALUE_CONSIDERED))
    const isWord = said !== undefined && /^[a-z]{1,16}[.,:]?$/i.test(said) && saysWhy(said)
    return isWord ? undefined : found
  }
  const said = text.slice(value.from, Math.min(value.to, value.from + VALUE_CONSIDERED))
  const isList = HEADER_LIST.test(text.slice(value.from, value.from + NAME_CONSIDERED))
  if (readsAsWords(said) && !isList) return undefined
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
/** Up to a blank, or to what ends a value in a list, a query or a sentence. */
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
  // A quote behind other backslashes than the opening one's is part of the value.
  while (to > from && to < limit && text[to - 1] === '\\') to = text.indexOf(closing, to + 1)
  return { from, to: to === -1 || to > limit ? limit : to, isQuoted: true }
}

/** Already replaced, left out, or the name of a variable. */
const PLACEHOLDER =
  /^(?:<[^<>]{1,40}>|[*•.…xX_-]+|\[[\w ]{1,40}\]|\$\{.*|\$\(.*|\$[A-Z_]+|\$env:\w+|%\w+%|\{\{.*|(?:process\.|import\.meta\.)?env[.[].*|os\.environ.*)$/i

/** Enough to judge a value by, in UTF-16 units; an unclosed quote goes on to the end of the line. */
const VALUE_CONSIDERED = 200

function isSecret(text: string, { from, to }: Stretch, doubt: Doubt, isNamed = false): boolean {
  const value = text
    .slice(from, Math.min(to, from + VALUE_CONSIDERED))
    .replace(/[.:!?…\s]{1,8}$/, '')
  if (value === '' || PLACEHOLDER.test(value)) return false
  // Between angle brackets stands what somebody is to fill in, or a tag.
  if (text[from - 1] === '<') return looksRandom(value)
  if (doubt === 'any') return !saysWhy(value)
  if (doubt === 'unlike-words') return !readsAsWords(value)
  return looksRandom(value, { countsHex: isNamed })
}

function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}
