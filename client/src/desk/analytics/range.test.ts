import { expect, test } from 'vitest'
import { daysIn, hoursSoFar, sumDays } from './range.ts'

const chart = ['2025-08-01', '2025-08-25', '2025-08-26', '2025-08-31'].map((_id) => ({
  _id,
  count: 2,
  revenue: 618,
  prices: 598,
}))
const at = { now: new Date('2025-08-31T20:00:00Z'), timeZone: 'Asia/Kolkata' }

test('seven days end with today in the event time zone', () => {
  // 20:00 UTC is already September 1 in Kolkata.
  expect(daysIn(chart, { range: 'week', ...at }).map(({ _id }) => _id)).toEqual(['2025-08-26', '2025-08-31'])
})

test('thirty days reach back to the third of August, all time to the first sale', () => {
  expect(daysIn(chart, { range: 'month', ...at })).toHaveLength(3)
  expect(daysIn(chart, { range: 'all', ...at })).toHaveLength(4)
})

test('the days of a closed event end with its evening, except for all time', () => {
  // The bank showed some money only after the evening of August 26.
  const closed = { ...at, now: new Date('2025-08-26T17:00:00Z'), isOver: true }
  const days = (range: 'week' | 'all') => daysIn(chart, { range, ...closed }).map(({ _id }) => _id)
  expect(days('week')).toEqual(['2025-08-25', '2025-08-26'])
  expect(days('all')).toHaveLength(4)
})

test('days are added up', () => {
  expect(sumDays(chart)).toEqual({ count: 8, revenue: 2472, prices: 2392 })
  expect(sumDays([])).toEqual({ count: 0, revenue: 0, prices: 0 })
})

test('the hours of today begin with the first sale and end now, with their gaps', () => {
  const day = (sold: readonly number[], kept: readonly number[]) =>
    Array.from({ length: 24 }, (_, hour) => ({
      _id: hour,
      count: sold.includes(hour) ? 1 : 0,
      // Of tickets that were cancelled since, a part of the money was kept.
      revenue: kept.includes(hour) ? 40 : 0,
    }))
  // 09:10 UTC is 14:40 in Kolkata.
  const afternoon = { now: new Date('2025-08-31T09:10:00Z'), timeZone: 'Asia/Kolkata' }
  const shown = (sold: readonly number[], kept: readonly number[] = []) =>
    hoursSoFar(day(sold, kept), afternoon).map(({ _id }) => _id)
  expect(shown([11, 13])).toEqual([11, 12, 13, 14])
  expect(shown([])).toEqual([])
  expect(shown([13], [12])).toEqual([12, 13, 14])
  // A device whose clock is behind leaves out no sale.
  expect(shown([13, 16])).toEqual([13, 14, 15, 16])
})
