import { expect, test } from 'vitest'
import { formatRowRange } from '../src/desk/frame/TableView.tsx'

test('a page says which rows it shows, grouped as Indians count', () => {
  expect(formatRowRange({ current: 1, count: 20, size: 20, of: 120_000 })).toBe('1-20 of 1,20,000')
  expect(formatRowRange({ current: 250, count: 20, size: 20, of: 5_000 })).toBe('4,981-5,000 of 5,000')
})

test('the last page ends with its last row', () => {
  expect(formatRowRange({ current: 3, count: 1, size: 20, of: 41 })).toBe('41-41 of 41')
})
