// Wraps text to a column width, for callers whose output does not wrap by itself. CJK characters and
// emoji take two columns and allow a break between them; code and tables keep their lines.

/** Scripts without spaces, and their punctuation: two columns wide, with a break allowed between. */
const WIDE = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6`
/** Marks that must not begin a line. */
const CLOSING = String.raw`\p{Pe}\p{Pf}、。，．！？；：…～`

// Matches a unit that is only broken if it is longer than a line: white space, one wide character
// with its brackets and punctuation, or a run of anything else.
const UNIT = new RegExp(
  String.raw`\s+|[\p{Ps}\p{Pi}]*[${WIDE}][${CLOSING}]*|(?:(?![${WIDE}])\S)+[${CLOSING}]*`,
  'gu',
)
const TWO_COLUMNS = new RegExp(String.raw`[${WIDE}\p{Script=Hangul}\p{Emoji_Presentation}]`, 'u')
const NO_COLUMN = /[\p{Mn}\p{Me}\p{Cf}\p{Cc}]/u
const ASCII = /^[\x20-\x7e]*$/

const FENCE = /^\s*(`{3,}|~{3,})/
const TABLE_ROW = /^\s*\|/
/** White space, quote marks and one list marker. Continuation lines are indented to this width. */
const LEAD = /^\s*(?:>\s*)*(?:(?:[-*+]|\d{1,3}[.)])\s+)?/

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/**
 * @returns the columns that `text` takes in a monospaced font: two for CJK characters and emoji, none
 * for combining marks and control characters.
 */
export function textWidth(text: string): number {
  if (ASCII.test(text)) return text.length
  let columns = 0
  let joined = false
  for (const character of text) {
    if (!joined && !NO_COLUMN.test(character)) columns += TWO_COLUMNS.test(character) ? 2 : 1
    // A character after a zero-width joiner becomes part of the same emoji.
    joined = character === '\u200d'
  }
  return columns
}

/**
 * Wraps every line of `text` that is wider than `columns`, at white space or between CJK characters.
 * Continuation lines are indented like the text of the first. Fenced code and table rows stay as they
 * are, because a break would destroy them. Only the white space at a break is lost.
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
      // Drop white space at the start of a continuation line.
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

/** Splits a unit after the separators of a path or URL, and a part that is still too wide anywhere. */
function piecesOf(unit: string, columns: number): string[] {
  return (unit.match(/[^/\\]*[/\\]+|[^/\\]+/g) ?? []).flatMap((part) =>
    textWidth(part) <= columns
      ? [part]
      : Array.from(graphemes.segment(part), ({ segment }) => segment),
  )
}
