import { ulidOf } from '@garba/shared/testing/ids'
import { expect, test } from 'vitest'
import { codeOf, mark } from '../../../../server/src/testing/scenes.ts'
import { forgetScannerData } from '../../platform/store/scannerData.ts'
import { eveningNow } from '../core/moment.ts'
import { readOpenConflicts } from '../store/conflicts.ts'
import { oldestRows, readUnsent } from '../store/outbox.ts'
import { readHistory, readTally, recordAdmission } from '../store/record.ts'
import { byCode, listed, pendingOf, stored, takePhone } from '../testing/phone.ts'
import { replayOutbox } from './replay.ts'
import { undoOwnAdmission } from './undoAdmission.ts'

test('offline admissions are sent oldest first, once, and settled', async () => {
  const phone = await takePhone()
  const tickets = await listed(phone, 3)
  phone.cut(true)
  for (const ticket of tickets) await recordAdmission(await pendingOf(byCode(ticket)))
  expect((await stored()).outbox).toBe(3)
  phone.cut(false)
  expect(await replayOutbox()).toBe('empty')
  expect(await replayOutbox()).toBe('empty')
  expect(await stored()).toEqual({ history: 3, outbox: 0, admitted: 3 })
  expect((await readHistory()).map(({ ending }) => ending)).toEqual(['admitted', 'admitted', 'admitted'])
  expect(phone.world.sqliteStore().sqlite.prepare('select ticket_id, outcome from scans order by rowid').all()).toEqual(
    tickets.map(({ _id }) => ({ ticket_id: _id, outcome: 'admitted' })),
  )
})

test('no answer keeps every row, and notes that the server may have received it', async () => {
  const phone = await takePhone()
  const [ticket] = await listed(phone)
  await recordAdmission(await pendingOf(byCode(ticket)))
  phone.cut(true)
  expect(await replayOutbox()).toBe('retry')
  expect(await oldestRows(10)).toMatchObject([{ ticketId: ticket._id, attempts: 1, parked: null }])
})

test('a ticket used at another gate meanwhile becomes a conflict that the checker must read', async () => {
  const phone = await takePhone()
  const [ticket] = await listed(phone)
  const checker = await phone.world.as('qrchecker')
  await mark(checker, { qrCode: codeOf(ticket), deviceId: 'gate-b', deviceName: 'Gate B' })
  await recordAdmission(await pendingOf(byCode(ticket)))
  expect(await replayOutbox()).toBe('empty')
  expect((await stored()).outbox).toBe(0)
  expect(await readOpenConflicts()).toMatchObject([{ ticketId: ticket._id, name: 'Garima Guest' }])
  expect((await readHistory())[0]).toMatchObject({ ending: 'conflict', marked: true })
})

test('a row that the server will not take is set aside with its reason, and blocks no other', async () => {
  const phone = await takePhone()
  const [good] = await listed(phone)
  const unknown = ulidOf(7)
  await recordAdmission(await pendingOf({ type: 'hand', ticketId: unknown }))
  await recordAdmission(await pendingOf(byCode(good)))
  expect(await replayOutbox()).toBe('empty')
  expect(await readUnsent()).toMatchObject({ count: 1, parked: 1 })
  expect(await oldestRows(10)).toMatchObject([{ ticketId: unknown, parked: { code: 'TICKET_NOT_FOUND' } }])
})

test('an admission taken back before it left is sent nowhere; one that may have left is sent with its undo', async () => {
  const phone = await takePhone()
  const [first, second] = await listed(phone, 2)
  if (!second) throw new Error('Two tickets were bought')
  phone.cut(true)
  await recordAdmission(await pendingOf(byCode(first)))
  const [unsent] = await readHistory()
  if (!unsent) throw new Error('The scan is in the history')
  // A checker signs out and in again meanwhile, which leaves the scan and empties the tiles.
  await forgetScannerData()
  expect(await undoOwnAdmission(unsent)).toMatchObject({ ok: true })
  expect(await readTally(eveningNow())).toMatchObject({ scanned: 0, valid: 0 })
  expect((await stored()).outbox).toBe(0)

  await recordAdmission(await pendingOf(byCode(second)))
  expect(await replayOutbox()).toBe('retry')
  const [maybeSent] = await readHistory()
  if (!maybeSent) throw new Error('The scan is in the history')
  expect(await undoOwnAdmission(maybeSent)).toMatchObject({ ok: true })
  expect(await oldestRows(10)).toMatchObject([{ undo: true }])
  phone.cut(false)
  expect(await replayOutbox()).toBe('empty')
  expect((await stored()).outbox).toBe(0)
  expect(phone.world.sqliteStore().sqlite.prepare('select status from tickets group by status').all()).toEqual([
    { status: 'active' },
  ])
})

test('an admission taken back at any moment of its sending leaves the ticket valid', async () => {
  const phone = await takePhone()
  const turns = 40
  const tickets = await listed(phone, turns)
  for (const [turn, ticket] of tickets.entries()) {
    await recordAdmission(await pendingOf(byCode(ticket)))
    const [record] = await readHistory()
    if (!record) throw new Error('The scan is in the history')
    const sending = replayOutbox()
    for (let passed = 0; passed < turn; passed += 1) await new Promise((resolve) => setImmediate(resolve))
    expect(await undoOwnAdmission(record)).toMatchObject({ ok: true })
    await sending
    expect(await replayOutbox()).toBe('empty')
  }
  expect(await phone.world.sql('select status, count(*) as n from tickets group by status')).toEqual([
    { status: 'active', n: turns },
  ])
})
