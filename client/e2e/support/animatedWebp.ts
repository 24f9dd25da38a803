import type { Page } from '@playwright/test'

export interface Frame {
  png: Buffer
  /** How long it is shown. */
  ms: number
}

/** What changed since the frame before, as a still WebP. */
interface Change {
  x: number
  y: number
  width: number
  height: number
  webp: string
}

/**
 * An animated WebP that plays for ever. Chromium encodes the part of each frame that changed; here the parts are put
 * into the container (developers.google.com/speed/webp/docs/riff_container). Any page will do, and it is not changed.
 */
export async function animatedWebp(page: Page, frames: readonly Frame[], quality: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let canvas = { width: 0, height: 0 }
  let before: string | null = null
  for (const { png, ms } of merged(frames)) {
    const now = png.toString('base64')
    const { x, y, width, height, webp } = await page.evaluate(changeOf, [before, now, quality] as const)
    if (before === null) canvas = { width, height }
    const place = Buffer.concat([u24(x / 2), u24(y / 2), u24(width - 1), u24(height - 1), u24(ms), NO_BLENDING])
    parts.push(chunk('ANMF', Buffer.concat([place, imageOf(Buffer.from(webp, 'base64'))])))
    before = now
  }
  const size = Buffer.concat([ANIMATED, u24(canvas.width - 1), u24(canvas.height - 1)])
  return chunk('RIFF', Buffer.concat([Buffer.from('WEBP'), chunk('VP8X', size), chunk('ANIM', FOR_EVER), ...parts]))
}

const ANIMATED = Buffer.from([2, 0, 0, 0])
const NO_BLENDING = Buffer.from([2])
/** Its background colour, then how often. */
const FOR_EVER = Buffer.alloc(6)

/** A frame that looks like the one before makes that one longer. */
function merged(frames: readonly Frame[]): Frame[] {
  const kept: Frame[] = []
  for (const { png, ms } of frames) {
    const last = kept.at(-1)
    if (last?.png.equals(png)) last.ms += ms
    else kept.push({ png, ms })
  }
  return kept
}

const u24 = (value: number): Buffer => Buffer.from([value & 255, (value >> 8) & 255, value >> 16])

/** A chunk is of even length; its size says nothing of the byte that fills it up. */
function chunk(name: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(name)
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

/** The picture's own chunk of a still WebP, without what stands around it. */
function imageOf(still: Buffer): Buffer {
  for (let at = 12; at < still.length; ) {
    const end = at + 8 + still.readUInt32LE(at + 4)
    if (/^VP8[ L]$/.test(still.toString('latin1', at, at + 4))) return still.subarray(at, end + (end % 2))
    at = end + (end % 2)
  }
  throw new Error('A WebP without a picture')
}

/** In the page, whose browser has the decoder and the encoder. */
async function changeOf([before, now, quality]: readonly [string | null, string, number]): Promise<Change> {
  const drawn = async (png: string) => {
    const picture = await createImageBitmap(
      new Blob([Uint8Array.from(atob(png), (c) => c.charCodeAt(0))], { type: 'image/png' }),
    )
    const pen = new OffscreenCanvas(picture.width, picture.height).getContext('2d', { alpha: false })
    if (!pen) throw new Error('No canvas')
    pen.drawImage(picture, 0, 0)
    return pen
  }
  const pen = await drawn(now)
  const { width, height } = pen.canvas
  let [left, top, right, bottom] = [0, 0, width, height]
  if (before !== null) {
    const pixelsOf = (of: typeof pen) => new Uint32Array(of.getImageData(0, 0, width, height).data.buffer)
    const [a, b] = [pixelsOf(await drawn(before)), pixelsOf(pen)]
    ;[left, top, right, bottom] = [width, height, 0, 0]
    for (let i = 0; i < b.length; i++) {
      if (a[i] === b[i]) continue
      const [x, y] = [i % width, Math.floor(i / width)]
      left = Math.min(left, x)
      right = Math.max(right, x + 1)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y + 1)
    }
    // Offsets are stored by halves.
    left -= left % 2
    top -= top % 2
  }
  const part = new OffscreenCanvas(right - left, bottom - top)
  part.getContext('2d', { alpha: false })?.drawImage(pen.canvas, -left, -top)
  const blob = await part.convertToBlob({ type: 'image/webp', quality })
  const bytes = new Uint8Array(await blob.arrayBuffer())
  const webp = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  return { x: left, y: top, width: right - left, height: bottom - top, webp }
}
