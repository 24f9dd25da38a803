import type { Analytics, AuditRow, EveningFigures } from '@garba/shared/contracts/desk'
import type { ClosedEvent } from '@garba/shared/contracts/event'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { describe, expect, test } from 'vitest'
import { AFTERWARDS, close, dataOf, LATER_YEAR, managed, nextYear, over, sameGuest } from '../../src/testing/closing.ts'
import { buyer, must } from '../../src/testing/desk.ts'
import { countDrawer, openDrawer } from '../../src/testing/door.ts'
import { payingWorld } from '../../src/testing/money.ts'
import { bought, buy, codeOf, eventForm, mark, person, putOnSale } from '../../src/testing/scenes.ts'
import { makeWorld } from '../../src/testing/world.ts'

const REFUSED = { status: 409, body: { success: false, code: 'EVENT_CLOSED' } }

describe('closing', () => {
  test('waits for the end of the event, and nothing changes before', async () => {
    const { world, event } = await over()
    world.clock.set('2025-09-22T16:59:59Z')
    const admin = await world.as('admin')
    expect(await close(admin, event._id)).toMatchObject({ status: 409, body: { code: 'EVENT_NOT_OVER' } })
    expect((await world.nobody.request('GET', '/api/event')).body.data).toMatchObject({ _id: event._id })
    world.clock.set(AFTERWARDS)
    expect((await close(admin, event._id)).body.data).toMatchObject({
      _id: event._id,
      closedAt: '2025-09-22T17:00:00.000Z',
    })
  })

  test('leaves no current event; the closed one is listed, and a new one can be created and closed in turn', async () => {
    const { world, event, admin } = await over()
    await must(close(admin, event._id))
    expect((await world.nobody.request('GET', '/api/event')).body.data).toBeNull()
    expect((await world.nobody.request('GET', '/api/event/exists')).body.exists).toBe(false)
    expect(await admin.request('PUT', '/api/event', eventForm(LATER_YEAR))).toMatchObject({ status: 404 })
    expect(await buy(await world.as('guest', person('Nisha')), 1)).toMatchObject({
      body: { code: 'EVENT_NOT_FOUND' },
    })
    const next = await putOnSale(world, LATER_YEAR)
    expect(next).toMatchObject({ availableTickets: 500 })
    expect(await admin.request('POST', '/api/event', eventForm())).toMatchObject({ body: { code: 'EVENT_EXISTS' } })
    world.clock.set('2026-09-22T17:00:00Z')
    await must(close(await world.as('admin'), next._id))
    const { events } = await must((await world.as('manager')).request('GET', '/api/admin/events'))
    expect((events as ClosedEvent[]).map(({ name }) => name)).toEqual(['Garba Rass 2026', 'Garba Rass 2025'])
  })

  test('leaves a form for it that is still open without effect on the next event', async () => {
    const { event, next, admin, world } = await nextYear()
    const stale = { ...event, name: 'Garba Rass, one more night', date: next.date }
    expect(await admin.request('PUT', '/api/event', stale)).toMatchObject({
      status: 409,
      body: { code: 'EVENT_CLOSED', message: 'This event was closed, so nothing was changed. Reload the page.' },
    })
    expect((await world.nobody.request('GET', '/api/event')).body.data).toMatchObject({ name: 'Garba Rass 2026' })
    await must(admin.request('PUT', '/api/event', { ...next, name: 'Garba Rass, the second' }))
    // Earlier pages name no event.
    await must(admin.request('PUT', '/api/event', eventForm(LATER_YEAR)))
  })

  test('a second time answers the same, and is audited once; an unknown event is not found', async () => {
    const { world, event, admin } = await over()
    const first = await must(close(admin, event._id))
    world.clock.forward(60_000)
    expect(await must(close(admin, event._id))).toEqual(first)
    const trail = await must(admin.request('GET', '/api/admin/audit?action=event.closed'))
    expect(trail.rows).toMatchObject([
      {
        actorName: 'Asha Admin',
        subject: event._id,
        subjectName: event.name,
        detail: '3 of 500 tickets sold',
      },
    ])
    expect(await close(admin, '01K0000000000000000000000Z')).toMatchObject({ status: 404 })
  })

  test('keeps the picture of the closed event when the next one gets another', async () => {
    const world = await makeWorld()
    const gif = (end: string) => `data:image/gif;base64,${Buffer.from(`GIF89a${end}`).toString('base64')}`
    const event = await putOnSale(world, { eventImage: gif('one') })
    world.clock.set(AFTERWARDS)
    const admin = await world.as('admin')
    await must(close(admin, event._id))
    const next = await putOnSale(world, { ...LATER_YEAR, eventImage: gif('two') })
    await must(admin.request('PUT', '/api/event', eventForm({ ...LATER_YEAR, eventImage: gif('three') })))
    const status = async (address: string | null) => (await world.nobody.fetch('GET', address ?? '')).status
    expect([await status(event.eventImage), await status(next.eventImage)]).toEqual([200, 404])
  })
})

