import { expect, onTestFinished, test } from 'vitest'
import { onPostgres } from '../database.ts'
import { saleStorm } from './saleStorm.ts'

if (!onPostgres())
  test('when more buyers than seats come at once and the server is killed, each has what they were told, once', async () => {
    const sale = { seed: 8, buyers: 60, seats: 30, seconds: 1, kills: 1, payments: true }
    const { findings, placed, refused } = await saleStorm({ ...sale, whenOver: onTestFinished })
    expect(findings).toEqual([])
    expect(placed).toBeGreaterThanOrEqual(30)
    expect(placed + refused).toBe(60)
  }, 180_000)
