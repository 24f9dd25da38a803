#!/usr/bin/env bash
# Version: zxing-wasm 3.1.6, @zxing/library 0.23.0, jsqr 1.4.0, @undecaf/zbar-wasm 0.11.0, lean-qr 2.7.4 (which draws the codes)
# What: The standard lets one text stand in two QR codes (structured append), and says in each that it is half. A scanner sees one
#   of them; one would expect its decoder to refuse it or to say so. zxing-wasm and @zxing/library give the half as a text like
#   any other, which sequenceSize of zxing-wasm alone tells apart. jsQR does not know the mode: the first half is a code found,
#   with an empty text, and the second no code at all; a set of one is empty as well. zbar-wasm gives the second half with a
#   U+0000 in front, and of both in one picture the whole text in either order, where zxing-wasm gives two texts in the order
#   in which they stand.
# Source: github.com/cozmo/jsQR, src/decoder/decodeData (ModeByte); github.com/mchehab/zbar, zbar/qrcode/qrdectxt.c
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund zxing-wasm@3.1.6 @zxing/library@0.23.0 jsqr@1.4.0 @undecaf/zbar-wasm@0.11.0 lean-qr@2.7.4
cat > look.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { scanImageData } from '@undecaf/zbar-wasm'
import zxing from '@zxing/library'
import jsqr from 'jsqr'
import { generate } from 'lean-qr'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

const { buffer: wasmBinary } = readFileSync('node_modules/zxing-wasm/dist/reader/zxing_reader.wasm')
prepareZXingModule({ overrides: { wasmBinary } })
const whole = new TextEncoder().encode('HELLO WORLD')
const parity = whole.reduce((sum, byte) => sum ^ byte)
// A structured append head (mode 3, index, count less one, parity) and a byte segment.
const draw = (index, count, text) =>
  generate((bits) => {
    bits.push(3, 4)
    bits.push(index, 4)
    bits.push(count - 1, 4)
    bits.push(parity, 8)
    bits.push(4, 4)
    bits.push(text.length, 8)
    for (const byte of new TextEncoder().encode(text)) bits.push(byte, 8)
  })
const scale = 6
const paint = (...codes) => {
  const [{ size }] = codes
  const step = size + 8
  const width = (codes.length * step + 8) * scale
  const data = new Uint8ClampedArray(width * width * 4).fill(255)
  for (let y = 0; y < width; y++) {
    for (let x = 0; x < width; x++) {
      const [column, row] = [Math.floor(x / scale) - 8, Math.floor(y / scale) - 8]
      const isDark = column >= 0 && codes[Math.floor(column / step)]?.get(column % step, row)
      if (isDark) data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3)
    }
  }
  return { data, width, height: width }
}
const decoders = {
  'zxing-wasm': async (image) => (await readBarcodes(image)).map(({ text, sequenceSize }) => `${text} (of ${sequenceSize})`).join(', '),
  '@zxing/library': ({ data, width, height }) => {
    const gray = data.filter((_, index) => index % 4 === 0)
    const source = new zxing.HybridBinarizer(new zxing.RGBLuminanceSource(gray, width, height))
    return new zxing.QRCodeReader().decode(new zxing.BinaryBitmap(source)).getText()
  },
  jsQR: ({ data, width, height }) => {
    const found = (jsqr.default ?? jsqr)(data, width, height)
    return found ? found.data || 'empty' : 'none'
  },
  'zbar-wasm': async (image) => (await scanImageData(image)).map((symbol) => symbol.decode().replace('\0', '\\0')).join(', '),
}
const [first, second] = [draw(0, 2, 'HELLO '), draw(1, 2, 'WORLD')]
const seen = [
  ['first half', paint(first), 'HELLO  (of 2)', 'HELLO ', 'empty', 'HELLO '],
  ['second half', paint(second), 'WORLD (of 2)', 'WORLD', 'none', '\\0WORLD'],
  ['a set of one', paint(draw(0, 1, 'HELLO WORLD')), 'HELLO WORLD (of 1)', 'HELLO WORLD', 'empty', 'HELLO WORLD'],
  ['both', paint(first, second), 'HELLO  (of 2), WORLD (of 2)', undefined, undefined, 'HELLO WORLD'],
  ['both, second first', paint(second, first), 'WORLD (of 2), HELLO  (of 2)', undefined, undefined, 'HELLO WORLD'],
]
let asSeen = true
for (const [what, image, ...expected] of seen) {
  console.log(what)
  for (const [index, [name, decode]] of Object.entries(decoders).entries()) {
    // The readers for one code in a picture are not asked about two.
    if (expected[index] === undefined) continue
    const found = await decode(image)
    console.log(`  ${name}: ${found}`)
    asSeen &&= found === expected[index]
  }
}
if (!asSeen) console.log('One of the four reads the halves otherwise than it did.')
process.exit(asSeen ? 0 : 1)
JS
node look.mjs