describe('closing with something open', () => {
  const OPEN = [
    { kind: 'drawers', count: 1 },
    { kind: 'refundsByHand', count: 1 },
    { kind: 'phonesUnsent', count: 1 },
    { kind: 'matters', count: 1 },
    { kind: 'unmatchedCredits', count: 1 },
    { kind: 'unproven', count: 1 },
  ]

  async function withMatters() {
    const world = await payingWorld()
    const admin = await world.as('admin')
    const sell = (method: string) =>
      must(
        admin.request(
          'POST',
          '/api/admin/orders',
          { quantity: 1, name: 'Meera', method },
          { 'Idempotency-Key': crypto.randomUUID() },
        ),
      )
    await openDrawer(admin)
    const { order } = (await sell('cash')) as { order: { code: string } }
    await sell('card')
    await must(
      admin.request(
        'POST',
        `/api/admin/orders/${order.code}/refund`,
        { all: true, reason: 'Fell ill' },
        { 'Idempotency-Key': crypto.randomUUID() },
      ),
    )
    const csv = 'Date,Narration,Credit\n08/08/2025,UPI/412345678904/RENT,1000.00'
    await must(admin.request('POST', '/api/admin/statements', { csv, mapping: { date: 0, description: 1, amount: 2 } }))
    await must((await world.as('qrchecker')).request('GET', '/api/scanner/roster?deviceId=gate-a&unsent=2'))
    await world.sql(`insert into attention (id, kind, dedupe_key, amount_paise, detail, created_at)
      values ('01K0000000000000000000000M', 'unknown', 'unknown:1', 100, 'pay_1', 1)`)
    world.clock.set(AFTERWARDS)
    const again = await world.as('admin')
    const { data } = await must(again.request('GET', '/api/event'))
    return { world, admin: again, id: (data as { _id: string })._id }
  }

  test('counts credits without an order however many came since', async () => {
    const { world, admin, id } = await withMatters()
    for (let at = 0; at < 500; at += 1)
      await world.sql(
        `insert into statement_lines (id, day, amount_paise, numbers, description, imported_at, imported_by_name, aside_note)
         values (?, '2025-09-01', 100, '', 'Rent', 1, 'Asha Admin', 'Rent')`,
        `line-${at}`,
      )
    const { matters } = await must(admin.request('GET', `/api/admin/events/${id}/open-matters`))
    expect(matters).toEqual(OPEN)
  })

  test('names the money of tickets that the desk has cancelled, until it was paid back', async () => {
    const world = await payingWorld()
    const before = await world.as('admin')
    const sold = async (method: string) => {
      const body = { quantity: 1, name: 'Meera', method, reason: 'Crew' }
      const headers = { 'Idempotency-Key': crypto.randomUUID() }
      const { tickets } = await must(before.request('POST', '/api/admin/orders', body, headers))
      return (tickets as Ticket[])[0]?._id
    }
    const drawer = await openDrawer(before)
    const [paid, given, again] = [await sold('cash'), await sold('complimentary'), await sold('cash')]
    const move = (id: string | undefined, status: string) =>
      must(before.request('PATCH', `/api/tickets/admin/${id}/status`, { status }))
    for (const id of [paid, given, again]) await move(id, 'cancelled')
    // Nothing is due for a ticket that is valid again after its refund failed.
    await must(before.request('PATCH', `/api/admin/tickets/${again}/refund`, { isRefundDone: false }))
    await move(again, 'active')
    await must(countDrawer(before, drawer, 598))
    world.clock.set(AFTERWARDS)
    const admin = await world.as('admin')
    const [event] = await world.sql('select id from events')
    const id = String(event?.id)
    expect(await close(admin, id)).toMatchObject({ body: { matters: [{ kind: 'refundsByHand', count: 1 }] } })
    await must(admin.request('PATCH', `/api/admin/tickets/${paid}/refund`, { isRefundDone: true }))
    await must(close(admin, id))
  })

  test('is refused with what is open, and nothing changes; closed anyway, the audit trail keeps the list', async () => {
    const { world, admin, id } = await withMatters()
    expect(await close(admin, id)).toMatchObject({
      status: 409,
      body: { code: 'EVENT_HAS_OPEN_MATTERS', matters: OPEN },
    })
    expect((await must(admin.request('GET', `/api/admin/events/${id}/open-matters`))).matters).toEqual(OPEN)
    expect(await world.sql('select closed_at from events')).toEqual([{ closed_at: null }])
    await must(admin.request('POST', `/api/admin/events/${id}/close`, { anyway: true }))
    const { rows } = await must(admin.request('GET', '/api/admin/audit?action=event.closed'))
    expect((rows as AuditRow[])[0]?.detail).toContain(
      '1 cash drawer is not counted, 1 refund is still to be paid by hand',
    )
  })

  test('covers no more than the admin has seen; what came since is refused with the new list', async () => {
    const { world, admin, id } = await withMatters()
    const closing = (matters: unknown) =>
      admin.request('POST', `/api/admin/events/${id}/close`, { anyway: true, matters })
    for (const seen of [[], OPEN.slice(1), OPEN.map((matter) => ({ ...matter, kind: 'matters' })).slice(0, 1)])
      expect(await closing(seen)).toMatchObject({
        status: 409,
        body: { code: 'EVENT_HAS_OPEN_MATTERS', matters: OPEN },
      })
    await world.sql(`insert into attention (id, kind, dedupe_key, amount_paise, detail, created_at)
      values ('01K0000000000000000000000N', 'unknown', 'unknown:2', 100, 'pay_2', 1)`)
    const now = OPEN.map((matter) => (matter.kind === 'matters' ? { ...matter, count: 2 } : matter))
    expect(await closing(OPEN)).toMatchObject({ status: 409, body: { matters: now } })
    expect(await world.sql('select closed_at from events')).toEqual([{ closed_at: null }])
    // One that was settled since is no reason to ask again.
    await world.sql("delete from attention where id = '01K0000000000000000000000N'")
    await must(closing(now))
  })

  test('is not needed once all of it is settled', async () => {
    const { world, admin, id } = await withMatters()
    const { own } = await must(admin.request('GET', '/api/admin/cash-sessions'))
    await must(countDrawer(admin, (own as { id: string }).id, 0))
    const tickets = await world.sql("select id from tickets where status = 'cancelled'")
    await must(admin.request('PATCH', `/api/admin/tickets/${tickets[0]?.id}/refund`, { isRefundDone: true }))
    await must((await world.as('qrchecker')).request('GET', '/api/scanner/roster?deviceId=gate-a&unsent=0'))
    const { attention } = await must(admin.request('GET', '/api/admin/attention'))
    for (const matter of attention as { id: string }[])
      await must(admin.request('POST', `/api/admin/attention/${matter.id}/resolve`, { resolution: 'Found' }))
    const { lines } = await must(admin.request('GET', '/api/admin/statements'))
    for (const line of lines as { id: string }[])
      await must(admin.request('PATCH', `/api/admin/statements/${line.id}`, { aside: 'Rent' }))
    await must(close(admin, id))
  })
})

