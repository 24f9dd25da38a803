/*
 * What callers ask in one turn with the same statement, PostgreSQL is asked once: each statement costs the server,
 * the driver and PostgreSQL far more than another row of the same one. SQLite's text stays the only form of a query.
 */

export type Row = unknown[]

/** How a statement is asked for several callers at once. */
export interface Joined {
  /** Reads may change places with reads. */
  reads: boolean
  text: string
  name: string
  /** The parameters of the joined statement, from those of each caller. */
  values: (asked: readonly (readonly unknown[])[]) => unknown[]
  /** Sorts the rows by caller. */
  rowsOf: (rows: Row[], callers: number) => Row[][]
}

/** A condition that compares a column with parameters, so that their types are known. */
const CONDITIONS = /"\w+"\."\w+" (?:=|<>|<|>|<=|>=) \?|"\w+"\."\w+" in \(\?(?:, \?)*\)/g
/** A subquery with these cannot be repeated for each caller, or loses its order. */
const UNFIT = /\?| order by | limit | offset | for update/
const INSERT =
  /^insert into ("\w+") \(((?:"\w+"(?:, )?)+)\) values \(((?:\?|default|null)(?:, (?:\?|default|null))*)\)$/

type Types = readonly ('text' | 'bigint')[]

/** The parameters' types in PostgreSQL; null where they cannot be told from the values. */
function typesOf(values: readonly unknown[]): Types | null {
  const types: ('text' | 'bigint')[] = []
  for (const value of values) {
    if (typeof value === 'string') types.push('text')
    else if (Number.isSafeInteger(value)) types.push('bigint')
    else return null
  }
  return types
}

/** Whether a value is the same in JSON. */
const isPlain = (value: unknown): boolean =>
  value === null || typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value))

/** Everybody gets the rows of the one question that binds nothing. */
const sharedRead = (source: string): Omit<Joined, 'name'> => ({
  reads: true,
  text: source,
  values: () => [],
  rowsOf: (rows, callers) => Array<Row[]>(callers).fill(rows),
})

/**
 * A read for each row of parameters. `offset 0` keeps PostgreSQL from planning them as one join, which could read the
 * whole table: each is looked up as it would be alone.
 */
function readForEach(source: string, types: Types): Omit<Joined, 'name'> {
  let count = 0
  const inner = source.replace(/\?/g, () => `b.p${count++}`)
  const arrays = types.map((type, n) => `$${n + 1}::${type}[]${type === 'text' ? ' collate "C"' : ''}`)
  const names = types.map((_, n) => `p${n}`)
  return {
    reads: true,
    text: `select q.*, b.n from unnest(${arrays}) with ordinality as b(${names}, n) cross join lateral (select * from (${inner}) o offset 0) q`,
    values: (asked) => types.map((_, n) => asked.map((values) => values[n])),
    rowsOf: (rows, callers) => {
      const sorted = Array.from({ length: callers }, (): Row[] => [])
      for (const row of rows) sorted[Number(row.pop()) - 1]?.push(row)
      return sorted
    },
  }
}

/** One insert of all rows, in order; the table knows the columns' types. */
function insertOfAll(source: string): Omit<Joined, 'name'> | null {
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
    values: (asked) => [JSON.stringify(asked.map(rowOf))],
    rowsOf: (_, callers) => Array<Row[]>(callers).fill([]),
  }
}

/** PostgreSQL's JSON has no halves of characters; elsewhere the encoding replaces them in the same way. */
const wellFormed = (value: unknown): unknown => (typeof value === 'string' ? value.toWellFormed() : value)

/** Holds the statements of all flows; only lists of varying length produce more texts than that. */
const KEPT = 300
const known = new Map<string, Joined | null>()

/** How to ask a statement with these parameters for several callers at once; null where it must be asked for each. */
export function joinedForm(source: string, values: readonly unknown[]): Joined | null {
  const isInsert = source.startsWith('insert ')
  const types = isInsert ? (values.every(isPlain) ? [] : null) : typesOf(values)
  if (types === null) return null
  const key = `${types.map((type) => type[0]).join('')} ${source}`
  const made = known.get(key)
  if (made !== undefined || known.size >= KEPT) return made ?? null
  const form = isInsert ? insertOfAll(source) : readOf(source, types)
  const joined = form && { ...form, name: `b${known.size}` }
  known.set(key, joined)
  return joined
}

function readOf(source: string, types: Types): Omit<Joined, 'name'> | null {
  if (!source.startsWith('select ')) return null
  if (types.length === 0) return source.includes(' for update') ? null : sharedRead(source)
  return UNFIT.test(source.replace(CONDITIONS, '')) ? null : readForEach(source, types)
}
