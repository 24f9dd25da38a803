import { expect, onTestFinished, test } from 'vitest'
import { eveningStorm } from './eveningStorm.ts'

/** Fixed, so that a failing run is likely to fail again. `npm run storm -- evening` is the whole of it. */
const SEED = 3

test('an evening with a kill and a restore keeps everybody who came and left, and both gates learn of every double', async () => {
  const evening = { seed: SEED, tickets: 80, phones: 8, doubles: 0.4, kills: 1, takeover: false, paceMs: 60 }
  const { findings, shown, doubles, left, cameBack } = await eveningStorm({ ...evening, whenOver: onTestFinished })
  expect(findings).toEqual([])
  expect(shown).toBeGreaterThanOrEqual(80)
  for (const count of [doubles, left, cameBack]) expect(count).toBeGreaterThan(0)
}, 120_000)
