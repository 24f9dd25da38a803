import type { Ticket } from '@garba/shared/contracts/ticket'
import { expect, onTestFinished, test, vi } from 'vitest'
import { codeOf } from '../../../server/src/testing/scenes.ts'
import { useEpoch } from '../../src/platform/http/epoch.ts'
import { probeServer } from '../../src/platform/net/connectivity.ts'
import type { Subject } from '../../src/scanner/core/scan.ts'
import { asBefore } from '../../src/scanner/scan/askServer.ts'
import { decideScan } from '../../src/scanner/scan/decide.ts'
import { finishScan } from '../../src/scanner/scan/finish.ts'
import { dismissVerdict, seeCode, useScan } from '../../src/scanner/scan/machine.ts'
import { AIMING } from '../../src/scanner/scan/step.ts'
import { useTrouble } from '../../src/scanner/store/failure.ts'
import { readUnsent } from '../../src/scanner/store/outbox.ts'
import { readHistory } from '../../src/scanner/store/record.ts'
import { findKnownTicket } from '../../src/scanner/store/rosterMemory.ts'
import { connectionNow } from '../../src/scanner/sync/connection.ts'
import { sendOutbox, useReplay } from '../../src/scanner/sync/replayer.ts'
import { syncRoster } from '../../src/scanner/sync/syncRoster.ts'
import { undoOwnAdmission } from '../../src/scanner/sync/undoAdmission.ts'
import {
  byCode,
  type Fault,
  fillDevice,
  listed,
  made,
  outdateList,
  type Phone,
  stored,
  takePhone,
} from '../../src/scanner/testing/phone.ts'
import { SCAN_NOTES } from '../../src/scanner/texts/scanner.ts'

async function scan(subject: Subject) {
  const { scan, station } = await made(subject)
  const scanned = { scan: asBefore(scan), station }
  return finishScan(await decideScan(scanned), scanned)
}

/** The outbox has emptied, and the server has each scan once, as an admission. */
async function expectArrivedOnce({ world }: Phone, tickets: readonly Ticket[]) {
  await sendOutbox()
  await vi.waitFor(() => expect(useReplay.getState().status).toBe('idle'), { timeout: 20_000 })
  expect((await readUnsent()).count).toBe(0)
  const rows = world.sqliteStore().sqlite.prepare('select ticket_id as id, outcome from scans order by rowid').all()
  expect(rows).toEqual(tickets.map(({ _id }) => ({ id: _id, outcome: 'admitted' })))
  expect((await readHistory()).map(({ ending }) => ending)).toEqual(tickets.map(() => 'admitted'))
}

const PENDING = { look: 'pending', by: 'device', name: 'Garima Guest' }

test.each<[string, RegExp, Fault, 'current' | 'old']>([
  ['before verify', /verify-qr$/, 'cutBefore', 'old'],
  ['between verify and mark', /mark-used$/, 'cutBefore', 'old'],
  ['after mark, before its answer', /mark-used$/, 'cutAfter', 'old'],
  ['before a mark without verify', /mark-used$/, 'cutBefore', 'current'],
  ['after a mark without verify', /mark-used$/, 'cutAfter', 'current'],
])(
  'the network cut %s: the person goes in as pending, and the scan arrives once',
  async (_where, path, fault, list) => {
    const phone = await takePhone()
    const [ticket] = await listed(phone)
    if (list === 'old') await outdateList()
    phone.fault(path, fault)
    expect(await scan(byCode(ticket))).toMatchObject(PENDING)
    await expectArrivedOnce(phone, [ticket])
  },
)

test.each<[string, () => Response]>([
  [
    'a captive portal',
    () => new Response('<h1>Welcome to our Wi-Fi</h1>', { headers: { 'Content-Type': 'text/html' } }),
  ],
  [
    'a gateway that has lost the server',
    () => new Response('Bad Gateway', { status: 502, headers: { 'Content-Type': 'text/html' } }),
  ],
])('%s counts as offline: the device decides, and what it let in arrives once', async (_name, answer) => {
  const phone = await takePhone()
  const [first, second] = await listed(phone, 2)
  if (!second) throw new Error('Two tickets were bought')
  const mend = phone.fault(/./, answer)
  expect(await scan(byCode(first))).toMatchObject(PENDING)
  expect(connectionNow()).toEqual({ type: 'device', why: 'offline' })
  phone.asked()
  expect(await scan(byCode(second))).toMatchObject(PENDING)
  expect(phone.asked().filter((path) => path.includes('/tickets/'))).toEqual([])
  expect(await scan(byCode(first))).toMatchObject({
    look: 'refused',
    by: 'device',
    title: 'Ticket Already Used',
    detail: expect.stringContaining('by Chetan Checker'),
  })
  mend()
  expect(await probeServer()).toBe(true)
  expect(connectionNow()).toEqual({ type: 'server' })
  await sendOutbox()
  expect((await readUnsent()).count).toBe(0)
  expect(
    phone.world.sqliteStore().sqlite.prepare('select outcome, count(*) as n from scans group by outcome').all(),
  ).toEqual([{ outcome: 'admitted', n: 2 }])
})

