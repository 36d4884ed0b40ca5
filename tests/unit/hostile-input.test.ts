// Hostile input and hosts that do not keep their contract: each of these once broke a rule.
import assert from 'node:assert/strict'
import { PassThrough, Writable } from 'node:stream'
import { describe, it } from 'node:test'
import { BoundedText } from '../../src/cursor/bounded-text.ts'
import { resolveConfig } from '../../src/config/config.ts'
import { composeDiagnostic, MAX_DIAGNOSTIC_BYTES, shownLines } from '../../src/cursor/diagnostic.ts'
import { CursorStartError } from '../../src/cursor/start-error.ts'
import { Masker, type Confidential } from '../../src/cursor/masking.ts'
import { judge } from '../../src/cursor/outcome.ts'
import { CursorStreamReader } from '../../src/cursor/stream-reader.ts'
import { admittedConfig } from '../../src/dsh/session-policy.ts'
import { startCursorRun, type CursorRun } from '../../src/cursor/run.ts'
import { BARE_CLI_PATH, bareSystem } from '../support/bare-system.ts'

function mask(text: string, confidential: Partial<Confidential> = {}): string {
  const nothing = { environmentValues: [], prompt: '', home: '/home/me', cwd: '/srv/repo' }
  return new Masker({ ...nothing, ...confidential }).mask(text)
}

function diagnosticOf(text: string, prompt: string): string {
  const stderr = new BoundedText()
  stderr.push(Buffer.from(text))
  const masker = new Masker({ environmentValues: [], prompt, home: '/home/me', cwd: '/srv/repo' })
  const headline = { category: 'no-result', happened: 'x', nextStep: 'x' } as const
  const shown = { stderr: shownLines(stderr.kept(), masker), stdout: [] }
  return composeDiagnostic({ headline, facts: [], shown })
}

describe('masking', () => {
  it('hides a short text with a hyphen in it', () => {
    assert.equal(mask("bad word 'fix-it now'", { prompt: 'fix-it now' }), "bad word '<prompt>'")
    assert.equal(mask('it said re-run', { answer: 're-run' }), 'it said <answer>')
  })

  it('hides a short prompt between characters of a script without spaces', () => {
    assert.ok(!mask('请修复解析器吧', { prompt: '修复解析器' }).includes('修复解析器'))
  })

  it('hides a value of the environment however its ends and lines are quoted', () => {
    for (const [value, said] of [
      ['hunter2hunter\n', 'got hunter2hunter!'],
      ['first-secret-line\nsecond-secret-line', 'got second-secret-line'],
    ] as const) {
      const masked = mask(said, { environmentValues: [value] })
      assert.ok(masked.includes('<secret>'), masked)
    }
  })

  it('hides a key in JSON that stands in a string', () => {
    assert.ok(!mask(String.raw`body "{\"apiKey\":\"hunter2\"}"`).includes('hunter2'))
  })

  it('hides people although the workspace lies above their directories', () => {
    assert.ok(!mask('open /home/alice/x', { cwd: '/home' }).includes('alice'))
    assert.ok(!mask(String.raw`open C:\Users\Bob\x`, { cwd: 'C:\\' }).includes('Bob'))
  })

  it('hides a prompt that the border cuts where its first words come again', () => {
    const items = Array.from({ length: 150 }, (_, i) => `item ${i}`).join('\n')
    const prompt = `Fix it all\none a\n${items}\nFix it too\nlast`
    for (let before = 700; before < 800; before++) {
      const text = `${'warning text\n'.repeat(200).slice(0, before)}\nError: ${prompt}\n${'more\n'.repeat(4000)}`
      const shown = diagnosticOf(text, prompt)
      assert.ok(!/^ *item \d/m.test(shown), `${before}: ${shown.slice(0, 1200)}`)
    }
  })

  // Each of these once took from a second to minutes, in the host's event loop.
  it('is done with a hostile text of the kept length', () => {
    const startedAt = performance.now()
    const words = [
      'token',
      'api-key',
      '_token_a_',
      'a',
      'eyJ',
      'A1b',
      '/',
      '\n',
      'aaaa ',
      '"',
      '\\',
      '@',
      'a:b@',
      '{"',
      '-----BEGIN ',
      'key-',
      'http://',
    ]
    for (const word of words) {
      const text = word.repeat(Math.ceil(10_240 / word.length))
      for (const said of [text, `x ${text} !`, `${text}=`])
        diagnosticOf(said, 'Do something useful')
    }
    const prompt = 'word by word '.repeat(10_000)
    diagnosticOf(`${'w'.repeat(2000)} ${prompt}`, prompt)
    // No limit of the runner's ends what holds its own event loop.
    assert.ok(performance.now() - startedAt < 20_000)
  })
})

