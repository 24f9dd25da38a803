import { readFileSync } from 'node:fs'
import { inflateSync } from 'node:zlib'
import { Blob, Face, Font, Buffer as ShapingBuffer, shape } from 'harfbuzzjs'
import PDFDocument from 'pdfkit'
import { expect, test } from 'vitest'
import { GUJARATI, HINDI } from '../testing/indicWords.ts'
import { findFontFile, registerFonts, splitPieces } from './lettering.ts'

/** The part of pdfkit that shapes, which its types leave out. */
interface ShapingDocument {
  _font: { font: { layout: (text: string) => { glyphs: { id: number }[] } } }
}

/** The font inside a WOFF file, whose tables are compressed one by one. */
function unpackWoff(woff: Buffer): Uint8Array {
  const count = woff.readUInt16BE(12)
  const directory = Buffer.alloc(12 + 16 * count)
  woff.copy(directory, 0, 4, 8)
  directory.writeUInt16BE(count, 4)
  const parts = [directory]
  let at = directory.length
  for (let index = 0; index < count; index += 1) {
    const entry = 44 + 20 * index
    const [offset, packed, length] = [
      woff.readUInt32BE(entry + 4),
      woff.readUInt32BE(entry + 8),
      woff.readUInt32BE(entry + 12),
    ]
    const table = woff.subarray(offset, offset + packed)
    const padded = Buffer.alloc(Math.ceil(length / 4) * 4)
    ;(packed < length ? inflateSync(table) : table).copy(padded)
    woff.copy(directory, 12 + 16 * index, entry, entry + 4)
    woff.copy(directory, 16 + 16 * index, entry + 16, entry + 20)
    directory.writeUInt32BE(at, 20 + 16 * index)
    directory.writeUInt32BE(length, 24 + 16 * index)
    parts.push(padded)
    at += padded.length
  }
  return Buffer.concat(parts)
}

test.each([
  ['gujarati', GUJARATI],
  ['devanagari', HINDI],
] as const)('paper letters every word of %s as HarfBuzz does', (script, words) => {
  expect(new Set(words).size).toBeGreaterThan(200)
  const doc = new PDFDocument()
  registerFonts(doc)
  for (const weight of [400, 700] as const) {
    const harfbuzz = new Font(new Face(new Blob(unpackWoff(readFileSync(findFontFile(script, weight)))), 0))
    const { font } = (doc.font(`${script} ${weight}`) as unknown as ShapingDocument)._font
    const expected = (word: string) => {
      const buffer = new ShapingBuffer()
      buffer.addText(word)
      buffer.guessSegmentProperties()
      shape(harfbuzz, buffer)
      return buffer.getGlyphInfos().map(({ codepoint }) => codepoint)
    }
    const drawn = (word: string) =>
      splitPieces(word).flatMap(({ text }) => font.layout(text).glyphs.map(({ id }) => id))
    const wrong = words.filter((word) => drawn(word).join() !== expected(word).join())
    expect(wrong).toEqual([])
  }
})
