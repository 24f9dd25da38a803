import { expect, test } from 'vitest'
import {
  addLocalAdmission,
  applyRoster,
  findKnownTicket,
  forgetRoster,
  isTicketUnsettled,
  markAdmissionsSettled,
  rosterEntries,
  rosterKeys,
  rosterRevision,
} from './rosterMemory.ts'

const T1 = '01K5AAAAAAAAAAAAAAAAAAAAA1'
const T2 = '01K5AAAAAAAAAAAAAAAAAAAAA2'
const entry = (id: string) => ({ id, status: 'cancelled' as const, name: 'Garima Guest', entryTime: null })
const answer = (over: object) => ({ revision: 7, full: true, keys: [], event: null, tickets: [], ...over })
const admission = {
  ticketId: T1,
  scanId: 's1',
  at: '2025-09-07T13:00:00Z',
  name: null,
  checkerName: 'C',
  deviceName: 'A',
}

test('a change to a list that is gone is not applied: the whole list is requested', () => {
  applyRoster(answer({ tickets: [entry(T1)] }), 1)
  forgetRoster()
  expect(applyRoster(answer({ revision: 8, full: false, tickets: [entry(T2)] }), 2)).toBe(false)
  expect(rosterRevision()).toBeNull()
  expect([...rosterEntries()]).toEqual([])
})

test("an own admission is the device's to tell until the server has answered for it", () => {
  expect(isTicketUnsettled(T1)).toBe(false)
  addLocalAdmission({ ...admission, settledAt: null })
  expect(isTicketUnsettled(T1)).toBe(true)
  markAdmissionsSettled([admission], 5)
  expect(isTicketUnsettled(T1)).toBe(false)
})

test('an answered admission gives way to a later list, even if the clock was set back in between', () => {
  const list = () => applyRoster(answer({ tickets: [{ ...entry(T1), status: 'active' as const }] }), Date.now())
  const addSettledAdmission = (settledAt: number) => addLocalAdmission({ ...admission, settledAt })
  addSettledAdmission(Date.now() + 1_000 * 60)
  expect(list()).toEqual([T1])
  expect(findKnownTicket(T1)).toMatchObject({ status: 'active' })
  addSettledAdmission(Date.now() - 1)
  expect(list()).toEqual([T1])
})

test('after a closing the old list is gone, the keys still know its codes, and an unsent admission stays', () => {
  const event = { _id: 'old', name: 'Garba', venue: 'Ground', date: '2025-09-22', startTime: '18:30', endTime: '22:30' }
  const key = { kid: 'k', eventId: 'old', jwk: { kty: 'EC' as const, crv: 'P-256' as const, x: 'x', y: 'y' } }
  applyRoster(answer({ event, keys: [key], tickets: [entry(T1), entry(T2)] }), 1)
  addLocalAdmission({ ...admission, settledAt: null })
  applyRoster(answer({ revision: 8, keys: [key] }), 2)
  expect([...rosterEntries()]).toEqual([])
  expect(rosterKeys()).toEqual({ keys: [key], eventId: '' })
  expect(isTicketUnsettled(T1)).toBe(true)
})

test('without any key the device cannot judge', () => {
  applyRoster(answer({ revision: 9 }), 3)
  expect(rosterKeys()).toBeNull()
})