describe('with a closed event, lists and figures', () => {
  test('show the current event, and the closed one when asked', async () => {
    const { event, next, admin, fresh, tickets } = await nextYear()
    expect((await managed(admin)).tickets.map(({ _id }) => _id).sort()).toEqual(fresh.map(({ _id }) => _id).sort())
    const closed = await managed(admin, `?event=${event._id}`)
    expect(closed.pagination.totalTickets).toBe(4)
    expect(closed.tickets.map(({ _id }) => _id).sort()).toEqual(tickets.map(({ _id }) => _id).sort())
    expect(closed.tickets.every((ticket) => ticket.isPast && ticket.qrCode === null)).toBe(true)
    expect(closed.tickets[0]).toMatchObject({ eventName: 'Garba Rass 2025' })
    expect((await managed(admin, `?event=${next._id}`)).pagination.totalTickets).toBe(2)
    const csv = await admin.fetch('GET', `/api/admin/tickets/export?format=csv&event=${event._id}&status=active`)
    expect((await csv.text()).trim().split('\r\n')).toHaveLength(3)
    const stats = (query = '') => must(admin.request('GET', `/api/tickets/admin/stats${query}`))
    expect(await stats()).toMatchObject({ total: 2, revenue: 598 })
    expect(await stats(`?event=${event._id}`)).toMatchObject({ total: 3, revenue: 747 })
    expect(await admin.request('GET', '/api/admin/tickets/management?event=01K0000000000000000000000Z')).toMatchObject({
      status: 404,
      body: { code: 'EVENT_NOT_FOUND' },
    })
  })

  test('are empty before the first event', async () => {
    const admin = await (await makeWorld()).as('admin')
    expect(await managed(admin)).toMatchObject({ tickets: [], pagination: { totalTickets: 0 } })
    expect(await dataOf<Analytics>(admin, '/api/admin/analytics/dashboard')).toMatchObject({
      event: null,
      revenue: { total: 0 },
      salesChart: [],
    })
    expect(await dataOf<EveningFigures>(admin, '/api/admin/gate')).toMatchObject({
      admitted: 0,
      sold: 0,
      conflictsTotal: 0,
    })
  })

  test('count sales, the evening and the audit trail by event', async () => {
    const { event, admin, checker, fresh } = await nextYear()
    const figures = (query = '') => dataOf<Analytics>(admin, `/api/admin/analytics/dashboard${query}`)
    expect(await figures()).toMatchObject({ tickets: { total: 2 }, event: { name: 'Garba Rass 2026', soldTickets: 2 } })
    const before = await figures(`?event=${event._id}`)
    expect(before).toMatchObject({ tickets: { total: 3, soldToday: 0 }, event: { soldTickets: 3 } })
    expect([before.salesChart[0]?._id, before.salesChart.at(-1)?._id]).toEqual(['2025-08-08', '2025-09-22'])
    await must(mark(checker, { qrCode: codeOf(fresh[0]), deviceId: 'gate-a' }))
    const evening = (query = '') => dataOf<EveningFigures>(admin, `/api/admin/gate${query}`)
    expect(await evening()).toMatchObject({ admitted: 1, sold: 2, devices: [] })
    expect(await evening(`?event=${event._id}`)).toMatchObject({ admitted: 1, sold: 3 })
    const trail = await must(admin.request('GET', `/api/admin/audit?event=${event._id}`))
    expect((trail.rows as AuditRow[]).map(({ action }) => action)).toEqual([
      'event.closed',
      'ticket.admitted',
      'ticket.cancelled',
      'ticket.sold',
      'event.created',
    ])
    const whole = (await must(admin.request('GET', '/api/admin/audit'))).rows as AuditRow[]
    expect(whole.map(({ action }) => action)).toEqual(expect.arrayContaining(['event.closed', 'ticket.admitted']))
    const csv = await (await admin.fetch('GET', `/api/admin/audit/export?event=${event._id}`)).text()
    expect(csv.trim().split('\r\n')).toHaveLength(6)
  })
})

