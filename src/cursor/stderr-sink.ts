/**
 * Passes the CLI's stderr on to the host's, at the speed at which the host's is read.
 * What is kept of it for a failure text belongs to `bounded-text.ts`.
 */

import type { Readable, Writable } from 'node:stream'

/** Writes in flight per sink; while there are any, an error of the sink is not the host's death. */
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
 * Writes `chunk` to `sink`. While the sink is full, `source` is paused; it is resumed once the
 * chunk is out or lost, so that a closed sink can never block the CLI. Never throws.
 */
export function passOn(source: Readable, chunk: Uint8Array, sink: Writable): void {
  if (!sink.writable) return
  hold(sink)
  let paused = false
  const written = (): void => {
    if (paused) source.resume()
    // A failed write is reported after its callback.
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
