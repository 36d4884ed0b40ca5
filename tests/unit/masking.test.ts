// What must never show in a failure text, wherever it stands and however it arrives.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { BoundedText } from '../../src/cursor/bounded-text.ts'
import {
  composeDiagnostic,
  shownLines,
  MAX_DIAGNOSTIC_BYTES,
} from '../../src/cursor/failures/diagnostic.ts'
import { Masker, type Confidential } from '../../src/cursor/masking.ts'
import { KEY_BEGINNINGS } from '../../src/cursor/masking/secret-shapes.ts'

const NOTHING: Confidential = {
  environmentValues: [],
  prompt: '',
  home: '/home/me',
  cwd: '/srv/repo',
}

function mask(text: string, confidential: Partial<Confidential> = {}): string {
  return new Masker({ ...NOTHING, ...confidential }).mask(text)
}

/** The whole failure text for a stderr and noise that arrive in the given pieces. */
function diagnostic(
  pieces: { stderr?: readonly Uint8Array[]; noise?: readonly Uint8Array[] },
  confidential: Partial<Confidential> = {},
): string {
  const masker = new Masker({ ...NOTHING, ...confidential })
  const shown = (chunks: readonly Uint8Array[] = []): string[] => {
    const text = new BoundedText()
    for (const chunk of chunks) text.push(chunk)
    return shownLines(text.kept(), masker)
  }
  return composeDiagnostic({
    headline: { category: 'no-result', happened: 'x', nextStep: 'x' },
    facts: [],
    shown: { stderr: shown(pieces.stderr), stdout: shown(pieces.noise) },
  })
}

const diagnosticOf = (said: string, prompt = 'Do something useful'): string =>
  diagnostic({ stderr: [Buffer.from(said)] }, { prompt })

function inPieces(text: string, sizes: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text)
  const pieces: Buffer[] = []
  let at = 0
  for (let turn = 0; at < bytes.length; turn++) {
    const size = sizes.length === 0 ? bytes.length : (sizes[turn % sizes.length] ?? 1)
    pieces.push(bytes.subarray(at, at + size))
    at += size
  }
  return pieces
}

interface Line {
  readonly stderr: string
  readonly hide?: readonly string[]
  readonly keep?: readonly string[]
}

