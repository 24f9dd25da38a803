import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import Database from 'better-sqlite3'
import pg from 'pg'
import { requireUnused } from '../engine/backup.ts'
import { openStore } from '../engine/open.ts'
import { StoreUnusable } from '../engine/unusable.ts'
import { runOnConnection, toStorableValue } from './connection.ts'
import { CALL_COUNTS, MIGRATIONS_TABLE, RESTORING_TABLE } from './migrations.ts'
import { openPostgres } from './open.ts'

const BATCH = 500

/** The copy was refused and nothing has changed. The message is one sentence for the person at the terminal. */
export class MoveRefused extends Error {
  override name = 'MoveRefused'
}

type Row = Record<string, unknown>

/** Summarises a table so that both engines give the same result for the same rows. */
interface Summary {
  rows: number
  hash: string
}
export interface MovedTable {
  table: string
  rows: number
}

interface DatabaseMove {
  file: string
  url: string
  onTable?: (moved: MovedTable) => void
}

/**
 * Copies a SQLite database into an empty PostgreSQL one and compares the number of rows and a hash of each table; the
 * copy is all or nothing. Throws MoveRefused if a server runs on the file, the target has rows or the copies differ, and
 * StoreUnusable.
 */
export async function moveToPostgres({ file, url, onTable = () => undefined }: DatabaseMove): Promise<MovedTable[]> {
  if (!existsSync(file)) throw new MoveRefused(`There is no database at ${file}.`)
  // Opening it migrates its tables, even if a server of an earlier version has made them.
  requireUnused(file)
  await openStore(file).close()
  const source = takeAlone(file)
  try {
    await requireEmpty(url)
    return await whileFilling(url, async () => {
      await (await openPostgres(url, { restoring: true })).close()
      return copyAll({ source, url, onTable })
    })
  } finally {
    source.close()
  }
}

/**
 * SQLite leaves WAL mode only while no other process has the file open; the lock then keeps every server from starting.
 */
function takeAlone(file: string): Database.Database {
  const source = new Database(file, { timeout: 0 })
  try {
    if (source.pragma('journal_mode = DELETE', { simple: true }) !== 'delete') throw new Error('in use')
    source.exec('begin exclusive')
    return source
  } catch (error) {
    source.close()
    throw new MoveRefused(`A server is running on ${file}: stop it first, then move again.`, { cause: error })
  }
}

const buildMoveConfig = (url: string): pg.ClientConfig => ({ connectionString: url, application_name: 'garba move' })

/**
 * Empty tables are allowed, because an interrupted copy leaves them. The mark of an interrupted restore is removed from
 * an empty database.
 */
export async function requireEmpty(url: string): Promise<void> {
  const held = await runOnConnection(buildMoveConfig(url), async (client) => {
    const table = await tableWithRows(client)
    if (table === null) await client.query(`drop table if exists ${RESTORING_TABLE}`)
    return table
  }).catch((error: unknown) => {
    throw StoreUnusable.fromPostgres(error, url)
  })
  if (held !== null)
    throw new MoveRefused(`The PostgreSQL database is not empty (${held} has rows): name an empty one.`)
}

/**
 * Keeps servers from opening a database while `work` fills it, and afterwards if that was interrupted: without a new
 * epoch, phones would take it for the data they know. Throws StoreUnusable.
 */
async function whileFilling<T>(url: string, work: () => Promise<T>): Promise<T> {
  const ask = (query: string) =>
    runOnConnection(buildMoveConfig(url), (client) => client.query(query)).catch((error: unknown) => {
      throw StoreUnusable.fromPostgres(error, url)
    })
  await ask(`create table ${RESTORING_TABLE} ()`)
  const done = await work()
  await ask(`drop table ${RESTORING_TABLE}`)
  return done
}

async function tableWithRows(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  )
  for (const { name } of rows) {
    if (name === CALL_COUNTS || name === MIGRATIONS_TABLE) continue
    const { rowCount } = await client.query(`select 1 from ${pg.escapeIdentifier(name)} limit 1`)
    if (rowCount) return name
  }
  return null
}

