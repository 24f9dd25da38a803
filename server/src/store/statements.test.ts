import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { keepStatements } from './statements.ts'

function database(): Database.Database {
  const sqlite = new Database(':memory:')
  onTestFinished(() => {
    sqlite.close()
  })
  sqlite.exec("create table t (a, b); insert into t values (1, 'one')")
  keepStatements(sqlite)
  return sqlite
}

test('a text is compiled once, and asked for as rows or as arrays it answers as asked', () => {
  const sqlite = database()
  expect(sqlite.prepare('select * from t').raw().all()).toEqual([[1, 'one']])
  expect(sqlite.prepare('select * from t').all()).toEqual([{ a: 1, b: 'one' }])
  expect(sqlite.prepare('select * from t')).toBe(sqlite.prepare('select * from t'))
  expect(sqlite.prepare('insert into t values (?, ?)').run(2, 'two').changes).toBe(1)
  expect(sqlite.prepare('insert into t values (?, ?)').run(3, 'three').changes).toBe(1)
  expect(sqlite.prepare('select count(*) as n from t').get()).toEqual({ n: 3 })
})

test('a kept statement sees a changed table', () => {
  const sqlite = database()
  const read = () => sqlite.prepare('select * from t').all()
  read()
  sqlite.exec('alter table t add column c default 7')
  expect(read()).toEqual([{ a: 1, b: 'one', c: 7 }])
})

test('texts beyond the number kept go on working', () => {
  const sqlite = database()
  const sum = (n: number) => sqlite.prepare(`select a + ${n} as sum from t`).get()
  for (let n = 0; n < 700; n++) expect(sum(n)).toEqual({ sum: n + 1 })
  expect(sum(0)).toEqual({ sum: 1 })
})
