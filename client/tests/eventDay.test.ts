import { anEvent } from '@garba/shared/testing/builders'
import { expect, test } from 'vitest'
import { findEventDayKind } from '../src/guest/format.ts'

const at = (iso: string) => Date.parse(iso)
const evening = anEvent({
  date: '2027-03-14',
  startTime: '18:30',
  endTime: '22:30',
  startsAt: '2027-03-14T13:00:00.000Z',
  endsAt: '2027-03-14T17:00:00.000Z',
})

test("the event's day is that of its own time zone, and is over when the event ends", () => {
  const when = (iso: string) => findEventDayKind(evening, 'Asia/Kolkata', at(iso))
  expect(when('2027-03-13T18:29:00Z')).toBeNull()
  expect(when('2027-03-13T18:30:00Z')).toBe('tonight')
  expect(when('2027-03-14T16:59:00Z')).toBe('tonight')
  expect(when('2027-03-14T17:00:00Z')).toBeNull()
})

test('an event by day is today, not tonight', () => {
  const event = { ...evening, startTime: '11:00' }
  expect(findEventDayKind(event, 'Asia/Kolkata', at('2027-03-14T04:00:00Z'))).toBe('today')
  expect(findEventDayKind(null, 'Asia/Kolkata', at('2027-03-14T04:00:00Z'))).toBeNull()
})
