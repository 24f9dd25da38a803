import { epochNow } from '../../platform/http/epoch.ts'
import type { JournalRow, OutboxRow } from '../../platform/store/scannerSchema.ts'
import { type EventTimes, keptUntil, toLocalAdmission } from '../core/scan.ts'
import { addLocalAdmission, rosterRevision } from './rosterMemory.ts'
import { readStore, type StoreIn, writeRelaxed } from './scannerStore.ts'

/** The rows that a server of an earlier epoch has and a later server may lack. */
const before = (epoch: number) => IDBKeyRange.upperBound([epoch], true)

/** Rows in one step: few enough that a scan never waits long for its turn to write. */
const AT_ONCE = 100

/**
 * Puts scans that servers of earlier epochs have received into the outbox again, oldest first, in independent steps: after a
 * restart the rest follows. Rows still in the outbox stay there, because the later server answers them. Throws StorageFailure.
 */
export async function queueAgain(epoch: number): Promise<void> {
  for (let rows = await queueSome(epoch); rows !== null; rows = await queueSome(epoch))
    for (const row of rows) if (isAdmission(row)) addLocalAdmission(toLocalAdmission(row))
}

/**
 * Without a list, only the journal knows whom this phone let in before the server was restored: from now on they count as unsent.
 * Call it before a verdict and before a list is applied. Never throws.
 */
export async function recallAdmissions(): Promise<void> {
  if (rosterRevision() !== null) return
  await queueAgain(epochNow()).catch((error: unknown) => console.warn('The journal is not readable', error))
}

const isAdmission = ({ undo, movement }: OutboxRow): boolean => !undo && movement !== 'count'

/** The rows of one step that were put into the outbox; null when nothing was left. */
async function queueSome(epoch: number): Promise<OutboxRow[] | null> {
  if ((await readStore((db) => db.countFromIndex('journal', 'due', before(epoch)))) === 0) return null
  return writeRelaxed(['journal', 'outbox', 'admitted', 'meta'], async (tx) => {
    const journal = tx.objectStore('journal')
    const outbox = tx.objectStore('outbox')
    const rows: OutboxRow[] = []
    for (const kept of await journal.index('due').getAll(before(epoch), AT_ONCE)) {
      await journal.put({ ...kept, epoch })
      const waiting = await outbox.index('scanId').get(kept.scanId)
      // A restored server may accept a scan that another server refused for good.
      if (waiting?.parked) await outbox.put({ ...waiting, parked: null })
      const row = waiting ? null : rowAgain(kept)
      if (row === null) continue
      await outbox.add(row)
      if (isAdmission(row)) await tx.objectStore('admitted').put(toLocalAdmission(row))
      rows.push(row)
    }
    const meta = tx.objectStore('meta')
    const known = await meta.get('resend')
    const total =
      known?.key === 'resend' && known.epoch === epoch ? known.total + rows.length : await outbox.index('again').count()
    await meta.put({ key: 'resend', epoch, total })
    return rows
  })
}

/** A server has answered the scan once, so an undo of it must reach the server. */
function rowAgain(kept: JournalRow): OutboxRow | null {
  const { ticketId, ending, eventId: _event, until: _until, epoch: _epoch, ...sent } = kept
  if (ticketId === null) return null
  return { ...sent, ticketId, name: null, attempts: 1, undo: ending === 'undone', again: 1, parked: null }
}

/** Whether the server of this epoch has answered all that earlier servers had. Throws StorageFailure. */
export const hasAllAgain = (epoch: number): Promise<boolean> =>
  readStore(async (db) => {
    const tx = db.transaction(['journal', 'outbox'])
    const [due, again] = await Promise.all([
      tx.objectStore('journal').index('due').count(before(epoch)),
      tx.objectStore('outbox').index('again').count(),
    ])
    return due + again === 0
  })

/** A server of this earlier epoch answered for a scan, so the later server needs the scan too. */
export async function lowerEpoch(store: StoreIn<'journal'>, scanId: string, epoch: number): Promise<void> {
  const row = await store.get(scanId)
  if (row?.epoch !== undefined && row.epoch > epoch) await store.put({ ...row, epoch })
}

/** Changes a scan's row. `neverSend`: no server had the scan, or it is given up, so that it is never queued again. */
export async function markInJournal(
  store: StoreIn<'journal'>,
  scanId: string,
  change: Partial<Pick<JournalRow, 'ending' | 'undoneAt'>> & { neverSend?: true },
): Promise<void> {
  const { neverSend, ...changed } = change
  const row = await store.get(scanId)
  if (row === undefined) return
  const { epoch, ...rest } = row
  await store.put({ ...rest, ...changed, ...(epoch === undefined || neverSend ? {} : { epoch }) })
}

/**
 * Erases scans that the server has and whose time is over; scans of a postponed event stay. Cheap when there are none.
 * Throws StorageFailure.
 */
export async function tidyJournal(now: number, event: EventTimes | null): Promise<void> {
  const over = IDBKeyRange.upperBound(now)
  if ((await readStore((db) => db.getKeyFromIndex('journal', 'until', over))) === undefined) return
  await writeRelaxed(['journal', 'outbox'], async (tx) => {
    const outbox = tx.objectStore('outbox').index('scanId')
    for (let row = await tx.objectStore('journal').index('until').openCursor(over); row; row = await row.continue()) {
      const { scanId, eventId, scannedAt } = row.value
      const until =
        eventId !== null && eventId === event?.id ? keptUntil(event, Date.parse(scannedAt)) : row.value.until
      if (until > now) await row.update({ ...row.value, until })
      else if ((await outbox.getKey(scanId)) === undefined) await row.delete()
    }
  })
}

/** The server has revoked this device: answered scans are erased, unanswered scans stay. Throws StorageFailure. */
export async function eraseDeviceJournal(deviceId: string): Promise<void> {
  await writeRelaxed(['journal', 'outbox'], async (tx) => {
    const outbox = tx.objectStore('outbox').index('scanId')
    for (let row = await tx.objectStore('journal').openCursor(); row; row = await row.continue())
      if (row.value.deviceId === deviceId && (await outbox.getKey(row.value.scanId)) === undefined) await row.delete()
  })
}
