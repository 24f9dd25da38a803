import { expect, test } from 'vitest'
import { mayRepeat } from './call.ts'

test('a read may be repeated', () => {
  expect(mayRepeat('GET', {})).toBe(true)
})

test('a write is repeated only where the server knows the repetition for one (DECISIONS 5)', () => {
  expect(mayRepeat('POST', { body: { quantity: 2 } })).toBe(false)
  expect(mayRepeat('POST', { body: { quantity: 2 }, headers: { 'Idempotency-Key': 'k' } })).toBe(true)
  expect(mayRepeat('POST', { body: { qrCode: 'GR1:X', scanId: 'x' } })).toBe(true)
  expect(mayRepeat('POST', { body: { qrCode: 'GR1:X' } })).toBe(false)
  expect(mayRepeat('POST', { body: { scans: [] } })).toBe(true)
  expect(mayRepeat('PATCH', { body: { reason: 'ill' } })).toBe(false)
  expect(mayRepeat('DELETE', {})).toBe(false)
})
