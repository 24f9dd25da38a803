import { RIGHTS } from '@garba/shared/contracts/names'
import { messageFor } from '@garba/shared/messages/codes'
import { expect, test } from 'vitest'
import { brokenRules, takenSeats } from '../../../server/src/testing/blocks.ts'
import { pairedPhone } from '../../../server/src/testing/phone.ts'
import { eveningNow } from '../../src/scanner/core/moment.ts'
import { pairingNow } from '../../src/scanner/core/pairing.ts'
import { readUnsent } from '../../src/scanner/store/outbox.ts'
import { readHistory, readTally } from '../../src/scanner/store/record.ts'
import { findKnownTicket, loadRoster, loadSold } from '../../src/scanner/store/rosterMemory.ts'
import { readBlocks, readSelling } from '../../src/scanner/store/sales.ts'
import { refreshBlocks, returnUnsoldCodes, takeCodes } from '../../src/scanner/sync/blocks.ts'
import { cashInHand, closeCash, findCashSession, openCash } from '../../src/scanner/sync/cash.ts'
import { startShift } from '../../src/scanner/sync/pairing.ts'
import { replayOutbox } from '../../src/scanner/sync/replay.ts'
import { askAgain, sellHereInstead } from '../../src/scanner/sync/sell.ts'
import { syncRoster } from '../../src/scanner/sync/syncRoster.ts'
import { undoOwnAdmission } from '../../src/scanner/sync/undoAdmission.ts'
import {
  codesLeft,
  here,
  newKey,
  online,
  orders,
  rowOf,
  rows,
  SELLER,
  sale,
  scan,
  takeSeller,
} from '../../src/scanner/testing/selling.ts'
import { SELL_HERE } from '../../src/scanner/texts/sell.ts'

test('sold online and let in: one order however often it is tapped, and its people are inside for this phone too', async () => {
  const phone = await takeSeller()
  const key = newKey()
  const draft = sale({ quantity: 4, admit: true, name: 'રાધા', phone: '98765 43210' })
  const [first, second] = await Promise.all([online(draft, key), online(draft, key)])
  expect(rowOf(second)).toEqual(rowOf(first))
  expect(rowOf(first)).toMatchObject({ state: 'done', total: 996, tickets: { length: 4 }, scanIds: { length: 4 } })
  expect(rowOf(await online(draft, key)).order).toBe(rowOf(first).order)
  expect(orders(phone)).toEqual([
    { channel: 'door', quantity: 4, provider: 'cash', name: 'રાધા', by: 'Ravi', paise: 99_600 },
  ])
  expect(rows(phone, 'select status, count(*) as n from tickets group by status')).toEqual([{ status: 'used', n: 4 }])
  expect(await readTally(eveningNow())).toMatchObject({ scanned: 4, valid: 4 })
  expect(findKnownTicket(rowOf(first).tickets[0]?.id ?? '')).toMatchObject({ status: 'used', name: 'રાધા' })
  const { sales } = await readSelling()
  expect(sales).toMatchObject([{ key, state: 'done' }])
})

test('sold online without a name, to be shown as codes: these admit, once', async () => {
  const phone = await takeSeller(SELLER, {}, { UPI_AT_DOOR: 'admit' })
  const row = rowOf(await online(sale({ quantity: 2, method: 'upi' })))
  expect(orders(phone)).toMatchObject([{ name: 'Sold at the door', provider: 'upi', paise: 59_800 }])
  await syncRoster()
  expect(findKnownTicket(row.tickets[1]?.id ?? '')).toMatchObject({ status: 'active', kind: 'counter' })
  expect(await scan(row.tickets[0]?.qrCode)).toMatchObject({ look: 'allowed' })
  expect(await scan(row.tickets[0]?.qrCode)).toMatchObject({ look: 'refused', status: 'used' })
})

test('a lost answer is asked for again under the same key, also after a restart, and makes one order', async () => {
  const phone = await takeSeller()
  const mend = phone.fault(/admin\/orders$/, 'cutAfter')
  const draft = sale({ quantity: 3, admit: true })
  const key = newKey()
  expect(await online(draft, key)).toMatchObject({ type: 'unknown' })
  // What a phone that starts again has.
  const [asking] = (await readSelling()).sales
  expect(asking).toMatchObject({ key, state: 'asking', quantity: 3, admit: true, tickets: [] })
  if (!asking) throw new Error('The sale was lost')
  expect(await askAgain(asking)).toMatchObject({ type: 'unknown' })
  mend()
  expect(rowOf(await askAgain(asking))).toMatchObject({ state: 'done', total: 897, scanIds: { length: 3 } })
  expect(orders(phone)).toHaveLength(1)
  expect((await readSelling()).sales).toMatchObject([{ key, state: 'done' }])
})

