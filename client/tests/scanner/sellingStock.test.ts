import { messageFor } from '@garba/shared/messages/codes'
import { TRANSPORT } from '@garba/shared/messages/common'
import { ulidOf } from '@garba/shared/testing/ids'
import { expect, test, vi } from 'vitest'
import { takenSeats } from '../../../server/src/testing/blocks.ts'
import { useEpoch } from '../../src/platform/http/epoch.ts'
import { serverNow } from '../../src/platform/net/clock.ts'
import { forgetGuests } from '../../src/platform/store/scannerData.ts'
import { pairingNow } from '../../src/scanner/core/pairing.ts'
import { findTickets, listFindableTickets } from '../../src/scanner/screens/lists/FindTicket.tsx'
import { readUnsent, unparkAll } from '../../src/scanner/store/outbox.ts'
import { findableEntries } from '../../src/scanner/store/rosterMemory.ts'
import { readBlocks, readSelling } from '../../src/scanner/store/sales.ts'
import { refreshStored } from '../../src/scanner/store/useStored.ts'
import { refreshBlocks, returnUnsoldCodes, takeCodes } from '../../src/scanner/sync/blocks.ts'
import { cashInHand, closeCash, findCashSession, openCash, refreshCash } from '../../src/scanner/sync/cash.ts'
import { pairPhone, refreshDevice, startShift } from '../../src/scanner/sync/pairing.ts'
import { replayOutbox } from '../../src/scanner/sync/replay.ts'
import { listSaleProblems } from '../../src/scanner/sync/sell.ts'
import { syncRoster } from '../../src/scanner/sync/syncRoster.ts'
import { fillDevice, newCode } from '../../src/scanner/testing/phone.ts'
import {
  codesLeft,
  here,
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
  expect(await replayOutbox()).toBe('empty')
  expect(await readUnsent()).toMatchObject({ count: 1, parked: 1 })
  const { sales } = await readSelling()
  expect(sales.find(({ key }) => key === bad.key)?.parked).toMatchObject({ code: 'TICKET_NOT_FOUND' })
  expect(sales.find(({ key }) => key === good.key)).toMatchObject({ state: 'done', order: expect.any(String) })
  phone.world
    .sqliteStore()
    .sqlite.prepare('update block_codes set ticket_id = ? where ticket_id = ?')
    .run(bad.tickets[0]?.id, ulidOf(9))
  await unparkAll()
  expect(await replayOutbox()).toBe('empty')
  expect(await readUnsent()).toMatchObject({ count: 0, parked: 0 })
  expect(orders(phone)).toHaveLength(2)
})

test('paired as another device, a phone sells no codes of the one it was and asks for none of its sales; what it sold waits for that pairing', async () => {
  const phone = await takeSeller()
  await takeCodes(2)
  const mend = phone.fault(/admin\/orders$/, 'cutAfter')
  await online(sale({ quantity: 3 }))
  mend()
  phone.cut(true)
  const { key } = rowOf(await here(sale()))
  phone.cut(false)
  const { code } = await newCode(phone.admin, SELLER)
  expect(await pairPhone(code)).toEqual({ ok: true })
  expect(await codesLeft()).toBe(0)
  expect(await replayOutbox()).toBe('empty')
  const waiting = { key, state: 'unsent', parked: { message: SELL_HERE.otherDevice } }
  expect((await readSelling()).sales).toMatchObject([waiting, { quantity: 3, state: 'unknown' }])
  expect(orders(phone)).toHaveLength(1)
  // That sale has nothing to do with what the phone takes now.
  await takeCodes(2)
  expect(await returnUnsoldCodes()).toBe(true)
  expect(await readBlocks()).toEqual([])

  const again = await phone.admin.request('PATCH', `/api/admin/devices/${phone.id}`, { renewCode: true })
  const { pairing } = again.body as { pairing: { code: string } }
  expect(await pairPhone(pairing.code)).toEqual({ ok: true })
  await unparkAll()
  expect(await replayOutbox()).toBe('empty')
  expect((await readSelling()).sales).toMatchObject([
    { key, state: 'done' },
    { quantity: 3, state: 'unknown' },
  ])
  expect(orders(phone)).toHaveLength(2)
})

test('tickets of a sale that was not sent yet are one party, found by the buyer’s name and number; the sent ones stay so', async () => {
  const phone = await takeSeller({ ...SELLER, rights: [...SELLER.rights, 'find'] })
  await takeCodes(3)
  phone.cut(true)
  const bought = { quantity: 2, name: 'Kiran Shah', phone: '+91 98250 12345' }
  const { tickets } = rowOf(await here(sale(bought)))
  await here(sale())
  const found = (typed: string) =>
    findTickets(listFindableTickets(findableEntries()), typed).parties.map(({ entries }) => entries.map(({ id }) => id))
  const party = [expect.arrayContaining(tickets.map(({ id }) => id))]
  for (const typed of ['kiran', '12345', '919825012345']) expect(found(typed)).toEqual(party)
  phone.cut(false)
  expect(await replayOutbox()).toBe('empty')
  await syncRoster()
  await refreshStored(['sales'])
  const [order] = rows(phone, "select code from orders where buyer_name = 'Kiran Shah'") as { code: string }[]
  for (const typed of ['kiran', '12345', order?.code ?? '']) expect(found(typed)).toEqual(party)
})

