import { expect, test } from 'vitest'
import { backoffMs } from './replayer.ts'

test('waits grow from two seconds to a minute and never beyond, spread by a quarter either way', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 50].map((tries) => backoffMs({ tries, chance: 0.5 }))
  expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000])
  expect(backoffMs({ tries: 1, chance: 0 })).toBe(1_500)
  expect(backoffMs({ tries: 50, chance: 1 })).toBe(75_000)
})
