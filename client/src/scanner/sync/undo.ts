import type { ScanText } from '@garba/shared/messages/codes'
import { messageOf } from '../../platform/http/failure.ts'
import type { HistoryRecord } from '../../platform/store/scannerSchema.ts'
import { eveningNow } from '../core/clock.ts'
import { epochNow } from '../core/epoch.ts'
import { storageFailureOf, storageWords } from '../store/failure.ts'
import { dropAdmission } from '../store/rosterMemory.ts'
import { recordUndo, type Undone as UndoneHere, undoUnsent } from '../store/undo.ts'
import { SCAN_NOTES } from '../texts/scanner.ts'
import { scannerCall } from './connection.ts'
import { sendSoon } from './replayer.ts'

export type Undone = { ok: true; words: ScanText } | { ok: false; message: string }

/**
 * Takes back an own admission (within 60 s): here alone when the server never received it, at the server when
 * it has, and through the outbox when it may have. Never throws.
 */
export async function undoAdmission({ scanId, ticket }: HistoryRecord): Promise<Undone> {
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

async function askServer(undone: UndoneHere) {
  const epoch = epochNow()
  await scannerCall('undoMark', { body: { scanId: undone.scanId } })
  await recordUndo(undone, epoch)
}
