import { describe, expect, test } from 'vitest'
import { largestQuantity, mayStillBuy, quantityProblem, readQuantity, saleState } from './sale.ts'

const END = Date.parse('2025-09-22T17:00:00Z')

describe('tickets are on sale', () => {
  test('until the event ends', () => {
    expect(saleState({ endsAt: END, remaining: 1 }, END - 1)).toBe('open')
    expect(saleState({ endsAt: END, remaining: 1 }, END)).toBe('over')
  })
  test('while any are left', () => {
    expect(saleState({ endsAt: END, remaining: 0 }, END - 1)).toBe('soldOut')
    expect(saleState({ endsAt: END, remaining: 0 }, END)).toBe('over')
  })
})

describe('a quantity', () => {
  const wanted = { limits: { perOrder: 10, perPerson: 12 }, owned: 0, remaining: 50 }
  test.each([null, 0, -3, 1.5, Number.NaN, 2 ** 53])('of %s is not a whole number of at least 1', (quantity) => {
    expect(quantityProblem({ ...wanted, quantity })).toEqual({ type: 'notWhole' })
  })
  test('is bounded by the order, then by the person, then by what is left', () => {
    expect(quantityProblem({ ...wanted, quantity: 10 })).toBeNull()
    expect(quantityProblem({ ...wanted, quantity: 11, owned: 12, remaining: 0 })).toEqual({
      type: 'aboveOrder',
      max: 10,
    })
    expect(quantityProblem({ ...wanted, quantity: 3, owned: 10, remaining: 0 })).toEqual({
      type: 'abovePerson',
      mayBuy: 2,
    })
    expect(quantityProblem({ ...wanted, quantity: 3, remaining: 2 })).toEqual({ type: 'aboveRemaining', remaining: 2 })
  })
  test('has no limit per person where the setting is 0', () => {
    const limits = { perOrder: 10, perPerson: 0 }
    expect(mayStillBuy(limits, 5_000)).toBeNull()
    expect(quantityProblem({ quantity: 10, limits, owned: 5_000, remaining: 10 })).toBeNull()
  })
  test('is offered up to the narrowest bound, and never below 1', () => {
    expect(largestQuantity(wanted)).toBe(10)
    expect(largestQuantity({ ...wanted, owned: 9 })).toBe(3)
    expect(largestQuantity({ ...wanted, remaining: 2 })).toBe(2)
    expect(largestQuantity({ ...wanted, owned: 40 })).toBe(1)
  })
})

describe('what was typed', () => {
  test.each([
    ['7', 7],
    [' 12 ', 12],
    ['007', 7],
    ['૧૨', 12],
    ['३', 3],
    ['0', 0],
  ])('%j is %i', (typed, quantity) => {
    expect(readQuantity(typed)).toBe(quantity)
  })
  test.each(['', ' ', '-3', '1.5', '1,000', '1e3', '+2', 'two', '0x10', '٣'])('%j is not a quantity', (typed) => {
    expect(readQuantity(typed)).toBeNull()
  })
})
