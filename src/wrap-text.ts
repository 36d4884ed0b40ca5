// Folds prose to a column width for surfaces that show text as it is and never wrap. Knows that
// CJK characters and emoji take two columns and may be broken between, and that code and tables
// must keep their lines. What is shown, and where, is the caller's business.

/** Scripts that are written without spaces, with their punctuation: two columns, breakable. */
const WIDE = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6`
/** Marks that must not begin a line. */
const CLOSING = String.raw`\p{Pe}\p{Pf}、。，．！？；：…～`

// A unit that is never broken unless it is longer than a whole line: white space, one wide
// character with the brackets before it and the punctuation after it, or a run of anything else.
const UNIT = new RegExp(
  String.raw`\s+|[\p{Ps}\p{Pi}]*[${WIDE}][${CLOSING}]*|(?:(?![${WIDE}])\S)+[${CLOSING}]*`,
  'gu',
)
const TWO_COLUMNS = new RegExp(String.raw`[${WIDE}\p{Script=Hangul}\p{Emoji_Presentation}]`, 'u')
const NO_COLUMN = /[\p{Mn}\p{Me}\p{Cf}\p{Cc}]/u
const ASCII = /^[\x20-\x7e]*$/

const FENCE = /^\s*(`{3,}|~{3,})/
const TABLE_ROW = /^\s*\|/
/** White space, quote marks and one list marker: what continuation lines are indented by. */
const LEAD = /^\s*(?:>\s*)*(?:(?:[-*+]|\d{1,3}[.)])\s+)?/

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/**
 * The columns that `text` takes in a monospaced font: two for CJK characters and emoji, none for
 * combining marks and control characters.
 */
export function textWidth(text: string): number {
  if (ASCII.test(text)) return text.length
  let columns = 0
  let joined = false
  for (const character of text) {
    if (!joined && !NO_COLUMN.test(character)) columns += TWO_COLUMNS.test(character) ? 2 : 1
    // What follows a zero-width joiner is drawn into the same emoji.
    joined = character === '\u200d'
  }
  return columns
}

/**
 * Folds every line of `text` that is wider than `columns`, at white space where there is some and
 * between CJK characters; continuation lines keep the line's indentation or list marker's width.
 * Fenced code and table rows stay as they are: a fold there would destroy them. Nothing but the
 * white space at a fold is lost.
 */
export function wrapText(text: string, columns: number): string {
  const folded: string[] = []
  let fence: string | undefined
  for (const line of text.split('\n')) {
    const mark = FENCE.exec(line)?.[1]
    const verbatim = fence !== undefined || mark !== undefined || TABLE_ROW.test(line)
    if (fence === undefined) fence = mark
    else if (mark?.startsWith(fence)) fence = undefined
    if (verbatim || textWidth(line) <= columns) folded.push(line)
    else folded.push(...foldLine(line, columns))
  }
  return folded.join('\n')
}

function foldLine(line: string, columns: number): string[] {
  const lead = LEAD.exec(line)?.[0] ?? ''
  const hang = ' '.repeat(Math.min(textWidth(lead), columns >> 1))
  const lines: string[] = []
  let current = lead
  let used = textWidth(lead)
  let empty = true

  const breakLine = (): void => {
    lines.push(current.trimEnd())
    current = hang
    used = hang.length
    empty = true
  }

  for (const unit of line.slice(lead.length).match(UNIT) ?? []) {
    const width = textWidth(unit)
    if (used + width <= columns) {
      // White space that a fold has left at the start of a line is the fold's.
      if (empty && unit.trim() === '' && lines.length > 0) continue
      current += unit
      used += width
      empty = false
      continue
    }
    if (unit.trim() === '') {
      if (!empty) breakLine()
      continue
    }
    if (!empty) breakLine()
    if (used + width <= columns) {
      current += unit
      used += width
      empty = false
      continue
    }
    for (const piece of piecesOf(unit, columns - hang.length)) {
      const pieceWidth = textWidth(piece)
      if (!empty && used + pieceWidth > columns) breakLine()
      current += piece
      used += pieceWidth
      empty = false
    }
  }
  if (!empty || lines.length === 0) lines.push(current.trimEnd())
  return lines
}

/** Cuts a unit behind the separators of a path or an address, and within a part that is too wide by itself. */
function piecesOf(unit: string, columns: number): string[] {
  return (unit.match(/[^/\\]*[/\\]+|[^/\\]+/g) ?? []).flatMap((part) =>
    textWidth(part) <= columns
      ? [part]
      : Array.from(graphemes.segment(part), ({ segment }) => segment),
  )
}