describe('behind the gap of what was kept', () => {
  /** stderr whose gap ends `cut` characters into `text`, with lines behind it that are not shown. */
  function cutInside(text: string, cut: number): string {
    const rest = text.slice(cut)
    const filler = '\n    at foo (bar:1)'.repeat(600)
    const kept = filler.slice(filler.length - (8192 - rest.length))
    return `${'start\n'.repeat(800)}${text}${kept}`
  }

  for (const [text, cut] of [
    ['Authorization: Bearer zqabc.zqdef', 17],
    ['cookie: zqa=1; zqb=2', 10],
    ['CURSOR_API_KEY = zqhunter2', 5],
    ['--api-key zqhunter2', 3],
  ] as const) {
    it(`a value does not show whose name was cut away: ${text}`, () => {
      assert.ok(!diagnosticOf(cutInside(text, cut), 'Do something useful').includes('zq'))
    })
  }

  it('nothing of a prompt shows whose echo was cut off on both sides', () => {
    const prompt = Array.from({ length: 6000 }, (_, at) => `word${at}`).join(' ')
    const shown = diagnosticOf(`Error: cannot: ${prompt.slice(0, 20_000)}`, prompt)
    assert.doesNotMatch(shown, /word\d/)
  })
})

it('a result that is a huge list is an agent error like any other', () => {
  const reader = new CursorStreamReader()
  const event = { type: 'result', is_error: true, result: Array.from({ length: 200_000 }, () => 0) }
  reader.push(Buffer.from(`${JSON.stringify(event)}\n`))
  const verdict = judge(
    { end: 'result', reader, stderr: new BoundedText(), exit: undefined },
    { prompt: 'Do something useful', model: undefined },
    () =>
      new Masker({
        environmentValues: [],
        prompt: 'Do something useful',
        answer: reader.result?.result,
        home: '/home/me',
        cwd: '/srv/repo',
      }),
  )
  assert.ok(verdict.status === 'failed' && verdict.failure.category === 'agent-error')
})

it('a start that fails over a path without end says so in bounds, the next step too', () => {
  const path = `/${'long/'.repeat(3000)}`
  const { message } = new CursorStartError('bad-cwd', {
    happened: `It is gone: ${path}.`,
    details: ['Looked at:', `  ${path}: nothing there`],
  })
  assert.ok(Buffer.byteLength(message) <= MAX_DIAGNOSTIC_BYTES)
  assert.match(message, /^bad-cwd: It is gone: .* → Delegate from a session/)
})

describe('a flood on stdout', () => {
  const msToRead = (line: string): number => {
    const reader = new CursorStreamReader()
    const chunk = Buffer.from(`${line}\n`.repeat(65_536 / (line.length + 1)))
    const startedAt = performance.now()
    for (let at = 0; at < 8; at++) reader.push(chunk)
    return (performance.now() - startedAt) / (65_536 / (line.length + 1))
  }

  // An exception for each line held the host's event loop for a second a chunk.
  it('of broken objects is read about as fast as one of whole ones', () => {
    const whole = msToRead('{}')
    for (const line of ['{', '{x}']) {
      const ratio = msToRead(line) / whole
      assert.ok(ratio < 12, `${line}: ${ratio}`)
    }
  })
})

describe('a session policy that says something else than it should', () => {
  const refuse = (resolve: () => unknown): unknown =>
    admittedConfig(
      { get: () => ({ resolve }) } as never,
      {} as never,
      resolveConfig({ permissionMode: 'trust' }),
      false,
    )

  for (const [what, resolve] of [
    ['throws', () => assert.fail('no policy')],
    ['gives nothing', () => undefined],
    ['gives a promise', () => Promise.resolve({ mode: 'workspace-write' })],
    ['gives an unknown mode', () => ({ mode: 'no-access' })],
  ] as const) {
    it(`permits nothing that can write: it ${what}`, () => {
      assert.throws(() => refuse(resolve), /^CursorStartError: policy-refused: .* cannot be read/)
    })
  }

  it('permits what it should', () => {
    refuse(() => ({ mode: 'workspace-write' }))
    refuse(() => ({ mode: 'danger-full-access' }))
    assert.throws(() => refuse(() => ({ mode: 'read-only' })), /is read-only/)
  })
})

