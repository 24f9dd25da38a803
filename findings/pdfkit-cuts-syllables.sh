#!/usr/bin/env bash
# Version: pdfkit 0.20.2, @fontsource/mukta-vaani 5.3.0, pdfjs-dist 5.4.296
# What: A long Gujarati word in a narrow field of a ticket, with `ellipsis` or broken into lines. One would expect pdfkit, which
#   shapes Gujarati, to cut between syllables. It cuts between code units. With `ellipsis`, નવરાત્રી becomes નવરાત્ર, another
#   word to the reader, with nothing to show that its last letter lost a sign. Broken into lines, the sign stands at the start
#   of the next line, on a dotted circle.
# Source: github.com/foliojs/pdfkit, lib/line_wrapper.js
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --omit=optional pdfkit@0.20.2 @fontsource/mukta-vaani@5.3.0 pdfjs-dist@5.4.296
cat > look.mjs <<'JS'
import PDFDocument from 'pdfkit'

// pdfjs-dist wants these when it loads; reading text does not use them.
console.warn = () => {}
Object.assign(globalThis, { DOMMatrix: class {}, ImageData: class {}, Path2D: class {} })
const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs')

const font = 'node_modules/@fontsource/mukta-vaani/files/mukta-vaani-gujarati-400-normal.woff'
const word = 'નવરાત્રી'
const write = (options) =>
  new Promise((resolve) => {
    const document = new PDFDocument()
    const parts = []
    document.on('data', (part) => parts.push(part))
    document.on('end', () => resolve(new Uint8Array(Buffer.concat(parts))))
    document.font(font).fontSize(20).text(word, 50, 50, options)
    document.end()
  })
const read = async (data) => {
  const document = await getDocument({ data, verbosity: 0 }).promise
  const { items } = await (await document.getPage(1)).getTextContent()
  return items.map(({ str }) => str).filter((text) => text.trim())
}
const starts = new Set([...new Intl.Segmenter('gu').segment(word)].map(({ index }) => index))
const isInside = (index) => index < word.length && !starts.has(index)
const cuts = new Set()
const breaks = new Set()
for (let width = 20; width < 90; width++) {
  const [kept] = await read(await write({ width, height: 25, ellipsis: ' ' }))
  if (kept && word.startsWith(kept) && isInside(kept.length)) cuts.add(kept)
  const lines = await read(await write({ width }))
  let at = 0
  for (const line of lines) {
    if (isInside(at)) breaks.add(lines.join(' / '))
    at += line.length
  }
}
console.log('cut inside a syllable:', [...cuts].join(', '))
console.log('broken inside a syllable:', [...breaks].join(', '))
const isSeen = cuts.has('નવરાત્ર') && breaks.has('નવરાત્ર / ◌ી')
if (!isSeen) console.log('pdfkit cuts otherwise than it did.')
process.exit(isSeen ? 0 : 1)
JS
node look.mjs
