import { randomUUID } from 'node:crypto'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { ulidOf } from '@garba/shared/testing/ids'
import { expect, test } from 'vitest'
import { readBooks } from '../../src/flows/money/books.ts'
import { must } from '../../src/testing/desk.ts'
import { pairedPhone } from '../../src/testing/phone.ts'
import { backedUp, restored } from '../../src/testing/restored.ts'
import { bought, codeOf, mark, person, putOnSale } from '../../src/testing/scenes.ts'
import { type Client, makeWorld } from '../../src/testing/world.ts'

const SECOND = 1_000

/** A minute of the evening that has just begun. */
async function gates() {
  const world = await makeWorld()
  await putOnSale(world)
  const [ticket] = await bought(await world.as('guest'))
  world.clock.forward(3 * 3_600 * SECOND)
  const begin = world.clock.now().getTime()
  const [one, other] = [await world.as('qrchecker'), await world.as('qrchecker', person('Bina'))]
  return { world, ticket, one, other, after: (s: number) => world.clock.forward(s * SECOND), ...scansFrom(begin) }
}

/** Scans made `s` seconds after an evening's beginning. */
const scansFrom = (begin: number) => ({
  scanOf: (ticket: Ticket, s: number, deviceId = 'gate-a') => ({
    scanId: randomUUID(),
    qrCode: codeOf(ticket),
    deviceId,
    scannedAt: new Date(begin + s * SECOND).toISOString(),
    admittedOffline: true,
  }),
  undone: <S extends { scannedAt: string }>(scan: S, s = 30) => ({
    ...scan,
    undoneAt: new Date(Date.parse(scan.scannedAt) + s * SECOND).toISOString(),
  }),
})

const send = async (client: Client, scans: object[]) =>
  (await must(client.request('POST', '/api/tickets/mark-used/batch', { scans }))).results as Record<string, unknown>[]
const STATE = 'select status, entry_time is null as free, scanned_by_name as by from tickets'

test('an admission undone within 60 s leaves the ticket active, and repeating the undo later changes nothing', async () => {
  const { world, ticket, one, after, scanOf, undone } = await gates()
  const scan = scanOf(ticket, 0)
  await send(one, [scan])
  after(60)
  expect(await send(one, [undone(scan)])).toMatchObject([{ success: true, ticket: { status: 'active' } }])
  after(3_000)
  expect(await send(one, [undone(scan)])).toMatchObject([{ success: true, ticket: { status: 'active' } }])
  expect(await world.sql('select outcome, undone_at is null as standing from scans')).toMatchObject([
    { outcome: 'admitted' },
  ])
  expect(await world.sql(STATE)).toMatchObject([{ status: 'active', by: null }])
  expect(await world.sql("select 1 from audit where action = 'ticket.admissionUndone'")).toHaveLength(1)
})

test('the server counts the 60 s, whatever times the device claims', async () => {
  const { world, ticket, one, after, scanOf, undone } = await gates()
  const scan = scanOf(ticket, 0)
  await send(one, [scan])
  after(61)
  const later = { ...scan, scannedAt: world.clock.now().toISOString() }
  expect(await send(one, [undone(scan), undone(later, 0)])).toMatchObject([
    { status: 409, code: 'UNDO_EXPIRED' },
    { status: 409, code: 'UNDO_EXPIRED' },
  ])
  expect(await world.sql('select status from tickets')).toEqual([{ status: 'used' }])
})

test('an undo whose times show that the clock was set back in between is no undo: nobody knows how long ago it was', async () => {
  const { world, ticket, one, after, scanOf, undone } = await gates()
  const scan = scanOf(ticket, 0)
  after(3_000)
  expect(await send(one, [undone(scan, -61)])).toMatchObject([{ status: 409, code: 'UNDO_EXPIRED' }])
  expect(await world.sql('select id from scans')).toEqual([])
  // The admission itself still counts, and a clock that was corrected by a little does not matter.
  expect(await send(one, [scan])).toMatchObject([{ outcome: 'admitted' }])
  const [second] = await bought(await world.as('guest'))
  expect(await send(one, [undone(scanOf(second, 0), -5)])).toMatchObject([{ success: true }])
})

