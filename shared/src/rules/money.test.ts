import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computeSettledDifference, formatRupees, toPaise, toRupees } from './money.ts'

test('every price of whole paise comes back from rupees unchanged', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_000_000 }), (paise) => {
      expect(toPaise(toRupees(paise))).toBe(paise)
    }),
  )
})

test('the binary dust of decimal prices does not cost a paisa', () => {
  expect(toPaise(299.99)).toBe(29_999)
  expect(toPaise(1.1)).toBe(110)
  expect(toPaise(0.29)).toBe(29)
})

test('only amounts have a price', () => {
  for (const rupees of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
    expect(() => toPaise(rupees)).toThrow(RangeError)
  for (const paise of [0.5, Number.NaN, 2 ** 53]) expect(() => toRupees(paise)).toThrow(RangeError)
})

test('rupees are grouped the Indian way, with decimals only where there are any', () => {
  expect(formatRupees(299)).toBe('₹299')
  expect(formatRupees(123_456)).toBe('₹1,23,456')
  expect(formatRupees(12_345_678)).toBe('₹1,23,45,678')
  expect(formatRupees(249.5)).toBe('₹249.50')
  expect(formatRupees(-25)).toBe('−₹25')
  expect(formatRupees(-0)).toBe('₹0')
})

test('analytics ask for no decimals and receipts for two', () => {
  expect(formatRupees(1234.56, { decimals: 0 })).toBe('₹1,235')
  expect(formatRupees(299, { decimals: 2 })).toBe('₹299.00')
})

test('a settlement brings more or less than the books say, and an unknown refund takes its money away', () => {
  expect(computeSettledDifference({ of: 'payment', ours: 996, settled: 994.5 })).toBe(-1.5)
  expect(computeSettledDifference({ of: 'payment', ours: 996, settled: null })).toBe(-996)
  expect(computeSettledDifference({ of: 'payment', ours: null, settled: 299 })).toBe(299)
  expect(computeSettledDifference({ of: 'refund', ours: null, settled: 259 })).toBe(-259)
  expect(computeSettledDifference({ of: 'refund', ours: 259, settled: 259 })).toBe(0)
})
