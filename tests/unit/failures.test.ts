// Classifying a failure: the order of the rules, and what each category tells a person. The texts of
// the recorded cases run through whole processes elsewhere; here it is their combinations.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ADVICE, CATEGORIES, type FailureCategory } from '../../src/cursor/failures/categories.ts'
import { readFailureText } from '../../src/cursor/failures/format.ts'
import { TIME_LIMIT_NAMES } from '../../src/cursor/time-limits.ts'
import { runCases, stdoutBytes } from '../support/cases.ts'
import { judged, verdictOn, type Left } from '../support/judged.ts'

function categoryOf(left: Left): FailureCategory {
  return judged(left).category
}

describe('every recorded case', () => {
  for (const item of runCases) {
    it(`${item.id} ends as it must, and shows nothing that is forbidden`, () => {
      const left: Left = {
        stdout: stdoutBytes(item),
        stderr: item.stderr,
        ...(item.exit === null
          ? { end: { limit: 'timeoutMs', ms: 1500 } }
          : { exit: { exitCode: item.exit, signal: null } }),
      }
      if (item.want.stop === 'completed') {
        assert.deepEqual(verdictOn(left), { status: 'completed', answer: item.want.answer })
        return
      }
      const { category, diagnostic } = judged(left)
      if (item.want.category !== undefined) assert.equal(category, item.want.category)
      for (const text of item.want.absent ?? []) assert.ok(!diagnostic.includes(text), diagnostic)
      for (const text of item.want.present ?? []) assert.ok(diagnostic.includes(text), diagnostic)
      assert.equal(readFailureText(diagnostic)?.category, category)
    })
  }
})

