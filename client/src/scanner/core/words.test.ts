import { expect, test } from 'vitest'
import { refusalWords } from './words.ts'

test.each([
  [12_000, 'Entered at 7:03 PM (12\u00a0s\u00a0ago)'],
  // This phone's clock is a little behind.
  [-900, 'Entered at 7:03 PM (0\u00a0s\u00a0ago)'],
  [-60_000, 'Entered at 7:03 PM'],
  [3_600_000, 'Entered at 7:03 PM'],
])('an entry made %i ms ago by this clock reads %s', (age, detail) => {
  const at = '2025-09-22T13:33:00.000Z'
  const clock = { now: new Date(Date.parse(at) + age), timeZone: 'Asia/Kolkata' }
  const entry = { at, by: null, device: null }
  expect(refusalWords({ code: 'ALREADY_USED', entry, manual: false }, clock).detail).toBe(detail)
})
