import { SCAN_HISTORY_MAX, UNDO_WINDOW_MS } from '@garba/shared/constants'
import type {
  HistoryRecord,
  JournalRow,
  LocalAdmission,
  OutboxRow,
  ScanEnding,
  Tally,
} from '../../platform/store/scannerSchema.ts'
import { readStore, type StoreIn, type TxOver, writeRelaxed, writeStrict } from './scannerStore.ts'

export type NewRecord = Omit<HistoryRecord, 'id'>

export const recordOfEntry = (
  { qrCode, ticketId, name, scannedAt, checkerName, scanId }: OutboxRow,
  said: Pick<NewRecord, 'ending' | 'title' | 'detail'>,
): NewRecord => ({
  qrCode: qrCode ?? '',
  ticket: { id: ticketId, name },
  status: 'valid',
  marked: said.ending === 'admitted',
  timestamp: scannedAt,
  scannedBy: checkerName,
  scanId,
  manual: false,
  ...said,
})

interface DecidedScan {
  record: NewRecord
  journal: JournalRow
  evening: string
}

interface Admission extends DecidedScan {
  admission: LocalAdmission
  /** The outbox row still to be sent; null when the server admitted. */
  row: OutboxRow | null
}

/**
 * Every admission is recorded here: history, outbox, journal, local ticket status and tiles, in one transaction that is
 * on the disk when the call resolves. If another tab let the same ticket in meanwhile and the server has not answered
 * otherwise, it writes nothing and resolves to that earlier admission. Throws StorageFailure.
 */
export function recordAdmission(decided: Admission): Promise<LocalAdmission | null> {
  const { admission, row } = decided
  return writeStrict(['qr_scan_history', 'outbox', 'admitted', 'tally', 'journal'], async (tx) => {
    const known = await tx.objectStore('admitted').get(admission.ticketId)
    const isSame = (known?.leftAt === undefined) === (admission.leftAt === undefined)
    if (row !== null && known !== undefined && known.settledAt === null && isSame) return known
    await putAdmission(tx, decided)
    return null
  })
}

type AdmissionStores = TxOver<'qr_scan_history' | 'outbox' | 'admitted' | 'tally' | 'journal'>

export async function putAdmission(
  tx: AdmissionStores,
  { record, journal, evening, admission, row }: Admission,
): Promise<void> {
  await Promise.all([
    addHistory(tx.objectStore('qr_scan_history'), record),
    row === null ? undefined : tx.objectStore('outbox').add(row),
    tx.objectStore('admitted').put(admission),
    tx.objectStore('journal').put(journal),
    addToTally(tx.objectStore('tally'), { evening, valid: admission.leftAt === undefined ? 1 : 0 }),
  ])
}

/** Records people counted without a code, on the disk when this resolves. Throws StorageFailure. */
export async function storeCount(row: OutboxRow, journal: JournalRow): Promise<void> {
  await writeStrict(['outbox', 'journal'], async (tx) => {
    await Promise.all([tx.objectStore('outbox').add(row), tx.objectStore('journal').put(journal)])
  })
}

/** Records a scan that let nobody in. Throws StorageFailure, which affects nobody's entry. */
export async function recordRefusedScan({ record, journal, evening }: DecidedScan): Promise<void> {
  await writeRelaxed(['qr_scan_history', 'tally', 'journal'], async (tx) => {
    await addHistory(tx.objectStore('qr_scan_history'), record)
    await tx.objectStore('journal').put(journal)
    await addToTally(tx.objectStore('tally'), { evening, rejected: 1 })
  })
}

/**
 * Ids grow even after the device's clock was set back. The list never outgrows 50. One read and then all writes at
 * once: each wait within the transaction is a turn of the page's own thread while somebody stands at the gate.
 */
async function addHistory(store: StoreIn<'qr_scan_history'>, record: NewRecord): Promise<void> {
  const ids = await store.getAllKeys()
  const newest = ids.at(-1)
  const at = Date.parse(record.timestamp)
  const over = ids.slice(0, Math.max(0, ids.length + 1 - SCAN_HISTORY_MAX))
  await Promise.all([
    store.add({ ...record, id: newest === undefined ? at : Math.max(at, newest + 1) }),
    ...over.map((id) => store.delete(id)),
  ])
}

/** Each scan counts once; an undo removes it from the valid scans, unless a sign-out has emptied the tiles since. */
export async function addToTally(store: StoreIn<'tally'>, by: Partial<Tally> & Pick<Tally, 'evening'>): Promise<void> {
  const { evening, scanned = 1, valid = 0, rejected = 0 } = by
  const before: Tally = (await store.get(evening)) ?? { evening, scanned: 0, valid: 0, rejected: 0 }
  await store.put({
    evening,
    scanned: before.scanned + scanned,
    valid: Math.max(0, before.valid + valid),
    rejected: before.rejected + rejected,
  })
}

/**
 * Writes a row of an admission's size to the disk, reads it back and removes it, in one strict transaction, so that no
 * replay can ever see it. Throws StorageFailure.
 */
export async function tryWrite(): Promise<void> {
  await writeStrict(['outbox'], async (tx) => {
    const store = tx.objectStore('outbox')
    const seq = await store.add(testRow())
    const back = await store.get(seq)
    if (back?.qrCode?.length !== TEXT_LENGTH) throw new Error('The device did not give back what was written')
    await store.delete(seq)
  })
}

const TEXT_LENGTH = 122

const testRow = (): OutboxRow => ({
  scanId: crypto.randomUUID(),
  ticketId: '',
  qrCode: '0'.repeat(TEXT_LENGTH),
  manual: false,
  scannedAt: new Date().toISOString(),
  clockOffset: 0,
  deviceId: '',
  deviceName: '',
  checkerUid: '',
  checkerId: '',
  checkerName: '',
  name: null,
  attempts: 0,
  undo: false,
  parked: null,
})

/** The scans made here, newest first, at most 50. Throws StorageFailure. */
export async function readHistory(): Promise<HistoryRecord[]> {
  return (await readStore((db) => db.getAll('qr_scan_history'))).reverse()
}

/** Clear History: only the list, never the outbox, and no ticket becomes valid again. Throws StorageFailure. */
export const clearHistory = (): Promise<void> =>
  writeRelaxed(['qr_scan_history'], (tx) => tx.objectStore('qr_scan_history').clear())

export async function readTally(evening: string): Promise<Tally> {
  return (await readStore((db) => db.get('tally', evening))) ?? { evening, scanned: 0, valid: 0, rejected: 0 }
}

/** Tickets let in here that the list may not show yet. Throws StorageFailure. */
export const readAdmitted = (): Promise<LocalAdmission[]> => readStore((db) => db.getAll('admitted'))

interface HistoryQuery {
  ticketId: string
  checkerName: string
  /** Device time in ms. */
  now: number
}

/** Also false if the clock was set back a minute or more, because the age is then unknown. `now` is device time in ms. */
export const isInTimeToUndo = (timestamp: string, now: number): boolean =>
  Math.abs(now - Date.parse(timestamp)) < UNDO_WINDOW_MS

const STANDING: readonly ScanEnding[] = ['admitted', 'pending', 'left', 'leaving']

/** The last entry or exit with a ticket, if this checker made it: nothing before it can be undone. */
export function undoableAdmission(
  history: readonly HistoryRecord[],
  { ticketId, checkerName, now }: HistoryQuery,
): HistoryRecord | null {
  const last = history.find(({ ticket, ending }) => ticket?.id === ticketId && STANDING.includes(ending))
  return last?.scannedBy === checkerName && isInTimeToUndo(last.timestamp, now) ? last : null
}
