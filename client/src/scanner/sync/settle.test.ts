import type { ScannedTicket } from '@garba/shared/contracts/phones/scan'
import { expect, test } from 'vitest'
import { codeOf, mark } from '../../../../server/src/testing/scenes.ts'
import { clockNow } from '../core/moment.ts'
import { oldestRows } from '../store/outbox.ts'
import { readHistory, recordAdmission } from '../store/record.ts'
import { isTicketUnsettled } from '../store/rosterMemory.ts'
import { byCode, listed, pendingOf, stored, takePhone } from '../testing/phone.ts'
import { applySettlements, buildDeviceConflict, buildSettlement, giveUp, settleLateAdmission } from './settle.ts'

const side = { at: '2025-09-22T13:00:00.000Z', checkerName: 'Chetan', deviceId: 'a', deviceName: 'Gate A' }
const sides = (second: string | null) => ({
  over: 'used' as const,
  first: { ...side, scanId: 'first' },
  second: { ...side, scanId: second },
})
const row = { scanId: 'mine', ticketId: 'T1', name: 'Garima Guest' }

test('a conflict keeps the id that its answer carries', () => {
  expect(buildDeviceConflict(row, { ...sides('other'), id: 'carried' })).toMatchObject({
    id: 'carried',
    ticketId: 'T1',
  })
})

test('a final refusal takes the row out and leaves its reason in the history', async () => {
  const phone = await takePhone()
  const pending = await pendingOf(byCode((await listed(phone))[0]))
  await recordAdmission(pending)
  const result = { scanId: pending.row.scanId, success: false, status: 409, code: 'TICKET_CANCELLED' as const }
  await applySettlements([buildSettlement({ row: pending.row, result, clock: clockNow() })], 0)
  expect((await stored()).outbox).toBe(0)
  expect(isTicketUnsettled(pending.row.ticketId)).toBe(false)
  expect((await readHistory())[0]).toMatchObject({ ending: 'refused', marked: false, title: 'Ticket Cancelled' })
})

test('an exit that was taken back meanwhile reads as undone', async () => {
  const { row } = await pendingOf(byCode((await listed(await takePhone()))[0]))
  const exit = { ...row, movement: 'exit' as const }
  const result = { scanId: row.scanId, success: false, status: 409, code: 'SCAN_UNDONE' as const }
  const { record } = buildSettlement({ row: exit, result, clock: clockNow() })
  expect(record).toMatchObject({ ending: 'undone', title: 'Exit Undone' })
})

test('a late admission settles the row once, whatever comes after it', async () => {
  const phone = await takePhone()
  const [ticket] = await listed(phone)
  const pending = await pendingOf(byCode(ticket))
  await recordAdmission(pending)
  const checker = await phone.world.as('qrchecker')
  const { body } = await mark(checker, { qrCode: codeOf(ticket), scanId: pending.row.scanId })
  const admitted = { ticket: body.ticket as ScannedTicket, conflict: null }
  await settleLateAdmission(pending.row, admitted, 0)
  await settleLateAdmission(pending.row, admitted, 0)
  expect((await stored()).outbox).toBe(0)
  expect((await readHistory())[0]).toMatchObject({ ending: 'admitted', detail: 'Welcome Garima Guest' })
})

test('a scan that the checker discards is not sent and stays in the history', async () => {
  const phone = await takePhone()
  await recordAdmission(await pendingOf(byCode((await listed(phone))[0])))
  const [row] = await oldestRows(1)
  if (!row) throw new Error('The scan waits to be sent')
  await giveUp(row)
  expect((await stored()).outbox).toBe(0)
  expect((await readHistory())[0]).toMatchObject({ ending: 'refused', marked: false })
})
