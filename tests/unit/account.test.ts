// What is understood of the output of `status`, `models`, `--version` and `about`: every `list`
// case, and what the cases leave open.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  parseAbout,
  parseModels,
  parseStatus,
  parseVersion,
  type Model,
} from '../../src/cursor/account.ts'
import { recogniseFailure } from '../../src/cursor/failures.ts'
import { listCases, stdoutBytes, type ListCase } from '../support/cases.ts'

const outputOf = (item: ListCase): string => stdoutBytes(item).toString()

const model = (id: string, label: string, markers: Partial<Model> = {}): Model => ({
  id,
  label,
  isDefault: false,
  isCurrent: false,
  ...markers,
})

const listed = (...models: Model[]) => ({ status: 'listed', models })

/** What each case must be understood as; the table must name every `list` case. */
const UNDERSTOOD: Readonly<Record<string, (item: ListCase) => void>> = {
  'models-default-marker': (item) =>
    assert.deepEqual(
      parseModels(outputOf(item)),
      listed(
        model('auto', 'Auto', { isDefault: true }),
        model('gpt-5.3-codex-low', 'Codex 5.3 Low'),
      ),
    ),
  'models-current-default': (item) =>
    assert.deepEqual(
      parseModels(outputOf(item)),
      listed(model('auto', 'Auto', { isDefault: true, isCurrent: true }), model('gpt-5', 'GPT-5')),
    ),
  'models-current-elsewhere': (item) =>
    assert.deepEqual(
      parseModels(outputOf(item)),
      listed(
        model('auto', 'Auto', { isDefault: true }),
        model('gpt-5', 'GPT-5', { isCurrent: true }),
      ),
    ),
  'models-ansi': (item) =>
    assert.deepEqual(
      parseModels(outputOf(item)),
      listed(model('auto', 'Auto', { isDefault: true })),
    ),
  'models-none': (item) => assert.deepEqual(parseModels(outputOf(item)), { status: 'none' }),
  'models-logged-out': (item) => {
    assert.deepEqual(parseModels(outputOf(item)), { status: 'unreadable' })
    assert.equal(recogniseFailure(item.stderr.split('\n'))?.category, 'not-authenticated')
  },
  'models-trailing-error': (item) =>
    assert.deepEqual(parseModels(outputOf(item)), { status: 'none' }),
  'status-logged-in': (item) => {
    const state = parseStatus(outputOf(item))
    assert.equal(state, 'logged-in')
  },
  'status-not-logged-in': (item) => assert.equal(parseStatus(outputOf(item)), 'logged-out'),
  'status-json': (item) => assert.equal(parseStatus(outputOf(item)), 'logged-out'),
  'version-plain': (item) => assert.equal(parseVersion(outputOf(item)), '2026.10.01-e373342'),
  'version-time-part': (item) =>
    assert.equal(parseVersion(outputOf(item)), '2026.06.19-20-24-33-653a7fb'),
  'version-foreign': (item) => assert.equal(parseVersion(outputOf(item)), undefined),
  'version-editor': (item) => assert.equal(parseVersion(outputOf(item)), undefined),
  'about-json-null': (item) =>
    assert.deepEqual(parseAbout(outputOf(item)), {
      version: '2026.09.28-64d2043',
      plan: undefined,
    }),
}

for (const item of listCases) {
  test(`${item.id}: ${item.expect}`, () => {
    const understands = UNDERSTOOD[item.id]
    assert.ok(understands, `no expectation for the case ${item.id}`)
    understands(item)
  })
}

test('a login whose details cannot be fetched is told apart', () => {
  const output = '✓ Login successful!\nLogged in (unable to fetch user details)\n'
  assert.equal(parseStatus(output), 'details-missing')
})

test('a login as JSON is understood', () => {
  assert.equal(parseStatus('{"status":"authenticated","isAuthenticated":true}'), 'logged-in')
})

test('output of `status` that says nothing of a login is unknown, not logged out', () => {
  assert.equal(parseStatus('Error: something else\n'), 'unknown')
  assert.equal(parseStatus(''), 'unknown')
  assert.equal(parseStatus('null'), 'unknown')
})

test('labels may hold dashes, brackets and invisible characters', () => {
  assert.deepEqual(
    parseModels(
      'Available models\n\na.b_c-1 - Label - with a dash (fast)\nx - Two  spaces\u200b (current)\n',
    ),
    listed(
      model('a.b_c-1', 'Label - with a dash (fast)'),
      model('x', 'Two  spaces', { isCurrent: true }),
    ),
  )
})

test('lines before the header are no models', () => {
  assert.deepEqual(
    parseModels('Note - a banner\nAvailable models\n\nauto - Auto\n'),
    listed(model('auto', 'Auto')),
  )
})

test('rows are understood without a header and with Windows line ends', () => {
  assert.deepEqual(
    parseModels('auto - Auto (default)\r\ngpt-5 - GPT-5\r\n'),
    listed(model('auto', 'Auto', { isDefault: true }), model('gpt-5', 'GPT-5')),
  )
})

test('a version with anything beside it is not taken for one', () => {
  assert.equal(parseVersion('2026.10.01-e373342\nand more'), undefined)
  assert.equal(parseVersion(''), undefined)
})

test('`about` that is no JSON object is not understood', () => {
  assert.equal(parseAbout('Cursor CLI 1'), undefined)
  assert.equal(parseAbout('3'), undefined)
})

test('`about` gives the plan', () => {
  assert.deepEqual(parseAbout('{"cliVersion":"1.0","subscriptionTier":"Free"}'), {
    version: undefined,
    plan: 'Free',
  })
})
