import { randomUUID } from 'node:crypto'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import { expect, test } from 'vitest'
import { must } from '../../src/testing/desk.ts'
import { makeMailServer } from '../../src/testing/mailServer.ts'
import { linkOf, ordered, orderOf, payingWorld, settleMoney } from '../../src/testing/money.ts'
import { person } from '../../src/testing/scenes.ts'
import type { Client, World } from '../../src/testing/world.ts'

async function mailingWorld(options: Parameters<typeof makeMailServer>[0] = {}) {
  const { smtpUrl, mails } = await makeMailServer(options)
  const world = await payingWorld({ settings: { SMTP_URL: smtpUrl, MAIL_FROM: 'Garba <tickets@example.org>' } })
  return { world, mails, admin: await world.as('admin') }
}

async function paid(world: World, guest: Client) {
  const { code } = await ordered(guest)
  world.double.pay(linkOf(world, code))
  await settleMoney(world)
  return orderOf(guest, code)
}

async function save(world: World, admin: Client, change: Record<string, unknown>) {
  const event = (await must(admin.request('GET', '/api/event'))).data as GarbaEvent
  const reply = await admin.request('PUT', '/api/event', { ...event, ...change })
  await settleMoney(world)
  return reply
}

test('a change is mailed to everybody with an active ticket, once each, when the admin asks for it', async () => {
  const { world, mails, admin } = await mailingWorld()
  const [meera, radha, gone] = [
    await world.as('guest', person('Meera')),
    await world.as('guest', person('Radha')),
    await world.as('guest', person('Gopi')),
  ]
  await paid(world, meera)
  await paid(world, meera)
  await paid(world, radha)
  const { tickets } = await paid(world, gone)
  await must(gone.request('PATCH', `/api/tickets/cancel/${tickets[0]?.id}`, { reason: 'Away' }))
  await settleMoney(world)
  mails.length = 0

  expect(await save(world, admin, { venue: 'The old hall' })).toMatchObject({ status: 200 })
  expect(mails).toEqual([])

  const tell = { id: randomUUID(), words: 'It will rain.\nWe meet in the hall.' }
  expect(await save(world, admin, { venue: 'The hall', tell })).toMatchObject({ status: 200 })
  expect(await save(world, admin, { venue: 'The hall', tell })).toMatchObject({ status: 200 })
  expect(mails.map(({ to }) => to?.[0]?.name).sort()).toEqual(['Meera', 'Radha'])
  expect(mails[0]).toMatchObject({ subject: 'Garba Rass 2025: please note the changes' })
  expect(mails[0]?.text).toContain('> It will rain.\n> We meet in the hall.')
  expect(mails[0]?.text).toContain('Venue: The hall')
  const trail = await must(admin.request('GET', '/api/admin/audit?action=event.updated'))
  // The message that was repeated with the same change is neither sent nor on record again.
  expect(trail.rows).toMatchObject([
    { detail: expect.stringMatching(/The hall.*; ticket holders get an email$/) },
    { detail: expect.not.stringContaining('get an email') },
  ])
  await save(world, admin, { venue: 'The hall', tell: { ...tell, words: 'It will be dry.' } })
  expect(mails.slice(2).map(({ text }) => text?.includes('> It will be dry.'))).toEqual([true, true])
})

test('who cancels the last ticket while the mail waits gets none, and who has one in another order does', async () => {
  let open = false
  const { world, mails, admin } = await mailingWorld({
    onRcptTo: (_address, _session, done) => done(open ? null : Object.assign(new Error('busy'), { responseCode: 451 })),
  })
  const [meera, gone] = [await world.as('guest', person('Meera')), await world.as('guest', person('Gopi'))]
  const orders = [await paid(world, gone), await paid(world, meera)]
  await paid(world, meera)
  await save(world, admin, { venue: 'The hall', tell: { id: randomUUID(), words: 'It will rain.' } })
  for (const [at, guest] of [gone, meera].entries())
    await must(guest.request('PATCH', `/api/tickets/cancel/${orders[at]?.tickets[0]?.id}`, { reason: 'Away' }))
  open = true
  for (let minute = 0; minute < 5; minute += 1) {
    world.clock.forward(60_000)
    await settleMoney(world)
  }
  expect(mails.filter(({ text }) => text?.includes('It will rain.')).map(({ to }) => to?.[0]?.name)).toEqual(['Meera'])
})

test('a message that is too long is refused, and nothing is saved', async () => {
  const { world, mails, admin } = await mailingWorld()
  await paid(world, await world.as('guest'))
  mails.length = 0
  const tell = { id: randomUUID(), words: 'x'.repeat(1_001) }
  expect(await save(world, admin, { venue: 'The hall', tell })).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'tell', message: 'Use at most 1,000 characters' }] },
  })
  expect(mails).toEqual([])
  expect((await must(admin.request('GET', '/api/event'))).data).not.toMatchObject({ venue: 'The hall' })
})

test('where no mails leave, a change is saved and nobody gets a mail', async () => {
  const world = await payingWorld()
  const admin = await world.as('admin')
  await paid(world, await world.as('guest'))
  const tell = { id: randomUUID(), words: '' }
  expect(await save(world, admin, { venue: 'The hall', tell })).toMatchObject({ status: 200 })
  expect(await world.sql("select id from jobs where kind in ('announce', 'mail')")).toEqual([])
})
