// Makes a screenshot small enough for a README: a PNG with a palette instead of true colours. It
// reads what Chromium writes (8 bits a channel, not interlaced) and nothing else.

import assert from 'node:assert/strict'
import { crc32, deflateSync, inflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const COLOURS = 256
/** The squared distance of two shades, over the three channels of 0 to 255. */
const SAME_SHADE = 12

interface Pixels {
  readonly width: number
  readonly height: number
  /** One number 0xRRGGBB for each pixel. */
  readonly colours: Uint32Array
}

/** The same picture in at most 256 colours, each other one as the nearest of them. */
export function withPalette(png: Buffer): Buffer {
  const { width, height, colours } = decode(png)
  const counts = new Map<number, number>()
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const palette: number[] = []
  const indices = new Map<number, number>()
  // The most frequent first. Shades that the eye takes for one share a place, so that there is one
  // for a small dot in a colour of its own, too.
  for (const [colour] of [...counts].toSorted(([, a], [, b]) => b - a)) {
    const { index, distance } = nearest(colour, palette)
    const isNew = palette.length < COLOURS && distance > SAME_SHADE
    indices.set(colour, isNew ? palette.push(colour) - 1 : index)
  }

  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      rows[y * (width + 1) + 1 + x] = indices.get(colours[y * width + x] ?? 0) ?? 0
    }
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.writeUInt8(8, 8)
  head.writeUInt8(3, 9)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from(palette.flatMap(channels))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function channels(colour: number): [number, number, number] {
  return [colour >> 16, (colour >> 8) & 255, colour & 255]
}

function nearest(colour: number, palette: readonly number[]): { index: number; distance: number } {
  const [red, green, blue] = channels(colour)
  const best = { index: 0, distance: Infinity }
  for (const [index, other] of palette.entries()) {
    const [r, g, b] = channels(other)
    const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2
    if (distance < best.distance) Object.assign(best, { index, distance })
  }
  return best
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

function decode(png: Buffer): Pixels {
  assert.deepEqual(png.subarray(0, 8), SIGNATURE)
  const parts = new Map<string, Buffer[]>()
  for (let at = 8; at < png.length;) {
    const end = at + 8 + png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    parts.set(type, [...(parts.get(type) ?? []), png.subarray(at + 8, end)])
    at = end + 4
  }
  const [head = Buffer.alloc(13)] = parts.get('IHDR') ?? []
  const width = head.readUInt32BE(0)
  const height = head.readUInt32BE(4)
  const bytes = { 2: 3, 6: 4 }[head.readUInt8(9)]
  assert.ok(bytes !== undefined && head.readUInt8(8) === 8 && head.readUInt8(12) === 0)

  const data = inflateSync(Buffer.concat(parts.get('IDAT') ?? []))
  const stride = width * bytes
  const colours = new Uint32Array(width * height)
  let above = new Uint8Array(stride)
  for (let y = 0; y < height; y++) {
    const start = y * (stride + 1)
    const row = new Uint8Array(data.subarray(start + 1, start + 1 + stride))
    unfilter(data[start] ?? 0, row, above, bytes)
    for (let x = 0; x < width; x++) {
      const at = x * bytes
      colours[y * width + x] =
        ((row[at] ?? 0) << 16) | ((row[at + 1] ?? 0) << 8) | (row[at + 2] ?? 0)
    }
    above = row
  }
  return { width, height, colours }
}

/** Undoes a row's filter in place: none, left, above, their mean, or Paeth's choice. */
function unfilter(filter: number, row: Uint8Array, above: Uint8Array, bytes: number): void {
  for (let at = 0; at < row.length; at++) {
    const left = row[at - bytes] ?? 0
    const up = above[at] ?? 0
    const corner = above[at - bytes] ?? 0
    row[at] = (row[at] ?? 0) + [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter]!
  }
}

function paeth(left: number, up: number, corner: number): number {
  const toLeft = Math.abs(up - corner)
  const toUp = Math.abs(left - corner)
  const toCorner = Math.abs(left + up - 2 * corner)
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}
