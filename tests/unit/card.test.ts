// The web page's card for a delegation: what it says while running, after an answer, after a
// failure, and that the same record always gives the same card.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { JsonValue, ToolResult } from '@deepseek-ai/dsh-tools'
import {
  CARD_COLUMNS,
  presentDelegationCall,
  presentDelegationResult,
  type DelegationMeta,
} from '../../src/dsh/card.ts'
import { textWidth, wrapText } from '../../src/wrap-text.ts'

const args = { description: 'Count the lines', prompt: 'Count the lines of README.md.' }
const meta: DelegationMeta = {
  mode: 'trust',
  model: 'gpt-5',
  stopReason: 'completed',
  durationMs: 12_340,
  toolCalls: 4,
}

function answered(text: string, recorded: unknown = meta): ToolResult {
  return {
    content: [{ type: 'text', text }],
    isError: false,
    ...(recorded === null ? {} : { meta: recorded as JsonValue }),
  }
}

function failed(text: string): ToolResult {
  return { content: [{ type: 'text', text: `Error: ${text}` }], isError: true }
}

function terminal(view: ReturnType<typeof presentDelegationResult>) {
  assert.equal(view?.card, 'terminal')
  return view
}

describe('a running delegation', () => {
  it('says what was delegated, in which mode and with which model', () => {
    assert.deepEqual(presentDelegationCall(args, { mode: 'trust', model: 'gpt-5' }), {
      card: 'terminal',
      title: 'cursor-agent · mode trust · model gpt-5\nCount the lines of README.md.',
      description: 'Cursor: Count the lines',
    })
  })

  it("names the account's default when no model is configured", () => {
    const view = presentDelegationCall(args, { mode: 'ask' })
    assert.equal(view?.title.split('\n')[0], 'cursor-agent · mode ask · model default')
  })

  it('shows the directory that the call names', () => {
    const view = presentDelegationCall({ ...args, cwd: 'packages/a' }, { mode: 'ask' })
    assert.equal(view?.card === 'terminal' && view.cwd, 'packages/a')
  })

  it('cuts a long task to six rows, each within the width', () => {
    const view = presentDelegationCall(
      { ...args, prompt: 'many words '.repeat(200) },
      { mode: 'ask' },
    )
    const rows = view?.title.split('\n').slice(1) ?? []
    assert.equal(rows.length, 6)
    assert.match(rows[5] ?? '', / …$/)
    for (const row of rows) assert.ok(textWidth(row) <= CARD_COLUMNS + 2, row)
  })

  it('leaves arguments that are not the tool’s to the page', () => {
    for (const other of [undefined, null, 'x', {}, { prompt: 1, description: 'x' }]) {
      assert.equal(presentDelegationCall(other, { mode: 'ask' }), undefined)
      assert.equal(presentDelegationResult(other, answered('x')), undefined)
    }
  })
})

describe('an answered delegation', () => {
  it('says how it ran by what was recorded, and shows the answer', () => {
    assert.deepEqual(presentDelegationResult(args, answered('42 lines.')), {
      card: 'terminal',
      title:
        'cursor-agent · mode trust · model gpt-5 · 12.3 s · 4 tool calls\nCount the lines of README.md.',
      output: '42 lines.',
      exitCode: 0,
    })
  })

  it('counts one tool call as one, and minutes as minutes', () => {
    const view = terminal(
      presentDelegationResult(args, answered('x', { ...meta, toolCalls: 1, durationMs: 83_900 })),
    )
    assert.match(view.title ?? '', / · 1 min 23 s · 1 tool call\n/)
  })

  it('makes do without a record', () => {
    for (const odd of [null, [], { mode: 3 }]) {
      const view = terminal(presentDelegationResult(args, answered('x', odd)))
      assert.equal(view.title, 'cursor-agent\nCount the lines of README.md.')
      assert.equal(view.exitCode, 0)
    }
  })

  it('gives no exit state to one that goes on in the background', () => {
    const view = terminal(
      presentDelegationResult(args, answered('Started job subagent-1.', { mode: 'plan' })),
    )
    assert.match(
      view.title ?? '',
      /^cursor-agent · mode plan · model default · in the background\n/,
    )
    assert.equal('exitCode' in view || 'signal' in view, false)
  })
})

