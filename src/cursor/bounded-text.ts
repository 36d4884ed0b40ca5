/**
 * Text of unknown length kept in fixed memory: its first and its last bytes.
 * Owns what is kept and where the gap is; what it means belongs to `failures.ts`,
 * how it is shown to `failures/diagnostic.ts`.
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

  // By the byte and without views of it: a flood of short lines makes a million calls a second.
  push(bytes: Uint8Array, from = 0, to = bytes.length): void {
    let at = from
    while (at < to && this.#length < HEAD_KEPT_BYTES) this.#head[this.#length++] = bytes[at++] ?? 0
    if (to - at > TAIL_KEPT_BYTES) {
      this.#length += to - at - TAIL_KEPT_BYTES
      at = to - TAIL_KEPT_BYTES
    }
    for (; at < to; at++)
      this.#tail[(this.#length++ - HEAD_KEPT_BYTES) % TAIL_KEPT_BYTES] = bytes[at] ?? 0
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
