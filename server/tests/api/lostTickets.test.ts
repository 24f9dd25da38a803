import { randomUUID } from 'node:crypto'
import type { LostAnswer, LostTicket, Ticket } from '@garba/shared/contracts/ticket'
import { expect, test } from 'vitest'
import { readBooks } from '../../src/flows/money/books.ts'
import { revokeKey, rotateKey } from '../../src/flows/signingKeys.ts'
import { allSigningKeys } from '../../src/store/signingKeys.ts'
import { AFTERWARDS, close, rosterOf } from '../../src/testing/closing.ts'
import { testOnSqlite } from '../../src/testing/database.ts'
import { must } from '../../src/testing/desk.ts'
import { lose } from '../../src/testing/losing.ts'
import { bought, codeOf, mark, person, putOnSale } from '../../src/testing/scenes.ts'
import { type Client, makeWorld, type World } from '../../src/testing/world.ts'

const offer = async (guest: Client, codes: readonly string[]) =>
  (await must(guest.request('POST', '/api/tickets/lost', { codes }))).answers as LostAnswer[]
const listed = async (admin: Client) =>
  (await must(admin.request('GET', '/api/admin/lost-tickets'))) as unknown as {
    lost: [LostTicket, ...LostTicket[]]
    waiting: number
    remaining: number
  }
const decide = (admin: Client, what: 'confirm' | 'refuse', { id }: { id: string }, body = {}) =>
  admin.request('POST', `/api/admin/lost-tickets/${id}/${what}`, body)
const mine = async (guest: Client) => (await must(guest.request('GET', '/api/tickets/my-tickets'))).tickets as Ticket[]
const allAgrees = async (world: World) => expect((await readBooks(world.deps)).filter(({ ok }) => !ok)).toEqual([])

/** Somebody whose tickets the server has lost. */
async function bereft(quantity = 1, settings: Record<string, string> = {}) {
  const world = await makeWorld({ settings })
  const event = await putOnSale(world)
  const guest = await world.as('guest')
  const tickets = await bought(guest, quantity)
  await lose(world, tickets)
  return { world, event, guest, tickets, codes: tickets.map(codeOf), admin: await world.as('admin') }
}

test('tickets that the server lost come back with the same ids and codes once the desk confirms them', async () => {
  const { world, guest, tickets, codes, admin } = await bereft(4)
  const checker = await world.as('qrchecker')
  const { revision } = await rosterOf(checker)
  expect(await offer(guest, codes)).toEqual(Array(4).fill({ state: 'waiting' }))
  expect(await offer(guest, codes)).toEqual(Array(4).fill({ state: 'waiting' }))
  const { lost, waiting, remaining } = await listed(admin)
  expect({ waiting, remaining, length: lost.length }).toEqual({ waiting: 4, remaining: 500, length: 4 })
  expect(lost[0]).toMatchObject({
    ticketId: tickets[0]._id,
    holder: { name: 'Garima Guest', email: 'guest@garba.test' },
    state: 'waiting',
    others: 0,
    together: 4,
    price: 249,
    letIn: null,
  })

  const first = await must(decide(admin, 'confirm', lost[0]))
  expect(first.lost).toMatchObject({ state: 'confirmed', decidedBy: 'Asha Admin' })
  expect(await must(decide(admin, 'confirm', lost[0]))).toEqual(first)
  for (const one of lost.slice(1)) await must(decide(admin, 'confirm', one))

  const back = (ticket: Ticket) => ({ ...ticket, updatedAt: expect.any(String) })
  expect((await mine(guest)).toSorted((a, b) => (a._id < b._id ? -1 : 1))).toEqual(
    tickets.toSorted((a, b) => (a._id < b._id ? -1 : 1)).map(back),
  )
  expect(await offer(guest, codes)).toEqual(Array(4).fill({ state: 'known' }))
  const delta = await rosterOf(checker, `?since=${revision}`)
  expect(delta.tickets.map(({ id, status }) => [id, status]).toSorted()).toEqual(
    tickets.map(({ _id }) => [_id, 'active']).toSorted(),
  )
  expect(await must(mark(checker, { qrCode: codes[0] }))).toMatchObject({ outcome: 'admitted' })
  expect(await world.sql('select channel, provider, state, quantity, total_paise as paise from orders')).toEqual(
    Array(4).fill({ channel: 'web', provider: 'none', state: 'paid', quantity: 1, paise: 24_900 }),
  )
  expect(await listed(admin)).toMatchObject({ waiting: 0, remaining: 496 })
  await allAgrees(world)
  const { rows } = await must(admin.request('GET', '/api/admin/audit?action=lost.confirmed'))
  expect(rows).toHaveLength(4)
})

