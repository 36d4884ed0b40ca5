/**
 * Collects the names of the files that the CLI's edit, write and delete tools changed, from the heads
 * of `tool_call` events. Only the page's row shows the names; they are never stored in a session.
 */

import { members, parseSpan, skipString, startsWith } from './json-members.ts'

const MOST_NAMES = 50
/** In UTF-16 units. Longer names lose their start, because the file's own name is at the end. */
const LONGEST_NAME = 300

/** What follows the subtype in captured events. */
const USUAL_CALL_ID = Buffer.from(',"call_id":"')
const USUAL_TOOL_CALL = Buffer.from(',"tool_call":{"')
const TOOL_SUFFIX = Buffer.from('ToolCall"')
const EDITING_TOOLS = ['"edit', '"write', '"delete'].map((start) => Buffer.from(start))
/** A completed call may lack its arguments, but then its result repeats the path. */
const PLACES = [['args'], ['result', 'success']]
const PATH_NAMES = ['path', 'filePath', 'file_path', 'targetFile', 'target_file']

export class EditedFiles {
  /** Without duplicates, in the order of their first change. */
  readonly names: string[] = []

  /** @param to the end of the head of the `tool_call` event that starts at `from`. */
  addFrom(bytes: Buffer, from: number, to: number): void {
    if (this.names.length === MOST_NAMES) return
    const tool = editingTool(bytes, findValue(bytes, from, to, 'tool_call'), to)
    const name = tool === -1 ? undefined : fileNamedBy(bytes, tool, to)
    if (name === undefined || name === '') return
    const shown =
      name.length <= LONGEST_NAME ? name : `…${name.slice(1 - LONGEST_NAME)}`.toWellFormed()
    if (!this.names.includes(shown)) this.names.push(shown)
  }
}

/**
 * Whether the event, in the usual form, calls a tool that changes no file. Most events do, so this
 * allocates nothing.
 * @param at the position after the event's subtype.
 */
export function callsOtherTool(bytes: Buffer, at: number, to: number): boolean {
  if (!startsWith(bytes, at, to, USUAL_CALL_ID)) return false
  const call = skipString(bytes, at + USUAL_CALL_ID.length - 1, to)
  if (call === -1 || !startsWith(bytes, call, to, USUAL_TOOL_CALL)) return false
  const name = call + USUAL_TOOL_CALL.length - 1
  const nameTo = skipString(bytes, name, to)
  return nameTo !== -1 && isTool(bytes, name, nameTo) && !isEditingTool(bytes, name, nameTo)
}

const isTool = (bytes: Buffer, from: number, to: number): boolean =>
  startsWith(bytes, Math.max(from, to - TOOL_SUFFIX.length), to, TOOL_SUFFIX)

function isEditingTool(bytes: Buffer, from: number, to: number): boolean {
  for (const start of EDITING_TOOLS) {
    if (startsWith(bytes, from, to, start)) return true
  }
  return false
}

/** @returns where the value of the first member called `name` starts in the object at `at`, or -1. */
function findValue(bytes: Buffer, at: number, to: number, name: string): number {
  if (at === -1) return -1
  for (const member of members(bytes, at, to)) {
    if (parseSpan(bytes, member.name) === name) return member.valueFrom
  }
  return -1
}

/** @returns where the call of an edit, write or delete tool starts in the object at `at`, or -1. */
function editingTool(bytes: Buffer, at: number, to: number): number {
  if (at === -1) return -1
  for (const { name, valueFrom } of members(bytes, at, to)) {
    // Stops at the first tool, because a call has only one and whole files may follow.
    if (isTool(bytes, name.from, name.to))
      return isEditingTool(bytes, name.from, name.to) ? valueFrom : -1
  }
  return -1
}

function fileNamedBy(bytes: Buffer, tool: number, to: number): string | undefined {
  for (const place of PLACES) {
    const at = place.reduce((from, name) => findValue(bytes, from, to, name), tool)
    if (at === -1) continue
    const named = new Map<unknown, unknown>()
    for (const { name, valueFrom, valueTo } of members(bytes, at, to)) {
      const path = valueTo === -1 ? undefined : parseSpan(bytes, { from: valueFrom, to: valueTo })
      if (typeof path === 'string') named.set(parseSpan(bytes, name), path)
    }
    const path = PATH_NAMES.find((name) => named.has(name))
    if (path !== undefined) return named.get(path) as string
  }
  return undefined
}
