import { expect, test } from 'vitest'
import { daysIn, sumOf } from './range.ts'

const chart = ['2025-08-01', '2025-08-25', '2025-08-26', '2025-08-31'].map((_id) => ({ _id, count: 2, revenue: 598 }))
const at = { now: new Date('2025-08-31T20:00:00Z'), timeZone: 'Asia/Kolkata' }

test('seven days end with today in the event time zone', () => {
  // 20:00 UTC is already September 1 in Kolkata.
  expect(daysIn(chart, { range: 'week', ...at }).map(({ _id }) => _id)).toEqual(['2025-08-26', '2025-08-31'])
})

test('thirty days reach back to the third of August, all time to the first sale', () => {
  expect(daysIn(chart, { range: 'month', ...at })).toHaveLength(3)
  expect(daysIn(chart, { range: 'all', ...at })).toHaveLength(4)
})

test('days are added up', () => {
  expect(sumOf(chart)).toEqual({ count: 8, revenue: 2392 })
  expect(sumOf([])).toEqual({ count: 0, revenue: 0 })
})
