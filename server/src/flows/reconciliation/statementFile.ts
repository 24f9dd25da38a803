import { createHash } from 'node:crypto'
import type { SkippedRow, StatementColumns, StatementMapping } from '@garba/shared/contracts/statement'
import { STATEMENT } from '@garba/shared/messages/money'
import { isDay } from '@garba/shared/rules/calendar'
import { fold } from '@garba/shared/rules/search'
import { CsvError } from 'csv-parse'
import { parse } from 'csv-parse/sync'
import { wrongField } from '../../refusal.ts'

/** A credit as it appears in the bank's file. */
export interface Credit {
  /** Identifies the same transfer in every file. */
  id: string
  day: string
  paise: number
  /** The line's 12-digit numbers, one of which is the UTR. */
  utrs: string[]
  description: string
}

const DELIMITERS = [',', ';', '\t', '|']
const SAMPLE = 5
const HEADER_WITHIN = 60
const ROW_MAX = 5_000
const DESCRIPTION_MAX = 500

const problem = (message: string) => wrongField('csv', message)

interface Row {
  cells: string[]
  /** A line of the file, from 1; for a row with line breaks in it, the row's last line. */
  line: number
}

/** Finds a statement's header row and the rows below it: banks put their address and the account above. */
function tableOf(csv: string): { columns: string[]; rows: Row[] } {
  const delimiter = DELIMITERS.find((one) =>
    rowsOf(csv, { delimiter: one, to: HEADER_WITHIN })?.some(({ cells }) => isHeader(cells)),
  )
  if (delimiter === undefined) throw problem(STATEMENT.noHeader)
  const rows = rowsOf(csv, { delimiter })
  if (rows === null) throw problem(STATEMENT.unreadable)
  const at = rows.findIndex(({ cells }) => isHeader(cells))
  const columns = (rows[at]?.cells ?? []).slice(0, lengthOf(rows[at]?.cells ?? []))
  const below = rows.slice(at + 1)
  const surplus = surplusOf([rows[at], ...below], columns.length)
  return {
    columns,
    rows: below.map(({ cells, line }) => ({ line, cells: withoutSurplus(cells, columns.length + surplus, surplus) })),
  }
}

/** Counts up to the last cell that is not empty. */
const lengthOf = (cells: readonly string[]): number => cells.findLastIndex((cell) => cell !== '') + 1

/** Some banks end every row, or all but the header, with more delimiters than they have columns. */
function surplusOf([header, ...rows]: readonly (Row | undefined)[], columns: number): number {
  const dated = rows.filter((row) => row?.cells.some((cell) => dayIn(cell) !== null))
  const least = Math.min(...dated.map((row) => (row?.cells.length ?? 0) - columns))
  return Math.max((header?.cells.length ?? 0) - columns, Number.isFinite(least) ? least : 0, 0)
}

/** Drops only the surplus that every row has: another empty cell may belong to a row with an unquoted comma. */
const withoutSurplus = (cells: readonly string[], whole: number, surplus: number): string[] =>
  cells.length >= whole && cells.slice(cells.length - surplus).every((cell) => cell === '')
    ? cells.slice(0, cells.length - surplus)
    : [...cells]

/** Null if the text is not valid CSV, or has a row over ROW_MAX characters, which would hold up the server. */
function rowsOf(csv: string, where: { delimiter: string; to?: number }): Row[] | null {
  try {
    const loose = { bom: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true } as const
    const read = parse(csv, { ...loose, ...where, max_record_size: ROW_MAX, info: true })
    return (read as unknown as { record: string[]; info: { lines: number } }[]).map(({ record, info }) => ({
      cells: record.map(plain),
      line: info.lines,
    }))
  } catch (error) {
    if (error instanceof CsvError) return null
    throw error
  }
}

