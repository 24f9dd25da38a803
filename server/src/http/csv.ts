import { setImmediate } from 'node:timers/promises'
import { stringify } from 'csv-stringify/sync'
import type { Context } from 'hono'

type Cell = string | number | null
/** A column's heading and the cell for each row. */
export type Columns<Row> = readonly (readonly [heading: string, cell: (row: Row) => Cell])[]

const ROWS_AT_ONCE = 1_000

/**
 * Matches the places before = + - @ where a spreadsheet would run a formula: with spaces or quotes between, at the
 * start of a text and after a semicolon, a tab, a bar or a line break. Excel may split a cell at these even inside
 * quotes.
 */
const RUNS = /^(?=[\t\r]|[\s"]*[=+\-@＝＋－＠])|(?<=[;\t|\r\n])(?=[\s"']*[=+\-@＝＋－＠])/gu
/** Puts an apostrophe in these places, so that no formula runs. */
const harmless = (cell: Cell): Cell => (typeof cell === 'string' ? cell.replace(RUNS, "'") : cell)

/**
 * RFC 4180 with a byte order mark, which makes Excel read it as UTF-8. Pauses between portions, so that a long file
 * does not hold up the gate.
 */
async function csvOf<Row>(columns: Columns<Row>, rows: readonly Row[]): Promise<string> {
  const portions: string[] = []
  for (let from = 0; from === 0 || from < rows.length; from += ROWS_AT_ONCE) {
    portions.push(portionOf(columns, rows.slice(from, from + ROWS_AT_ONCE), from === 0))
    await setImmediate()
  }
  return portions.join('')
}

const portionOf = <Row>(columns: Columns<Row>, rows: readonly Row[], first: boolean): string =>
  stringify(
    rows.map((row) => columns.map(([, cell]) => harmless(cell(row)))),
    {
      header: first,
      bom: first,
      columns: columns.map(([heading]) => heading),
      record_delimiter: 'windows',
      quote_record_delimiter: true,
    },
  )

/** A response that browsers save as a file. */
export const fileAnswer = (c: Context, { name, type, text }: { name: string; type: string; text: string }): Response =>
  c.body(text, 200, {
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Disposition': `attachment; filename="${name}"`,
  })

export const csvAnswer = async <R>(
  c: Context,
  name: string,
  columns: Columns<R>,
  rows: readonly R[],
): Promise<Response> => fileAnswer(c, { name, type: 'text/csv', text: await csvOf(columns, rows) })

/** Sends all stored data about a person as a file. */
export const personFile = (c: Context, person: object): Response =>
  fileAnswer(c, {
    name: 'person.json',
    type: 'application/json',
    text: JSON.stringify({ success: true, ...person }),
  })
