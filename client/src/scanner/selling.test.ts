import { RIGHTS } from '@garba/shared/contracts/names'
import { messageFor } from '@garba/shared/messages/codes'
import { SELL_HERE } from '@garba/shared/messages/scannerSell'
import { ulidOf } from '@garba/shared/testing/ids'
import { expect, test, vi } from 'vitest'
import { brokenRules, takenSeats } from '../../../server/src/testing/blocks.ts'
import { pairedPhone } from '../../../server/src/testing/phone.ts'
import { PAYING } from '../../../server/src/testing/world.ts'
import { serverNow } from '../platform/net/clock.ts'
import { forgetGuests } from '../platform/store/scannerData.ts'
import { eveningNow } from './core/clock.ts'
import { pairingNow } from './core/pairing.ts'
import { codesIn, type Draft } from './core/sale.ts'
import { decide } from './scan/decide.ts'
import { finish } from './scan/finish.ts'
import { readBlocks } from './store/blocks.ts'
import { readHistory, readTally } from './store/history.ts'
import { readUnsent, unparkAll } from './store/outbox.ts'
import { knownTicket, loadRoster, loadSold } from './store/rosterMemory.ts'
import { readSelling } from './store/sales.ts'
import { refreshBlocks, returnCodes, takeCodes } from './sync/blocks.ts'
import { cashInHand, closeCash, openCash, refreshCash, sessionOf } from './sync/cash.ts'
import { refreshDevice, startShift } from './sync/pairing.ts'
import { replay } from './sync/replay.ts'
import { askAgain, problemsOf, type SaleEnd, sellHere, sellHereInstead, sellOnline } from './sync/sell.ts'
import { syncRoster } from './sync/syncRoster.ts'
import { undoAdmission } from './sync/undo.ts'
import { fillDevice, made, type PairedPhone, takePairedPhone } from './testing/phone.ts'

const SELLER = { name: 'Door', rights: ['scan', 'undo', 'sell', 'complimentary'] }
const takeSeller = (device: Record<string, unknown> = SELLER, event: Record<string, unknown> = {}) =>
  takePairedPhone(device, { settings: PAYING }, event)

const sale = (over: Partial<Draft> = {}): Draft => ({
  quantity: 1,
  method: 'cash',
  name: '',
  phone: '',
  reason: '',
  admit: false,
  ...over,
})
const newKey = () => crypto.randomUUID()
const online = (draft: Draft, key = newKey()) => sellOnline({ key, draft, total: 299 })
const here = (draft: Draft, key = newKey()) => sellHere({ key, draft })

function rowOf(end: SaleEnd) {
  if (end.type !== 'sold') throw new Error(`Not sold: ${end.message}`)
  return end.row
}
async function scan(text: string | null | undefined) {
  const scanned = await made({ type: 'code', text: text ?? '' })
  return finish(await decide(scanned), scanned)
}
const rows = ({ world }: PairedPhone, sql: string) => world.sqliteStore().sqlite.prepare(sql).all()
const orders = (phone: PairedPhone) =>
  rows(
    phone,
    'select channel, quantity, provider, buyer_name as name, seller_name as by, total_paise as paise from orders order by rowid',
  )
const codesLeft = async () => codesIn(await readBlocks())

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
  expect(knownTicket(rowOf(first).tickets[0]?.id ?? '')).toMatchObject({ status: 'used', name: 'રાધા' })
  const { sales } = await readSelling()
  expect(sales).toMatchObject([{ key, state: 'done' }])
})

