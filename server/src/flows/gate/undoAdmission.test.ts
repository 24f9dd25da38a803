import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { bought, codeOf, mark, person, putOnSale } from '../../testing/scenes.ts'
import { type Client, makeWorld } from '../../testing/world.ts'

const HOUR = 3_600_000

async function admitted(scan: Record<string, unknown> = {}) {
  const world = await makeWorld()
  await putOnSale(world)
  const [ticket] = await bought(await world.as('guest'))
  world.clock.forward(2 * HOUR)
  const checker = await world.as('qrchecker')
  const scanId = randomUUID()
  const reply = await mark(checker, { qrCode: codeOf(ticket), scanId, ...scan })
  expect(reply.body).toMatchObject({ outcome: 'admitted' })
  return { world, ticket, code: codeOf(ticket), checker, scanId }
}
const undo = (who: Client, scanId: string) => who.request('POST', '/api/tickets/mark-used/undo', { scanId })

test('within 60 s the ticket becomes active again and the scan stays, marked undone', async () => {
  const { world, ticket, code, checker, scanId } = await admitted()
  world.clock.forward(60_000)
  expect(await undo(checker, scanId)).toMatchObject({
    status: 200,
    body: { ticket: { _id: ticket._id, status: 'active', entryTime: null, scannedBy: null } },
  })
  expect(await world.sql('select outcome, undone_at from scans')).toEqual([
    { outcome: 'admitted', undone_at: world.clock.now().getTime() },
  ])
  expect(await world.sql("select 1 from audit where action = 'ticket.admissionUndone'")).toHaveLength(1)
  expect((await mark(checker, { qrCode: code })).body).toMatchObject({ outcome: 'admitted' })
})

test('repeated after a lost response it gives the same answer', async () => {
  const { checker, scanId } = await admitted()
  const first = await undo(checker, scanId)
  expect((await undo(checker, scanId)).body).toEqual(first.body)
})

test('a millisecond after 60 s it is too late', async () => {
  const { world, checker, scanId } = await admitted()
  world.clock.forward(60_001)
  expect(await undo(checker, scanId)).toMatchObject({ status: 409, body: { code: 'UNDO_EXPIRED' } })
})

test('a slow device clock does not shorten an online admission’s 60 s', async () => {
  const { checker, scanId } = await admitted({ scannedAt: '2025-08-08T13:00:00Z' })
  expect((await undo(checker, scanId)).status).toBe(200)
})

test('an offline admission that arrives late cannot be undone', async () => {
  const { checker, scanId } = await admitted({ scannedAt: '2025-08-08T13:00:00Z', admittedOffline: true })
  expect(await undo(checker, scanId)).toMatchObject({ status: 409, body: { code: 'UNDO_EXPIRED' } })
})

test('is only for the checker who made the admission', async () => {
  const { world, checker, scanId } = await admitted()
  for (const other of [await world.as('qrchecker', person('Bina')), await world.as('admin')])
    expect(await undo(other, scanId)).toMatchObject({ status: 403, body: { code: 'UNDO_NOT_YOURS' } })
  expect((await undo(checker, scanId)).status).toBe(200)
})

test('an unknown scan is not found, and a refused one has nothing to undo', async () => {
  const { code, checker } = await admitted()
  expect(await undo(checker, randomUUID())).toMatchObject({ status: 404, body: { code: 'SCAN_NOT_FOUND' } })
  const refused = randomUUID()
  await mark(checker, { qrCode: code, scanId: refused })
  expect(await undo(checker, refused)).toMatchObject({ status: 409, body: { code: 'UNDO_NOT_POSSIBLE' } })
})

test('is not possible once the ticket was used again or a second person entered with it', async () => {
  const again = await admitted()
  await undo(again.checker, again.scanId)
  await mark(again.checker, { qrCode: again.code })
  expect(await undo(again.checker, again.scanId)).toMatchObject({ body: { code: 'UNDO_NOT_POSSIBLE' } })

  const twice = await admitted()
  await mark(twice.checker, { qrCode: twice.code, admittedOffline: true })
  expect(await undo(twice.checker, twice.scanId)).toMatchObject({ body: { code: 'UNDO_NOT_POSSIBLE' } })
})
