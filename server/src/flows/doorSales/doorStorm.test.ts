import { expect, onTestFinished, test } from 'vitest'
import { doorStorm } from '../../testing/doorStorm.ts'

/** Fixed, so that a failing run fails again. `npm run storm -- door` uses a new one each time, and 10,000 steps. */
const SEED = 20_250_922

test('after a storm at the door no code is sold twice, the seats add up and the Books balance', async () => {
  expect(await doorStorm({ seed: SEED, steps: 80, whenOver: onTestFinished })).toEqual([])
}, 60_000)
