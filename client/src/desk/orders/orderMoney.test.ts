import { getOrderStage } from '@garba/shared/rules/orders/orderStage'
import { expect, test } from 'vitest'

const none = { captured: 0, refunded: 0, requested: 0 }

test.each([
  ['tickets that nobody paid for', 'paid', {}, 'issued'],
  ['a paid order', 'paid', { captured: 598 }, 'paid'],
  ['a refund that is owed', 'paid', { captured: 598, requested: 259 }, 'refundDue'],
  ['one refund paid and another owed', 'paid', { captured: 598, refunded: 259, requested: 259 }, 'refundDue'],
  ['a refund less the fee for cancelling', 'paid', { captured: 299, refunded: 259 }, 'partRefunded'],
  ['all of the money gone back', 'paid', { captured: 598, refunded: 598 }, 'refunded'],
  ['an order that waits, with a part of its money', 'held', { captured: 100 }, 'held'],
  ['money that came too late and went back', 'expired', { captured: 598, refunded: 598 }, 'expired'],
  ['an order without money that was cancelled', 'cancelled', {}, 'cancelled'],
] as const)('%s: %s', (_, state, money, stage) => {
  expect(getOrderStage(state, { ...none, ...money })).toBe(stage)
})
