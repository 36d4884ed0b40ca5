// What saving the settings card writes, for each way in which a field can be changed.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  editsOf,
  isOwn,
  parseTime,
  problemOf,
  shownValue,
  typedTime,
} from '../../src/web/client/card/draft.ts'
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

  it('resets a field to the row by removing the user’s entry', () => {
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

  it('reads a time from minutes and seconds, and leaves what is none for the check', () => {
    const time = (minutes: string, seconds: string) => parseTime({ minutes, seconds })
    assert.equal(time('', ''), null)
    assert.equal(time(' 10 ', ''), 600_000)
    assert.equal(time('', '2.5'), 2500)
    assert.equal(time('1', '30'), 90_000)
    for (const [minutes, seconds] of [
      ['soon', ''],
      ['-1', '90'],
      ['', 'Infinity'],
      ['0', '0'],
    ] as const) {
      assert.ok(problemOf('timeoutMs', time(minutes, seconds)), `${minutes} ${seconds}`)
    }
    assert.ok(problemOf('timeoutMs', time('40000', '')), 'longer than a timer can wait')
  })

  it('shows each time so that it reads back as itself', () => {
    for (const ms of [1, 999, 3000, 60_000, 90_000, 600_000, 2_147_483_647]) {
      assert.equal(parseTime(typedTime(ms)), ms)
    }
    assert.deepEqual(typedTime(600_000), { minutes: '10', seconds: '' })
    assert.deepEqual(typedTime(null), { minutes: '', seconds: '' })
    assert.deepEqual(typedTime('soon'), { minutes: '', seconds: 'soon' })
  })
})
