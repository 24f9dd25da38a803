import { expect, test } from 'vitest'
import { bestOf, isDrifting, offsetOf } from './clock.ts'

test('the middle of the journey is taken for the moment of the server', () => {
  expect(offsetOf({ sentAt: 1_000, receivedAt: 1_200, serverTime: 61_100 })).toBe(60_000)
})

test('of several comparisons the quickest counts', () => {
  const slow = { sentAt: 0, receivedAt: 4_000, serverTime: 9_000 }
  const quick = { sentAt: 5_000, receivedAt: 5_040, serverTime: 10_020 }
  expect(bestOf([slow, quick, slow])).toBe(quick)
  expect(bestOf([])).toBeUndefined()
})

test('two minutes of drift are borne, more is shown', () => {
  expect(isDrifting(120_000)).toBe(false)
  expect(isDrifting(-120_001)).toBe(true)
})