test('one the server never received is kept as undone, however late: neither the mark nor its replay ever admits', async () => {
  const { world, ticket, one, other, after, scanOf, undone } = await gates()
  const scan = scanOf(ticket, 0)
  after(3_000)
  const [answer] = await send(one, [undone(scan)])
  expect(answer).toMatchObject({ success: true, scanId: scan.scanId })
  expect(answer).not.toHaveProperty('outcome')
  const refused = { status: 409, code: 'SCAN_UNDONE' }
  expect(await mark(one, { qrCode: scan.qrCode, scanId: scan.scanId })).toMatchObject({
    status: 409,
    body: { code: 'SCAN_UNDONE' },
  })
  expect(await mark(other, { qrCode: scan.qrCode, scanId: scan.scanId, admittedOffline: true })).toMatchObject({
    body: { code: 'SCAN_UNDONE' },
  })
  expect(await send(one, [scan, undone(scan)])).toMatchObject([refused, { success: true }])
  // For the alarm about many of them too, which counts these rows.
  expect(
    await world.sql("select actor_name as name, subject as id from audit where action = 'ticket.admissionUndone'"),
  ).toEqual([{ name: 'Chetan Checker', id: ticket._id }])
  expect(await world.sql('select status from tickets')).toEqual([{ status: 'active' }])
  expect(await send(other, [scanOf(ticket, 90, 'gate-b')])).toMatchObject([{ outcome: 'admitted' }])
})

test('the person let in after it keeps the entry, and their double admission was none', async () => {
  const { world, ticket, one, other, after, scanOf, undone } = await gates()
  const [first, second] = [scanOf(ticket, 0), scanOf(ticket, 20, 'gate-b')]
  await send(one, [first])
  after(20)
  expect(await send(other, [second])).toMatchObject([{ outcome: 'conflict' }])
  await send(one, [undone(first)])
  expect(await world.sql(STATE)).toMatchObject([{ status: 'used', by: 'Bina' }])
  expect(await world.sql('select acknowledged_by_name as by from conflicts')).toEqual([{ by: 'Chetan Checker' }])
  expect(await world.sql("select id from scans where outcome = 'admitted' and undone_at is null")).toEqual([
    { id: second.scanId },
  ])
})

test('so does somebody whose double admission the desk has read by then', async () => {
  const { world, ticket, one, other, after, scanOf, undone } = await gates()
  const [first, second] = [scanOf(ticket, 0), scanOf(ticket, 20, 'gate-b')]
  await send(one, [first])
  after(20)
  await send(other, [second])
  await must((await world.as('admin')).request('POST', `/api/admin/gate/conflicts/${second.scanId}/acknowledge`))
  await send(one, [undone(first)])
  expect(await world.sql(STATE)).toMatchObject([{ status: 'used', by: 'Bina' }])
})

test('two of three undone leave the ticket to the third, who is inside', async () => {
  const { world, ticket, one, other, after, scanOf, undone } = await gates()
  const third = await world.as('qrchecker', person('Daya'))
  const scans = [scanOf(ticket, 0), scanOf(ticket, 10, 'gate-b'), scanOf(ticket, 15, 'gate-c')] as const
  after(20)
  await send(one, [scans[0]])
  await send(other, [scans[1]])
  await send(third, [scans[2]])
  await send(one, [undone(scans[0])])
  expect(await world.sql(STATE)).toMatchObject([{ status: 'used', by: 'Bina' }])
  await send(other, [undone(scans[1])])
  expect(await world.sql(STATE)).toMatchObject([{ status: 'used', by: 'Daya' }])
  expect(await world.sql('select 1 from conflicts where acknowledged_at is null')).toEqual([])
  await send(third, [undone(scans[2])])
  expect(await world.sql(STATE)).toMatchObject([{ status: 'active', by: null }])
})

test('the later of two undone settles their double admission and leaves the entry of the first', async () => {
  const { world, ticket, one, other, after, scanOf, undone } = await gates()
  const [first, second] = [scanOf(ticket, 0), scanOf(ticket, 20, 'gate-b')]
  await send(one, [first])
  after(20)
  await send(other, [second])
  await send(other, [undone(second)])
  expect(await world.sql(STATE)).toMatchObject([{ status: 'used', by: 'Chetan Checker' }])
  expect(await world.sql('select acknowledged_by_name as by from conflicts')).toEqual([{ by: 'Bina' }])
})

