// Folding text for a terminal: where lines break, and what is never broken.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { textWidth, wrapText } from '../../src/wrap-text.ts'

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
