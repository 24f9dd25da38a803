import type {
  SkippedRow,
  StatementColumns,
  StatementMapping,
  StatementNote,
} from '@garba/shared/contracts/money/statement'
import { STATEMENT } from '@garba/shared/messages/money'
import { readNarration, WORDS_BETWEEN } from '@garba/shared/rules/orders/bankForms'
import { foldText } from '@garba/shared/rules/search'
import {
  type DateOrder,
  findDateOrder,
  findLongNumbers,
  isAmountCell,
  isBalanceCell,
  isDate,
  isDone,
  isGrouped,
  isRounded,
  parseAmountCell,
  readDay,
  readSide,
  readUtrCell,
} from './statementCells.ts'
import { DAYS, readTable, type StatementTable, WORDS, wrongFile } from './statementTable.ts'

export interface Credit {
  day: string
  paise: number
  /** The RRN, the number by which everybody knows a UPI transfer; null where the line has none. */
  utr: string | null
  /** The line's other long numbers, which may be anybody's. */
  numbers: string[]
  description: string
  /** Counts the lines before it in this file that are equal. */
  repeat: number
}

const SAMPLE = 5
const DESCRIPTION_MAX = 500

/** Column names of the large Indian banks, best match first. */
type Part = Exclude<keyof StatementMapping, 'monthFirst'>
const PARTS: readonly Part[] = ['date', 'amount', 'direction', 'utr', 'description']
const NAMES: Readonly<Record<Part, readonly RegExp[]>> = {
  date: [/^(txn|transaction|tran|trans|post(ed|ing)?)\.? ?date/i, /^date/i, DAYS],
  amount: [/^(?!.*debit).*(credit|deposit)/i, /^(?!.*\bdr\b).*\bcr\b/i, /^(?!.*(debit|withdraw|\bdr\b))/i],
  direction: [/./],
  utr: [/utr|rrn|upi ref/i, /ref/i, /chq|cheque/i],
  description: [/narration|narrative|description|particular/i, WORDS],
}
const KIND_OF_PART: Partial<Record<Part, Kind>> = { date: 'day', amount: 'amount', direction: 'side' }

export function readColumns(csv: string, today: string): Omit<StatementColumns, 'success'> {
  const table = readTable(csv)
  const kinds = listColumnKinds(table)
  const { columns, rows } = table
  const mapping: Partial<StatementMapping> = {}
  for (const part of PARTS)
    for (const name of NAMES[part]) {
      const kind = KIND_OF_PART[part]
      const at = columns.findIndex((column, n) => name.test(column) && (kind === undefined || kinds[n] === kind))
      if (at >= 0) mapping[part] ??= at
    }
  const sample = rows.slice(0, SAMPLE).map(({ cells }) => parseRowCells(cells, kinds) ?? cells)
  const isOpen = mapping.date !== undefined && isOrderOpen(table, mapping.date, today)
  return { columns, mapping, sample, ...(isOpen ? { asksDateOrder: true } : {}) }
}

const PERIOD = /\b\d{1,2}[-/. ](?:\d{1,2}|[a-z]{3,9})[-/. ,]+\d{2,4}\b|\b\d{4}-\d{2}-\d{2}\b/gi
const periodIn = ({ above }: StatementTable): string[] => above.join(' ').match(PERIOD) ?? []

const datesIn = (table: StatementTable, date: number): string[] => [
  ...table.rows.map(({ cells }) => cells[date] ?? ''),
  ...periodIn(table),
]

/** Whether all dates fit both orders, and only the unusual one has them in the past and within the statement's period. */
function isOrderOpen(table: StatementTable, date: number, today: string): boolean {
  if (findDateOrder(datesIn(table, date)) !== null) return false
  const cells = table.rows.map((row) => row.cells[date] ?? '')
  const isPlausible = (order: DateOrder): boolean => {
    const [first = '', ...others] = periodIn(table)
      .flatMap((text) => readDay(text, order) ?? [])
      .toSorted()
    const last = others.at(-1) ?? today
    const days = cells.flatMap((cell) => readDay(cell, order) ?? [])
    return days.every((day) => day <= today && (others.length === 0 || (day >= first && day <= last)))
  }
  return !isPlausible('dayFirst') && isPlausible('monthFirst')
}

/** The number of rows shown to the desk; debits come last, because they need no attention. */
const LISTED = 200

export interface StatementReading {
  credits: Credit[]
  skipped: number
  skippedRows: SkippedRow[]
  notes?: StatementNote[]
}

