import { randomUUID } from 'node:crypto'
import type { EveningRegister } from '@garba/shared/contracts/register'
import { expect, test } from 'vitest'
import { wrongInAccounts } from '../../src/testing/accounts.ts'
import { AFTERWARDS } from '../../src/testing/closing.ts'
import { testOnSqlite } from '../../src/testing/database.ts'
import { must } from '../../src/testing/desk.ts'
import { evening, eveningOf } from '../../src/testing/evening.ts'
import { bought, codeOf, mark } from '../../src/testing/scenes.ts'
import type { Client } from '../../src/testing/world.ts'

const MINUTE = 60_000
const registerOf = async (client: Client, event = '') =>
  (await must(client.request('GET', `/api/admin/gate/register${event && `?event=${event}`}`))).data as EveningRegister
const csvOf = async (client: Client) =>
  (await (await client.fetch('GET', '/api/admin/gate/register/export')).text()).replace('\uFEFF', '').split('\r\n')

test('the register has what happened at each gate in each minute, and who closed the event', async () => {
  const { world, tickets, admin, manager, gateA, gateB } = await evening()
  const [first, second] = tickets.map(codeOf)
  const leave = (qrCode: string | undefined) =>
    gateB.request('POST', '/api/tickets/exit', { qrCode, scanId: randomUUID(), gate: 'Gate 2' })
  await mark(gateA, { qrCode: first, gate: 'Gate 1' })
  await mark(gateA, { qrCode: second, gate: 'Gate 1' })
  await mark(gateA, { qrCode: 'nonsense', gate: 'Gate 1' })
  const offline = { scanId: randomUUID(), qrCode: first, admittedOffline: true, gate: 'Gate 2' }
  await gateB.request('POST', '/api/tickets/mark-used/batch', {
    scans: [
      { ...offline, scannedAt: world.clock.now().toISOString() },
      { scanId: randomUUID(), movement: 'count', group: 'crew', change: 3 },
    ],
  })
  world.clock.forward(MINUTE)
  await mark(gateB, { ticketId: tickets[2]?._id, manual: true, gate: 'Gate 2' })
  await leave(second)
  const none = { in: 0, returned: 0, out: 0, counted: 0, refused: 0, doubles: 0, alarms: 0 }
  const [minute, next] = ['2025-09-22T13:00:00.000Z', '2025-09-22T13:01:00.000Z']
  const register = await registerOf(manager)
  expect(register).toMatchObject({ closed: null, forecasts: [] })
  expect(register.rows).toEqual([
    { ...none, minute, gate: null, counted: 3, inside: 3, insideInAll: 3 },
    { ...none, minute, gate: 'Gate 1', in: 2, refused: 1, inside: 2, insideInAll: 5 },
    { ...none, minute, gate: 'Gate 2', in: 1, doubles: 1, inside: 1, insideInAll: 6 },
    { ...none, minute: next, gate: 'Gate 2', in: 1, out: 1, alarms: 1, inside: 1, insideInAll: 6 },
  ])
  expect((await eveningOf(admin)).inside).toMatchObject({ low: 6, high: 6 })
  expect(register.channels).toEqual([{ channel: 'online', sold: 5, used: 3 }])

  world.clock.set(AFTERWARDS)
  const later = await world.as('admin')
  const [event] = await world.sql('select id from events')
  await must(later.request('POST', `/api/admin/events/${event?.id}/close`, { anyway: true }))
  const closed = await registerOf(later, String(event?.id))
  expect(closed).toMatchObject({ closed: { by: later.user?.name, at: world.clock.now().toISOString() } })
  expect(closed.rows).toEqual(register.rows)
})

testOnSqlite('the register as CSV has a line for each minute and gate, and runs no formula', async () => {
  const { tickets, admin, manager, gateA } = await evening()
  await mark(gateA, { qrCode: codeOf(tickets[0]), gate: '=1+1' })
  const [head, line, end] = await csvOf(admin)
  expect(head).toBe(
    'Minute (Asia/Kolkata),Gate,In,Came back,Out,Counted,Inside by this gate,Inside in all,Refused,Double admissions,Alarm signs',
  )
  expect(line).toBe("2025-09-22 18:30:00,'=1+1,1,0,0,0,1,1,0,0,0")
  expect(end).toBe('')
  expect(await manager.request('GET', '/api/admin/gate/register/export')).toMatchObject({ status: 403 })
})

test('a refused exit is once in the register of its minute and gate, and in its CSV', async () => {
  const { world, tickets, admin, gateA } = await evening()
  const [inside, outside] = tickets.map(codeOf)
  const leave = (qrCode: string | undefined, more = {}) =>
    gateA.request('POST', '/api/tickets/exit', { qrCode, scanId: randomUUID(), gate: 'Gate 1', ...more })
  await mark(gateA, { qrCode: inside, gate: 'Gate 1' })
  await leave(inside)
  world.clock.forward(MINUTE)
  expect(await leave(inside)).toMatchObject({ status: 409, body: { code: 'NOT_INSIDE', ticket: { status: 'used' } } })
  expect(await leave(outside, { gate: 'Gate 2' })).toMatchObject({ status: 409, body: { code: 'NOT_INSIDE' } })
  const forged = `${inside?.slice(0, -1)}${inside?.endsWith('0') ? 1 : 0}`
  const rows = [{ movement: 'exit', scanId: randomUUID(), qrCode: forged, gate: 'Gate 2' }]
  // What is sent again counts once.
  for (const _ of [1, 2]) await gateA.request('POST', '/api/tickets/mark-used/batch', { scans: rows })
  const refused = (await registerOf(admin)).rows.map(({ minute, gate, refused }) => [
    minute.slice(11, 16),
    gate,
    refused,
  ])
  expect(refused).toEqual([
    ['13:00', 'Gate 1', 0],
    ['13:01', 'Gate 1', 1],
    ['13:01', 'Gate 2', 2],
  ])
  expect((await csvOf(admin))[3]).toBe('2025-09-22 18:31:00,Gate 2,0,0,0,0,0,0,2,0,1')
  const { refusals } = await eveningOf(admin)
  expect(refusals.byCode).toEqual([
    { code: 'NOT_INSIDE', count: 2 },
    { code: 'QR_FORGED', count: 1 },
  ])
  expect(await wrongInAccounts(world)).toEqual([])
})

testOnSqlite('an evening that is over shows how far off it was, as it knew the sales and entries by then', async () => {
  const { world, tickets, admin, gateA } = await evening({ quantity: 60 })
  // Two people a minute at first, then one a minute: the forecast was too early, until the queue was half as fast.
  // Ten more tickets are sold meanwhile, of which it could not know before.
  const paces = [...Array.from({ length: 15 }, () => 2), ...Array.from({ length: 40 }, () => 1)]
  const waiting = [...tickets]
  for (const [minute, pace] of paces.entries()) {
    if (minute === 20) waiting.push(...(await bought(await world.as('guest'), 10)))
    for (const ticket of waiting.splice(0, pace)) await mark(gateA, { qrCode: codeOf(ticket) })
    world.clock.forward(MINUTE)
  }
  expect(await registerOf(admin)).toMatchObject({ forecasts: [] })
  world.clock.set(AFTERWARDS)
  const { forecasts } = await registerOf(await world.as('admin'))
  expect(forecasts.map(({ at, off }) => [at.slice(11, 16), off])).toEqual([
    ['13:15', -25],
    ['13:30', 0],
    ['13:45', 0],
  ])
})