describe('a handle', () => {
  const start = (handle: unknown): Promise<CursorRun> =>
    startCursorRun({
      prompt: 'Do something useful',
      cwd: '/',
      config: resolveConfig({ cliPath: BARE_CLI_PATH, disposeGraceMs: 20 }),
      system: bareSystem(),
      spawn: () => handle as never,
      stderr: new Writable({ write: (_chunk, _encoding, done) => done() }),
      log: () => {},
    })

  /** As a newer host gives it, without a pid, of a process that has ended without a word. */
  const handleOf = (odd: object) => ({
    stdout: new PassThrough().end(),
    stderr: new PassThrough().end(),
    done: Promise.resolve({ exitCode: 0, signal: null }),
    terminate: () => {},
    waitForExit: () => Promise.resolve(true),
    ...odd,
  })

  const isSpawnFailure = (error: unknown): boolean =>
    error instanceof CursorStartError && error.category === 'spawn-failed'

  for (const [what, wrong] of [
    ['stdout is null', { stdout: null }],
    ['stderr is null', { stderr: null }],
    ['stdout is no stream', { stdout: {} }],
    ['done is no promise', { done: {} }],
    ['waitForExit is missing', { waitForExit: undefined }],
  ] as const) {
    it(`that lacks what a run needs is refused and terminated: ${what}`, async () => {
      const terminated = Promise.withResolvers<void>()
      await assert.rejects(
        start(handleOf({ ...wrong, terminate: terminated.resolve })),
        isSpawnFailure,
      )
      await terminated.promise
    })
  }

  for (const [what, wrong] of [
    ['nothing', undefined],
    ['a promise that rejects', Promise.reject(new Error('no process today'))],
    [
      'a getter that throws',
      {
        get stdout(): never {
          throw new Error('no stream today')
        },
      },
    ],
  ] as const) {
    it(`that is none is refused: ${what}`, async () => {
      await assert.rejects(start(wrong), isSpawnFailure)
    })
  }

  it('that comes late, as a promise, is terminated all the same', async () => {
    const terminated = Promise.withResolvers<void>()
    await assert.rejects(
      start(Promise.resolve(handleOf({ terminate: terminated.resolve }))),
      isSpawnFailure,
    )
    await terminated.promise
  })

  it('without a pid tells of a failed spawn by `done`, before the run is published', async () => {
    const done = Promise.reject(new Error('spawn ENOENT'))
    await assert.rejects(
      start(handleOf({ done })),
      (error: Error) => isSpawnFailure(error) && error.message.includes('spawn ENOENT'),
    )
  })

  it('without a pid can tell later too, as the end of the published run', async () => {
    const { promise: done, reject } = Promise.withResolvers<never>()
    const run = await start(
      handleOf({ done, stdout: new PassThrough(), stderr: new PassThrough() }),
    )
    reject(new Error('the scope could not be made'))
    const outcome = await run.outcome
    assert.ok(outcome.status === 'failed')
    assert.equal(outcome.failure.category, 'spawn-failed')
    assert.match(outcome.failure.diagnostic, /^spawn-failed: .*the scope could not be made/)
    await run.dispose()
  })

  it('may reject and fail wherever it likes without an unhandled rejection', async (t) => {
    const escaped: unknown[] = []
    const note = (error: unknown): void => void escaped.push(error)
    process.on('unhandledRejection', note)
    process.on('uncaughtException', note)
    t.after(() => {
      process.off('unhandledRejection', note)
      process.off('uncaughtException', note)
    })
    const stdout = new PassThrough()
    const stderr = new PassThrough()
    const run = await start(
      handleOf({
        stdout,
        stderr,
        terminate: () => Promise.reject(new Error('no permission')),
        done: new Promise(() => {}),
      }),
    )
    run.cancel()
    assert.deepEqual(await run.outcome, { status: 'aborted' })
    // `done` never settles: the grace bounds it.
    await run.dispose()
    for (const stream of [stdout, stderr]) stream.emit('error', new Error('too late'))
    await new Promise(setImmediate)
    assert.deepEqual(escaped, [])
  })

  it('that writes without a pause leaves the host its turns', async () => {
    const stdout = new PassThrough({ highWaterMark: 1 << 30 })
    const run = await start(handleOf({ done: new Promise(() => {}), stdout }))
    const flood = Buffer.from('x\n'.repeat(32_768))
    const total = 64 * flood.length
    for (let at = 0; at < 64; at++) stdout.write(flood)
    let turns = 0
    for (; run.progress().bytes < total; turns++) await new Promise(setImmediate)
    assert.ok(turns > 4, `only ${turns} turns`)
    await run.dispose()
  })

  it('whose tree cannot be waited for keeps the answer, and says so on dispose', async () => {
    const stdout = new PassThrough()
    stdout.end(`${JSON.stringify({ type: 'result', subtype: 'success', result: 'an answer' })}\n`)
    const waitForExit = (): Promise<never> => Promise.reject(new Error('it will not die'))
    const run = await start(handleOf({ stdout, waitForExit }))
    assert.deepEqual(await run.outcome, { status: 'completed', answer: 'an answer' })
    await assert.rejects(run.dispose(), /it will not die/)
  })
})

describe('configuration', () => {
  it('refuses an unknown field that is left empty', () => {
    assert.throws(() => resolveConfig({ permisionMode: null } as never), /permissionMode/)
  })
})
