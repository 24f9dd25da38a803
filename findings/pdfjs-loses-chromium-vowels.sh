#!/usr/bin/env bash
# Version: Chromium 156.0.8078.114 (Debian 12), playwright-core 1.65.1, pdfjs-dist 6.5.438, pdftotext of poppler-utils 22.12.0,
#   @fontsource/mukta-vaani 5.3.0
# What: A page of tickets that Chromium saves as PDF. It looks right everywhere, and one would expect its words to be read from it
#   as well. Where letters and glyphs do not pair off, Chromium writes a syllable's letters beside it, as ActualText, and gives
#   the glyphs none or another's. pdftotext takes the ActualText, and all words come out whole. pdf.js passes over it: ટિકિટ is
#   \0ટ\0કટ, of શ્રી one vowel sign is left, and a search for either finds nothing, tagged or not. ગરબા, મહોત્સવ and digits come out
#   whole in both, so a test with such a word shows nothing, and one that reads the PDF by pdf.js calls a good one bad.
# Source: github.com/mozilla/pdf.js/issues/12237; skia, src/pdf/SkPDFDevice.cpp (ActualText)
set -euo pipefail
chromium=$(command -v chromium || true)
if [ -z "$chromium" ] || ! command -v pdftotext >/dev/null; then
  echo 'This needs Chromium and pdftotext (apt-get install chromium poppler-utils).'
  exit 2
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --omit=optional playwright-core@1.65.1 pdfjs-dist@6.5.438 @fontsource/mukta-vaani@5.3.0
"$chromium" --version 2>/dev/null
pdftotext -v 2>&1 | sed -n 1p
cat > look.mjs <<'JS'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { chromium } from 'playwright-core'

// pdfjs-dist wants these when it loads; reading text does not use them.
console.warn = () => {}
Object.assign(globalThis, { DOMMatrix: class {}, ImageData: class {}, Path2D: class {} })
const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs')

const font = readFileSync('node_modules/@fontsource/mukta-vaani/files/mukta-vaani-gujarati-400-normal.woff2').toString('base64')
const style = `@font-face { font-family: F; src: url(data:font/woff2;base64,${font}) } body { font: 20px F }`
const browser = await chromium.launch({ executablePath: process.argv[2], args: ['--no-sandbox'] })
const page = await browser.newPage()
const print = async (word, tagged) => {
  await page.setContent(`<!doctype html><meta charset="utf-8"><style>${style}</style>${word}`)
  await page.evaluate(() => document.fonts.ready)
  return page.pdf({ tagged })
}
const readByPoppler = (data) => {
  writeFileSync('ticket.pdf', data)
  return execFileSync('pdftotext', ['ticket.pdf', '-'], { encoding: 'utf8' }).trim()
}
const readByPdfJs = async (data) => {
  const file = await getDocument({ data: new Uint8Array(data), verbosity: 0 }).promise
  const { items } = await (await file.getPage(1)).getTextContent()
  return items.map(({ str }) => str).join('').replaceAll('\0', '\\0').trim()
}
const seen = {
  ટિકિટ: '\\0ટ\\0કટ',
  સમિતિ: 'સ\\0મ\\0ત',
  વિદ્યાર્થી: 'િવ\\0ાથ\\0',
  શ્રી: '\\0ી',
  ગરબા: 'ગરબા',
  મહોત્સવ: 'મહોત્સવ',
  '૨૦૨૬': '૨૦૨૬',
}
let asSeen = true
for (const [word, expected] of Object.entries(seen)) {
  for (const tagged of [true, false]) {
    const data = await print(word, tagged)
    const byPoppler = readByPoppler(data)
    const byPdfJs = await readByPdfJs(data)
    console.log(`${word}${tagged ? ', tagged' : ''}: pdftotext ${byPoppler}, pdf.js ${byPdfJs}`)
    asSeen &&= byPoppler === word && byPdfJs === expected
  }
}
await browser.close()
if (!asSeen) console.log('One of them writes or reads the words otherwise than it did.')
process.exit(asSeen ? 0 : 1)
JS
node look.mjs "$chromium"