/** Strips the marks with which spreadsheets keep digits as text: ="0123", '0123. */
const plain = (cell: string): string =>
  cell
    .trim()
    .replace(/^="(.*)"$/, '$1')
    .replace(/^'/, '')
    .replace(/\s+/g, ' ')

/** A header has at least three names, one of them for a date, and no figures. */
const isHeader = (row: readonly string[]): boolean => {
  const names = row.filter((cell) => cell !== '')
  return (
    names.length >= 3 && names.some((cell) => /date/i.test(cell)) && !names.some((cell) => /^[\d.,/-]+$/.test(cell))
  )
}

/** Column names of the large Indian banks, best match first. */
const NAMES: Readonly<Record<keyof StatementMapping, readonly RegExp[]>> = {
  date: [/^(txn|transaction|tran|trans|post(ed|ing)?)\.? ?date/i, /^date/i, /date/i],
  amount: [
    /^(?!.*balance).*(credit|deposit)(?!.*debit)/i,
    /^(?!.*(balance|\bdr\b)).*\bcr\b/i,
    /^(?!.*balance).*amount/i,
  ],
  direction: [/^(dr|cr|debit|credit) ?[/|] ?(cr|dr|credit|debit)/i, /^type|\btype$/i],
  utr: [/utr|rrn/i, /ref/i, /chq|cheque/i],
  description: [/narration|description|particular|remark|details/i],
}

/** The columns of a statement, a guess at what each holds, and its first rows. Refuses with VALIDATION_FAILED. */
export function readColumns(csv: string): Omit<StatementColumns, 'success'> {
  const { columns, rows } = tableOf(csv)
  const kinds = columns.map(kindOf)
  const mapping: Partial<StatementMapping> = {}
  for (const [part, names] of Object.entries(NAMES) as [keyof StatementMapping, readonly RegExp[]][])
    for (const name of names) {
      const at = columns.findIndex((column) => name.test(column))
      if (at >= 0) mapping[part] ??= at
    }
  const sample = rows.slice(0, SAMPLE).map(({ cells }) => readingOf(cells, kinds) ?? cells)
  return { columns, mapping, sample }
}

/** The number of rows shown to the desk; debits come last, because they need no attention. */
const LISTED = 200

/**
 * The credits of a statement, and the other rows with the reason. Refuses with VALIDATION_FAILED when there are none,
 * and for a column that holds debits or balances.
 */
export function readCredits(
  csv: string,
  mapping: StatementMapping,
): { credits: Credit[]; skipped: number; skippedRows: SkippedRow[] } {
  const { columns, rows } = tableOf(csv)
  const amount = columns[mapping.amount] ?? ''
  if (isDebit(amount) || kindOf(amount) === 'balance') throw problem(STATEMENT.debitColumn)
  const seen = new Map<string, number>()
  const credits: Credit[] = []
  const skippedRows: SkippedRow[] = []
  for (const { cells, line } of rows) {
    const read = creditOf(cells, { mapping, columns, seen })
    if (typeof read === 'object') credits.push(read)
    else skippedRows.push({ line, why: read, text: cells.filter(Boolean).join(', ').slice(0, DESCRIPTION_MAX) })
  }
  if (credits.length === 0) throw problem(STATEMENT.noRows)
  const listed = skippedRows.toSorted((one, other) => Number(one.why === 'debit') - Number(other.why === 'debit'))
  return { credits, skipped: skippedRows.length, skippedRows: listed.slice(0, LISTED) }
}

/** The content of a column, by its name. Only words and amounts may have commas in them. */
type Kind = 'words' | 'side' | 'day' | 'balance' | 'amount' | 'other'
const KINDS: readonly (readonly [Kind, RegExp])[] = [
  ['words', /narration|description|particular|remark|details/i],
  ['side', NAMES.direction[0] as RegExp],
  ['day', /date|\bdt\b/i],
  ['balance', /balance|^bal\b/i],
  ['amount', /debit|credit|withdraw|deposit|amount|\bamt\b|^(dr|cr)\b/i],
]
const kindOf = (column: string): Kind => KINDS.find(([, name]) => name.test(column))?.[0] ?? 'other'

const DEBIT = /debit|withdraw|\bdr\b/i
const CREDIT = /credit|deposit|\bcr\b/i
const isDebit = (column: string): boolean => kindOf(column) === 'amount' && DEBIT.test(column) && !CREDIT.test(column)
const isCredit = (column: string): boolean => kindOf(column) === 'amount' && CREDIT.test(column) && !DEBIT.test(column)

const AMOUNT = /^[+-]?(?:(?:0|[1-9]\d*|[1-9]\d{0,2}(?:,\d{2,3})*,\d{3})(?:\.\d{1,2})?)?\(?(?:cr|dr)?\.?\)?$/i
const bareOf = (text: string): string => text.replace(/₹|rs\.?|inr|\s/gi, '')
const isAmount = (cell: string): boolean => /^(-|na|nil)$/i.test(cell) || AMOUNT.test(bareOf(cell))

const FITS: Readonly<Record<Kind, (cell: string) => boolean>> = {
  words: () => true,
  side: (cell) => /^[a-z]*\.?$/i.test(cell),
  day: (cell) => cell === '' || dayIn(cell) !== null,
  balance: isAmount,
  amount: isAmount,
  other: (cell) => !cell.includes(','),
}

/** With more surplus cells than this, unquoted commas cannot be the cause. */
const EXTRA_MAX = 10

/**
 * The cells of a row, one per column. A row with more cells has commas that the bank did not quote: it is read only if
 * exactly one reading fits, with the commas in words or between the thousands of an amount. Null for a row without
 * exactly one such reading, or with a missing cell.
 */
function readingOf(row: readonly string[], kinds: readonly Kind[]): string[] | null {
  const cells = kinds.map((_, at) => row[at] ?? '')
  const extra = row.length - kinds.length
  if (extra > EXTRA_MAX) return null
  if (extra > 0) {
    const [only, another] = readings(row, kinds)
    return only && !another ? only : null
  }
  const tested = extra === 0 ? MONEY : KINDS.map(([kind]) => kind)
  return kinds.every((kind, at) => !tested.includes(kind) || FITS[kind](cells[at] ?? '')) ? cells : null
}
const MONEY: readonly Kind[] = ['amount', 'balance']

/** The ways to assign all cells to the columns in order; it stops at two, which already make the row ambiguous. */
function readings(cells: readonly string[], kinds: readonly Kind[]): string[][] {
  const [kind, ...others] = kinds
  if (kind === undefined) return cells.length === 0 ? [[]] : []
  const found: string[][] = []
  const most = kind === 'words' || MONEY.includes(kind) ? cells.length - others.length : 1
  for (let take = 1; take <= most && found.length < 2; take += 1) {
    const cell = cells.slice(0, take).join(kind === 'words' ? ', ' : ',')
    if (!FITS[kind](cell) || (take > 1 && kind !== 'words' && !isGrouped(cell))) continue
    for (const rest of readings(cells.slice(take), others)) found.push([cell, ...rest])
  }
  return found
}

/** Groups of thousands as usually written, not a number that happens to precede an amount. */
const isGrouped = (cell: string): boolean => /^[+-]?[1-9]\d{0,2}(,\d{2})*,\d{3}(\.\d{1,2})?$/.test(cell)

interface Reading {
  mapping: StatementMapping
  columns: readonly string[]
  seen: Map<string, number>
}

function creditOf(row: readonly string[], { mapping, columns, seen }: Reading): Credit | SkippedRow['why'] {
  if (dayIn(row[mapping.date] ?? '') === null) return 'noDate'
  const cells = readingOf(row, columns.map(kindOf))
  if (!cells) return 'fields'
  const cell = (column: number | undefined) => (column === undefined ? '' : (cells[column] ?? ''))
  const day = dayIn(cell(mapping.date))
  if (day === null) return 'noDate'
  const paise = amountIn(cells, { mapping, columns })
  if (typeof paise === 'string') return paise
  const description = cell(mapping.description).slice(0, DESCRIPTION_MAX)
  const utrs = [...new Set([...utrsIn(cell(mapping.utr)), ...utrsIn(description)])]
  // Equal lines without a number are distinguished by their order within the day.
  const facts = [day, paise, utrs.length > 0 ? utrs.join(' ') : fold(description)].join('|')
  const before = seen.get(facts) ?? 0
  seen.set(facts, before + 1)
  const id = createHash('sha256')
    .update(utrs.length > 0 ? facts : `${facts}|${before}`)
    .digest('hex')
  return { id, day, paise, utrs, description }
}

/** The paise that came in. A row never counts as a credit if anything in it shows that money went out. */
function amountIn(
  cells: readonly string[],
  { mapping, columns }: Omit<Reading, 'seen'>,
): number | Exclude<SkippedRow['why'], 'noDate'> {
  const paise = paiseIn(cells[mapping.amount] ?? '')
  const out = columns.some((column, at) => isDebit(column) && (paiseIn(cells[at] ?? '') ?? 0) !== 0)
  if (out) return (paise ?? 0) > 0 ? 'fields' : 'debit'
  if (paise === null || paise === 0) return 'noAmount'
  // If one column holds both, another must name the side, even if the desk did not choose it.
  const holdsCredits = isCredit(columns[mapping.amount] ?? '')
  const direction = mapping.direction ?? (holdsCredits ? -1 : sideAt(cells, columns))
  const side = cells[direction] ?? ''
  if (paise < 0 || /^(d|withdraw|paid|sent)/i.test(side)) return 'debit'
  if (direction >= 0 && !/^(c|deposit|received)/i.test(side) && !holdsCredits) return 'noSide'
  return paise
}

/** The column that names the side, by its own name or by what it holds; -1 if there is none. */
const sideAt = (cells: readonly string[], columns: readonly string[]): number =>
  columns.findIndex((column, at) => kindOf(column) === 'side' || /^(dr|cr|debit|credit)\.?$/i.test(cells[at] ?? ''))

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/**
 * Reads days as banks in India write them, with the day before the month: 05/09/2025, 5-Sep-25, 05 Sep 2025; and
 * 2025-09-05.
 */
function dayIn(text: string): string | null {
  const [, first = '', middle = '', last = ''] =
    /^(\d{1,4})[-/. ]([a-z]{3,9}|\d{1,2})[-/., ]+(\d{1,4})\b/i.exec(text) ?? []
  const named = MONTHS.indexOf(middle.slice(0, 3).toLowerCase()) + 1
  const month = String(named > 0 ? named : middle).padStart(2, '0')
  const [year, date] = first.length === 4 ? [first, last] : [last.length === 2 ? `20${last}` : last, first]
  const day = `${year}-${month}-${date.padStart(2, '0')}`
  return isDay(day) ? day : null
}

/** Reads 1,00,000.00, Rs. 299, 299.00 Cr; negative with a minus or Dr. Null if it is no amount. */
function paiseIn(text: string): number | null {
  const bare = bareOf(text)
  if (!AMOUNT.test(bare)) return null
  const [, sign = '', digits, side = ''] =
    /^([+-]?)(\d+(?:\.\d{1,2})?)\(?(cr|dr)?\.?\)?$/i.exec(bare.replaceAll(',', '')) ?? []
  if (digits === undefined) return null
  const paise = Math.round(Number(digits) * 100)
  if (!Number.isSafeInteger(paise)) return null
  return sign === '-' || /^d/i.test(side) ? -paise : paise
}

/** Some banks pad their reference column with zeros. */
const utrsIn = (text: string): string[] =>
  Array.from(text.matchAll(/(?<!\d)0{0,10}(\d{12})(?!\d)/g), ([, digits = '']) => digits)
