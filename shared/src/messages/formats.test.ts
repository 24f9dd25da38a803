import { expect, test } from 'vitest'
import { dateFormat, numberFormat } from '../intlFormats.ts'
import { ageText } from './formats.ts'

test('an age has one unit', () => {
  expect([0, 59_999, 60_000, 3_600_000, 47 * 3_600_000, 72 * 3_600_000].map((ms) => ageText(ms))).toEqual([
    '0 s',
    '59 s',
    '1 min',
    '1 h',
    '47 h',
    '3 days',
  ])
  expect(ageText(-5)).toBe('0 s')
})

test('a format is made once for its locale and options', () => {
  expect(dateFormat('en-IN', { month: 'short' })).toBe(dateFormat('en-IN', { month: 'short' }))
  expect(numberFormat('en-IN', {})).toBe(numberFormat('en-IN', {}))
  expect(dateFormat('hi-IN', { month: 'short' })).not.toBe(dateFormat('en-IN', { month: 'short' }))
  expect(dateFormat('en-IN', { month: 'long' })).not.toBe(dateFormat('en-IN', { month: 'short' }))
})
