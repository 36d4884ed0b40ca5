/**
 * Collects the names of the files that the CLI's edit, write and delete tools named. Owns where a
 * `tool_call` event has its file name; only the head of an event is ever looked at. The names are
 * for the page's row alone and never enter a session.
 */

import {
  findValue,
  findValueBehind,
  firstMember,
  memberBehind,
  MemberName,
  parseSpan,
  skipValue,
  startsWith,
} from './json-members.ts'

const MOST_NAMES = 50
/** In UTF-16 units; of a longer one the end is kept, because the file itself stands there. */
const LONGEST_NAME = 300

const QUOTE = 0x22
/** How a captured event goes on behind its subtype. */
const USUAL_CALL_ID = Buffer.from(',"call_id":"')
const USUAL_TOOL_CALL = Buffer.from(',"tool_call":{')
const TOOL_CALL = new MemberName('tool_call')
/** A completed call can lack its arguments; its result then says the path again. */
const PLACES = [['args'], ['result', 'success']].map((path) =>
  path.map((name) => new MemberName(name)),
)
const PATH_NAMES = ['path', 'filePath', 'file_path', 'targetFile', 'target_file'].map(
  (name) => new MemberName(name),
)
const TOOL_SUFFIX = Buffer.from('ToolCall"')
const EDITING_TOOLS = ['"edit', '"write', '"delete'].map((start) => Buffer.from(start))

export class EditedFiles {
  /** In the order in which they were first named, each once. */
  readonly names: string[] = []

  /** @param to the end of the head of the `tool_call` event that starts at `from`. */
  addFrom(bytes: Buffer, from: number, to: number): void {
    this.#addFrom(bytes, findValue(bytes, from, to, TOOL_CALL), to)
  }

  /** The same for an event that starts as usual; `at` is the position behind its subtype. */
  addBehind(bytes: Buffer, at: number, to: number): void {
    const usual = usualToolCall(bytes, at, to)
    this.#addFrom(bytes, usual === -1 ? findValueBehind(bytes, at, to, TOOL_CALL) : usual, to)
  }

  #addFrom(bytes: Buffer, call: number, to: number): void {
    if (this.names.length === MOST_NAMES) return
    const tool = editingTool(bytes, call, to)
    const name = tool === -1 ? undefined : fileNamedBy(bytes, tool, to)
    if (name === undefined || name === '') return
    const shown =
      name.length <= LONGEST_NAME ? name : `…${name.slice(1 - LONGEST_NAME)}`.toWellFormed()
    if (!this.names.includes(shown)) this.names.push(shown)
  }
}

/** @returns where the value of `tool_call` starts when it stands where every captured build has it, or -1. */
function usualToolCall(bytes: Buffer, at: number, to: number): number {
  if (!startsWith(bytes, at, to, USUAL_CALL_ID)) return -1
  const behind = skipValue(bytes, at + USUAL_CALL_ID.length - 1, to)
  return behind !== -1 && startsWith(bytes, behind, to, USUAL_TOOL_CALL)
    ? behind + USUAL_TOOL_CALL.length - 1
    : -1
}

/** @returns where the call of an edit, write or delete tool starts in the object at `at`, or -1. */
function editingTool(bytes: Buffer, at: number, to: number): number {
  let member = at === -1 ? undefined : firstMember(bytes, at, to)
  while (member !== undefined) {
    const { name, valueFrom } = member
    const suffix = name.to - TOOL_SUFFIX.length
    // A call names one tool, and whole files may follow: nothing behind it is of interest.
    if (suffix > name.from && startsWith(bytes, suffix, to, TOOL_SUFFIX)) {
      return EDITING_TOOLS.some((start) => startsWith(bytes, name.from, to, start)) ? valueFrom : -1
    }
    const behind = skipValue(bytes, valueFrom, to)
    member = behind === -1 ? undefined : memberBehind(bytes, behind, to)
  }
  return -1
}

function fileNamedBy(bytes: Buffer, tool: number, to: number): string | undefined {
  for (const place of PLACES) {
    let at = tool
    for (const name of place) at = at === -1 ? -1 : findValue(bytes, at, to, name)
    if (at === -1) continue
    for (const name of PATH_NAMES) {
      const from = findValue(bytes, at, to, name)
      const end = from === -1 || bytes[from] !== QUOTE ? -1 : skipValue(bytes, from, to)
      const path = end === -1 ? undefined : parseSpan(bytes, { from, to: end })
      if (typeof path === 'string') return path
    }
  }
  return undefined
}
