import { expect, test } from 'vitest'
import { computeCountdown } from '../src/site/landing/sections/CountdownSection.tsx'

const start = Date.parse('2025-09-07T18:30:00+05:30')
const end = Date.parse('2025-09-07T22:30:00+05:30')

test('the time left is shown in days, hours, minutes and seconds', () => {
  const now = start - (2 * 86_400 + 3 * 3_600 + 4 * 60 + 5) * 1000
  expect(computeCountdown({ now, start, end })).toEqual({
    type: 'before',
    left: { days: 2, hours: 3, minutes: 4, seconds: 5 },
  })
})

test('a started second counts as whole, so that zero is shown only when it is time', () => {
  expect(computeCountdown({ now: start - 1, start, end })).toEqual({
    type: 'before',
    left: { days: 0, hours: 0, minutes: 0, seconds: 1 },
  })
})

test('the evening runs from its first moment to its last', () => {
  expect(computeCountdown({ now: start, start, end }).type).toBe('running')
  expect(computeCountdown({ now: end - 1, start, end }).type).toBe('running')
  expect(computeCountdown({ now: end, start, end }).type).toBe('over')
})
