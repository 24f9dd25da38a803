import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { callOffRound } from '../../src/flows/cancel/callOff.ts'
import { runJobs } from '../../src/flows/money/upkeep/jobs.ts'
import { noteGateOpening } from '../../src/flows/push/pushNews.ts'
import { must } from '../../src/testing/desk.ts'
import { everyRow } from '../../src/testing/everyRow.ts'
import { linkOf, ordered, payingWorld, place, settleMoney } from '../../src/testing/money.ts'
import { type PushService, startPushService } from '../../src/testing/pushService.ts'
import { bought, person, putOnSale } from '../../src/testing/scenes.ts'
import { type Client, makeWorld, type World } from '../../src/testing/world.ts'

/** A server that may send to the double on this machine, as a demo may. */
async function pushing(world: World): Promise<PushService> {
  world.deps.settings.demo = true
  const service = await startPushService(world.clock.now)
  onTestFinished(service.close)
  return service
}

async function subscribed(client: Client, service: PushService, language = 'en') {
  const subscription = service.subscribe()
  expect(await client.request('POST', '/api/push/subscriptions', { ...subscription, language })).toMatchObject({
    status: 201,
  })
  return subscription.endpoint
}

const send = ({ deps }: World) => runJobs(deps, 'push')
const count = async ({ sql }: World) => Number((await sql('select count(*) as n from push_subscriptions'))[0]?.n)
const setState = (admin: Client, body: Record<string, unknown>) =>
  must(
    admin.request(
      'POST',
      '/api/admin/event/state',
      { reason: 'The stage is wet.', ...body },
      { 'Idempotency-Key': randomUUID() },
    ),
  )

async function holders() {
  const world = await makeWorld()
  await putOnSale(world)
  const [admin, guest, stranger] = [
    await world.as('admin'),
    await world.as('guest'),
    await world.as('guest', person('Stranger')),
  ]
  await bought(guest)
  const service = await pushing(world)
  return { world, service, admin, guest, stranger }
}

test('a subscription as the browser writes it is enough, in English', async () => {
  const { world, service, guest } = await holders()
  const subscription = { ...service.subscribe(), expirationTime: null }
  expect(await guest.request('POST', '/api/push/subscriptions', subscription)).toMatchObject({ status: 201 })
  expect(await world.sql('select language from push_subscriptions')).toEqual([{ language: 'en' }])
})

test('a delay reaches each browser of each ticket holder once, encrypted, in its language, and nobody else', async () => {
  const { world, service, admin, guest, stranger } = await holders()
  const [phone, tablet] = [await subscribed(guest, service), await subscribed(guest, service, 'gu')]
  await subscribed(stranger, service)
  await setState(admin, { state: 'delayed', startTime: '19:30', now: true })
  await send(world)
  await send(world)
  expect(service.faults).toEqual([])
  expect(service.delivered).toMatchObject([
    {
      endpoint: phone,
      urgency: 'high',
      ttl: 86_400,
      message: {
        web_push: 8030,
        notification: {
          title: 'Garba Rass 2025',
          body: 'It now starts at 7:30 PM. The stage is wet.',
          navigate: 'http://localhost:8080/dashboard/guest',
          lang: 'en',
          dir: 'ltr',
        },
      },
    },
    { endpoint: tablet, message: { notification: { body: 'હવે 7:30 PM વાગ્યે શરૂ થશે. The stage is wet.', lang: 'gu' } } },
  ])
  world.clock.forward(60_000)
  // A later change replaces one that a phone has not got yet.
  await setState(admin, { state: 'moved', date: '2025-09-24', now: true })
  await send(world)
  expect(service.delivered).toHaveLength(4)
  expect(service.delivered[2]).toMatchObject({
    topic: service.delivered[0]?.topic,
    message: {
      notification: {
        body: 'It now takes place on Wednesday, 24 September 2025, 7:30 PM. Your tickets stay valid. The stage is wet.',
      },
    },
  })
})

