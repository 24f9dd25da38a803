import { describe, expect, test } from 'vitest'
import { testOnSqlite } from '../../testing/database.ts'
import { bought, person, putOnSale } from '../../testing/scenes.ts'
import { type Client, makeWorld, type World } from '../../testing/world.ts'

const cancel = async (world: World, id: string, reason: unknown = 'Cannot come', who = 'guest' as const) =>
  (await world.as(who)).request('PATCH', `/api/tickets/cancel/${id}`, { reason })

describe('own tickets', () => {
  testOnSqlite('are listed newest first, without anyone else’s', async () => {
    const world = await makeWorld()
    await putOnSale(world)
    const guest = await world.as('guest')
    const [first] = await bought(guest)
    world.clock.forward(1000)
    const [second] = await bought(guest)
    await bought(await world.as('manager'))
    const { body } = await guest.request('GET', '/api/tickets/my-tickets')
    expect((body.tickets as { _id: string }[]).map((ticket) => ticket._id)).toEqual([second._id, first._id])
    expect(body.tickets).toMatchObject([{ eventName: 'Garba Rass 2025', user: { email: 'guest@garba.test' } }, {}])
  })

  testOnSqlite(
    'are all listed, even two thousand of them',
    async () => {
      const world = await makeWorld({ settings: { MAX_PER_ORDER: '1000' } })
      await putOnSale(world, { totalTickets: 2000 })
      const guest = await world.as('guest')
      await bought(guest, 1000)
      await bought(guest, 1000)
      const { body } = await guest.request('GET', '/api/tickets/my-tickets')
      expect(body.tickets).toHaveLength(2000)
    },
    30_000,
  )

  testOnSqlite('that are used tell how many people were in with their holder', async () => {
    const world = await makeWorld()
    await putOnSale(world)
    const guest = await world.as('guest')
    const [first, second] = await bought(guest, 2)
    const [other] = await bought(await world.as('manager'))
    const checker = await world.as('qrchecker')
    for (const ticket of [first, other, second]) {
      world.clock.forward(1000)
      await checker.request('POST', '/api/tickets/mark-used', { qrCode: ticket?.qrCode })
    }
    const { body } = await guest.request('GET', '/api/tickets/my-tickets')
    const lights = (body.tickets as { _id: string; light?: number }[]).map(({ _id, light }) => [_id, light])
    expect(Object.fromEntries(lights)).toEqual({ [first._id]: 1, [second?._id ?? '']: 3 })
  })

  testOnSqlite('include a drawn code while active, for owner and admin', async () => {
    const world = await makeWorld()
    await putOnSale(world)
    const guest = await world.as('guest')
    const [ticket] = await bought(guest)
    for (const reader of [guest, await world.as('admin')]) {
      const { body } = await reader.request('GET', `/api/tickets/${ticket._id}`)
      expect(body.ticket).toMatchObject({ qrCode: ticket.qrCode })
      expect((body.ticket as { qrCodeImage: string }).qrCodeImage).toMatch(/^data:image\/svg\+xml/)
    }
    await cancel(world, ticket._id)
    const { body } = await guest.request('GET', `/api/tickets/${ticket._id}`)
    expect(body.ticket).toMatchObject({ status: 'cancelled', qrCode: null, qrCodeImage: null })
  })

  testOnSqlite('of other people are refused, and unknown ones are not found', async () => {
    const world = await makeWorld()
    await putOnSale(world)
    const [ticket] = await bought(await world.as('guest'))
    for (const role of ['manager', 'qrchecker'] as const)
      expect((await (await world.as(role)).request('GET', `/api/tickets/${ticket._id}`)).status).toBe(403)
    const guest = await world.as('guest')
    for (const id of ['01K0000000000000000000000Z', 'x', '%00', "' or 1=1"])
      expect(await guest.request('GET', `/api/tickets/${encodeURIComponent(id)}`)).toMatchObject({
        status: 404,
        body: { code: 'TICKET_NOT_FOUND' },
      })
  })
})

