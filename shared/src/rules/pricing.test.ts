import fc from 'fast-check'
import { expect, test } from 'vitest'
import { quotePrice } from './pricing.ts'

const PRICES = { ticketPricePaise: 29_900, groupPricePaise: 24_900 }

test('one to three tickets cost the individual price', () => {
  for (const quantity of [1, 2, 3])
    expect(quotePrice({ quantity, ...PRICES })).toEqual({
      tier: 'individual',
      unitPaise: 29_900,
      totalPaise: 29_900 * quantity,
      savingPaise: 0,
    })
})

test('the fourth ticket makes it a group, and all four cost the group price', () => {
  expect(quotePrice({ quantity: 4, ...PRICES })).toEqual({
    tier: 'group',
    unitPaise: 24_900,
    totalPaise: 99_600,
    savingPaise: 20_000,
  })
})

test('without a group price a group pays the ticket price and saves nothing', () => {
  expect(quotePrice({ quantity: 4, ticketPricePaise: 29_900, groupPricePaise: null })).toEqual({
    tier: 'group',
    unitPaise: 29_900,
    totalPaise: 119_600,
    savingPaise: 0,
  })
})

test('a group price above the ticket price is charged, and never called a saving', () => {
  expect(quotePrice({ quantity: 5, ticketPricePaise: 100, groupPricePaise: 150 })).toMatchObject({
    totalPaise: 750,
    savingPaise: 0,
  })
})

test('a quantity that is not a whole number above 0 has no price', () => {
  for (const quantity of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => quotePrice({ quantity, ...PRICES })).toThrow(RangeError)
})

test('total and saving together are always what the tickets cost one by one', () => {
  const paise = fc.integer({ min: 1, max: 100_000_000 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), paise, paise, (quantity, a, b) => {
      const ticketPricePaise = Math.max(a, b)
      const q = quotePrice({ quantity, ticketPricePaise, groupPricePaise: Math.min(a, b) })
      expect(q.totalPaise).toBe(q.unitPaise * quantity)
      expect(q.totalPaise + q.savingPaise).toBe(ticketPricePaise * quantity)
    }),
  )
})
