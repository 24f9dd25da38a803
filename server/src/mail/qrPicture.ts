import { crc32, deflateSync } from 'node:zlib'
import { correction, generate } from 'lean-qr'

/** Pixels per module, and modules of the quiet zone around the code. */
const SCALE = 8
const QUIET = 4

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}

/** A QR code as a PNG of one bit per pixel, black on white: about a kilobyte, and sharp at any size. */
export function qrPicture(text: string): Buffer {
  const code = generate(text, { minCorrectionLevel: correction.M, maxCorrectionLevel: correction.M })
  const side = (code.size + 2 * QUIET) * SCALE
  const stride = 1 + Math.ceil(side / 8)
  const rows = Buffer.alloc(stride * side)
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++)
      if (!code.get(Math.floor(x / SCALE) - QUIET, Math.floor(y / SCALE) - QUIET)) {
        const at = y * stride + 1 + (x >> 3)
        rows.writeUInt8(rows.readUInt8(at) | (0x80 >> (x & 7)), at)
      }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side)
  header.writeUInt32BE(side, 4)
  // One bit of grey, deflated, no filter, not interlaced.
  header.writeUInt8(1, 8)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
