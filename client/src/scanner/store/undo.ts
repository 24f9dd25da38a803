import { lowerEpoch, markInJournal } from './journal.ts'
import { announce } from './news.ts'
import { hasLeft, rewrite } from './outbox.ts'
import { bump } from './record.ts'
import { type StoreIn, writeStrict } from './scannerStore.ts'

/**
 * What an undo comes to here. `dropped`: the server never received the admission and never will. `queued`: it may
 * have, so both are sent. `server`: the admission is the server's, who must be asked first.
 */
export type UndoHere = 'dropped' | 'queued' | 'server'

export interface Undone {
  scanId: string
  ticketId: string
  /** ISO, by the device's clock. */
  undoneAt: string
  evening: string
  words: { title: string; detail: string }
}

/** Undoes an admission that is still in the outbox; one the server has answered stays as it is. Throws StorageFailure. */
export async function undoUnsent(undone: Undone): Promise<UndoHere> {
  const here = await writeStrict(['qr_scan_history', 'outbox', 'admitted', 'tally', 'journal'], async (tx) => {
    const outbox = tx.objectStore('outbox')
    const cursor = await outbox.index('scanId').openCursor(undone.scanId)
    if (cursor === null) return 'server'
    const sent = cursor.value.attempts > 0 || hasLeft(undone.scanId)
    const { undoneAt, scanId } = undone
    await (sent ? cursor.update({ ...cursor.value, undo: true, undoneAt }) : cursor.delete())
    await takeBack(tx, undone)
    if (!sent) await markInJournal(tx.objectStore('journal'), scanId, { untold: true })
    return sent ? 'queued' : 'dropped'
  })
  announce('history', 'outbox')
  return here
}

/** Records that the server of this epoch undid an admission. Throws StorageFailure. */
export async function recordUndo(undone: Undone, epoch: number): Promise<void> {
  await writeStrict(['qr_scan_history', 'admitted', 'tally', 'journal'], async (tx) => {
    await takeBack(tx, undone)
    await lowerEpoch(tx.objectStore('journal'), undone.scanId, epoch)
  })
  announce('history', 'outbox')
}

interface Stores {
  objectStore(name: 'qr_scan_history'): StoreIn<'qr_scan_history'>
  objectStore(name: 'admitted'): StoreIn<'admitted'>
  objectStore(name: 'tally'): StoreIn<'tally'>
  objectStore(name: 'journal'): StoreIn<'journal'>
}

async function takeBack(tx: Stores, { scanId, ticketId, undoneAt, evening, words }: Undone) {
  await rewrite(tx.objectStore('qr_scan_history'), scanId, { ...words, ending: 'undone', marked: false })
  const admitted = tx.objectStore('admitted')
  if ((await admitted.get(ticketId))?.scanId === scanId) await admitted.delete(ticketId)
  await markInJournal(tx.objectStore('journal'), scanId, { ending: 'undone', undoneAt })
  await bump(tx.objectStore('tally'), { evening, scanned: 0, valid: -1 })
}