/**
 * The credits of a statement, and the other rows with the reason. Refuses with VALIDATION_FAILED if there are no
 * credits, as in a column of debits or balances.
 */
export function readCredits(csv: string, mapping: StatementMapping): StatementReading {
  const table = readTable(csv)
  const { columns, rows } = table
  const kinds = listColumnKinds(table)
  const amount = columns[mapping.amount] ?? ''
  if (isDebit(amount) || kinds[mapping.amount] === 'balance') throw wrongFile(STATEMENT.debitColumn)
  const chosen = mapping.monthFirst === undefined ? null : mapping.monthFirst ? 'monthFirst' : 'dayFirst'
  const order = chosen ?? findDateOrder(datesIn(table, mapping.date)) ?? 'dayFirst'
  const signed = rows.some(({ cells }) => (cells[mapping.amount] ?? '').startsWith('+'))
  const reading: StatementLayout = {
    mapping,
    columns,
    kinds,
    order,
    signed,
    side: sideAt(mapping, { columns, kinds, rows }),
  }
  const found: FoundCredit[] = []
  const skippedRows: SkippedRow[] = []
  for (const { cells, line } of rows) {
    const read = parseCredit(cells, reading)
    if ('why' in read)
      skippedRows.push({ line, ...read, text: cells.filter(Boolean).join(', ').slice(0, DESCRIPTION_MAX) })
    else found.push({ ...read, line })
  }
  if (found.length === 0) throw wrongFile(STATEMENT.noRows)
  const notes = found.flatMap(({ line, shortened }) => (shortened ? [{ line, message: STATEMENT.shortened }] : []))
  const listed = skippedRows.toSorted((one, other) => Number(one.why === 'debit') - Number(other.why === 'debit'))
  return {
    credits: countRepeats(dropSharedNumbers(found)),
    skipped: skippedRows.length,
    skippedRows: listed.slice(0, LISTED),
    ...(notes.length > 0 ? { notes: notes.slice(0, LISTED) } : {}),
  }
}

interface FoundCredit extends Omit<Credit, 'repeat'> {
  line: number
  /** Whether the UTR stands in the place that the bank's form gives it. */
  isInPlace: boolean
  shortened: boolean
}

/** A number that a column repeats beside other credits is the bank's own, whatever the column's name. */
function dropSharedNumbers(found: readonly FoundCredit[]): FoundCredit[] {
  const doubted = new Map(
    found.flatMap(({ utr, isInPlace }) => (utr === null || isInPlace ? [] : [[utr, new Set<string>()]])),
  )
  if (doubted.size === 0) return [...found]
  for (const { utr, numbers, day, paise, description } of found)
    for (const number of [utr ?? '', ...numbers]) doubted.get(number)?.add(`${day} ${paise} ${description}`)
  return found.map((credit) => {
    const { utr, isInPlace, numbers } = credit
    if (utr === null || isInPlace || doubted.get(utr)?.size === 1) return credit
    return { ...credit, utr: null, numbers: [utr, ...numbers] }
  })
}

function countRepeats(found: readonly FoundCredit[]): Credit[] {
  const seen = new Map<string, number>()
  return found.map(({ day, paise, utr, numbers, description }) => {
    const facts = [day, paise, utr, foldText(description)].join('|')
    const repeat = seen.get(facts) ?? 0
    seen.set(facts, repeat + 1)
    return { day, paise, utr, numbers, description, repeat }
  })
}

/** The content of a column, by its name. Only words and amounts may have commas in them. */
type Kind = 'words' | 'side' | 'balanceSide' | 'day' | 'balance' | 'amount' | 'status' | 'utr' | 'other'
const SIDE_NAME =
  /^\W*(dr|cr|debit|credit|d|c) ?[/|-] ?(cr|dr|credit|debit|c|d)\b|^(?!.*date).*\btype$|^type\b|indicator/i
const KINDS: readonly (readonly [Kind, RegExp])[] = [
  ['words', WORDS],
  ['side', SIDE_NAME],
  ['status', /\bstatus$/i],
  ['utr', /\butr\b|\brrn\b|\bupi ref/i],
  ['day', DAYS],
  ['balance', /balance|^bal\b/i],
  ['amount', /debit|credit|withdraw|deposit|amount|\bamt\b|^(dr|cr)\b|paid in/i],
]
const getColumnKind = (column: string): Kind => KINDS.find(([, name]) => name.test(column))?.[0] ?? 'other'

