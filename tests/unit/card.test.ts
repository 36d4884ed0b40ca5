// The host's card for a delegation, on a page without the plugin's row: what it says while the
// delegation runs and after an answer, and when it leaves the call to the page.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { JsonValue, ToolResult } from '@deepseek-ai/dsh-tools'
import { presentDelegationCall, presentDelegationResult } from '../../src/dsh/card.ts'
import type { DelegationMeta } from '../../src/dsh/recorded.ts'

const args = { description: 'Count the lines', prompt: 'Count the lines of README.md.' }
const meta: DelegationMeta = {
  mode: 'trust',
  model: 'gpt-5',
  stopReason: 'completed',
  durationMs: 12_340,
  toolCalls: 4,
}

function answered(text: string, recorded: unknown = meta): ToolResult {
  return { content: [{ type: 'text', text }], isError: false, meta: recorded as JsonValue }
}

describe('the card of a delegation', () => {
  it('says while it runs what was delegated, in which mode and with which model', () => {
    assert.deepEqual(presentDelegationCall(args, { mode: 'trust', model: 'gpt-5' }), {
      card: 'terminal',
      title: 'cursor-agent · mode trust · model gpt-5\nCount the lines of README.md.',
      description: 'Cursor: Count the lines',
    })
    const elsewhere = presentDelegationCall({ ...args, cwd: 'packages/a' }, { mode: 'ask' })
    assert.equal(elsewhere?.card === 'terminal' && elsewhere.cwd, 'packages/a')
    assert.match(elsewhere?.title ?? '', /model default/)
  })

  it('shows the answer as it came, however long its lines are', () => {
    const url = `https://example.com/${'path/'.repeat(40)}`
    assert.deepEqual(presentDelegationResult(args, answered(`See ${url}`)), {
      card: 'terminal',
      title:
        'cursor-agent · mode trust · model gpt-5 · 12.3 s · tool calls: 4\nCount the lines of README.md.',
      output: `See ${url}`,
      exitCode: 0,
    })
  })

  it('shows control characters instead of obeying them', () => {
    const view = presentDelegationResult(
      { ...args, prompt: 'a\u0007' },
      answered('\u001b[2Jgone\r\nnext\tone\u202e'),
    )
    assert.equal(view?.card === 'terminal' && view.output, '␛[2Jgone\nnext\tone⟨U+202E⟩')
    assert.match(view?.title ?? '', /a␇$/)
  })

  it('cuts a long task', () => {
    const view = presentDelegationCall({ ...args, prompt: 'word '.repeat(500) }, meta)
    assert.ok((view?.title.length ?? 0) < 600)
    assert.match(view?.title ?? '', / …$/)
  })

  it('leaves to the page a failure, a background job, and what is not understood', () => {
    const failed: ToolResult = { content: [], isError: true }
    for (const result of [
      failed,
      { ...answered('x'), isError: true },
      answered('started background job subagent-1', { mode: 'plan' }),
      answered('x', null),
      answered('x', []),
      answered('x', { mode: 3, stopReason: 'completed' }),
    ]) {
      assert.equal(presentDelegationResult(args, result), undefined)
    }
    for (const other of [undefined, null, 'x', {}, { prompt: 1, description: 'x' }]) {
      assert.equal(presentDelegationCall(other, meta), undefined)
      assert.equal(presentDelegationResult(other, answered('x')), undefined)
    }
  })
})