test('no push message goes out while a change can still be undone; guests are told once that the event is called off, and about refunds', async () => {
  const { world, service, admin, guest } = await holders()
  await subscribed(guest, service)
  await bought(guest, 2)
  await setState(admin, { state: 'calledOff' })
  await callOffRound(world.deps)
  await send(world)
  expect(service.delivered).toEqual([])
  world.clock.forward(11 * 60_000)
  await callOffRound(world.deps)
  await send(world)
  await callOffRound(world.deps)
  await send(world)
  expect(service.delivered.map(({ message }) => message.notification.body)).toEqual([
    'It is called off. Open My Tickets to see your refund.',
  ])
})

test('entry is announced once it begins, and again only if the start moves', async () => {
  const { world, service, guest } = await holders()
  await subscribed(guest, service, 'hi')
  await noteGateOpening(world.deps)
  world.clock.set(new Date('2025-09-22T13:01:00Z'))
  for (let round = 0; round < 2; round += 1) {
    await noteGateOpening(world.deps)
    await send(world)
  }
  expect(service.delivered.map(({ message, ttl }) => ({ body: message.notification.body, ttl }))).toEqual([
    { body: 'Riverfront Ground, Ahmedabad पर प्रवेश अब शुरू हो रहा है। अपना कोड तैयार रखें।', ttl: 7_200 },
  ])
})

test('guests are notified of a payment confirmed by the bank or a late webhook, but not of one they made on screen', async () => {
  const world = await payingWorld()
  const [admin, guest] = [await world.as('admin'), await world.as('guest')]
  const service = await pushing(world)
  await subscribed(guest, service)
  const { code } = await ordered(guest)
  world.double.pay(linkOf(world, code))
  await settleMoney(world)
  await send(world)
  expect(service.delivered).toEqual([])

  const upi = await must(place(guest, { quantity: 1, provider: 'upi' }))
  const { code: second } = upi.order as { code: string }
  await must(admin.request('POST', `/api/admin/orders/${second}/confirm`, { utr: '412345678901', amount: 299 }))
  await send(world)
  expect(service.delivered).toMatchObject([
    { urgency: 'normal', message: { notification: { body: 'Your payment has arrived. Your tickets are ready.' } } },
  ])
  expect(JSON.stringify(service.delivered)).not.toMatch(new RegExp(`${second}|Garima|412345678901`))
  expect(service.faults).toEqual([])
})

test('a gone browser is forgotten; a busy service is asked again when it says, and given up in the end', async () => {
  const { world, service, admin, guest } = await holders()
  const [gone, busy, refusing] = [
    await subscribed(guest, service),
    await subscribed(guest, service),
    await subscribed(guest, service),
  ]
  service.answerWith(gone, { status: 410 })
  service.answerWith(busy, { status: 429, retryAfter: '600' }, { status: 503 })
  service.answerWith(refusing, { status: 403 })
  await setState(admin, { state: 'delayed', startTime: '19:30', now: true })
  await send(world)
  expect(await count(world)).toBe(2)
  world.clock.forward(599_000)
  await send(world)
  expect(service.delivered).toEqual([])
  world.clock.forward(2_000)
  await send(world)
  expect(service.delivered).toEqual([])
  world.clock.forward(60_001)
  await send(world)
  expect(service.delivered.map(({ endpoint }) => endpoint)).toEqual([busy])

  service.answerWith(busy, ...Array.from({ length: 20 }, () => ({ status: 503 })))
  await setState(admin, { state: 'delayed', startTime: '20:00', now: true })
  for (let hour = 0; hour < 20; hour += 1) {
    await send(world)
    world.clock.forward(3_600_000)
  }
  expect(service.delivered.filter(({ endpoint }) => endpoint === busy)).toHaveLength(1)
  const left = await world.sql("select id from jobs where kind = 'push' and ended_at is null")
  expect(left).toEqual([])
})

