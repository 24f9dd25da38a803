import type { ScanText } from '@garba/shared/messages/codes'
import { GATE } from '@garba/shared/messages/scanner'
import { messageOf } from '../../platform/http/failure.ts'
import type { HistoryRecord } from '../../platform/store/gateSchema.ts'
import { eveningNow } from '../core/clock.ts'
import { storageFailureOf, storageWords } from '../store/failure.ts'
import { dropAdmission } from '../store/rosterMemory.ts'
import { recordUndo, undoUnsent } from '../store/undo.ts'
import { scannerCall } from './connection.ts'
import { sendSoon } from './replayer.ts'

export type Undone = { ok: true; words: ScanText } | { ok: false; message: string }

/**
 * Takes back an own admission (DECISIONS 2, within 60 s): here alone when the server never received it, at the server when
 * it has, and through the outbox when it may have. Never throws.
 */
export async function undoAdmission({ scanId, ticket }: HistoryRecord): Promise<Undone> {
  if (ticket === null) return { ok: false, message: GATE.undoNothing }
  const undone = { scanId, ticketId: ticket.id, evening: eveningNow() }
  try {
    const here = await undoUnsent({ ...undone, words: GATE.undone })
    if (here === 'server') await askServer(undone)
    dropAdmission(ticket.id)
    if (here === 'queued') sendSoon()
    return { ok: true, words: here === 'queued' ? GATE.undoQueued : GATE.undone }
  } catch (error) {
    const known = error instanceof Error && error.name === 'ApiFailure'
    return { ok: false, message: known ? messageOf(error) : storageWords(storageFailureOf(error).trouble).detail }
  }
}

async function askServer(undone: { scanId: string; ticketId: string; evening: string }) {
  await scannerCall('undoMark', { body: { scanId: undone.scanId } })
  await recordUndo({ ...undone, words: GATE.undone })
}
