import { STATEMENT } from '@garba/shared/messages/money'
import { CsvError } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import { wrongField } from '../../refusal.ts'
import { isDate, parseAmountCell } from './statementCells.ts'

export interface TableRow {
  cells: string[]
  line: number
}

export interface StatementTable {
  columns: string[]
  rows: TableRow[]
  /** The cells above the header, which may name the statement's period. */
  above: string[]
}

const DELIMITERS = [',', ';', '\t', '|']
const HEADER_WITHIN = 60
const ROW_MAX = 5_000

export const wrongFile = (message: string) => wrongField('csv', message)

/**
 * Finds a statement's header row and the rows below it: banks put their address and the account above. A row that only
 * continues the words of the row before is joined to it, and repeated headers are left out.
 */
export function readTable(csv: string): StatementTable {
  const delimiter = DELIMITERS.find((one) =>
    findHeader(readTableRows(csv, { delimiter: one, to: HEADER_WITHIN }) ?? []),
  )
  if (delimiter === undefined) throw wrongFile(STATEMENT.noHeader)
  const rows = readTableRows(csv, { delimiter })
  const header = rows && findHeader(rows)
  if (!rows || !header) throw wrongFile(STATEMENT.unreadable)
  const columns = header.names.slice(0, countUsedCells(header.names))
  const named = rows[header.at]
  const below = rows.slice(header.from).filter(({ cells }) => cells.join('|') !== named?.cells.join('|'))
  const surplus = countSurplusCells(header.names, below)
  const whole = below.map(({ cells, line }) => ({
    line,
    cells: gathered(withoutSurplus(cells, columns.length + surplus, surplus), columns),
  }))
  return { columns, rows: joined(whole, columns), above: rows.slice(0, header.at).flatMap(({ cells }) => cells) }
}

/** Null if the text is not valid CSV, or has a row over ROW_MAX characters, which would hold up the server. */
export function readTableRows(csv: string, where: { delimiter: string; to?: number }): TableRow[] | null {
  try {
    const loose = { bom: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true } as const
    // ="1,299.00" keeps digits as text, but its quotes do not begin the cell.
    const read = parse(csv.replace(/(^|[,;\t|\r\n])=(?=")/g, '$1'), {
      ...loose,
      ...where,
      max_record_size: ROW_MAX,
      info: true,
    })
    return (read as unknown as { record: string[]; info: { lines: number } }[]).map(({ record, info }) => ({
      cells: record.map(plain),
      line: info.lines,
    }))
  } catch (error) {
    if (error instanceof CsvError) return null
    throw error
  }
}

/** Strips the mark with which spreadsheets keep digits as text ('0123), and breaks within a cell. */
const plain = (cell: string): string => joinBrokenDigits(cell.trim()).replace(/^'/, '').replace(/\s+/g, ' ').trim()

/** A break may stand within a number; after a word that ends with a digit, the next number is another one. */
const joinBrokenDigits = (text: string): string => text.replace(/(?<![A-Z]\d*)(?<=\d)\s*[\r\n]+\s*(?=\d)/gi, '')

const countUsedCells = (cells: readonly string[]): number => cells.findLastIndex((cell) => cell !== '') + 1

interface Header {
  at: number
  from: number
  names: string[]
}

/**
 * The first row that names a date, an amount and words above rows with dates, else the first row with fewer of these: a
 * small table with the account's sums may stand above. Names may go on in a second row.
 */
function findHeader(rows: readonly TableRow[]): Header | null {
  let best: Header | null = null
  let most = -1
  for (const [at, { cells }] of rows.slice(0, HEADER_WITHIN).entries()) {
    if (!isNames(cells)) continue
    const next = rows[at + 1]?.cells ?? []
    const goesOn = isNames(next) && next.every((name, column) => name === '' || cells[column]) && !isHeader(cells, next)
    const names = goesOn ? cells.map((name, column) => `${name} ${next[column] ?? ''}`.trim()) : cells
    if (!isHeader(names)) continue
    const from = at + (goesOn ? 2 : 1)
    const isDated = datedBy(names)
    const hasMoney = names.some((name) => MONEY.test(name)) && rows.slice(from).some(isDated)
    const points = hasMoney ? (names.some((name) => WORDS.test(name) || /utr|rrn|ref/i.test(name)) ? 2 : 1) : 0
    if (points > most) [best, most] = [{ at, from, names }, points]
    if (most === 2) break
  }
  return best
}
const MONEY = /credit|deposit|amount|\bamt\b|\bcr\b|paid in/i

function datedBy(names: readonly string[]): (row: TableRow) => boolean {
  const days = names.flatMap((name, at) => (DAYS.test(name) ? [at] : []))
  return ({ cells }) => days.some((at) => isDate(cells[at] ?? ''))
}
export const DAYS = /date?\b|\bdt\b/i

const isHeader = (...rows: readonly (readonly string[])[]): boolean =>
  rows.every((row) => row.filter((cell) => cell !== '').length >= 3 && row.some((cell) => /date/i.test(cell)))

/** Short words without figures or dates: the names of columns, not rows of stars. */
const isNames = (row: readonly string[]): boolean => {
  const names = row.filter((cell) => cell !== '')
  return names.length >= 2 && names.every((cell) => NAME.test(cell) && parseAmountCell(cell) === null && !isDate(cell))
}
const NAME = /^(?=.*[a-z]).{1,60}$/i

/** Some banks end every row, or all but the header, with more delimiters than they have columns. */
function countSurplusCells(names: readonly string[], rows: readonly TableRow[]): number {
  const columns = countUsedCells(names)
  let least = Number.POSITIVE_INFINITY
  for (const row of rows.filter(datedBy(names))) least = Math.min(least, row.cells.length - columns)
  return Math.max(names.length - columns, Number.isFinite(least) ? least : 0, 0)
}

/** Drops only the surplus that every row has: another empty cell may belong to a row with an unquoted comma. */
const withoutSurplus = (cells: readonly string[], whole: number, surplus: number): string[] =>
  cells.length >= whole && cells.slice(cells.length - surplus).every((cell) => cell === '')
    ? cells.slice(0, cells.length - surplus)
    : [...cells]

function gathered(cells: string[], columns: readonly string[]): string[] {
  if (cells.length > columns.length) return cells
  let named = -1
  for (const [at, name] of columns.entries()) {
    if (name !== '') named = at
    else if (named >= 0 && cells[named] === '' && cells[at]) [cells[named], cells[at]] = [cells[at], '']
  }
  return cells
}

export const WORDS = /narration|narrative|description|particular|remark|details|comment|message|\bnote\b/i

function joined(rows: readonly TableRow[], columns: readonly string[]): TableRow[] {
  const isDated = datedBy(columns)
  const all: TableRow[] = []
  let last: TableRow | null = null
  for (const row of rows) {
    const filled = row.cells.flatMap((cell, at) => (cell === '' ? [] : [at]))
    if (last && filled.length > 0 && filled.every((at) => WORDS.test(columns[at] ?? ''))) {
      for (const at of filled) last.cells[at] = continued(last.cells[at] ?? '', row.cells[at] ?? '')
      continue
    }
    last = isDated(row) ? { line: row.line, cells: [...row.cells] } : null
    all.push(last ?? row)
  }
  return all
}

/** A narration with parts is cut anywhere, within a number or a code too; other words are cut between words. */
const continued = (first: string, second: string): string =>
  first + (/^\S*upi[a-z ]*[/-]/i.test(first) ? '' : ' ') + second