test('a refusal counts only where it proves that nothing was sold', async () => {
  const phone = await takeSeller(SELLER, { totalTickets: 3 })
  expect(await online(sale({ quantity: 4 }))).toMatchObject({
    type: 'refused',
    message: expect.stringContaining('3'),
  })
  expect((await readSelling()).sales).toEqual([])
  const key = newKey()
  const mend = phone.fault(/admin\/orders$/, 'cutAfter')
  await online(sale({ quantity: 3 }), key)
  mend()
  // Refused before the server looks at the key: the first attempt may still have sold.
  const busy = phone.fault(/admin\/orders$/, () =>
    Response.json({ success: false, code: 'RATE_LIMITED', message: 'Later' }, { status: 429 }),
  )
  const [asking] = (await readSelling()).sales
  if (!asking) throw new Error('The sale was lost')
  expect(await askAgain(asking)).toMatchObject({ type: 'unknown' })
  busy()
  expect(await askAgain(asking)).toMatchObject({ type: 'sold' })
  // One that never arrived is refused for good once the seats are gone.
  const cut = phone.fault(/admin\/orders$/, 'cutBefore')
  const late = newKey()
  expect(await online(sale(), late)).toMatchObject({ type: 'unknown' })
  cut()
  const waiting = (await readSelling()).sales.find((row) => row.key === late)
  if (!waiting) throw new Error('The sale was lost')
  expect(await askAgain(waiting)).toEqual({
    type: 'refused',
    message: messageFor('SOLD_OUT', { remaining: 0 }),
    fields: new Map(),
    soldOut: true,
  })
  expect(orders(phone)).toHaveLength(1)
  expect((await readSelling()).sales).toHaveLength(1)
})

test('a sale is made at the price that the seller was shown, or not at all', async () => {
  const phone = await takeSeller()
  const dearer = { price: 349, groupPrice: 349 }
  const changed = { type: 'refused', message: messageFor('PRICE_CHANGED') }
  expect(await online(sale(), newKey(), dearer)).toMatchObject(changed)
  const cut = phone.fault(/admin\/orders$/, 'cutBefore')
  expect(await online(sale(), newKey(), dearer)).toMatchObject({ type: 'unknown' })
  cut()
  const [asking] = (await readSelling()).sales
  if (!asking) throw new Error('The sale was lost')
  expect(await askAgain(asking)).toMatchObject(changed)
  expect(orders(phone)).toEqual([])
  expect((await readSelling()).sales).toEqual([])
  expect(await online(sale())).toMatchObject({ type: 'sold' })
})

test('without an answer the seller may knowingly sell from the phone; the first sale stays marked as unknown', async () => {
  const phone = await takeSeller()
  await takeCodes(5)
  const mend = phone.fault(/admin\/orders$/, 'cutAfter')
  await online(sale({ quantity: 2 }))
  mend()
  phone.cut(true)
  const [asking] = (await readSelling()).sales
  if (!asking) throw new Error('The sale was lost')
  expect(rowOf(await sellHereInstead(asking))).toMatchObject({ state: 'unsent', quantity: 2 })
  expect((await readSelling()).sales.map(({ state }) => state).toSorted()).toEqual(['unknown', 'unsent'])
  phone.cut(false)
  expect(await replayOutbox()).toBe('empty')
  expect(orders(phone)).toHaveLength(2)
  expect(await brokenRules(phone.admin)).toEqual([])
})

