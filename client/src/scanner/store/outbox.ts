import type { DeviceConflict } from '@garba/shared/contracts/scan'
import type { HistoryRecord, OutboxRow } from '../../platform/store/scannerSchema.ts'
import { putConflicts } from './conflicts.ts'
import { storageFailureOf } from './failure.ts'
import { announce } from './news.ts'
import { read, type StoreIn, write } from './scannerStore.ts'

export type StoredRow = OutboxRow & { seq: number }

const stored = (row: OutboxRow): StoredRow => {
  if (row.seq === undefined) throw new Error('An outbox row without its seq')
  return { ...row, seq: row.seq }
}

/** What the status bar and the heartbeat report of what waits, however much it is. */
export interface Unsent {
  /** Admissions and sales not yet answered for, parked ones included. */
  count: number
  /** ISO time of the oldest; null when there is none. */
  oldest: string | null
  parked: number
}

/** Sales that the server does not know yet, oldest first. */
export const unsentSales = (): IDBKeyRange => IDBKeyRange.bound(['unsent', ''], ['unsent', '\uffff'])

/** Uses only counts and the first rows, so that a scan does not get slower the longer the network is gone. Throws StorageFailure. */
export function readUnsent(): Promise<Unsent> {
  return read(async (db) => {
    const tx = db.transaction(['outbox', 'sales'])
    const [outbox, sales] = [tx.objectStore('outbox'), tx.objectStore('sales')]
    const [scans, parkedScans, firstScan, sold, parkedSales, firstSale] = await Promise.all([
      outbox.count(),
      outbox.index('parkedAt').count(),
      outbox.openCursor(),
      sales.index('inTurn').count(unsentSales()),
      sales.index('parkedAt').count(),
      sales.index('inTurn').openCursor(unsentSales()),
    ])
    const first = [firstScan?.value.scannedAt, firstSale?.value.soldAt].filter((at) => at !== undefined).toSorted()
    return { count: scans + sold, parked: parkedScans + parkedSales, oldest: first[0] ?? null }
  })
}

/** The oldest rows, for a list on the screen. Throws StorageFailure. */
export const oldestRows = async (limit: number): Promise<StoredRow[]> =>
  (await read((db) => db.getAll('outbox', null, limit))).map(stored)

/** The next rows to send after `after`, oldest first; parked ones block nothing. */
export async function nextRows({ after, limit }: { after: number; limit: number }): Promise<StoredRow[]> {
  return read(async (db) => {
    const rows: StoredRow[] = []
    let cursor = await db.transaction('outbox').store.openCursor(IDBKeyRange.lowerBound(after, true))
    while (cursor !== null && rows.length < limit) {
      if (cursor.value.parked === null) rows.push(stored(cursor.value))
      cursor = await cursor.continue()
    }
    return rows
  })
}

/** Call before sending rows: from now on the server may have received them, and an undo must reach it. Throws StorageFailure. */
export async function noteAttempt(rows: readonly StoredRow[]): Promise<void> {
  await write(['outbox'], async (tx) => {
    const store = tx.objectStore('outbox')
    for (const { seq } of rows) {
      const row = await store.get(seq)
      if (row) await store.put({ ...row, attempts: row.attempts + 1 })
    }
  })
  announce('outbox')
}

/** How the server's final answer changes a row. */
export interface Settlement {
  scanId: string
  ticketId: string
  /** The record's new text; null leaves it as the checker read it. */
  record: Pick<HistoryRecord, 'ending' | 'marked' | 'title' | 'detail'> | null
  conflict: DeviceConflict | null
}

/**
 * Takes answered rows out of the outbox, with what they came to. Scans without a row are left alone. On a full device they go
 * without it, for the server's list will tell; only a conflict waits for room. Throws StorageFailure.
 */
export async function writeSettlements(settlements: readonly Settlement[], now: number): Promise<void> {
  if (settlements.length === 0) return
  try {
    await settleWhole(settlements, now)
  } catch (error) {
    if (storageFailureOf(error).trouble !== 'full') throw error
    await takeOutAlone(settlements.filter(({ conflict }) => conflict === null))
  }
  const conflicts = settlements.some(({ conflict }) => conflict !== null)
  announce('outbox', 'history', ...(conflicts ? (['conflicts'] as const) : []))
}

function settleWhole(settlements: readonly Settlement[], now: number): Promise<void> {
  return write(['outbox', 'qr_scan_history', 'admitted', 'conflicts'], async (tx) => {
    for (const { scanId, record, conflict } of settlements) {
      const row = await takeOut(tx.objectStore('outbox'), scanId)
      if (record !== null) await rewrite(tx.objectStore('qr_scan_history'), scanId, record)
      if (conflict !== null) await putConflicts(tx.objectStore('conflicts'), [conflict], new Date(now).toISOString())
      if (row) await settleAdmission(tx.objectStore('admitted'), row, now)
    }
  })
}

function takeOutAlone(settlements: readonly Settlement[]): Promise<void> {
  return write(['outbox', 'admitted'], async (tx) => {
    for (const { scanId, ticketId } of settlements) {
      await takeOut(tx.objectStore('outbox'), scanId)
      const admission = await tx.objectStore('admitted').get(ticketId)
      if (admission?.scanId === scanId) await tx.objectStore('admitted').delete(ticketId)
    }
  })
}

async function takeOut(store: StoreIn<'outbox'>, scanId: string): Promise<OutboxRow | null> {
  const cursor = await store.index('scanId').openCursor(scanId)
  if (cursor === null) return null
  const row = cursor.value
  await cursor.delete()
  return row
}

export async function rewrite(
  store: StoreIn<'qr_scan_history'>,
  scanId: string,
  change: Partial<HistoryRecord>,
): Promise<void> {
  const record = await store.index('scanId').get(scanId)
  // Cleared, or older than the 50 kept: nothing to correct.
  if (record) await store.put({ ...record, ...change })
}

async function settleAdmission(store: StoreIn<'admitted'>, row: OutboxRow, now: number) {
  const admission = await store.get(row.ticketId)
  if (admission?.scanId === row.scanId) await store.put({ ...admission, settledAt: now })
}

/** Sets a row aside with its reason: shown, blocking nothing, never dropped (DECISIONS 3). */
export async function park(scanId: string, parked: NonNullable<OutboxRow['parked']>): Promise<void> {
  await changeRow(scanId, { parked })
}

/** Puts a parked row back in the queue, on the checker's request or after a sign-in. */
export async function unparkAll(): Promise<void> {
  await write(['outbox', 'sales'], async (tx) => {
    const [scans, sales] = [tx.objectStore('outbox'), tx.objectStore('sales')]
    for (const row of await scans.getAll()) if (row.parked !== null) await scans.put({ ...row, parked: null })
    for (const row of await sales.getAll()) if (row.parked !== null) await sales.put({ ...row, parked: null })
  })
  announce('outbox', 'sales')
}

async function changeRow(scanId: string, change: Partial<OutboxRow>): Promise<void> {
  await write(['outbox'], async (tx) => {
    const store = tx.objectStore('outbox')
    const row = await store.index('scanId').get(scanId)
    if (row) await store.put({ ...row, ...change })
  })
  announce('outbox')
}

const left = new Set<string>()

/**
 * Scans that were sent though the device had no room to note the attempt in their rows: a full device must still be able to
 * send, and an undo must still know that the server may have received them.
 */
export function noteLeft(scans: readonly { scanId: string }[]): void {
  for (const { scanId } of scans) left.add(scanId)
}
export const hasLeft = (scanId: string): boolean => left.has(scanId)