describe('in a closed event', () => {
  test('no ticket can be cancelled, named, moved or deleted, alone or with others', async () => {
    const { guest, admin, tickets, fresh } = await nextYear()
    const [ticket] = tickets
    const id = ticket._id
    expect(await guest.request('PATCH', `/api/tickets/cancel/${id}`, { reason: 'Late' })).toMatchObject(REFUSED)
    expect(await guest.request('PATCH', `/api/tickets/${id}/name`, { name: 'Meera' })).toMatchObject(REFUSED)
    expect(await admin.request('PATCH', `/api/tickets/admin/${id}/status`, { status: 'used' })).toMatchObject(REFUSED)
    expect(await admin.request('DELETE', `/api/admin/tickets/${id}`)).toMatchObject(REFUSED)
    const ticketIds = [fresh[0]._id, id]
    expect(
      await admin.request('PATCH', '/api/admin/tickets/bulk-update', { ticketIds, status: 'cancelled' }),
    ).toMatchObject(REFUSED)
    expect((await managed(admin)).tickets.map(({ status }) => status)).toEqual(['active', 'active'])
  })

  test('a new name of the buyer is on the tickets of the current event only', async () => {
    const { event, admin, guest, tickets } = await nextYear()
    const [fresh] = await bought(guest)
    await must(guest.request('PUT', '/api/auth/profile', { displayName: 'Garima Shah' }))
    const nameOf = async (query: string) => (await managed(admin, query)).tickets[0]?.user.name
    expect(await nameOf(`?event=${event._id}&search=${tickets[0]._id}`)).toBe('Garima Guest')
    expect(await nameOf(`?search=${fresh._id}`)).toBe('Garima Shah')
  })

  test('refunds are still recorded, one and many', async () => {
    const { event, admin, tickets } = await nextYear()
    const id = tickets[3]?._id
    const one = await must(admin.request('PATCH', `/api/admin/tickets/${id}/refund`, { isRefundDone: false }))
    expect(one.ticket).toMatchObject({ isRefundDone: false, isPast: true, eventName: event.name })
    const due = await must(admin.request('GET', `/api/admin/tickets/management?event=${event._id}&refund=due`))
    expect(due).toMatchObject({ refundTotal: 209, pagination: { totalTickets: 1 } })
    await must(admin.request('PATCH', '/api/admin/tickets/bulk-refund', { ticketIds: [id], isRefundDone: true }))
    expect((await managed(admin, `?event=${event._id}&refund=due`)).tickets).toEqual([])
  })

  test('no order is refunded with its tickets, whole or in part', async () => {
    const world = await payingWorld()
    const before = await world.as('admin')
    const drawer = await openDrawer(before)
    const key = () => ({ 'Idempotency-Key': crypto.randomUUID() })
    const sale = { quantity: 2, name: 'Meera', method: 'cash' }
    const { order, tickets } = await must(before.request('POST', '/api/admin/orders', sale, key()))
    await must(countDrawer(before, drawer, 598))
    world.clock.set(AFTERWARDS)
    const admin = await world.as('admin')
    const [event] = await world.sql('select id from events')
    await must(close(admin, String(event?.id)))
    const { code } = order as { code: string }
    for (const which of [{ all: true }, { ticketIds: [(tickets as Ticket[])[0]?._id] }]) {
      const body = { ...which, reason: 'Rain', includeUsed: true }
      expect(await admin.request('POST', `/api/admin/orders/${code}/refund`, body, key())).toMatchObject(REFUSED)
    }
    expect(await world.sql("select id from tickets where status = 'cancelled'")).toEqual([])
    expect(await world.sql('select id from refunds')).toEqual([])
  })

  test('the owner keeps the tickets as past ones, without codes, and may buy up to the limit again', async () => {
    const world = await makeWorld({ settings: { MAX_PER_PERSON: '2' } })
    const event = await putOnSale(world, { totalTickets: 2 })
    const { tickets } = await buyer(world, { quantity: 2 })
    world.clock.set(AFTERWARDS)
    await must(close(await world.as('admin'), event._id))
    await putOnSale(world, { ...LATER_YEAR, totalTickets: 3 })
    const guest = await sameGuest(world)
    const [fresh] = await bought(guest, 2)
    expect(await buy(guest, 1)).toMatchObject({ body: { code: 'LIMIT_REACHED' } })
    const mine = (await must(guest.request('GET', '/api/tickets/my-tickets'))).tickets as Ticket[]
    expect(mine.map(({ eventName, isPast, qrCode }) => [eventName, isPast, qrCode !== null])).toEqual([
      ['Garba Rass 2026', false, true],
      ['Garba Rass 2026', false, true],
      ['Garba Rass 2025', true, false],
      ['Garba Rass 2025', true, false],
    ])
    const one = await must(guest.request('GET', `/api/tickets/${tickets[0]._id}`))
    expect(one.ticket).toMatchObject({ status: 'active', isPast: true, qrCode: null, qrCodeImage: null })
    expect(fresh).toMatchObject({ isPast: false })
  })

  test('a guest whose only active tickets are past can be erased', async () => {
    const { admin, guest } = await nextYear()
    expect(await admin.request('POST', `/api/admin/users/${guest.user?.id}/erase`)).toMatchObject({ status: 200 })
  })
})

