import { randomUUID } from 'node:crypto'
import type { CashSessionsAnswer } from '@garba/shared/contracts/money/cash'
import type { DeviceBlock } from '@garba/shared/contracts/phones/block'
import type { BatchResult } from '@garba/shared/contracts/phones/scan'
import { expect, test } from 'vitest'
import { wrongInAccounts } from '../../src/testing/accounts.ts'
import { activate, codeOnPaper, paperBlock, takenSeats } from '../../src/testing/blocks.ts'
import { must } from '../../src/testing/desk.ts'
import {
  allot,
  ask,
  attention,
  countDrawer,
  drawerFaults,
  kept,
  openDrawer,
  replay,
  sellingPhone,
  sellOnline,
} from '../../src/testing/door.ts'
import { payingWorld } from '../../src/testing/money.ts'
import { deviceToken, type Phone, type Prepared, pair, pairedPhone, phoneKeys } from '../../src/testing/phone.ts'
import { mark } from '../../src/testing/scenes.ts'
import type { World } from '../../src/testing/world.ts'

const MINUTE = 60_000
const batch = async (phone: Phone, ...scans: readonly unknown[]): Promise<BatchResult[]> =>
  (await must(ask(phone, 'POST', '/api/tickets/mark-used/batch', { scans }))).results as BatchResult[]
const blocksOf = async (phone: Phone): Promise<DeviceBlock[]> =>
  (await must(ask(phone, 'GET', '/api/devices/blocks'))).blocks as DeviceBlock[]
const at = (world: World, ms = 0) => new Date(world.clock.now().getTime() + ms).toISOString()
const peopleIn = async (world: World) =>
  ((await must((await world.as('admin')).request('GET', '/api/admin/gate'))).data as { people: number }).people

test('a seller cannot take an admission back long after it by reporting the sale of its ticket late, with the present time', async () => {
  const world = await payingWorld()
  const phone = await sellingPhone(world, { rights: ['sell', 'scan', 'undo'] })
  const block = await allot(phone, 2)
  const [code] = block.codes
  const scan = { scanId: randomUUID(), qrCode: code?.qrCode, admittedOffline: true, scannedAt: at(world) }
  expect(await batch(phone, scan)).toMatchObject([{ outcome: 'conflict' }])
  world.clock.forward(60 * MINUTE)
  expect(await replay(phone, kept(world, block, [1], { scanIds: [scan.scanId] }))).toMatchObject([{ success: true }])
  world.clock.forward(20_000)
  const undone = { ...scan, scannedAt: at(world, -10_000), undoneAt: at(world) }
  expect(await batch(phone, undone)).toMatchObject([{ status: 409, code: 'UNDO_EXPIRED' }])
  expect(await ask(phone, 'POST', '/api/tickets/mark-used/undo', { scanId: scan.scanId })).toMatchObject({
    status: 409,
  })
  expect(await peopleIn(world)).toBe(1)
  expect(await world.sql('select status from tickets')).toEqual([{ status: 'used' }])
  expect(await wrongInAccounts(world)).toEqual([])
})

test('the undo of a sale that let in: by its seller alone, with the right to, in time, and once', async () => {
  const world = await payingWorld()
  const [seller, other, bold] = [
    await sellingPhone(world, { name: 'Gate A', rights: ['sell', 'scan'] }),
    await sellingPhone(world, { name: 'Gate B', rights: ['sell', 'scan', 'undo'] }),
    await sellingPhone(world, { name: 'Gate C', rights: ['sell', 'undo'] }),
  ]
  const sale = await sellOnline(seller, { admit: true })
  const [scanId = ''] = sale.body.scanIds as string[]
  const undo = (phone: Phone, id = scanId) => ask(phone, 'POST', '/api/tickets/mark-used/undo', { scanId: id })
  expect(await undo(seller)).toMatchObject({ status: 403 })
  expect(await undo(other)).toMatchObject({ status: 403, body: { code: 'UNDO_NOT_YOURS' } })
  // A phone that may not scan lets nobody in by a sale either.
  expect(await sellOnline(bold, { admit: true })).toMatchObject({ status: 403 })
  const block = await allot(bold, 1)
  expect(await replay(bold, kept(world, block, [1], { scanIds: [randomUUID()] }))).toMatchObject([
    { tickets: [{ status: 'active' }] },
  ])
  const ownScan = randomUUID()
  const own = kept(world, await allot(other, 1), [1], { scanIds: [ownScan] })
  expect(await replay(other, own)).toMatchObject([{ tickets: [{ status: 'used' }] }])
  await must(undo(other, ownScan))
  // Sending the sale again lets nobody in again, and no other sale can name its codes.
  expect(await replay(other, own)).toMatchObject([{ tickets: [{ status: 'active' }] }])
  expect(await replay(other, { ...own, key: randomUUID() })).toMatchObject([{ code: 'CODES_NOT_LEFT' }])
  expect(await peopleIn(world)).toBe(1)
  expect(await wrongInAccounts(world)).toEqual([])
})

