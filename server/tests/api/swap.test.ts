import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { wrongInTables } from '../../src/testing/accounts.ts'
import { admitAtGate, must } from '../../src/testing/desk.ts'
import { evening, eveningOf } from '../../src/testing/evening.ts'
import { pairedPhone } from '../../src/testing/phone.ts'
import { bought, codeOf, mark, putOnSale } from '../../src/testing/scenes.ts'
import { type Client, makeWorld } from '../../src/testing/world.ts'

const swap = (client: Client, body: Record<string, unknown>) =>
  client.request('POST', '/api/tickets/mark-used/swap', { scanId: randomUUID(), ...body })

/** Somebody got in with a copied code at Gate A a minute ago. */
async function copied() {
  const { world, tickets, gateA, gateB, manager } = await evening({ quantity: 2 })
  const [ticket, unused = ticket] = tickets
  const first = randomUUID()
  await must(mark(gateA, { qrCode: codeOf(ticket), scanId: first, deviceId: 'a', deviceName: 'Gate A' }))
  world.clock.forward(60_000)
  return { world, ticket, unused, first, gateA, gateB, manager, admin: await world.as('admin') }
}

test('the holder goes in, the first admission is disputed, and one ticket still counts once', async () => {
  const { world, ticket, first, admin, manager } = await copied()
  const scanId = randomUUID()
  const body = { qrCode: codeOf(ticket), scanId, deviceId: 'b', deviceName: 'Gate B' }
  const swapped = await swap(admin, body)
  expect(swapped).toMatchObject({
    status: 200,
    body: { outcome: 'admitted', ticket: { status: 'used', scannedAtDevice: 'Gate B' } },
  })
  expect(await swap(admin, body)).toEqual({ ...swapped, headers: expect.anything() })
  const shown = await eveningOf(manager)
  expect(shown).toMatchObject({ admitted: 1, conflictsTotal: 1 })
  expect(shown.conflicts).toMatchObject([
    {
      id: scanId,
      disputed: true,
      first: { scanId: first, deviceName: 'Gate A' },
      second: { scanId, deviceName: 'Gate B', at: world.clock.now().toISOString() },
      acknowledgedBy: null,
    },
  ])
  expect(await must(admin.request('GET', '/api/admin/audit?action=ticket.swapped'))).toMatchObject({
    rows: [
      {
        actorName: 'Asha Admin',
        detail: expect.stringMatching(/^.*Gate B.*; disputed: .*Gate A/),
      },
    ],
  })
})

test('the phone of the first admission learns of it, and neither admission can be undone', async () => {
  const { ticket, first, gateA, admin } = await copied()
  const scanId = randomUUID()
  await must(swap(admin, { qrCode: codeOf(ticket), scanId }))
  const roster = await must(gateA.request('GET', '/api/scanner/roster?deviceId=a'))
  expect(roster.conflicts).toMatchObject([{ id: scanId, disputed: true }])
  const undo = (client: Client, id: string) => client.request('POST', '/api/tickets/mark-used/undo', { scanId: id })
  expect(await undo(gateA, first)).toMatchObject({ status: 409 })
  expect(await undo(admin, scanId)).toMatchObject({ status: 409, body: { code: 'UNDO_NOT_POSSIBLE' } })
  await must(admin.request('PATCH', `/api/tickets/admin/${ticket._id}/status`, { status: 'active' }))
  expect(await undo(admin, scanId)).toMatchObject({ status: 409, body: { code: 'UNDO_NOT_POSSIBLE' } })
})

test('only a used ticket can be swapped', async () => {
  const { unused, ticket, admin } = await copied()
  expect(await swap(admin, { qrCode: codeOf(unused) })).toMatchObject({
    status: 409,
    body: { code: 'SWAP_NOT_POSSIBLE' },
  })
  expect(await swap(admin, { qrCode: 'GR1:nothing' })).toMatchObject({ status: 400, body: { code: 'QR_MALFORMED' } })
  const forged = codeOf(ticket).slice(0, -1) + (codeOf(ticket).endsWith('0') ? '1' : '0')
  expect(await swap(admin, { qrCode: forged })).toMatchObject({ body: { success: false } })
  await must(admin.request('PATCH', `/api/tickets/admin/${unused._id}/status`, { status: 'cancelled' }))
  expect(await swap(admin, { ticketId: unused._id, manual: true })).toMatchObject({
    status: 409,
    body: { code: 'TICKET_CANCELLED' },
  })
})

