import { describe, expect, test } from 'vitest'
import { lowerPrice, normalizePromoCode } from './promoCodes.ts'
import {
  countLeft,
  countRemaining,
  findPhase,
  findTypeState,
  priceInPhase,
  splitPrice,
  type TypePhase,
} from './ticketTypes.ts'

/** The same numbers every time, from 0 to below `n`. */
function rolls(seed: number) {
  let state = seed
  return (n: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state % n
  }
}

const phase = (pricePaise: number, ends: Partial<TypePhase> = {}): TypePhase => ({
  pricePaise,
  groupPaise: pricePaise - 10,
  until: null,
  sold: null,
  ...ends,
})

test('sales, returns and passing time never go back to an earlier phase, and no phase sells more than its number', () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const roll = rolls(seed)
    const admits = 1 + roll(3)
    const phases: TypePhase[] = []
    let [until, sold] = [0, 0]
    for (let left = roll(4); left > 0; left -= 1) {
      until += 1 + roll(50)
      sold += 1 + roll(20)
      phases.push(
        phase(1000 * (phases.length + 1), roll(3) === 0 ? { until } : roll(2) === 0 ? { sold } : { until, sold }),
      )
    }
    phases.push(phase(9000))
    const type = { admits, phases }
    const seats = { taken: 0, most: 0 }
    const soldIn = new Map<TypePhase, number>()
    let [now, first, inAll] = [0, 0, 0]
    for (let step = 0; step < 120; step += 1) {
      now += roll(3)
      const current = phases.indexOf(findPhase(type, { seats, now }))
      expect(current).toBeGreaterThanOrEqual(first)
      first = current
      if (roll(4) === 0 && seats.taken > 0) {
        seats.taken -= 1
        continue
      }
      const quantity = 1 + roll(5)
      const paid = findPhase(type, { seats, quantity, now })
      expect(phases.indexOf(paid)).toBeGreaterThanOrEqual(current)
      expect(paid.until === null || now < paid.until).toBe(true)
      seats.taken += quantity * admits
      seats.most = Math.max(seats.most, seats.taken)
      inAll += quantity
      soldIn.set(paid, (soldIn.get(paid) ?? 0) + quantity)
      if (paid.sold !== null) expect(Math.ceil(seats.taken / admits)).toBeLessThanOrEqual(paid.sold)
    }
    expect([...soldIn.values()].reduce((sum, n) => sum + n, 0)).toBe(inAll)
  }
})

describe('a phase', () => {
  const phases = [phase(100, { sold: 5, until: 1_000 }), phase(200)]
  const type = { admits: 1, phases }
  const priceAt = (taken: number, { most = taken, quantity = 1, now = 0 } = {}) =>
    findPhase(type, { seats: { taken, most }, quantity, now }).pricePaise

  test('ends with its last number', () => {
    expect([priceAt(4), priceAt(5)]).toEqual([100, 200])
  })
  test('ends at its moment', () => {
    expect([priceAt(0, { now: 999 }), priceAt(0, { now: 1_000 })]).toEqual([100, 200])
  })
  test('that has ended does not come back with a returned seat', () => {
    expect(priceAt(4, { most: 5 })).toBe(200)
  })
  test('serves an order as a whole or not at all', () => {
    expect([priceAt(3, { quantity: 2 }), priceAt(3, { quantity: 3 })]).toEqual([100, 200])
  })
  test('tells how many it has left', () => {
    expect(phases.map((one) => countLeft(one, { seats: { taken: 2, most: 2 }, type }))).toEqual([3, null])
  })
  test('has a group price from four on', () => {
    expect([3, 4].map((quantity) => priceInPhase(phase(100), quantity))).toEqual([100, 90])
  })
})

test('a type has what its own seats and those of the event leave, counted in whole couples', () => {
  expect(countRemaining({ seats: 5, admits: 2 }, { taken: 0, free: 100 })).toBe(2)
  expect(countRemaining({ seats: null, admits: 1 }, { taken: 7, free: 3 })).toBe(3)
  expect(countRemaining({ seats: 5, admits: 1 }, { taken: 5, free: 3 })).toBe(0)
})

test.each([
  ['ended', { until: 5 }],
  ['soon', { from: 6 }],
  ['paused', { paused: true }],
  ['onSale', {}],
] as const)('a type is %s', (state, facts) => {
  const type = { from: null, until: null, paused: false, ...facts }
  expect(findTypeState(type, { now: 5, remaining: 1, isOver: false })).toBe(state)
})

test('the tickets of a couple share its price to the paisa', () => {
  expect(splitPrice(1001, 2)).toEqual([501, 500])
  expect(splitPrice(100_000, 3).reduce((sum, paise) => sum + paise, 0)).toBe(100_000)
})

describe('a code', () => {
  const off = (kind: 'percent' | 'amount' | 'access', value: number | null, unitPaise = 30_000) =>
    lowerPrice({ kind, value, types: null }, { unitPaise, admits: 1 })
  test('takes per cent or rupees off, down to one rupee', () => {
    expect([off('percent', 20), off('amount', 50), off('percent', 100), off('amount', 400)]).toEqual([
      24_000, 25_000, 100, 100,
    ])
  })
  test('that shows hidden types changes no price, and none makes a price higher', () => {
    expect([off('access', null), off('amount', 1, 50)]).toEqual([30_000, 50])
  })
  test('is the same in small letters and with spaces', () => {
    expect(normalizePromoCode(' garba 20 ')).toBe('GARBA20')
  })
})
