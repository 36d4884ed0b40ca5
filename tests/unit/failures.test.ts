// Classifying a failure: the order of the rules, and what each category tells a person. The texts of
// the recorded cases run through whole processes elsewhere; here it is their combinations.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BoundedText } from '../../src/cursor/bounded-text.ts'
import { CATEGORIES, type FailureCategory } from '../../src/cursor/categories.ts'
import { Masker } from '../../src/cursor/masking.ts'
import { judge, type Evidence, type Verdict } from '../../src/cursor/outcome.ts'
import { CursorStreamReader } from '../../src/cursor/stream-reader.ts'
import { runCases, stdoutBytes } from '../support/cases.ts'

interface Left {
  readonly stdout?: string | Uint8Array
  readonly stderr?: string
  readonly exit?: Evidence['exit']
  readonly end?: Evidence['end']
  readonly limitMs?: number
  readonly prompt?: string
  readonly model?: string
}

function judged(left: Left): Verdict {
  const reader = new CursorStreamReader()
  reader.push(Buffer.from(left.stdout ?? ''))
  reader.end()
  const stderr = new BoundedText()
  stderr.push(Buffer.from(left.stderr ?? ''))
  const prompt = left.prompt ?? 'Do something useful'
  const result = reader.result?.result
  return judge(
    {
      end: left.end ?? 'exited',
      reader,
      stderr,
      exit: left.exit ?? { exitCode: 1, signal: null },
      limitMs: left.limitMs,
    },
    { prompt, model: left.model },
    () =>
      new Masker({
        environmentValues: [],
        prompt,
        answer: result,
        home: '/home/me',
        cwd: '/srv/repo',
      }),
  )
}

function failureOf(left: Left): { category: FailureCategory; diagnostic: string } {
  const verdict = judged(left)
  assert.equal(verdict.status, 'failed')
  return verdict.failure
}

function categoryOf(left: Left): FailureCategory {
  return failureOf(left).category
}

describe('every recorded case', () => {
  for (const item of runCases.filter(
    ({ want }) => want.stop === 'error' && want.config === undefined,
  )) {
    it(`${item.id} has its category and shows nothing that is forbidden`, () => {
      const { category, diagnostic } = failureOf({
        stdout: stdoutBytes(item),
        stderr: item.stderr,
        exit: { exitCode: item.exit, signal: null },
      })
      if (item.want.category !== undefined) assert.equal(category, item.want.category)
      for (const text of item.want.absent ?? []) assert.ok(!diagnostic.includes(text), diagnostic)
      for (const text of item.want.present ?? []) assert.ok(diagnostic.includes(text), diagnostic)
      assert.ok(diagnostic.startsWith(`${category}: `))
    })
  }
})

