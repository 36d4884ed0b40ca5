/**
 * Keeps the first and the last bytes of a text of any length, in fixed memory. `failures.ts` knows
 * what the text means, `failures/diagnostic.ts` how to show it.
 */

/** Enough for an error, and for the start of the one-line list of 246 models. */
const HEAD_KEPT_BYTES = 2048
/** Larger, because most errors are at the end. */
const TAIL_KEPT_BYTES = 8192

/** `tail` is empty unless bytes between the two were dropped. */
export interface KeptText {
  readonly head: string
  readonly tail: string
}

const CONTINUATION_MASK = 0b1100_0000
const CONTINUATION = 0b1000_0000

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & CONTINUATION_MASK) === CONTINUATION
}

/** Drops an incomplete UTF-8 sequence at the end of `bytes`. */
function withoutCutEnd(bytes: Buffer): Buffer {
  let lead = bytes.length - 1
  while (lead >= 0 && lead > bytes.length - 4 && isContinuation(bytes[lead])) lead--
  const first = bytes[lead] ?? 0
  const wanted = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1
  return bytes.length - lead < wanted ? bytes.subarray(0, lead) : bytes
}

/** Drops an incomplete UTF-8 sequence at the start of `bytes`. */
export function withoutCutStart(bytes: Buffer): Buffer {
  let start = 0
  while (start < 3 && isContinuation(bytes[start])) start++
  return bytes.subarray(start)
}

/** Keeps the first {@link HEAD_KEPT_BYTES} and the last {@link TAIL_KEPT_BYTES} bytes. */
export class BoundedText {
  readonly #head = Buffer.allocUnsafe(HEAD_KEPT_BYTES)
  /** A ring buffer: the `n`th byte after the head is at `n % TAIL_KEPT_BYTES`. */
  readonly #tail = Buffer.allocUnsafe(TAIL_KEPT_BYTES)
  #length = 0

  /** All bytes pushed so far, including dropped ones. */
  get length(): number {
    return this.#length
  }

  // Copies byte by byte, because a flood of short lines calls this a million times a second, and
  // creating views would take longer.
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
