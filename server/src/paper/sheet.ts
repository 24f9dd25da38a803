import { buffer } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { BLOCK } from '@garba/shared/messages/gate'
import { correction, generate } from 'lean-qr'
import { drawText, registerFonts } from './lettering.ts'

export interface PaperTicket {
  number: number
  qrCode: string
}
export interface Sheet {
  title: string
  lines: readonly string[]
  label: string
  tickets: readonly PaperTicket[]
}

const MM = 72 / 25.4
const PAGE = { width: 210 * MM, height: 297 * MM }
const GRID = { columns: 2, rows: 5 }
const TICKET = { width: 95 * MM, height: 55 * MM }
const ORIGIN = {
  x: (PAGE.width - GRID.columns * TICKET.width) / 2,
  y: (PAGE.height - GRID.rows * TICKET.height) / 2,
}
const PADDING = 4 * MM
/** Includes the quiet zone of four modules. */
const CODE_SIDE = 46 * MM
const QUIET = 4
const MARK = 4 * MM
const PER_PAGE = GRID.columns * GRID.rows

type Doc = PDFKit.PDFDocument

/**
 * Paper tickets as a PDF of A4 pages with cut marks, ten per page. Other requests get a turn between tickets. The
 * library and its fonts are loaded only for printing.
 */
export async function sheetPdf(sheet: Sheet): Promise<Uint8Array<ArrayBuffer>> {
  const { default: PDFDocument } = await import('pdfkit')
  const info = { Title: `${sheet.title}: ${sheet.label}` }
  const doc: Doc = new PDFDocument({ size: 'A4', margin: 0, autoFirstPage: false, info })
  const file = buffer(doc)
  registerFonts(doc)
  for (let from = 0; from < sheet.tickets.length; from += PER_PAGE) {
    doc.addPage()
    cutMarks(doc)
    for (const [place, ticket] of sheet.tickets.slice(from, from + PER_PAGE).entries()) {
      drawTicket(doc, sheet, ticket, place)
      await setImmediate()
    }
  }
  doc.end()
  return new Uint8Array(await file)
}

function cutMarks(doc: Doc): void {
  const right = ORIGIN.x + GRID.columns * TICKET.width
  const bottom = ORIGIN.y + GRID.rows * TICKET.height
  doc.lineWidth(0.4).strokeColor('#000')
  for (let column = 0; column <= GRID.columns; column++) {
    const x = ORIGIN.x + column * TICKET.width
    for (const y of [ORIGIN.y - MARK, bottom]) doc.moveTo(x, y).lineTo(x, y + MARK)
  }
  for (let row = 0; row <= GRID.rows; row++) {
    const y = ORIGIN.y + row * TICKET.height
    for (const x of [ORIGIN.x - MARK, right]) doc.moveTo(x, y).lineTo(x + MARK, y)
  }
  doc.stroke()
}

function drawTicket(doc: Doc, { title, lines, label }: Sheet, { number, qrCode }: PaperTicket, place: number): void {
  const x = ORIGIN.x + (place % GRID.columns) * TICKET.width
  const y = ORIGIN.y + Math.floor(place / GRID.columns) * TICKET.height
  drawCode(doc, qrCode, { x: x + 1 * MM, y: y + (TICKET.height - CODE_SIDE) / 2 })
  const left = x + CODE_SIDE + 2 * MM
  const column = { left, width: TICKET.width - CODE_SIDE - 2 * MM - PADDING }
  doc.fillColor('#000')
  let top = drawText(doc, title, { ...column, top: y + PADDING, size: 12, weight: 700, lines: 3 })
  for (const line of lines) top = drawText(doc, line, { ...column, top, size: 8.5, weight: 400, lines: 2 })
  const foot = y + TICKET.height - PADDING
  // A long name or venue takes its place.
  if (top < foot - 60) drawText(doc, BLOCK.atGate, { ...column, top: top + 2, size: 7, weight: 400, lines: 2 })
  // Two blocks have the same numbers, so the block's name is printed with the number.
  drawText(doc, BLOCK.printed(number), { ...column, top: foot - 35, size: 14, weight: 700, lines: 1 })
  drawText(doc, label, { ...column, top: foot - 15, size: 9, weight: 700, lines: 1 })
}

function drawCode(doc: Doc, text: string, { x, y }: { x: number; y: number }): void {
  const code = generate(text, { minCorrectionLevel: correction.M, maxCorrectionLevel: correction.M })
  const side = CODE_SIDE / (code.size + 2 * QUIET)
  for (let row = 0; row < code.size; row++) {
    let column = 0
    while (column < code.size) {
      const from = column
      while (column < code.size && code.get(column, row)) column++
      if (column > from) doc.rect(x + (QUIET + from) * side, y + (QUIET + row) * side, (column - from) * side, side)
      column++
    }
  }
  doc.fill('#000')
}
