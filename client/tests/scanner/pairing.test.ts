import { messageFor } from '@garba/shared/messages/codes'
import { expect, onTestFinished, test, vi } from 'vitest'
import { forgetScannerData } from '../../src/platform/store/scannerData.ts'
import { endNow, pairingNow } from '../../src/scanner/core/pairing.ts'
import type { Subject } from '../../src/scanner/core/scan.ts'
import { decideScan } from '../../src/scanner/scan/decide.ts'
import { finishScan } from '../../src/scanner/scan/finish.ts'
import { onNews } from '../../src/scanner/store/news.ts'
import { nextRows, readUnsent } from '../../src/scanner/store/outbox.ts'
import { readPairing } from '../../src/scanner/store/pairing.ts'
import { readHistory, recordAdmission } from '../../src/scanner/store/record.ts'
import { readRoster, rosterEntries, rosterKeys } from '../../src/scanner/store/rosterMemory.ts'
import { readStore } from '../../src/scanner/store/scannerStore.ts'
import { refreshStored } from '../../src/scanner/store/useStored.ts'
import { endPairing, pairPhone, refreshDevice, signAsDevice, startShift } from '../../src/scanner/sync/pairing.ts'
import { replayOutbox } from '../../src/scanner/sync/replay.ts'
import { syncRoster } from '../../src/scanner/sync/syncRoster.ts'
import { undoOwnAdmission } from '../../src/scanner/sync/undoAdmission.ts'
import {
  byCode,
  byHand,
  fillDevice,
  listed,
  made,
  newCode,
  type Phone,
  pendingOf,
  takePairedPhone,
  takePhone,
  takeUnpairedPhone,
} from '../../src/scanner/testing/phone.ts'
import { PAIRING } from '../../src/scanner/texts/phone.ts'
import { SCAN_NOTES } from '../../src/scanner/texts/scanner.ts'

const HOUR = 3_600_000
const MINUTE = 60_000

async function scan(subject: Subject) {
  const scanned = await made(subject)
  return finishScan(await decideScan(scanned), scanned)
}

const scans = ({ world }: Phone) =>
  world
    .sqliteStore()
    .sqlite.prepare('select checker_name as who, device_name as gate, outcome, flag from scans order by rowid')
    .all()

const inHours = (phone: Phone, hours: number) =>
  new Date(phone.world.clock.now().getTime() + hours * HOUR).toISOString()

test('a paired phone scans without an account, in the name of the shift, with a network and without', async () => {
  const phone = await takePairedPhone()
  const [first, second, third] = await listed(phone, 3)
  if (!second || !third) throw new Error('Three tickets were bought')
  expect(await scan(byCode(first))).toMatchObject({ look: 'allowed', by: 'server' })
  phone.cut(true)
  expect(await scan(byCode(second))).toMatchObject({ look: 'pending', by: 'device' })
  // The next checker takes over before anything is sent: earlier scans keep their name.
  await startShift('Meera')
  phone.cut(false)
  expect(await scan(byHand(third))).toMatchObject({ look: 'allowed' })
  expect(await replayOutbox()).toBe('empty')
  expect(scans(phone)).toEqual([
    { who: 'Ravi', gate: 'Gate A', outcome: 'admitted', flag: null },
    { who: 'Meera', gate: 'Gate A', outcome: 'admitted', flag: null },
    { who: 'Ravi', gate: 'Gate A', outcome: 'admitted', flag: null },
  ])
  expect((await readHistory()).map(({ scannedBy }) => scannedBy)).toEqual(['Meera', 'Ravi', 'Ravi'])
  await refreshDevice()
  expect(pairingNow()?.shift).toEqual({ name: 'Meera', sent: true })
  const { body } = await phone.admin.request('GET', '/api/admin/devices')
  expect(body).toMatchObject({ devices: [{ name: 'Gate A', state: 'paired', shiftName: 'Meera', admitted: 3 }] })
})

test('a page that starts without a network is paired from its own storage, with a key that cannot be exported', async () => {
  const phone = await takePairedPhone()
  phone.cut(true)
  const row = await readPairing()
  expect(row).toMatchObject({ device: { name: 'Gate A', rights: ['scan', 'find', 'undo'] }, shift: { name: 'Ravi' } })
  await expect(crypto.subtle.exportKey('jwk', row?.privateKey as CryptoKey)).rejects.toThrow()
})

test('a code whose answer was lost is sent again with the same key; another phone finds it used', async () => {
  const phone = await takeUnpairedPhone()
  const { code } = await newCode(phone.admin)
  const mend = phone.fault(/devices\/pair$/, 'cutAfter')
  expect(await pairPhone(code)).toEqual({ ok: false, message: PAIRING.failed.serverAway })
  expect(pairingNow()).toBeNull()
  mend()
  expect(await pairPhone(code)).toEqual({ ok: true })
  await startShift('Ravi')
  await syncRoster()
  // Another phone has another key.
  await readStore(async (db) => void (await db.delete('pairing', 'attempt')))
  expect(await pairPhone(code)).toEqual({ ok: false, message: messageFor('PAIRING_USED') })
})

