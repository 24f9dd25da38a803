import type { DeviceConflict } from '@garba/shared/contracts/phones/scan'
import type { HistoryRecord, OutboxRow } from '../../platform/store/scannerSchema.ts'
import { putConflicts } from './conflicts.ts'
import { toStorageFailure } from './failure.ts'
import { lowerEpoch, markInJournal } from './journal.ts'
import { addToTally } from './record.ts'
import { readStore, type StoreIn, type TxOver, writeRelaxed, writeStrict } from './scannerStore.ts'

export type StoredRow = OutboxRow & { seq: number }

const stored = (row: OutboxRow): StoredRow => {
  if (row.seq === undefined) throw new Error('An outbox row without its seq')
  return { ...row, seq: row.seq }
}

export interface Unsent {
  /** Admissions and sales not yet answered for, including parked rows. */
  count: number
  /** ISO time of the oldest; null when there is none. */
  oldest: string | null
  parked: number
  /** Progress of the rows that are sent again to a restored server; null when there are none. */
  again: { left: number; total: number } | null
}

export const unsentSales = (): IDBKeyRange => IDBKeyRange.bound(['unsent', ''], ['unsent', '\uffff'])

/** Reads only counts and first rows, so that scans stay fast with a long outbox. Throws StorageFailure. */
export function readUnsent(): Promise<Unsent> {
  return readStore(async (db) => {
    const tx = db.transaction(['outbox', 'sales', 'meta'])
    const [outbox, sales] = [tx.objectStore('outbox'), tx.objectStore('sales')]
    const [scans, parkedScans, left, firstScan, sold, parkedSales, firstSale, resend] = await Promise.all([
      outbox.count(),
      outbox.index('parkedAt').count(),
      outbox.index('again').count(),
      outbox.openCursor(),
      sales.index('inTurn').count(unsentSales()),
      sales.index('parkedAt').count(),
      sales.index('inTurn').openCursor(unsentSales()),
      tx.objectStore('meta').get('resend'),
    ])
    const first = [firstScan?.value.scannedAt, firstSale?.value.soldAt].filter((at) => at !== undefined).toSorted()
    const total = resend?.key === 'resend' ? Math.max(resend.total, left) : left
    const again = left === 0 ? null : { left, total }
    return { count: scans + sold, parked: parkedScans + parkedSales, oldest: first[0] ?? null, again }
  })
}

/** The oldest rows, for a list on the screen. Throws StorageFailure. */
export const oldestRows = async (limit: number): Promise<StoredRow[]> =>
  (await readStore((db) => db.getAll('outbox', null, limit))).map(stored)

interface Next {
  after: number
  limit: number
  undone?: boolean
}

/** The next rows to send after `after`, oldest first; parked rows block nothing. */
export async function nextRows({ after, limit, undone = false }: Next): Promise<StoredRow[]> {
  return readStore(async (db) => {
    const rows: StoredRow[] = []
    let cursor = await db.transaction('outbox').store.openCursor(IDBKeyRange.lowerBound(after, true))
    while (cursor !== null && rows.length < limit) {
      if (cursor.value.parked === null && (cursor.value.undo || !undone)) rows.push(stored(cursor.value))
      cursor = await cursor.continue()
    }
    return rows
  })
}

/**
 * Call before sending rows: afterwards the server may have them, so an undo must reach it. Resolves to the rows as they
 * are to be sent: a row undone since it was read is gone, or has its undo. Throws StorageFailure.
 */
export function recordSendAttempt(rows: readonly StoredRow[]): Promise<StoredRow[]> {
  return writeRelaxed(['outbox'], async (tx) => {
    const store = tx.objectStore('outbox')
    const waiting: StoredRow[] = []
    for (const { seq } of rows) {
      const row = await store.get(seq)
      if (row === undefined) continue
      const tried = { ...row, seq, attempts: row.attempts + 1 }
      await store.put(tried)
      waiting.push(tried)
    }
    return waiting
  })
}

