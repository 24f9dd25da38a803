import { inspect } from 'node:util'
import { expect, test, vi } from 'vitest'
import * as z from 'zod'
import { LOW_BALANCE, NOT_FOUND, ProviderBusy, ProviderRefused, ProviderUnavailable } from './provider.ts'
import { razorpayHttp } from './razorpayHttp.ts'

const SETTINGS = {
  keyId: 'rzp_test_key',
  keySecret: 'very secret',
  webhookSecret: 'also secret',
  apiUrl: 'https://api.razorpay.com',
  testMode: true,
}
const answering = (respond: typeof globalThis.fetch) => {
  const fetch = vi.fn(respond)
  const call = razorpayHttp(SETTINGS, { fetch })
  const path = '/v1/payment_links?reference_id=GR-7K2M'
  const ask = () => call({ path, body: { email: 'radha@example.org' }, answer: z.object({ id: z.string() }) })
  return {
    fetch,
    failure: () =>
      ask().then(
        () => null,
        (error: unknown) => error,
      ),
  }
}
const json = (status: number, body: unknown) => async () => Response.json(body, { status })
const refusal = (description: string) => ({ error: { code: 'BAD_REQUEST_ERROR', description, reason: null } })

test('a request carries the keys, a limit of time, and follows nobody to another address', async () => {
  const { fetch, failure } = answering(json(200, { id: 'plink_1' }))
  expect(await failure()).toBeNull()
  const [url, init] = fetch.mock.calls[0] ?? []
  expect(url).toBe('https://api.razorpay.com/v1/payment_links?reference_id=GR-7K2M')
  expect(init).toMatchObject({ method: 'POST', redirect: 'error', body: '{"email":"radha@example.org"}' })
  expect(new Headers(init?.headers).get('authorization')).toBe(`Basic ${btoa('rzp_test_key:very secret')}`)
  expect(init?.signal).toBeInstanceOf(AbortSignal)
})

test.each<[string, typeof globalThis.fetch]>([
  ['a cut connection', () => Promise.reject(new TypeError('fetch failed'))],
  ['an answer after the time limit', () => Promise.reject(new DOMException('timeout', 'TimeoutError'))],
  [
    'an answer that breaks off',
    async () => new Response(new ReadableStream({ start: (it) => it.error(new Error('cut')) })),
  ],
  ['a page instead of JSON', async () => new Response('<h1>Welcome</h1>')],
  ['an answer of another form', json(200, { id: 7 })],
  ['an empty answer', async () => new Response('')],
  ['the provider’s own error', json(500, refusal('Something went wrong'))],
  ['a proxy’s refusal', async () => new Response('Not allowed', { status: 400 })],
  ['too many requests', json(429, refusal('Too many requests'))],
  ['the same request still being worked on', json(409, refusal('Request in progress'))],
  ['keys that are not accepted', json(401, refusal('Authentication failed'))],
])('%s is no usable answer', async (_, respond) => {
  expect(await answering(respond).failure()).toBeInstanceOf(ProviderUnavailable)
})

test('too many requests are an error of their own, for callers that ask about many', async () => {
  expect(await answering(json(429, refusal('Too many requests'))).failure()).toBeInstanceOf(ProviderBusy)
})

test('a refusal tells the provider’s code and reason, and low balance and unknown ids have codes of their own', async () => {
  const refused = await answering(json(400, refusal('The payment has been fully refunded already'))).failure()
  expect(refused).toBeInstanceOf(ProviderRefused)
  expect(refused).toMatchObject({ code: 'BAD_REQUEST_ERROR', message: expect.stringContaining('fully refunded') })
  const poor = 'Your account does not have enough balance to carry out the refund operation.'
  expect(await answering(json(400, refusal(poor))).failure()).toMatchObject({ code: LOW_BALANCE })
  expect(await answering(async () => new Response('', { status: 404 })).failure()).toMatchObject({ code: NOT_FOUND })
})

test('no failure shows a key, the order or the guest', async () => {
  const failures = await Promise.all(
    [
      answering(json(400, refusal('radha@example.org is not valid'))),
      answering(json(200, { email: 'radha@example.org' })),
      answering((_, init) => Promise.reject(new Error(inspect(init)))),
    ].map(({ failure }) => failure()),
  )
  for (const failure of failures) {
    expect(failure).toBeInstanceOf(Error)
    expect(inspect(failure, { depth: 9 })).not.toMatch(/secret|rzp_test|Basic|radha|GR-7K2M/i)
  }
})
