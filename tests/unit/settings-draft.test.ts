// What saving the settings card writes, for each way in which a field can be changed.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { editsOf, isOwn, parseNumber, shownValue } from '../../src/web/client/draft.ts'
import type { SettingsSnapshot } from '../../src/web/client/page.ts'

const base = { permissionMode: 'trust', approveMcps: true, disposeGraceMs: 3000, model: 'auto' }

function snapshot(user: Record<string, unknown> = {}): SettingsSnapshot {
  return {
    status: 'ready',
    value: { ...base, ...user },
    base,
    user,
    revision: 1,
    writable: true,
  }
}

describe('the draft of the settings card', () => {
  it('writes nothing when nothing differs from what is in force', () => {
    assert.deepEqual(editsOf(snapshot(), {}), [])
    assert.deepEqual(editsOf(snapshot(), { permissionMode: { set: 'trust' } }), [])
    assert.deepEqual(editsOf(snapshot({ model: null }), { model: { set: null } }), [])
  })

  it('writes a changed field and shows it before it is saved', () => {
    const draft = { permissionMode: { set: 'ask' } }
    assert.deepEqual(editsOf(snapshot(), draft), [
      { op: 'set', path: ['permissionMode'], value: 'ask' },
    ])
    assert.equal(shownValue(snapshot(), draft, 'permissionMode'), 'ask')
    assert.equal(isOwn(snapshot(), draft, 'permissionMode'), true)
  })

  it('goes back to the row by removing the entry, when there is one', () => {
    assert.deepEqual(editsOf(snapshot({ model: 'gpt-5' }), { model: 'reset' }), [
      { op: 'unset', path: ['model'] },
    ])
    assert.deepEqual(editsOf(snapshot(), { model: 'reset' }), [])
    assert.equal(shownValue(snapshot({ model: 'gpt-5' }), { model: 'reset' }, 'model'), 'auto')
    assert.equal(isOwn(snapshot({ model: 'gpt-5' }), { model: 'reset' }, 'model'), false)
  })

  it('stores "none" only where it takes away what the row sets', () => {
    assert.deepEqual(editsOf(snapshot(), { model: { set: null } }), [
      { op: 'set', path: ['model'], value: null },
    ])
    assert.deepEqual(editsOf(snapshot(), { timeoutMs: { set: null } }), [])
    assert.deepEqual(editsOf(snapshot({ timeoutMs: 5 }), { timeoutMs: { set: null } }), [
      { op: 'unset', path: ['timeoutMs'] },
    ])
    assert.deepEqual(editsOf(snapshot(), { disposeGraceMs: { set: null } }), [])
  })

  it('marks a stored field as own even when it equals the row', () => {
    assert.equal(isOwn(snapshot({ approveMcps: true }), {}, 'approveMcps'), true)
    assert.equal(isOwn(snapshot(), {}, 'approveMcps'), false)
  })

  it('leaves what is no number for the host to refuse', () => {
    assert.equal(parseNumber(' 5000 '), 5000)
    assert.equal(parseNumber(''), null)
    assert.equal(parseNumber('soon'), 'soon')
    assert.equal(parseNumber('Infinity'), 'Infinity')
  })
})
