// Streams as the Cursor CLI writes them, made from a seed, for the tests and the benchmark alike.
// Field order and sizes follow public captures of builds 2026.01 to 2026.10; what a reader makes of
// the bytes is `oracle.ts`'s business, and the arbitraries for fast-check are in `arbitraries.ts`.

const SESSION = '11111111-1111-4111-8111-111111111111'
const KIB = 1024
const MIB = 1024 * KIB
/** What one read of a pipe gives on Linux. */
export const PIPE_CHUNK_BYTES = 64 * KIB

/** Yields numbers in [0, 1); the same seed gives the same numbers on every machine. */
export type Random = () => number

/** A 32-bit generator with Weyl steps and a multiplicative finish: small, quick, good enough for fixtures. */
function seeded(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
}

const between = (random: Random, low: number, high: number): number =>
  low + Math.floor(random() * (high - low + 1))

/** Small sizes are common and big ones are not, as with the files that an agent reads. */
const betweenLog = (random: Random, low: number, high: number): number =>
  Math.round(low * (high / low) ** random())

// Quotes, backslashes, tabs and line ends, so that a tool body is full of escapes like real source code.
const CODE = [
  'export function resolve(path: string): string {\n',
  '  const parts = path.split("/").filter((part) => part !== "")\n',
  "  if (parts[0] === '..') throw new Error(`outside: ${path}`)\n",
  '\treturn parts.join("\\\\")\n',
  '}\n\n',
  '// TODO: {"type":"result","subtype":"success"} must not be read here\n',
  'test("keeps order", async () => { await run([1, 2, 3]) })\n',
]
const PROSE = [
  'I will read the file first. ',
  'The tests pass now, and the ',
  'change is small: one guard ',
  'in the parser; nothing else. ',
]

/** Text of at least `length` UTF-16 units made of whole pieces of `pieces`. */
function textOf(random: Random, pieces: readonly string[], length: number): string {
  let text = ''
  while (text.length < length) text += pieces[Math.floor(random() * pieces.length)]
  return text
}

const line = (event: object): string => JSON.stringify(event)

/** `system`/`init`, the first line of every run. */
export const initLine = (): string =>
  line({
    type: 'system',
    subtype: 'init',
    apiKeySource: 'login',
    cwd: '/srv/repo',
    session_id: SESSION,
    model: 'Auto',
    permissionMode: 'default',
  })

/** The echo of the prompt. */
export const userLine = (text: string): string =>
  line({
    type: 'user',
    message: { role: 'user', content: [{ type: 'text', text }] },
    session_id: SESSION,
  })

/** A piece of what the model thinks; without a text: that it is done. */
export const thinkingLine = (text?: string, timestamp = 1_790_000_000_000): string =>
  line({
    type: 'thinking',
    subtype: text === undefined ? 'completed' : 'delta',
    text,
    session_id: SESSION,
    timestamp_ms: timestamp,
  })

export const assistantLine = (text: string): string =>
  line({
    type: 'assistant',
    message: { role: 'assistant', content: [{ type: 'text', text }] },
    session_id: SESSION,
  })

export const toolStartedLine = (id: string, path: string): string =>
  line({
    type: 'tool_call',
    subtype: 'started',
    call_id: `call-${id}\nfc_${id}`,
    tool_call: { readToolCall: { args: { path } }, toolCallId: id, startedAtMs: '1790000000010' },
    model_call_id: `model-${id}`,
    session_id: SESSION,
    timestamp_ms: 1_790_000_000_010,
  })

/** A finished tool call whose line carries the text that the tool read, as real ones do. */
export const toolCompletedLine = (id: string, path: string, content: string): string =>
  line({
    type: 'tool_call',
    subtype: 'completed',
    call_id: `call-${id}\nfc_${id}`,
    tool_call: {
      readToolCall: {
        args: { path },
        result: { success: { content, isEmpty: false, exceededLimit: false, totalLines: 54 } },
      },
      hookAdditionalContexts: [],
      toolCallId: id,
      startedAtMs: '1790000000010',
    },
    model_call_id: `model-${id}`,
    session_id: SESSION,
    timestamp_ms: 1_790_000_000_020,
  })

export const resultLine = (result: string): string =>
  line({
    type: 'result',
    subtype: 'success',
    duration_ms: 4200,
    duration_api_ms: 4200,
    is_error: false,
    result,
    session_id: SESSION,
    request_id: '22222222-2222-4222-8222-222222222222',
    usage: { inputTokens: 9880, outputTokens: 29, cacheReadTokens: 64, cacheWriteTokens: 0 },
  })

/**
 * One run of an agent at work: `toolCalls` calls (78 and 92 were measured in real delegations), each after
 * a few thinking deltas, with tool bodies of 1 to 30 KB and an assistant message every ten calls.
 */
export function realisticLines(seed = 1, toolCalls = 85): string[] {
  const random = seeded(seed)
  const lines = [initLine(), userLine(textOf(random, PROSE, 400))]
  const said: string[] = []
  for (let call = 0; call < toolCalls; call++) {
    const deltas = between(random, 4, 16)
    for (let delta = 0; delta < deltas; delta++) {
      lines.push(
        thinkingLine(textOf(random, PROSE, between(random, 4, 60)), 1_790_000_000_000 + delta),
      )
    }
    lines.push(thinkingLine(undefined, 1_790_000_000_099))
    if (call % 10 === 0) {
      const text = textOf(random, PROSE, between(random, 40, 600))
      said.push(text)
      lines.push(assistantLine(text))
    }
    const path = `/srv/repo/src/module-${call}.ts`
    lines.push(toolStartedLine(`t${call}`, path))
    lines.push(
      toolCompletedLine(`t${call}`, path, textOf(random, CODE, betweenLog(random, KIB, 30 * KIB))),
    )
  }
  const answer = textOf(random, PROSE, 3000)
  said.push(answer)
  lines.push(assistantLine(answer), resultLine(said.join('')))
  return lines
}

/** A run whose tools read big files: `count` completed calls of about `bytes` bytes each, and a result. */
export function largeToolLines(seed = 2, count = 12, bytes = 400 * KIB): string[] {
  const random = seeded(seed)
  const lines = [initLine(), userLine('Read the big files.')]
  for (let call = 0; call < count; call++) {
    const path = `/srv/repo/dist/bundle-${call}.js`
    lines.push(toolStartedLine(`b${call}`, path))
    lines.push(toolCompletedLine(`b${call}`, path, textOf(random, CODE, bytes)))
  }
  lines.push(resultLine('Read them all.'))
  return lines
}

/** A run whose answer alone is `bytes` bytes long (an answer of 235 KB has been captured). */
export const bigResultLines = (bytes = 4 * MIB): string[] => [
  initLine(),
  resultLine(textOf(seeded(6), PROSE, bytes)),
]

/** Every line ended by one `\n`, as bytes. */
export const toBytes = (lines: readonly string[]): Uint8Array =>
  Buffer.from(lines.map((text) => `${text}\n`).join(''))

/** The bytes in pieces of `size` bytes, the last one shorter: views, nothing is copied. */
export function inChunks(bytes: Uint8Array, size: number): Uint8Array[] {
  const chunks: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size))
  return chunks
}
