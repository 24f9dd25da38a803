import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { parseProviderEvent } from '../src/providers/razorpay.ts'

const SECRET = 'webhook secret'
const sign = (body: string, secret = SECRET) => createHmac('sha256', secret).update(body).digest('hex')
const read = (body: string, headers: Record<string, string>) =>
  parseProviderEvent(SECRET, Buffer.from(body), new Headers(headers))
const parsed = (event: string, payload: Record<string, unknown>) => {
  const entities = Object.fromEntries(Object.entries(payload).map(([name, entity]) => [name, { entity }]))
  const body = JSON.stringify({ entity: 'event', event, payload: entities, created_at: 1_754_654_400 })
  return read(body, { 'x-razorpay-signature': sign(body), 'x-razorpay-event-id': 'evt_1' })
}
const PAYMENT = {
  id: 'pay_FOGsH8uHkF2FbR',
  entity: 'payment',
  amount: 10_000,
  status: 'captured',
  fee: 236,
  description: '#FOGqq3O6E5bkml',
  notes: [],
  created_at: 1_596_890_289,
}
const REFUND = { id: 'rfnd_1', payment_id: 'pay_1', amount: 5000, status: 'processed', receipt: 'refund-key-1' }

const BODY = '{"event":"order.paid","payload":{}}'
test.each([
  ['none', undefined],
  ['empty', ''],
  ['of another secret', sign(BODY, 'another secret')],
  ['of another body', sign(`${BODY} `)],
  ['cut short', sign(BODY).slice(0, -2)],
  ['with something after it', `${sign(BODY)}zz`],
  ['not hexadecimal', 'é'.repeat(32)],
])('an event whose signature is %s is nobody’s', (_, signature) => {
  expect(read(BODY, signature === undefined ? {} : { 'x-razorpay-signature': signature })).toBeNull()
})

test('a signed event of another kind, or one that cannot be read, has no facts', () => {
  expect(read(BODY, { 'x-razorpay-signature': sign(BODY), 'x-razorpay-event-id': 'evt_7' })).toEqual({
    id: 'evt_7',
    kind: 'order.paid',
    facts: [],
  })
  for (const body of ['not JSON', '[]', '{"event":"payment.captured","payload":{"payment":{"entity":{"id":1}}}}'])
    expect(read(body, { 'x-razorpay-signature': sign(body) })).toMatchObject({ kind: 'unknown', facts: [] })
})

test('without an id of its own, an event is known by its body', () => {
  const other = '{"event":"order.paid","payload":{} }'
  const idOf = (body: string) => read(body, { 'x-razorpay-signature': sign(body) })?.id
  expect(idOf(BODY)).toBe(idOf(BODY))
  expect(idOf(BODY)).not.toBe(idOf(other))
})

test('a payment comes with the link of the event, or with the one that its description names', () => {
  const captured = {
    type: 'captured',
    ref: 'plink_FOGqq3O6E5bkml',
    paymentId: PAYMENT.id,
    paise: 10_000,
    feePaise: 236,
    at: new Date('2020-08-08T12:38:09.000Z'),
  }
  expect(parsed('payment.captured', { payment: PAYMENT })?.facts).toEqual([captured])
  const link = { id: 'plink_Other', status: 'paid' }
  expect(parsed('payment_link.paid', { payment: PAYMENT, payment_link: link, order: {} })?.facts).toEqual([
    { ...captured, ref: 'plink_Other' },
  ])
  const failed = { ...PAYMENT, status: 'failed', fee: null, error_reason: 'payment_failed' }
  expect(parsed('payment.failed', { payment: failed })?.facts).toEqual([
    { type: 'failed', ref: captured.ref, paymentId: PAYMENT.id, reason: 'payment_failed' },
  ])
  const authorized = { ...PAYMENT, status: 'authorized', fee: null }
  expect(parsed('payment.authorized', { payment: authorized })?.facts).toEqual([
    { type: 'pending', ref: captured.ref, paymentId: PAYMENT.id, paise: 10_000 },
  ])
})

test('a payment of another shop on the same account is left alone', () => {
  for (const description of [null, 'Sarees', '# two'])
    expect(parsed('payment.captured', { payment: { ...PAYMENT, description } })?.facts).toEqual([])
})

test('a dead link comes with its reason', () => {
  for (const why of ['cancelled', 'expired'] as const)
    expect(parsed(`payment_link.${why}`, { payment_link: { id: 'plink_1' } })?.facts).toEqual([
      { type: 'linkDead', ref: 'plink_1', why },
    ])
})

test('only the event of that name says that a refund is done', () => {
  const state = (event: string, status: string) => {
    const [fact] = parsed(event, { refund: { ...REFUND, status }, payment: PAYMENT })?.facts ?? []
    expect(fact).toMatchObject({ key: 'refund-key-1', refundId: 'rfnd_1', paymentId: 'pay_1', paise: 5000 })
    return fact?.type === 'refund' ? fact.state : null
  }
  expect(state('refund.created', 'processed')).toBe('sent')
  expect(state('refund.created', 'pending')).toBe('sent')
  expect(state('refund.processed', 'processed')).toBe('done')
  expect(state('refund.failed', 'failed')).toBe('failed')
})

test.each([[[]], [{}], [null], ['{}'], [{ order: 'x' }]])('notes that are %j do not matter', (notes) => {
  expect(parsed('payment.captured', { payment: { ...PAYMENT, notes } })?.facts).toMatchObject([{ type: 'captured' }])
  const refund = { ...REFUND, notes, payment_id: PAYMENT.id }
  expect(parsed('refund.processed', { payment: { ...PAYMENT, notes }, refund })?.facts).toMatchObject([
    { type: 'refund', state: 'done' },
  ])
})

test('a payment that was never captured is no money, and its refund none of ours', () => {
  const payment = { ...PAYMENT, status: 'refunded', captured: false, fee: null }
  expect(parsed('payment.failed', { payment })?.facts).toMatchObject([{ type: 'failed', reason: 'auto_refunded' }])
  expect(parsed('refund.processed', { payment, refund: { ...REFUND, payment_id: PAYMENT.id } })?.facts).toEqual([])
})
