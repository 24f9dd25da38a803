import type { ScanText } from '@garba/shared/messages/codes'
import { epochNow } from '../../platform/http/epoch.ts'
import { getErrorMessage } from '../../platform/http/failure.ts'
import type { HistoryRecord } from '../../platform/store/scannerSchema.ts'
import { eveningNow } from '../core/moment.ts'
import { reportStorageFailure, storageWords, toStorageFailure } from '../store/failure.ts'
import { recordUndo, type Undone, undoUnsent } from '../store/outbox.ts'
import { readAdmitted } from '../store/record.ts'
import { dropAdmission, loadAdmitted } from '../store/rosterMemory.ts'
import { EXITS } from '../texts/movement.ts'
import { SCAN_NOTES } from '../texts/scanner.ts'
import { scannerCall } from './connection.ts'
import { sendSoon } from './replayer.ts'

type UndoAnswer = { ok: true; words: ScanText } | { ok: false; message: string }

/**
 * Undoes an admission by this device (within 60 s): locally if the server never received it, at the server if it has, and
 * through the outbox if it may have. Never throws.
 */
export async function undoOwnAdmission({ scanId, ticket, ending }: HistoryRecord): Promise<UndoAnswer> {
  if (ticket === null) return { ok: false, message: SCAN_NOTES.undoNothing }
  const words = ending === 'left' || ending === 'leaving' ? EXITS.undone : SCAN_NOTES.undone
  const undoneAt = new Date().toISOString()
  const undone = { scanId, ticketId: ticket.id, undoneAt, evening: eveningNow(), words }
  try {
    const here = await undoUnsent(undone)
    if (here === 'server') await askServer(undone)
    dropAdmission(ticket.id)
    if (here === 'dropped') await readAdmitted().then(loadAdmitted).catch(reportStorageFailure)
    if (here === 'queued') sendSoon()
    const { detail } = SCAN_NOTES.undoQueued
    return { ok: true, words: here === 'queued' ? { ...words, detail } : words }
  } catch (error) {
    const known = error instanceof Error && error.name === 'ApiFailure'
    return { ok: false, message: known ? getErrorMessage(error) : storageWords(toStorageFailure(error).trouble).detail }
  }
}

/** An undo by the server counts even if this device has no room to record it. Throws ApiFailure. */
async function askServer(undone: Undone) {
  const epoch = epochNow()
  await scannerCall('undoMark', { body: { scanId: undone.scanId } })
  await recordUndo(undone, epoch).catch(reportStorageFailure)
}
