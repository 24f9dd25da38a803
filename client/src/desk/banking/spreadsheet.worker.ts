import { type CellObject, read, SSF, type WorkSheet } from '@e965/xlsx'
import type { SpreadsheetAnswer } from './readStatementFile.ts'

self.onmessage = ({ data }: MessageEvent<Uint8Array | string>) => self.postMessage(convertSpreadsheet(data))

function convertSpreadsheet(content: Uint8Array | string): SpreadsheetAnswer {
  try {
    const type = typeof content === 'string' ? 'string' : 'array'
    // Without `raw`, text in HTML such as 05/11/2026 would be read as an American date.
    const book = read(content, { type, dense: true, cellNF: true, cellFormula: false, cellHTML: false, raw: true })
    const date1904 = book.Workbook?.WBProps?.date1904 === true
    const sheets = book.SheetNames.map((name) => rowsIn(book.Sheets[name], date1904))
    const rows = sheets.find((one) => one.some(isHeader)) ?? sheets.toSorted((a, b) => b.length - a.length)[0]
    if (!rows || rows.length === 0) return { problem: 'unreadable' }
    return { csv: rows.map((row) => row.map(quote).join(',')).join('\n') }
  } catch (error) {
    return { problem: /password|ECMA-376|ODS encryption/i.test(String(error)) ? 'password' : 'unreadable' }
  }
}

/** The server finds the header again; here it only tells the sheets apart. */
const isHeader = (row: readonly string[]): boolean =>
  row.filter((cell) => cell !== '').length >= 3 && row.some((cell) => /date/i.test(cell) && !/\d/.test(cell))

/** The sheet's rows as an array of cells; the package's types know only the form with one key per cell. */
const rowsIn = (sheet: WorkSheet | undefined, date1904: boolean): string[][] =>
  Array.from((sheet?.['!data'] as (CellObject | undefined)[][] | undefined) ?? [], (row) =>
    Array.from(row ?? [], (cell) => getCellText(cell, date1904)),
  )

/** The whole value of a cell rather than what the sheet shows, which rounds numbers and writes dates in many ways. */
function getCellText(cell: CellObject | undefined, date1904: boolean): string {
  if (cell?.v === undefined || cell.t === 'e' || cell.t === 'z') return ''
  if (cell.t !== 'n') return cell.v instanceof Date ? cell.v.toISOString().slice(0, 19) : String(cell.v)
  const value = Number(cell.v)
  if (value >= 1 && SSF.is_date(String(cell.z ?? ''))) return dateText(value, date1904)
  // Some formats show the side: 299.00 Cr.
  if (cell.w !== undefined && /\b[cd]r\b/i.test(cell.w)) return cell.w
  // As a spreadsheet does, without the noise of binary fractions.
  return String(Number(value.toPrecision(15)))
}

function dateText(serial: number, date1904: boolean): string {
  const { y, m, d, H, M, S } = SSF.parse_date_code(serial, { date1904 })
  const pad = (part: number) => String(part).padStart(2, '0')
  return `${y}-${pad(m)}-${pad(d)}${serial % 1 === 0 ? '' : `T${pad(H)}:${pad(M)}:${pad(Math.floor(S))}`}`
}

const quote = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