describe('the name on a ticket', () => {
  const name = (guest: Client, id: string, to: unknown) =>
    guest.request('PATCH', `/api/tickets/${id}/name`, { name: to })

  async function scene() {
    const world = await makeWorld()
    await putOnSale(world)
    const guest = await world.as('guest')
    const [ticket] = await bought(guest)
    return { world, guest, ticket, checker: await world.as('qrchecker'), admin: await world.as('admin') }
  }

  testOnSqlite('is what the gate shows, finds and lists; buyer and code stay', async () => {
    const { guest, ticket, checker, admin } = await scene()
    const roster = async (since: number) => (await checker.request('GET', `/api/scanner/roster?since=${since}`)).body
    const { revision } = await roster(0)
    const named = await name(guest, ticket._id, '  Meera \n Joshi ')
    expect(named).toMatchObject({
      status: 200,
      body: { ticket: { holderName: 'Meera Joshi', user: { name: ticket.user.name }, qrCode: ticket.qrCode } },
    })
    expect((await roster(Number(revision))).tickets).toMatchObject([{ id: ticket._id, name: 'Meera Joshi' }])
    expect(await checker.request('POST', '/api/tickets/verify-qr', { qrCode: ticket.qrCode })).toMatchObject({
      body: { ticket: { user: { name: 'Meera Joshi' } } },
    })
    const found = await admin.request('GET', '/api/admin/tickets/management?search=meera')
    expect(found.body.tickets).toMatchObject([{ _id: ticket._id, holderName: 'Meera Joshi' }])
    expect((await admin.request('GET', '/api/admin/audit?action=ticket.named')).body.rows).toMatchObject([
      { subject: ticket._id, detail: `Name on ticket ${ticket.user.name} -> Meera Joshi` },
    ])
  })

  testOnSqlite('can be taken off again, which leaves the buyer', async () => {
    const { guest, ticket, checker } = await scene()
    await name(guest, ticket._id, 'Meera')
    expect(await name(guest, ticket._id, null)).toMatchObject({ body: { ticket: { holderName: null } } })
    expect((await checker.request('GET', '/api/scanner/roster')).body.tickets).toMatchObject([
      { name: ticket.user.name },
    ])
  })

  testOnSqlite('is the owner’s to write: nobody else’s, not even an admin’s', async () => {
    const { world, guest, ticket, admin, checker } = await scene()
    for (const other of [admin, checker, await world.as('guest', person('Radha'))])
      expect(await name(other, ticket._id, 'Mine')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    expect((await name(world.nobody, ticket._id, 'Mine')).status).toBe(401)
    expect(await name(guest, '01K0000000000000000000000Z', 'Mine')).toMatchObject({ status: 404 })
  })

  test.each(['used', 'cancelled'])('stays as it is once the ticket is %s', async (status) => {
    const { guest, ticket, admin } = await scene()
    await admin.request('PATCH', `/api/tickets/admin/${ticket._id}/status`, { status })
    expect(await name(guest, ticket._id, 'Meera')).toMatchObject({
      status: 409,
      body: { code: 'TICKET_NAME_FIXED', message: 'The name can only be changed while the ticket is active.' },
    })
  })

  test.each([['   '], ['x'.repeat(61)], [7], [undefined]])('%j is refused', async (bad) => {
    const { guest, ticket } = await scene()
    expect(await name(guest, ticket._id, bad)).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'name', message: 'The name on a ticket must have 1 to 60 characters' }] },
    })
  })
})

describe('cancelling', () => {
  testOnSqlite('puts the seat back on sale', async () => {
    const world = await makeWorld()
    await putOnSale(world, { totalTickets: 3 })
    const [ticket] = await bought(await world.as('guest'), 3)
    const reply = await cancel(world, ticket._id, '  A wedding  ')
    expect(reply).toMatchObject({
      status: 200,
      body: {
        ticket: {
          status: 'cancelled',
          cancellationReason: 'A wedding',
          cancelledAt: world.clock.now().toISOString(),
          isRefundDone: null,
          qrCode: null,
        },
      },
    })
    expect((await world.nobody.request('GET', '/api/event')).body.data).toMatchObject({ availableTickets: 1 })
  })

  testOnSqlite('is possible ten days before but not nine, counted from midnight in the event’s time zone', async () => {
    const world = await makeWorld()
    await putOnSale(world)
    const [first, second] = await bought(await world.as('guest'), 2)
    world.clock.set('2025-09-12T18:29:59.999Z') // ten days, to the last millisecond, before 22 September in Kolkata
    expect((await cancel(world, first._id)).status).toBe(200)
    world.clock.set('2025-09-12T18:30:00.000Z')
    expect((await cancel(world, second?._id ?? '')).status).toBe(409)
  })

  testOnSqlite('too late reports how many days remain', async () => {
    const world = await makeWorld()
    await putOnSale(world)
    const [ticket] = await bought(await world.as('guest'))
    world.clock.set('2025-09-19T00:00:00Z')
    expect(await cancel(world, ticket._id)).toMatchObject({
      status: 409,
      body: {
        code: 'CANCELLATION_CLOSED',
        daysLeft: 3,
        message:
          'Tickets can only be cancelled at least 10 days before the event. Only 3 days remaining until the event.',
      },
    })
  })

  test('twenty times at once cancels once and frees one seat', async () => {
    const world = await makeWorld()
    await putOnSale(world, { totalTickets: 10 })
    const [ticket] = await bought(await world.as('guest'), 2)
    const replies = await Promise.all(Array.from({ length: 20 }, () => cancel(world, ticket._id)))
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
    expect(replies.filter((reply) => reply.body.code === 'TICKET_NOT_ACTIVE')).toHaveLength(19)
    expect((await world.nobody.request('GET', '/api/event')).body.data).toMatchObject({ availableTickets: 9 })
  })

  testOnSqlite('other people’s tickets is refused, even for an admin', async () => {
    const world = await makeWorld()
    await putOnSale(world)
    const [ticket] = await bought(await world.as('guest', person('Radha')))
    expect((await cancel(world, ticket._id)).status).toBe(403)
    const admin = await world.as('admin')
    expect((await admin.request('PATCH', `/api/tickets/cancel/${ticket._id}`, { reason: 'x' })).status).toBe(403)
  })

  test.each([
    ['   ', 'Reason is required'],
    [undefined, 'Reason is required'],
    [7, 'Reason is required'],
    ['x'.repeat(501), 'Reason must be at most 500 characters'],
  ])('with reason %j is answered with: %s', async (reason, message) => {
    const world = await makeWorld()
    await putOnSale(world)
    const [ticket] = await bought(await world.as('guest'))
    expect(await cancel(world, ticket._id, reason ?? null)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', message, errors: [{ field: 'reason', message }] },
    })
    expect((await cancel(world, ticket._id, 'x'.repeat(500))).status).toBe(200)
  })
})