test('two phones sell offline from their blocks; both come back, seats are right and the Books balance', async () => {
  const phone = await takeSeller(SELLER, { totalTickets: 12 })
  const other = await pairedPhone(phone.world, { name: 'Other', rights: RIGHTS })
  await takeCodes(6)
  const theirs = await (await other.client()).request('POST', '/api/devices/blocks', { size: 6 })
  const { block } = theirs.body as { block: { id: string; codes: { ticketId: string }[] } }
  expect(await takenSeats(phone.world)).toBe(12)
  expect(await online(sale())).toMatchObject({ type: 'refused' })
  phone.cut(true)
  const key = newKey()
  const [four, again] = await Promise.all([here(sale({ quantity: 4 }), key), here(sale({ quantity: 4 }), key)])
  expect(rowOf(four)).toMatchObject({ state: 'unsent', total: 996, tickets: { length: 4 } })
  expect(rowOf(again).tickets).toEqual(rowOf(four).tickets)
  expect(rowOf(await here(sale({ method: 'complimentary', reason: 'Crew' }))).total).toBe(0)
  expect(await codesLeft()).toBe(1)
  expect(await here(sale({ quantity: 2 }))).toEqual({ type: 'refused', message: SELL_HERE.tooFew, fields: new Map() })
  expect(await readUnsent()).toMatchObject({ count: 2, parked: 0 })
  phone.cut(false)
  const sent = {
    key: newKey(),
    ticketIds: [block.codes[0]?.ticketId],
    method: 'cash',
    soldAt: new Date().toISOString(),
  }
  await (await other.client()).request('POST', '/api/devices/sales', { sales: [sent] })
  await (await other.client()).request('POST', `/api/devices/blocks/${block.id}/return`)
  await returnUnsoldCodes()
  expect(await readUnsent()).toMatchObject({ count: 0 })
  expect(await codesLeft()).toBe(0)
  expect(await takenSeats(phone.world)).toBe(6)
  const [theirOrder, ...ownOrders] = orders(phone)
  expect(theirOrder).toMatchObject({ quantity: 1, by: 'Other', paise: 29_900 })
  expect(ownOrders).toHaveLength(2)
  // Sold within one millisecond, either may be sent first.
  expect(ownOrders).toContainEqual(expect.objectContaining({ quantity: 4, by: 'Ravi', paise: 99_600 }))
  expect(ownOrders).toContainEqual(
    expect.objectContaining({ quantity: 1, by: 'Ravi', provider: 'complimentary', paise: 0 }),
  )
  expect(await brokenRules(phone.admin)).toEqual([])
})

test('offline a phone stops by itself at the tickets without cash that the desk has not looked at', async () => {
  const phone = await takeSeller(SELLER, { totalTickets: 300 })
  const given = (quantity: number) => sale({ method: 'complimentary', reason: 'Crew', quantity })
  for (let n = 0; n < 2; n += 1) await takeCodes(100)
  rowOf(await online(given(10)))
  await refreshBlocks()
  phone.cut(true)
  for (let n = 0; n < 3; n += 1) rowOf(await here(given(50)))
  const limit = { type: 'refused', message: messageFor('UNPROVEN_LIMIT') }
  expect(await here(given(41))).toMatchObject(limit)
  rowOf(await here(given(40)))
  expect(await here(given(1))).toMatchObject(limit)
  expect(rowOf(await here(sale()))).toMatchObject({ state: 'unsent', method: 'cash' })
  // Sales that the server has heard of still count, until somebody at the desk has looked.
  phone.cut(false)
  await refreshBlocks()
  await replayOutbox()
  phone.cut(true)
  expect(await here(given(1))).toMatchObject(limit)
  phone.cut(false)
  const id = pairingNow()?.device.id ?? ''
  const { sales } = (await phone.admin.request('GET', `/api/admin/devices/${id}/sales`)).body as {
    sales: { order: string }[]
  }
  const body = { orders: sales.map(({ order }) => order) }
  expect(await phone.admin.request('POST', `/api/admin/devices/${id}/sales/looked`, body)).toMatchObject({
    status: 200,
  })
  await refreshBlocks()
  phone.cut(true)
  rowOf(await here(given(5)))
  phone.cut(false)
  await replayOutbox()
  expect(await readUnsent()).toMatchObject({ count: 0, parked: 0 })
  expect(await brokenRules(phone.admin)).toEqual([])
})

test('a code sold here admits at this phone before the server knows of it, and never twice', async () => {
  const phone = await takeSeller()
  await takeCodes(3)
  phone.cut(true)
  const [code, next] = rowOf(await here(sale({ quantity: 2, name: 'Meera' }))).tickets.map(({ qrCode }) => qrCode)
  const unsold = (await readBlocks())[0]?.codes[0]?.qrCode
  expect(await scan(unsold)).toMatchObject({ look: 'refused', title: expect.stringContaining('Not') })
  expect(await scan(code)).toMatchObject({ look: 'pending', name: 'Meera' })
  expect(await scan(code)).toMatchObject({ look: 'refused', status: 'used' })
  // Back online, before anything is sent: only this phone knows of the sale.
  phone.cut(false)
  loadSold((await readSelling()).sales)
  expect(await scan(next)).toMatchObject({ look: 'pending' })
  expect(await replayOutbox()).toBe('empty')
  expect(await scan(code)).toMatchObject({ look: 'refused', status: 'used' })
  expect(rows(phone, 'select outcome, count(*) as n from scans group by outcome')).toEqual([
    { outcome: 'admitted', n: 2 },
  ])
  expect(rows(phone, 'select count(*) as n from conflicts')).toEqual([{ n: 0 }])
})

