import { expect, test } from 'vitest'
import { bytesText, durationText } from './amounts.ts'

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_000, '1 kB'],
  [12_432_000, '12.4 MB'],
  [34_200_000_000, '34.2 GB'],
  [2_000_000_000_000_000, '2,000 TB'],
])('%d bytes are shown as %s', (bytes, shown) => {
  expect(bytesText(bytes)).toBe(shown)
})

test.each([
  [59, 'Less than a minute'],
  [60, '1 min'],
  [3_599, '59 min'],
  [11_520, '3 h 12 min'],
  [86_400, '1 d 0 h'],
  [187_000, '2 d 3 h'],
])('%d seconds are shown as %s', (seconds, shown) => {
  expect(durationText(seconds)).toBe(shown)
})