test('after closing, the desk stays on the closed event until a new one exists, and a friend reads that it is over', async () => {
  const { world, event, admin, tickets } = await over()
  world.clock.set('2025-09-22T14:00:00Z')
  const guest = await sameGuest(world)
  const made = await must(
    guest.request('POST', '/api/tickets/links', { ticketIds: [tickets[0]?._id], purpose: 'share' }),
  )
  world.clock.set(AFTERWARDS)
  await must(close(admin, event._id))
  expect((await managed(admin)).pagination.totalTickets).toBe(4)
  expect(await must(admin.request('GET', '/api/tickets/admin/stats'))).toMatchObject({ total: 3 })
  expect(await dataOf(admin, '/api/admin/analytics/dashboard')).toMatchObject({ tickets: { total: 3 } })
  expect(await dataOf(admin, '/api/admin/gate')).toMatchObject({ people: 1, sold: 3 })
  const { text } = await admin.fetch('GET', '/api/admin/tickets/export?format=csv').then(async (file) => ({
    text: await file.text(),
  }))
  expect(text.trim().split('\r\n')).toHaveLength(5)
  const token = (made.link as { url: string }).url.split('#')[1]
  expect(await world.nobody.request('POST', '/api/wallet/open', { token, deviceId: 'friend' })).toMatchObject({
    status: 410,
    body: { code: 'LINK_ENDED', over: event.name },
  })
  await putOnSale(world, LATER_YEAR)
  expect((await managed(admin)).pagination.totalTickets).toBe(0)
})

test('a double admission that nobody has looked at is on the list before closing', async () => {
  const { event, admin, checker, tickets } = await over()
  const again = { qrCode: tickets[2]?.qrCode, scanId: crypto.randomUUID(), admittedOffline: true }
  expect((await mark(checker, again)).body).toMatchObject({ outcome: 'conflict' })
  expect(await close(admin, event._id)).toMatchObject({
    status: 409,
    body: { matters: [{ kind: 'doubleAdmissions', count: 1 }] },
  })
  await must(admin.request('POST', `/api/admin/gate/conflicts/${encodeURIComponent(again.scanId)}/acknowledge`))
  await must(close(admin, event._id))
})
