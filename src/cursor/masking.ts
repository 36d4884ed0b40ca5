/**
 * Makes the CLI's output safe to show: hides secrets, the prompt and the answer, and shortens
 * personal paths. `failures/diagnostic.ts` decides what is shown. `masking/named-values.ts` finds
 * secrets by their names, `masking/secret-shapes.ts` by their looks.
 */

import { stripVTControlCharacters } from 'node:util'
import { echoes } from './masking/echoes.ts'
import { nameKind, namedSecrets } from './masking/named-values.ts'
import { maskAddresses, maskKeyBlocks, maskShapes } from './masking/secret-shapes.ts'
import { View, viewsOf, type Stretch } from './masking/spellings.ts'

/** Values to hide wherever they appear. */
export interface Confidential {
  /** Values of the configured environment. */
  readonly environmentValues: readonly string[]
  /** Only their secrets are hidden: values that follow the name of a secret. */
  readonly extraArgs?: readonly string[]
  readonly prompt: string
  /** The `result` of a failed run, which can be any JSON; every string in it is hidden. */
  readonly answer?: unknown
  readonly home: string
  readonly cwd: string
}

/** On which sides a text was cut from a longer one. */
export interface Cut {
  readonly start?: boolean
  readonly end?: boolean
}

/** Shorter values are too common: hiding them would blot out ordinary words. */
const SHORTEST_HIDDEN = 4
/**
 * In UTF-16 units. A text of twice this length never fits an excerpt whole, so only its start and
 * its end are searched for.
 */
const LONGEST_LITERAL = 10_240
/** How much of an answer is searched for, in UTF-16 units and in strings. */
const ANSWER_CONSIDERED = 8 * 1024 * 1024
const MOST_ANSWER_TEXTS = 50
/** Longer answers keep their escape codes, because removing them would block the event loop. */
const PLAIN_CONSIDERED = 262_144
/** Each literal costs a pass over the excerpts, in the host's event loop. */
const MOST_LITERALS = 400

interface Literal {
  readonly text: string
  readonly label: '<secret>' | '<prompt>' | '<answer>'
}

