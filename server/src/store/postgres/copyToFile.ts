import { isDeepStrictEqual } from 'node:util'
import Database from 'better-sqlite3'
import type pg from 'pg'
import { BackupRefused } from '../engine/backup.ts'
import { makeOwnerOnly } from '../engine/folder.ts'
import { bringUpToDate } from '../engine/open.ts'
import { StoreUnusable } from '../engine/unusable.ts'
import { buildClientConfig, runOnConnection } from './connection.ts'
import { isUpToDate } from './migrations.ts'
import { inOrder, readTableColumns, summaryHere, summaryThere, type TableCopy } from './move.ts'

const BATCH = 500

/**
 * Copies a consistent snapshot of a PostgreSQL database into a new SQLite file with the same tables, and compares both
 * as a move does. Servers may be writing to it. Throws BackupRefused and StoreUnusable.
 */
export async function copyToFile({ url, file }: { url: string; file: string }): Promise<void> {
  makeOwnerOnly(file)
  const target = new Database(file)
  try {
    bringUpToDate(target)
    target.pragma('foreign_keys = OFF')
    target.exec('begin')
    await reading(url, async (client) => {
      if (!(await isUpToDate(client)))
        throw new BackupRefused('The database is of an earlier version: start the server once.')
      await client.query('begin isolation level repeatable read read only')
      for (const table of inOrder(target)) await copyTable({ source: target, client, table })
      await client.query('commit')
    })
    target.exec('commit')
  } finally {
    target.close()
  }
}

async function copyTable(copy: TableCopy): Promise<void> {
  const { source: target, client, table } = copy
  const columns = readTableColumns(target, table).map(({ name }) => name)
  const names = columns.map((name) => `"${name}"`).join(', ')
  target.exec(`delete from "${table}"`)
  const insert = target.prepare(`insert into "${table}" (${names}) values (${columns.map(() => '?').join(', ')})`)
  await client.query(`declare copied no scroll cursor for select ${names} from "${table}"`)
  for (;;) {
    const { rows } = await client.query<Record<string, unknown>>(`fetch ${BATCH} from copied`)
    for (const row of rows) insert.run(columns.map((name) => row[name]))
    if (rows.length === 0) break
  }
  await client.query('close copied')
  if (!isDeepStrictEqual(summaryHere(copy), await summaryThere(copy)))
    throw new BackupRefused(`The table ${table} differs after the copy; nothing was kept.`)
}

export const keepFactInPostgres = (url: string, key: string, value: string): Promise<void> =>
  reading(url, async (client) => {
    await client.query(
      'insert into meta (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value',
      [key, value],
    )
  })

const COPY_QUERY_MS = 120_000

async function reading<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const { types, connectionTimeoutMillis, keepAlive } = buildClientConfig(url)
  const patience = { connectionTimeoutMillis, keepAlive, query_timeout: COPY_QUERY_MS }
  try {
    return await runOnConnection(
      { connectionString: url, application_name: 'garba backup', ...patience, ...(types ? { types } : {}) },
      work,
    )
  } catch (error) {
    if (error instanceof BackupRefused || error instanceof StoreUnusable) throw error
    throw StoreUnusable.fromPostgres(error, url)
  }
}
