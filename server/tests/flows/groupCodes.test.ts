import { randomUUID } from 'node:crypto'
import type { GroupCode, Ticket } from '@garba/shared/contracts/ticket'
import { decodeGroupQr } from '@garba/shared/rules/groupQr'
import fc from 'fast-check'
import { correction, generate } from 'lean-qr'
import { expect, test } from 'vitest'
import { close, over } from '../../src/testing/closing.ts'
import { bought, codeOf, mark, person, putOnSale } from '../../src/testing/scenes.ts'
import { type Client, makeWorld } from '../../src/testing/world.ts'

const groupsFor = async (client: Client): Promise<GroupCode[]> => {
  const { status, body } = await client.request('GET', '/api/tickets/group-codes')
  expect(status).toBe(200)
  return body.groups as GroupCode[]
}

/** An event, a family's tickets with their one code, and a checker. */
async function family(quantity = 4) {
  const world = await makeWorld()
  await putOnSale(world)
  const guest = await world.as('guest')
  const tickets = (await bought(guest, quantity)).toSorted((a, b) => (a._id > b._id ? -1 : 1)) as Ticket[]
  const [group] = await groupsFor(guest)
  if (!group) throw new Error('There is no group code')
  const checker = await world.as('qrchecker')
  const scan = (ticketId: string | undefined, more: Record<string, unknown> = {}) =>
    mark(checker, { qrCode: group.qrCode, ticketId, scanId: randomUUID(), ...more })
  const verify = (qrCode = group.qrCode) => checker.request('POST', '/api/tickets/verify-group', { qrCode })
  const idOf = (index: number): string => tickets[index]?._id ?? ''
  return { world, guest, tickets, group, checker, scan, verify, idOf }
}

test('the owner gets one code for up to eight active tickets of this event, and nobody else gets it', async () => {
  const { world, guest, tickets, group, idOf, scan } = await family(4)
  expect(group.ticketIds).toEqual(tickets.map(({ _id }) => _id))
  expect(decodeGroupQr(group.qrCode)?.ticketIds).toEqual(group.ticketIds)
  expect(await groupsFor(await world.as('guest', person('Stranger')))).toEqual([])
  expect(await groupsFor(await world.as('admin'))).toEqual([])

  await world.sql("update tickets set status = 'cancelled' where id = ?", idOf(1))
  expect((await groupsFor(guest)).map(({ ticketIds }) => ticketIds)).toEqual([[idOf(0), idOf(2), idOf(3)]])
  for (const index of [2, 3]) await scan(idOf(index))
  expect(await groupsFor(guest)).toEqual([])
})

test('more than eight tickets get several codes, each no larger than QR version 10 at level M', async () => {
  const { guest, tickets } = await family(17)
  const groups = await groupsFor(guest)
  expect(groups.map(({ ticketIds }) => ticketIds.length)).toEqual([5, 6, 6])
  expect(groups.flatMap(({ ticketIds }) => ticketIds)).toEqual(tickets.map(({ _id }) => _id))
  const { guest: eight } = await family(8)
  const [full] = await groupsFor(eight)
  // Version 10 is 57 modules wide.
  const sizeOf = (text: string) =>
    generate(text, { minCorrectionLevel: correction.M, maxCorrectionLevel: correction.M }).size
  expect(full?.ticketIds).toHaveLength(8)
  expect(sizeOf(full?.qrCode ?? '')).toBeLessThanOrEqual(57)
})

test('each ticket of the code is admitted by its own scan, as by its own code', async () => {
  const { world, scan, idOf, tickets, checker } = await family()
  const [first] = tickets
  if (!first) throw new Error('Tickets were bought')
  await mark(checker, { qrCode: codeOf(first), deviceName: 'Gate A' })
  expect(await scan(idOf(0))).toMatchObject({
    status: 409,
    body: { code: 'ALREADY_USED', ticket: { _id: idOf(0), scannedAtDevice: 'Gate A' } },
  })
  for (const index of [1, 2])
    expect(await scan(idOf(index))).toMatchObject({
      status: 200,
      body: { outcome: 'admitted', ticket: { _id: idOf(index) } },
    })
  const rows = await world.sql("select ticket_id from scans where outcome = 'admitted' order by ticket_id")
  expect(rows.map(({ ticket_id: id }) => id)).toEqual([idOf(0), idOf(1), idOf(2)].toSorted())
  const left = await world.sql("select id from tickets where status = 'active'")
  expect(left).toEqual([{ id: idOf(3) }])
})

