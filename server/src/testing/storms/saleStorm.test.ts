import { unpaidSeatsAtMost } from '@garba/shared/rules/orders/sale'
import { expect, onTestFinished, test } from 'vitest'
import { emptyPostgres, onPostgres } from '../database.ts'
import { saleStorm } from './saleStorm.ts'

test('when more buyers than seats come at once and the server is killed, each has what was confirmed to them, once', async () => {
  const sale = { seed: 8, buyers: 60, seats: 30, seconds: 1, kills: 1, payments: true }
  const { findings, placed, paid, refused } = await saleStorm({
    ...{ ...sale, postgres: onPostgres() ? await emptyPostgres() : undefined, whenOver: onTestFinished },
  })
  expect(findings).toEqual([])
  // Nobody was refused before all seats were taken, or as many of them held unpaid as may be.
  const unpaid = placed - paid
  expect(unpaid).toBe(unpaidSeatsAtMost({ totalTickets: 30, takenSeats: placed, unpaid }))
  expect(paid).toBeGreaterThan(15)
  expect(placed + refused).toBe(60)
}, 180_000)
