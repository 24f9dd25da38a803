import { expect, test } from 'vitest'
import { findDeadline, isOtherDay } from './eventDay.ts'

const night = { startsAt: new Date('2025-09-22T13:30:00Z'), endsAt: new Date('2025-09-22T17:00:00Z') }

test.each([
  ['2025-09-22T07:29:59.999Z', true],
  ['2025-09-22T07:30:00Z', false],
  ['2025-09-22T22:59:59.999Z', false],
  ['2025-09-22T23:00:00Z', true],
  ['2025-08-01T14:00:00Z', true],
])('at %s it is another day: %s', (at, other) => {
  expect(isOtherDay(night, new Date(at))).toBe(other)
})

test('a deadline is its own moment, or the end of the event’s day, or none', () => {
  const own = new Date('2025-09-20T10:00:00Z')
  expect(findDeadline(own, night)).toBe(own)
  expect(findDeadline(null, night)).toEqual(new Date('2025-09-22T23:00:00Z'))
  expect(findDeadline(null, { ...night, endsAt: new Date('2025-09-23T17:00:00Z') })).toEqual(
    new Date('2025-09-23T23:00:00Z'),
  )
  expect(findDeadline(null, null)).toBeNull()
})