export interface ScanSettlement {
  scanId: string
  ticketId: string
  /** The record's new text; null leaves it as the checker read it. */
  record: Pick<HistoryRecord, 'ending' | 'marked' | 'title' | 'detail'> | null
  conflict: DeviceConflict | null
  /**
   * The answered part: the admission, its undo, or `nothing` when the checker gives it up. An admission that was undone
   * while its answer was under way still has its undo to send.
   */
  of: 'admission' | 'undo' | 'nothing'
}

interface AnswerContext {
  /** Device time in ms. */
  now: number
  /** The epoch of the server that answered, if a later epoch has been seen since. */
  earlier: number | null
}

/**
 * Removes answered rows from the outbox and records their results. Scans without a row are left alone. On a full device
 * the results are dropped, because the server's list brings them; only a conflict waits for room. Throws
 * StorageFailure.
 */
export async function writeSettlements(settlements: readonly ScanSettlement[], answered: AnswerContext): Promise<void> {
  if (settlements.length === 0) return
  try {
    await settleScans(settlements, answered)
  } catch (error) {
    if (toStorageFailure(error).trouble !== 'full') throw error
    await takeOutAlone(settlements.filter(({ conflict }) => conflict === null))
  }
}

function settleScans(settlements: readonly ScanSettlement[], { now, earlier }: AnswerContext): Promise<void> {
  return writeRelaxed(['outbox', 'qr_scan_history', 'admitted', 'conflicts', 'journal'], async (tx) => {
    const journal = tx.objectStore('journal')
    for (const settlement of settlements) {
      const { scanId, record, conflict } = settlement
      if (earlier !== null) await lowerEpoch(journal, scanId, earlier)
      if (settlement.of === 'nothing') await markInJournal(journal, scanId, { ending: 'givenUp', neverSend: true })
      const row = await takeOut(tx.objectStore('outbox'), settlement)
      if (row?.undo === true && settlement.of === 'admission') continue
      if (record !== null) await updateHistoryRecord(tx.objectStore('qr_scan_history'), scanId, record)
      if (conflict !== null) await putConflicts(tx.objectStore('conflicts'), [conflict], new Date(now).toISOString())
      if (row) await settleAdmission(tx.objectStore('admitted'), row, now)
    }
  })
}

function takeOutAlone(settlements: readonly ScanSettlement[]): Promise<void> {
  return writeRelaxed(['outbox', 'admitted'], async (tx) => {
    for (const settlement of settlements) {
      const { scanId, ticketId } = settlement
      await takeOut(tx.objectStore('outbox'), settlement)
      const admission = await tx.objectStore('admitted').get(ticketId)
      if (admission?.scanId === scanId) await tx.objectStore('admitted').delete(ticketId)
    }
  })
}

async function takeOut(store: StoreIn<'outbox'>, { scanId, of }: ScanSettlement): Promise<OutboxRow | null> {
  const cursor = await store.index('scanId').openCursor(scanId)
  if (cursor === null) return null
  const row = cursor.value
  if (!row.undo || of !== 'admission') await cursor.delete()
  return row
}

export async function updateHistoryRecord(
  store: StoreIn<'qr_scan_history'>,
  scanId: string,
  change: Partial<HistoryRecord>,
): Promise<void> {
  // The newest, if the scan was tried twice. None if it was cleared or is older than the 50 kept.
  const record = await store.index('scanId').openCursor(scanId, 'prev')
  await record?.update({ ...record.value, ...change })
}

async function settleAdmission(store: StoreIn<'admitted'>, row: OutboxRow, now: number) {
  const admission = await store.get(row.ticketId)
  if (admission?.scanId === row.scanId) await store.put({ ...admission, settledAt: now })
}

/** Sets a row aside with its reason. A parked row is shown, blocks nothing and is never dropped. */
export async function parkScan(scanId: string, parked: NonNullable<OutboxRow['parked']>): Promise<void> {
  await writeRelaxed(['outbox'], async (tx) => {
    const store = tx.objectStore('outbox')
    const row = await store.index('scanId').get(scanId)
    if (row === undefined) return
    // The row has its answer, so it no longer counts as being sent again.
    const { again: _again, ...rest } = row
    await store.put({ ...rest, parked })
  })
}