test('a wrong code, an expired one, no network and no secure page each have their own words', async () => {
  const phone = await takeUnpairedPhone()
  expect(await pairPhone('00000000')).toEqual({ ok: false, message: messageFor('PAIRING_INVALID') })
  const { code } = await newCode(phone.admin)
  phone.world.clock.forward(11 * MINUTE)
  expect(await pairPhone(code)).toEqual({ ok: false, message: messageFor('PAIRING_EXPIRED') })
  phone.cut(true)
  vi.stubGlobal('navigator', { ...navigator, onLine: false })
  expect(await pairPhone(code)).toEqual({ ok: false, message: PAIRING.failed.offline })
  vi.stubGlobal('isSecureContext', false)
  expect(await pairPhone(code)).toEqual({ ok: false, message: PAIRING.failed.insecure })
  expect(pairingNow()).toBeNull()
})

test('what a signed-in checker let in before the phone was paired is sent in the name of that checker', async () => {
  const before = await takePhone()
  const [ticket] = await listed(before)
  before.cut(true)
  const admission = await pendingOf(byCode(ticket))
  await recordAdmission(admission)
  before.cut(false)
  const { code } = await newCode(await before.world.as('admin'))
  vi.stubGlobal('isSecureContext', true)
  expect(await pairPhone(code)).toEqual({ ok: true })
  signAsDevice()
  await startShift('Ravi')
  expect(await replayOutbox()).toBe('empty')
  expect(scans(before)).toMatchObject([{ who: 'Chetan Checker', outcome: 'admitted' }])
})

test('a clock that jumps by 15 minutes is learned from the refusal, and the call is made again', async () => {
  const phone = await takePairedPhone()
  for (const minutes of [15, -15]) {
    if (minutes > 0) phone.world.clock.forward(minutes * MINUTE)
    else vi.useFakeTimers({ now: Date.now() + 15 * MINUTE, toFake: ['Date'] })
    phone.asked()
    await syncRoster()
    expect(phone.asked()).toEqual(expect.arrayContaining(['/api/scanner/roster', '/api/scanner/roster']))
    expect(endNow()).toBeNull()
  }
  vi.useRealTimers()
})

test('a revoked phone loses the list and every name at its next contact, and sends what it let in until then', async () => {
  const phone = await takePairedPhone()
  const [sent, kept, late, chosen] = await listed(phone, 4)
  if (!kept || !late || !chosen) throw new Error('Four tickets were bought')
  await scan(byCode(sent))
  phone.cut(true)
  await scan(byCode(kept))
  phone.world.clock.forward(MINUTE)
  await phone.change({ revoked: true })
  phone.world.clock.forward(MINUTE)
  for (const subject of [byCode(late), byHand(chosen)]) {
    const afterwards = await pendingOf(subject)
    await recordAdmission({
      ...afterwards,
      row: { ...afterwards.row, clockOffset: afterwards.row.clockOffset + 2 * MINUTE },
    })
  }
  phone.cut(false)
  // What its last heartbeat had said.
  phone.world.sqliteStore().sqlite.prepare('update devices set unsent = 3, oldest_unsent = 1').run()
  await expect(syncRoster()).rejects.toMatchObject({ code: 'DEVICE_REVOKED' })
  await vi.waitFor(() => expect(rosterEntries().size).toBe(0), 30_000)
  await vi.waitFor(async () => expect(JSON.stringify(await readHistory())).not.toContain('Garima'), 30_000)
  expect(endNow()).toBe('revoked')
  expect(rosterKeys()).toBeNull()
  expect(await readRoster()).toMatchObject({ entries: [], meta: null })
  expect((await nextRows({ after: 0, limit: 9 })).map(({ name }) => name)).toEqual([null, null, null])
  expect(await replayOutbox()).toBe('empty')
  expect(scans(phone)).toMatchObject([
    { flag: null },
    { outcome: 'admitted', flag: 'revoked' },
    { outcome: 'admitted', flag: 'afterEnd' },
  ])
  expect(await readUnsent()).toMatchObject({ count: 0 })
  expect(phone.world.sqliteStore().sqlite.prepare('select unsent, oldest_unsent from devices').all()).toEqual([
    { unsent: 0, oldest_unsent: null },
  ])
  // By hand after the end: the desk decides.
  const { body } = await phone.admin.request('GET', '/api/admin/attention')
  expect(body).toMatchObject({ attention: [{ kind: 'noted' }] })
  expect(await readHistory()).toContainEqual(expect.objectContaining({ ending: 'failed', ...SCAN_NOTES.noted }))
})

