import { UNDO_WINDOW_MS } from '@garba/shared/constants'
import type { HistoryRecord, LocalAdmission, Tally } from '../../platform/store/scannerSchema.ts'
import { announce } from './news.ts'
import { read, write } from './scannerStore.ts'

/** The scans made here, newest first, at most SPEC's 50. Throws StorageFailure. */
export async function readHistory(): Promise<HistoryRecord[]> {
  return (await read((db) => db.getAll('qr_scan_history'))).reverse()
}

/** Clear History: only the list, never the outbox, and no ticket becomes valid again. Throws StorageFailure. */
export async function clearHistory(): Promise<void> {
  await write(['qr_scan_history'], (tx) => tx.objectStore('qr_scan_history').clear())
  announce('history')
}

export async function readTally(evening: string): Promise<Tally> {
  return (await read((db) => db.get('tally', evening))) ?? { evening, scanned: 0, valid: 0, rejected: 0 }
}

/** Tickets let in here that the list may not show yet. Throws StorageFailure. */
export const readAdmitted = (): Promise<LocalAdmission[]> => read((db) => db.getAll('admitted'))

interface HistoryQuery {
  ticketId: string
  checkerName: string
  /** Device time in ms. */
  now: number
}

/** The checker's own admission of a ticket that can still be undone. */
export const undoableAdmission = (
  history: readonly HistoryRecord[],
  { ticketId, checkerName, now }: HistoryQuery,
): HistoryRecord | null =>
  history.find(
    ({ ticket, ending, scannedBy, timestamp }) =>
      ticket?.id === ticketId &&
      (ending === 'admitted' || ending === 'pending') &&
      scannedBy === checkerName &&
      now - Date.parse(timestamp) < UNDO_WINDOW_MS,
  ) ?? null