test('the audit does not call a ticket active that an undo left as it was', async () => {
  const { world, ticket, one, other, after, scanOf, undone } = await gates()
  const admin = await world.as('admin')
  const [changed] = await bought(await world.as('guest'))
  const [first, second, third] = [scanOf(ticket, 0), scanOf(ticket, 20, 'gate-b'), scanOf(changed, 10)]
  await send(one, [first, third])
  after(20)
  await send(other, [second])
  await must(admin.request('POST', `/api/admin/gate/conflicts/${second.scanId}/acknowledge`))
  await must(admin.request('PATCH', `/api/tickets/admin/${changed._id}/status`, { status: 'active' }))
  await must(admin.request('PATCH', `/api/tickets/admin/${changed._id}/status`, { status: 'used' }))
  await send(other, [undone(second)])
  await send(one, [undone(third)])
  expect(await world.sql('select status from tickets')).toEqual([{ status: 'used' }, { status: 'used' }])
  expect(await world.sql("select detail from audit where action = 'ticket.admissionUndone' order by id")).toEqual([
    { detail: 'Admitted twice: one of the two admissions was undone' },
    { detail: 'Undone; the ticket had been changed since and stays unchanged' },
  ])
})

test('a ticket that the desk has set to used stays so when the earlier scan that took its entry is undone', async () => {
  const { world, ticket, one, after, scanOf, undone } = await gates()
  const admin = await world.as('admin')
  const scan = scanOf(ticket, 0)
  after(10)
  await must(admin.request('PATCH', `/api/tickets/admin/${ticket._id}/status`, { status: 'used' }))
  after(10)
  expect(await send(one, [scan])).toMatchObject([{ outcome: 'conflict', conflict: { first: { scanId: scan.scanId } } }])
  for (const _ of [1, 2]) expect(await send(one, [undone(scan)])).toMatchObject([{ ticket: { status: 'used' } }])
  expect(await world.sql(STATE)).toMatchObject([{ status: 'used', by: 'Asha Admin' }])
  expect(await world.sql('select entry_scan_id as scan from tickets')).toEqual([{ scan: null }])
  expect(await must(admin.request('GET', '/api/admin/gate'))).toMatchObject({ data: { people: 1 } })
  expect(await world.sql('select 1 from conflicts where acknowledged_at is null')).toEqual([])
  expect((await readBooks(world.deps)).filter(({ ok }) => !ok)).toEqual([])
  await must(admin.request('PATCH', `/api/tickets/admin/${ticket._id}/status`, { status: 'active' }))
  expect(await must(admin.request('GET', '/api/admin/gate'))).toMatchObject({ data: { people: 0 } })
})

test('is only for its sender, by session: neither the device nor the checker in the row makes it theirs', async () => {
  const { world, ticket, one, other, scanOf, undone } = await gates()
  const scan = scanOf(ticket, 0)
  await send(one, [scan])
  const stolen = [
    { ...undone(scan), deviceId: 'gate-b' },
    undone(scan),
    { ...undone(scan), checkerId: one.user?.id, checkerName: 'Chetan Checker' },
  ]
  expect(await send(other, stolen)).toMatchObject(Array(3).fill({ status: 403, code: 'UNDO_NOT_YOURS' }))
  expect(await send(one, [{ ...undone(scan), qrCode: undefined, ticketId: ulidOf(7), manual: true }])).toMatchObject([
    { code: 'SCAN_ID_REUSED' },
  ])
  expect(await world.sql('select status from tickets')).toEqual([{ status: 'used' }])
  expect(await world.sql("select 1 from audit where action = 'ticket.admissionUndone'")).toEqual([])
  const { status } = await mark(one, undone(scanOf(ticket, 0)))
  expect(status).toBe(400)
})

test('a phone cannot undo the admissions of another, and needs the right to undo its own', async () => {
  const { world, ticket, scanOf, undone } = await gates()
  const [phone, other] = [await pairedPhone(world, { rights: ['scan'] }), await pairedPhone(world)]
  const [mine, theirs] = [await phone.client(), await other.client()]
  const scan = scanOf(ticket, 0, phone.id)
  await send(mine, [scan])
  expect(await send(theirs, [undone(scan)])).toMatchObject([{ status: 403, code: 'UNDO_NOT_YOURS' }])
  expect(await send(mine, [undone(scan), undone(scanOf(ticket, 5))])).toMatchObject(
    Array(2).fill({ status: 403, code: 'FORBIDDEN' }),
  )
  expect(await world.sql('select status from tickets')).toEqual([{ status: 'used' }])
})

test('a phone without the right to scan has nothing to undo, and learns no name by trying', async () => {
  const { world, ticket, one, scanOf, undone } = await gates()
  const phone = await pairedPhone(world, { rights: ['sell', 'undo'] })
  const byHand = { ...scanOf(ticket, 0, phone.id), qrCode: undefined, ticketId: ticket._id, manual: true }
  const others = undone(scanOf(ticket, 0))
  await send(one, [others])
  const tries = [undone(scanOf(ticket, 0, phone.id)), undone(byHand), others]
  const answers = await send(await phone.client(), tries)
  expect(answers).toMatchObject(Array(3).fill({ status: 403, code: 'FORBIDDEN' }))
  expect(JSON.stringify(answers)).not.toContain('Garima')
  expect(await world.sql('select id from scans')).toEqual([{ id: others.scanId }])
})

