// What an adversary found: each of these once broke a rule.
import assert from 'node:assert/strict'
import { PassThrough, Writable } from 'node:stream'
import { describe, it } from 'node:test'
import { BoundedText } from '../../src/cursor/bounded-text.ts'
import { resolveConfig } from '../../src/cursor/config.ts'
import { composeDiagnostic } from '../../src/cursor/diagnostic.ts'
import { CursorStartError } from '../../src/cursor/failures.ts'
import { Masker, type Confidential } from '../../src/cursor/masking.ts'
import { startCursorRun, type CursorRun } from '../../src/cursor/run.ts'
import { thisSystem } from '../../src/cursor/system.ts'

function mask(text: string, confidential: Partial<Confidential> = {}): string {
  const nothing = { environmentValues: [], prompt: '', home: '/home/me', cwd: '/srv/repo' }
  return new Masker({ ...nothing, ...confidential }).mask(text)
}

function diagnosticOf(text: string, prompt: string): string {
  const stderr = new BoundedText()
  stderr.push(Buffer.from(text))
  const masker = new Masker({ environmentValues: [], prompt, home: '/home/me', cwd: '/srv/repo' })
  return composeDiagnostic({ headline: 'x', facts: [], stderr, noise: new BoundedText() }, masker)
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
      assert.ok(!/^item \d/m.test(shown), `${before}: ${shown.slice(0, 1200)}`)
    }
  })

  // Each of these once took from a second to minutes, in the host's event loop; the runner's limit tells.
  it('is done with a hostile text of the kept length', { timeout: 20_000 }, () => {
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
  })
})

describe('a handle that is none', () => {
  const start = (handle: unknown): Promise<CursorRun> =>
    startCursorRun({
      prompt: 'Do something useful',
      cwd: '/',
      config: resolveConfig({ cliPath: import.meta.filename, disposeGraceMs: 20 }),
      system: {
        ...thisSystem(),
        files: {
          names: () => [],
          isFile: (file) => !file.endsWith('node'),
          isDirectory: () => false,
          isExecutable: () => false,
          realPath: () => '/opt/cursor/index.js',
          textOf: () => undefined,
        },
      },
      spawn: () => handle as never,
      stderr: new Writable({ write: (_chunk, _encoding, done) => done() }),
      log: () => {},
    })

  for (const [what, wrong] of [
    ['stdout is null', { stdout: null }],
    ['stderr is null', { stderr: null }],
    ['stdout is no stream', { stdout: {} }],
    ['done is no promise', { done: {} }],
  ] as const) {
    it(`is refused and terminated: ${what}`, async () => {
      let terminated = false
      const handle = {
        pid: 42,
        stdout: new PassThrough(),
        stderr: new PassThrough(),
        done: Promise.resolve({ exitCode: 0, signal: null }),
        terminate: () => {
          terminated = true
        },
        waitForExit: () => Promise.resolve(true),
        ...wrong,
      }
      await assert.rejects(
        start(handle),
        (error) => error instanceof CursorStartError && error.category === 'spawn-failed',
      )
      assert.ok(terminated)
    })
  }
})

describe('configuration', () => {
  it('refuses an unknown field that is left empty', () => {
    assert.throws(() => resolveConfig({ permisionMode: null } as never), /permissionMode/)
  })
})