const LINES: readonly Line[] = readFileSync(new URL('../masking.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Line)

describe('a line of stderr', () => {
  it('is there for every beginning of a key', () => {
    const shown = LINES.filter(({ hide }) => hide !== undefined).map(({ stderr }) => stderr)
    for (const beginning of KEY_BEGINNINGS) {
      assert.ok(
        shown.some((line) => line.startsWith(`got ${beginning}`)),
        beginning,
      )
    }
  })

  for (const { stderr, hide, keep } of LINES) {
    it(`${hide === undefined ? 'keeps' : 'hides'} ${JSON.stringify(hide ?? keep)}: ${stderr}`, () => {
      const masked = mask(stderr)
      for (const secret of hide ?? []) {
        assert.ok(!masked.includes(secret), masked)
        const half = Math.floor(secret.length / 2)
        const dressed = `\u001b[31m${secret.slice(0, half)}\u001b[1m${secret.slice(half)}\u001b[0m`
        const coloured = mask(stderr.replace(secret, () => dressed))
        assert.ok(!coloured.includes(secret) && !coloured.includes('\u001b'), coloured)
      }
      for (const cause of keep ?? []) assert.ok(masked.includes(cause), masked)
    })
  }
})

describe('a name and a value', () => {
  const SECRET = 'Zq7mVw3kTz9rLp2x'
  const NAMES =
    'CURSOR_API_KEY password apiKey client_secret X-Auth-Token DB_PASS MYSQL_PWD REDIS_AUTH AWS_SECRET_ACCESS_KEY refreshToken passphrase'.split(
      ' ',
    )
  const PLAIN_NAMES =
    'max_tokens inputTokens user author monkey tokenizer exit_code keyboard'.split(' ')
  const CAUSES =
    '8192000 1234567 3f2a1b9c8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f3a left-pad@1.3.0 lodash@4.17.21 22222222-2222-4222-8222-222222222222 ERR_MODULE_NOT_FOUND cl100k_base'.split(
      ' ',
    )
  const LABELS =
    '¦Error: ¦config: ¦[warn] ¦a=1&¦x: y: ¦{"level":50} ¦user=b; ¦(¦url=/cb?¦请求失败：¦- ¦> '.split(
      '¦',
    )
  const ENDS = '¦ was rejected¦&b=2¦, status=401¦)¦; x¦\nnext line¦。¦ -> 401'.split('¦')
  const SPELLINGS: readonly ((name: string, value: string) => string)[] = [
    (name, value) => `${name}=${value}`,
    (name, value) => `${name}: ${value}`,
    (name, value) => `${name} = ${value}`,
    (name, value) => `${name}="${value}"`,
    (name, value) => `'${name}': '${value}'`,
    (name, value) => JSON.stringify({ [name]: value }),
    (name, value) => `'${name}' => '${value}'`,
    (name, value) => `${name}::${value}`,
    (name, value) => `${name}：${value}`,
    (name, value) => `--${name} ${value}`,
    (name, value) => `--${name}=${value}`,
    (name, value) => `<${name}>${value}</${name}>`,
    (name, value) => `| ${name} | ${value} |`,
    (name, value) => `'${name}',\n  '${value}'`,
    (name, value) => `$env:${name} = "${value}"`,
    (name, value) => `${name}("${value}")`,
    (name, value) => `{ name: '${name}', value: '${value}' }`,
  ]
  const ENCODINGS: readonly ((text: string) => string)[] = [
    (text) => text,
    (text) => JSON.stringify({ msg: text }),
    (text) => JSON.stringify(JSON.stringify({ msg: text })),
    (text) => encodeURIComponent(text),
    (text) => text.replace('Zq7m', 'Zq\u001b[31m7m'),
  ]
  const borders = fc.record({
    label: fc.array(fc.constantFrom(...LABELS), { maxLength: 3 }).map((labels) => labels.join('')),
    end: fc.constantFrom(...ENDS),
  })
  const spelling = fc.constantFrom(...SPELLINGS)

  it('never shows a secret, whatever it is nested in', () => {
    const value = fc
      .tuple(fc.constantFrom('', 'ab/', 'p@', '+'), fc.constantFrom('', '/cd', '==', '!x', '$1'))
      .map(([start, rest]) => `${start}${SECRET}${rest}`)
    fc.assert(
      fc.property(
        borders,
        fc.constantFrom(...NAMES),
        spelling,
        value,
        fc.array(fc.constantFrom(...ENCODINGS), { maxLength: 2 }),
        ({ label, end }, name, spell, secret, encodings) => {
          const said = encodings.reduce(
            (text, encode) => encode(text),
            `${label}${spell(name, secret)}${end}`,
          )
          const masked = mask(said)
          assert.ok(!masked.includes(SECRET), `${said} → ${masked}`)
        },
      ),
      { numRuns: 3000 },
    )
  })

  it('never hides what explains, whatever it is nested in', () => {
    const causes = fc.oneof(
      fc.tuple(
        fc.constantFrom(...NAMES),
        fc.constantFrom('expired', 'required', 'missing', 'invalid'),
      ),
      fc.tuple(fc.constantFrom(...PLAIN_NAMES), fc.constantFrom(...CAUSES)),
    )
    fc.assert(
      fc.property(
        borders,
        causes,
        spelling,
        fc.boolean(),
        ({ label, end }, [name, cause], spell, inJson) => {
          const line = `${label}${spell(name, cause)}${end}`
          const said = inJson ? JSON.stringify({ msg: line }) : line
          const masked = mask(said)
          assert.ok(masked.includes(cause), `${said} → ${masked}`)
        },
      ),
      { numRuns: 3000 },
    )
  })
})

describe('the arguments of the command line', () => {
  for (const [what, extraArgs, said] of [
    ['behind a flag', ['--api-key', 'correct horse'], 'got correct horse!'],
    ['of a flag', ['--client-secret=correcthorse'], 'got correcthorse!'],
    ['in one argument with its flag', ['--api-key correcthorse7'], 'got correcthorse7!'],
    ['of an assignment', ['-e', 'DB_PASSWORD=correcthorse'], 'got correcthorse!'],
    ['of a header', ['--header', 'Authorization: Bearer correcthorse'], 'got correcthorse!'],
    ['of any header', ['-H', 'X-Custom: correcthorse'], 'got correcthorse!'],
    ['of a header in one argument', ['-HX-Custom: correcthorse'], 'got correcthorse!'],
    ['of a long one', ['--header=X-Custom: correcthorse'], 'got correcthorse!'],
    ['of a user', ['-u', 'bob:correcthorse'], 'got correcthorse!'],
  ] as const) {
    it(`hides a value ${what} wherever it stands`, () => {
      assert.doesNotMatch(mask(said, { extraArgs }), /horse/)
      assert.match(mask(said), /horse/)
    })
  }

  it('keeps what stands behind other flags', () => {
    const extraArgs = [
      '--endpoint',
      'somewhere',
      '--max-tokens',
      '8192',
      '--force',
      '--token',
      '--other',
    ]
    assert.equal(mask('somewhere 8192 --other', { extraArgs }), 'somewhere 8192 --other')
  })
})

it('hides a known value in base64 at every offset', () => {
  const value = 'correct horse battery'
  for (const before of ['', 'a', 'ab', 'abc', 'bob:']) {
    const said = Buffer.from(`${before}${value}`).toString('base64')
    const masked = mask(`got ${said}`, { environmentValues: [value] })
    const left = Buffer.from(masked.slice(4).replace('<secret>', ''), 'base64').toString()
    assert.ok(!left.includes('horse') && masked.includes('<secret>'), masked)
  }
})

describe('people and places', () => {
  it('shortens home directories of every platform', () => {
    assert.equal(mask("open '/home/me/.cursor/x'"), "open '~/.cursor/x'")
    assert.equal(mask("open '/home/someone/.cursor/x'"), "open '~/.cursor/x'")
    assert.equal(mask("open '/Users/someone/.cursor/x'"), "open '~/.cursor/x'")
    assert.equal(mask(String.raw`in 'C:\Users\Some One\AppData'`), String.raw`in '~\AppData'`)
    assert.equal(mask(String.raw`in "c:\\Users\\someone\\AppData"`), String.raw`in "~\\AppData"`)
    assert.equal(mask('in C:/Users/someone/AppData'), 'in ~/AppData')
    assert.equal(mask('in /data/me/x', { home: '/data/me' }), 'in ~/x')
    assert.equal(mask('in /data/mean', { home: '/data/me' }), 'in /data/mean')
  })

  it('hides the workspace, and a line that is nothing but a path', () => {
    assert.equal(mask('in /srv/repo/src'), 'in <workspace>/src')
    assert.match(mask('Do you trust it?\n\n   /other/repo\n'), /^Do you trust it\?\n\s*<path>/)
  })
})

describe('an option that the CLI does not know', () => {
  it('shows its name only', () => {
    assert.equal(
      mask("error: unknown option '--secret=value here'"),
      "error: unknown option '--secret'",
    )
    assert.equal(
      mask("error: unknown option '- item one\n- item two'"),
      "error: unknown option '-'",
    )
    assert.equal(
      mask("error: unknown option '--a b'\n(Did you mean --all?)\n"),
      "error: unknown option '--a'\n(Did you mean --all?)\n",
    )
  })
})

describe('the prompt', () => {
  it('is hidden whole, by its first line, and however it is spelled', () => {
    const prompt = 'Fix the parser\nin src/reader.ts, and nothing else'
    for (const echo of [
      prompt,
      prompt.split('\n')[0] ?? '',
      JSON.stringify(prompt),
      ` ${prompt}`,
      prompt.replace('\n', '\r\n'),
      encodeURIComponent(prompt),
    ]) {
      const masked = mask(`Error: cannot do: ${echo}`, { prompt })
      assert.ok(!/Fix the parser|Fix%20the|nothing else/.test(masked), masked)
    }
  })

  it('of few letters is hidden wherever it stands', () => {
    assert.equal(
      mask("bad word 'test' in latest", { prompt: 'test' }),
      "bad word '<prompt>' in la<prompt>",
    )
  })

  it('is hidden where the kept part of stderr cuts it', () => {
    const prompt = Array.from({ length: 4000 }, (_, i) => `word${i}`).join(' ')
    const text = diagnostic(
      { stderr: [Buffer.from(`Error: cannot do: ${prompt}\nbye\n`)] },
      { prompt },
    )
    assert.ok(!/word\d/.test(text), text)
    assert.match(text, /<prompt>/)
    assert.match(text, /bye/)
  })
})

for (const invisible of [
  '\ufe0f',
  '\u180e',
  '\u061c',
  '\u{e0041}',
  '\u{e0100}',
  '\u3164',
  '\u200b',
]) {
  it(`a value drawn apart with U+${invisible.codePointAt(0)?.toString(16)} is hidden`, () => {
    const apart = (text: string): string => text.split('').join(invisible)
    const said = `${apart('API_KEY')}=${apart('hunter2hunter')} ${apart('swordfish')}`
    assert.equal(mask(said, { environmentValues: ['swordfish'] }), 'API_KEY=<secret> <secret>')
  })
}

describe('a known value', () => {
  const value = 'pa"ss\\wörd-1'
  const percent = (text: string): string =>
    Buffer.from(text).toString('hex').replaceAll(/../g, '%$&')
  for (const [how, said] of [
    ['in JSON in JSON', JSON.stringify(JSON.stringify({ value }))],
    [
      'in escapes for every character',
      value.replaceAll(/./g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ],
    ['in codes of a URL for every character', percent(value)],
    ['in codes of a page', value.replaceAll(/./g, (char) => `&#${char.charCodeAt(0)};`)],
    ['broken by the width of a console', `${value.slice(0, 6)}\n  ${value.slice(6)}`],
  ] as const) {
    it(`is hidden ${how}`, () => {
      const masked = mask(`Error: got ${said} here`, { environmentValues: [value] })
      assert.match(masked, /^Error: got .*<secret>/)
      assert.doesNotMatch(masked, /pa|ss|rd|-1|%70|&#112|u0070/)
    })
  }
})

describe('an echo', () => {
  const prompt = [
    'Rework how invoices are rounded in the billing module.',
    'Keep the tests green and the public interface as it is; 请同时更新中文文档里的说明。',
  ].join('\n')
  const words = 'how invoices are rounded in the billing'

  for (const [how, said] of [
    ['inside a line', `near "${words}"`],
    ['in JSON', JSON.stringify(JSON.stringify({ near: prompt }))],
    ['in a URL', `near=${encodeURIComponent(prompt)}`],
    ['in a form', `near=${encodeURIComponent(words).replaceAll('%20', '+')}`],
    ['wrapped anew', prompt.replaceAll(/(.{40}\S*) /g, '$1\n    ')],
    ['of another script', '无法执行：同时更新中文文档里的，停止'],
  ] as const) {
    it(`of a part of the prompt is hidden ${how}`, () => {
      const masked = mask(`Error: cannot do: ${said}`, { prompt })
      assert.match(masked, /<prompt>/)
      assert.doesNotMatch(masked, /invoices|billing|public interface|中文文档/)
    })
  }

  it('of a part of the answer is hidden, however long the answer is', () => {
    const filler = Array.from({ length: 60_000 }, (_, at) => `line ${at} of the answer`).join('\n')
    const answer = { texts: [`${filler}\nthe otters live behind the second bridge\n${filler}`] }
    const masked = mask('failed after: otters live behind the second', { answer })
    assert.equal(masked, 'failed after: <answer>')
  })

  it('is not seen in a few words that prompt and error share, nor in blanks and lines', () => {
    for (const said of [
      'Error: cannot find the public interface',
      `${'─'.repeat(60)}\n${' '.repeat(60)}x`,
    ]) {
      assert.equal(
        mask(said, { prompt: `${prompt}\n${'─'.repeat(80)}${' '.repeat(80)}` }).trim(),
        said.trim(),
      )
    }
  })
})

describe('the answer', () => {
  it('of a result that is an error is hidden when stderr repeats it', () => {
    const text = diagnostic(
      { stderr: [Buffer.from('it said: failed hard\n')] },
      { answer: 'failed hard' },
    )
    assert.ok(!text.includes('failed hard'), text)
  })
})

describe('pieces of the stream', () => {
  it('are shown from neither stderr nor noise', () => {
    const event = '{"type":"assistant","message":{"content":[{"text":"private words"}]}}'
    const text = diagnostic({
      stderr: [Buffer.from(`${event}\nstdout: ${event}\nplain\n`)],
      noise: [Buffer.from('plain noise\n')],
    })
    assert.ok(!text.includes('private words'), text)
    assert.match(text, /plain\n/)
    assert.match(text, /plain noise/)
  })

  it('are not shown when what was kept cuts them', () => {
    const event = `{"type":"assistant","message":{"content":[{"text":"${'private words '.repeat(2000)}"}]}}`
    const text = diagnostic({ stderr: [Buffer.from(`${event}\n`)] })
    assert.ok(!text.includes('private'), text)
  })
})

describe('a hostile text', () => {
  /** Milliseconds of the fastest of a few runs. */
  function fastest(text: string, masker: Masker): number {
    const times = Array.from({ length: 2 }, () => {
      const start = performance.now()
      masker.mask(text, { start: true, end: true })
      return performance.now() - start
    })
    return Math.min(...times)
  }

  const WORDS = [
    'token=',
    'token="',
    "'token', ",
    '<token ',
    'token: ',
    '| token |',
    '--token ',
    'token is ',
    'token%3D%22',
    '&quot;token&quot;',
    String.raw`\"token\": `,
    '[token]',
    '密码：',
    'cookie: ',
    '-u a:',
    '-H a:',
    'key_',
    'eyJ',
    'a1B',
    'f0',
    '1/',
    '.',
    '\\',
    '+',
    '-----BEGIN ',
    '<',
    '"',
    'a ',
  ]
  const prompt = 'word by word '.repeat(10_000)
  const masker = new Masker({ ...NOTHING, environmentValues: ['token token'], prompt })

  // Eight times the text takes eight times as long. What is quadratic takes sixty-four times as
  // long; between the two there is room for a busy machine, and for another try.
  for (const word of WORDS) {
    it(`of many ${JSON.stringify(word)} takes linear time`, () => {
      const text = (length: number): string => word.repeat(Math.ceil(length / word.length))
      let ratio = Number.POSITIVE_INFINITY
      for (let attempt = 0; attempt < 5 && ratio > 24; attempt++) {
        ratio = fastest(text(81_920), masker) / fastest(text(10_240), masker)
      }
      assert.ok(ratio <= 24, `eight times the text took ${ratio.toFixed(1)} times as long`)
    })
  }
})

describe('any output', () => {
  const secret = fc
    .tuple(fc.constantFrom('key_', 'crsr_', 'sk-'), fc.stringMatching(/^[A-Za-z0-9]{16,40}$/))
    .map(([start, rest]) => `${start}${rest}`)
  const words = fc
    .array(
      fc.oneof(fc.constantFrom('Error:', 'at', '\n', '✗', '连接', '🚫', '{', ')'), fc.lorem()),
      {
        maxLength: 400,
      },
    )
    .map((list) => list.join(' '))
  const sizes = fc.array(fc.integer({ min: 1, max: 5000 }), { maxLength: 4 })

  /** No part of a secret that is long enough to be of use to anyone. */
  function assertHidden(text: string, hidden: string): void {
    for (let at = 0; at + 12 <= hidden.length; at++) {
      const part = hidden.slice(at, at + 12)
      assert.ok(!text.includes(part), `${JSON.stringify(part)} of the secret shows in ${text}`)
    }
  }

  it('never shows a key, wherever it stands and however it arrives', () => {
    fc.assert(
      fc.property(
        words,
        secret,
        words,
        sizes,
        fc.boolean(),
        (before, key, behind, chunks, escape) => {
          const shown = escape ? `${key.slice(0, 7)}\u001b[33m${key.slice(7)}` : key
          const said = inPieces(`${before} ${shown} ${behind}`, chunks)
          assertHidden(diagnostic({ stderr: said }), key)
          assertHidden(diagnostic({ noise: said }), key)
        },
      ),
      { numRuns: 400 },
    )
  })

  it('never shows a value of the configured environment', () => {
    const value = fc.string({ minLength: 12, maxLength: 60, unit: 'grapheme-ascii' })
    fc.assert(
      fc.property(words, value, words, sizes, (before, hidden, behind, chunks) => {
        fc.pre(hidden.trim().length >= 12 && !before.includes(hidden) && !behind.includes(hidden))
        const said = inPieces(`${before} ${hidden} ${behind}`, chunks)
        const text = diagnostic({ stderr: said }, { environmentValues: [hidden] })
        assert.ok(!text.includes(hidden), text)
      }),
      { numRuns: 400 },
    )
  })

  it('never exceeds the host’s limit and never cuts a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 6000 }), sizes, (said, chunks) => {
        const pieces = inPieces(said.toWellFormed(), chunks)
        const text = diagnostic({ stderr: pieces, noise: pieces })
        assert.ok(Buffer.byteLength(text) <= MAX_DIAGNOSTIC_BYTES)
        assert.ok(!text.includes('\ufffd') || said.includes('\ufffd'))
      }),
      { numRuns: 300 },
    )
  })
})

