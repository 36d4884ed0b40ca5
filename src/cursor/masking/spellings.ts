/**
 * Decodes the escapes of URLs, HTML and JSON in a text, and maps each decoded character back to its
 * place in the original. The callers search the decoded text and hide the original.
 */

/** A stretch of a text, in UTF-16 units; `to` is exclusive. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

/** A decoded text that knows where each character stands in the original. */
export class View {
  readonly text: string
  /** Per UTF-16 unit of `text`, its place in the original; `undefined` for the original itself. */
  readonly #starts: readonly number[] | undefined
  readonly #ends: readonly number[] | undefined

  constructor(text: string, starts?: readonly number[], ends?: readonly number[]) {
    this.text = text
    this.#starts = starts
    this.#ends = ends
  }

  /** @returns the stretch of the original that a stretch of this view was decoded from. */
  toSource({ from, to }: Stretch): Stretch {
    return { from: this.#start(from), to: this.#end(to - 1) }
  }

  /** @returns this view with every match of `code` decoded, or `undefined` if nothing matches. */
  decode(code: RegExp, means: (code: string) => string): View | undefined {
    const starts: number[] = []
    const ends: number[] = []
    let meant = ''
    let at = 0
    const copy = (to: number): void => {
      meant += this.text.slice(at, to)
      for (; at < to; at++) {
        starts.push(this.#start(at))
        ends.push(this.#end(at))
      }
    }
    for (const match of this.text.matchAll(code)) {
      copy(match.index)
      at += match[0].length
      const characters = means(match[0])
      meant += characters
      for (let unit = 0; unit < characters.length; unit++) {
        starts.push(this.#start(match.index))
        ends.push(this.#end(at - 1))
      }
    }
    if (at === 0) return undefined
    copy(this.text.length)
    return new View(meant, starts, ends)
  }

  #start(at: number): number {
    return this.#starts === undefined ? at : (this.#starts[at] ?? 0)
  }

  #end(at: number): number {
    return this.#ends === undefined ? at + 1 : (this.#ends[at] ?? 0)
  }
}

/** Ordered from the outside in: a URL or an HTML page can contain JSON, and JSON can contain JSON. */
const SPELLINGS: readonly { readonly code: RegExp; readonly means: (code: string) => string }[] = [
  { code: /(?:%(?:25){0,2}[0-9a-f]{2}){1,64}|\+/gi, means: fromUrl },
  { code: /&(?:quot|apos|amp|lt|gt|#\d{2,5}|#x[\da-f]{2,4});/gi, means: fromHtml },
  { code: /\\+(?:u[0-9a-f]{4}|["'nrt/])?/gi, means: fromJson },
]

function fromUrl(code: string): string {
  try {
    return decodeURIComponent(
      code.replaceAll('+', ' ').replaceAll(/%(?:25)+(?=[0-9a-f]{2})/gi, '%'),
    )
  } catch {
    return code
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&apos;': "'",
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
}

function fromHtml(code: string): string {
  const digits = /^&#(x?)([\da-f]+);$/i.exec(code)
  if (digits === null) return ENTITIES[code.toLowerCase()] ?? code
  return String.fromCharCode(Number.parseInt(digits[2] ?? '', digits[1] ? 16 : 10))
}

function fromJson(code: string): string {
  const character = code.replace(/^\\+/, '')
  if (character.length > 1) return String.fromCharCode(Number.parseInt(character.slice(1), 16))
  return { n: '\n', r: '\r', t: '\t', '': '\\' }[character] ?? character
}

/** @returns the original text, then a view for each kind of escape decoded on top of the last. */
export function viewsOf(text: string): View[] {
  const views = [new View(text)]
  for (const { code, means } of SPELLINGS) {
    const view = views.at(-1)?.decode(code, means)
    if (view !== undefined) views.push(view)
  }
  return views
}
