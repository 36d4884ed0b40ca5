// How long the worst failures hold the event loop: from a line's last chunk to the failure's text, beside a
// plain `JSON.parse` of the same bytes. Every stream is one that a broken or hostile CLI could write.

import { BoundedText } from '../src/cursor/bounded-text.ts'
import { Masker } from '../src/cursor/masking.ts'
import { judge } from '../src/cursor/outcome.ts'
import { CursorStreamReader, MAX_LINE_BYTES } from '../src/cursor/stream-reader.ts'
import { inChunks, PIPE_CHUNK_BYTES } from '../tests/support/generators.ts'

const RESULT = '{"type":"result","is_error":true'
const PROMPT = 'Do something useful'

/** A result line that is as long as a line may be. */
const filled = (member: string, piece: string, end: string): string => {
  const start = `${RESULT},${member}`
  return start + piece.repeat((MAX_LINE_BYTES - start.length - end.length) / piece.length) + end
}

const FAILURES: Readonly<Record<string, { line: string; stderr?: string }>> = {
  '700,000 keys': {
    line: `${RESULT}${Array.from({ length: 700_000 }, (_, i) => `,"${i.toString(36)}":0`).join('')}}`,
  },
  'nesting of 3,000,000': { line: `${RESULT},"result":${'['.repeat(3e6)}${']'.repeat(3e6)}}` },
  'echo of an answer': {
    line: `${RESULT},"result":"${'a'.repeat(262_144)}"}`,
    stderr: `${'a'.repeat(100)}b${'a'.repeat(100)}\n`.repeat(50),
  },
  'list of texts': { line: filled('"result":[', '"",', '""]}') },
  'answer of line ends': { line: filled('"result":"', String.raw`\n`, '"}') },
  'escaped keys': { line: filled('', String.raw`"\u0075":0,`, '"a":0}') },
}

export interface WorstFailure {
  readonly what: string
  /** The longest turn, in ms. */
  readonly turn: number
  /** `JSON.parse` of the line, in ms. */
  readonly parse: number
}

const timed = (run: () => void): number => {
  const start = performance.now()
  run()
  return performance.now() - start
}

/** The longest turn of each failure, the best of `rounds`, longest first. */
export function worstFailures(rounds: number): WorstFailure[] {
  return Object.entries(FAILURES)
    .map(([what, { line, stderr = '' }]) => {
      const text = Buffer.from(`${line}\n`)
      const turns = Array.from({ length: rounds }, () => longestTurn(text, stderr))
      const parses = Array.from({ length: rounds }, () => timed(() => JSON.parse(line)))
      return { what, turn: Math.min(...turns), parse: Math.min(...parses) }
    })
    .toSorted((a, b) => b.turn - a.turn)
}

function longestTurn(bytes: Uint8Array, said: string): number {
  const reader = new CursorStreamReader()
  const stderr = new BoundedText()
  stderr.push(Buffer.from(said))
  const chunks = inChunks(bytes, PIPE_CHUNK_BYTES)
  const pushes = chunks.map((chunk) => timed(() => reader.push(chunk)))
  // The verdict follows the last chunk in the same turn.
  const verdict = timed(() => {
    const { status } = judge(
      { end: 'result', reader, stderr, exit: undefined },
      { prompt: PROMPT, model: undefined },
      () =>
        new Masker({
          environmentValues: [],
          prompt: PROMPT,
          answer: reader.result?.result,
          home: '/home/me',
          cwd: '/srv/repo',
        }),
    )
    if (status !== 'failed') throw new Error('the stream was not read as a failure')
  })
  return Math.max(...pushes, (pushes.at(-1) ?? 0) + verdict)
}