test('sold and let in offline in one step: one scan for each ticket, and one can be undone before it is sent', async () => {
  const phone = await takeSeller()
  await takeCodes(3)
  phone.cut(true)
  const row = rowOf(await here(sale({ quantity: 3, admit: true, name: 'Meera' })))
  expect(await readTally(eveningNow())).toMatchObject({ scanned: 3, valid: 3 })
  expect(await scan(row.tickets[0]?.qrCode)).toMatchObject({ look: 'refused', status: 'used' })
  // The phone restarts: everything is on its disk.
  loadRoster({ entries: [], admitted: [], meta: null })
  const history = await readHistory()
  const undone = history.find(({ scanId }) => scanId === row.scanIds?.[2])
  if (!undone) throw new Error('The history has no such scan')
  expect(await undoOwnAdmission(undone)).toMatchObject({ ok: true })
  expect(await readUnsent()).toMatchObject({ count: 4 })
  phone.cut(false)
  expect(await replayOutbox()).toBe('empty')
  expect(await readUnsent()).toMatchObject({ count: 0 })
  expect(rows(phone, 'select status, count(*) as n from tickets group by status order by status')).toEqual([
    { status: 'active', n: 1 },
    { status: 'used', n: 2 },
  ])
  expect(rows(phone, 'select count(*) as n, sum(undone_at is not null) as undone from scans')).toEqual([
    { n: 3, undone: 1 },
  ])
  expect(rows(phone, 'select count(*) as n from conflicts')).toEqual([{ n: 0 }])
  expect((await readHistory()).filter(({ ending }) => ending === 'admitted')).toHaveLength(2)
  expect(await brokenRules(phone.admin)).toEqual([])
})

test('sold offline, people count at the gate where they bought, although the desk moved the phone before it reports', async () => {
  const phone = await takeSeller({ ...SELLER, gates: ['North'] })
  await takeCodes(2)
  phone.cut(true)
  rowOf(await here(sale({ quantity: 2, admit: true })))
  await phone.change({ gates: ['South'] })
  phone.cut(false)
  expect(await replayOutbox()).toBe('empty')
  expect(rows(phone, 'select gate, count(*) as n from scans group by gate')).toEqual([{ gate: 'North', n: 2 }])
  expect(rows(phone, 'select distinct entry_gate from tickets')).toEqual([{ entry_gate: 'North' }])
})

test('a sale by UPI waits for the bank: the phone shows where to pay, and holds no codes', async () => {
  const phone = await takeSeller()
  expect(await online(sale({ method: 'upi', admit: true }))).toMatchObject({ type: 'refused' })
  const draft = sale({ method: 'upi', reference: '123456789012' })
  const key = newKey()
  const row = rowOf(await online(draft, key))
  expect(row).toMatchObject({ state: 'done', tickets: [], payLink: expect.stringContaining('upi://pay') })
  expect(rows(phone, 'select o.state, p.utr from orders o join payments p on p.order_id = o.id')).toMatchObject([
    { state: 'held', utr: '123456789012' },
  ])
  expect(rowOf(await online(draft, key)).order).toBe(row.order)
})

test('without an open drawer nothing is sold for cash online, and offline the cash counts as outside of it', async () => {
  const phone = await takeSeller()
  await takeCodes(2)
  const drawer = (await readSelling()).cash?.session
  await closeCash(drawer?.id ?? '', { counted: 0 })
  expect(await online(sale())).toMatchObject({ type: 'refused', message: messageFor('NO_OPEN_DRAWER') })
  phone.cut(true)
  await here(sale())
  phone.cut(false)
  expect(await replayOutbox()).toBe('empty')
  await openCash(100)
  expect(rows(phone, 'select cash_session_id as drawer, amount_paise as paise from payments')).toEqual([
    { drawer: null, paise: 29_900 },
  ])
  const { cash, sales } = await readSelling()
  const session = findCashSession(cash)
  expect(session && cashInHand(session, sales)).toBe(100)
  // The network may go before the phone can ask for the drawer again.
  await online(sale({ quantity: 4 }))
  const after = await readSelling()
  const drawerNow = findCashSession(after.cash)
  expect(drawerNow && cashInHand(drawerNow, after.sales)).toBe(1_096)
})

test('sales of two shifts that the server had not heard of keep their sellers', async () => {
  const phone = await takeSeller()
  await takeCodes(3)
  phone.cut(true)
  await startShift('Hetal')
  await here(sale())
  await startShift('Meera')
  await here(sale())
  phone.cut(false)
  expect(await replayOutbox()).toBe('empty')
  expect(orders(phone)).toMatchObject([{ by: 'Hetal' }, { by: 'Meera' }])
})
