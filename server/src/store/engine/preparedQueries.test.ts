import Database from 'better-sqlite3'
import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { expect, onTestFinished, test } from 'vitest'
import { keepStatements, prepareInsert, prepareUpdate } from './preparedQueries.ts'
import type { Sql } from './sql.ts'
import { Transaction } from './transaction.ts'

const things = sqliteTable('things', {
  id: text().primaryKey(),
  done: integer({ mode: 'boolean' }),
  at: integer({ mode: 'timestamp_ms' }),
  facts: text({ mode: 'json' }).$type<string[]>(),
})
const insert = prepareInsert(things)
const change = prepareUpdate(things, eq(things.id, sql.placeholder('ofId')))

function database() {
  const client = new Database(':memory:')
  onTestFinished(() => void client.close())
  client.exec('create table things (id text primary key, done integer, at integer, facts text)')
  const sql = drizzle({ client, casing: 'snake_case' }) as unknown as Sql
  return {
    tx: new Transaction({ engine: 'sqlite', sql, rows: async (query) => sql.all(query) }),
    stored: () => client.prepare('select * from things').all(),
  }
}

test('values are stored as their columns say, and null as null', async () => {
  const { tx, stored } = database()
  await insert(tx, { id: 'a', done: false, at: new Date(7), facts: ['x'] })
  await insert(tx, { id: 'b', done: null, at: null, facts: null })
  await insert(tx, { id: 'c' })
  expect(stored()).toEqual([
    { id: 'a', done: 0, at: 7, facts: '["x"]' },
    { id: 'b', done: null, at: null, facts: null },
    { id: 'c', done: null, at: null, facts: null },
  ])
})

test('a change touches its own columns and answers the row; of no row it answers nothing', async () => {
  const { tx } = database()
  await insert(tx, { id: 'a', done: true, at: new Date(7), facts: ['x'] })
  expect(await change(tx, { done: null }, { ofId: 'a' })).toEqual({
    id: 'a',
    done: null,
    at: new Date(7),
    facts: ['x'],
  })
  expect(await change(tx, { at: null, done: false }, { ofId: 'a' })).toEqual({
    id: 'a',
    done: false,
    at: null,
    facts: ['x'],
  })
  expect(await change(tx, { done: true }, { ofId: 'b' })).toBeUndefined()
})

test('each database has queries of its own', async () => {
  const [one, two] = [database(), database()]
  await insert(one.tx, { id: 'a' })
  await insert(two.tx, { id: 'b' })
  expect(one.stored()).toMatchObject([{ id: 'a' }])
  expect(two.stored()).toMatchObject([{ id: 'b' }])
})

function plainDatabase(): Database.Database {
  const sqlite = new Database(':memory:')
  onTestFinished(() => {
    sqlite.close()
  })
  sqlite.exec("create table t (a, b); insert into t values (1, 'one')")
  keepStatements(sqlite)
  return sqlite
}

test('a text is compiled once, and asked for as rows or as arrays it answers as asked', () => {
  const sqlite = plainDatabase()
  expect(sqlite.prepare('select * from t').raw().all()).toEqual([[1, 'one']])
  expect(sqlite.prepare('select * from t').all()).toEqual([{ a: 1, b: 'one' }])
  expect(sqlite.prepare('select * from t')).toBe(sqlite.prepare('select * from t'))
  expect(sqlite.prepare('insert into t values (?, ?)').run(2, 'two').changes).toBe(1)
  expect(sqlite.prepare('insert into t values (?, ?)').run(3, 'three').changes).toBe(1)
  expect(sqlite.prepare('select count(*) as n from t').get()).toEqual({ n: 3 })
})

test('a kept statement sees a changed table', () => {
  const sqlite = plainDatabase()
  const read = () => sqlite.prepare('select * from t').all()
  read()
  sqlite.exec('alter table t add column c default 7')
  expect(read()).toEqual([{ a: 1, b: 'one', c: 7 }])
})

test('texts beyond the number kept go on working', () => {
  const sqlite = plainDatabase()
  const sum = (n: number) => sqlite.prepare(`select a + ${n} as sum from t`).get()
  for (let n = 0; n < 700; n++) expect(sum(n)).toEqual({ sum: n + 1 })
  expect(sum(0)).toEqual({ sum: 1 })
})
