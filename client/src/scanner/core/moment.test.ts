import { scanTimeText } from '@garba/shared/rules/phones/scanTime'
import { expect, test } from 'vitest'
import { getEveningDay } from './moment.ts'

const timeZone = 'Asia/Kolkata'
const at = (iso: string) => new Date(iso)

test('a time of today is a time, one of another day names the day', () => {
  const now = at('2025-09-22T14:00:00Z')
  expect(scanTimeText({ instant: at('2025-09-22T13:33:20Z'), now, timeZone })).toBe('7:03 PM')
  expect(scanTimeText({ instant: at('2025-09-21T13:33:20Z'), now, timeZone })).toMatch(/21 Sept?,? (at )?7:03 PM/)
})

test('past midnight the evening’s times need no day, nor do those of the small hours before it', () => {
  const [evening, night] = [at('2025-09-22T17:30:00Z'), at('2025-09-22T19:00:00Z')]
  expect(scanTimeText({ instant: evening, now: night, timeZone })).toBe('11:00 PM')
  expect(scanTimeText({ instant: night, now: evening, timeZone })).toBe('12:30 AM')
})

test('half past midnight belongs to the evening before, half past six does not', () => {
  expect(getEveningDay(at('2025-09-22T19:00:00Z'), timeZone)).toBe('2025-09-22')
  expect(getEveningDay(at('2025-09-23T01:00:00Z'), timeZone)).toBe('2025-09-23')
  // The clocks go forward at two in the night.
  expect(getEveningDay(at('2025-03-30T04:30:00Z'), 'Europe/Berlin')).toBe('2025-03-30')
  expect(getEveningDay(at('2025-03-30T03:30:00Z'), 'Europe/Berlin')).toBe('2025-03-29')
})
