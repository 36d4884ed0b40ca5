// How long the worst failures hold the event loop: from a line's last chunk to the failure's text. Every
// stream is one that a broken or hostile CLI could write.

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

/** What is wrong: the line, and stderr. */
const FAILURES: Readonly<Record<string, readonly [line: string, stderr?: string]>> = {
  '700,000 keys': [
    `${RESULT}${Array.from({ length: 700_000 }, (_, i) => `,"${i.toString(36)}":0`).join('')}}`,
  ],
  'nesting of 3,000,000': [`${RESULT},"result":${'['.repeat(3e6)}${']'.repeat(3e6)}}`],
  'echo of an answer': [
    `${RESULT},"result":"${'a'.repeat(262_144)}"}`,
    `${'a'.repeat(100)}b${'a'.repeat(100)}\n`.repeat(50),
  ],
  'list of texts': [filled('"result":[', '"",', '""]}')],
  'answer of line ends': [filled('"result":"', String.raw`\n`, '"}')],
  'escaped keys': [filled('', String.raw`"\u0075":0,`, '"a":0}')],
}

/** The longest turn of each failure in ms, the best of `rounds`, longest first. */
export function worstFailures(rounds: number): [what: string, ms: number][] {
  return Object.entries(FAILURES)
    .map(([what, [line, stderr = '']]): [string, number] => {
      const bytes = Buffer.from(`${line}\n`)
      return [what, Math.min(...Array.from({ length: rounds }, () => longestTurn(bytes, stderr)))]
    })
    .toSorted(([, a], [, b]) => b - a)
}

function longestTurn(bytes: Uint8Array, said: string): number {
  const reader = new CursorStreamReader()
  const stderr = new BoundedText()
  stderr.push(Buffer.from(said))
  let longest = 0
  let start = performance.now()
  for (const chunk of inChunks(bytes, PIPE_CHUNK_BYTES)) {
    longest = Math.max(longest, performance.now() - start)
    start = performance.now()
    reader.push(chunk)
  }
  // The verdict follows the last chunk in the same turn.
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
  return Math.max(longest, performance.now() - start)
}
