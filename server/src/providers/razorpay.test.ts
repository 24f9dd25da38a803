import { expect, test } from 'vitest'
import { makeClock } from '../testing/clock.ts'
import { aDouble, DOUBLE_SETTINGS, type Webhook } from '../testing/double.ts'
import {
  type LinkRequest,
  LOW_BALANCE,
  type PaymentProvider,
  ProviderRefused,
  ProviderUnavailable,
} from './provider.ts'
import { makeRazorpay } from './razorpay.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const at = (now: Date, minutes: number) => new Date(now.getTime() + minutes * MINUTE)

const anOrder = (now: Date, code = 'GR-7K2M'): LinkRequest => ({
  code,
  paise: 79_800,
  description: 'Two tickets',
  buyer: { name: 'Radha Patel', email: 'radha@example.org' },
  expiresAt: at(now, 17),
  returnUrl: 'https://garba.example/dashboard/guest',
})

const factsOf = (provider: PaymentProvider, received: readonly Webhook[]) =>
  received.flatMap(({ body, headers }) => {
    const event = provider.parseEvent(Buffer.from(body), new Headers(headers))
    expect(event).not.toBeNull()
    return event?.facts ?? []
  })

test('a payment is reported by webhook and by asking with the same facts, and its fee', async () => {
  const { double, provider, clock, received } = aDouble()
  const { ref } = await provider.start(anOrder(clock.now()))
  const { id: paymentId } = double.pay(ref)
  await double.run()
  const captured = { type: 'captured', ref, paymentId, paise: 79_800, feePaise: 1883, at: clock.now() }
  expect(factsOf(provider, received)).toEqual([{ type: 'pending', ref, paymentId, paise: 79_800 }, captured, captured])
  expect(await provider.fetchLinkFacts(ref)).toEqual([captured])
})

test('failed tries and money that came after the link had expired are all reported', async () => {
  const { double, provider, clock, received } = aDouble()
  const { ref } = await provider.start(anOrder(clock.now()))
  const { id: failed } = double.fail(ref)
  const { id: late } = double.payLate(ref, 2 * HOUR)
  clock.forward(18 * MINUTE)
  await double.run()
  expect(await provider.fetchLinkFacts(ref)).toEqual([
    { type: 'failed', ref, paymentId: failed, reason: 'payment_failed' },
    { type: 'failed', ref, paymentId: late, reason: 'payment_timed_out' },
    { type: 'linkDead', ref, why: 'expired' },
  ])
  clock.forward(2 * HOUR)
  await double.run()
  const expected = expect.objectContaining({ type: 'captured', ref, paymentId: late })
  expect(await provider.fetchLinkFacts(ref)).toContainEqual(expected)
  expect(factsOf(provider, received)).toContainEqual(expected)
})

test('a link whose answer was lost is found again, and is not made twice', async () => {
  const { double, provider, clock } = aDouble({ faults: { lostAnswer: 1 } })
  const order = anOrder(clock.now())
  await expect(provider.start(order)).rejects.toThrow(ProviderUnavailable)
  double.setFaults({ lostAnswer: 0 })
  const [link] = double.links()
  expect(await provider.find(order.code)).toMatchObject({ ref: link?.id })
  expect(await provider.start(order)).toMatchObject({ ref: link?.id })
  double.setFaults({ lostRequest: 1 })
  await expect(provider.start({ ...order, code: 'GR-LOST' })).rejects.toThrow(ProviderUnavailable)
  expect(double.links()).toHaveLength(1)
})

test('a stranger’s link is never taken for ours, even if the provider ignores what was asked', async () => {
  const { double, provider, clock } = aDouble()
  await provider.start(anOrder(clock.now(), 'GR-OTHER'))
  const fetch: typeof globalThis.fetch = (input, init) => double.fetch(String(input).split('?')[0] ?? '', init)
  const careless = makeRazorpay(DOUBLE_SETTINGS, { fetch, now: clock.now })
  expect(await careless.find('GR-7K2M')).toBeNull()
  expect(await careless.find('GR-OTHER')).toMatchObject({ ref: double.links()[0]?.id })
})

/** A paid order, ready for refunds. */
async function paid(options: Parameters<typeof aDouble>[0] = {}) {
  const world = aDouble(options)
  const { ref } = await world.provider.start(anOrder(world.clock.now()))
  const { id: paymentId } = world.double.pay(ref)
  return { ...world, ref, paymentId }
}

test('a refund whose answer was lost or late is asked for again and paid once', async () => {
  const { double, provider, ref, paymentId } = await paid()
  const asked = { paymentId, paise: 75_800, key: '01K3REFUND' }
  for (const fault of ['lostAnswer', 'slowAnswer', 'serverError'] as const) {
    double.setFaults({ [fault]: 1 })
    await expect(provider.refund(asked)).rejects.toThrow(ProviderUnavailable)
    double.setFaults({ [fault]: 0 })
  }
  const done = await provider.refund(asked)
  expect(done).toMatchObject({ type: 'refund', key: asked.key, paymentId, paise: 75_800, state: 'done' })
  expect((await provider.fetchLinkFacts(ref)).filter(({ type }) => type === 'refund')).toEqual([done])
  await expect(provider.refund({ ...asked, paise: 100 })).rejects.toThrow(ProviderRefused)
})

test('a key that the provider has forgotten is known by the receipt', async () => {
  const { double, provider, paymentId } = await paid()
  const asked = { paymentId, paise: 75_800, key: '01K3REFUND' }
  const first = await provider.refund(asked)
  double.forgetKeys()
  expect(await provider.refund(asked)).toEqual(first)
})