test('a server that has been replaced lets nobody in and gets no scan, because they are for the server that took over', async () => {
  const phone = await takePhone()
  const [first, second] = await listed(phone, 2)
  if (!second) throw new Error('Two tickets were bought')
  phone.cut(true)
  expect(await scan(byCode(first))).toMatchObject(PENDING)
  useEpoch.setState({ epoch: phone.world.clock.now().getTime() })
  phone.cut(false)
  expect(await scan(byCode(second))).toMatchObject(PENDING)
  await sendOutbox()
  expect((await readUnsent()).count).toBe(2)
  useEpoch.setState({ epoch: -1 })
  await expectArrivedOnce(phone, [first, second])
})

test('a ticket with an unsent scan is refused here, even while a server answers that does not know the scan', async () => {
  const phone = await takePhone()
  const [ticket] = await listed(phone)
  phone.cut(true)
  expect(await scan(byCode(ticket))).toMatchObject(PENDING)
  phone.cut(false)
  const mend = phone.fault(/batch$/, 'cutBefore')
  expect(connectionNow()).toEqual({ type: 'server' })
  expect(await scan(byCode(ticket))).toMatchObject({
    look: 'refused',
    by: 'device',
    title: 'Ticket Already Used',
    detail: expect.stringContaining('by Chetan Checker'),
  })
  mend()
  await sendOutbox()
  expect(phone.world.sqliteStore().sqlite.prepare('select outcome from scans').all()).toEqual([{ outcome: 'admitted' }])
  expect(phone.world.sqliteStore().sqlite.prepare('select id from conflicts').all()).toEqual([])
})

test('a full device gives no green and no amber by itself, and says what to do; the server still lets people in', async () => {
  const phone = await takePhone()
  const [first, second, third] = await listed(phone, 3)
  if (!second || !third) throw new Error('Three tickets were bought')
  const makeRoom = fillDevice(['qr_scan_history'])
  phone.cut(true)
  expect(await scan(byCode(first))).toMatchObject({
    look: 'refused',
    title: 'Failed to Process Entry',
    detail: expect.stringContaining('no room left to save the scan. Free some storage'),
  })
  expect(useTrouble.getState()).toEqual({ trouble: 'full' })
  expect((await stored()).outbox).toBe(0)
  phone.cut(false)
  expect(await scan(byCode(second))).toMatchObject({ look: 'allowed', by: 'server' })
  expect(phone.world.sqliteStore().sqlite.prepare('select ticket_id as id, outcome from scans').all()).toEqual([
    { id: second._id, outcome: 'admitted' },
  ])
  makeRoom()
  expect(await scan(byCode(third))).toMatchObject({ look: 'allowed', by: 'server' })
  await vi.waitFor(() => expect(useTrouble.getState()).toEqual({ trouble: null }))
})

/** The device is full, and the server's answer is lost; then both are as they were. */
async function turnAway(phone: Phone, { ticket, fault }: { ticket: Ticket; fault: Fault }) {
  const makeRoom = fillDevice(['tally'], 1)
  const mend = phone.fault(/mark-used$/, fault)
  expect(await scan(byCode(ticket))).toMatchObject({ look: 'refused', title: 'Failed to Process Entry' })
  makeRoom()
  mend()
}

test('the undo of a scan that was first tried on a full device reaches the server, which may have admitted', async () => {
  const phone = await takePhone()
  const [ticket] = await listed(phone)
  await turnAway(phone, { ticket, fault: 'cutAfter' })
  phone.cut(true)
  expect(await scan(byCode(ticket))).toMatchObject(PENDING)
  const [newest] = await readHistory()
  expect(newest && (await undoOwnAdmission(newest))).toMatchObject({ ok: true, words: SCAN_NOTES.undoQueued })
  expect((await readHistory()).map(({ ending }) => ending)).toEqual(['undone', 'failed'])
  phone.cut(false)
  await sendOutbox()
  expect((await readUnsent()).count).toBe(0)
  const { sqlite } = phone.world.sqliteStore()
  expect(sqlite.prepare('select status from tickets').all()).toEqual([{ status: 'active' }])
  expect(sqlite.prepare('select undone_at is null as standing from scans').all()).toEqual([{ standing: 0 }])
})

