import { expect, test } from 'vitest'
import { aDouble, type Webhook } from '../src/testing/double.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const started = async (options: Parameters<typeof aDouble>[0] = {}) => {
  const world = aDouble(options)
  const order = async (code: string) =>
    world.provider.start({
      code,
      paise: 39_900,
      description: 'One ticket',
      buyer: { name: 'Radha', email: 'radha@example.org' },
      expiresAt: new Date(world.clock.now().getTime() + 17 * MINUTE),
      returnUrl: 'https://garba.example/orders',
    })
  return { ...world, order, ...(await order('GR-1')) }
}
const ids = (received: readonly Webhook[]) => received.map(({ headers }) => headers['x-razorpay-event-id'])
const kinds = (received: readonly Webhook[]) =>
  received.map(({ body }) => (JSON.parse(body) as { event: string }).event)

test('an event that nobody hears is tried again with growing waits, and given up after a day', async () => {
  const { double, clock, ref, received } = await started({ send: async () => false })
  double.fail(ref)
  const tries: number[] = []
  const start = clock.now().getTime()
  for (let second = 0; second <= 30 * 3600; second += 10) {
    const before = received.filter(({ body }) => body.includes('payment.failed')).length
    await double.run()
    if (received.filter(({ body }) => body.includes('payment.failed')).length > before)
      tries.push((clock.now().getTime() - start) / SECOND)
    clock.forward(10 * SECOND)
  }
  expect(tries.slice(0, 6)).toEqual([0, 10, 30, 70, 150, 310])
  const waits = tries.slice(1).map((at, index) => at - (tries[index] ?? 0))
  expect(Math.max(...waits)).toBe(3600)
  expect(tries.at(-1)).toBeGreaterThan(22 * 3600)
  expect(tries.at(-1)).toBeLessThanOrEqual(24 * 3600)
  expect(new Set(ids(received.filter(({ body }) => body.includes('payment.failed')))).size).toBe(1)
})

test('an event that was received is not sent again', async () => {
  let up = false
  const { double, clock, ref, received } = await started({ send: async () => up })
  double.fail(ref)
  await double.run()
  up = true
  clock.forward(10 * SECOND)
  await double.run()
  clock.forward(10 * MINUTE)
  await double.run()
  expect(received).toHaveLength(2)
  expect(double.waitingEvents()).toBe(0)
})

test('duplicates have the id of the first, and late events keep the picture of their moment', async () => {
  const { double, clock, ref, received } = await started({ faults: { duplicateEvent: 1, delayedEvent: 1 } })
  double.pay(ref)
  await double.run()
  expect(received).toEqual([])
  clock.forward(10 * MINUTE)
  await double.run()
  expect(received).toHaveLength(6)
  expect(new Set(ids(received)).size).toBe(3)
  const authorized = received.find(({ body }) => body.includes('payment.authorized'))
  expect(JSON.parse(authorized?.body ?? '')).toMatchObject({
    payload: { payment: { entity: { status: 'authorized' } } },
  })
})

test('the same seed shuffles in the same way, another in another', async () => {
  const shuffled = async (seed: string) => {
    const { double, clock, order, received } = await started({ seed, faults: { delayedEvent: 0.7 } })
    for (let index = 2; index < 8; index += 1) double.pay((await order(`GR-${index}`)).ref)
    for (let minute = 0; minute <= 10; minute += 1) {
      await double.run()
      clock.forward(MINUTE)
    }
    return kinds(received)
  }
  const first = await shuffled('a')
  expect(first).toHaveLength(18)
  expect(await shuffled('a')).toEqual(first)
  expect(await shuffled('b')).not.toEqual(first)
})

test('switched-off webhooks say nothing, and asking tells all the same', async () => {
  const { double, clock, ref, received, provider } = await started({ faults: { lostEvent: 1 } })
  double.pay(ref)
  for (let hour = 0; hour < 30; hour += 1) {
    await double.run()
    clock.forward(HOUR)
  }
  expect(received).toEqual([])
  expect(await provider.fetchLinkFacts(ref)).toMatchObject([{ type: 'captured' }])
})

test('a payment may come late, or a second time', async () => {
  const late = await started({ faults: { latePayment: 1 } })
  late.double.pay(late.ref)
  expect(await late.provider.fetchLinkFacts(late.ref)).toMatchObject([{ type: 'failed' }])
  late.clock.forward(20 * MINUTE)
  await late.double.run()
  expect(await late.provider.fetchLinkFacts(late.ref)).toMatchObject([
    { type: 'captured' },
    { type: 'linkDead', why: 'expired' },
  ])

  const twice = await started({ faults: { secondPayment: 1 } })
  twice.double.pay(twice.ref)
  expect(await twice.provider.fetchLinkFacts(twice.ref)).toMatchObject([{ type: 'captured' }, { type: 'captured' }])
})
