import { expect, test } from 'vitest'
import { findSilence, rosterText } from '../src/desk/evening/Devices.tsx'

const evening = { revision: 40, at: '2025-09-22T13:30:00.000Z' }
const lacking = (rosterRevision: number | null, rosterLacksSince: string | null) =>
  rosterText({ rosterRevision, rosterLacksSince }, evening)

test('a roster is current, behind, or behind for so long', () => {
  expect(lacking(null, null)).toBe('Not loaded')
  expect(lacking(40, null)).toBe('Current')
  expect(lacking(39, '2025-09-22T13:29:50.000Z')).toBe('1 change behind')
  expect(lacking(37, '2025-09-22T13:18:00.000Z')).toBe('12 min behind (3 changes)')
  expect(lacking(10, '2025-09-22T11:00:00.000Z')).toBe('2 h 30 min behind (30 changes)')
})

test('a change that is not about a ticket, or a roster from before a restore, has no age', () => {
  expect(lacking(39, null)).toBe('1 change behind')
  expect(lacking(90, null)).toBe('Current')
})

test('a device is amber after 5 minutes of silence and red after 15', () => {
  const seen = '2025-09-22T13:00:00.000Z'
  const minutes = (n: number, ended?: true) => findSilence({ lastSeen: seen, ended }, Date.parse(seen) + n * 60_000)
  expect(minutes(4.9)).toBeNull()
  expect(minutes(5)).toEqual({ state: 'warn', text: 'Silent for 5 min' })
  expect(minutes(14.9)).toEqual({ state: 'warn', text: 'Silent for 14 min' })
  expect(minutes(15)).toEqual({ state: 'bad', text: 'Silent for 15 min' })
  // It was revoked or its time is over.
  expect(minutes(15, true)).toBeNull()
})