test('an undo that only the server could store counts as done, and its ticket is let in again', async () => {
  const phone = await takePhone()
  const [ticket] = await listed(phone)
  expect(await scan(byCode(ticket))).toMatchObject({ look: 'allowed', by: 'server' })
  await vi.waitFor(async () => expect(await readHistory()).toHaveLength(1))
  const [newest] = await readHistory()
  fillDevice(['tally'])
  expect(newest && (await undoOwnAdmission(newest))).toEqual({ ok: true, words: SCAN_NOTES.undone })
  expect(phone.world.sqliteStore().sqlite.prepare('select status from tickets').all()).toEqual([{ status: 'active' }])
  expect(findKnownTicket(ticket._id)).toMatchObject({ status: 'active' })
  expect(useTrouble.getState()).toEqual({ trouble: 'full' })
})

test('whom a full device turned away before the server’s answer was lost is let in at the next try, as one person', async () => {
  const phone = await takePhone()
  const [ticket] = await listed(phone)
  const tryIt = async () => {
    dismissVerdict()
    useScan.setState({ state: AIMING })
    seeCode(codeOf(ticket))
    await vi.waitFor(() => expect(useScan.getState().state.type).toBe('shown'), { timeout: 20_000 })
    return useScan.getState().verdict
  }
  fillDevice(['qr_scan_history'])
  const mend = phone.fault(/mark-used$/, 'cutAfter')
  for (const _ of [1, 2]) expect(await tryIt()).toMatchObject({ look: 'refused', title: 'Failed to Process Entry' })
  mend()
  expect(await probeServer()).toBe(true)
  expect(await tryIt()).toMatchObject({ look: 'allowed', by: 'server', name: 'Garima Guest' })
  const { sqlite } = phone.world.sqliteStore()
  expect(sqlite.prepare('select outcome from scans').all()).toEqual([{ outcome: 'admitted' }])
  expect(sqlite.prepare('select code from refusals').all()).toEqual([])
  // The next one with this code is another person.
  expect(await tryIt()).toMatchObject({ look: 'refused', title: 'Ticket Already Used' })
})

test('a forged code of the ticket that a full device turned away gets no answer of the genuine one', async () => {
  const phone = await takePhone()
  const [ticket] = await listed(phone)
  await turnAway(phone, { ticket, fault: 'cutAfter' })
  expect(await probeServer()).toBe(true)
  const code = codeOf(ticket)
  const forged = { type: 'code', text: `${code.slice(0, -8)}${[...code.slice(-8)].toReversed().join('')}` } as const
  expect(await scan(forged)).toMatchObject({ look: 'refused' })
  expect(await scan(byCode(ticket))).toMatchObject({ look: 'allowed' })
})

test('whom a full device turned away is refused once another gate has let somebody in, without a network too', async () => {
  const phone = await takePhone()
  const [ticket] = await listed(phone)
  await turnAway(phone, { ticket, fault: 'cutBefore' })
  phone.world.clock.forward(2 * 60_000)
  vi.useFakeTimers({ now: Date.now() + 2 * 60_000, toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const other = await phone.world.as('qrchecker')
  const elsewhere = { qrCode: codeOf(ticket), scanId: crypto.randomUUID(), deviceId: 'gate-b', deviceName: 'Gate B' }
  expect((await other.request('POST', '/api/tickets/mark-used', elsewhere)).status).toBe(200)
  await syncRoster()
  expect(await probeServer()).toBe(true)
  phone.fault(/mark-used$/, 'cutBefore')
  expect(await scan(byCode(ticket))).toMatchObject({ look: 'refused', title: 'Ticket Already Used', by: 'device' })
  phone.cut(true)
  expect(await scan(byCode(ticket))).toMatchObject({ look: 'refused', title: 'Ticket Already Used' })
  expect((await readUnsent()).count).toBe(0)
})

test('a full device still sends what it has', async () => {
  const phone = await takePhone()
  const [ticket] = await listed(phone)
  phone.cut(true)
  expect(await scan(byCode(ticket))).toMatchObject(PENDING)
  fillDevice(['outbox', 'qr_scan_history', 'admitted', 'tally', 'meta', 'roster', 'conflicts'])
  phone.cut(false)
  await sendOutbox()
  expect((await readUnsent()).count).toBe(0)
  expect(phone.world.sqliteStore().sqlite.prepare('select outcome from scans').all()).toEqual([{ outcome: 'admitted' }])
})