test.each([
  'http://push.example.org/x',
  'https://localhost/x',
  'https://127.0.0.1/x',
  'https://10.0.0.8/x',
  'https://169.254.169.254/latest',
  'https://[::1]/x',
  'https://[fd00::1]/x',
  'https://[::ffff:10.0.0.1]/x',
  'https://2130706433/x',
  'https://printer.local/x',
  'https://intranet/x',
  'https://user:pass@fcm.googleapis.com/x',
  'https://fcm.googleapis.com:8443/x',
])('no browser can name %s as its push service', async (endpoint) => {
  const world = await makeWorld()
  const guest = await world.as('guest')
  const keys = { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) }
  const reply = await guest.request('POST', '/api/push/subscriptions', { endpoint, keys, language: 'en' })
  expect(reply).toMatchObject({
    status: 400,
    body: {
      code: 'VALIDATION_FAILED',
      errors: [{ field: 'endpoint', message: 'The address must be the https address of a push service' }],
    },
  })
  expect(await count(world)).toBe(0)
})

test('a live server never posts to a double', async () => {
  const { world, service, admin, guest } = await holders()
  await subscribed(guest, service)
  world.deps.settings.demo = false
  await setState(admin, { state: 'delayed', startTime: '19:30', now: true })
  await send(world)
  expect(service.delivered).toEqual([])
  expect(await world.sql("select last_error as why from jobs where kind = 'push'")).toEqual([
    { why: 'not a push service' },
  ])
})

test('a person has at most ten browsers, an endpoint is one browser, and keys that are no keys are refused', async () => {
  const { world, service, guest, stranger } = await holders()
  const first = await subscribed(guest, service)
  const again = { ...service.subscribe(), endpoint: first, language: 'hi' }
  await must(guest.request('POST', '/api/push/subscriptions', again))
  expect(await count(world)).toBe(1)
  for (let more = 0; more < 10; more += 1) {
    world.clock.forward(1_000)
    await subscribed(guest, service)
  }
  expect(await count(world)).toBe(10)
  expect(JSON.stringify(await world.sql('select endpoint from push_subscriptions'))).not.toContain(first)
  const { endpoint, keys } = service.subscribe()
  const off = { p256dh: `B${'A'.repeat(86)}`, auth: keys.auth }
  expect(await guest.request('POST', '/api/push/subscriptions', { endpoint, keys: off, language: 'en' })).toMatchObject(
    { status: 400, body: { errors: [{ field: 'keys.p256dh' }] } },
  )

  // The next person on the same browser takes it over, and only they can end it.
  const shared = await subscribed(guest, service)
  const theirs = { ...service.subscribe(), endpoint: shared, language: 'en' }
  await must(stranger.request('POST', '/api/push/subscriptions', theirs))
  const before = await count(world)
  await must(guest.request('DELETE', '/api/push/subscriptions', { endpoint: shared }))
  expect(await count(world)).toBe(before)
  await must(stranger.request('DELETE', '/api/push/subscriptions', { endpoint: shared }))
  await must(stranger.request('DELETE', '/api/push/subscriptions', { endpoint: shared }))
  expect(await count(world)).toBe(before - 1)
})

test('the key is made once, stays with the database, and neither it nor an endpoint is in a log or an export', async () => {
  const { world, service, admin, stranger } = await holders()
  const { key } = await must(stranger.request('GET', '/api/push/key'))
  expect(key).toMatch(/^B[\w-]{86}$/)
  expect(await must(admin.request('GET', '/api/push/key'))).toMatchObject({ key })
  const endpoint = await subscribed(stranger, service)
  const [{ value } = { value: '{}' }] = await world.sql("select value from meta where key = 'pushKeys'")
  const secret = JSON.parse(String(value)).privateJwk.d as string
  expect(secret).toMatch(/^[\w-]{43}$/)

  const id = stranger.user?.id
  const file = await (await admin.fetch('GET', `/api/admin/users/${id}/export`)).text()
  expect(JSON.parse(file).browsers).toMatchObject([{ service: new URL(endpoint).host, language: 'en' }])
  expect(file).not.toContain(endpoint)
  expect(world.log.join()).not.toMatch(new RegExp(`${secret}|${endpoint}`))

  await must(stranger.request('DELETE', '/api/auth/me', { confirm: true }))
  expect(await everyRow(world)).not.toContain(endpoint)
})
