import { DAY_MS } from '@garba/shared/constants'
import { isDay } from '@garba/shared/rules/event/calendar'

export type DateOrder = 'dayFirst' | 'monthFirst'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const parseMonth = (name: string): string => String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1)

const TIME = `(?:[T ,].*)?$`
const NUMBERS = new RegExp(String.raw`^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4}|\d{2})${TIME}`)
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})${TIME}`)
const DAY_AND_NAME = new RegExp(String.raw`^(\d{1,2})[-/. ]([a-z]{3,9})[-/., ]+(\d{4}|\d{2})${TIME}`, 'i')
const NAME_AND_DAY = new RegExp(String.raw`^([a-z]{3,9})[-/. ](\d{1,2}),?[-/. ]+(\d{4}|\d{2})${TIME}`, 'i')
const DIGITS = /^(20\d{2})(\d{2})(\d{2})$/
/** Spreadsheets count days from 30 December 1899; these are the years 2009 to 2064. */
const SERIAL = /^([4-5]\d{4})(?:\.\d+)?$/
const SERIAL_START = Date.UTC(1899, 11, 30)

/** Reads a day in any form that banks, payment apps and spreadsheets write; null for other texts. */
export function readDay(text: string, order: DateOrder): string | null {
  const [, first = '', second = '', year = ''] = NUMBERS.exec(text) ?? []
  if (year !== '') return order === 'dayFirst' ? dayFrom(year, second, first) : dayFrom(year, first, second)
  const [, whole = '', month = '', day = ''] = YEAR_FIRST.exec(text) ?? DIGITS.exec(text) ?? []
  if (whole !== '') return dayFrom(whole, month, day)
  const [, date = '', name = '', its = ''] = DAY_AND_NAME.exec(text) ?? []
  if (its !== '') return dayFrom(its, parseMonth(name), date)
  const [, named = '', dated = '', of = ''] = NAME_AND_DAY.exec(text) ?? []
  if (of !== '') return dayFrom(of, parseMonth(named), dated)
  const serial = SERIAL.exec(text)?.[1]
  return serial === undefined ? null : new Date(SERIAL_START + Number(serial) * DAY_MS).toISOString().slice(0, 10)
}

const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function dayFrom(year: string, month: string, date: string): string | null {
  const most = DAYS_IN_MONTH[Number(month) - 1] ?? 0
  if (Number(date) < 1 || Number(date) > most) return null
  const day = `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  return month.endsWith('2') && !isDay(day) ? null : day
}

export const isDate = (text: string): boolean =>
  /\d/.test(text) && (readDay(text, 'dayFirst') !== null || readDay(text, 'monthFirst') !== null)

/** The order that the numbers of these dates prove, or null if they fit both. */
export function findDateOrder(dates: Iterable<string>): DateOrder | null {
  let monthFirst = false
  for (const date of dates) {
    const [, first, second] = NUMBERS.exec(date) ?? []
    if (Number(first) > 12) return 'dayFirst'
    monthFirst ||= Number(second) > 12
  }
  return monthFirst ? 'monthFirst' : null
}

const NUMBER = String.raw`(?:0|[1-9]\d*|[1-9]\d{0,2}(?:,\d{2,3})*,\d{3})(?:\.\d{1,2})?`
const SIDE = `(cr|credit|dr|debit)`
const AMOUNT = new RegExp(String.raw`^([+-]?)(${NUMBER})(?:/?-)?(?:\(?${SIDE}\.?\)?)?$`, 'i')
const stripCurrency = (text: string): string => text.replace(/₹|rs\.?|inr|\s/gi, '')

/** The paise of an amount; negative if it shows that money went out. */
interface ReadAmount {
  paise: number
  side: 'in' | 'out' | null
}

/** Reads 1,00,000.00, Rs. 299/-, 299.00 Credit, (299.00), -299; null for other texts. */
export function parseAmountCell(text: string): ReadAmount | null {
  const bare = stripCurrency(text)
  const inner = /^\(([^()]+)\)$/.exec(bare)?.[1]
  const [, sign = '', digits, word = ''] = AMOUNT.exec(inner ?? bare) ?? []
  if (digits === undefined) return null
  const paise = Math.round(Number(digits.replaceAll(',', '')) * 100)
  if (!Number.isSafeInteger(paise)) return null
  const isOut = sign === '-' || inner !== undefined || /^d/i.test(word) || /\d-$/.test(bare)
  const side = isOut ? 'out' : sign === '+' || word !== '' ? 'in' : null
  return { paise: isOut ? -paise : paise, side }
}

/** Whether a cell may stand in a column of amounts, where a dash or nothing means none. */
export const isAmountCell = (cell: string): boolean => /^([-–]|na|nil)?$/i.test(cell) || parseAmountCell(cell) !== null

/** A balance may be below zero in ways that no credit is: -,77,65,682.30. */
export const isBalanceCell = (cell: string): boolean => isAmountCell(cell.replace(/^-,/, '-'))

/** Groups of thousands as usually written, not a number that happens to precede an amount. */
export const isGrouped = (cell: string): boolean => /^[+-]?[1-9]\d{0,2}(,\d{2})*,\d{3}(\.\d{1,2})?$/.test(cell)

/** A number that a spreadsheet has rounded: 6.32911E+11. */
export const isRounded = (cell: string): boolean => /^\d(\.\d+)?e\+?\d{2}$/i.test(cell)

const UTR = /^(?:0{4,10})?(\d{12})$/
/** A cell with only a 12-digit number, which some banks pad to 16 digits or more; null for zeros alone. */
export function readUtrCell(cell: string): string | null {
  const [, digits = ''] = UTR.exec(cell) ?? []
  return /[1-9]/.test(digits) ? digits : null
}

export const findLongNumbers = (text: string): string[] =>
  Array.from(text.matchAll(/(?<!\d)0{0,10}(\d{12})(?!\d)/g), ([, digits = '']) => digits).filter((one) =>
    /[1-9]/.test(one),
  )

const findWords = (cell: string): string =>
  cell
    .replace(/[^a-z ]/gi, '')
    .trim()
    .toLowerCase()

const IN = /^(c|cr|credit(ed)?|deposit(ed)?|in(ward)?|(money )?received)$/
const OUT = /^(d|dr|debit(ed)?|withdrawal|withdrawn|out(ward)?|paid|(money )?sent)$/
/** What a column that names the side may say; anything else, such as a kind of transfer, says nothing. */
export function readSide(cell: string): 'in' | 'out' | null {
  const words = findWords(cell)
  return IN.test(words) ? 'in' : OUT.test(words) ? 'out' : null
}

const DONE = /^(success(ful)?|succeeded|completed?|paid|captured|settled|credited|received|processed|done)$/
/** Whether a column of states says that a payment was made. */
export const isDone = (cell: string): boolean => DONE.test(findWords(cell))
