import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  businessDaysBefore,
  daysUntil,
  isDay,
  isWithin,
  startOfDay,
  toInstant,
  toInstantRange,
  toLocalDay,
  toLocalHour,
  yearsAfter,
} from './calendar.ts'

const at = (iso: string) => new Date(iso)
const ZONES = [
  'Asia/Kolkata',
  'America/New_York',
  'Europe/London',
  'America/Sao_Paulo',
  'Africa/Cairo',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'UTC',
] as const

test('a day begins at midnight of the event time zone, not of the machine', () => {
  expect(startOfDay('2025-09-22', 'Asia/Kolkata')).toEqual(at('2025-09-21T18:30:00Z'))
  expect(startOfDay('2025-09-22', 'America/New_York')).toEqual(at('2025-09-22T04:00:00Z'))
  expect(startOfDay('2025-09-22', 'Europe/London')).toEqual(at('2025-09-21T23:00:00Z'))
})

test('on the day clocks change, midnight still has the offset of the morning before it', () => {
  expect(startOfDay('2025-03-09', 'America/New_York')).toEqual(at('2025-03-09T05:00:00Z'))
  expect(startOfDay('2025-03-10', 'America/New_York')).toEqual(at('2025-03-10T04:00:00Z'))
  expect(startOfDay('2025-10-26', 'Europe/London')).toEqual(at('2025-10-25T23:00:00Z'))
  expect(startOfDay('2025-10-27', 'Europe/London')).toEqual(at('2025-10-27T00:00:00Z'))
})

test('a day whose midnight is skipped begins when the gap ends', () => {
  expect(startOfDay('2018-11-04', 'America/Sao_Paulo')).toEqual(at('2018-11-04T03:00:00Z'))
  expect(toLocalHour(startOfDay('2018-11-04', 'America/Sao_Paulo'), 'America/Sao_Paulo')).toBe(1)
})

test('a time becomes the instant at which the wall clock shows it', () => {
  expect(toInstant('2025-09-22', '18:30', 'Asia/Kolkata')).toEqual(at('2025-09-22T13:00:00Z'))
  expect(toInstant('2025-07-01', '18:30', 'America/New_York')).toEqual(at('2025-07-01T22:30:00Z'))
  expect(toInstant('2025-12-01', '18:30', 'America/New_York')).toEqual(at('2025-12-01T23:30:00Z'))
})

test('a skipped time moves past the gap, and a repeated time is its first occurrence', () => {
  expect(toInstant('2025-03-09', '02:30', 'America/New_York')).toEqual(at('2025-03-09T07:30:00Z'))
  expect(toInstant('2025-11-02', '01:30', 'America/New_York')).toEqual(at('2025-11-02T05:30:00Z'))
  expect(toInstant('2025-10-26', '01:30', 'Europe/London')).toEqual(at('2025-10-26T00:30:00Z'))
})

test('a day is that of the event time zone on both sides of its midnight', () => {
  expect(toLocalDay(at('2025-09-21T18:29:59.999Z'), 'Asia/Kolkata')).toBe('2025-09-21')
  expect(toLocalDay(at('2025-09-21T18:30:00Z'), 'Asia/Kolkata')).toBe('2025-09-22')
  expect(toLocalDay(at('2025-01-01T04:59:59Z'), 'America/New_York')).toBe('2024-12-31')
})

test('the hour is the event time zone hour, midnight being 0', () => {
  expect(toLocalHour(at('2025-09-21T18:30:00Z'), 'Asia/Kolkata')).toBe(0)
  expect(toLocalHour(at('2025-09-21T18:29:59Z'), 'Asia/Kolkata')).toBe(23)
  expect(toLocalHour(at('2025-09-22T13:00:00Z'), 'Asia/Kolkata')).toBe(18)
})

