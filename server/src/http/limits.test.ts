import { createHmac } from 'node:crypto'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { buy, person, putOnSale } from '../testing/scenes.ts'
import { makeWorld, PAYING } from '../testing/world.ts'
import { type LimitName, makeRateLimits, RATES } from './limits.ts'

describe('limits', () => {
  test('are per user: someone who sends too much does not block others at the same address', async () => {
    const world = await makeWorld({ limits: { user: 3 } })
    await putOnSale(world)
    const guest = await world.as('guest')
    for (let i = 0; i < 3; i++) expect((await guest.request('GET', '/api/auth/me')).status).toBe(200)
    const limited = await guest.request('GET', '/api/auth/me')
    expect(limited).toMatchObject({
      status: 429,
      body: { code: 'RATE_LIMITED', retryAfterSeconds: expect.any(Number) },
    })
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await buy(await world.as('guest', person('Radha')), 1)).status).toBe(201)
  })

  test('count every call of a burst, of one caller and of several', async () => {
    const world = await makeWorld({ limits: { user: 7 } })
    const guests = await Promise.all(['Radha', 'Meera', 'Hema'].map((name) => world.as('guest', person(name))))
    const calls = [...guests, ...guests].flatMap((guest) => Array.from({ length: 6 }, () => guest))
    const answers = await Promise.all(calls.map((guest) => guest.request('GET', '/api/auth/me')))
    for (const guest of guests) {
      const own = answers.filter((_, n) => calls[n] === guest).map(({ status }) => status)
      expect(own.toSorted()).toEqual([...Array(7).fill(200), ...Array(5).fill(429)])
    }
  })

  test('keep a guest who goes on renaming themselves or their tickets from filling the audit trail', async () => {
    const world = await makeWorld({ limits: { names: 4 } })
    await putOnSale(world)
    const guest = await world.as('guest')
    const [ticket] = (await buy(guest, 1)).body.tickets as { _id: string }[]
    const statuses: number[] = []
    for (let n = 0; n < 6; n += 1) {
      const name = `Guest ${n}`
      const answer =
        n % 2 === 0
          ? guest.request('PATCH', `/api/tickets/${ticket?._id}/name`, { name })
          : guest.request('PUT', '/api/auth/profile', { displayName: name })
      statuses.push((await answer).status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429])
    expect(await world.sql("select id from audit where action in ('ticket.named', 'user.renamed')")).toHaveLength(4)
    expect((await guest.request('GET', '/api/auth/me')).status).toBe(200)
  })

  test('are per address for anonymous calls, independently of signed-in ones', async () => {
    const world = await makeWorld({ limits: { visitor: 2 } })
    for (let i = 0; i < 2; i++) expect((await world.nobody.request('GET', '/api/event')).status).toBe(200)
    expect((await world.nobody.request('GET', '/api/event')).status).toBe(429)
    expect((await (await world.as('guest')).request('GET', '/api/auth/me')).status).toBe(200)
  })

  test('are per person for sign-ins: bad tokens at the same address lock nobody out', async () => {
    const world = await makeWorld({ limits: { signIn: 1, failure: 2 } })
    const signIn = (idToken: string | null) => world.nobody.request('POST', '/api/auth/google-signin', { idToken })
    for (let i = 0; i < 5; i++) expect((await signIn('bad.token.here')).status).toBe(401)
    const checker = await world.as('qrchecker')
    const guest = await world.as('guest')
    expect((await signIn(checker.token)).status).toBe(200)
    expect((await signIn(guest.token)).status).toBe(200)
    expect(await signIn(checker.token)).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
  })

  test('always tell an expired token that it has expired, and slow down those who send many', async () => {
    const world = await makeWorld({ limits: { user: 1, failure: 2, address: 0 } })
    const checker = await world.as('qrchecker')
    world.clock.forward(2 * 3_600_000)
    const ask = async () => {
      const began = performance.now()
      const { status } = await checker.request('GET', '/api/auth/me')
      return { status, slow: performance.now() - began >= 900 }
    }
    const asked = [await ask(), await ask(), await ask()]
    expect(asked.map(({ status }) => status)).toEqual([401, 401, 401])
    expect(asked.at(-1)).toMatchObject({ slow: true })
    const fresh = await world.as('qrchecker')
    expect((await fresh.request('GET', '/api/auth/me')).status).toBe(200)
  })

  test('slow down those who forge webhooks, and never shut out the provider behind the same proxy', async () => {
    const world = await makeWorld({ settings: PAYING, limits: { failure: 2, address: 1 } })
    const send = async (headers: Record<string, string>, body: string) => {
      const began = performance.now()
      const { status } = await world.nobody.request('POST', '/api/webhooks/razorpay', body, headers)
      return { status, slow: performance.now() - began >= 900 }
    }
    const forged = { 'x-razorpay-signature': '0'.repeat(64) }
    const flood = [await send(forged, '{}'), await send(forged, '{}'), await send(forged, '{}')]
    expect(flood.map(({ status }) => status)).toEqual([400, 400, 400])
    expect(flood.at(-1)).toMatchObject({ slow: true })
    const body = '{"event":"payment.captured","payload":{}}'
    const signature = createHmac('sha256', PAYING.RAZORPAY_WEBHOOK_SECRET).update(body).digest('hex')
    for (let n = 0; n < 3; n += 1) expect((await send({ 'x-razorpay-signature': signature }, body)).status).toBe(200)
    expect((await send(forged, 'x'.repeat(64 * 1024 + 1))).status).toBe(413)
    expect(await world.sql('select id from provider_events')).toHaveLength(1)
  })

  test('are separate for crash reports', async () => {
    const world = await makeWorld({ limits: { logError: 1 } })
    const report = { error: { message: 'x' }, timestamp: 'now', url: '/', userAgent: 'x' }
    const send = () => world.nobody.request('POST', '/api/log-error', report)
    expect([(await send()).status, (await send()).status]).toEqual([202, 429])
  })

  test('trust our last proxy and nothing a stranger wrote before it', async () => {
    const world = await makeWorld({ settings: { TRUST_PROXY: '1' }, limits: { visitor: 1 } })
    const from = (chain: string) => world.nobody.request('GET', '/api/event', undefined, { 'X-Forwarded-For': chain })
    expect((await from('1.1.1.1, 9.9.9.9')).status).toBe(200)
    expect((await from('2.2.2.2, 9.9.9.9')).status).toBe(429)
    expect((await from('1.1.1.1, 8.8.8.8')).status).toBe(200)
  })

  test('count an IPv6 network as one address', async () => {
    const world = await makeWorld({ settings: { TRUST_PROXY: '1' }, limits: { visitor: 1 } })
    const from = (address: string) =>
      world.nobody.request('GET', '/api/event', undefined, { 'X-Forwarded-For': address })
    expect((await from('2001:db8:0:1::1')).status).toBe(200)
    expect((await from('2001:0db8:0000:0001:ffff:ffff:ffff:ffff')).status).toBe(429)
    expect((await from('2001:db8:0:2::1')).status).toBe(200)
    expect((await from('2001:db8::1')).status).toBe(200)
    expect((await from('::1')).status).toBe(200)
    expect((await from('::ffff:9.9.9.9')).status).toBe(200)
    expect((await from('::ffff:8.8.8.8')).status).toBe(200)
  })

  test('count an address once, however a proxy writes it', async () => {
    const world = await makeWorld({ settings: { TRUST_PROXY: '1' }, limits: { visitor: 1 } })
    const from = (address: string) =>
      world.nobody.request('GET', '/api/event', undefined, { 'X-Forwarded-For': address })
    expect((await from('9.9.9.9')).status).toBe(200)
    for (const same of ['9.9.9.9:4711', '::ffff:9.9.9.9', '[::ffff:9.9.9.9]:4711', '::FFFF:9.9.9.9', '"9.9.9.9:1"'])
      expect([same, (await from(same)).status]).toEqual([same, 429])
    expect((await from('8.8.8.8:4711')).status).toBe(200)
    expect((await from('[2001:db8:0:1::1]:4711')).status).toBe(200)
    for (const same of ['2001:db8:0:1::2', '[2001:DB8:0:1::3]', '2001:db8:0:1::4%eth0'])
      expect([same, (await from(same)).status]).toEqual([same, 429])
  })

  const A_MINUTE = 60_000
  test.each([
    ['ten gate phones on one account, each scanning every other second', 'user', 10 * 30 * 2],
    ['a person who reloads the page every second', 'signIn', 60],
    ['a venue of five thousand behind one address, who all open the page within a minute', 'visitor', 5_000 * 3],
    ['five hundred behind one address, who all sign in by mail within an hour', 'mailLinks', 500],
  ] as const)('leave room for %s', async (_, limit, calls) => {
    const limits = makeRateLimits()
    for (let i = 0; i < calls; i++) await limits.count(limit, 'x')
  })

  test.each(Object.entries(RATES))('for %s stop at %i a minute, or an hour', async (limit, calls) => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const limits = makeRateLimits()
    const count = () => limits.count(limit as LimitName, 'x')
    for (let i = 0; i < calls; i++) await count()
    await expect(count()).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    vi.advanceTimersByTime((/^(names|mailLinks)/.test(limit) ? 60 : 1) * A_MINUTE + 1)
    await expect(count()).resolves.toBeUndefined()
  })
})
