import * as web from 'node:stream/web'
import { setImmediate } from 'node:timers/promises'
import { dateFormat } from '@garba/shared/intlFormats'
import { isNumeral } from '@garba/shared/rules/numerals'
import { stringify } from 'csv-stringify/sync'
import type { Context } from 'hono'
import type { Deps } from '../flows/deps.ts'

type Cell = string | number | null
/**
 * A column's heading and the cell for each row. A `time` is given as ISO 8601 and written in the event's zone, as
 * 2025-09-22 18:30:00; a `day` is already in that zone.
 */
type Column<Row> =
  | readonly [heading: string, cell: (row: Row) => Cell, kind?: 'day']
  | readonly [heading: string, cell: (row: Row) => string | null, kind: 'time']
export type Columns<Row> = readonly Column<Row>[]

const ROWS_AT_ONCE = 1_000

/**
 * Matches the places before = + - @ where a spreadsheet would run a formula: with spaces or quotes between, at the
 * start of a text and after a semicolon, a tab, a bar or a line break. Excel may split a cell at these even inside
 * quotes.
 */
const RUNS = /^(?=[\t\r]|[\s"]*[=+\-@＝＋－＠])|(?<=[;\t|\r\n])(?=[\s"']*[=+\-@＝＋－＠])/gu
/**
 * Puts an apostrophe in these places, so that no formula runs. A number written as text gets its column's name in front:
 * LibreOffice would show an apostrophe there, and Gnumeric drops other marks with the leading zero.
 */
function toSafeCell(cell: Cell, heading: string): Cell {
  if (typeof cell !== 'string') return cell
  return isNumeral(cell) ? `${heading} ${cell.trim()}` : cell.replace(RUNS, "'")
}

function columnsIn<Row>(zone: string, columns: Columns<Row>): [heading: string, cell: (row: Row) => Cell][] {
  const format = dateFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone: zone })
  const first = columns.findIndex(([, , kind]) => kind !== undefined)
  return columns.map((column, index) => {
    const heading = index === first ? `${column[0]} (${zone})` : column[0]
    if (column[2] !== 'time') return [heading, (row) => toSafeCell(column[1](row), column[0])]
    const [, cell] = column
    return [heading, (row) => cell(row) && format.format(new Date(cell(row) ?? ''))]
  })
}

const split = async function* <Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) yield rows.slice(from, from + ROWS_AT_ONCE)
}

/**
 * RFC 4180 with a byte order mark, which makes Excel read it as UTF-8. Pauses between portions, so that a long file
 * does not hold up the gate.
 */
async function* writeCsv<Row>(
  zone: string,
  columns: Columns<Row>,
  portions: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  const written = columnsIn(zone, columns)
  yield buildCsvPortion(written, [], true)
  for await (const rows of portions) {
    yield buildCsvPortion(written, rows, false)
    await setImmediate()
  }
}

const buildCsvPortion = <Row>(
  columns: ReturnType<typeof columnsIn<Row>>,
  rows: readonly Row[],
  first: boolean,
): string =>
  stringify(
    rows.map((row) => columns.map(([, cell]) => cell(row))),
    {
      header: first,
      bom: first,
      columns: columns.map(([heading]) => heading),
      record_delimiter: 'windows',
      quote_record_delimiter: true,
    },
  )

export const fileAnswer = (
  c: Context,
  { name, type, text }: { name: string; type: string; text: string | ReadableStream<Uint8Array> },
): Response =>
  c.body(text, 200, {
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Disposition': `attachment; filename="${name}"`,
  })

interface CsvFile<Row> {
  name: string
  columns: Columns<Row>
  /** All rows, or portions of them, which are sent as they come. */
  rows: readonly Row[] | AsyncIterable<readonly Row[]>
}

export const csvAnswer = <Row>(c: Context, { settings }: Deps, { name, columns, rows }: CsvFile<Row>): Response => {
  const portions = Symbol.asyncIterator in rows ? rows : split(rows)
  return fileAnswer(c, { name, type: 'text/csv', text: toStream(writeCsv(settings.timezone, columns, portions)) })
}

const toStream = (portions: AsyncGenerator<string>) =>
  web.ReadableStream.from(portions).pipeThrough(new web.TextEncoderStream()) as ReadableStream<Uint8Array>

export const personFile = (c: Context, person: object): Response =>
  fileAnswer(c, {
    name: 'person.json',
    type: 'application/json',
    text: JSON.stringify({ success: true, ...person }),
  })