export async function unparkAll(): Promise<void> {
  await writeRelaxed(['outbox', 'sales'], async (tx) => {
    const [scans, sales] = [tx.objectStore('outbox'), tx.objectStore('sales')]
    for (const row of await scans.getAll()) if (row.parked !== null) await scans.put({ ...row, parked: null })
    for (const row of await sales.getAll()) if (row.parked !== null) await sales.put({ ...row, parked: null })
  })
}

const unrecordedSends = new Set<string>()

/**
 * Remembers scans that were sent although the device had no room to note the attempt in their rows. A full device must
 * still send, and an undo must know that the server may have received them.
 */
export function addUnrecordedSends<R extends { scanId: string }>(scans: readonly R[]): readonly R[] {
  for (const { scanId } of scans) unrecordedSends.add(scanId)
  return scans
}
const isUnrecordedSend = (scanId: string): boolean => unrecordedSends.has(scanId)

/**
 * The local result of an undo. `dropped`: the server never received the admission and never will. `queued`: it may
 * have, so both are sent. `server`: the server holds the admission and must be asked first.
 */
type UndoHere = 'dropped' | 'queued' | 'server'

export interface Undone {
  scanId: string
  ticketId: string
  /** ISO, by the device's clock. */
  undoneAt: string
  evening: string
  words: { title: string; detail: string }
}

/** Undoes an admission that is still in the outbox; an answered admission stays as it is. Throws StorageFailure. */
export function undoUnsent(undone: Undone): Promise<UndoHere> {
  return writeStrict(['qr_scan_history', 'outbox', 'admitted', 'tally', 'journal'], async (tx) => {
    const outbox = tx.objectStore('outbox')
    const cursor = await outbox.index('scanId').openCursor(undone.scanId)
    if (cursor === null) return 'server'
    const sent = cursor.value.attempts > 0 || isUnrecordedSend(undone.scanId)
    const { undoneAt, scanId } = undone
    await (sent ? cursor.update({ ...cursor.value, undo: true, undoneAt }) : cursor.delete())
    await takeBack(tx, undone)
    if (!sent) {
      await markInJournal(tx.objectStore('journal'), scanId, { neverSend: true })
      await awaitEntry(tx, undone)
    }
    return sent ? 'queued' : 'dropped'
  })
}

/** No answer comes for an exit that was never sent: its entry waits to be sent itself, or the server has it. */
async function awaitEntry(tx: TxOver<'outbox' | 'admitted'>, { scanId, ticketId }: Undone): Promise<void> {
  const admitted = tx.objectStore('admitted')
  const inside = await admitted.get(ticketId)
  if (inside?.scanId !== scanId) return
  const entry = (await tx.objectStore('outbox').getAll()).findLast((row) => row.ticketId === ticketId && !row.undo)
  await admitted.put({ ...inside, ...(entry ? { scanId: entry.scanId } : { settledAt: Date.now() }) })
}

/** Records that the server of this epoch undid an admission. Throws StorageFailure. */
export async function recordUndo(undone: Undone, epoch: number): Promise<void> {
  await writeStrict(['qr_scan_history', 'admitted', 'tally', 'journal'], async (tx) => {
    await takeBack(tx, undone)
    await lowerEpoch(tx.objectStore('journal'), undone.scanId, epoch)
  })
}

type UndoStores = TxOver<'qr_scan_history' | 'admitted' | 'tally' | 'journal'>

async function takeBack(tx: UndoStores, { scanId, ticketId, undoneAt, evening, words }: Undone) {
  await updateHistoryRecord(tx.objectStore('qr_scan_history'), scanId, { ...words, ending: 'undone', marked: false })
  const admitted = tx.objectStore('admitted')
  let isExit = false
  const known = await admitted.get(ticketId)
  if (known?.scanId === scanId) {
    const { leftAt, ...inside } = known
    await (leftAt === undefined ? admitted.delete(ticketId) : admitted.put(inside))
    isExit = leftAt !== undefined
  }
  await markInJournal(tx.objectStore('journal'), scanId, { ending: 'undone', undoneAt })
  await addToTally(tx.objectStore('tally'), { evening, scanned: 0, valid: isExit ? 0 : -1 })
}
