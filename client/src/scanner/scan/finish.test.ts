import { expect, test, vi } from 'vitest'
import { readHistory } from '../store/record.ts'
import { findKnownTicket } from '../store/rosterMemory.ts'
import { byCode, byHand, listed, made, stored, takePhone, takeStoreAway } from '../testing/phone.ts'
import { decideScan, failedHere } from './decide.ts'
import { buildShownScan, finishScan } from './finish.ts'

test('green of the server is written to the history, and nothing waits to be sent', async () => {
  const phone = await takePhone()
  const [ticket] = await listed(phone)
  const scan = await made(byCode(ticket))
  const shown = await finishScan(await decideScan(scan), scan)
  expect(shown).toMatchObject({ look: 'allowed', by: 'server', title: 'Entry Allowed!', ending: 'admitted' })
  await vi.waitFor(async () => expect(await stored()).toEqual({ history: 1, outbox: 0, admitted: 1 }), {
    timeout: 20_000,
  })
  expect((await readHistory())[0]).toMatchObject({ marked: true, status: 'valid', scannedBy: 'Chetan Checker' })
})

test('amber comes once the scan is on the disk, by code and by hand', async () => {
  const phone = await takePhone()
  const [first, second] = await listed(phone, 2)
  if (!second) throw new Error('Two tickets were bought')
  phone.cut(true)
  for (const [index, subject] of [byCode(first), byHand(second)].entries()) {
    const scan = await made(subject)
    expect(await finishScan(await decideScan(scan), scan)).toMatchObject({ look: 'pending', name: 'Garima Guest' })
    expect(await stored()).toEqual({ history: index + 1, outbox: index + 1, admitted: index + 1 })
  }
  const again = await made(byCode(first))
  expect(await finishScan(await decideScan(again), again)).toMatchObject({
    look: 'refused',
    title: 'Ticket Already Used',
  })
  expect((await stored()).outbox).toBe(2)
})

test('another tab let the same ticket in a moment ago: the second person is refused', async () => {
  const phone = await takePhone()
  const [ticket] = await listed(phone)
  phone.cut(true)
  const [one, other] = [await made(byCode(ticket)), await made(byCode(ticket))]
  const outcomes = [await decideScan(one), await decideScan(other)] as const
  expect(outcomes.map(({ type }) => type)).toEqual(['pending', 'pending'])
  expect(await finishScan(outcomes[0], one)).toMatchObject({ look: 'pending' })
  expect(await finishScan(outcomes[1], other)).toMatchObject({ look: 'refused', title: 'Ticket Already Used' })
  expect((await stored()).outbox).toBe(1)
})

test('a late admission of the server settles the row that was written meanwhile', async () => {
  const phone = await takePhone()
  const [ticket] = await listed(phone)
  const release = phone.hold(/mark-used/)
  const scan = await made(byCode(ticket))
  expect(await finishScan(await decideScan(scan), scan)).toMatchObject({ look: 'pending' })
  expect((await stored()).outbox).toBe(1)
  release()
  await vi.waitFor(async () => expect((await stored()).outbox).toBe(0), { timeout: 20_000 })
  expect((await readHistory())[0]).toMatchObject({ ending: 'admitted', marked: true })
  expect(phone.world.sqliteStore().sqlite.prepare('select outcome from scans').all()).toEqual([{ outcome: 'admitted' }])
})

test('a scan that was not judged is shown but not stored', async () => {
  await takePhone()
  const { scan } = await made({ type: 'code', text: 'x' })
  expect(buildShownScan(failedHere({ title: 'Verification Failed', detail: 'Why' }), scan)).toMatchObject({
    look: 'refused',
    status: 'invalid',
    detail: 'Why',
  })
  expect(await stored()).toEqual({ history: 0, outbox: 0, admitted: 0 })
})

test('a device that cannot write lets nobody in on its own; only the server can', async () => {
  const phone = await takePhone()
  const [first, second] = await listed(phone, 2)
  if (!second) throw new Error('Two tickets were bought')
  phone.cut(true)
  const [one, other] = [await made(byCode(first)), await made(byCode(second))]
  const outcomes = [await decideScan(one), await decideScan(other)] as const
  expect(outcomes.map(({ type }) => type)).toEqual(['pending', 'pending'])
  await takeStoreAway()
  expect(await finishScan(outcomes[0], one)).toMatchObject({ look: 'refused', title: 'Failed to Process Entry' })
  expect(findKnownTicket(first._id)).toMatchObject({ status: 'active' })
  phone.cut(false)
  expect(await finishScan(outcomes[1], other)).toMatchObject({ look: 'allowed', by: 'server' })
})