/** The kinds of a table's columns. A side after the balance is the balance's; one with figures is an amount with a sign. */
function listColumnKinds({ columns, rows }: Pick<StatementTable, 'columns' | 'rows'>): Kind[] {
  const kinds = columns.map(getColumnKind)
  return kinds.map((kind, at) => {
    if (kind !== 'side') return kind
    if (kinds[at - 1] === 'balance') return 'balanceSide'
    if (!/[/|]/.test(columns[at] ?? '') && rows.every(({ cells }) => readSide(cells[at] ?? '') === null)) return 'other'
    const figures = rows.filter(({ cells }) => /\d/.test(cells[at] ?? '')).length
    return figures > rows.length / 2 ? 'amount' : kind
  })
}

const DEBIT = /debit|withdraw|\bdr\b/i
const CREDIT = /credit|deposit|\bcr\b/i
const isAmount = (column: string): boolean => getColumnKind(column) === 'amount'
const isDebit = (column: string): boolean => isAmount(column) && DEBIT.test(column) && !CREDIT.test(column)
const isCredit = (column: string): boolean => isAmount(column) && CREDIT.test(column) && !DEBIT.test(column)

const FITS: Readonly<Record<Kind, (cell: string) => boolean>> = {
  words: () => true,
  side: (cell) => /^[a-z ./-]*$/i.test(cell),
  balanceSide: (cell) => /^[a-z ./-]*$/i.test(cell),
  status: (cell) => /^[a-z _.-]*$/i.test(cell),
  utr: (cell) => !cell.includes(','),
  day: (cell) => cell === '' || isDate(cell),
  balance: isBalanceCell,
  amount: isAmountCell,
  other: (cell) => !cell.includes(','),
}

const EXTRA_MAX = 10

/**
 * The cells of a row, one per column; null if a cell is missing. A row with more cells has commas that the bank did not
 * quote: it is read only if exactly one reading fits, with the commas in words or between the thousands of an amount.
 * Otherwise null.
 */
function parseRowCells(row: readonly string[], kinds: readonly Kind[]): string[] | null {
  const cells = kinds.map((_, at) => row[at] ?? '')
  const extra = row.length - kinds.length
  if (extra > EXTRA_MAX) return null
  if (extra > 0) {
    const [only, another] = readings(row, kinds)
    return only && !another ? only : null
  }
  return extra === 0 || kinds.every((kind, at) => FITS[kind](cells[at] ?? '')) ? cells : null
}

function readings(cells: readonly string[], kinds: readonly Kind[]): string[][] {
  const [kind, ...others] = kinds
  if (kind === undefined) return cells.length === 0 ? [[]] : []
  const found: string[][] = []
  const most = kind === 'words' || kind === 'amount' || kind === 'balance' ? cells.length - others.length : 1
  for (let take = 1; take <= most && found.length < 2; take += 1) {
    const cell = cells.slice(0, take).join(kind === 'words' ? ', ' : ',')
    if (!FITS[kind](cell) || (take > 1 && kind !== 'words' && !isGrouped(cell))) continue
    for (const rest of readings(cells.slice(take), others)) found.push([cell, ...rest])
  }
  return found
}

interface StatementLayout {
  mapping: StatementMapping
  columns: readonly string[]
  kinds: readonly Kind[]
  order: DateOrder
  signed: boolean
  side: number
}

type SkipReason = Omit<SkippedRow, 'line' | 'text'>

function parseCredit(row: readonly string[], reading: StatementLayout): Omit<FoundCredit, 'line'> | SkipReason {
  const { mapping, kinds, columns, order } = reading
  const skip = (why: SkipReason['why'], at?: number): SkipReason =>
    at === undefined ? { why } : { why, cell: { column: columns[at] ?? '', text: cells?.[at] ?? row[at] ?? '' } }
  const cells = parseRowCells(row, kinds)
  const date = row[mapping.date] ?? ''
  if (readDay(date, order) === null) return isDate(date) ? skip('wrongDate', mapping.date) : skip('noDate')
  if (!cells) return skip('fields')
  const day = readDay(cells[mapping.date] ?? '', order)
  if (day === null) return skip('noDate')
  const paise = paiseIn(cells, { ...reading, skip, isShort: row.length < kinds.length })
  if (typeof paise === 'object') return paise
  const words = columns.flatMap((_, at) =>
    at === mapping.description || (kinds[at] === 'words' && at !== mapping.utr) ? [at] : [],
  )
  const texts = words
    .toSorted((one, other) => Number(other === mapping.description) - Number(one === mapping.description))
    // A bank that does not double the quotes within a cell leaves the outer ones.
    .flatMap((at) => cells[at]?.replace(/^"(.*)"$/, '$1') || [])
  return {
    day,
    paise,
    ...numbersIn(cells, texts, reading),
    description: texts.join(WORDS_BETWEEN).slice(0, DESCRIPTION_MAX),
  }
}

