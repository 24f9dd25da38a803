import { DAY_MS } from '@garba/shared/constants'
import { expect, onTestFinished, test, vi } from 'vitest'
import { forgetGuests, forgetScannerData } from '../../src/platform/store/scannerData.ts'
import type { JournalRow } from '../../src/platform/store/scannerSchema.ts'
import { pairingNow } from '../../src/scanner/core/pairing.ts'
import { decideScan } from '../../src/scanner/scan/decide.ts'
import { finishScan } from '../../src/scanner/scan/finish.ts'
import { tidyJournal } from '../../src/scanner/store/journal.ts'
import { forgetPairing } from '../../src/scanner/store/pairing.ts'
import { clearHistory } from '../../src/scanner/store/record.ts'
import { eventTimes } from '../../src/scanner/store/rosterMemory.ts'
import { readStore, writeRelaxed } from '../../src/scanner/store/scannerStore.ts'
import { endPairing } from '../../src/scanner/sync/pairing.ts'
import { replayOutbox } from '../../src/scanner/sync/replay.ts'
import { undoOwnAdmission } from '../../src/scanner/sync/undoAdmission.ts'
import { byCode, byHand, listed, made, stored, takePairedPhone, takePhone } from '../../src/scanner/testing/phone.ts'
import { newest, scan } from '../../src/scanner/testing/scanning.ts'

const journal = () => readStore((db) => db.getAll('journal'))
const endings = async () => (await journal()).map(({ ending }) => ending).toSorted()

test('every scan is kept, refused ones with their ticket only, and no guest’s name', async () => {
  const phone = await takePhone()
  const [first, second, third] = await listed(phone, 3)
  if (!second || !third) throw new Error('Three tickets were bought')
  await scan(byCode(first))
  await scan(byCode(first))
  await scan({ type: 'code', text: 'BEGIN:VCARD FN:Garima Guest' })
  phone.cut(true)
  await scan(byHand(second))
  await scan(byCode(third))
  const rows = await journal()
  expect(rows.map(({ ticketId, ending, qrCode, epoch }) => [ticketId, ending, qrCode, epoch])).toEqual(
    expect.arrayContaining([
      [first._id, 'admitted', first.qrCode, 0],
      [first._id, 'refused', null, undefined],
      [null, 'refused', null, undefined],
      [second._id, 'admitted', null, 0],
      [third._id, 'admitted', third.qrCode, 0],
    ]),
  )
  expect(rows).toHaveLength(5)
  expect(JSON.stringify(rows)).not.toContain('Garima')
})

test('an undone admission is kept as such; one that was never sent needs no server to know', async () => {
  const phone = await takePhone()
  const [first, second] = await listed(phone, 2)
  if (!second) throw new Error('Two tickets were bought')
  await scan(byCode(first))
  expect(await undoOwnAdmission(await newest())).toMatchObject({ ok: true })
  phone.cut(true)
  await scan(byCode(second))
  expect(await undoOwnAdmission(await newest())).toMatchObject({ ok: true })
  const rows = new Map((await journal()).map((row) => [row.ticketId, row]))
  expect(rows.get(first._id)).toMatchObject({ ending: 'undone', undoneAt: expect.any(String), epoch: 0 })
  expect(rows.get(second._id)).toMatchObject({ ending: 'undone' })
  expect(rows.get(second._id)).not.toHaveProperty('epoch')
})

test('it outlives Clear History, the loss of the role and the sign-out', async () => {
  const phone = await takePhone()
  const [first, second] = await listed(phone, 2)
  if (!second) throw new Error('Two tickets were bought')
  await scan(byCode(first))
  phone.cut(true)
  await scan(byCode(second))
  const before = await journal()
  await clearHistory()
  await forgetGuests()
  await forgetScannerData()
  expect(before).toHaveLength(2)
  expect(await journal()).toEqual(before)
})

test('it goes a day after the event, and never before the server has the scan', async () => {
  const phone = await takePhone()
  const [first, second] = await listed(phone, 2)
  if (!second) throw new Error('Two tickets were bought')
  await scan(byCode(first))
  phone.cut(true)
  await scan(byCode(second))
  const event = eventTimes()
  if (event === null) throw new Error('There is an event')
  const over = event.endsAt + DAY_MS
  expect(new Date(event.endsAt).toISOString()).toBe('2025-09-22T17:00:00.000Z')
  await tidyJournal(over - 1, event)
  expect(await journal()).toHaveLength(2)
  // The event was put off by a day.
  await tidyJournal(over, { ...event, endsAt: event.endsAt + DAY_MS })
  expect(await journal()).toHaveLength(2)
  await tidyJournal(over + DAY_MS, event)
  expect(await journal()).toMatchObject([{ ticketId: second._id }])
  phone.cut(false)
  expect(await replayOutbox()).toBe('empty')
  await tidyJournal(over + DAY_MS, event)
  expect(await journal()).toEqual([])
})

test('a revoked phone erases what the server has of it, and nothing else does: no lapse, no replaced server, no un-pairing', async () => {
  const phone = await takePairedPhone()
  const [first, second] = await listed(phone, 2)
  if (!second) throw new Error('Two tickets were bought')
  await scan(byCode(first))
  phone.cut(true)
  await scan(byCode(second))
  const own = pairingNow()
  await endPairing('UNAUTHENTICATED', { isLatest: true })
  await endPairing('DEVICE_LAPSED', { isLatest: true })
  // By a server that has been replaced.
  await endPairing('DEVICE_REVOKED', { isLatest: false })
  expect(await endings()).toEqual(['admitted', 'admitted'])
  await endPairing('DEVICE_REVOKED', { isLatest: true })
  expect(await journal()).toMatchObject([{ ticketId: second._id, deviceId: own?.device.id }])
  expect((await stored()).outbox).toBe(1)
  await forgetPairing()
  expect(await endings()).toEqual(['admitted'])
})

test('thousands of scans in it are not read by another scan', async () => {
  const phone = await takePhone()
  const [ticket] = await listed(phone)
  await scan({ type: 'code', text: 'x' })
  const [row] = await journal()
  if (!row) throw new Error('The scan is in the journal')
  const many = Array.from({ length: 4_000 }, (_, n): JournalRow => ({ ...row, scanId: `scan-${n}`, epoch: 0 }))
  await writeRelaxed(['journal'], async (tx) => {
    await Promise.all(many.map((one) => tx.objectStore('journal').put(one)))
  })
  const readAll = vi.spyOn(IDBObjectStore.prototype, 'getAll')
  const walked = vi.spyOn(IDBObjectStore.prototype, 'openCursor')
  onTestFinished(() => void vi.restoreAllMocks())
  phone.cut(true)
  const scanned = await made(byCode(ticket))
  expect(await finishScan(await decideScan(scanned), scanned)).toMatchObject({ look: 'pending' })
  const touched = [...readAll.mock.contexts, ...walked.mock.contexts].map((store) => (store as IDBObjectStore).name)
  expect(touched).not.toContain('journal')
  expect(await readStore((db) => db.count('journal'))).toBe(4_002)
})
