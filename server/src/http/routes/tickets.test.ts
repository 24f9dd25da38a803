import { describe, expect, test } from 'vitest'
import { bought, person, putOnSale } from '../../testing/scenes.ts'
import { makeWorld, type World } from '../../testing/world.ts'

const cancel = async (world: World, id: string, reason: unknown = 'Cannot come', who = 'guest' as const) =>
  (await world.as(who)).request('PATCH', `/api/tickets/cancel/${id}`, { reason })

describe('own tickets', () => {
  test('are listed newest first, without anyone else’s', async () => {
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

  test('are listed quickly even when there are two thousand', async () => {
    const world = await makeWorld({ settings: { MAX_PER_ORDER: '1000' } })
    await putOnSale(world, { totalTickets: 2000 })
    const guest = await world.as('guest')
    await bought(guest, 1000)
    await bought(guest, 1000)
    const asked = performance.now()
    const { body } = await guest.request('GET', '/api/tickets/my-tickets')
    expect(body.tickets).toHaveLength(2000)
    expect(performance.now() - asked).toBeLessThan(2000)
  }, 30_000)

  test('include a drawn code while active, for owner and admin', async () => {
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

  test('of other people are refused, and unknown ones are not found', async () => {
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

describe('cancelling', () => {
  test('puts the seat back on sale', async () => {
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

  test('is possible ten days before but not nine, counted from midnight in the event’s time zone', async () => {
    const world = await makeWorld()
    await putOnSale(world)
    const [first, second] = await bought(await world.as('guest'), 2)
    world.clock.set('2025-09-12T18:29:59.999Z') // ten days, to the last millisecond, before 22 September in Kolkata
    expect((await cancel(world, first._id)).status).toBe(200)
    world.clock.set('2025-09-12T18:30:00.000Z')
    expect((await cancel(world, second?._id ?? '')).status).toBe(409)
  })

  test('too late reports how many days remain', async () => {
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

  test('other people’s tickets is refused, even for an admin', async () => {
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
