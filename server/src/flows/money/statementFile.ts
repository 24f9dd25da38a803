import { createHash } from 'node:crypto'
import type { StatementColumns, StatementMapping } from '@garba/shared/contracts/statement'
import { STATEMENT } from '@garba/shared/messages/statement'
import { isDay } from '@garba/shared/rules/calendar'
import { fold } from '@garba/shared/rules/search'
import { CsvError } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import { Refusal } from '../../refusal.ts'

/** A credit as the bank's file has it. */
export interface Credit {
  /** The same for the same transfer in every file. */
  id: string
  day: string
  paise: number
  /** The 12-digit numbers in it: one of them is the UTR. */
  utrs: string[]
  description: string
}

const DELIMITERS = [',', ';', '\t', '|']
const SAMPLE = 5
const HEADER_WITHIN = 60
const ROW_MAX = 5_000
const DESCRIPTION_MAX = 500

const problem = (message: string) => new Refusal('VALIDATION_FAILED', { message, errors: [{ field: 'csv', message }] })

/** A statement's header row and what is below it: banks put their address and the account above. */
function tableOf(csv: string): { columns: string[]; rows: string[][] } {
  const delimiter = DELIMITERS.find((one) => rowsOf(csv, { delimiter: one, to: HEADER_WITHIN })?.some(isHeader))
  if (delimiter === undefined) throw problem(STATEMENT.noHeader)
  const rows = rowsOf(csv, { delimiter })
  if (rows === null) throw problem(STATEMENT.unreadable)
  const at = rows.findIndex(isHeader)
  return { columns: rows[at] ?? [], rows: rows.slice(at + 1) }
}

/** Null for what is no CSV. Long rows are none: reading them would hold up the server. */
function rowsOf(csv: string, where: { delimiter: string; to?: number }): string[][] | null {
  try {
    const loose = { bom: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true }
    return parse(csv, { ...loose, ...where, max_record_size: ROW_MAX }).map((row) => row.map(plain))
  } catch (error) {
    if (error instanceof CsvError) return null
    throw error
  }
}

/** Without what a spreadsheet needs to keep digits as text: ="0123", '0123. */
const plain = (cell: string): string =>
  cell
    .trim()
    .replace(/^="(.*)"$/, '$1')
    .replace(/^'/, '')
    .replace(/\s+/g, ' ')

/** At least three names, one of them of a date, and no figures. */
const isHeader = (row: readonly string[]): boolean => {
  const names = row.filter((cell) => cell !== '')
  return (
    names.length >= 3 && names.some((cell) => /date/i.test(cell)) && !names.some((cell) => /^[\d.,/-]+$/.test(cell))
  )
}

/** Words of the large Indian banks, the best first. */
const NAMES: Readonly<Record<keyof StatementMapping, readonly RegExp[]>> = {
  date: [/^(txn|transaction|tran|trans|post(ed|ing)?)\.? ?date/i, /^date/i, /date/i],
  amount: [/^(?!.*balance).*(credit|deposit)(?!.*debit)/i, /^cr(\b|$)(?!.*dr)/i, /^(?!.*balance).*amount/i],
  direction: [/^(dr ?\/ ?cr|cr ?\/ ?dr|type|debit ?\/ ?credit)/i],
  utr: [/utr|rrn/i, /ref/i, /chq|cheque/i],
  description: [/narration|description|particular|remark|details/i],
}

/** The columns of a statement, a guess at what each holds, and its first rows. Refuses with VALIDATION_FAILED. */
export function readColumns(csv: string): Omit<StatementColumns, 'success'> {
  const { columns, rows } = tableOf(csv)
  const mapping: Partial<StatementMapping> = {}
  for (const [part, names] of Object.entries(NAMES) as [keyof StatementMapping, readonly RegExp[]][])
    for (const name of names) {
      const at = columns.findIndex((column) => name.test(column))
      if (at >= 0) mapping[part] ??= at
    }
  return { columns, mapping, sample: rows.slice(0, SAMPLE) }
}

/**
 * The credits of a statement. Other rows, such as debits, totals and notes, are counted. Refuses with VALIDATION_FAILED when
 * there are none.
 */
export function readCredits(csv: string, mapping: StatementMapping): { credits: Credit[]; skipped: number } {
  const { rows } = tableOf(csv)
  const seen = new Map<string, number>()
  const credits = rows.flatMap((row) => creditOf(row, mapping, seen) ?? [])
  if (credits.length === 0) throw problem(STATEMENT.noRows)
  return { credits, skipped: rows.length - credits.length }
}

function creditOf(row: readonly string[], mapping: StatementMapping, seen: Map<string, number>): Credit | null {
  const cell = (column: number | undefined) => (column === undefined ? '' : (row[column] ?? ''))
  const day = dayIn(cell(mapping.date))
  const paise = creditIn(cell(mapping.amount), cell(mapping.direction))
  if (day === null || paise === null) return null
  const description = cell(mapping.description).slice(0, DESCRIPTION_MAX)
  const utrs = [...new Set([...utrsIn(cell(mapping.utr)), ...utrsIn(description)])]
  // Without a number of its own, a line is told from its like by how often it came before on that day.
  const facts = [day, paise, utrs.length > 0 ? utrs.join(' ') : fold(description)].join('|')
  const before = seen.get(facts) ?? 0
  seen.set(facts, before + 1)
  const id = createHash('sha256')
    .update(utrs.length > 0 ? facts : `${facts}|${before}`)
    .digest('hex')
  return { id, day, paise, utrs, description }
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Days as banks in India write them, the day before the month: 05/09/2025, 5-Sep-25, 05 Sep 2025; and 2025-09-05. */
function dayIn(text: string): string | null {
  const [, first = '', middle = '', last = ''] =
    /^(\d{1,4})[-/. ]([a-z]{3,9}|\d{1,2})[-/., ]+(\d{1,4})\b/i.exec(text) ?? []
  const named = MONTHS.indexOf(middle.slice(0, 3).toLowerCase()) + 1
  const month = String(named > 0 ? named : middle).padStart(2, '0')
  const [year, date] = first.length === 4 ? [first, last] : [last.length === 2 ? `20${last}` : last, first]
  const day = `${year}-${month}-${date.padStart(2, '0')}`
  return isDay(day) ? day : null
}

/** Paise that came in: 1,00,000.00, Rs. 299, 299.00 Cr. Null for debits and for what is no amount. */
function creditIn(text: string, direction: string): number | null {
  const bare = text.replace(/₹|rs\.?|inr|,|\s|\+/gi, '')
  const [, digits, side = ''] = /^(\d+(?:\.\d{1,2})?)\(?(cr|dr)?\.?\)?$/i.exec(bare) ?? []
  if (digits === undefined || /^d/i.test(side) || /^(d|withdraw)/i.test(direction)) return null
  const paise = Math.round(Number(digits) * 100)
  return paise > 0 && Number.isSafeInteger(paise) ? paise : null
}

/** Some banks fill their reference column up with zeros. */
const utrsIn = (text: string): string[] =>
  Array.from(text.matchAll(/(?<!\d)0{0,10}(\d{12})(?!\d)/g), ([, digits = '']) => digits)
