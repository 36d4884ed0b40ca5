/**
 * Makes the CLI's free text safe to show: removes what must never be seen and shortens what is
 * personal. Which text is shown, and how much of it, belongs to `diagnostic.ts`; what secrets look
 * like to `secret-shapes.ts`.
 */

import { stripVTControlCharacters } from 'node:util'
import { maskShapes } from './secret-shapes.ts'

/** Values to hide wherever they stand. */
export interface Confidential {
  /** Values of the configured environment. */
  readonly environmentValues: readonly string[]
  readonly prompt: string
  /** The result that is not given out, whatever it is: every text in it is hidden. */
  readonly answer?: unknown
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
/** A shorter line of a longer text is no echo of that text. */
const SHORTEST_LINE_HIDDEN = 8
/** Each line costs a pass over the excerpts, in the host's event loop. */
const MOST_LINES_HIDDEN = 50
const MOST_ANSWER_TEXTS = 50

interface Literal {
  readonly text: string
  readonly label: '<secret>' | '<prompt>' | '<answer>'
}

export class Masker {
  readonly #literals: readonly Literal[]
  readonly #home: string
  readonly #cwd: string

  constructor(confidential: Confidential) {
    this.#home = confidential.home
    this.#cwd = confidential.cwd
    this.#literals = [
      ...literalsOf(confidential.environmentValues, '<secret>'),
      ...literalsOf([confidential.prompt], '<prompt>'),
      ...literalsOf(textsIn(confidential.answer), '<answer>'),
    ]
  }

