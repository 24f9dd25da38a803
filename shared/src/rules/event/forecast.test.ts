import { expect, test } from 'vitest'
import { MINUTE_MS } from '../../constants.ts'
import { findUnevenGates, forecastArrivals, reviewForecasts } from './forecast.ts'

const now = Date.parse('2025-09-22T15:00:00.000Z')
const every = (rates: readonly number[]) =>
  rates.map((count, n) => ({ minute: new Date(now - (rates.length - n) * MINUTE_MS).toISOString(), count }))
const steady = { sold: 500, absentShare: 0, now }

test('a steady queue is in after what is left at its rate, and the forecast does not move', () => {
  const perMinute = every(Array.from({ length: 20 }, () => 10))
  expect(forecastArrivals({ ...steady, perMinute, leftToCome: 300 })).toEqual({
    allInBy: now + 30 * MINUTE_MS,
    error: 0,
  })
})

test('people who did not come last time are not waited for, and a queue that slows down moves the forecast', () => {
  const perMinute = every([...Array.from({ length: 10 }, () => 20), ...Array.from({ length: 10 }, () => 10)])
  const forecast = forecastArrivals({ ...steady, absentShare: 0.1, perMinute, leftToCome: 300 })
  expect(forecast).toEqual({ allInBy: now + 25 * MINUTE_MS, error: 18 })
})

test('nothing is said before people come, or once all are in', () => {
  expect(forecastArrivals({ ...steady, perMinute: every([1, 1]), leftToCome: 300 })).toBe(null)
  expect(forecastArrivals({ ...steady, perMinute: every([20]), leftToCome: 0 })).toBe(null)
})

test('a gate three times as busy as another gets a phone', () => {
  const gates = (...counts: number[]) => findUnevenGates(counts.map((count, n) => ({ name: `Gate ${n + 1}`, count })))
  expect(gates(20, 61, 30)).toEqual({ busy: 'Gate 2', calm: 'Gate 1', times: 3 })
  expect(gates(20, 59)).toBe(null)
  expect(gates(0, 9)).toBe(null)
  expect(gates(50)).toBe(null)
})

test('an evening that is over is replayed each quarter of an hour, against when the last person came', () => {
  const perMinute = every([...Array.from({ length: 15 }, () => 20), ...Array.from({ length: 20 }, () => 10)])
  const [first] = perMinute
  if (!first) throw new Error('Nobody came')
  const early = { ...first, count: 500 }
  const reviewed = reviewForecasts({ perMinute, sales: [early], absentShare: 0 })
  expect(reviewed.map(({ off }) => off)).toEqual([-10, 0])
  expect(reviewForecasts({ perMinute: [], sales: [early], absentShare: 0 })).toEqual([])
  const atTheDoor = { minute: new Date(now - 19 * MINUTE_MS).toISOString(), count: 100 }
  const later = reviewForecasts({ perMinute, sales: [early, atTheDoor], absentShare: 0 })
  expect(later.map(({ off }) => off)).toEqual([-10, 10])
})