testOnSqlite('only a ticket’s own code counts, and cancelled and deleted tickets are not lost', async () => {
  const world = await makeWorld()
  const event = await putOnSale(world)
  const guest = await world.as('guest')
  const admin = await world.as('admin')
  const [kept, cancelled, deleted] = await bought(guest, 3)
  const { groups } = await must(guest.request('GET', '/api/tickets/group-codes'))
  const [group] = groups as { qrCode: string }[]
  await must(guest.request('PATCH', `/api/tickets/cancel/${cancelled?._id}`, { reason: 'Away' }))
  await must(admin.request('DELETE', `/api/admin/tickets/${deleted?._id}`))
  const elsewhere = await world.deps.signer.sign({ ticketId: kept._id, eventId: '01K0000000000000000000000Z' })
  const block = await world.deps.signer.sign({
    ticketId: '01K0000000000000000000000Y',
    eventId: event._id,
    block: true,
  })
  const codes = [kept, cancelled, deleted].map((ticket) => ticket?.qrCode ?? '')
  expect(await offer(guest, [...codes, group?.qrCode ?? '', elsewhere, block, `${codes[0]}x`, '', 'hello'])).toEqual([
    ...Array(3).fill({ state: 'known' }),
    ...Array(6).fill({ state: 'refused', why: 'invalid' }),
  ])
  expect(await listed(admin)).toMatchObject({ lost: [], waiting: 0 })
  expect((await guest.request('POST', '/api/tickets/lost', { codes: Array(101).fill('x') })).status).toBe(400)
})

testOnSqlite(
  'of two accounts that offer one ticket the desk chooses one, and the other one reads that it was refused',
  async () => {
    const { world, guest, tickets, codes, admin } = await bereft()
    const other = await world.as('guest', person('Radha'))
    await offer(other, codes)
    await offer(guest, codes)
    const { lost } = await listed(admin)
    expect(lost.map(({ holder, others }) => [holder.name, others])).toEqual([
      ['Radha', 1],
      ['Garima Guest', 1],
    ])
    await must(decide(admin, 'confirm', lost.find(({ holder }) => holder.name === 'Garima Guest') ?? lost[0]))
    expect(await mine(guest)).toMatchObject([{ _id: tickets[0]._id }])
    expect(await offer(guest, codes)).toEqual([{ state: 'known' }])
    expect(await offer(other, codes)).toEqual([{ state: 'refused', why: 'desk' }])
    expect((await decide(admin, 'confirm', lost[0])).body).toMatchObject({ code: 'LOST_KNOWN' })
  },
)

testOnSqlite('a refusal is shown with its note, and can be taken back', async () => {
  const { guest, codes, admin } = await bereft()
  await offer(guest, codes)
  const { lost } = await listed(admin)
  const note = 'Its payment went back on Friday.'
  expect((await decide(admin, 'refuse', lost[0], { note: ' ' })).status).toBe(400)
  for (const _ of [1, 2]) await must(decide(admin, 'refuse', lost[0], { note }))
  expect(await offer(guest, codes)).toEqual([{ state: 'refused', why: 'desk', note }])
  const { rows } = await must(admin.request('GET', '/api/admin/audit?action=lost.refused'))
  expect(rows).toHaveLength(1)
  await must(decide(admin, 'confirm', lost[0]))
  expect(await offer(guest, codes)).toEqual([{ state: 'known' }])
  expect((await decide(admin, 'refuse', lost[0], { note })).body).toMatchObject({ code: 'LOST_KNOWN' })
  expect((await decide(admin, 'confirm', { id: '01K0000000000000000000000Z' })).body).toMatchObject({
    code: 'LOST_NOT_FOUND',
  })
})

