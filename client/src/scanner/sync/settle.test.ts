import { expect, test } from 'vitest'
import { conflictOf } from './settle.ts'

const side = { at: '2025-09-22T13:00:00.000Z', checkerName: 'Chetan', deviceId: 'a', deviceName: 'Gate A' }
const sides = (second: string | null) => ({
  over: 'used' as const,
  first: { ...side, scanId: 'first' },
  second: { ...side, scanId: second },
})
const row = { scanId: 'mine', ticketId: 'T1', name: 'Garima Guest' }

test('a conflict keeps the id that its answer carries', () => {
  expect(conflictOf(row, { ...sides('other'), id: 'carried' })).toMatchObject({ id: 'carried', ticketId: 'T1' })
})

test('an answer kept from the first release names its conflict by the later scan, or by this one', () => {
  expect(conflictOf(row, sides('other')).id).toBe('other')
  expect(conflictOf(row, sides(null)).id).toBe('mine')
})