test.each([
  ['15 minutes slow', -15, 0],
  ['15 minutes fast', 15, 0],
  ['15 minutes slow and corrected', -15, 15],
  ['15 minutes fast and corrected', 15, -15],
])('a clock that is %s moves no cash out of sight', async (_, wrongBy, corrected) => {
  const world = await payingWorld()
  const phone = await pairedPhone(world)
  const block = await allot(phone, 3)
  const sale = (number: number) =>
    kept(world, block, [number], { soldAt: at(world, wrongBy * MINUTE), clockOffset: corrected * MINUTE })
  const before = sale(1)
  world.clock.forward(5 * MINUTE)
  const id = await openDrawer(await phone.client())
  world.clock.forward(5 * MINUTE)
  const during = sale(2)
  world.clock.forward(5 * MINUTE)
  await replay(phone, before, during)
  const drawers = async () =>
    (await must((await world.as('admin')).request('GET', '/api/admin/cash-sessions'))) as unknown as CashSessionsAnswer
  const taken = async () => (await drawers()).sessions.reduce((sum, one) => sum + one.expected, 0)
  const late = async () => (await drawers()).arrivedLater.reduce((sum, one) => sum + one.amount, 0)
  expect((await taken()) + (await late())).toBe(598)
  if (corrected !== 0) expect(await taken()).toBe(299)
  await must(countDrawer(await phone.client(), id, await taken()))
  await replay(phone, sale(3))
  expect((await taken()) + (await late())).toBe(897)
  expect(await drawerFaults(world)).toEqual([])
  expect(await wrongInAccounts(world)).toEqual([])
})

test('paper that let somebody in before it was sold lets nobody in once more when it is', async () => {
  const world = await payingWorld()
  const [admin, checker] = [await world.as('admin'), await world.as('qrchecker')]
  const block = await paperBlock(admin, 2)
  const qrCode = await codeOnPaper(world, block, 1)
  const inside = { qrCode, scanId: randomUUID(), admittedOffline: true, scannedAt: at(world) }
  expect(await mark(checker, inside)).toMatchObject({ status: 200, body: { outcome: 'conflict' } })
  world.clock.forward(MINUTE)
  expect(await activate(admin, block, { from: 1, to: 2 })).toMatchObject({
    status: 409,
    body: { code: 'NO_OPEN_DRAWER' },
  })
  await openDrawer(admin)
  await must(activate(admin, block, { from: 1, to: 2 }))
  expect(await mark(checker, { qrCode })).toMatchObject({ status: 409, body: { code: 'ALREADY_USED' } })
  expect(await peopleIn(world)).toBe(1)
  expect(await wrongInAccounts(world)).toEqual([])
})

test('a phone that lost a right to give tickets away gives none of the codes that it has drawn since', async () => {
  const world = await payingWorld()
  const phone = await pairedPhone(world, { rights: ['sell', 'complimentary'] })
  const before = await allot(phone, 1)
  const soldAt = at(world)
  world.clock.forward(MINUTE)
  const admin = await world.as('admin')
  await must(admin.request('PATCH', `/api/admin/devices/${phone.id}`, { rights: ['sell'] }))
  world.clock.forward(MINUTE)
  const block = await allot(phone, 2)
  const gift = { method: 'complimentary', reason: 'Crew', soldAt }
  const mixed = kept(world, { ...block, codes: [...before.codes, ...block.codes] }, [1, 2], gift)
  const noted = { outcome: 'noted', tickets: [] }
  expect(await replay(phone, kept(world, block, [2], gift), mixed)).toMatchObject([noted, noted])
  expect(await world.sql('select id from tickets')).toEqual([])
  expect(await wrongInAccounts(world)).toEqual([])
})

test('paper is not sold by a phone, whatever it has read of it', async () => {
  const world = await payingWorld()
  const phone = await sellingPhone(world)
  const block = await paperBlock(await world.as('admin'), 2)
  const codes = await world.sql('select ticket_id as id from block_codes order by number')
  const sale = { key: randomUUID(), ticketIds: codes.map(({ id }) => id), method: 'cash', soldAt: at(world) }
  expect(await replay(phone, sale)).toMatchObject([{ status: 404, code: 'TICKET_NOT_FOUND' }])
  expect(await ask(phone, 'POST', `/api/devices/blocks/${block.id}/return`)).toMatchObject({ status: 404 })
  expect(
    await ask(phone, 'POST', `/api/admin/blocks/${block.id}/activate`, { from: 1, to: 1, method: 'card' }),
  ).toMatchObject({ status: 403 })
  expect(await wrongInAccounts(world)).toEqual([])
})

/** Another phone is paired in the place of one. */
async function replaced(world: World, old: Phone): Promise<Phone> {
  const admin = await world.as('admin')
  const renewed = { renewCode: true }
  const { pairing } = (await must(
    admin.request('PATCH', `/api/admin/devices/${old.id}`, renewed),
  )) as unknown as Prepared
  const keys = await phoneKeys()
  expect(await pair(world, pairing.code, keys.publicKey)).toMatchObject({ status: 200 })
  // The answer may have been lost.
  expect(await pair(world, pairing.code, keys.publicKey)).toMatchObject({ status: 200 })
  return { id: old.id, ...keys, client: async () => world.client(await deviceToken(world, { id: old.id, ...keys })) }
}

test('a phone in the place of another is not offered codes that the other may have sold without a network', async () => {
  const world = await payingWorld()
  const old = await pairedPhone(world)
  const block = await allot(old, 5)
  const sold = kept(world, block, [1, 2])
  const phone = await replaced(world, old)
  expect(await blocksOf(phone)).toEqual([])
  expect(await takenSeats(world)).toBe(0)
  expect(await ask(old, 'POST', '/api/devices/sales', { sales: [sold] })).toMatchObject({ status: 401 })
  const fresh = await allot(phone, 3)
  expect(await replay(phone, kept(world, fresh, [1]))).toMatchObject([{ success: true }])
  // The old phone comes back into its place, and what it sold counts.
  const back = await replaced(world, phone)
  expect(await replay(back, sold)).toMatchObject([
    { success: true, tickets: [{ status: 'active' }, { status: 'active' }] },
  ])
  expect(await replay(back, sold)).toMatchObject([{ success: true }])
  expect(await attention(world)).toEqual([])
  expect(await takenSeats(world)).toBe(3)
  expect(await wrongInAccounts(world)).toEqual([])
})