  /** @returns `text` without escape codes and with everything confidential replaced. */
  mask(text: string, cut: Cut = {}): string {
    const known = this.#maskKnown(plain(text), cut)
    return withoutPathLines(maskShapes(this.#maskHomes(optionNamesOnly(known))))
  }

  /** All places of all hidden texts are found first, so that two that overlap hide each other's rest. */
  #maskKnown(text: string, cut: Cut): string {
    const places = this.#literals.flatMap(({ text: hidden, label }) => {
      const found: Place[] = []
      for (let at = text.indexOf(hidden); at !== -1; at = text.indexOf(hidden, at + 1)) {
        found.push({ from: at, to: at + hidden.length, label })
      }
      // A border can leave the end of a hidden text at the start, or its beginning at the end.
      const atStart = cut.start ? overlap(hidden, text) : 0
      const atEnd = cut.end ? overlap(text, hidden) : 0
      if (atStart >= SHORTEST_HIDDEN) found.push({ from: 0, to: atStart, label })
      if (atEnd >= SHORTEST_HIDDEN)
        found.push({ from: text.length - atEnd, to: text.length, label })
      return found
    })
    return replacePlaces(text, places)
  }

  /** Before the shapes of secrets: a directory's name can look like one. */
  #maskHomes(text: string): string {
    let masked = text
    // A workspace above the homes would take the part away by which a home is recognised.
    const cwd = isAboveHomes(this.#cwd, this.#home) ? '' : this.#cwd
    for (const [directory, label] of [
      [cwd, '<workspace>'],
      [this.#home, '~'],
    ] as const) {
      // The root directory is nobody's secret.
      if (directory.length > 1) masked = masked.replaceAll(pathPattern(directory), () => label)
    }
    return masked
      .replaceAll(
        /\b[a-z]:(?:\\+|\/)Users(?:\\+|\/)(?:[^\\/:*?"<>|\r\n]{1,100}(?=[\\/])|[^\\/:*?"<>|\s]+)/gi,
        '~',
      )
      .replaceAll(/(?:\\?\/)(?:home|Users)(?:\\?\/)[^\\/\s"'`:,;)]+/g, '~')
  }
}

/** Without escape codes and control characters; every line end is `\n`. */
export function plain(text: string): string {
  return (
    stripVTControlCharacters(text.replaceAll(/\r\n?/g, '\n'))
      // Control characters, and those that take no room: a secret could be drawn apart with them.
      .replaceAll(
        /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
        '',
      )
  )
}

/** Texts as somebody may echo them: whole, by line, and in the spellings of JSON and of URLs. */
function literalsOf(texts: readonly string[], label: Literal['label']): Literal[] {
  const spoken = texts.flatMap((text) => {
    const trimmed = plain(text).trim()
    const [first = '', ...others] = trimmed
      .split('\n', MOST_LINES_HIDDEN)
      .map((line) => line.trim())
    return [trimmed, first, ...others.filter((line) => line.length >= SHORTEST_LINE_HIDDEN)]
  })
  const spelled = spoken.flatMap((text) => {
    const inUrl = encodeURIComponent(text.toWellFormed())
    return [
      text,
      JSON.stringify(text).slice(1, -1),
      inUrl,
      inUrl.replaceAll('%20', '+'),
      inUrl.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    ]
  })
  return [...new Set(spelled)]
    .filter((text) => text.length >= SHORTEST_HIDDEN)
    .map((text) => ({ text, label }))
}

/** Every text in a JSON value. */
function textsIn(value: unknown): string[] {
  const texts: string[] = []
  const pending = [value]
  while (pending.length > 0 && texts.length < MOST_ANSWER_TEXTS) {
    const next = pending.pop()
    if (typeof next === 'string') texts.push(next)
    else if (typeof next === 'object' && next !== null) pending.push(...Object.values(next))
  }
  return texts
}

interface Place {
  readonly from: number
  readonly to: number
  readonly label: string
}

function replacePlaces(text: string, places: readonly Place[]): string {
  let masked = ''
  let at = 0
  let label = ''
  for (const place of places.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (place.from >= at) {
      masked += label + text.slice(at, place.from)
      label = place.label
      at = place.to
    } else at = Math.max(at, place.to)
  }
  return masked + label + text.slice(at)
}

/** @returns how many characters at the end of `left` are the beginning of `right`, not all of it. */
function overlap(left: string, right: string): number {
  const most = Math.min(left.length, right.length - 1)
  const pattern = right.slice(0, most)
  const end = left.slice(left.length - most)
  // The failure function of Knuth, Morris and Pratt: each character is looked at a few times.
  const failure = new Int32Array(pattern.length)
  for (let at = 1, length = 0; at < pattern.length; at++) {
    while (length > 0 && pattern[at] !== pattern[length]) length = failure[length - 1] ?? 0
    if (pattern[at] === pattern[length]) length++
    failure[at] = length
  }
  let length = 0
  for (const character of end.split('')) {
    if (length === pattern.length) length = failure[length - 1] ?? 0
    while (length > 0 && character !== pattern[length]) length = failure[length - 1] ?? 0
    if (character === pattern[length]) length++
  }
  return length
}

/** The CLI echoes an option it does not know with all that follows, which can be the whole prompt. */
function optionNamesOnly(text: string): string {
  const unknown = /^error: unknown option '[^'\s=]*/m.exec(text)
  const named =
    unknown === null ? text : `${text.slice(0, unknown.index)}${unknown[0]}'${hintBehind(text)}`
  return named
    .replaceAll(/(unknown option '?[^'\s=]*)[^\n]*/g, "$1'")
    .replaceAll(/^(error: option '[^'\n]*' argument ')[^]*?(' is invalid)/gm, '$1…$2')
    .replaceAll(/^(error: too many arguments)[^\n]*/gm, '$1')
}

/** Commander's suggestion, which stands at the end. */
function hintBehind(text: string): string {
  return /\n\(Did you mean [-\w]+\?\)\s{0,4}$/.exec(text)?.[0] ?? ''
}

/** A line that is nothing but a path says where somebody works. */
function withoutPathLines(text: string): string {
  return text.replaceAll(/^[ \t]*(?:\/|[a-z]:\\|~[/\\])(?:(?!: )[^\n])*$/gim, '  <path>')
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

function partsOf(directory: string): string[] {
  return directory.split(/[\\/]+/).filter((part) => part !== '')
}

function isAboveHomes(directory: string, home: string): boolean {
  const parts = partsOf(directory).map((part) => part.toLowerCase())
  const isAbove = (other: readonly string[]): boolean =>
    parts.length < other.length && parts.every((part, at) => part === other[at])
  const aHome = [...(parts[0]?.endsWith(':') ? [parts[0]] : []), 'users', 'x']
  return (
    isAbove(partsOf(home).map((part) => part.toLowerCase())) ||
    isAbove(['home', 'x']) ||
    isAbove(aHome)
  )
}

/** A directory at path borders, with either slash, doubled as JSON does, in any case on Windows. */
function pathPattern(directory: string): RegExp {
  const windows = /^[A-Za-z]:/.test(directory)
  const body = partsOf(directory).map(escaped).join('[\\\\/]+')
  const start = windows ? '' : '(?<![\\w.~-])[\\\\/]+'
  return new RegExp(`${start}${body}(?![\\w.-])`, windows ? 'gi' : 'g')
}
