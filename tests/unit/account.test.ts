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
import { listCases, stdoutBytes } from '../support/cases.ts'

const listed = (...models: [id: string, label: string, markers?: Partial<Model>][]) => ({
  status: 'listed',
  models: models.map(([id, label, markers]) => ({
    id,
    label,
    isDefault: false,
    isCurrent: false,
    ...markers,
  })),
})
const DEFAULT = { isDefault: true }
const CURRENT = { isCurrent: true }

/** What each case must be understood as. */
const CASES: Readonly<Record<string, readonly [(output: string) => unknown, unknown]>> = {
  'models-default-marker': [
    parseModels,
    listed(['auto', 'Auto', DEFAULT], ['gpt-5.3-codex-low', 'Codex 5.3 Low']),
  ],
  'models-current-default': [
    parseModels,
    listed(['auto', 'Auto', { ...DEFAULT, ...CURRENT }], ['gpt-5', 'GPT-5']),
  ],
  'models-current-elsewhere': [
    parseModels,
    listed(['auto', 'Auto', DEFAULT], ['gpt-5', 'GPT-5', CURRENT]),
  ],
  'models-ansi': [parseModels, listed(['auto', 'Auto', DEFAULT])],
  'models-none': [parseModels, { status: 'none' }],
  'models-logged-out': [parseModels, { status: 'unreadable' }],
  'models-trailing-error': [parseModels, { status: 'none' }],
  'status-logged-in': [parseStatus, 'logged-in'],
  'status-not-logged-in': [parseStatus, 'logged-out'],
  'status-json': [parseStatus, 'logged-out'],
  'version-plain': [parseVersion, '2026.10.01-e373342'],
  'version-time-part': [parseVersion, '2026.06.19-20-24-33-653a7fb'],
  'version-foreign': [parseVersion, undefined],
  'version-editor': [parseVersion, undefined],
  'about-json-null': [parseAbout, { version: '2026.09.28-64d2043', plan: undefined }],
}

for (const { id, expect, ...item } of listCases) {
  test(`${id}: ${expect}`, () => {
    const [parse, understood] = CASES[id] ?? assert.fail(`no expectation for the case ${id}`)
    assert.deepEqual(parse(stdoutBytes(item).toString()), understood)
    if (id !== 'models-logged-out') return
    assert.equal(recogniseFailure(item.stderr.split('\n'))?.category, 'not-authenticated')
  })
}

const OTHERS: readonly (readonly [string, (output: string) => unknown, string, unknown])[] = [
  [
    'a login whose details cannot be fetched is told apart',
    parseStatus,
    '✓ Login successful!\nLogged in (unable to fetch user details)\n',
    'details-missing',
  ],
  [
    'a login as JSON is understood',
    parseStatus,
    '{"status":"authenticated","isAuthenticated":true}',
    'logged-in',
  ],
  ['a `status` that says nothing of a login', parseStatus, 'Error: something else\n', 'unknown'],
  ['a `status` without a word', parseStatus, '', 'unknown'],
  ['a `status` that is JSON of nothing', parseStatus, 'null', 'unknown'],
  [
    'labels may hold dashes, brackets and invisible characters',
    parseModels,
    'Available models\n\na.b_c-1 - Label - with a dash (fast)\nx - Two  spaces\u200b (current)\n',
    listed(['a.b_c-1', 'Label - with a dash (fast)'], ['x', 'Two  spaces', CURRENT]),
  ],
  [
    'lines before the header are no models',
    parseModels,
    'Note - a banner\nAvailable models\n\nauto - Auto\n',
    listed(['auto', 'Auto']),
  ],
  [
    'rows without a header and with Windows line ends',
    parseModels,
    'auto - Auto (default)\r\ngpt-5 - GPT-5\r\n',
    listed(['auto', 'Auto', DEFAULT], ['gpt-5', 'GPT-5']),
  ],
  ['a version with a line behind it', parseVersion, '2026.10.01-e373342\nand more', undefined],
  ['no version', parseVersion, '', undefined],
  ['an `about` that is no JSON', parseAbout, 'Cursor CLI 1', undefined],
  ['an `about` that is no object', parseAbout, '3', undefined],
  [
    'an `about` with the plan',
    parseAbout,
    '{"cliVersion":"1.0","subscriptionTier":"Free"}',
    { version: undefined, plan: 'Free' },
  ],
]
for (const [what, parse, output, understood] of OTHERS) {
  test(what, () => assert.deepEqual(parse(output), understood))
}
