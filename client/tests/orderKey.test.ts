import { describe, expect, test } from 'vitest'
import { beginOrder, endOrder, leaveUnsure } from '../src/guest/purchase/usePurchase.ts'

const HEARD_BEFORE = 1_000
const FAILED = 2_000
const HEARD_AFTER = 3_000

describe('the key of a purchase', () => {
  test('is a new one for each purchase', () => {
    const first = beginOrder({ userId: 'a', ticketsSavedAt: HEARD_BEFORE })
    expect(beginOrder({ userId: 'a', ticketsSavedAt: HEARD_BEFORE })).not.toBe(first)
  })

  test('stays while nobody knows whether the order arrived', () => {
    const key = beginOrder({ userId: 'a', ticketsSavedAt: HEARD_BEFORE })
    leaveUnsure(key, FAILED)
    expect(beginOrder({ userId: 'a', ticketsSavedAt: HEARD_BEFORE })).toBe(key)
  })

  test('ends when the tickets were fetched again, or the server answered', () => {
    const unsure = beginOrder({ userId: 'a', ticketsSavedAt: HEARD_BEFORE })
    leaveUnsure(unsure, FAILED)
    expect(beginOrder({ userId: 'a', ticketsSavedAt: HEARD_AFTER })).not.toBe(unsure)
    const answered = beginOrder({ userId: 'a', ticketsSavedAt: HEARD_BEFORE })
    leaveUnsure(answered, FAILED)
    endOrder(answered)
    expect(beginOrder({ userId: 'a', ticketsSavedAt: HEARD_BEFORE })).not.toBe(answered)
  })

  test("is never another user's", () => {
    const key = beginOrder({ userId: 'a', ticketsSavedAt: HEARD_BEFORE })
    leaveUnsure(key, FAILED)
    expect(beginOrder({ userId: 'b', ticketsSavedAt: HEARD_BEFORE })).not.toBe(key)
  })
})
