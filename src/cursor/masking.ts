/**
 * Makes the CLI's free text safe to show: removes what must never be seen and shortens what is
 * personal. Which text is shown, and how much of it, belongs to `failures/diagnostic.ts`; how secrets are
 * named to `masking/named-values.ts`, and what they look like to `masking/secret-shapes.ts`.
 */

import { stripVTControlCharacters } from 'node:util'
import { echoes } from './masking/echoes.ts'
import { nameKind, namedSecrets } from './masking/named-values.ts'
import { maskAddresses, maskKeyBlocks, maskShapes } from './masking/secret-shapes.ts'
import { View, viewsOf, type Stretch } from './masking/spellings.ts'

/** Values to hide wherever they stand. */
export interface Confidential {
  /** Values of the configured environment. */
  readonly environmentValues: readonly string[]
  /** Arguments of the command line; what stands behind a secret's name in them is hidden. */
  readonly extraArgs?: readonly string[]
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
/** Of a longer text only its ends can meet an excerpt's border; nothing of it fits an excerpt whole. */
const LONGEST_LITERAL = 10_240
/** Of an answer, in UTF-16 units and in texts; more is no echo. */
const ANSWER_CONSIDERED = 8 * 1024 * 1024
const MOST_ANSWER_TEXTS = 50
/** A longer answer is compared as it came: making it plain would take the host's time. */
const PLAIN_CONSIDERED = 262_144
/** Each costs a pass over the excerpts, in the host's event loop. */
const MOST_LITERALS = 400

interface Literal {
  readonly text: string
  readonly label: '<secret>' | '<prompt>' | '<answer>'
}

export class Masker {
  readonly #literals: readonly Literal[]
  /** Texts of which no longer run may show either. */
  readonly #spoken: readonly Literal[]
  readonly #home: string
  readonly #cwd: string

  constructor(confidential: Confidential) {
    this.#home = confidential.home
    this.#cwd = confidential.cwd
    const prompt = plain(confidential.prompt)
    const answers = textsIn(confidential.answer)
    const answer = answers.join('\n')
    const secrets = [...confidential.environmentValues, ...secretsIn(confidential.extraArgs ?? [])]
    const lines = secrets
      .filter((value) => value.includes('\n'))
      .flatMap((value) => value.split('\n'))
    // A whole secret is never left out, however many lines another one has.
    this.#literals = [
      ...literalsOf(secrets, '<secret>'),
      ...[
        ...literalsOf([prompt, firstLineOf(prompt)], '<prompt>'),
        ...literalsOf(answers, '<answer>'),
        ...literalsOf(lines, '<secret>'),
        ...[...secrets, ...lines]
          .flatMap(inBase64)
          .map((text) => ({ text, label: '<secret>' }) as const),
      ].slice(0, MOST_LITERALS),
    ]
    this.#spoken = [
      { text: prompt, label: '<prompt>' },
      { text: answer.length > PLAIN_CONSIDERED ? answer : plain(answer), label: '<answer>' },
    ]
  }

  /** @returns `text` without escape codes and with everything confidential replaced. */
  mask(text: string, cut: Cut = {}): string {
    const known = this.#maskKnown(maskKeyBlocks(plain(text), cut.start), cut)
    const addresses = maskAddresses(this.#maskHomes(optionNamesOnly(known)))
    const named = replacePlaces(
      addresses,
      viewsOf(addresses).flatMap((view) =>
        namedSecrets(view.text).map((place) => ({ ...view.written(place), label: '<secret>' })),
      ),
    )
    return withoutPathLines(maskShapes(named))
  }

  /** All places of all hidden texts are found first, so that two that overlap hide each other's rest. */
  #maskKnown(text: string, cut: Cut): string {
    const views = viewsOf(text)
    const places = views.flatMap((view) => this.#literalsIn(view, cut))
    // A console breaks a long line wherever it is full.
    const unbroken = new View(text).decoded(/\n[ \t]{0,20}/g, () => '')
    if (unbroken !== undefined) places.push(...this.#literalsIn(unbroken, {}))
    for (const { text: spoken, label } of this.#spoken) {
      places.push(...echoes(views, spoken).map((place) => ({ ...place, label })))
    }
    return replacePlaces(text, places)
  }

  #literalsIn(view: View, cut: Cut): Place[] {
    const { text } = view
    return this.#literals.flatMap(({ text: hidden, label }) => {
      const found: Stretch[] = []
      const { length } = hidden
      for (let at = text.indexOf(hidden); at !== -1; at = text.indexOf(hidden, at + length)) {
        found.push({ from: at, to: at + length })
      }
      // A border can leave the end of a hidden text at the start, or its beginning at the end.
      const atStart = cut.start ? overlap(hidden, text) : 0
      const atEnd = cut.end ? overlap(text, hidden) : 0
      if (atStart >= SHORTEST_HIDDEN) found.push({ from: 0, to: atStart })
      if (atEnd >= SHORTEST_HIDDEN) found.push({ from: text.length - atEnd, to: text.length })
      return found.map((place) => ({ ...view.written(place), label }))
    })
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
    return masked.replaceAll(WINDOWS_HOME, '~').replaceAll(POSIX_HOME, '~')
  }
}

