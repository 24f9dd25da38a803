import Database from 'better-sqlite3'
import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { expect, onTestFinished, test } from 'vitest'
import { inserter, updater } from './prepared.ts'

const things = sqliteTable('things', {
  id: text().primaryKey(),
  done: integer({ mode: 'boolean' }),
  at: integer({ mode: 'timestamp_ms' }),
  facts: text({ mode: 'json' }).$type<string[]>(),
})
const insert = inserter(things)
const change = updater(things, eq(things.id, sql.placeholder('ofId')))

function database() {
  const client = new Database(':memory:')
  onTestFinished(() => void client.close())
  client.exec('create table things (id text primary key, done integer, at integer, facts text)')
  return { db: drizzle({ client, casing: 'snake_case' }), stored: () => client.prepare('select * from things').all() }
}

test('values are stored as their columns say, and null as null', () => {
  const { db, stored } = database()
  insert(db, { id: 'a', done: false, at: new Date(7), facts: ['x'] })
  insert(db, { id: 'b', done: null, at: null, facts: null })
  insert(db, { id: 'c' })
  expect(stored()).toEqual([
    { id: 'a', done: 0, at: 7, facts: '["x"]' },
    { id: 'b', done: null, at: null, facts: null },
    { id: 'c', done: null, at: null, facts: null },
  ])
})

test('a change touches its own columns and answers the row; of no row it answers nothing', () => {
  const { db } = database()
  insert(db, { id: 'a', done: true, at: new Date(7), facts: ['x'] })
  expect(change(db, { done: null }, { ofId: 'a' })).toEqual({ id: 'a', done: null, at: new Date(7), facts: ['x'] })
  expect(change(db, { at: null, done: false }, { ofId: 'a' })).toEqual({ id: 'a', done: false, at: null, facts: ['x'] })
  expect(change(db, { done: true }, { ofId: 'b' })).toBeUndefined()
})

test('each database has queries of its own', () => {
  const [one, two] = [database(), database()]
  insert(one.db, { id: 'a' })
  insert(two.db, { id: 'b' })
  expect(one.stored()).toMatchObject([{ id: 'a' }])
  expect(two.stored()).toMatchObject([{ id: 'b' }])
})
