import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { readMeta, writeMeta } from '../../src/store/meta.ts'
import { nameStatement } from '../../src/store/postgres/connection.ts'
import { openPostgres, postgresSchemaAge } from '../../src/store/postgres/open.ts'
import { emptyPostgres } from '../../src/testing/database.ts'
import { startPooler } from '../../src/testing/pooler.ts'

test('a pooler that shares connections is refused at the start and by the doctor, with a sentence', async () => {
  const url = await emptyPostgres()
  await (await openPostgres(url)).close()
  const pooled = await startPooler(url, 'transaction')
  const why = /shares connections among its clients\. Set it to session mode/
  await expect(openPostgres(pooled)).rejects.toThrow(why)
  await expect(postgresSchemaAge(pooled)).rejects.toThrow(why)
})

test('behind a pooler in session mode a server that freezes in a write frees the lock within seconds', async () => {
  const url = await emptyPostgres()
  const pooled = await startPooler(url, 'session')
  const store = await openPostgres(pooled)
  onTestFinished(store.close)
  await store.write((tx) => writeMeta(tx, 'row', 'before'))
  const other = await openPostgres(url)
  onTestFinished(other.close)
  const thaw = Promise.withResolvers<void>()
  const frozen = store
    .write(async (tx) => {
      await writeMeta(tx, 'row', 'half')
      await thaw.promise
    })
    .catch((error: Error) => error)
  await sleep(200)
  const from = performance.now()
  await other.write((tx) => writeMeta(tx, 'row', 'after'))
  expect(performance.now() - from).toBeLessThan(7_500)
  thaw.resolve()
  expect(await frozen).toMatchObject({ name: 'StoreUnavailable' })
  expect(await other.read((tx) => readMeta(tx, 'row'))).toBe('after')
})

test('a prepared statement is named by its text', () => {
  expect(nameStatement('select 1')).toBe(nameStatement('select 1'))
  expect(nameStatement('select 1')).not.toBe(nameStatement('select 2'))
  // PostgreSQL cuts longer names off.
  expect(nameStatement('select 1').length).toBeLessThan(63)
})