test.each([
  ['processed', 0, 'done'],
  ['failed', 1, 'failed'],
] as const)('a refund that is pending at first and then %s is reported so', async (kind, failedRefund, state) => {
  const { double, provider, clock, received, ref, paymentId } = await paid({
    faults: { pendingRefund: 1, failedRefund },
  })
  const sent = await provider.refund({ paymentId, paise: 39_900, key: '01K3REFUND' })
  expect(sent.state).toBe('sent')
  clock.forward(HOUR)
  await double.run()
  expect((await provider.fetchLinkFacts(ref)).filter(({ type }) => type === 'refund')).toEqual([{ ...sent, state }])
  const parsed = received.flatMap(
    ({ body, headers }) => provider.parseEvent(Buffer.from(body), new Headers(headers)) ?? [],
  )
  expect(parsed).toContainEqual({ id: expect.any(String), kind: `refund.${kind}`, facts: [{ ...sent, state }] })
})

test('a refund is refused while the balance is too low, and goes through afterwards', async () => {
  const { double, provider, paymentId } = await paid({ faults: { lowBalance: 1 } })
  const asked = { paymentId, paise: 39_900, key: '01K3REFUND' }
  await expect(provider.refund(asked)).rejects.toMatchObject({ name: 'ProviderRefused', code: LOW_BALANCE })
  double.setFaults({ lowBalance: 0 })
  expect(await provider.refund(asked)).toMatchObject({ state: 'done' })
})

test('two payments of one order are two facts', async () => {
  const { double, provider, ref, paymentId } = await paid()
  const { id: second } = double.pay(ref)
  const facts = await provider.fetchLinkFacts(ref)
  expect(facts).toMatchObject([
    { type: 'captured', paymentId },
    { type: 'captured', paymentId: second },
  ])
})

test('money for a link that has just expired is reported, and the link stays dead', async () => {
  const { double, provider, clock } = aDouble()
  const { ref } = await provider.start(anOrder(clock.now()))
  clock.forward(17 * MINUTE)
  double.pay(ref)
  expect(await provider.fetchLinkFacts(ref)).toMatchObject([{ type: 'captured' }, { type: 'linkDead', why: 'expired' }])
})

test('a link that was paid is not cancelled, and that is no error', async () => {
  const { provider, ref } = await paid()
  await provider.cancel(ref)
  expect(await provider.fetchLinkFacts(ref)).toMatchObject([{ type: 'captured' }])
})

test('what was settled is reported for the day in India, payments with their fee and refunds', async () => {
  const { provider, clock, paymentId } = await paid({ clock: makeClock(new Date('2025-08-07T20:00:00Z')) })
  const { refundId } = await provider.refund({ paymentId, paise: 39_900, key: '01K3REFUND' })
  expect(await provider.fetchSettledMoney('2025-08-10')).toEqual([])
  clock.forward(48 * HOUR)
  const settlementId = expect.stringMatching(/^setl_/)
  expect(await provider.fetchSettledMoney('2025-08-09')).toEqual([])
  expect(await provider.fetchSettledMoney('2025-08-10')).toEqual([
    { type: 'payment', id: paymentId, paise: 79_800, feePaise: 1883, settlementId },
    { type: 'refund', id: refundId, paise: 39_900, feePaise: 0, settlementId },
  ])
})

/** A provider whose answers to one path are replaced. */
function answering(path: string, status: number, body: unknown) {
  const { double, clock } = aDouble()
  const fetch: typeof globalThis.fetch = async (input, init) =>
    String(input).includes(path) ? Response.json(body, { status }) : double.fetch(input, init)
  return makeRazorpay(DOUBLE_SETTINGS, { fetch, now: clock.now })
}

test('rows of a settlement that concern nobody never stop its day, and one that is ours and unreadable does', async () => {
  const ours = { entity_id: 'pay_1', type: 'payment', amount: 29_900, fee: 706, settled: true, settlement_id: 'setl_1' }
  const odd = [
    { entity_id: 'adj_1', type: 'adjustment', amount: -500, fee: null, settled: true, settlement_id: 'setl_1' },
    { entity_id: 'trf_1', type: 'transfer', amount: '500', fee: 0.5 },
    { ...ours, entity_id: 'pay_2', settled: false, settlement_id: null, fee: null },
    null,
  ]
  const settled = (items: unknown[]) =>
    answering('/settlements/', 200, { entity: 'collection', items }).fetchSettledMoney('2025-08-10')
  expect(await settled([...odd, ours])).toEqual([
    { type: 'payment', id: 'pay_1', paise: 29_900, feePaise: 706, settlementId: 'setl_1' },
  ])
  await expect(settled([{ ...ours, amount: 'much' }])).rejects.toThrow(ProviderUnavailable)
})

test('"invalid request sent" to a refund means a low balance, and a reversed refund has failed', async () => {
  const asked = { paymentId: 'pay_1', paise: 39_900, key: '01K3REFUND' }
  const error = { code: 'BAD_REQUEST_ERROR', description: 'invalid request sent' }
  await expect(answering('/refund', 400, { error }).refund(asked)).rejects.toMatchObject({ code: LOW_BALANCE })
  const made = { id: 'rfnd_1', payment_id: 'pay_1', amount: 39_900, status: 'reversed', receipt: '01K3REFUND' }
  expect(await answering('/refund', 200, made).refund(asked)).toMatchObject({ state: 'failed' })
})
