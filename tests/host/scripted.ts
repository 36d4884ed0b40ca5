// What the host tests have their scripted parent model say, and how they read what it was sent.
import assert from 'node:assert/strict'
import { TOOL_NAME } from '../support/dsh-host.ts'
import { lastToolResults, type ModelRequest, type ToolUse } from '../support/model-server.ts'

const CALL = { description: 'A scripted task' }

/** A foreground call of the tool. */
export function delegate(prompt: string, tool = TOOL_NAME): ToolUse {
  return { tool, args: { ...CALL, prompt } }
}

/** A background call of the tool. */
export const inBackground = (prompt: string): ToolUse => ({
  tool: TOOL_NAME,
  args: { ...CALL, prompt, run_in_background: true },
})

/** The tools that the model was offered. */
export function toolNames(request: ModelRequest | undefined): string[] {
  return (request?.tools ?? []).map((tool) => tool.function.name)
}

/** The job id that a background call in the newest round returned. */
export function jobId(request: ModelRequest): string {
  const content = lastToolResults(request)[0]?.content ?? ''
  const id = /\bsubagent-\d+\b/.exec(content)?.[0]
  assert.ok(id, `no job id in: ${content}`)
  return id
}

/** A failure as the parent reads it: the host's `Error: `, then a line that starts with the category. */
export function assertFailure(content: string, category: string): void {
  assert.ok(content.startsWith('Error: '), `not a failure: ${content.slice(0, 300)}`)
  assert.match(content, new RegExp(`^(Error: )?(.*: )?${category}: `, 'm'))
}

/** The stream's last line, with this answer. */
export function resultLine(result: string): string {
  return JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result })
}
