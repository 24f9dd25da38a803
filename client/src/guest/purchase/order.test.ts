import { anEvent } from '@garba/shared/testing/builders'
import { expect, test } from 'vitest'
import { en } from '../texts/en.ts'
import { limitsText, problemText, quotePurchase } from './order.ts'

const event = anEvent({ ticketPrice: 299, groupPrice4: 249 })

test('a price is that of the quantity, or none', () => {
  expect(quotePurchase(4, event)).toEqual({ tier: 'group', each: 249, total: 996, saving: 200 })
  for (const quantity of [null, 0, Number.MAX_SAFE_INTEGER, 1e300]) expect(quotePurchase(quantity, event)).toBeNull()
})

test('the limits are shown if the organiser has set any', () => {
  expect(limitsText({ perOrder: 100, perPerson: 0 }, null, en)).toBeUndefined()
  expect(limitsText({ perOrder: 100, perPerson: 5 }, 4, en)).toBe(
    'One person may have at most 5 tickets. You may buy 4 more.',
  )
  expect(limitsText({ perOrder: 1, perPerson: 8 }, 3, en)).toBe(
    'One order can hold at most 1 ticket. One person may have at most 8 tickets. You may buy 3 more.',
  )
})

test('each problem has its sentence', () => {
  const limits = { perOrder: 10, perPerson: 8 }
  expect(problemText({ type: 'notWhole' }, limits, en)).toMatch(/at least 1$/)
  expect(problemText({ type: 'abovePerson', mayBuy: 0 }, limits, en)).toMatch(/8 tickets. You cannot buy more.$/)
  expect(problemText({ type: 'aboveRemaining', remaining: 1 }, limits, en)).toBe('Only 1 ticket remains.')
})
