// Judges a failed run from what its process left, without a process.
import assert from 'node:assert/strict'
import { BoundedText } from '../../src/cursor/bounded-text.ts'
import { Masker } from '../../src/cursor/masking.ts'
import { judge, type Evidence, type RunFailure, type Verdict } from '../../src/cursor/outcome.ts'
import { CursorStreamReader } from '../../src/cursor/stream-reader.ts'

export interface Left {
  readonly stdout?: string | Uint8Array
  readonly stderr?: string
  readonly exit?: Evidence['exit']
  readonly end?: Evidence['end']
  readonly prompt?: string
  readonly model?: string
  readonly doctorCommand?: string
}

export function verdictOn(left: Left): Verdict {
  const reader = new CursorStreamReader()
  reader.push(Buffer.from(left.stdout ?? ''))
  reader.end()
  const stderr = new BoundedText()
  stderr.push(Buffer.from(left.stderr ?? ''))
  const prompt = left.prompt ?? 'Do something useful'
  return judge(
    {
      end: left.end ?? 'exited',
      reader,
      stderr,
      exit: left.exit ?? { exitCode: 1, signal: null },
    },
    { prompt, model: left.model, doctorCommand: left.doctorCommand },
    () =>
      new Masker({
        environmentValues: [],
        prompt,
        answer: reader.result?.result,
        home: '/home/me',
        cwd: '/srv/repo',
      }),
  )
}

export function judged(left: Left): RunFailure {
  const verdict = verdictOn(left)
  assert.equal(verdict.status, 'failed')
  return verdict.failure
}