describe('the order of the rules', () => {
  const ERROR_RESULT = '{"type":"result","subtype":"error","is_error":true,"result":"x"}\n'
  const EMPTY_RESULT = '{"type":"result","subtype":"success","is_error":false,"result":" "}\n'
  const LIMIT = "Error: You've hit your usage limit\n"

  it('takes a result before any text, and adds only the text’s advice', () => {
    const agent = judged({ stdout: ERROR_RESULT, stderr: LIMIT })
    assert.equal(agent.category, 'agent-error')
    assert.ok(agent.diagnostic.split('\n')[0]?.includes(CATEGORIES['usage-limit'].nextStep.en))
    assert.equal(categoryOf({ stdout: EMPTY_RESULT, stderr: LIMIT }), 'empty-answer')
  })

  it('takes a limit and a lost framing before any text', () => {
    for (const limit of TIME_LIMIT_NAMES) {
      assert.equal(categoryOf({ end: { limit, ms: 5 }, stderr: LIMIT }), 'timeout')
    }
    assert.equal(categoryOf({ end: 'framing-lost', stderr: LIMIT }), 'stream-framing')
  })

  it('ignores every text of a run that answered', () => {
    const verdict = verdictOn({
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

  it('ignores exit codes that differ between builds', () => {
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

describe('what a person is told', () => {
  const nextStepOf = (left: Left): string => judged(left).nextStep
  const TOOL =
    '{"type":"tool_call","subtype":"started","call_id":"a"}\n{"type":"tool_call","subtype":"completed","call_id":"a"}\n'
  const EMPTY = '{"type":"result","subtype":"success","is_error":false,"result":""}\n'

  it('names the self-check as this profile can run it', () => {
    const doctorCommand = 'dsh plugin --profile web exec dsh-subagent-cursor doctor'
    assert.ok(nextStepOf({ doctorCommand }).includes(`\`${doctorCommand} --probe\``))
    assert.ok(!nextStepOf({}).includes('{'))
  })

  it('says after completed tool calls that the workspace may have changed', () => {
    for (const left of [
      {},
      { stderr: 'RetriableError: Connection stalled\n' },
      { end: { limit: 'stallTimeoutMs', ms: 5 } },
    ] as const) {
      assert.ok(nextStepOf({ ...left, stdout: TOOL }).endsWith(ADVICE.workspaceChanged.en))
      assert.ok(!nextStepOf(left).includes(ADVICE.workspaceChanged.en))
    }
    const [started = ''] = TOOL.split('\n')
    assert.ok(!nextStepOf({ stdout: `${started}\n` }).includes(ADVICE.workspaceChanged.en))
    // That category says so in its own words.
    assert.ok(!nextStepOf({ stdout: TOOL + EMPTY }).includes(ADVICE.workspaceChanged.en))
  })

  it('says login where a time limit was reached while the CLI waited for one', () => {
    const stderr =
      'Failed to open browser for login. Please visit: https://cursor.com/x?challenge=abc\n'
    for (const limit of TIME_LIMIT_NAMES) {
      const failure = judged({ stderr, end: { limit, ms: 5 } })
      assert.equal(failure.category, 'timeout')
      assert.match(failure.nextStep, /cursor-agent login/)
      assert.match(failure.said ?? '', /^Failed to open browser for login/)
    }
  })

  it('quotes nothing of a run that the facts decided, unless it explains a failure', () => {
    const stderr = 'A tool of the workspace was not happy with it\n'
    for (const left of [
      { end: { limit: 'timeoutMs', ms: 5 } },
      { end: 'framing-lost' },
      { stdout: EMPTY },
      { exit: { exitCode: null, signal: 'SIGKILL' } },
    ] as const) {
      assert.equal(judged({ stderr, ...left }).said, undefined)
    }
    assert.equal(judged({ stderr }).said, stderr.trim())
  })

  it('keeps the date on which a usage limit resets', () => {
    for (const [stderr, date] of [
      [
        "You've hit your usage limit\n  limitType: x\n  chatMessage: your cycle ends on 11/17/2026.\n",
        '11/17/2026',
      ],
      [
        "ActionRequiredError: You've hit your usage limit. It resets on Dec 19, 2026.\n",
        'Dec 19, 2026',
      ],
    ] as const) {
      assert.match(judged({ stderr }).happened, new RegExp(`resets on ${date}\\.`))
    }
    assert.equal(
      judged({ stderr: "You've hit your usage limit\n" }).happened,
      CATEGORIES['usage-limit'].happened.en,
    )
  })

  it('names both ways out of a locked keychain, which is no race', () => {
    const locked = judged({
      stderr:
        'Error: Your macOS login keychain is locked.\nRun security unlock-keychain and try again.\n',
    })
    assert.equal(locked.category, 'credential-store')
    assert.match(locked.nextStep, /unlock-keychain.*AGENT_CLI_CREDENTIAL_STORE/)
    assert.equal(locked.startRace, false)
    assert.equal(judged({ stderr: 'Error: SecItemAdd failed -50\n' }).startRace, true)
    assert.equal(judged({ stderr: 'RetriableError: Connection stalled\n' }).startRace, false)
  })

  it('names the configuration file by the path in the error', () => {
    const { said } = judged({
      stderr:
        "Error: EPERM: operation not permitted, open '/home/me/.config/cursor/cli-config.json.tmp'\n",
    })
    assert.match(said ?? '', /~\/\.config\/cursor\/cli-config\.json/)
  })

  it('takes the exit code of a shell that cannot run a program for a broken install', () => {
    for (const exitCode of [126, 127, 0xc0000135]) {
      const exit = { exitCode, signal: null }
      assert.equal(categoryOf({ exit, stderr: 'impossible d’exécuter\n' }), 'broken-install')
      assert.equal(
        categoryOf({ exit, stderr: 'Error: Authentication required\n' }),
        'not-authenticated',
      )
    }
  })

  it('quotes what Node prints of an error without a stack, and a sentence that ends in a list', () => {
    const printed = "[Error: EACCES: permission denied, open '/srv/x'] {\n  errno: -13\n}\n"
    assert.equal(judged({ stderr: printed }).said, "EACCES: permission denied, open '/srv/x'")
    const list = 'RetriableError: [internal] Failed to reach any of the hosts: ["one", "two"]\n'
    assert.equal(judged({ stderr: list }).said, 'Failed to reach any of the hosts: ["one", "two"]')
  })

  it('quotes a long sentence up to 300 characters, with what continues it', () => {
    const long = `Something ${'very '.repeat(100)}odd happened`
    const { said = '' } = judged({ stderr: `RetriableError: ${long}\n` })
    assert.ok(said.length <= 300 && said.endsWith('very …'), said)
    assert.equal(
      judged({ stderr: 'Error: I: AI Model Not Found\nModel name is not valid: "x"\n' }).said,
      'AI Model Not Found Model name is not valid: "x"',
    )
  })
})

describe('a line that is not a sentence', () => {
  const source = 'throw new Error("Cannot use this model: "+e+". Available models: "+l)'
  const dump = (line: string): string =>
    `file:///home/me/x/9577.index.js:2\n${line}\n      ^\n\nError: Something odd happened\n    at q (file:///home/me/x/9577.index.js:2:9)\n\nNode.js v24.5.0\n`

  it('is a source line above a caret, of whatever length, wherever the kept text is cut', () => {
    for (const length of [0, 1500, 2500, 30_000, 300_000]) {
      for (const line of [source + 'a=b;'.repeat(length / 4), 'a=b;'.repeat(length / 4) + source]) {
        for (const stream of ['stderr', 'stdout'] as const) {
          const failure = judged({ [stream]: dump(line) })
          assert.equal(failure.category, 'no-result')
          assert.equal(failure.said, 'Something odd happened')
          assert.doesNotMatch(failure.diagnostic, /a=b|throw new|index\.js|Node\.js v/)
        }
      }
    }
  })

  it('is a source line above a caret, without the line that names its place', () => {
    const failure = judged({
      stderr: `    ${source}\n          ^\nError: Something odd happened\n`,
    })
    assert.equal(failure.category, 'no-result')
    assert.ok(!failure.diagnostic.includes('throw new'))
  })

  it('is a line of more than 2,000 characters', () => {
    const failure = judged({
      stderr: `Authentication required ${'x'.repeat(2000)}\nAnother thing happened\n`,
    })
    assert.equal(failure.category, 'no-result')
    assert.equal(failure.said, 'Another thing happened')
    assert.ok(!failure.diagnostic.includes('xxx'))
  })

  it('is what Node warns about', () => {
    const warning = '(node:42901) ExperimentalWarning: SQLite is an experimental feature\n'
    assert.equal(judged({ stderr: warning }).said, undefined)
    assert.equal(
      judged({ stderr: `Something odd happened\n${warning}` }).said,
      'Something odd happened',
    )
  })
})

describe('an unknown model', () => {
  const ids = Array.from({ length: 246 }, (_, i) => `vendor-model-${i}-thinking-high`)

  it('is named with the closest few of a list that is longer than what is kept', () => {
    const { diagnostic } = judged({
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