test('a sale that the server only noted made no tickets, so its codes let nobody in without a network either', async () => {
  const phone = await takeSeller()
  await takeCodes(1)
  phone.cut(true)
  await phone.change({ rights: ['scan'] })
  phone.world.clock.forward(60_000)
  vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ['Date'] })
  const [ticket] = rowOf(await here(sale())).tickets
  phone.cut(false)
  expect(await replayOutbox()).toBe('empty')
  expect((await readSelling()).sales).toMatchObject([{ state: 'done', noted: true }])
  for (const isCut of [false, true]) {
    phone.cut(isCut)
    expect(await scan(ticket?.qrCode)).toMatchObject({ look: 'refused', refusal: { code: 'NOT_ACTIVATED' } })
  }
  expect(findableEntries()).toEqual([])
  vi.useRealTimers()
})

test('codes of a sale that the server rejected do not go back while the sale may still be sent', async () => {
  const phone = await takeSeller()
  await takeCodes(3)
  phone.cut(true)
  const [ticket] = rowOf(await here(sale())).tickets
  phone.cut(false)
  const { sqlite } = phone.world.sqliteStore()
  const rename = sqlite.prepare('update block_codes set ticket_id = ? where ticket_id = ?')
  rename.run(ulidOf(9), ticket?.id)
  expect(await replayOutbox()).toBe('empty')
  rename.run(ticket?.id, ulidOf(9))
  expect(await readUnsent()).toMatchObject({ count: 1, parked: 1 })
  expect(await returnUnsoldCodes()).toBe(false)
  await refreshBlocks()
  expect(await takenSeats(phone.world)).toBe(3)
  await unparkAll()
  expect(await replayOutbox()).toBe('empty')
  await refreshBlocks()
  expect(rows(phone, 'select status from tickets')).toEqual([{ status: 'active' }])
  expect(rows(phone, 'select state, count(*) as n from block_codes group by state order by state')).toEqual([
    { state: 'returned', n: 2 },
    { state: 'sold', n: 1 },
  ])
  expect(await readBlocks()).toEqual([])
})

test('codes on their way back are sold no more, and a lost answer gives nothing away', async () => {
  const phone = await takeSeller()
  await takeCodes(5)
  const mend = phone.fault(/blocks\/.*\/return$/, 'cutAfter')
  await expect(returnUnsoldCodes()).rejects.toThrow()
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
  const lease = Date.parse(pairingNow()?.device.endsAt ?? '')
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
  await online(sale())
  await refreshCash()
  const shown = async () => {
    const { cash, sales } = await readSelling()
    const session = findCashSession(cash)
    return session ? cashInHand(session, sales) : session
  }
  expect(await shown()).toBe(299)
  phone.cut(true)
  await here(sale({ quantity: 2 }))
  await here(sale({ method: 'upi' }))
  await refreshCash()
  expect(await shown()).toBe(897)
  phone.cut(false)
  await replayOutbox()
  await refreshCash()
  expect(await shown()).toBe(897)
  const { cash } = await readSelling()
  const closed = await closeCash(findCashSession(cash)?.id ?? '', { counted: 800, note: 'Wrong change' })
  expect(closed).toMatchObject({ expected: 897, counted: 800, difference: -97 })
  expect(await shown()).toBeNull()
  await openCash(100)
  await startShift('Hetal')
  expect(await shown()).toBeUndefined()
  await vi.waitFor(() => expect(pairingNow()?.shift).toEqual({ name: 'Hetal', sent: true }), 30_000)
})

test('a seller whose shift the server has not heard of yet sells and opens no drawer for the shift before', async () => {
  const phone = await takeSeller()
  phone.cut(true)
  await startShift('Hetal')
  phone.cut(false)
  const mend = phone.fault(/devices\/shift$/, 'cutBefore')
  expect(await online(sale())).toMatchObject({ type: 'refused', message: TRANSPORT.noResponse })
  await expect(openCash(50)).rejects.toThrow(TRANSPORT.noResponse)
  mend()
  expect(await online(sale())).toMatchObject({ type: 'refused', message: messageFor('NO_OPEN_DRAWER') })
  await openCash(0)
  await online(sale())
  expect(orders(phone)).toMatchObject([{ by: 'Hetal' }])
  expect(rows(phone, 'select person_name as by from cash_sessions order by opened_at')).toHaveLength(2)
})

test('a shift that only a replaced server knows of is reported to the one that took over', async () => {
  const phone = await takeSeller()
  useEpoch.setState({ epoch: phone.world.clock.now().getTime() })
  await startShift('Hetal')
  await refreshDevice()
  expect(await online(sale())).toMatchObject({ type: 'refused', message: TRANSPORT.noResponse })
  useEpoch.setState({ epoch: -1 })
  await refreshDevice()
  expect(pairingNow()?.shift).toEqual({ name: 'Hetal', sent: true })
})

test('what is missing in the form is named in the contract’s words', () => {
  expect(listSaleProblems(sale())).toEqual(new Map())
  expect([...listSaleProblems(sale({ method: 'complimentary', phone: '12' })).keys()].toSorted()).toEqual([
    'phone',
    'reason',
  ])
})