test('a group code alone admits nobody: the scan must say whom', async () => {
  const { world, scan, checker, group } = await family()
  const message = 'A scan of a group code needs the ticketId of the ticket to admit'
  expect(await scan(undefined)).toMatchObject({
    status: 400,
    body: { code: 'VALIDATION_FAILED', message, errors: [{ field: 'ticketId', message }] },
  })
  // What a scanner of the first release asks first.
  expect(await checker.request('POST', '/api/tickets/verify-qr', { qrCode: group.qrCode })).toMatchObject({
    status: 409,
    body: {
      code: 'GROUP_CODE',
      message: 'This is the code of a group. Update this scanner, or scan the tickets one by one.',
    },
  })
  expect(await world.sql('select * from scans')).toEqual([])
})

test('a group code kept from before lets nobody in with a ticket that was cancelled or has a new code', async () => {
  const { guest, group, idOf, scan, verify, world } = await family(4)
  expect(await guest.request('PATCH', `/api/tickets/cancel/${idOf(0)}`, { reason: 'Away' })).toMatchObject({
    status: 200,
  })
  const renewed = await guest.request(
    'POST',
    `/api/tickets/${idOf(1)}/new-code`,
    {},
    { 'Idempotency-Key': randomUUID() },
  )
  expect(renewed).toMatchObject({ status: 200 })
  expect(await scan(idOf(0))).toMatchObject({ status: 409, body: { code: 'TICKET_CANCELLED' } })
  expect(await scan(idOf(1))).toMatchObject({ status: 409, body: { code: 'CODE_REPLACED' } })
  const newId = (renewed.body.ticket as Ticket)._id
  expect(await scan(newId)).toMatchObject({ body: { success: false, code: 'QR_FORGED' } })
  expect(await verify(group.qrCode)).toMatchObject({ status: 200 })
  expect((await scan(idOf(2))).status).toBe(200)
  expect(await scan(idOf(2))).toMatchObject({ status: 409, body: { code: 'ALREADY_USED' } })
  expect(await world.sql("select count(*) as n from tickets where status = 'used'")).toEqual([{ n: 1 }])
})

test('a ticket outside the signed list and an altered code admit nobody', async () => {
  const { world, scan, verify, group, idOf } = await family()
  const [stray] = await bought(await world.as('guest', person('Stranger')))
  expect(await scan(stray._id)).toMatchObject({ status: 200, body: { success: false, code: 'QR_FORGED' } })
  const altered = group.qrCode.slice(0, -1) + (group.qrCode.endsWith('0') ? '1' : '0')
  expect(await scan(idOf(0), { qrCode: altered })).toMatchObject({ body: { success: false, code: 'QR_FORGED' } })
  expect(await verify(altered)).toMatchObject({ status: 200, body: { success: false, code: 'QR_FORGED' } })
  expect(await verify('GG1:')).toMatchObject({ status: 400, body: { code: 'QR_MALFORMED' } })
  expect(await world.sql("select id from tickets where status = 'used'")).toEqual([])
})

test('verifying shows every ticket of the group; only a code that lets nobody in is on record as refused', async () => {
  const { world, scan, verify, tickets, idOf } = await family()
  await scan(idOf(0), { deviceName: 'Gate A' })
  await world.sql("update tickets set status = 'cancelled' where id = ?", idOf(1))
  await world.sql("update tickets set status = 'deleted' where id = ?", idOf(2))
  const { status, body } = await verify()
  expect(status).toBe(200)
  expect(body.tickets).toMatchObject([
    { _id: idOf(0), status: 'used', scannedAtDevice: 'Gate A', user: { name: 'Garima Guest' } },
    { _id: idOf(1), status: 'cancelled' },
    { _id: idOf(3), status: 'active' },
  ])
  expect(JSON.stringify(body)).not.toMatch(/garba\.test|price|GR1:|GG1:/)
  expect(await world.sql('select * from refusals')).toEqual([])
  await scan(idOf(3))
  expect((await verify()).body.tickets).toHaveLength(3)
  expect(await world.sql('select code, ticket_id from refusals')).toEqual([
    { code: 'ALREADY_USED', ticket_id: idOf(0) },
  ])
  await world.sql("update tickets set status = 'deleted'")
  expect(await verify()).toMatchObject({ status: 404, body: { code: 'TICKET_NOT_FOUND' } })
  expect(tickets).toHaveLength(4)
})