test('a phone swaps with the right to supervise, and nobody else may', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  const [ticket] = await bought(await world.as('guest'), 1)
  if (!ticket) throw new Error('One was bought')
  await must(admitAtGate(await world.as('qrchecker'), ticket))
  const body = { qrCode: codeOf(ticket) }
  for (const role of ['guest', 'manager', 'qrchecker'] as const)
    expect(await swap(await world.as(role), body)).toMatchObject({ status: 403 })
  const checking = await pairedPhone(world, { rights: ['scan', 'find', 'undo', 'sell', 'complimentary'] })
  expect(await swap(await checking.client(), body)).toMatchObject({ status: 403 })
  const supervising = await pairedPhone(world, { rights: ['supervise'] })
  expect(await swap(await supervising.client(), { ...body, checkerName: 'Ravi' })).toMatchObject({
    status: 200,
    body: { outcome: 'admitted', ticket: { scannedBy: { name: 'Ravi' } } },
  })
})

test('a phone swaps a ticket once; a second time takes an admin, and Evening raises an alarm', async () => {
  const { world, ticket, admin, manager } = await copied()
  const [one, other] = [
    await (await pairedPhone(world, { rights: ['supervise'] })).client(),
    await (await pairedPhone(world, { rights: ['supervise'] })).client(),
  ]
  const body = { qrCode: codeOf(ticket), checkerName: 'Ravi' }
  await must(swap(one, body))
  expect((await eveningOf(manager)).alarms).toEqual([])
  const again = { status: 409, body: { code: 'SWAP_AGAIN' } }
  expect(await swap(one, body)).toMatchObject(again)
  expect(await swap(other, body)).toMatchObject(again)
  expect((await eveningOf(manager)).alarms).toMatchObject([{ kind: 'swaps', count: 3, checkerName: 'Ravi' }])
  expect(await swap(admin, { qrCode: codeOf(ticket) })).toMatchObject({ status: 200 })
  expect((await eveningOf(manager)).alarms).toMatchObject([{ kind: 'swaps', count: 4 }])
  world.clock.forward(3_600_001)
  expect((await eveningOf(await world.as('manager'))).alarms).toEqual([])
})

test('an admin who swaps after a phone, in the same millisecond, leaves no finding', async () => {
  const { world, ticket, admin } = await copied()
  const phone = await (await pairedPhone(world, { rights: ['supervise'] })).client()
  // The phone's scan comes second by its id.
  const [first = '', last = ''] = [randomUUID(), randomUUID()].toSorted()
  await must(swap(phone, { qrCode: codeOf(ticket), scanId: last }))
  await must(swap(admin, { qrCode: codeOf(ticket), scanId: first }))
  expect(await wrongInTables(world)).toEqual([])
})

test('a swap stays open until somebody else has seen it, whatever name the phone goes by', async () => {
  const { world, ticket, admin } = await copied()
  const phone = await pairedPhone(world, { rights: ['supervise', 'undo', 'scan'] })
  const client = await phone.client()
  const id = randomUUID()
  await must(swap(client, { qrCode: codeOf(ticket), scanId: id, checkerName: 'Ravi' }))
  const seen = (who: Client) => who.request('POST', `/api/admin/gate/conflicts/${id}/acknowledge`)
  await must(client.request('PUT', '/api/devices/shift', { name: 'Hetal' }))
  expect(await seen(client)).toMatchObject({ status: 403, body: { code: 'CONFLICT_OWN' } })
  const scan = { scanId: id, qrCode: codeOf(ticket), scannedAt: world.clock.now().toISOString() }
  const undone = { ...scan, undoneAt: scan.scannedAt }
  const { results } = await must(client.request('POST', '/api/tickets/mark-used/batch', { scans: [undone] }))
  expect(results).toMatchObject([{ status: 409, code: 'UNDO_NOT_POSSIBLE' }])
  expect(await world.sql('select acknowledged_at from conflicts')).toEqual([{ acknowledged_at: null }])
  expect(await seen(admin)).toMatchObject({ status: 200, body: { conflict: { acknowledgedBy: 'Asha Admin' } } })
  expect(await seen(client)).toMatchObject({ status: 403 })
})
