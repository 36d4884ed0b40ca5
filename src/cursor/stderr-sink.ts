/**
 * Copies the CLI's stderr to the host's, no faster than the host's is read. `bounded-text.ts` keeps
 * the part that a failure text shows.
 */

import type { Readable, Writable } from 'node:stream'

/** Writes in flight per sink; while there are any, a listener keeps its errors from crashing the host. */
const writesInFlight = new WeakMap<Writable, number>()

const ignore = (): void => {}

function hold(sink: Writable): void {
  const writes = writesInFlight.get(sink) ?? 0
  if (writes === 0) sink.on('error', ignore)
  writesInFlight.set(sink, writes + 1)
}

function release(sink: Writable): void {
  const writes = (writesInFlight.get(sink) ?? 1) - 1
  writesInFlight.set(sink, writes)
  if (writes === 0) sink.off('error', ignore)
}

/**
 * Writes `chunk` to `sink`. If the sink is full, pauses `source` until the chunk is written or lost,
 * so that a closed sink can never block the CLI. Never throws.
 */
export function passOn(source: Readable, chunk: Uint8Array, sink: Writable): void {
  if (!sink.writable) return
  hold(sink)
  let paused = false
  const written = (): void => {
    if (paused) source.resume()
    // Node emits the error of a failed write only after this callback.
    setImmediate(release, sink)
  }
  try {
    if (!sink.write(chunk, written)) {
      paused = true
      source.pause()
    }
  } catch {
    setImmediate(release, sink)
  }
}