describe('a failed delegation', () => {
  it('names the category in its head and shows the whole diagnostic', () => {
    const view = terminal(
      presentDelegationResult(
        args,
        failed(
          'not-authenticated: The CLI is not logged in. Run `cursor-agent login`.\nexit code: 1',
        ),
      ),
    )
    assert.equal(view.title, 'cursor-agent · not-authenticated\nCount the lines of README.md.')
    assert.match(view.output ?? '', /^not-authenticated: .*login`\.\n\nexit code: 1$/)
    assert.equal(view.exitCode, 1)
  })

  it("shows the process's own exit code or signal when the diagnostic tells it", () => {
    const exited = terminal(
      presentDelegationResult(args, failed('no-result: Ended.\nexit code: 9; result events: 0')),
    )
    assert.equal(exited.exitCode, 9)
    const killed = terminal(presentDelegationResult(args, failed('killed: Gone.\nsignal: SIGKILL')))
    assert.equal(killed.signal, 'SIGKILL')
    assert.equal('exitCode' in killed, false)
  })

  it('is marked as failed even when the process left with 0 or never ran', () => {
    const left = terminal(presentDelegationResult(args, failed('no-result: Ended.\nexit code: 0')))
    const never = terminal(presentDelegationResult(args, failed('cli-not-found: Nothing found.')))
    assert.equal(left.exitCode, 1)
    assert.equal(never.exitCode, 1)
  })

  it('takes neither the category nor the exit state from what the CLI wrote', () => {
    const text = 'Something: odd.\nstderr:\nexit code: 45'
    const view = terminal(presentDelegationResult(args, failed(text)))
    assert.match(view.title ?? '', /^cursor-agent · failed\n/)
    assert.equal(view.exitCode, 1)
  })

  it('tells a stopped one from a broken one', () => {
    const view = terminal(presentDelegationResult(args, failed('tool call aborted')))
    assert.match(view.title ?? '', /^cursor-agent · stopped\n/)
    assert.equal(view.signal, 'SIGTERM')
    const early = terminal(
      presentDelegationResult(args, failed('tool call aborted before dispatch')),
    )
    assert.equal('signal' in early, false)
    const network = terminal(presentDelegationResult(args, failed('network: [aborted] Lost it.')))
    assert.match(network.title ?? '', /^cursor-agent · network\n/)
  })

  it('does not depend on how the plugin is configured now', () => {
    // Nothing but the text is recorded with a failure, so nothing else may show.
    const view = terminal(presentDelegationResult(args, failed('timeout: Too long.')))
    assert.doesNotMatch(view.title ?? '', /mode|model/)
  })
})

describe('folding', () => {
  it('counts two columns for CJK and emoji, none for marks', () => {
    assert.equal(textWidth('abc'), 3)
    assert.equal(textWidth('中文'), 4)
    assert.equal(textWidth('한글'), 4)
    assert.equal(textWidth('，'), 2)
    assert.equal(textWidth('e\u0301'), 1)
    assert.equal(textWidth('👩‍👩‍👧'), 2)
  })

  it('breaks prose at spaces and loses nothing else', () => {
    const text = 'lorem ipsum dolor sit amet '.repeat(30).trim()
    const folded = wrapText(text, 40)
    assert.ok(folded.split('\n').every((line) => line.length <= 40))
    assert.equal(folded.replaceAll('\n', ' '), text)
  })

  it('breaks Chinese between characters but not before its punctuation', () => {
    const text = '这是一个很长的句子，没有空格。'.repeat(20)
    const lines = wrapText(text, 28).split('\n')
    assert.equal(lines.join(''), text)
    for (const line of lines) {
      assert.ok(textWidth(line) <= 28, line)
      assert.doesNotMatch(line, /^[，。]/)
    }
    assert.ok(
      lines.slice(0, -1).every((line) => textWidth(line) >= 24),
      'lines are filled',
    )
  })

  it('keeps a path or a word in one piece when it fits on a line', () => {
    const folded = wrapText('see the file packages/client/web/src/platform.ts for it', 40)
    assert.ok(
      folded.split('\n').some((line) => line.includes('packages/client/web/src/platform.ts')),
    )
  })

  it('breaks a word that is longer than a line, never inside a character', () => {
    const family = '👩‍👩‍👧'
    const lines = wrapText(family.repeat(30), 10).split('\n')
    assert.equal(lines.join(''), family.repeat(30))
    for (const line of lines) assert.equal(line.replaceAll(family, ''), '')
  })

  it('indents what continues a list item or a quotation', () => {
    assert.equal(wrapText('  - one two three four', 14), '  - one two\n    three four')
    assert.equal(wrapText('12. one two three', 11), '12. one two\n    three')
    assert.equal(wrapText('> one two three', 10), '> one two\n  three')
  })

  it('leaves fenced code and tables alone', () => {
    const code = '```ts\nconst x = "a long line of code that must not be folded"\n```'
    const table = '| a column | another column | and one more column |'
    assert.equal(wrapText(`${code}\n${table}`, 20), `${code}\n${table}`)
    assert.notEqual(wrapText(`${code}\nprose that is to be folded`, 20).split('\n').length, 4)
  })

  it('does not close a fence with a shorter one inside it', () => {
    const text = '````\n```\nconst x = "a long line of code"\n````'
    assert.equal(wrapText(text, 10), text)
  })

  it('keeps empty lines and short lines as they are', () => {
    assert.equal(wrapText('a\n\n  b\n', 10), 'a\n\n  b\n')
    assert.equal(wrapText('', 10), '')
  })
})