export class Masker {
  readonly #literals: readonly Literal[]
  /** The CLI may repeat a piece of these, so longer pieces are hidden too. */
  readonly #echoSources: readonly Literal[]
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
    // Whole secrets come first and uncapped; a secret of many lines must not push them out.
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
    this.#echoSources = [
      { text: prompt, label: '<prompt>' },
      { text: answer.length > PLAIN_CONSIDERED ? answer : plain(answer), label: '<answer>' },
    ]
  }

  /** @returns `text` without escape codes, and with labels in place of everything confidential. */
  mask(text: string, cut: Cut = {}): string {
    const known = this.#maskKnown(maskKeyBlocks(plain(text), cut.start), cut)
    const addresses = maskAddresses(this.#maskHomes(optionNamesOnly(known)))
    const named = replacePlaces(
      addresses,
      viewsOf(addresses).flatMap((view) =>
        namedSecrets(view.text).map((place) => ({ ...view.toSource(place), label: '<secret>' })),
      ),
    )
    return withoutPathLines(maskShapes(named))
  }

  /** Finds all places before it replaces any, so overlapping matches are hidden as a whole. */
  #maskKnown(text: string, cut: Cut): string {
    const views = viewsOf(text)
    const places = views.flatMap((view) => this.#literalsIn(view, cut))
    // Consoles wrap long lines, and a break can fall inside a secret.
    const unbroken = new View(text).decode(/\n[ \t]{0,20}/g, () => '')
    if (unbroken !== undefined) places.push(...this.#literalsIn(unbroken, {}))
    for (const { text: source, label } of this.#echoSources) {
      places.push(...echoes(views, source).map((place) => ({ ...place, label })))
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
      // A cut can leave only the end of a hidden text, or only its beginning.
      const atStart = cut.start ? overlap(hidden, text) : 0
      const atEnd = cut.end ? overlap(text, hidden) : 0
      if (atStart >= SHORTEST_HIDDEN) found.push({ from: 0, to: atStart })
      if (atEnd >= SHORTEST_HIDDEN) found.push({ from: text.length - atEnd, to: text.length })
      return found.map((place) => ({ ...view.toSource(place), label }))
    })
  }

  /** Must run before `maskShapes`, because a directory name can look like a secret. */
  #maskHomes(text: string): string {
    let masked = text
    // A workspace such as `/home` would be replaced first, and the homes below it not recognised.
    const cwd = isAboveHomes(this.#cwd, this.#home) ? '' : this.#cwd
    for (const [directory, label] of [
      [cwd, '<workspace>'],
      [this.#home, '~'],
    ] as const) {
      // Length 1 is the root directory.
      if (directory.length > 1) masked = masked.replaceAll(pathPattern(directory), () => label)
    }
    return masked.replaceAll(WINDOWS_HOME, '~').replaceAll(POSIX_HOME, '~')
  }
}

/**
 * A user name may contain spaces if a separator or a quote follows it. `/home/linuxbrew` is where
 * Homebrew installs on Linux, and nobody's home.
 */
const WINDOWS_HOME =
  /(?:\b[a-z]:|\\{2,4}[\w.-]{1,64})?(?:\\{1,4}|(?<=:)\/{1,2})(?:Users|Documents and Settings)(?:\\{1,4}|\/{1,2})(?:[^\\/:*?"<>|\r\n]{1,64}(?=[\\/"])|[^\\/:*?"<>|\s]{1,64})/gi
const POSIX_HOME =
  /\\?(?<!\/)\/{1,4}(?:home|users)\\?\/{1,4}(?!linuxbrew\\?\/)(?:[^\\/\n"`:;,]{1,64}(?=\\?\/)|[^\\/\s"'`:,;)]{1,64})/gi

/** Removes escape codes, control characters and invisible characters; every line ends in `\n`. */
export function plain(text: string): string {
  return (
    stripVTControlCharacters(text.replaceAll(/\r\n?/g, '\n'))
      // Invisible characters inside a secret would hide it from the patterns.
      .replaceAll(
        /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\p{Default_Ignorable_Code_Point}]/gu,
        '',
      )
  )
}

function firstLineOf(text: string): string {
  return text.trim().split('\n', 1)[0] ?? ''
}

/** Lists how a program may echo each text: as it is, without blank lines, as JSON, in a URL. */
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

/** Collects the strings of a JSON value, up to {@link ANSWER_CONSIDERED}. */
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

/** Options whose value is `Header: value` or `user:password`, separate or after `=`. */
const COLON_OPTION = /^(?:-[Hu]|--(?:header|user|proxy-user)(?:=|$))/

/** Finds the secrets in a command line: `--token x`, `--token=x`, `-H 'Authorization: x'`. */
function secretsIn(args: readonly string[]): string[] {
  return args.flatMap((arg, at) => {
    const before = args[at - 1] ?? ''
    const flag = /^--?([\w.-]+)$/.exec(before)?.[1]
    // The CLI reads the next argument as the value even if it starts with a single hyphen.
    const isNamed = flag !== undefined && nameKind(flag) === 'secret' && !arg.startsWith('--')
    const inside = namedSecrets(arg).map(({ from, to }) => arg.slice(from, to))
    // In a header and in `user:password`, the secret follows the colon.
    const isValue = COLON_OPTION.exec(before)?.[0] === before
    const joined = arg.slice(COLON_OPTION.exec(arg)?.[0].length ?? arg.length)
    const given = isValue ? arg : joined.includes(':') ? joined : ''
    const afterColon = given.slice(given.indexOf(':') + 1)
    return [
      ...(isNamed ? [arg] : []),
      ...inside,
      afterColon.replace(/^\s*(?:bearer|basic|token)\s+/i, ''),
    ]
  })
}

/**
 * Lists how `value` can look inside base64 text: one spelling for each of the three byte offsets,
 * without the characters that also encode neighbouring bytes.
 */
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

/** @returns the length of the longest end of `left` that is also a beginning of `right`, but not all of it. */
function overlap(left: string, right: string): number {
  const most = Math.min(left.length, right.length - 1)
  const pattern = right.slice(0, most)
  const end = left.slice(left.length - most)
  // The failure function of Knuth, Morris and Pratt keeps this linear.
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

/** The CLI echoes an unknown option with everything after it, which can be the whole prompt. */
function optionNamesOnly(text: string): string {
  const unknown = /^error: unknown option '[^'\s=]*/m.exec(text)
  const named =
    unknown === null ? text : `${text.slice(0, unknown.index)}${unknown[0]}'${hintBehind(text)}`
  return named
    .replaceAll(/(unknown option '?[^'\s=]*)[^\n]*/g, "$1'")
    .replaceAll(/^(error: option '[^'\n]*' argument ')[^]*?(' is invalid)/gm, '$1…$2')
    .replaceAll(/^(error: too many arguments)[^\n]*/gm, '$1')
}

/** @returns commander's suggestion at the end of the message. */
function hintBehind(text: string): string {
  return /\n\(Did you mean [-\w]+\?\)\s{0,4}$/.exec(text)?.[0] ?? ''
}

/** A line that is only a path explains nothing and shows where the user works. */
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

/** Matches `directory` as a whole path, with either slash, escaped or not; ignores case on Windows. */
function pathPattern(directory: string): RegExp {
  const windows = /^[A-Za-z]:/.test(directory)
  const body = partsOf(directory).map(escaped).join('[\\\\/]{1,8}')
  const start = windows ? '' : '(?<![\\w.~/\\\\-])[\\\\/]{1,8}'
  return new RegExp(`${start}${body}(?![\\w.-])`, windows ? 'gi' : 'g')
}
