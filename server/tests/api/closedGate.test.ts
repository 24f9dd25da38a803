import { randomUUID } from 'node:crypto'
import type { EveningFigures } from '@garba/shared/contracts/desk'
import type { RosterAnswer } from '@garba/shared/contracts/phones/scan'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { readQr } from '@garba/shared/rules/qr'
import { describe, expect, test } from 'vitest'
import { close, dataOf, LATER_YEAR, managed, nextYear, over, rosterOf } from '../../src/testing/closing.ts'
import { admitAtGate, must } from '../../src/testing/desk.ts'
import { eventsOf } from '../../src/testing/events.ts'
import { bought, codeOf, mark, person, putOnSale } from '../../src/testing/scenes.ts'
import type { Client } from '../../src/testing/world.ts'

describe('at the gate of the next event', () => {
  test('the old event’s codes are for another event, by code and by hand', async () => {
    const { admin, checker, tickets, event } = await nextYear()
    const [old] = tickets
    const qrCode = codeOf(old)
    expect(await checker.request('POST', '/api/tickets/verify-qr', { qrCode })).toMatchObject({
      status: 200,
      body: { success: false, code: 'QR_OTHER_EVENT' },
    })
    expect(await mark(checker, { qrCode })).toMatchObject({ status: 200, body: { code: 'QR_OTHER_EVENT' } })
    expect((await admitAtGate(checker, old)).body).toMatchObject({ success: false, code: 'QR_OTHER_EVENT' })
    expect((await managed(admin, `?event=${event._id}&search=${old._id}`)).tickets).toMatchObject([
      { status: 'active' },
    ])
    const { refusals } = await dataOf<EveningFigures>(admin, '/api/admin/gate')
    expect(refusals.byCode).toEqual([{ code: 'QR_OTHER_EVENT', count: 3 }])
  })

  test('nobody leaves with an old ticket, and people counted before the closing belong to their evening', async () => {
    const { world, event, admin, checker, tickets } = await nextYear()
    const exit = { qrCode: codeOf(tickets[2] as Ticket), scanId: randomUUID() }
    expect((await checker.request('POST', '/api/tickets/exit', exit)).body).toMatchObject({ code: 'QR_OTHER_EVENT' })
    const count = { movement: 'count', group: 'children', change: 4 }
    const scans = [
      { ...count, scanId: randomUUID(), scannedAt: '2025-09-22T16:00:00Z' },
      { ...count, scanId: randomUUID(), change: 1, scannedAt: world.clock.now().toISOString() },
      { ...exit, scanId: randomUUID(), movement: 'exit', scannedAt: '2025-09-22T16:30:00Z' },
    ]
    await must(checker.request('POST', '/api/tickets/mark-used/batch', { scans }))
    const inside = async (query: string) => (await dataOf<EveningFigures>(admin, `/api/admin/gate${query}`)).inside.high
    expect([await inside(''), await inside(`?event=${event._id}`)]).toEqual([1, 4])
  })

  test('also while there is no event at all', async () => {
    const { event, admin, checker, tickets } = await over()
    await must(close(admin, event._id))
    const [old] = tickets
    const named = { code: 'QR_OTHER_EVENT', message: `This ticket is for ${event.name}, which is over.` }
    expect((await mark(checker, { qrCode: codeOf(old) })).body).toMatchObject(named)
    const verified = await checker.request('POST', '/api/tickets/verify-qr', { qrCode: codeOf(old) })
    expect(verified.body).toMatchObject(named)
  })

  test('a phone gets a whole new roster without old tickets, and keys that tell each event’s codes', async () => {
    const { world, event, admin, checker, tickets } = await over()
    const before = await rosterOf(checker)
    await must(close(admin, event._id))
    const between = await rosterOf(checker, `?since=${before.revision}&check=1`)
    expect(between).toMatchObject({ full: true, event: null, tickets: [], count: 0 })
    const next = await putOnSale(world, LATER_YEAR)
    const [fresh] = await bought(await world.as('guest', person('Nisha')))
    const slow = await rosterOf(checker, `?since=${before.revision}&check=1`)
    expect(slow).toMatchObject({ full: true, event: { _id: next._id }, count: 1 })
    expect(slow.tickets.map(({ id }) => id)).toEqual([fresh._id])
    const quick = await rosterOf(checker, `?since=${between.revision}`)
    expect(quick).toMatchObject({ full: false, event: { _id: next._id } })
    expect(quick.tickets.map(({ id }) => id)).toEqual([fresh._id])
    const read = async (ticket: Ticket) =>
      (await readQr({ text: codeOf(ticket), keys: slow.keys, eventId: next._id })).type
    expect([await read(fresh), await read(tickets[0])]).toEqual(['genuine', 'otherEvent'])
  })

  test('a live view passes on the closing and the next event at once', async () => {
    const { world, event, admin, checker } = await over()
    const { revision } = await rosterOf(checker)
    const seen: (string | undefined)[] = []
    for await (const { data } of eventsOf(await checker.fetch('GET', `/api/scanner/live?since=${revision}`))) {
      const { event: current } = data as RosterAnswer
      seen.push(current?.name)
      if (current?.name === LATER_YEAR.name) break
      if (current) await must(close(admin, event._id))
      else await putOnSale(world, LATER_YEAR)
    }
    expect(seen).toEqual(['Garba Rass 2025', undefined, 'Garba Rass 2026'])
  })
})