test('in every zone the first moment of a day is in it and the moment before is not', () => {
  const days = fc.date({ min: at('2000-01-01T00:00:00Z'), max: at('2040-12-31T00:00:00Z'), noInvalidDate: true })
  fc.assert(
    fc.property(days, fc.constantFrom(...ZONES), (date, zone) => {
      const day = date.toISOString().slice(0, 10)
      const start = startOfDay(day, zone)
      expect(toLocalDay(start, zone)).toBe(day)
      expect(toLocalDay(new Date(start.getTime() - 1), zone) < day).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test('days to the event are counted from its first moment and rounded up', () => {
  const days = (now: string) => daysUntil({ day: '2025-09-22', timeZone: 'Asia/Kolkata', now: at(now) })
  expect(days('2025-09-11T18:29:59.999Z')).toBe(11)
  expect(days('2025-09-11T18:30:00.000Z')).toBe(10)
  expect(days('2025-09-12T18:29:59.999Z')).toBe(10)
  expect(days('2025-09-12T18:30:00.000Z')).toBe(9)
  expect(days('2025-09-20T18:30:00.001Z')).toBe(1)
  expect(days('2025-09-22T13:00:00.000Z')).toBe(0)
  expect(Object.is(days('2025-09-22T13:00:00.000Z'), 0)).toBe(true)
  expect(days('2025-09-23T18:30:00.000Z')).toBe(-2)
})

test('every day there is has instants of four-digit years, in every zone', () => {
  const day = fc
    .date({ min: at('0000-01-01T00:00:00Z'), max: at('9999-12-31T00:00:00Z'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10))
  const edges = fc.constantFrom('0000-01-01', '0000-12-31', '0001-01-01', '0099-06-01', '9999-12-30', '9999-12-31')
  fc.assert(
    fc.property(
      fc.oneof(day, edges),
      fc.constantFrom('00:00', '23:59'),
      fc.constantFrom(...ZONES),
      (date, time, zone) => {
        const instant = toInstant(date, time, zone)
        expect(instant.toISOString()).toMatch(/^\d{4}-/)
        expect(Math.abs(instant.getTime() - Date.parse(`${date}T${time}:00Z`))).toBeLessThan(86_400_000)
        expect(daysUntil({ day: date, timeZone: zone, now: at('2025-09-22T00:00:00Z') })).not.toBeNaN()
      },
    ),
    { numRuns: 1_000 },
  )
})

test('a real day passes and an invented one does not', () => {
  for (const day of ['2025-09-22', '2024-02-29', '0000-01-01', '9999-12-31']) expect(isDay(day)).toBe(true)
  for (const day of ['2025-02-29', '2025-13-01', '2025-9-22', '2025-09-31', '', '2025-09-22T00:00:00Z', '22-09-2025'])
    expect(isDay(day)).toBe(false)
})

test('29 February becomes the 28th of a year without one', () => {
  expect([yearsAfter('2028-02-29', 3), yearsAfter('2028-02-29', 4)]).toEqual(['2031-02-28', '2032-02-29'])
})

test('days, times and zones that do not exist throw an error', () => {
  expect(() => startOfDay('2025-02-30', 'Asia/Kolkata')).toThrow(RangeError)
  expect(() => toInstant('2025-09-22', '24:00', 'Asia/Kolkata')).toThrow(RangeError)
  expect(() => toInstant('2025-09-22', '9:00', 'Asia/Kolkata')).toThrow(RangeError)
  expect(() => startOfDay('2025-09-22', 'Asia/Nowhere')).toThrow(RangeError)
})

test.each([
  ['2025-09-05', '2025-08-29'], // Friday to Friday
  ['2025-09-06', '2025-09-01'], // Saturday: Friday is the first before it
  ['2025-09-08', '2025-09-01'],
  ['2025-03-03', '2025-02-24'],
])('five business days before %s is %s', (day, before) => {
  expect(businessDaysBefore(day, 5)).toBe(before)
})

test('a range of days runs from the first midnight to the one after the last, and an absent end is open', () => {
  expect(toInstantRange({ from: '2025-08-08', to: '2025-08-08' }, 'Asia/Kolkata')).toEqual({
    since: new Date('2025-08-07T18:30:00Z'),
    before: new Date('2025-08-08T18:30:00Z'),
  })
  expect(toInstantRange({}, 'Asia/Kolkata')).toEqual({ since: undefined, before: undefined })
  expect(toInstantRange({ to: '9999-12-31' }, 'Asia/Kolkata').before).toBeUndefined()
  expect(['2025-08-07', '2025-08-08', '2025-08-09'].map((day) => isWithin(day, { from: '2025-08-08' }))).toEqual([
    false,
    true,
    true,
  ])
  expect(isWithin('2025-08-09', { to: '2025-08-08' })).toBe(false)
})