test('sold online without a name, to be shown as codes: these admit, once', async () => {
  const phone = await takeSeller()
  const row = rowOf(await online(sale({ quantity: 2, method: 'upi' })))
  expect(orders(phone)).toMatchObject([{ name: 'Sold at the door', provider: 'upi', paise: 59_800 }])
  await syncRoster()
  expect(knownTicket(row.tickets[1]?.id ?? '')).toMatchObject({ status: 'active', kind: 'counter' })
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
  expect(await replay()).toBe('empty')
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
  await returnCodes()
  expect(await readUnsent()).toMatchObject({ count: 0 })
  expect(await codesLeft()).toBe(0)
  expect(await takenSeats(phone.world)).toBe(6)
  expect(orders(phone)).toMatchObject([
    { quantity: 1, by: 'Other', paise: 29_900 },
    { quantity: 4, by: 'Ravi', paise: 99_600 },
    { quantity: 1, by: 'Ravi', provider: 'complimentary', paise: 0 },
  ])
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
  expect(await replay()).toBe('empty')
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
  expect(await undoAdmission(undone)).toMatchObject({ ok: true })
  expect(await readUnsent()).toMatchObject({ count: 4 })
  phone.cut(false)
  expect(await replay()).toBe('empty')
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

test('a phone that cannot keep a sale sells nothing, and says so', async () => {
  const phone = await takeSeller()
  await takeCodes(2)
  phone.cut(true)
  const makeRoom = fillDevice(['sales'])
  expect(await here(sale({ admit: true }))).toMatchObject({ type: 'refused', message: SELL_HERE.notStored.full })
  expect(await online(sale())).toMatchObject({ type: 'refused', message: SELL_HERE.notStored.full })
  makeRoom()
  expect(await codesLeft()).toBe(2)
  expect(await readUnsent()).toMatchObject({ count: 0 })
  expect((await readSelling()).sales).toEqual([])
  phone.cut(false)
  expect(orders(phone)).toEqual([])
})

test('a sale that the server rejects is set aside with its reason, holds nothing up, and is tried again on request', async () => {
  const phone = await takeSeller()
  await takeCodes(2)
  phone.cut(true)
  const [bad, good] = [rowOf(await here(sale())), rowOf(await here(sale({ method: 'upi' })))]
  phone.cut(false)
  phone.world
    .sqliteStore()
    .sqlite.prepare('update block_codes set ticket_id = ? where ticket_id = ?')
    .run(ulidOf(9), bad.tickets[0]?.id)
  expect(await replay()).toBe('empty')
  expect(await readUnsent()).toMatchObject({ count: 1, parked: 1 })
  const { sales } = await readSelling()
  expect(sales.find(({ key }) => key === bad.key)?.parked).toMatchObject({ code: 'TICKET_NOT_FOUND' })
  expect(sales.find(({ key }) => key === good.key)).toMatchObject({ state: 'done', order: expect.any(String) })
  phone.world
    .sqliteStore()
    .sqlite.prepare('update block_codes set ticket_id = ? where ticket_id = ?')
    .run(bad.tickets[0]?.id, ulidOf(9))
  await unparkAll()
  expect(await replay()).toBe('empty')
  expect(await readUnsent()).toMatchObject({ count: 0, parked: 0 })
  expect(orders(phone)).toHaveLength(2)
})

test('codes on their way back are sold no more, and a lost answer gives nothing away', async () => {
  const phone = await takeSeller()
  await takeCodes(5)
  const mend = phone.fault(/blocks\/.*\/return$/, 'cutAfter')
  await expect(returnCodes()).rejects.toThrow()
  expect(await here(sale())).toMatchObject({ type: 'refused', message: SELL_HERE.tooFew })
  mend()
  await refreshBlocks()
  expect(await readBlocks()).toEqual([])
  expect(await takenSeats(phone.world)).toBe(0)
  // Codes whose answer was lost are found with the next refresh.
  const lost = phone.fault(/devices\/blocks$/, 'cutAfter')
  await expect(takeCodes(3)).rejects.toThrow()
  lost()
  await refreshBlocks()
  expect(await codesLeft()).toBe(3)
})

test('past the lease nothing is sold, and a phone without the right gets no codes and returns those it has', async () => {
  const phone = await takeSeller()
  await takeCodes(4)
  await phone.change({ rights: ['scan'] })
  expect(await online(sale())).toMatchObject({ type: 'refused', message: messageFor('FORBIDDEN') })
  await expect(takeCodes(1)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await refreshDevice()
  await refreshBlocks()
  expect(await readBlocks()).toEqual([])
  expect(await takenSeats(phone.world)).toBe(0)
  await phone.change({ rights: ['scan', 'sell'] })
  await refreshDevice()
  expect(await online(sale({ method: 'complimentary', reason: 'Crew' }))).toMatchObject({ type: 'refused' })
  await takeCodes(1)
  const lease = Date.parse((await readBlocks())[0]?.leaseUntil ?? '')
  vi.useFakeTimers({ now: Date.now() + lease - serverNow().getTime() + 60_000, toFake: ['Date'] })
  expect(await here(sale())).toMatchObject({ type: 'refused' })
  vi.useRealTimers()
})

test('the end of the pairing erases codes and sent sales; unsent ones stay', async () => {
  const phone = await takeSeller()
  await takeCodes(3)
  await online(sale({ name: 'Garima' }))
  phone.cut(true)
  await here(sale({ name: 'Meera' }))
  await forgetGuests()
  expect(await readSelling()).toMatchObject({ blocks: [], sales: [{ state: 'unsent', name: 'Meera' }] })
  phone.cut(false)
})

test('cash in hand is the server’s figure and what it does not know yet, by shift', async () => {
  const phone = await takeSeller()
  await takeCodes(4)
  await openCash(500)
  await online(sale())
  await refreshCash()
  const shown = async () => {
    const { cash, sales } = await readSelling()
    const session = sessionOf(cash)
    return session ? cashInHand(session, sales) : session
  }
  expect(await shown()).toBe(799)
  phone.cut(true)
  await here(sale({ quantity: 2 }))
  await here(sale({ method: 'upi' }))
  await refreshCash()
  expect(await shown()).toBe(1_397)
  phone.cut(false)
  await replay()
  await refreshCash()
  expect(await shown()).toBe(1_397)
  const { cash } = await readSelling()
  const closed = await closeCash(sessionOf(cash)?.id ?? '', 1_300)
  expect(closed).toMatchObject({ expected: 1_397, counted: 1_300, difference: -97 })
  expect(await shown()).toBeNull()
  await openCash(100)
  await startShift('Hetal')
  expect(await shown()).toBeUndefined()
  await vi.waitFor(() => expect(pairingNow()?.shift).toEqual({ name: 'Hetal', sent: true }))
})

test('what the form lacks is said in the contract’s words', () => {
  expect(problemsOf(sale())).toEqual(new Map())
  expect([...problemsOf(sale({ method: 'complimentary', phone: '12' })).keys()].toSorted()).toEqual(['phone', 'reason'])
})