describe('scans that arrive after the closing', () => {
  const offline = (scan: Record<string, unknown>) => ({
    scanId: randomUUID(),
    scannedAt: '2025-09-22T15:00:00Z',
    deviceId: 'gate-b',
    admittedOffline: true,
    ...scan,
  })
  const replay = async (checker: Client, scans: object[]) =>
    (await must(checker.request('POST', '/api/tickets/mark-used/batch', { scans }))).results

  test('are judged by their ticket’s own event: let in, let in twice, and by hand', async () => {
    const { event, admin, checker, tickets } = await nextYear()
    const [first, second, used] = tickets as [Ticket, Ticket, Ticket]
    const results = await replay(checker, [
      offline({ qrCode: codeOf(first) }),
      offline({ ticketId: second._id, manual: true }),
      offline({ qrCode: codeOf(used) }),
    ])
    expect(results).toMatchObject([
      { outcome: 'admitted', ticket: { _id: first._id, eventName: event.name, entryTime: '2025-09-22T15:00:00.000Z' } },
      { outcome: 'admitted', ticket: { _id: second._id } },
      { outcome: 'conflict', ticket: { _id: used._id } },
    ])
    const closed = await dataOf<EveningFigures>(admin, `/api/admin/gate?event=${event._id}`)
    expect(closed).toMatchObject({ admitted: 3, conflictsTotal: 1 })
    expect(await dataOf<EveningFigures>(admin, '/api/admin/gate')).toMatchObject({ admitted: 0, conflictsTotal: 0 })
    const id = closed.conflicts[0]?.id
    await must(admin.request('POST', `/api/admin/gate/conflicts/${id}/acknowledge`))
  })

  test('keep a genuine code whose ticket nobody knows as a conflict of its own event', async () => {
    const { world, event, admin, checker } = await nextYear()
    const ticketId = '01K3ZZZZZZZZZZZZZZZZZZZZZZ'
    const qrCode = await world.deps.signer.sign({ ticketId, eventId: event._id })
    expect(await replay(checker, [offline({ qrCode })])).toMatchObject([
      { outcome: 'conflict', conflict: { over: 'missing' }, ticket: { eventName: event.name } },
    ])
    const closed = await dataOf<EveningFigures>(admin, `/api/admin/gate?event=${event._id}`)
    expect(closed.conflicts).toMatchObject([{ ticketId, over: 'missing' }])
  })

  test('an attempt that was cut off by the closing counts when the phone reports the person inside', async () => {
    const { checker, tickets } = await nextYear()
    const scan = { scanId: randomUUID(), qrCode: codeOf(tickets[0]), deviceId: 'gate-b' }
    expect((await mark(checker, scan)).body).toMatchObject({ code: 'QR_OTHER_EVENT' })
    expect(await replay(checker, [{ ...scan, admittedOffline: true }])).toMatchObject([{ outcome: 'admitted' }])
  })
})