describe('a known secret', () => {
  it('is hidden however many lines another one has', () => {
    const bundle = Array.from({ length: 450 }, (_, at) => `line/${at}+abcdef`).join('\n')
    const environmentValues = [bundle, 'plainwordvalue']
    const extraArgs = ['--api-key', 'otherplainvalue']
    const masked = mask('failed with plainwordvalue and otherplainvalue', {
      environmentValues,
      extraArgs,
    })
    assert.equal(masked, 'failed with <secret> and <secret>')
  })

  it('may begin with a hyphen behind its option', () => {
    const masked = mask('bad credential -plainwordvalue', {
      extraArgs: ['--api-key', '-plainwordvalue'],
    })
    assert.ok(!masked.includes('plainwordvalue'))
  })
})

describe('text that leaked once', () => {
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

  it('hides user names even if the workspace is above the home directories', () => {
    assert.ok(!mask('open /home/alice/x', { cwd: '/home' }).includes('alice'))
    assert.ok(!mask(String.raw`open C:\Users\Bob\x`, { cwd: 'C:\\' }).includes('Bob'))
  })

  it('hides a prompt that is cut where its first words repeat', () => {
    const items = Array.from({ length: 150 }, (_, i) => `item ${i}`).join('\n')
    const prompt = `Fix it all\none a\n${items}\nFix it too\nlast`
    for (let before = 700; before < 800; before++) {
      const text = `${'warning text\n'.repeat(200).slice(0, before)}\nError: ${prompt}\n${'more\n'.repeat(4000)}`
      const shown = diagnosticOf(text, prompt)
      assert.ok(!/^ *item \d/m.test(shown), `${before}: ${shown.slice(0, 1200)}`)
    }
  })

  // Each of these once took from a second to minutes, in the host's event loop.
  it('takes little time for a hostile text of the longest kept length', () => {
    const startedAt = performance.now()
    const words =
      'token¦api-key¦_token_a_¦a¦eyJ¦A1b¦/¦\n¦aaaa ¦"¦\\¦@¦a:b@¦{"¦-----BEGIN ¦key-¦http://'.split(
        '¦',
      )
    for (const word of words) {
      const text = word.repeat(Math.ceil(10_240 / word.length))
      for (const said of [text, `x ${text} !`, `${text}=`]) diagnosticOf(said)
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
    it(`a value is hidden if its name was cut away: ${text}`, () => {
      assert.ok(!diagnosticOf(cutInside(text, cut)).includes('zq'))
    })
  }

  it('a prompt is hidden if its echo was cut off on both sides', () => {
    const prompt = Array.from({ length: 6000 }, (_, at) => `word${at}`).join(' ')
    const shown = diagnosticOf(`Error: cannot: ${prompt.slice(0, 20_000)}`, prompt)
    assert.doesNotMatch(shown, /word\d/)
  })
})