async function copyAll({ source, url, onTable }: Omit<Required<DatabaseMove>, 'file'> & { source: Database.Database }) {
  return runOnConnection(buildMoveConfig(url), async (client) => {
    const done: MovedTable[] = []
    await client.query('begin')
    for (const table of inOrder(source)) {
      const copy = { source, client, table }
      await copyTable(copy)
      const given = summaryHere(copy)
      if (!isDeepStrictEqual(given, await summaryThere(copy)))
        throw new MoveRefused(`The table ${table} differs after the copy; nothing was kept.`)
      const moved = { table, rows: given.rows }
      done.push(moved)
      onTable(moved)
    }
    await client.query('commit')
    return done
  })
}

interface Info {
  name: string
  pk: number
}
export const readTableColumns = (source: Database.Database, table: string) =>
  source.pragma(`table_info("${table}")`) as Info[]
const readKeyColumns = (source: Database.Database, table: string): string =>
  readTableColumns(source, table)
    .filter(({ pk }) => pk > 0)
    .sort((a, b) => a.pk - b.pk)
    .map(({ name }) => `"${name}"`)
    .join(', ')

export function inOrder(source: Database.Database): string[] {
  const names = source
    .prepare(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\' order by name",
    )
    .pluck()
    .all() as string[]
  const ordered: string[] = []
  const place = (table: string) => {
    if (ordered.includes(table)) return
    const pointers = source.pragma(`foreign_key_list("${table}")`) as { table: string }[]
    for (const pointer of pointers) if (pointer.table !== table) place(pointer.table)
    ordered.push(table)
  }
  // Drizzle's table of migrations is left out, because PostgreSQL has its own.
  for (const name of names) if (name !== '__drizzle_migrations') place(name)
  return ordered
}

export interface TableCopy {
  source: Database.Database
  client: pg.Client
  table: string
}

async function copyTable({ source, client, table }: TableCopy): Promise<void> {
  const insert = `insert into "${table}" overriding system value select * from json_populate_recordset(null::"${table}", $1)`
  let batch: Row[] = []
  const send = async () => {
    if (batch.length > 0) await client.query(insert, [JSON.stringify(batch)])
    batch = []
  }
  for (const row of source.prepare(`select * from "${table}"`).iterate() as IterableIterator<Row>) {
    batch.push(Object.fromEntries(Object.entries(row).map(([name, value]) => [name, asJson(value)])))
    if (batch.length >= BATCH) await send()
  }
  await send()
  // A generated number continues after the highest.
  for (const { name } of readTableColumns(source, table)) {
    const { rows } = await client.query<{ sequence: string | null }>(
      'select pg_get_serial_sequence($1, $2) as sequence',
      [`"${table}"`, name],
    )
    const sequence = rows[0]?.sequence
    if (sequence)
      await client.query(`select setval($1, max("${name}")) from "${table}" having max("${name}") is not null`, [
        sequence,
      ])
  }
}

const asJson = (value: unknown): unknown =>
  Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : toStorableValue(value)

export function summaryHere({ source, table }: TableCopy): Summary {
  const summing = new Summing()
  for (const row of source.prepare(`select * from "${table}" order by ${readKeyColumns(source, table)}`).iterate())
    summing.add(row as Row)
  return summing.end()
}

export async function summaryThere({ source, client, table }: TableCopy): Promise<Summary> {
  const summing = new Summing()
  const columns = readTableColumns(source, table).map(({ name }) => `"${name}"`)
  const query = `select ${columns.join(', ')} from "${table}" order by ${readKeyColumns(source, table)}`
  await client.query(`declare moved no scroll cursor for ${query}`)
  for (;;) {
    const { rows } = await client.query<Row>(`fetch ${BATCH} from moved`)
    for (const row of rows) summing.add(row)
    if (rows.length === 0) break
  }
  await client.query('close moved')
  return summing.end()
}

/** PostgreSQL returns numbers as texts of digits, so they are compared as texts. */
class Summing {
  #rows = 0
  readonly #hash = createHash('sha256')

  add(row: Row): void {
    this.#rows += 1
    for (const [name, value] of Object.entries(row)) {
      const text =
        value === null ? null : Buffer.isBuffer(value) ? value.toString('hex') : String(toStorableValue(value))
      this.#hash.update(JSON.stringify([name, text]))
    }
  }

  end(): Summary {
    return { rows: this.#rows, hash: this.#hash.digest('hex') }
  }
}
