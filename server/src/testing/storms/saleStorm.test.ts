import { expect, inject, onTestFinished, test } from 'vitest'
import { onPostgres } from '../database.ts'
import { ask, databaseAt } from '../postgres.ts'
import { saleStorm } from './saleStorm.ts'

/** An empty database of its own, where this run is on PostgreSQL. */
async function emptyDatabase(): Promise<string | undefined> {
  const server = onPostgres() ? inject('postgres') : undefined
  if (server === undefined) return undefined
  const name = `storm_${process.pid}`
  await ask(server, `create database ${name}`)
  return databaseAt(server, name)
}

test('when more buyers than seats come at once and the server is killed, each has what was confirmed to them, once', async () => {
  const sale = { seed: 8, buyers: 60, seats: 30, seconds: 1, kills: 1, payments: true }
  const { findings, placed, refused } = await saleStorm({
    ...{ ...sale, postgres: await emptyDatabase(), whenOver: onTestFinished },
  })
  expect(findings).toEqual([])
  expect(placed).toBeGreaterThanOrEqual(30)
  expect(placed + refused).toBe(60)
}, 180_000)
