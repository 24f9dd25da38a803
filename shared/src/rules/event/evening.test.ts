import { describe, expect, test } from 'vitest'
import { findOnlineSale, getEventPhase, getStockLevel, isAtNight, nextPhaseAt } from './evening.ts'

const times = { date: '2025-09-07', startsAt: '2025-09-07T13:00:00Z', endsAt: '2025-09-07T17:00:00Z' }
const midnight = Date.parse('2025-09-07T00:00:00+05:30')
const start = Date.parse(times.startsAt)
const end = Date.parse(times.endsAt)

test.each([
  ['before', midnight - 1],
  ['today', midnight],
  ['today', start - 1],
  ['running', start],
  ['running', end - 1],
  ['over', end],
] as const)('the phase is %s at %d', (phase, now) => {
  expect(getEventPhase(times, 'Asia/Kolkata', now)).toBe(phase)
})

test('the phase changes at the start and at the end', () => {
  expect(nextPhaseAt(times, midnight)).toBe(start)
  expect(nextPhaseAt(times, start)).toBe(end)
  expect(nextPhaseAt(times, end)).toBeNull()
})

test.each([
  ['2027-03-14', '2027-03-14T05:00:00Z', '2027-03-14T22:30:00Z'],
  ['2027-11-07', '2027-11-07T04:00:00Z', '2027-11-07T23:30:00Z'],
])('a day on which the clocks are set begins at midnight, too: %s', (date, first, startsAt) => {
  const evening = { date, startsAt, endsAt: startsAt }
  const at = Date.parse(first)
  expect([at - 1, at].map((now) => getEventPhase(evening, 'America/New_York', now))).toEqual(['before', 'today'])
})

test('an event from 17:00 on is at night', () => {
  expect([isAtNight({ startTime: '16:59' }), isAtNight({ startTime: '17:00' })]).toEqual([false, true])
})

test.each([
  [0, 1_000, 'none'],
  [1, 9, 'enough'],
  [1, 10, 'few'],
  [100, 1_000, 'few'],
  [101, 1_000, 'enough'],
  [100, 100_000, 'few'],
  [101, 100_000, 'enough'],
] as const)('%d of %d tickets left are %s', (availableTickets, totalTickets, stock) => {
  expect(getStockLevel({ availableTickets, totalTickets })).toBe(stock)
})

describe('what guests can buy online', () => {
  const event = { endsAt: '2025-09-22T17:00:00.000Z', availableTickets: 1 }
  const [from, until] = ['2025-09-01T04:30:00.000Z', '2025-09-20T12:30:00.000Z']
  test.each([
    ['notYet', { salesFrom: from }, Date.parse(from) - 1],
    ['open', { salesFrom: from, salesUntil: until }, Date.parse(from)],
    ['open', { salesUntil: until }, Date.parse(until) - 1],
    ['ended', { salesUntil: until }, Date.parse(until)],
    ['paused', { salesFrom: from, paused: 'Back at six.' }, Date.parse(from)],
    ['soldOut', { availableTickets: 0 }, Date.parse(from)],
    ['notYet', { availableTickets: 0, salesFrom: from }, Date.parse(from) - 1],
    ['over', { paused: 'Back at six.' }, Date.parse(event.endsAt)],
  ])('is %s with %j', (state, more, now) => {
    expect(findOnlineSale({ ...event, ...more }, now)).toBe(state)
  })
})
