import { expect, test } from 'vitest'
import { urlOf } from './url.ts'

test('holes are filled and escaped', () => {
  expect(urlOf('/tickets/cancel/{id}', { id: 'A/B ?' })).toBe('/api/tickets/cancel/A%2FB%20%3F')
})

test('query values that say nothing are left out, zero and false are not', () => {
  expect(urlOf('/x', {}, { a: '', b: null, c: undefined, d: 0, e: false, f: 'é&' })).toBe(
    '/api/x?d=0&e=false&f=%C3%A9%26',
  )
})

test('a call without the value of its hole is not sent', () => {
  expect(() => urlOf('/tickets/{id}', {})).toThrow('needs id')
  expect(() => urlOf('/tickets/{id}', { id: '' })).toThrow('needs id')
})
