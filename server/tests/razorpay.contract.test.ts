import { describe, expect, test } from 'vitest'
import { type LinkRequest, type PaymentProvider, ProviderRefused } from '../src/providers/provider.ts'
import { makeRazorpay } from '../src/providers/razorpay.ts'
import { BEGINNING } from '../src/testing/clock.ts'
import { aDouble } from '../src/testing/double.ts'

/**
 * What the order flow counts on, asked of the double at each run, and of Razorpay itself, in its test mode, where keys are
 * given. Without keys that half is skipped.
 */
const { RAZORPAY_TEST_KEY_ID: keyId = '', RAZORPAY_TEST_KEY_SECRET: keySecret = '' } = process.env
const real = (): PaymentProvider =>
  makeRazorpay(
    { keyId, keySecret, webhookSecret: '', apiUrl: 'https://api.razorpay.com', testMode: true },
    { now: () => new Date() },
  )
const PROVIDERS = [
  { name: 'the double', open: () => aDouble().provider, now: () => BEGINNING, given: true },
  { name: 'Razorpay’s test mode', open: real, now: () => new Date(), given: keyId !== '' && keySecret !== '' },
]

describe.each(PROVIDERS)('$name', ({ open, now, given }) => {
  const anOrder = (changes: Partial<LinkRequest> = {}): LinkRequest => ({
    code: `TEST-${crypto.randomUUID().slice(0, 13)}`,
    paise: 79_800,
    description: 'Two tickets for Garba Rass',
    buyer: { name: 'Radha Patel', email: 'radha@example.org' },
    expiresAt: new Date(now().getTime() + 17 * 60_000),
    returnUrl: 'https://garba.example/dashboard/guest',
    ...changes,
  })
  const refusal = async (promise: Promise<unknown>) => {
    const error = await promise.catch((error: unknown) => error)
    return error instanceof ProviderRefused
  }

  test.skipIf(!given)('a new link has an address to pay at and no facts', async () => {
    const provider = open()
    const { url, ref } = await provider.start(anOrder())
    expect(url).toMatch(/^https?:\/\//)
    expect(ref).toMatch(/^plink_/)
    expect(await provider.fetchLinkFacts(ref)).toEqual([])
  })

  test.skipIf(!given)('a second start of an order gives the first link, and not for another amount', async () => {
    const provider = open()
    const order = anOrder()
    expect(await provider.find(order.code)).toBeNull()
    const first = await provider.start(order)
    expect(await provider.find(order.code)).toEqual(first)
    expect(await provider.start(order)).toEqual(first)
    expect(await refusal(provider.start({ ...order, paise: order.paise + 100 }))).toBe(true)
  })

  test.skipIf(!given)('a link asked for with too little time lives as long as Razorpay wants', async () => {
    const provider = open()
    expect((await provider.start(anOrder({ expiresAt: now() }))).ref).toMatch(/^plink_/)
  })

  test.skipIf(!given)('a cancelled link is dead, and cancelling it again is no error', async () => {
    const provider = open()
    const { ref } = await provider.start(anOrder())
    await provider.cancel(ref)
    await provider.cancel(ref)
    expect(await provider.fetchLinkFacts(ref)).toEqual([{ type: 'linkDead', ref, why: 'cancelled' }])
  })

  test.skipIf(!given)('an unknown link is as good as dead, and an unknown payment is not paid back', async () => {
    const provider = open()
    await provider.cancel('plink_00000000000000')
    expect(await provider.fetchLinkFacts('plink_00000000000000')).toEqual([])
    const asked = { paymentId: 'pay_00000000000000', paise: 100, key: crypto.randomUUID() }
    expect(await refusal(provider.refund(asked))).toBe(true)
  })

  test.skipIf(!given)('settlements of a day can be asked for', async () => {
    expect(await open().fetchSettledMoney('2025-08-01')).toEqual([])
  })
})
