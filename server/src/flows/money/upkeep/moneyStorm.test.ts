import { expect, onTestFinished, test } from 'vitest'
import { moneyStorm } from '../../../testing/moneyStorm.ts'

/** Fixed, so that a failing run fails again. `npm run storm -- money` uses a new one each time, and 10,000 orders. */
const SEED = 20_250_922

test('after a storm of orders with a tenth of every fault the Books balance and agree with the provider', async () => {
  expect(await moneyStorm({ seed: SEED, orders: 60, faults: 0.1, whenOver: onTestFinished })).toEqual([])
}, 120_000)
