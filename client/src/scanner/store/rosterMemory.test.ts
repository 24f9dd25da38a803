import { expect, test } from 'vitest'
import {
  applyRoster,
  forgetRoster,
  isUnsettled,
  noteAdmission,
  noteSettled,
  rosterEntries,
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
  expect(isUnsettled(T1)).toBe(false)
  noteAdmission({ ...admission, settledAt: null })
  expect(isUnsettled(T1)).toBe(true)
  noteSettled([admission], 5)
  expect(isUnsettled(T1)).toBe(false)
})
