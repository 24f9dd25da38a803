import { SCAN_HISTORY_MAX } from '@garba/shared/constants'
import { expect, test } from 'vitest'
import { recordLeaving } from '../scan/leave.ts'
import { undoOwnAdmission } from '../sync/undoAdmission.ts'
import { byCode, listed, made, pendingOf, stored, takePhone } from '../testing/phone.ts'
import { StorageFailure } from './failure.ts'
import { oldestRows } from './outbox.ts'
import { readHistory, readTally, recordAdmission, recordRefusedScan, tryWrite, undoableAdmission } from './record.ts'

test('an admission is written whole: history, outbox, local status and tiles', async () => {
  const phone = await takePhone()
  const admission = await pendingOf(byCode((await listed(phone))[0]))
  expect(await recordAdmission(admission)).toBeNull()
  expect(await stored()).toEqual({ history: 1, outbox: 1, admitted: 1 })
  expect(await readTally(admission.evening)).toMatchObject({ scanned: 1, valid: 1, rejected: 0 })
})

test('an admission can be undone for a minute, and not after the clock was set back since', async () => {
  const phone = await takePhone()
  const [ticket] = await listed(phone)
  await recordAdmission(await pendingOf(byCode(ticket)))
  const history = await readHistory()
  const [{ timestamp = '', scannedBy: checkerName = '' } = {}] = history
  const after = (ms: number) =>
    undoableAdmission(history, { ticketId: ticket._id, checkerName, now: Date.parse(timestamp) + ms }) !== null
  expect([-3_600_000, -60_000, -1_000, 0, 59_999, 60_000].map(after)).toEqual([false, false, true, true, true, false])
})

test('once somebody left, their exit can be undone and not their entry, until the exit is undone', async () => {
  const phone = await takePhone()
  const [ticket] = await listed(phone)
  const shown = async () => {
    const history = await readHistory()
    const [{ timestamp = '', scannedBy: checkerName = '' } = {}] = history
    const query = { ticketId: ticket._id, checkerName, now: Date.parse(timestamp) }
    return undoableAdmission(history, query)
  }
  phone.cut(true)
  await recordAdmission(await pendingOf(byCode(ticket)))
  expect(await shown()).toMatchObject({ ending: 'pending' })
  const exit = await recordLeaving(await made(byCode(ticket)))
  const undoable = await shown()
  expect(undoable).toMatchObject({ ending: 'leaving', scanId: exit.scanId })
  if (undoable) expect(await undoOwnAdmission(undoable)).toMatchObject({ ok: true })
  expect(await shown()).toMatchObject({ ending: 'pending' })
})

test('a ticket that is waiting to be sent is not let in a second time', async () => {
  const phone = await takePhone()
  const [ticket] = await listed(phone)
  const first = await pendingOf(byCode(ticket))
  await recordAdmission(first)
  expect(await recordAdmission(await pendingOf(byCode(ticket)))).toMatchObject({ scanId: first.admission.scanId })
  expect(await stored()).toEqual({ history: 1, outbox: 1, admitted: 1 })
})

test('a write that fails in one store writes nothing in the others', async () => {
  const phone = await takePhone()
  const [one, other] = await listed(phone, 2)
  if (!other) throw new Error('Two tickets were bought')
  const first = await pendingOf(byCode(one))
  await recordAdmission(first)
  const second = await pendingOf(byCode(other))
  const clash = { ...second, row: { ...second.row, scanId: first.row.scanId } }
  await expect(recordAdmission(clash)).rejects.toBeInstanceOf(StorageFailure)
  expect(await stored()).toEqual({ history: 1, outbox: 1, admitted: 1 })
})

test('the history keeps the newest 50, in order even when the clock is set back', async () => {
  const phone = await takePhone()
  const { record, journal, evening } = await pendingOf(byCode((await listed(phone))[0]))
  for (let n = 0; n <= SCAN_HISTORY_MAX; n += 1) {
    const timestamp = new Date(Date.parse(record.timestamp) - n * 1_000).toISOString()
    await recordRefusedScan({
      record: { ...record, scanId: `scan-${n}`, timestamp },
      journal: { ...journal, scanId: `scan-${n}` },
      evening,
    })
  }
  const history = await readHistory()
  expect(history).toHaveLength(SCAN_HISTORY_MAX)
  expect(history[0]?.scanId).toBe(`scan-${SCAN_HISTORY_MAX}`)
  expect(history.at(-1)?.scanId).toBe('scan-1')
})

test('the trial write of the readiness check leaves no row behind', async () => {
  await takePhone()
  await tryWrite()
  expect(await oldestRows(10)).toEqual([])
})