/** A name may hold spaces where a separator or a quote shows its end. */
const WINDOWS_HOME =
  /(?:\b[a-z]:|\\{2,4}[\w.-]{1,64})?(?:\\{1,4}|(?<=:)\/{1,2})(?:Users|Documents and Settings)(?:\\{1,4}|\/{1,2})(?:[^\\/:*?"<>|\r\n]{1,64}(?=[\\/"])|[^\\/:*?"<>|\s]{1,64})/gi
const POSIX_HOME =
  /\\?(?<!\/)\/{1,4}(?:home|users)\\?\/{1,4}(?:[^\\/\n"`:;,]{1,64}(?=\\?\/)|[^\\/\s"'`:,;)]{1,64})/gi

/** Without escape codes and control characters; every line end is `\n`. */
export function plain(text: string): string {
  return (
    stripVTControlCharacters(text.replaceAll(/\r\n?/g, '\n'))
      // Control characters, and those that take no room: a secret could be drawn apart with them.
      .replaceAll(
        /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\p{Default_Ignorable_Code_Point}]/gu,
        '',
      )
  )
}

function firstLineOf(text: string): string {
  return text.trim().split('\n', 1)[0] ?? ''
}

/** Texts as somebody may echo them: without blank lines too, and in the spellings of JSON and URLs. */
function literalsOf(texts: readonly string[], label: Literal['label']): Literal[] {
  const spelled = texts.flatMap((text) =>
    clipped(text.trim())
      .map(plain)
      .flatMap((piece) => [piece.trim(), piece.trim().replaceAll(/\n\s{0,1000}\n/g, '\n')])
      .flatMap((piece) => {
        const inUrl = encodeURIComponent(piece.toWellFormed())
        return [
          piece,
          JSON.stringify(piece).slice(1, -1),
          piece.replaceAll("'", String.raw`\'`),
          inUrl,
          inUrl.replaceAll('%20', '+'),
          inUrl.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
        ]
      }),
  )
  return [...new Set(spelled)]
    .filter((text) => text.length >= SHORTEST_HIDDEN)
    .map((text) => ({ text, label }))
}

function clipped(text: string): string[] {
  return text.length <= 2 * LONGEST_LITERAL
    ? [text]
    : [text.slice(0, LONGEST_LITERAL), text.slice(-LONGEST_LITERAL)]
}

/** The first texts in a JSON value, as far as an echo of them could matter. */
function textsIn(value: unknown): string[] {
  const texts: string[] = []
  const pending: unknown[] = [value]
  let room = ANSWER_CONSIDERED
  for (let at = 0; at < pending.length && texts.length < MOST_ANSWER_TEXTS && room > 0; at++) {
    const next = pending[at]
    if (typeof next === 'string') {
      texts.push(next.slice(0, room))
      room -= next.length
    } else if (typeof next === 'object' && next !== null) {
      for (const inner of Object.values(next)) {
        if (pending.length >= ANSWER_CONSIDERED / 16) break
        pending.push(inner)
      }
    }
  }
  return texts
}

/** Before a header, or a user with a password; the long ones may have it behind an equals sign. */
const COLON_OPTION = /^(?:-[Hu]|--(?:header|user|proxy-user)(?:=|$))/

/** The values in a command line that stand behind the name of a secret, in their own argument or not. */
function secretsIn(args: readonly string[]): string[] {
  return args.flatMap((arg, at) => {
    const before = args[at - 1] ?? ''
    const flag = /^--?([\w.-]+)$/.exec(before)?.[1]
    // The CLI takes what stands behind such an option for its value even if it begins with a hyphen.
    const isNamed = flag !== undefined && nameKind(flag) === 'secret' && !arg.startsWith('--')
    const inside = namedSecrets(arg).map(({ from, to }) => arg.slice(from, to))
    // Of a header, and of a user with a password, what stands behind the colon.
    const isValue = COLON_OPTION.exec(before)?.[0] === before
    const joined = arg.slice(COLON_OPTION.exec(arg)?.[0].length ?? arg.length)
    const given = isValue ? arg : joined.includes(':') ? joined : ''
    const behindColon = given.slice(given.indexOf(':') + 1)
    return [
      ...(isNamed ? [arg] : []),
      ...inside,
      behindColon.replace(/^\s*(?:bearer|basic|token)\s+/i, ''),
    ]
  })
}

/** A value somewhere in a text that is written in base64: at each of three offsets, without what its neighbours share. */
function inBase64(value: string): string[] {
  const trimmed = value.trim()
  if (trimmed.length < 2 * SHORTEST_HIDDEN || trimmed.length > LONGEST_LITERAL) return []
  return [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.from(`${' '.repeat(offset)}${trimmed}`)
    const whole = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString('base64')
    const inner = whole.slice(offset === 0 ? 0 : offset + 1)
    return [...new Set([inner, inner.replaceAll('+', '-').replaceAll('/', '_')])]
  })
}

interface Place extends Stretch {
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
  return text.replaceAll(
    /^[ \t]*(?:\/|[a-z]:\\|~[/\\])(?![^\n]*(?:: | (?:is|was|has|not|failed|at|does) ))[^\n]*$/gim,
    '  <path>',
  )
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
  const body = partsOf(directory).map(escaped).join('[\\\\/]{1,8}')
  const start = windows ? '' : '(?<![\\w.~/\\\\-])[\\\\/]{1,8}'
  return new RegExp(`${start}${body}(?![\\w.-])`, windows ? 'gi' : 'g')
}
