import { expect, test } from 'vitest'
import { rosterText } from './Devices.tsx'

const evening = { revision: 40, at: '2025-09-22T13:30:00.000Z' }
const lacking = (rosterRevision: number | null, rosterLacksSince: string | null) =>
  rosterText({ rosterRevision, rosterLacksSince }, evening)

test('a roster is current, behind, or behind for so long', () => {
  expect(lacking(null, null)).toBe('Not loaded')
  expect(lacking(40, null)).toBe('Current')
  expect(lacking(39, '2025-09-22T13:29:50.000Z')).toBe('1 change behind')
  expect(lacking(37, '2025-09-22T13:18:00.000Z')).toBe('3 changes behind for 12 min')
  expect(lacking(10, '2025-09-22T11:00:00.000Z')).toBe('30 changes behind for 2 h 30 min')
})

test('a change that is not about a ticket, or a roster from before a restore, has no age', () => {
  expect(lacking(39, null)).toBe('1 change behind')
  expect(lacking(90, null)).toBe('Current')
})
