// Which files a stream says that the CLI's tools have changed.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CursorStreamReader, HEAD_BYTES } from '../../src/cursor/stream-reader.ts'
import { inChunks } from '../support/generators.ts'

const call = (tool: string, body: unknown, more: object = {}, subtype = 'started'): string =>
  JSON.stringify({ type: 'tool_call', subtype, call_id: 'c', tool_call: { [tool]: body }, ...more })

/** @returns the names, which are the same whether the stream comes whole or in bytes. */
function filesIn(...lines: string[]): readonly string[] {
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
  const [whole, drip] = [bytes.length, 1].map((size) => {
    const reader = new CursorStreamReader()
    for (const chunk of inChunks(bytes, size)) reader.push(chunk)
    reader.end()
    return reader.files
  })
  assert.deepEqual(whole, drip)
  return whole ?? []
}

const PATH = '/srv/repo/a "quoted"\\文件.ts'

describe('the names of changed files', () => {
  for (const tool of ['editToolCall', 'writeToolCall', 'deleteToolCall', 'editNotebookToolCall']) {
    it(`come from ${tool}, started or completed, each once`, () => {
      const body = { args: { path: PATH } }
      assert.deepEqual(filesIn(call(tool, body)), [PATH])
      assert.deepEqual(filesIn(call(tool, body), call(tool, body, {}, 'completed')), [PATH])
    })
  }

  for (const tool of ['readToolCall', 'lsToolCall', 'shellToolCall', 'mcpToolCall', 'edit']) {
    it(`do not come from ${tool}`, () => {
      assert.deepEqual(filesIn(call(tool, { args: { path: PATH } })), [])
    })
  }

  it('come from the result where a completed call has no arguments', () => {
    const body = { result: { success: { path: PATH } } }
    assert.deepEqual(filesIn(call('editToolCall', body, {}, 'completed')), [PATH])
  })

  it('come in any order of members, with white space, and from under other names', () => {
    const event = {
      tool_call: { toolCallId: 'c', editToolCall: { id: 1, args: { n: [1], filePath: PATH } } },
      subtype: 'started',
      type: 'tool_call',
    }
    assert.deepEqual(filesIn(JSON.stringify(event)), [PATH])
    assert.deepEqual(filesIn(JSON.stringify(event, undefined, '\t').replaceAll('\n', ' ')), [PATH])
  })

  it('come from a call that is not the first member', () => {
    const event = { type: 'tool_call', subtype: 'started', call_id: 'c' }
    const calls = { toolCallId: 'c', editToolCall: { args: { path: PATH } } }
    assert.deepEqual(filesIn(JSON.stringify({ ...event, tool_call: calls })), [PATH])
  })

  it('come from heads alone', () => {
    const long = { args: { path: PATH, text: 'x'.repeat(2 * HEAD_BYTES) } }
    assert.deepEqual(filesIn(call('writeToolCall', long)), [PATH])
    const late = { args: { text: 'x'.repeat(HEAD_BYTES), path: PATH } }
    assert.deepEqual(filesIn(call('writeToolCall', late)), [])
  })

  it('come from a call whose subtype stands behind its head', () => {
    const body = { args: { path: PATH, text: 'x'.repeat(2 * HEAD_BYTES) } }
    const line = JSON.stringify({
      type: 'tool_call',
      tool_call: { editToolCall: body },
      subtype: 'completed',
    })
    assert.deepEqual(filesIn(line), [PATH])
    assert.deepEqual(filesIn(`${line}}`), [PATH])
  })

  it('are at most 50, each of at most 300 characters with its end kept', () => {
    const names = Array.from({ length: 60 }, (_, i) => `/srv/${i}`)
    const calls = names.map((path) => call('editToolCall', { args: { path } }))
    assert.deepEqual(filesIn(...calls), names.slice(0, 50))
    const [long = ''] = filesIn(
      call('editToolCall', { args: { path: `/${'d/'.repeat(500)}a.ts` } }),
    )
    assert.equal(long.length, 300)
    assert.match(long, /^….*\/a\.ts$/)
  })

  it('are missing where there is none', () => {
    for (const body of [
      null,
      'x',
      1,
      [],
      {},
      { args: null },
      { args: { path: 1 } },
      { args: { path: '' } },
    ])
      assert.deepEqual(filesIn(call('editToolCall', body)), [])
    for (const line of [
      '{"type":"tool_call","subtype":"started","tool_call":"editToolCall"}',
      '{"type":"tool_call","subtype":"started"',
    ])
      assert.deepEqual(filesIn(line), [])
    assert.deepEqual(
      filesIn(
        JSON.stringify({ type: 'user', tool_call: { editToolCall: { args: { path: 'a' } } } }),
      ),
      [],
    )
  })
})