/** Members let in offline at one gate, each in a minute of its own, oldest first. */
const letInOffline = fc
  .uniqueArray(fc.record({ member: fc.nat(3), minute: fc.integer({ min: 1, max: 58 }) }), {
    minLength: 1,
    maxLength: 4,
    selector: ({ member }) => member,
  })
  .map((all) => all.toSorted((one, other) => one.minute - other.minute))

/** A gate sends its next rows; without an answer it sends them again later. */
const calls = fc.array(
  fc.record({ gate: fc.constantFrom('a', 'b'), rows: fc.integer({ min: 1, max: 4 }), lost: fc.boolean() }),
  { maxLength: 8 },
)
const ALL_THE_REST = (['a', 'b'] as const).map((gate) => ({ gate, rows: 4, lost: false }))

test('four at two gates offline, one of them inside before: each counts with a ticket of its own while there is one, and only the rest are conflicts', async () => {
  const world = await makeWorld()
  await putOnSale(world)
  let runs = 0
  const door = fc.record({ a: letInOffline, b: letInOffline, calls })
  const property = fc.asyncProperty(door, async ({ a, b, calls }) => {
    runs += 1
    const guest = await world.as('guest', person(`Guest${runs}`))
    await bought(guest, 4)
    const [group] = await groupsFor(guest)
    if (!group) throw new Error('There is no group code')
    const { qrCode, ticketIds } = group
    const from = world.clock.now().getTime()
    const scanAt = (member: number, deviceId: string, at: number) => ({
      qrCode,
      ticketId: ticketIds[member] ?? '',
      scanId: randomUUID(),
      deviceId,
      scannedAt: new Date(at).toISOString(),
    })
    const before = scanAt(0, 'early', from)
    expect(await mark(await world.as('qrchecker'), before)).toMatchObject({ status: 200 })
    world.clock.forward(3_600_000)
    const checker = await world.as('qrchecker')
    const rowsOf = (gate: string, all: typeof a, seconds: number) =>
      all.map(({ member, minute }) => ({
        ...scanAt(member, gate, from + minute * 60_000 + seconds * 1_000),
        admittedOffline: true,
      }))
    // Gate B's entries are half a minute past, so that no two are at the same time.
    const left = { a: rowsOf('a', a, 0), b: rowsOf('b', b, 30) }
    const entries = [before, ...left.a, ...left.b]
    for (const { gate, rows, lost } of [...calls, ...ALL_THE_REST]) {
      const scans = left[gate].slice(0, rows)
      if (scans.length === 0) continue
      const { status } = await checker.request('POST', '/api/tickets/mark-used/batch', { scans })
      expect(status).toBe(200)
      if (!lost) left[gate] = left[gate].slice(rows)
    }

    const rowsFrom = (table: string, columns: string) =>
      world.sql(`select ${columns} from ${table} where ticket_id in (${ticketIds.map(() => '?').join()})`, ...ticketIds)
    const scans = await rowsFrom('scans', 'id, outcome')
    expect(scans).toHaveLength(entries.length)
    const inside = Math.min(entries.length, ticketIds.length)
    expect(scans.filter(({ outcome }) => outcome === 'admitted')).toHaveLength(inside)
    const used = await world.sql("select id from tickets where status = 'used' and buyer_name = ?", `Guest${runs}`)
    expect(used).toHaveLength(inside)
    expect(await rowsFrom('conflicts', 'id')).toHaveLength(entries.length - inside)
  })
  await fc.assert(property, { numRuns: 12 })
})

