import type { DeskOrder } from '@garba/shared/contracts/order'
import { ulidOf } from '@garba/shared/testing/ids'
import { expect, test } from 'vitest'
import { buildOrderHistory } from './history.ts'

const PAYMENT = {
  id: ulidOf(1),
  provider: 'demo',
  state: 'captured',
  amount: 299,
  at: '2025-08-08T10:00:00.000Z',
  providerRef: null,
  providerPaymentId: 'pay_1',
  utr: null,
  reference: null,
  fee: null,
  recordedBy: null,
  note: null,
} as const satisfies DeskOrder['payments'][number]

const ORDER: DeskOrder = {
  code: '7K3F9Q2M',
  state: 'paid',
  channel: 'web',
  provider: 'demo',
  quantity: 1,
  unitPrice: 299,
  total: 299,
  createdAt: '2025-08-08T10:00:00.900Z',
  holdUntil: null,
  settledAt: '2025-08-08T10:00:01.000Z',
  eventName: 'Garba',
  event: ulidOf(2),
  account: null,
  buyer: { name: 'Radha', email: '', phone: null },
  seller: null,
  reason: null,
  payments: [PAYMENT],
  refunds: [],
  tickets: [],
  matters: [],
  jobs: [],
}

test('an order is placed before its payment, which the provider dates in whole seconds', () => {
  expect(buildOrderHistory(ORDER, (iso) => iso).map(({ title }) => title)).toEqual([
    'Placed: 1 ticket, ₹299',
    '₹299 received',
  ])
})

test('each mail says what it is about, and what became of it', () => {
  const job = {
    kind: 'mail',
    at: ORDER.createdAt,
    endedAt: ORDER.createdAt,
    gaveUp: false,
    attempts: 1,
    lastError: null,
  }
  const jobs: DeskOrder['jobs'] = [
    { ...job, mail: 'paid' },
    { ...job, mail: 'byHand', endedAt: null },
    { ...job, mail: 'late', endedAt: null, lastError: '451' },
    { ...job, mail: 'changed', gaveUp: true },
    { ...job, mail: null, kind: 'refund' },
  ]
  const happenings = buildOrderHistory({ ...ORDER, payments: [], settledAt: null, jobs }, (iso) => iso)
  expect(happenings.slice(1).map(({ title }) => title)).toEqual([
    'Email with the tickets: sent',
    'Email about a refund that takes longer: waiting to be sent',
    'Email about money going back, paid too late: failed, will be tried again',
    'Email about a change of the event: gave up',
  ])
  expect(new Set(happenings.map(({ id }) => id)).size).toBe(happenings.length)
})

test('a refund in doubt says what is waited for and when the provider is asked again', () => {
  const refund = {
    id: '01J5C0000000000000000000R1',
    kind: 'guest',
    state: 'asking',
    amount: 259,
    ticketId: null,
    at: ORDER.createdAt,
    updatedAt: ORDER.createdAt,
    providerRefundId: null,
    attempts: 1,
    nextAt: '2025-08-08T10:05:00.000Z',
    lastError: 'POST /v1/payments/pay_1/refund: TimeoutError',
    reason: null,
    requestedBy: null,
  } as const
  const happened = buildOrderHistory({ ...ORDER, refunds: [refund] }, (iso) => `at ${iso}`)
  expect(happened.find(({ id }) => id === refund.id)).toMatchObject({
    tone: 'warn',
    title: 'Refund of ₹259: waiting for the provider’s answer',
    details: expect.arrayContaining(['1 attempt', 'asked again at 2025-08-08T10:05:00.000Z']),
  })
})