test('the times that a phone claims do not bring back a right it has lost, to undo or to read names', async () => {
  const { world, ticket, after, scanOf, undone } = await gates()
  const phone = await pairedPhone(world, { rights: ['scan', 'find', 'undo'] })
  const client = await phone.client()
  const setRights = async (rights: string[]) =>
    must((await world.as('admin')).request('PATCH', `/api/admin/devices/${phone.id}`, { rights }))
  const forbidden = { status: 403, code: 'FORBIDDEN' }
  after(60)
  await setRights(['scan'])
  after(60)
  const scan = scanOf(ticket, 120, phone.id)
  await send(client, [scan])
  const earlier = { ...scan, undoneAt: undone(scan, -90).undoneAt }
  expect(await send(client, [earlier])).toMatchObject([forbidden])
  expect(await world.sql('select status from tickets')).toEqual([{ status: 'used' }])
  await setRights(['sell', 'undo'])
  after(60)
  const [late] = await bought(await world.as('guest', person('Gita')))
  const byHand = { ...scanOf(late, 0), qrCode: undefined, ticketId: late._id, manual: true }
  const answers = await send(client, [undone(byHand), undone(scanOf(late, 0))])
  expect(answers).toMatchObject([forbidden, forbidden])
  expect(JSON.stringify(answers)).not.toContain('Gita')
})

test('the audit names who sent the undo', async () => {
  const { world, ticket, one, scanOf, undone } = await gates()
  const phone = await pairedPhone(world, { name: 'North gate' })
  const client = await phone.client()
  const scan = { ...scanOf(ticket, 0), checkerId: one.user?.id }
  await send(client, [scan])
  expect(await send(client, [undone(scan)])).toMatchObject([{ success: true }])
  expect(
    await world.sql("select actor_id as id, actor_name as name from audit where action = 'ticket.admissionUndone'"),
  ).toEqual([{ id: phone.id, name: 'North gate' }])
})

test('a ticket that nobody knows leaves a scan with a genuine code, and nothing of one chosen by hand', async () => {
  const { world, ticket, one, scanOf, undone } = await gates()
  await must((await world.as('admin')).request('DELETE', `/api/admin/tickets/${ticket._id}`))
  const byHand = { ...scanOf(ticket, 0), qrCode: undefined, ticketId: ulidOf(7), manual: true }
  expect(await send(one, [undone(scanOf(ticket, 0)), undone(byHand)])).toMatchObject([
    { success: true },
    { success: true },
  ])
  expect(await world.sql('select ticket_id from scans')).toEqual([{ ticket_id: ticket._id }])
  expect(await world.sql('select id from conflicts')).toEqual([])
})

test('a revoked phone reports what it undid before it was ever sent, and undoes nothing that the server has', async () => {
  const { world, ticket, after, scanOf, undone } = await gates()
  const phone = await pairedPhone(world)
  const client = await phone.client()
  const scan = scanOf(ticket, 0, phone.id)
  await send(client, [scan])
  after(30)
  const unsent = undone(scanOf(ticket, 5), 10)
  await must((await world.as('admin')).request('PATCH', `/api/admin/devices/${phone.id}`, { revoked: true }))
  expect(await send(client, [unsent, undone(scan, 20)])).toMatchObject([
    { success: true },
    { status: 401, code: 'DEVICE_REVOKED' },
  ])
  expect(await world.sql('select status from tickets')).toEqual([{ status: 'used' }])
})

test('an undo that a restored backup lost is taken again, and no other', async () => {
  const { world: before, ticket, one, after, scanOf, undone } = await gates()
  const [other] = await bought(await before.as('guest'))
  const [old, scan] = [scanOf(other, 0), scanOf(ticket, 100)]
  await send(one, [old])
  after(100)
  await send(one, [scan])
  const file = await backedUp(before)
  after(30)
  await send(one, [undone(scan)])
  after(3_000)
  const world = await restored(before, file)
  const again = await world.as('qrchecker')
  expect(await send(again, [undone(scan), undone(old)])).toMatchObject([{ success: true }, { code: 'UNDO_EXPIRED' }])
  expect(await world.sql('select id from tickets where status = ?', 'active')).toEqual([{ id: ticket._id }])
  expect(await send(again, [scan])).toMatchObject([{ code: 'SCAN_UNDONE' }])
})
