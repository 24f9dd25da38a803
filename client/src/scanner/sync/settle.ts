import type { AnsweredConflict, BatchResult, DeviceConflict, ScannedTicket } from '@garba/shared/contracts/phones/scan'
import { epochNow } from '../../platform/http/epoch.ts'
import type { OutboxRow } from '../../platform/store/scannerSchema.ts'
import { clockNow } from '../core/moment.ts'
import { pairingNow } from '../core/pairing.ts'
import { type Clock, conflictWords, entryOfTicket, isRefusal, refusalWords } from '../core/words.ts'
import { type ScanSettlement, type StoredRow, writeSettlements } from '../store/outbox.ts'
import { markAdmissionsSettled } from '../store/rosterMemory.ts'
import { EXITS } from '../texts/movement.ts'
import { SCAN, SCAN_NOTES, UNSENT } from '../texts/scanner.ts'

/**
 * Applies final answers: from now on the server's version may replace the device's, even if the write fails. `epoch`:
 * the epoch known when the server was asked; a server of a later epoch has not answered.
 */
export async function applySettlements(settlements: readonly ScanSettlement[], epoch: number): Promise<void> {
  const now = Date.now()
  markAdmissionsSettled(settlements, now)
  await writeSettlements(settlements, { now, earlier: epoch < epochNow() ? epoch : null })
}

/** Discards a scan after the checker confirmed it; from then on the server's version of the ticket counts. Throws StorageFailure. */
export function giveUp({ scanId, ticketId }: StoredRow): Promise<void> {
  // Only a scan that the server rejected can be removed, and nothing about it is pending any more.
  const record = { ending: 'refused', marked: false, title: SCAN.notMarked.title, detail: UNSENT.removed } as const
  return applySettlements([{ scanId, ticketId, record, conflict: null, of: 'nothing' }], epochNow())
}

/**
 * The server's late admission of a scan that the device has meanwhile decided: settles the queued row at once. After a late
 * refusal the row stays, because the person is inside and the server must learn of it. Never throws.
 */
export async function settleLateAdmission(
  row: OutboxRow,
  { ticket, conflict }: { ticket: ScannedTicket; conflict: AnsweredConflict | null },
  epoch: number,
): Promise<void> {
  const result = {
    scanId: row.scanId,
    success: true,
    status: 200,
    outcome: conflict === null ? ('admitted' as const) : ('conflict' as const),
    ticket,
    ...(conflict === null ? {} : { conflict: buildDeviceConflict(row, conflict, ticket.user.name) }),
  }
  try {
    await applySettlements([buildSettlement({ row, result, clock: clockNow() })], epoch)
  } catch (error) {
    console.warn(SCAN.notMarked.title, error)
  }
}

export function buildDeviceConflict(
  row: Pick<OutboxRow, 'ticketId' | 'name'>,
  answered: AnsweredConflict,
  holder?: string,
): DeviceConflict {
  return { ...answered, ticketId: row.ticketId, name: holder ?? row.name ?? SCAN.unknownChecker }
}

export function buildSettlement(answered: { row: OutboxRow; result: BatchResult; clock: Clock }): ScanSettlement {
  const { row, result, clock } = answered
  const { scanId, ticketId } = row
  const base = { scanId, ticketId, of: row.undo ? 'undo' : 'admission' } as const
  // A phone whose pairing has ended still sends, but brings no names back.
  const holder = pairingNow()?.ended ? '' : result.ticket?.user.name
  const name = holder ?? row.name
  if (row.undo || row.movement === 'count') return { ...base, record: null, conflict: null }
  if (row.movement === 'exit') {
    const isUndone = result.code === 'SCAN_UNDONE'
    const words = isUndone ? EXITS.undone : { title: EXITS.left, detail: name ?? '' }
    return { ...base, conflict: null, record: { ending: isUndone ? 'undone' : 'left', marked: false, ...words } }
  }
  if (result.outcome === 'conflict' && result.conflict) {
    const conflict = buildDeviceConflict(row, result.conflict, holder)
    const { title, detail } = conflictWords(conflict, { deviceId: row.deviceId, clock })
    return { ...base, conflict, record: { ending: 'conflict', marked: true, title, detail } }
  }
  if (result.code === 'SCAN_UNDONE')
    return { ...base, conflict: null, record: { ending: 'undone', marked: false, ...SCAN_NOTES.undone } }
  if (result.outcome === 'noted')
    return { ...base, conflict: null, record: { ending: 'failed', marked: false, ...SCAN_NOTES.noted } }
  if (result.success) {
    const detail = name ? SCAN.welcome(name) : ''
    return { ...base, conflict: null, record: { ending: 'admitted', marked: true, title: SCAN.entryAllowed, detail } }
  }
  // The person is inside although the server refused: the scan stays in the list with the server's reason.
  const code = result.code !== undefined && isRefusal(result.code) ? result.code : 'TICKET_NOT_FOUND'
  const replaced = result.replacedAt && { at: result.replacedAt, by: null, device: null }
  const entry = replaced || (result.ticket ? entryOfTicket(result.ticket) : null)
  const words = refusalWords({ code, entry, manual: row.manual }, clock)
  return { ...base, conflict: null, record: { ending: 'refused', marked: false, ...words } }
}
