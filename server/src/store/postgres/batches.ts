/*
 * The same statement of several callers in one turn is sent to PostgreSQL once, because a statement costs the server,
 * the driver and PostgreSQL far more than another row. Queries are written only in SQLite's dialect.
 */

import { createHash } from 'node:crypto'

export type Row = unknown[]

/** The name of a prepared statement. Behind a pooler, servers of different versions may meet on one connection. */
export const nameStatement = (text: string): string => createHash('sha256').update(text).digest('base64url')

export function numberPlaceholders(source: string): string {
  let count = 0
  return source.replace(/\?/g, () => `$${++count}`)
}

/** Translates a statement that Drizzle wrote for SQLite, which allows a table name in a conflict's target. */
export const toPostgresSql = (source: string): string =>
  numberPlaceholders(source).replace(/ on conflict \("\w+"\.("\w+")\)/, ' on conflict ($1)')

export interface JoinedStatement {
  /** Whether it is a read; reads may be reordered among themselves. */
  reads: boolean
  text: string
  name: string
  values: (calls: readonly (readonly unknown[])[]) => unknown[]
  /** The rows of each caller; null if the statement did nothing and each caller's must be sent alone. */
  rowsOf: (rows: Row[], calls: readonly (readonly unknown[])[]) => Row[][] | null
  fits?: (one: readonly unknown[], other: readonly unknown[]) => boolean
}
type Form = Omit<JoinedStatement, 'name'>

/** A condition that compares a column with parameters, so that their types are known. */
const CONDITIONS = /"\w+"\."\w+" (?:=|<>|<|>|<=|>=) \?|"\w+"\."\w+" in \(\?(?:, \?)*\)/g
/** A subquery that contains these cannot be repeated for each caller, or would lose its order. */
const UNFIT = /\?| order by | limit | offset | for update/
const INSERT =
  /^insert into ("\w+") \(((?:"\w+"(?:, )?)+)\) values \(((?:\?|default|null)(?:, (?:\?|default|null))*)\)$/

type Types = readonly ('text' | 'bigint')[]

/** The parameters' types in PostgreSQL; null if the values do not show them. */
function findParameterTypes(values: readonly unknown[]): Types | null {
  const types: ('text' | 'bigint')[] = []
  for (const value of values) {
    if (typeof value === 'string') types.push('text')
    else if (Number.isSafeInteger(value)) types.push('bigint')
    else return null
  }
  return types
}

const isPlain = (value: unknown): boolean =>
  value === null || typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value))

const sharedRead = (source: string): Form => ({
  reads: true,
  text: source,
  values: () => [],
  rowsOf: (rows, { length }) => Array<Row[]>(length).fill(rows),
})

/**
 * One read for each row of parameters. `offset 0` makes PostgreSQL look up each as it would alone, instead of planning
 * a join that could read the whole table.
 */
function readForEach(source: string, types: Types): Form {
  let count = 0
  const inner = source.replace(/\?/g, () => `b.p${count++}`)
  const arrays = types.map((type, n) => `$${n + 1}::${type}[]${type === 'text' ? ' collate "C"' : ''}`)
  const names = types.map((_, n) => `p${n}`)
  return {
    reads: true,
    text: `select q.*, b.n from unnest(${arrays}) with ordinality as b(${names}, n) cross join lateral (select * from (${inner}) o offset 0) q`,
    values: (calls) => types.map((_, n) => calls.map((values) => values[n])),
    rowsOf: (rows, { length }) => {
      const sorted = Array.from({ length }, (): Row[] => [])
      for (const row of rows) sorted[Number(row.pop()) - 1]?.push(row)
      return sorted
    },
  }
}

function insertOfAll(source: string): Form | null {
  const [, table, names = '', slots = ''] = INSERT.exec(source) ?? []
  if (table === undefined) return null
  const given = slots.split(', ')
  const columns = names.split(', ').filter((_, n) => given[n] !== 'default')
  const bound = names
    .split(', ')
    .filter((_, n) => given[n] === '?')
    .map((column) => column.slice(1, -1))
  const rowOf = (values: readonly unknown[]) =>
    Object.fromEntries(bound.map((column, n) => [column, wellFormed(values[n])]))
  return {
    reads: false,
    text: `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1)`,
    values: (calls) => [JSON.stringify(calls.map(rowOf))],
    rowsOf: (_, { length }) => Array<Row[]>(length).fill([]),
  }
}

/** PostgreSQL's JSON rejects lone surrogates; elsewhere the encoding replaces them in the same way. */
const wellFormed = (value: unknown): unknown => (typeof value === 'string' ? value.toWellFormed() : value)

const COUNT =
  /^insert into ("\w+") \("\w+", ("\w+")\) values \(\?, \?\) on conflict \(\1\."\w+"\) do update set \2 = \1\.\2 \+ excluded\.\2 returning \2$/
const TAKE =
  /^update ("\w+") set ("\w+") = \1\.\2 \+ \? where \(\1\."\w+" = \? and \1\.\2 \+ \? <= \1\."\w+"\) returning \2$/

/** Adds the sum once; each caller gets the number that it would have got in its turn. */
function sumOfAll(source: string): Form | null {
  const counts = COUNT.test(source)
  if (!counts && !TAKE.test(source)) return null
  const whichOf = (values: readonly unknown[]) => values[counts ? 0 : 1]
  const addedBy = (values: readonly unknown[]) => Number(values[counts ? 1 : 0])
  return {
    reads: false,
    text: toPostgresSql(source),
    values: (calls) => {
      const sum = calls.reduce((so, values) => so + addedBy(values), 0)
      const which = whichOf(calls[0] ?? [])
      return counts ? [which, sum] : [sum, which, sum]
    },
    rowsOf: ([row], calls) => {
      // There is not enough for all, but the first callers may still get their share.
      if (!row) return null
      let after = Number(row[0])
      const before: Row[][] = []
      for (const values of calls.toReversed()) {
        before.push([[after]])
        after -= addedBy(values)
      }
      return before.toReversed()
    },
    fits: (one, other) => whichOf(one) === whichOf(other),
  }
}

/** Holds the statements of all flows; only lists of varying length produce more texts than that. */
const KEPT = 300
const known = new Map<string, Map<string, JoinedStatement | null>>()

export function joinedForm(source: string, values: readonly unknown[]): JoinedStatement | null {
  let forms = known.get(source)
  if (!forms) {
    if (known.size >= KEPT) return null
    forms = new Map()
    known.set(source, forms)
  }
  const types = source.startsWith('select ') ? findParameterTypes(values) : values.every(isPlain) ? [] : null
  if (types === null) return null
  const key = types.join()
  const made = forms.get(key)
  if (made !== undefined) return made
  const form = findReadForm(source, types) ?? insertOfAll(source) ?? sumOfAll(source)
  const joined = form && { ...form, name: nameStatement(form.text) }
  forms.set(key, joined)
  return joined
}

function findReadForm(source: string, types: Types): Form | null {
  if (!source.startsWith('select ')) return null
  if (types.length === 0) return source.includes(' for update') ? null : sharedRead(source)
  return UNFIT.test(source.replace(CONDITIONS, '')) ? null : readForEach(source, types)
}
