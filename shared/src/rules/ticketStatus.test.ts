import { expect, test } from 'vitest'
import { ticketStatusSchema } from '../contracts/common.ts'
import { type Mover, mayMove, mayUndo, REFUND_STATE } from './ticketStatus.ts'

const STATUSES = ticketStatusSchema.options
const allowed = (by: Mover) =>
  STATUSES.flatMap((from) => STATUSES.filter((to) => mayMove({ from, to, by })).map((to) => `${from} to ${to}`))

test('an owner can only cancel an active ticket', () => {
  expect(allowed('owner')).toEqual(['active to cancelled'])
})

test('a checker can only use an active ticket, or take that back', () => {
  expect(allowed('checker')).toEqual(['active to used', 'used to active'])
})

test('an admin can set any status on any ticket', () => {
  expect(allowed('admin')).toHaveLength(9)
})

test('an admission can be undone for 60 seconds', () => {
  const admittedAt = new Date('2025-09-22T13:00:00.000Z')
  expect(mayUndo({ admittedAt, now: new Date('2025-09-22T13:01:00.000Z') })).toBe(true)
  expect(mayUndo({ admittedAt, now: new Date('2025-09-22T13:01:00.001Z') })).toBe(false)
})

test('a refund is Done, Failed, or Pending while nobody said', () => {
  expect([true, false, null].map((isRefundDone) => REFUND_STATE({ isRefundDone }))).toEqual([
    'Done',
    'Failed',
    'Pending',
  ])
})
