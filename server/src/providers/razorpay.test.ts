import { expect, test } from 'vitest'
import { aDouble, type Webhook } from '../testing/double.ts'
import type { PaymentAsked, PaymentProvider } from './provider.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const at = (now: Date, minutes: number) => new Date(now.getTime() + minutes * MINUTE)

const anOrder = (now: Date, code = 'GR-7K2M'): PaymentAsked => ({
  code,
  paise: 79_800,
  description: 'Two tickets',
  buyer: { name: 'Radha Patel', email: 'radha@example.org' },
  expiresAt: at(now, 17),
  returnUrl: 'https://garba.example/dashboard/guest',
})

const factsOf = (provider: PaymentProvider, heard: readonly Webhook[]) =>
  heard.flatMap(({ body, headers }) => {
    const event = provider.parseEvent(Buffer.from(body), new Headers(headers))
    expect(event).not.toBeNull()
    return event?.facts ?? []
  })

test('a payment is told by webhook and by asking with the same facts, and its fee', async () => {
  const { double, provider, clock, heard } = aDouble()
  const { ref } = await provider.start(anOrder(clock.now()))
  const { id: paymentId } = double.pay(ref)
  await double.run()
  const captured = { type: 'captured', ref, paymentId, paise: 79_800, feePaise: 1883, at: clock.now() }
  expect(factsOf(provider, heard)).toEqual([{ type: 'pending', ref, paymentId, paise: 79_800 }, captured, captured])
  expect(await provider.look(ref)).toEqual([captured])
})

test('failed tries and money that came after the link had expired are all told', async () => {
  const { double, provider, clock, heard } = aDouble()
  const { ref } = await provider.start(anOrder(clock.now()))
  const { id: failed } = double.fail(ref)
  const { id: late } = double.payLate(ref, 2 * HOUR)
  clock.forward(18 * MINUTE)
  await double.run()
  expect(await provider.look(ref)).toEqual([
    { type: 'failed', ref, paymentId: failed, reason: 'payment_failed' },
    { type: 'failed', ref, paymentId: late, reason: 'payment_timed_out' },
    { type: 'linkDead', ref, why: 'expired' },
  ])
  clock.forward(2 * HOUR)
  await double.run()
  const expected = expect.objectContaining({ type: 'captured', ref, paymentId: late })
  expect(await provider.look(ref)).toContainEqual(expected)
  expect(factsOf(provider, heard)).toContainEqual(expected)
})
