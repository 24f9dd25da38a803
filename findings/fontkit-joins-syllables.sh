#!/usr/bin/env bash
# Version: fontkit 2.0.4 (as pdfkit uses it), @fontsource/mukta-vaani 5.3.0, harfbuzzjs 1.6.4
# What: fontkit applies a Gujarati font's mark ligatures across syllables, so the vowel sign of one syllable takes up the
#       anusvara or reph of the next: the word શિવરંજની is misspelt on paper. Shaped grapheme by grapheme, every glyph is
#       the one that HarfBuzz chooses for the whole word.
# Source: github.com/foliojs/fontkit, src/opentype
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund fontkit@2.0.4 @fontsource/mukta-vaani@5.3.0 harfbuzzjs@1.6.4
cat >check.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { inflateSync } from 'node:zlib'
import * as fontkit from 'fontkit'
import { Blob, Buffer as Text, Face, Font, shape } from 'harfbuzzjs'

const woff = readFileSync('node_modules/@fontsource/mukta-vaani/files/mukta-vaani-gujarati-400-normal.woff')
const tables = Array.from({ length: woff.readUInt16BE(12) }, (_, index) => {
  const at = 44 + 20 * index
  const [offset, packed, length] = [4, 8, 12].map((field) => woff.readUInt32BE(at + field))
  const data = woff.subarray(offset, offset + packed)
  return { tag: woff.subarray(at, at + 4), sum: woff.subarray(at + 16, at + 20), data: packed < length ? inflateSync(data) : data }
})
const number = (value, bytes) => {
  const cell = Buffer.alloc(bytes)
  cell.writeUIntBE(value, 0, bytes)
  return cell
}
let at = 12 + 16 * tables.length
const head = [woff.subarray(4, 8), number(tables.length, 2), Buffer.alloc(6)]
const body = []
for (const { tag, sum, data } of tables) {
  head.push(tag, sum, number(at, 4), number(data.length, 4))
  body.push(data, Buffer.alloc(-data.length & 3))
  at += data.length + (-data.length & 3)
}
const harfbuzz = new Font(new Face(new Blob(Buffer.concat([...head, ...body])), 0))
const font = fontkit.create(woff)
const byHarfBuzz = (word) => {
  const text = new Text()
  text.addText(word)
  text.guessSegmentProperties()
  shape(harfbuzz, text)
  return text.getGlyphInfos().map(({ codepoint }) => codepoint)
}
const byFontkit = (text) => font.layout(text).glyphs.map(({ id }) => id)
const pieces = new Intl.Segmenter('gu')
const byPieces = (word) => [...pieces.segment(word)].flatMap(({ segment }) => byFontkit(segment))

const words = ['શિવરંજની', 'પ્રિયંકા', 'નિર્મલા', 'સિદ્ધાર્થ', 'વિનોદચંદ્ર', 'નિરંજન']
let asSeen = true
for (const word of words) {
  const right = `${byHarfBuzz(word)}`
  console.log(`${word}  HarfBuzz ${right}  fontkit ${byFontkit(word)}  by graphemes ${byPieces(word)}`)
  asSeen &&= `${byFontkit(word)}` !== right && `${byPieces(word)}` === right
}
console.log(asSeen ? 'as seen: the whole word differs, its graphemes do not' : 'changed')
process.exit(asSeen ? 0 : 1)
JS
node check.mjs