/** HDFC writes the RRN of a UPI transfer behind four zeros into its column of references. */
const PADDED = /^0{4}(\d{12})$/

function numbersIn(
  cells: readonly string[],
  texts: readonly string[],
  { mapping, kinds }: StatementLayout,
): Pick<FoundCredit, 'utr' | 'numbers' | 'isInPlace' | 'shortened'> {
  const chosen = cells[mapping.utr ?? -1] ?? ''
  const named = kinds.flatMap((kind, at) => (kind === 'utr' && at !== mapping.utr ? [cells[at] ?? ''] : []))
  const narration = texts.flatMap((text) => readNarration(text) ?? [])[0]
  const isUpi = texts.some((text) => /^\W*upi\b/i.test(text))
  const padded = isUpi && PADDED.test(chosen) ? readUtrCell(chosen) : null
  const inPlace = narration?.rrn ?? padded
  // A column of references may hold the bank's own number where the words have a form of their own.
  const columns = isUpi && kinds[mapping.utr ?? -1] !== 'utr' ? named : [...named, chosen]
  const utr = inPlace ?? columns.flatMap((cell) => readUtrCell(cell) ?? [])[0] ?? null
  const all = new Set([chosen, ...named, ...texts].flatMap(findLongNumbers))
  const shortened = utr === null && [...named, chosen].some((cell) => isRounded(cell) || isCut(cell, kinds, mapping))
  return { utr, numbers: [...all].filter((one) => one !== utr), isInPlace: inPlace !== null, shortened }
}

/** A spreadsheet drops the zeros before a number; numbers of cheques are shorter. */
const isCut = (cell: string, kinds: readonly Kind[], { utr }: StatementMapping): boolean =>
  /^\d{9,11}$/.test(cell) && (utr === undefined || kinds[utr] === 'utr')

/** The paise that came in. A row never counts as a credit if anything in it shows that money went out. */
function paiseIn(
  cells: readonly string[],
  {
    mapping,
    columns,
    kinds,
    signed,
    side,
    skip,
    isShort,
  }: StatementLayout & {
    skip: (why: SkipReason['why'], at?: number) => SkipReason
    isShort: boolean
  },
): number | SkipReason {
  const failed = kinds.findIndex((kind, at) => kind === 'status' && !isDone(cells[at] ?? ''))
  if (failed >= 0) return skip('failed', failed)
  const odd = kinds.findIndex((kind, at) => (kind === 'amount' || kind === 'balance') && !FITS[kind](cells[at] ?? ''))
  if (odd >= 0) return skip('noAmount', odd)
  const amount = parseAmountCell(cells[mapping.amount] ?? '')
  const out = columns.findIndex((column, at) => isDebit(column) && (parseAmountCell(cells[at] ?? '')?.paise ?? 0) !== 0)
  if (out >= 0) return (amount?.paise ?? 0) <= 0 ? skip('debit') : isShort ? skip('fields') : skip('bothSides', out)
  if (!amount || amount.paise === 0) return skip('noAmount', mapping.amount)
  if (amount.paise < 0) return skip('debit')
  // If one column holds both, another must name the side, even if the desk did not choose it.
  const holdsCredits = isCredit(columns[mapping.amount] ?? '')
  const says = side < 0 ? null : readSide(cells[side] ?? '')
  if (says === 'out') return skip('debit')
  if (says === null && side >= 0 && !holdsCredits) return skip('noSide', side)
  if (signed && amount.side === null && !holdsCredits && says === null) return skip('noSign', mapping.amount)
  return amount.paise
}

function sideAt(
  { amount, direction }: StatementMapping,
  { columns, kinds, rows }: Pick<StatementTable, 'columns' | 'rows'> & { kinds: readonly Kind[] },
): number {
  if (direction !== undefined) return direction
  if (isCredit(columns[amount] ?? '')) return -1
  const named = kinds.indexOf('side')
  if (named >= 0) return named
  return columns.findIndex(
    (_, at) => kinds[at] === 'other' && rows.some(({ cells }) => /^(dr|cr|debit|credit)\.?$/i.test(cells[at] ?? '')),
  )
}
