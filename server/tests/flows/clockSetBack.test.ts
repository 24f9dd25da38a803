import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { runJobs } from '../../src/flows/money/upkeep/jobs.ts'
import { logClientError } from '../../src/flows/watch/logClientError.ts'
import { must } from '../../src/testing/desk.ts'
import { makeMailServer } from '../../src/testing/mailServer.ts'
import { linkOf, ordered, payingWorld, place, settleMoney } from '../../src/testing/money.ts'
import { pairedPhone } from '../../src/testing/phone.ts'
import { bought, codeOf, mark, person, putOnSale } from '../../src/testing/scenes.ts'
import { makeWorld } from '../../src/testing/world.ts'

/** The server's clock was a day ahead until now. */
const AHEAD_MS = 24 * 3_600_000

test('phones get their list after the server’s clock was set back, and a phone changes hands', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  await bought(await world.as('guest'), 1)
  const phone = await pairedPhone(world, { until: '2025-09-01T00:00:00Z' })
  const roster = async () => (await phone.client()).request('GET', '/api/scanner/roster?deviceId=d1')
  const checking = async (who: Parameters<typeof world.as>[1]) =>
    must((await world.as('qrchecker', who)).request('GET', '/api/scanner/roster?deviceId=shared&since=1'))
  world.clock.forward(AHEAD_MS)
  await must(roster())
  await checking(person('Meera'))
  world.clock.forward(-AHEAD_MS)
  await must(roster())
  expect(await roster()).toMatchObject({ status: 429, body: { retryAfterSeconds: 60 } })
  await checking(person('Ravi'))
  expect(await world.sql("select checker_name from devices where id = 'shared'")).toEqual([{ checker_name: 'Ravi' }])
})

test('an admission of an hour ago cannot be undone because the clock went back', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const [ticket] = await bought(await world.as('guest'), 1)
  const scanId = randomUUID()
  world.clock.forward(AHEAD_MS)
  await must(mark(await world.as('qrchecker'), { qrCode: codeOf(ticket), scanId }))
  world.clock.forward(3_600_000 - AHEAD_MS)
  const checker = await world.as('qrchecker')
  expect(await checker.request('POST', '/api/tickets/mark-used/undo', { scanId })).toMatchObject({
    status: 409,
    body: { code: 'UNDO_EXPIRED' },
  })
  expect(await world.sql('select status from tickets')).toEqual([{ status: 'used' }])
})

test('a phone that got its right before the clock was set back still admits with it, and one that has lost it is flagged', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const [one, two, three] = await bought(await world.as('guest'), 3)
  const until = '2025-09-01T00:00:00Z'
  const [given, taken] = [
    await pairedPhone(world, { rights: ['sell'], until }),
    await pairedPhone(world, { rights: ['scan'], until }),
  ]
  const change = async (id: string, rights: string[]) =>
    must((await world.as('admin')).request('PATCH', `/api/admin/devices/${id}`, { rights }))
  world.clock.forward(AHEAD_MS)
  await change(given.id, ['scan'])
  await change(taken.id, ['sell'])
  world.clock.forward(3_600_000 - AHEAD_MS)
  const send = async (phone: typeof given, ticket: typeof one | undefined) => {
    const scannedAt = world.clock.now().toISOString()
    const scan = { scanId: randomUUID(), qrCode: ticket?.qrCode, admittedOffline: true, scannedAt }
    return (await phone.client()).request('POST', '/api/tickets/mark-used/batch', { scans: [scan] })
  }
  for (const reply of [await send(given, one), await send(taken, two)])
    expect(reply.body).toMatchObject({ results: [{ outcome: 'admitted' }] })
  expect(await world.sql('select device_id, flag from scans where flag is not null')).toEqual([
    { device_id: taken.id, flag: 'noRight' },
  ])
  await change(given.id, ['sell'])
  expect((await send(given, three)).body).toMatchObject({ results: [{ code: 'FORBIDDEN' }] })
})

test('refunds and mails that were due by the earlier clock are sent after it was set back', async () => {
  const { smtpUrl, mails } = await makeMailServer()
  const world = await payingWorld({ settings: { SMTP_URL: smtpUrl, MAIL_FROM: 'Garba <tickets@example.org>' } })
  const { code } = await ordered(await world.as('guest'), 1)
  world.double.pay(linkOf(world, code))
  await settleMoney(world)
  expect(mails).toHaveLength(1)
  world.clock.forward(AHEAD_MS)
  const guest = await world.as('guest')
  const { tickets } = await must(guest.request('GET', '/api/tickets/my-tickets'))
  const [ticket] = tickets as [{ _id: string }]
  await must(guest.request('PATCH', `/api/tickets/cancel/${ticket._id}`, { reason: 'Ill' }))
  world.clock.forward(-AHEAD_MS)
  await runJobs(world.deps, 'money')
  await runJobs(world.deps, 'mail')
  expect(await world.sql("select state from refunds where state in ('sent', 'done')")).toHaveLength(1)
  expect(mails).toHaveLength(2)
})

test('orders and links of a day that has not come yet keep nobody from placing and making others', async () => {
  const world = await payingWorld()
  world.clock.forward(AHEAD_MS)
  const guest = await world.as('guest')
  for (let placed = 0; placed < 10; placed++) {
    const { code } = await ordered(guest)
    await must(guest.request('POST', `/api/orders/${code}/cancel`))
  }
  expect(await place(guest, { quantity: 1, provider: 'razorpay' })).toMatchObject({ status: 429 })
  world.clock.forward(-AHEAD_MS)
  await ordered(await world.as('guest'))
})

test('questions, mails and reports dated by the earlier clock hold nothing up', async () => {
  const { smtpUrl, mails } = await makeMailServer()
  const world = await payingWorld({ settings: { SMTP_URL: smtpUrl, MAIL_FROM: 'Garba <tickets@example.org>' } })
  world.clock.forward(AHEAD_MS)
  const order = await ordered(await world.as('guest'))
  const read = async () => (await must((await world.as('guest')).request('GET', `/api/orders/${order.code}`))).order
  expect(await read()).toMatchObject({ state: 'held' })
  world.clock.forward(-AHEAD_MS)
  world.double.pay(linkOf(world, order.code))
  expect(await read()).toMatchObject({ state: 'paid' })

  world.clock.forward(AHEAD_MS)
  const resend = async () => must((await world.as('admin')).request('POST', `/api/admin/orders/${order.code}/resend`))
  await runJobs(world.deps, 'mail')
  world.clock.forward(60_000)
  await resend()
  await runJobs(world.deps, 'mail')
  world.clock.forward(-AHEAD_MS)
  await resend()
  await runJobs(world.deps, 'mail')
  expect(mails).toHaveLength(3)

  const report = () =>
    logClientError(world.deps, { error: { message: 'x' }, timestamp: 'now', url: 'http://x/', userAgent: 'x' })
  const reports = () => world.log.filter((line) => line.includes('"userAgent":"x"')).length
  world.clock.forward(AHEAD_MS)
  for (let n = 0; n < 70; n++) report()
  expect(reports()).toBe(60)
  world.clock.forward(-AHEAD_MS)
  report()
  expect(reports()).toBe(61)
})
