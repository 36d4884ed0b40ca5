/**
 * Text of unknown length kept in fixed memory: its first and its last bytes.
 * Owns what is kept and where the gap is; what it means belongs to `failures.ts`,
 * how it is shown to `diagnostic.ts`.
 */

/** Kept from the start: the head of a one-line list of 246 models is longer than an error. */
const HEAD_KEPT_BYTES = 2048
/** Kept from the end: where most errors stand. */
const TAIL_KEPT_BYTES = 8192

/** What was kept, decoded. `tail` is empty unless something between the two was dropped. */
export interface KeptText {
  readonly head: string
  readonly tail: string
}

const CONTINUATION_MASK = 0b1100_0000
const CONTINUATION = 0b1000_0000

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & CONTINUATION_MASK) === CONTINUATION
}

/** Without the UTF-8 sequence that the end of `bytes` cuts in two. */
function withoutCutEnd(bytes: Buffer): Buffer {
  let lead = bytes.length - 1
  while (lead >= 0 && lead > bytes.length - 4 && isContinuation(bytes[lead])) lead--
  const first = bytes[lead] ?? 0
  const wanted = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1
  return bytes.length - lead < wanted ? bytes.subarray(0, lead) : bytes
}

/** Without the UTF-8 sequence that the start of `bytes` cuts in two. */
export function withoutCutStart(bytes: Buffer): Buffer {
  let start = 0
  while (start < 3 && isContinuation(bytes[start])) start++
  return bytes.subarray(start)
}

/** The first {@link HEAD_KEPT_BYTES} and the last {@link TAIL_KEPT_BYTES} bytes of what is pushed. */
export class BoundedText {
  readonly #head = Buffer.allocUnsafe(HEAD_KEPT_BYTES)
  /** A ring: the byte pushed as number `n` after the head lies at `n % TAIL_KEPT_BYTES`. */
  readonly #tail = Buffer.allocUnsafe(TAIL_KEPT_BYTES)
  #length = 0

  /** Bytes pushed so far, kept or not. */
  get length(): number {
    return this.#length
  }

  push(chunk: Uint8Array): void {
    let rest = chunk
    if (this.#length < HEAD_KEPT_BYTES) {
      const taken = rest.subarray(0, HEAD_KEPT_BYTES - this.#length)
      this.#head.set(taken, this.#length)
      this.#length += taken.length
      rest = rest.subarray(taken.length)
    }
    if (rest.length > TAIL_KEPT_BYTES) {
      this.#length += rest.length - TAIL_KEPT_BYTES
      rest = rest.subarray(rest.length - TAIL_KEPT_BYTES)
    }
    while (rest.length > 0) {
      const at = (this.#length - HEAD_KEPT_BYTES) % TAIL_KEPT_BYTES
      const taken = rest.subarray(0, TAIL_KEPT_BYTES - at)
      this.#tail.set(taken, at)
      this.#length += taken.length
      rest = rest.subarray(taken.length)
    }
  }

  kept(): KeptText {
    const head = this.#head.subarray(0, Math.min(this.#length, HEAD_KEPT_BYTES))
    const afterHead = Math.max(0, this.#length - HEAD_KEPT_BYTES)
    if (afterHead <= TAIL_KEPT_BYTES) {
      return { head: Buffer.concat([head, this.#tail.subarray(0, afterHead)]).toString(), tail: '' }
    }
    const oldest = afterHead % TAIL_KEPT_BYTES
    const tail = Buffer.concat([this.#tail.subarray(oldest), this.#tail.subarray(0, oldest)])
    return { head: withoutCutEnd(head).toString(), tail: withoutCutStart(tail).toString() }
  }
}
