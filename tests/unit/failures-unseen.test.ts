// The texts of tests/failures.jsonl, which are in no recorded case: other wording, casing, codes,
// classes, loaders and layouts. They hold the tables to the kinds of failure, not to the texts that
// they were written from; so do sentences made up at random.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import type { FailureCategory } from '../../src/cursor/failures/categories.ts'
import { parseErrorLine, quoteFrom, wordsIn } from '../../src/cursor/failures/quotation.ts'
import { isRpcCode, recogniseFailure, TABLES, type Tables } from '../../src/cursor/failures.ts'
import { runCases, stdoutBytes } from '../support/cases.ts'
import { judged } from '../support/judged.ts'

const TEXTS: readonly { readonly category: FailureCategory; readonly text: string }[] =
  readFileSync(new URL('../failures.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('a text of a known kind', () => {
  for (const { category, text } of TEXTS) {
    it(`is ${category}: ${text.split('\n', 1)[0]?.slice(0, 90)}`, () => {
      for (const stream of ['stderr', 'stdout'] as const) {
        const failure = judged({ [stream]: `${text}\n`, prompt: 'tidy the shop page' })
        assert.equal(failure.category, category, stream)
        assert.ok(!failure.diagnostic.includes('someone'), failure.diagnostic)
      }
    })
  }
})

describe('the tables', () => {
  const texts = [
    ...TEXTS.map(({ text }) => text),
    ...runCases.flatMap((item) => [item.stderr, stdoutBytes(item).toString()]),
  ].map((text) => wordsIn({ head: text, tail: '' }))
  const readings = (tables?: Tables): string =>
    texts
      .map((lines) => {
        const { category, nextStep, recoverable, startRace } =
          recogniseFailure(lines, 1, tables) ?? {}
        return JSON.stringify([category, nextStep, recoverable, startRace])
      })
      .join('\n')
  const withAll = readings()

  for (const name of ['sentences', 'shapes'] as const) {
    TABLES[name].forEach((row, at) => {
      for (const pattern of row.patterns) {
        it(`need ${pattern} (${row.category})`, () => {
          const less = { ...row, patterns: row.patterns.filter((other) => other !== pattern) }
          assert.notEqual(readings({ ...TABLES, [name]: TABLES[name].with(at, less) }), withAll)
        })
      }
    })
  }

  TABLES.errors.forEach((row, at) => {
    for (const key of ['codes', 'classes'] as const) {
      for (const one of row[key] ?? []) {
        it(`need ${one}`, () => {
          const less = { ...row, [key]: row[key]?.filter((other) => other !== one) }
          assert.notEqual(readings({ ...TABLES, errors: TABLES.errors.with(at, less) }), withAll)
        })
      }
    }
  })
})

/** A sentence that nobody has written, of words that no table knows. */
const sentence = fc
  .array(fc.stringMatching(/^[bdfgklmprtvz][aou][bdfgklmprtvz]{1,2}[aou]n$/), {
    minLength: 3,
    maxLength: 20,
  })
  .map((words) => `Zu ${words.join(' ')}.`)

/** How builds print what stands before a sentence. */
const before = (classes: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom('', 'Error: ', '✗ ', '\u001b[31mError: '),
      fc.constantFrom('', ...classes),
    )
    .map(([mark, name]) => mark + (name === '' ? '' : `${name}: `))

const SECRET = 'crsr_9f8e7d6c5b4a39281706f5e4d3c2b1a0'
const REQUEST = '7d1f5a02-1111-4222-8333-abcdefabcdef'
const behind = fc.constantFrom(
  '',
  ` (request id: ${REQUEST})`,
  ` Request ID: ${REQUEST}`,
  ` [${REQUEST}]`,
  `\n    at q (file:///home/someone/index.js:2:100)`,
  ` See https://example.invalid/x?token=${SECRET} or ask someone@example.invalid.`,
)

describe('a sentence that nobody has written before', () => {
  const check = (category: FailureCategory, head: fc.Arbitrary<string>): void =>
    fc.assert(
      fc.property(
        head,
        sentence,
        behind,
        fc.constantFrom('stderr', 'stdout'),
        (start, said, end, stream) => {
          const failure = judged({ [stream]: `${start}${said}${end}\n` })
          const [first = ''] = failure.diagnostic.split('\n')
          assert.equal(failure.category, category)
          assert.ok(first.includes(`The CLI says: “${said}`), first)
          assert.doesNotMatch(failure.said ?? '', /request/i)
          assert.doesNotMatch(first, /\w(?:Error|Exception)\b|\[[a-z_]+\]|\u001b/)
          for (const hidden of [SECRET, REQUEST, 'someone'])
            assert.ok(!first.includes(hidden), first)
        },
      ),
      { numRuns: 60 },
    )
  /** As builds write a code: with underscores, in capitals, in brackets or before a colon. */
  const PARTS = /(?<=out|of|not|data|already|deadline|permission|failed|resource|invalid)(?!$)/g
  const spelled = (code: string): string[] => {
    const word = code.replaceAll(PARTS, '_')
    const bracketed = [`[${word}] `, `[${word.toUpperCase()}] `]
    // Words that stand in other texts too count only in brackets.
    if (/^(?:out_of_range|not_found|data_loss)$/.test(word)) return bracketed
    return [...bracketed, `${word}: `, `Connect error ${word}: `]
  }

  for (const { category, codes = [], classes = [] } of TABLES.errors) {
    for (const code of codes) {
      it(`is quoted behind the code ${code}`, () => {
        const anyClass = before(['RetriableError', 'NonRetriableError', 'ConnectError', 'T', 'b'])
        const head = fc.tuple(anyClass, fc.constantFrom(...spelled(code)))
        check(
          category,
          head.map((parts) => parts.join('')),
        )
      })
    }
    for (const name of classes) {
      it(`is quoted behind the class ${name}`, () =>
        check(
          category,
          before([name]).filter((head) => head.includes(name)),
        ))
    }
  }

  it('is quoted behind a class that a minifier left one letter of', () =>
    check(
      'no-result',
      before(['T', 'S', 'b']).filter((head) => /[TSb]: $/.test(head)),
    ))

  it('is quoted where nothing stands before it', () =>
    check('no-result', fc.constantFrom('', 'Error: ')))
})

it('a class name inside another one is not that class', () => {
  const { classes } = parseErrorLine('Error: NonRetriableError: x', isRpcCode)
  assert.deepEqual(classes, ['error', 'nonretriableerror'])
})

// Each repeats a piece of some pattern, so that every quantifier has something to try. One text takes
// at most some 10 ms; a pattern that is not linear would take minutes, in the host's event loop.
it('takes little time for a hostile text of the longest kept length', () => {
  const startedAt = performance.now()
  const pieces = new Set(
    [...TABLES.sentences, ...TABLES.shapes]
      .flatMap(({ patterns }) => patterns)
      .flatMap(({ source }) => source.split(/[|()[\]?+*{}^$\\.]+/))
      .filter((piece) => piece.length > 2),
  )
  for (const piece of [...pieces, 'Error: ', 'T: ', '[unavailable] ', '✗ ', 'EPERM ', '\n^\n']) {
    const text = `${piece.repeat(Math.ceil(1900 / piece.length))}\n`.repeat(5)
    const lines = wordsIn({ head: text, tail: '' })
    quoteFrom(lines, isRpcCode, recogniseFailure(lines, 1)?.isCause)
  }
  assert.ok(performance.now() - startedAt < 60_000)
})