test('the answer to its scans is enough to tell a phone of its end, before it stores any names', async () => {
  const phone = await takePairedPhone()
  const [ticket] = await listed(phone)
  phone.cut(true)
  await scan(byCode(ticket))
  await phone.change({ revoked: true })
  phone.cut(false)
  expect(await replayOutbox()).toBe('empty')
  expect(endNow()).toBe('revoked')
  expect(rosterEntries().size).toBe(0)
  expect(JSON.stringify(await readHistory())).not.toContain('Garima')
})

test('an undo of a scan that may have been sent, but never was, is taken however late it comes', async () => {
  const phone = await takePairedPhone({ rights: ['scan', 'undo'] })
  const [ticket] = await listed(phone)
  phone.cut(true)
  const admission = await pendingOf(byCode(ticket))
  await recordAdmission({ ...admission, row: { ...admission.row, attempts: 1 } })
  const [record] = await readHistory()
  if (!record) throw new Error('It was recorded')
  expect(await undoOwnAdmission(record)).toMatchObject({ ok: true, words: SCAN_NOTES.undoQueued })
  phone.world.clock.forward(10 * MINUTE)
  phone.cut(false)
  expect(await replayOutbox()).toBe('empty')
  expect(await readUnsent()).toMatchObject({ count: 0 })
  expect(await phone.world.sql('select status from tickets')).toEqual([{ status: 'active' }])
})

test('past its end a phone admits nobody without a network, and goes on when the desk gives it more time', async () => {
  const phone = await takePairedPhone()
  const [first, second] = await listed(phone, 2)
  if (!second) throw new Error('Two tickets were bought')
  await phone.change({ until: inHours(phone, 2) })
  await refreshDevice()
  phone.cut(true)
  expect(await scan(byCode(first))).toMatchObject({ look: 'pending' })
  vi.useFakeTimers({ now: Date.now() + 2 * HOUR, toFake: ['Date'] })
  phone.world.clock.forward(2 * HOUR)
  expect(endNow()).toBe('lapsed')
  expect(await scan(byCode(second))).toMatchObject({ look: 'refused', ...PAIRING.scanAfterEnd })
  phone.cut(false)
  await expect(syncRoster()).rejects.toMatchObject({ code: 'DEVICE_LAPSED' })
  await vi.waitFor(() => expect(pairingNow()?.ended?.why).toBe('lapsed'), 30_000)
  expect(await replayOutbox()).toBe('empty')
  await phone.change({ until: inHours(phone, 3) })
  await refreshDevice()
  expect(endNow()).toBeNull()
  await syncRoster({ whole: true })
  expect(await scan(byCode(second))).toMatchObject({ look: 'allowed' })
  vi.useRealTimers()
})

test('a phone that knows of a right it has lost admits nobody by it without a network', async () => {
  const phone = await takePairedPhone({ rights: ['scan', 'find'] })
  const [first, second] = await listed(phone, 2)
  if (!second) throw new Error('Two tickets were bought')
  await phone.change({ rights: ['find'] })
  await refreshDevice()
  phone.cut(true)
  expect(await scan(byCode(first))).toMatchObject({ look: 'refused', detail: PAIRING.mayNot })
  expect(await scan({ type: 'hand', ticketId: second.id })).toMatchObject({ look: 'pending' })
  phone.cut(false)
  expect(await replayOutbox()).toBe('empty')
  expect(await readUnsent()).toMatchObject({ count: 0 })
})

test('a phone without room takes on its next shift and its end, and stores both with the next change', async () => {
  const phone = await takePairedPhone()
  // As on an open page, which reads again what changed.
  onTestFinished(onNews((news) => void refreshStored(news)))
  const makeRoom = fillDevice(['pairing'])
  await expect(startShift('Meera')).rejects.toMatchObject({ trouble: 'full' })
  await refreshStored(['device'])
  expect(pairingNow()?.shift?.name).toBe('Meera')
  await endPairing('DEVICE_LAPSED', { isLatest: true })
  expect(endNow()).toBe('lapsed')
  makeRoom()
  await phone.change({ name: 'Gate B' })
  await refreshDevice()
  expect(await readPairing()).toMatchObject({ device: { name: 'Gate B' }, shift: { name: 'Meera' }, ended: null })
  expect(await readStore((db) => db.get('pairing', 'pairing'))).toMatchObject({ shift: { name: 'Meera' } })
})

test('a 401 of something in between ends nothing, and neither does a sign-out beside it', async () => {
  const phone = await takePairedPhone()
  await listed(phone)
  const portal = phone.fault(/roster/, () => Response.json({ hotel: 'please pay' }, { status: 401 }))
  await expect(syncRoster()).rejects.toMatchObject({ status: 401 })
  portal()
  await forgetScannerData()
  expect(endNow()).toBeNull()
  expect((await readRoster()).entries).toHaveLength(1)
  await endPairing('NETWORK', { isLatest: true })
  expect(endNow()).toBeNull()
})
