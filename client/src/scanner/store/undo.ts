import { announce } from './news.ts'
import { hasLeft, rewrite } from './outbox.ts'
import { bump } from './record.ts'
import { type StoreIn, writeStrict } from './scannerStore.ts'

/**
 * What an undo comes to here. `dropped`: the server never received the admission and never will. `queued`: it may
 * have, so both are sent. `server`: the admission is the server's, who must be asked first.
 */
export type UndoHere = 'dropped' | 'queued' | 'server'

interface Undone {
  scanId: string
  ticketId: string
  evening: string
  words: { title: string; detail: string }
}

/** Undoes an admission that is still in the outbox; one the server has answered stays as it is. Throws StorageFailure. */
export async function undoUnsent(undone: Undone): Promise<UndoHere> {
  const here = await writeStrict(['qr_scan_history', 'outbox', 'admitted', 'tally'], async (tx) => {
    const outbox = tx.objectStore('outbox')
    const cursor = await outbox.index('scanId').openCursor(undone.scanId)
    if (cursor === null) return 'server'
    const sent = cursor.value.attempts > 0 || hasLeft(undone.scanId)
    await (sent ? cursor.update({ ...cursor.value, undo: true }) : cursor.delete())
    await takeBack(tx, undone)
    return sent ? 'queued' : 'dropped'
  })
  announce('history', 'outbox')
  return here
}

/** Records that the server undid an admission. Throws StorageFailure. */
export async function recordUndo(undone: Undone): Promise<void> {
  await writeStrict(['qr_scan_history', 'admitted', 'tally'], (tx) => takeBack(tx, undone))
  announce('history', 'outbox')
}

interface Stores {
  objectStore(name: 'qr_scan_history'): StoreIn<'qr_scan_history'>
  objectStore(name: 'admitted'): StoreIn<'admitted'>
  objectStore(name: 'tally'): StoreIn<'tally'>
}

async function takeBack(tx: Stores, { scanId, ticketId, evening, words }: Undone) {
  await rewrite(tx.objectStore('qr_scan_history'), scanId, { ...words, ending: 'undone', marked: false })
  const admitted = tx.objectStore('admitted')
  if ((await admitted.get(ticketId))?.scanId === scanId) await admitted.delete(ticketId)
  await bump(tx.objectStore('tally'), { evening, scanned: 0, valid: -1 })
}