describe('the order of the rules', () => {
  const ERROR_RESULT = '{"type":"result","subtype":"error","is_error":true,"result":"x"}\n'
  const EMPTY_RESULT = '{"type":"result","subtype":"success","is_error":false,"result":" "}\n'
  const LIMIT = "Error: You've hit your usage limit\n"

  it('takes a result before any text, and adds only the text’s advice', () => {
    const agent = failureOf({ stdout: ERROR_RESULT, stderr: LIMIT })
    assert.equal(agent.category, 'agent-error')
    assert.ok(agent.diagnostic.split('\n')[0]?.includes(CATEGORIES['usage-limit'].nextStep.en))
    assert.equal(categoryOf({ stdout: EMPTY_RESULT, stderr: LIMIT }), 'empty-answer')
  })

  it('takes a limit and a lost framing before any text', () => {
    assert.equal(categoryOf({ end: 'timed-out', limitMs: 5, stderr: LIMIT }), 'timeout')
    assert.equal(categoryOf({ end: 'stalled', limitMs: 5, stderr: LIMIT }), 'timeout')
    assert.equal(categoryOf({ end: 'framing-lost', stderr: LIMIT }), 'stream-framing')
  })

  it('ignores every text of a run that answered', () => {
    const verdict = judged({
      stdout: '{"type":"result","subtype":"success","is_error":false,"result":"ok"}\n',
      stderr: `${LIMIT}Error: Authentication required\n`,
    })
    assert.deepEqual(verdict, { status: 'completed', answer: 'ok' })
  })

  it('ignores what the model or an event says', () => {
    const said =
      '{"type":"assistant","message":{"content":[{"type":"text","text":"usage limit"}]}}\n'
    assert.equal(categoryOf({ stdout: said }), 'no-result')
    assert.equal(categoryOf({ stderr: said }), 'no-result')
    assert.equal(categoryOf({ stderr: `stdout: ${said}` }), 'no-result')
  })

  it('ignores a prompt that the CLI echoes', () => {
    const prompt = 'Explain the message: Error: Authentication required. Please log in'
    assert.equal(categoryOf({ stderr: `Error: unexpected: ${prompt}\n`, prompt }), 'no-result')
  })

  it('counts an unknown option only at the start of a line', () => {
    assert.equal(categoryOf({ stderr: "error: unknown option '--x'\n" }), 'cli-outdated')
    assert.equal(
      categoryOf({ stderr: "RetriableError: [invalid_argument] error: unknown option '--x'\n" }),
      'request-rejected',
    )
    assert.equal(
      categoryOf({ stderr: "error: unknown option '--say Authentication required'\n" }),
      'cli-outdated',
    )
  })

  it('takes a lost connection for the cause of the RetriableError after it', () => {
    const retried = 'Connection lost, reconnecting to https://x.invalid (attempt 3)...\n'
    const refused = 'RetriableError: [resource_exhausted] Error\n'
    assert.equal(categoryOf({ stderr: refused }), 'rate-limited')
    assert.equal(categoryOf({ stderr: retried + refused }), 'network')
    assert.equal(categoryOf({ stderr: retried }), 'network')
  })

  it('takes a signal before a text that the CLI recovers from, and after any other', () => {
    const retried = 'Connection lost, reconnecting to https://x.invalid (attempt 1)...\n'
    for (const exit of [
      { exitCode: null, signal: 'SIGTERM' as const },
      { exitCode: 130, signal: null },
      { exitCode: 143, signal: null },
    ]) {
      assert.equal(categoryOf({ stderr: retried, exit }), 'killed')
      for (const warning of [
        'ConnectionError: weather',
        'MCP "x": connect ECONNREFUSED 127.0.0.1:9',
        'fetch failed',
        'npm warn rate limit exceeded',
      ]) {
        assert.equal(categoryOf({ stderr: `${warning}\n`, exit }), 'killed', warning)
      }
    }
    const crash = { exitCode: null, signal: 'SIGABRT' as const }
    assert.equal(
      categoryOf({ stderr: 'SecItemCopyMatching failed -50\n', exit: crash }),
      'credential-store',
    )
  })

  it('takes no exit code for a category where builds differ', () => {
    for (const exitCode of [0, 1, 2, 9]) {
      const exit = { exitCode, signal: null }
      assert.equal(categoryOf({ stdout: LIMIT, exit }), 'usage-limit')
      assert.equal(
        categoryOf({ stdout: '⚠ Workspace Trust Required\n', exit }),
        'workspace-not-trusted',
      )
      assert.equal(
        categoryOf({ stderr: 'node: --x is not allowed in NODE_OPTIONS\n', exit }),
        'broken-install',
      )
      assert.equal(categoryOf({ stderr: 'weather\n', exit }), 'no-result')
    }
  })

  it('finds a text behind more than 10 KiB of warnings, and before them', () => {
    const warnings = 'warning: weather\n'.repeat(2000)
    assert.equal(categoryOf({ stderr: warnings + LIMIT }), 'usage-limit')
    assert.equal(categoryOf({ stderr: LIMIT + warnings }), 'usage-limit')
    assert.equal(categoryOf({ stdout: warnings + LIMIT }), 'usage-limit')
  })
})

describe('an unknown model', () => {
  const ids = Array.from({ length: 246 }, (_, i) => `vendor-model-${i}-thinking-high`)

  it('is named with the closest few of a list that is longer than what is kept', () => {
    const { diagnostic } = failureOf({
      stderr: `Cannot use this model: vendor-model-7-thinking-hihg. Available models: ${ids.join(', ')}\n`,
      model: 'vendor-model-7-thinking-hihg',
    })
    const [headline = ''] = diagnostic.split('\n')
    assert.match(headline, /vendor-model-7-thinking-hihg\. Closest: vendor-model-7-thinking-high/)
    const shown = diagnostic.match(/vendor-model-\d+-thinking-high\b/g) ?? []
    assert.ok(new Set(shown).size <= 3, `${new Set(shown).size} ids are shown`)
    for (const id of shown) assert.ok(ids.includes(id), `${id} is a piece of an id`)
  })
})

describe('every category', () => {
  it('says what happened and what to do, in whole sentences', () => {
    for (const { happened, nextStep } of Object.values(CATEGORIES)) {
      for (const { en, zh } of [happened, nextStep]) {
        assert.match(en, /^[A-Z].*\.$/)
        assert.match(zh, /。$/)
      }
    }
  })
})
