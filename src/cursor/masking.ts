/**
 * Makes the CLI's free text safe to show: removes what must never be seen and shortens what is
 * personal. Which text is shown, and how much of it, belongs to `diagnostic.ts`.
 */

import { stripVTControlCharacters } from 'node:util'

/** Values to hide wherever they stand. */
export interface Confidential {
  /** Values of the configured environment. */
  readonly environmentValues: readonly string[]
  readonly prompt: string
  /** The text of a result that is not given out. */
  readonly answer?: string | undefined
  readonly home: string
  readonly cwd: string
}

/** On which sides a text was cut out of a longer one. */
export interface Cut {
  readonly start?: boolean
  readonly end?: boolean
}

/** A shorter value hides nothing and would blot out ordinary words. */
const SHORTEST_HIDDEN = 4
/** A shorter prompt is hidden only where it stands as words of its own. */
const SHORTEST_HIDDEN_INSIDE_WORDS = 16

/** Each line costs a pass over the excerpts, in the host's event loop. */
const MOST_LINES_HIDDEN = 50

interface Literal {
  readonly text: string
  readonly label: string
}

/** What secrets look like, each with the part that may stay. Order matters: whole headers first. */
const SECRET_SHAPES: readonly (readonly [RegExp, string])[] = [
  [/\b((?:set-)?cookie|(?:proxy-)?authorization)(["']?\s*[:=]\s*).*/gi, '$1$2<secret>'],
  [/\b(bearer|basic)\s+[^\s"',;]+/gi, '$1 <secret>'],
  [/-----BEGIN [A-Z ]+-----[^]*?(?:-----END [A-Z ]+-----|$)/g, '<secret>'],
  [
    /(--(?:api-key|auth-token|token|header|password)|-H)(?:=|\s+)(?:"[^"]*"|'[^']*'|[^\s"',;]+)/gi,
    '$1 <secret>',
  ],
  [
    /([\w-]*(?:api[-_ ]?key|token|secret|passw(?:or)?d|credentials?)[\w-]*["']?\s*[:=]\s*)(?:"[^"]*"|'[^']*'|[^\s"',;]+)/gi,
    '$1<secret>',
  ],
  // Keys by their usual beginnings (Cursor, OpenAI, Anthropic, GitHub, GitLab, Slack, AWS, Google) and JWTs.
  [
    /\b(?:key|crsr|sk|gh[pousr]|github_pat|glpat|xox[a-z])[-_](?=[\w-]*\d|[\w-]{16})[\w-]{8,}/gi,
    '<secret>',
  ],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{12,}|\bAIza[\w-]{20,}/g, '<secret>'],
  [/\beyJ[\w-]{5,}\.[\w-]+(?:\.[\w-]*)?/g, '<secret>'],
  // Long runs of mixed characters: hexadecimal, or letters of both cases with digits.
  [/\b(?=[a-f]*\d)[a-f0-9]{32,}\b/gi, '<secret>'],
  [/(?<![\w+=-])(?=[\w+=-]*\d)(?=[\w+=-]*[a-z])(?=[\w+=-]*[A-Z])[\w+=-]{40,}/g, '<secret>'],
]

export class Masker {
  readonly #literals: readonly Literal[]
  readonly #home: string
  readonly #cwd: string

  constructor(confidential: Confidential) {
    this.#home = confidential.home
    this.#cwd = confidential.cwd
    const literals = [
      ...confidential.environmentValues.map((text) => ({ text, label: '<secret>' })),
      ...spoken(confidential.prompt).map((text) => ({ text, label: '<prompt>' })),
      ...spoken(confidential.answer ?? '').map((text) => ({ text, label: '<answer>' })),
    ]
    this.#literals = literals
      .flatMap(({ text, label }) => spellings(text).map((text) => ({ text, label })))
      .filter(({ text }) => text.length >= SHORTEST_HIDDEN)
      .toSorted((a, b) => b.text.length - a.text.length)
  }

  /** @returns `text` without escape codes and with everything confidential replaced. */
  mask(text: string, cut: Cut = {}): string {
    let masked = plain(text)
    for (const literal of this.#literals) {
      if (cut.start) masked = hideCutStart(masked, literal)
      if (cut.end) masked = hideCutEnd(masked, literal)
      masked = hide(masked, literal)
    }
    return withoutPathLines(maskShapes(this.#maskHomes(optionNamesOnly(masked))))
  }

  /** Before the shapes of secrets: a directory's name can look like one. */
  #maskHomes(text: string): string {
    let masked = text
    for (const [directory, label] of [
      [this.#cwd, '<workspace>'],
      [this.#home, '~'],
    ] as const) {
      // The root directory is nobody's secret.
      if (directory.length > 1) masked = masked.replaceAll(pathPattern(directory), () => label)
    }
    return masked
      .replaceAll(
        /\b[a-z]:(?:\\+|\/)Users(?:\\+|\/)(?:[^\\/:*?"<>|\r\n]+(?=[\\/])|[^\\/:*?"<>|\s]+)/gi,
        '~',
      )
      .replaceAll(/\/(?:home|Users)\/[^/\s"'`:,;)]+/g, '~')
  }
}

/** Without escape codes and control characters; every line end is `\n`. */
export function plain(text: string): string {
  return stripVTControlCharacters(text.replaceAll(/\r\n?/g, '\n')).replaceAll(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060\ufeff]/g,
    '',
  )
}

/** A text as somebody may echo it: whole, its first line, and other lines that are long enough. */
function spoken(text: string): string[] {
  const lines = text
    .trim()
    .split('\n', MOST_LINES_HIDDEN)
    .map((line) => line.trim())
  const [first = ''] = lines
  return [
    text.trim(),
    first,
    ...lines.filter((line) => line.length >= SHORTEST_HIDDEN_INSIDE_WORDS),
  ]
}

/** A text as it is, as a JSON string holds it, and as a URL holds it. */
function spellings(text: string): string[] {
  const clean = plain(text)
  return [
    ...new Set([
      clean,
      JSON.stringify(clean).slice(1, -1),
      encodeURIComponent(clean.toWellFormed()),
    ]),
  ]
}

function hide(text: string, { text: hidden, label }: Literal): string {
  if (label === '<secret>' || hidden.length >= SHORTEST_HIDDEN_INSIDE_WORDS) {
    return text.replaceAll(hidden, () => label)
  }
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])${escaped(hidden)}(?![\\p{L}\\p{N}_])`, 'gu')
  return text.replaceAll(pattern, () => label)
}

/** The end of a hidden text at the start of a cut: as much of it as is there. */
function hideCutStart(text: string, { text: hidden, label }: Literal): string {
  for (let length = Math.min(hidden.length, text.length); length >= SHORTEST_HIDDEN; length--) {
    if (text.startsWith(hidden.slice(-length))) return label + text.slice(length)
  }
  return text
}

/** The beginning of a hidden text at the end of a cut. */
function hideCutEnd(text: string, { text: hidden, label }: Literal): string {
  for (let length = Math.min(hidden.length, text.length); length >= SHORTEST_HIDDEN; length--) {
    if (text.endsWith(hidden.slice(0, length))) return text.slice(0, -length) + label
  }
  return text
}

/** The CLI echoes an option it does not know with all that follows, which can be the whole prompt. */
function optionNamesOnly(text: string): string {
  return text
    .replaceAll(
      /^(error: unknown option '[^'\s=]*)[^]*?(?=\n\(Did you mean [-\w]+\?\)\s*$|$(?![^]))/gm,
      "$1'",
    )
    .replaceAll(/(unknown option '?[^'\s=]*)[^\n]*/g, "$1'")
}

function maskShapes(text: string): string {
  let masked = text.replaceAll(/\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s"'`<>]+/gi, maskUrl)
  masked = masked.replaceAll(
    /[^\s@<>()"'`:;,=[\]]{1,64}@[^\s@<>()"'`:;,=[\]/]{1,255}\.[\p{L}\d-]{2,63}/gu,
    '<email>',
  )
  for (const [pattern, replacement] of SECRET_SHAPES)
    masked = masked.replaceAll(pattern, replacement)
  return masked
}

/** Only Cursor's own pages are of use to a reader; without what may carry a token. */
function maskUrl(url: string): string {
  const page = /^https:\/\/((?:[\w-]+\.)*cursor\.com)((?:\/[\w./-]*)?)/i.exec(url)
  const behind = page === null ? undefined : url[page[0].length]
  if (page === null || !(behind === undefined || /[?#.,;:)\]]/.test(behind))) return '<url>'
  return `https://${page[1]}${page[2]}`
}

/** A line that is nothing but a path says where somebody works. */
function withoutPathLines(text: string): string {
  return text.replaceAll(/^\s*(?:\/|[a-z]:\\|~[/\\])(?:(?!: )[^\n])*$/gim, '  <path>')
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
}

/** A directory at path borders, with either slash, doubled as JSON does, in any case on Windows. */
function pathPattern(directory: string): RegExp {
  const parts = directory.split(/[\\/]+/).filter((part) => part !== '')
  const windows = /^[A-Za-z]:/.test(directory)
  const body = parts.map(escaped).join('[\\\\/]+')
  return new RegExp(
    `${windows ? '' : '(?<![\\w.~-])[\\\\/]+'}${body}(?![\\w.-])`,
    windows ? 'gi' : 'g',
  )
}