test("after its event was closed a group's code is another event's, and its owner gets no new one", async () => {
  const { event, admin, checker, guest } = await over()
  const [group] = await groupsFor(guest)
  const ticketId = group?.ticketIds[0]
  expect(await close(admin, event._id)).toMatchObject({ status: 200 })
  expect(await mark(checker, { qrCode: group?.qrCode, ticketId })).toMatchObject({
    body: { success: false, code: 'QR_OTHER_EVENT' },
  })
  expect(await checker.request('POST', '/api/tickets/verify-group', { qrCode: group?.qrCode })).toMatchObject({
    body: { success: false, code: 'QR_OTHER_EVENT' },
  })
  expect(await groupsFor(guest)).toEqual([])
})

test("a ticket that was sent says so and leaves its sender's group code, which has the rest in the order of My Tickets", async () => {
  const { guest, verify, group, checker } = await family(4)
  const mine = async () => (await guest.request('GET', '/api/tickets/my-tickets')).body.tickets as Ticket[]
  const [one, two, sentOne, sentTwo] = (await mine()).map(({ _id }) => _id)
  expect(group.ticketIds).toEqual([one, two, sentOne, sentTwo])
  const made = await guest.request('POST', '/api/tickets/links', { ticketIds: [sentOne, sentTwo], purpose: 'share' })
  expect(made).toMatchObject({ status: 201 })
  expect((await groupsFor(guest)).map(({ ticketIds }) => ticketIds)).toEqual([[one, two]])
  expect((await mine()).map(({ sent }) => sent)).toEqual([undefined, undefined, 'sent', 'sent'])
  // A screenshot of the earlier code still has them; the gate says whose they are.
  expect((await verify()).body.tickets).toMatchObject([{ _id: one }, { _id: two }, { sent: true }, { sent: true }])

  const { url, id } = made.body.link as { url: string; id: string }
  const token = url.slice(url.indexOf('#') + 1)
  const opened = await checker.request('POST', '/api/wallet/open', { token, deviceId: 'friend' })
  expect(opened.body.tickets).toHaveLength(2)
  expect((await mine()).map(({ sent }) => sent)).toEqual([undefined, undefined, 'opened', 'opened'])

  await guest.request('DELETE', `/api/tickets/links/${id}`)
  expect((await groupsFor(guest))[0]?.ticketIds).toHaveLength(4)
  expect((await mine()).every(({ sent }) => sent === undefined)).toBe(true)
})

test('a family at two gates, one of them offline: both took the first, and the second arrival counts with an unused one', async () => {
  const { world, scan, idOf, checker, guest } = await family(4)
  expect(await scan(idOf(0), { deviceName: 'Gate A' })).toMatchObject({ status: 200 })
  expect(await scan(idOf(1), { deviceName: 'Gate A' })).toMatchObject({ status: 200 })
  world.clock.forward(60_000)
  const again = { scanId: randomUUID(), admittedOffline: true, deviceName: 'Gate B', deviceId: 'gate-b' }
  const moved = await scan(idOf(0), again)
  expect(moved).toMatchObject({ status: 200, body: { outcome: 'admitted', ticket: { _id: idOf(3) } } })
  expect((await scan(idOf(0), again)).body).toEqual(moved.body)
  expect(await scan(idOf(1), { admittedOffline: true })).toMatchObject({ body: { ticket: { _id: idOf(2) } } })
  expect(await world.sql('select * from conflicts')).toEqual([])
  expect(await world.sql("select id from tickets where status = 'active'")).toEqual([])
  // A fifth person is one too many.
  expect(await scan(idOf(0), { admittedOffline: true })).toMatchObject({ body: { outcome: 'conflict' } })

  // One member's own code was read offline after the group's code took it at another gate.
  const [mine, ...others] = (await bought(guest, 2)) as Ticket[]
  const groups = (await groupsFor(guest)).filter(({ ticketIds }) => ticketIds.includes(mine?._id ?? ''))
  const taken = { qrCode: groups[0]?.qrCode, ticketId: mine?._id, scanId: randomUUID() }
  expect(await mark(checker, taken)).toMatchObject({ status: 200 })
  const own = await mark(checker, { qrCode: mine?.qrCode, admittedOffline: true, scanId: randomUUID() })
  expect(own).toMatchObject({ body: { outcome: 'admitted', ticket: { _id: mine?._id } } })
  expect(await world.sql('select ticket_id from scans where id = ?', taken.scanId)).toEqual([
    { ticket_id: others[0]?._id },
  ])
  expect(await world.sql('select count(*) as n from conflicts')).toEqual([{ n: 1 }])
})
