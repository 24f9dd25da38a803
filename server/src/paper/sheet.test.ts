import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { splitScriptRuns } from './lettering.ts'
import { sheetPdf } from './sheet.ts'

const tickets = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    qrCode: `GB1:${String(index).padStart(118, '0')}`,
  }))
const text = (pdf: Uint8Array): string => Buffer.from(pdf).toString('latin1')

test('ten tickets fit on a page, the eleventh gets another', async () => {
  const sheet = { title: 'Garba Rass 2025', lines: ['Mon, 22 Sep 2025, 6:30 PM'], label: 'Ravi, Paldi' }
  const pages = async (count: number) =>
    text(await sheetPdf({ ...sheet, tickets: tickets(count) })).match(/\/Type \/Page\b/g)
  expect(await pages(10)).toHaveLength(1)
  expect(await pages(11)).toHaveLength(2)
})

test('a Gujarati name is drawn with a font of its letters, which is in the file', async () => {
  const title = 'ગરબા રાસ ૨૦૨૫, Ahmedabad, आज'
  expect(splitScriptRuns(title).map(({ script }) => script)).toEqual(['gujarati', 'latin', 'devanagari'])
  const pdf = text(await sheetPdf({ title, lines: [], label: 'x', tickets: tickets(1) }))
  expect(pdf).toMatch(/\+MuktaVaani-Bold/)
  expect(pdf).toContain('/FontFile')
})

test('what no font can draw is left out, and a name too long for a ticket is cut', async () => {
  expect(splitScriptRuns('Raas 🎉 Night')).toEqual([{ script: 'latin', text: 'Raas  Night' }])
  const long = 'રાત '.repeat(80)
  await expect(
    sheetPdf({ title: long, lines: [long, 'W'.repeat(300)], label: long, tickets: tickets(1) }),
  ).resolves.toBeInstanceOf(Uint8Array)
})

/** The number of letters on the pages of a document. */
function lettersOn(pdf: Uint8Array): number {
  const streams = [...text(pdf).matchAll(/\/Filter \/FlateDecode\n>>\nstream\n(.*?)\nendstream/gs)]
  const pages = streams.map(([, stream = '']) => inflateSync(Buffer.from(stream, 'latin1')).toString('latin1'))
  const shown = pages.join().match(/<[0-9a-f]+>(?=[^\n]*\] TJ)/g) ?? []
  return shown.reduce((sum, hex) => sum + (hex.length - 2) / 4, 0)
}

test('a word wider than a ticket continues on the next line, and a price has its sign', async () => {
  const letters = async (title: string) =>
    lettersOn(await sheetPdf({ title, lines: [], label: 'x', tickets: tickets(1) }))
  expect(await letters('ABCDEFGHIJKLMNOPQRSTUVWXYZ')).toBe(await letters('ABCDEFGHIJ KLMNOPQRST UVWXYZ'))
  expect(await letters('₹299')).toBe(await letters('A299'))
})
