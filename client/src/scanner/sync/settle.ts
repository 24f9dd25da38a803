import type { AnsweredConflict, BatchResult, DeviceConflict, ScannedTicket } from '@garba/shared/contracts/phones/scan'
import { SCAN, type ScanText } from '@garba/shared/messages/codes'
import { epochNow } from '../../platform/http/epoch.ts'
import { messageOf } from '../../platform/http/failure.ts'
import type { HistoryRecord, OutboxRow } from '../../platform/store/scannerSchema.ts'
import { clockNow, eveningNow } from '../core/moment.ts'
import { pairingNow } from '../core/pairing.ts'
import { type Clock, conflictWords, entryOfTicket, isRefusal, refusalWords } from '../core/words.ts'
import { noteFailedStorage, storageFailureOf, storageWords } from '../store/failure.ts'
import {
  recordUndo,
  type Settlement,
  type StoredRow,
  type Undone,
  undoUnsent,
  writeSettlements,
} from '../store/outbox.ts'
import { dropAdmission, noteSettled } from '../store/rosterMemory.ts'
import { SCAN_NOTES, UNSENT } from '../texts/scanner.ts'
import { scannerCall } from './connection.ts'
import { sendSoon } from './replayer.ts'

/**
 * Applies final answers: from now on the server's version may replace the device's, even if the write fails. `epoch`: the one known
 * when the server was asked; a server of a later epoch has not answered.
 */
export async function settle(settlements: readonly Settlement[], epoch: number): Promise<void> {
  const now = Date.now()
  noteSettled(settlements, now)
  await writeSettlements(settlements, { now, earlier: epoch < epochNow() ? epoch : null })
}

/** Discards a scan after the checker confirmed it; from then on the server's version of the ticket counts. Throws StorageFailure. */
export function giveUp({ scanId, ticketId }: StoredRow): Promise<void> {
  // Only a scan that the server rejected can be removed, and nothing about it is pending any more.
  const record = { ending: 'refused', marked: false, title: SCAN.notMarked.title, detail: UNSENT.removed } as const
  return settle([{ scanId, ticketId, record, conflict: null, of: 'nothing' }], epochNow())
}

interface Admitted {
  ticket: ScannedTicket
  conflict: AnsweredConflict | null
}

/**
 * The server's late admission of a scan that the device has meanwhile decided: settles the queued row at once. After a late
 * refusal the row stays, because the person is inside and the server must learn of it. Never throws.
 */
export async function settleLate(row: OutboxRow, { ticket, conflict }: Admitted, epoch: number): Promise<void> {
  const result = {
    scanId: row.scanId,
    success: true,
    status: 200,
    outcome: conflict === null ? ('admitted' as const) : ('conflict' as const),
    ticket,
    ...(conflict === null ? {} : { conflict: conflictOf(row, conflict, ticket.user.name) }),
  }
  try {
    await settle([settlementOf({ row, result, clock: clockNow() })], epoch)
  } catch (error) {
    console.warn(SCAN.notMarked.title, error)
  }
}

/** The conflict of an answer, under the id that both devices and the evening view use; old answers have none. */
export function conflictOf(
  row: Pick<OutboxRow, 'scanId' | 'ticketId' | 'name'>,
  answered: AnsweredConflict,
  holder?: string,
): DeviceConflict {
  const { scanId, ticketId, name } = row
  const id = answered.id ?? answered.second.scanId ?? scanId
  return { ...answered, id, ticketId, name: holder ?? name ?? SCAN.unknownChecker }
}

/** The result of a final answer for a queued scan (fate `done`). */
export function settlementOf(answered: { row: OutboxRow; result: BatchResult; clock: Clock }): Settlement {
  const { row, result, clock } = answered
  const { scanId, ticketId } = row
  const base = { scanId, ticketId, of: row.undo ? 'undo' : 'admission' } as const
  // A phone whose pairing has ended still sends, but brings no names back.
  const holder = pairingNow()?.ended ? '' : result.ticket?.user.name
  const name = holder ?? row.name
  if (row.undo) return { ...base, record: null, conflict: null }
  if (result.outcome === 'conflict' && result.conflict) {
    const conflict = conflictOf(row, result.conflict, holder)
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

type UndoAnswer = { ok: true; words: ScanText } | { ok: false; message: string }

/**
 * Undoes an admission by this device (within 60 s): locally if the server never received it, at the server if it has, and
 * through the outbox if it may have. Never throws.
 */
export async function undoAdmission({ scanId, ticket }: HistoryRecord): Promise<UndoAnswer> {
  if (ticket === null) return { ok: false, message: SCAN_NOTES.undoNothing }
  const undoneAt = new Date().toISOString()
  const undone = { scanId, ticketId: ticket.id, undoneAt, evening: eveningNow(), words: SCAN_NOTES.undone }
  try {
    const here = await undoUnsent(undone)
    if (here === 'server') await askServer(undone)
    dropAdmission(ticket.id)
    if (here === 'queued') sendSoon()
    return { ok: true, words: here === 'queued' ? SCAN_NOTES.undoQueued : SCAN_NOTES.undone }
  } catch (error) {
    const known = error instanceof Error && error.name === 'ApiFailure'
    return { ok: false, message: known ? messageOf(error) : storageWords(storageFailureOf(error).trouble).detail }
  }
}

/** Once the server has undone it, it is undone, whatever this device has room for. Throws ApiFailure. */
async function askServer(undone: Undone) {
  const epoch = epochNow()
  await scannerCall('undoMark', { body: { scanId: undone.scanId } })
  await recordUndo(undone, epoch).catch(noteFailedStorage)
}