test.for([false, true])(
  'the person who came in with a lost ticket is its entry (seen on the desk before: %s)',
  async (seen) => {
    const { world, guest, tickets, codes, admin } = await bereft()
    const checker = await world.as('qrchecker')
    const scanId = randomUUID()
    const scannedAt = world.clock.now().toISOString()
    const row = { qrCode: codes[0], scanId, scannedAt, admittedOffline: true, deviceId: 'gate-a' }
    const { results } = await must(checker.request('POST', '/api/tickets/mark-used/batch', { scans: [row] }))
    expect(results).toMatchObject([{ outcome: 'conflict', conflict: { over: 'missing' } }])
    if (seen) await must(admin.request('POST', `/api/admin/gate/conflicts/${scanId}/acknowledge`))
    await offer(guest, codes)
    const { lost } = await listed(admin)
    expect(lost[0].letIn).toEqual({ at: scannedAt, by: 'Chetan Checker' })
    await must(decide(admin, 'confirm', lost[0]))
    expect(await mine(guest)).toMatchObject([{ _id: tickets[0]._id, status: 'used', entryTime: scannedAt }])
    expect((await mark(checker, { qrCode: codes[0] })).body).toMatchObject({ code: 'ALREADY_USED' })
    expect(await world.sql('select acknowledged_by_name as by from conflicts')).toEqual([{ by: 'Asha Admin' }])
    await allAgrees(world)
  },
)

test('a ticket without a free seat, of a closed event or of a revoked key is not taken back', async () => {
  const { world, event, guest, codes, admin } = await bereft()
  await offer(guest, codes)
  const { lost } = await listed(admin)
  await world.sql('update events set taken_seats = total_tickets')
  expect((await decide(admin, 'confirm', lost[0])).body).toMatchObject({ code: 'SOLD_OUT' })
  await world.sql('update events set taken_seats = 0')

  const [old] = await world.store.read(allSigningKeys)
  await rotateKey(world.deps)
  await revokeKey(world.deps, old?.kid ?? '')
  expect((await decide(admin, 'confirm', lost[0])).body).toMatchObject({ code: 'LOST_INVALID' })
  expect(await offer(guest, codes)).toEqual([{ state: 'refused', why: 'invalid' }])

  const again = await bought(guest)
  await lose(world, again)
  world.clock.set(AFTERWARDS)
  const [later, desk] = [await world.as('guest'), await world.as('admin')]
  expect(await offer(later, [codeOf(again[0])])).toEqual([{ state: 'waiting' }])
  const waiting = (await listed(desk)).lost.find(({ ticketId }) => ticketId === again[0]._id)
  await must(close(desk, event._id))
  expect((await decide(desk, 'confirm', waiting ?? lost[0])).body).toMatchObject({ code: 'EVENT_CLOSED' })
  expect(await offer(later, [codeOf(again[0])])).toEqual([{ state: 'refused', why: 'otherEvent' }])
  await allAgrees(world)
})

test('offers of lost tickets are exported and erased with their person, and deleted with the account', async () => {
  const { world, guest, tickets, codes, admin } = await bereft()
  await offer(guest, codes)
  const other = await world.as('guest', person('Radha'))
  await offer(other, codes)
  const { body } = await admin.request('GET', `/api/admin/users/${guest.user?.id}/export`)
  expect(body.lostTickets).toMatchObject([{ ticket: tickets[0]._id, state: 'waiting' }])
  await must(admin.request('POST', `/api/admin/users/${guest.user?.id}/erase`))
  expect((await listed(admin)).lost).toMatchObject([{ holder: { name: 'Radha' }, others: 0 }])
  await must(admin.request('DELETE', `/api/admin/users/${other.user?.id}`))
  expect((await listed(admin)).lost).toEqual([])
})

testOnSqlite('somebody who offers codes without end is slowed down', async () => {
  const world = await makeWorld({ limits: { lost: 1 } })
  await putOnSale(world)
  const guest = await world.as('guest')
  expect(await offer(guest, ['x'])).toHaveLength(1)
  expect((await guest.request('POST', '/api/tickets/lost', { codes: ['x'] })).status).toBe(429)
})
