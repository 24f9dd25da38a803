import { anEvent, aTicket } from '@garba/shared/testing/builders'
import { expect, test } from 'vitest'
import { changesBetween } from './changes.ts'

const event = anEvent({ date: '2027-03-14', venue: 'Riverfront Ground' })
const ticket = aTicket({ status: 'active' })

test('a later start and another venue are changes; a new price and fewer tickets are not', () => {
  const before = { tickets: [], event }
  const moved = { ...event, startTime: '19:15', venue: 'GMDC Ground', ticketPrice: 1, availableTickets: 3 }
  expect(changesBetween(before, { tickets: [], event: moved }, [])).toEqual([
    { type: 'hours', event: moved },
    { type: 'venue', event: moved },
  ])
  expect(changesBetween(before, { tickets: [], event: { ...event, ticketPrice: 1, availableTickets: 3 } }, [])).toEqual(
    [],
  )
})

test('what the note above the page says of a moved event is no change beside it', () => {
  const moved = { ...event, date: '2027-03-20', startTime: '19:15', state: 'moved' as const }
  expect(changesBetween({ tickets: [], event }, { tickets: [], event: moved }, [])).toEqual([])
})

test('another event is not a change of the one before', () => {
  const other = { ...event, _id: '01K50000000000000000000ZZZ', date: '2028-03-14' }
  expect(changesBetween({ tickets: [], event }, { tickets: [], event: other }, [])).toEqual([])
  expect(changesBetween({ tickets: [], event: null }, { tickets: [], event }, [])).toEqual([])
})

test('a new code from the desk is a change; one that the guest asked for, or a new ticket, is not', () => {
  const renewed = { ...ticket, _id: `${ticket._id.slice(0, 10)}0123456789ABCDEF`, newCodes: 1 }
  const changes = (now: typeof ticket, own: string[] = []) =>
    changesBetween({ tickets: [ticket], event }, { tickets: [now], event }, own)
  expect(changes(renewed)).toEqual([{ type: 'code', ticket: renewed }])
  expect(changes(renewed, [renewed._id])).toEqual([])
  expect(changes({ ...renewed, newCodes: 0 })).toEqual([])
  expect(changes({ ...renewed, _id: '01K60000000000000000000ZZZ' })).toEqual([])
})

test('a ticket that was used, cancelled or refunded is a change, unless it is new or its guest cancelled it', () => {
  const before = { tickets: [ticket], event }
  const used = { ...ticket, status: 'used' as const }
  const cancelled = { ...ticket, status: 'cancelled' as const }
  expect(changesBetween(before, { tickets: [used], event }, [])).toEqual([{ type: 'ticket', ticket: used }])
  expect(changesBetween(before, { tickets: [cancelled], event }, [ticket._id])).toEqual([])
  const refunded = { ...cancelled, isRefundDone: true }
  expect(changesBetween({ tickets: [cancelled], event }, { tickets: [refunded], event }, [])).toEqual([
    { type: 'ticket', ticket: refunded },
  ])
  expect(changesBetween({ tickets: [], event }, { tickets: [ticket], event }, [])).toEqual([])
})
