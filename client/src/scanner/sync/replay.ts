import { SCAN_BATCH_MAX, SHIFT_NAME_MAX, UNSENT_HEADER } from '@garba/shared/constants'
import { plainName } from '@garba/shared/contracts/personName'
import type { DoorSale, DoorSaleResult } from '@garba/shared/contracts/phones/block'
import type { BatchResult, QueuedScan } from '@garba/shared/contracts/phones/scan'
import { isGroupText } from '@garba/shared/rules/groupQr'
import { epochNow } from '../../platform/http/epoch.ts'
import type { OutboxRow, SaleRow } from '../../platform/store/scannerSchema.ts'
import { clockNow } from '../core/moment.ts'
import { pairingNow } from '../core/pairing.ts'
import { isOfPairedPhone } from '../core/scan.ts'
import { nextRows, noteAttempt, noteSent, park, readUnsent, type StoredRow } from '../store/outbox.ts'
import { loadSold } from '../store/rosterMemory.ts'
import { parkSale, readSelling, salesToSend, settleSale } from '../store/sales.ts'
import { SELL_HERE } from '../texts/sell.ts'
import { scannerCall } from './connection.ts'
import { asideFor, fateOf, fateOfRequest, messageOfRow, type Received, receivedInRow, receivedOf } from './fate.ts'
import { endPairing, refreshDevice } from './pairing.ts'
import { settle, settlementOf } from './settle.ts'

/** The end of a run. `busy`: another tab is sending. `empty`: nothing is left to send. */
export type RunEnd = 'empty' | 'retry' | 'signIn' | 'busy'

const LOCK = 'garba-outbox'

/**
 * Sends waiting rows, oldest first, one run at a time over all tabs. A scan sent twice counts once, by its scanId.
 * Throws StorageFailure when the outbox cannot be read.
 */
export function replay(): Promise<RunEnd> {
  if (!('locks' in navigator)) return run()
  return navigator.locks.request(LOCK, { ifAvailable: true }, (lock) => (lock === null ? 'busy' : run()))
}

/**
 * Undone admissions go first, because a sale names the scans of its buyers' entries and must not admit them after an
 * undo. Sales go second, because the server must have a ticket before it receives the ticket's scan.
 */
async function run(): Promise<RunEnd> {
  const undone = await sendScans({ undone: true })
  if (undone !== 'empty') return undone
  const sold = await sendSales()
  if (sold === 'noAnswer') return 'retry'
  const scanned = await sendScans({ undone: false })
  return scanned === 'empty' ? sold : scanned
}

async function sendScans({ undone }: { undone: boolean }): Promise<RunEnd> {
  let after = 0
  let limit = SCAN_BATCH_MAX
  /** Rows up to here are sent one by one, because their batch was refused as a whole. */
  let alone = 0
  let end: RunEnd = 'empty'
  for (;;) {
    const rows = await nextRows({ after, limit: after < alone ? 1 : limit, undone })
    const last = rows.at(-1)
    if (!last) return end
    const waiting = await noteAttempt(rows).catch(() => noteSent(rows))
    const fate = waiting.length === 0 ? 'sent' : await send(waiting)
    if (fate === 'signIn' || fate === 'retry') return fate
    if (fate === 'split') {
      alone = last.seq
      continue
    }
    if (fate === 'someRetry') end = 'retry'
    after = last.seq
    limit = SCAN_BATCH_MAX
  }
}

type Turn = 'sent' | 'someRetry' | 'split' | 'retry' | 'signIn'

async function send(rows: readonly StoredRow[]): Promise<Turn> {
  const epoch = epochNow()
  const sent = await sendBatch(rows, epoch)
  if (!sent.answered) return requestFailed(rows, sent)
  const answered = rows.map((row, index) => ({ row, result: sent.results[index] }))
  const done: { row: StoredRow; result: BatchResult }[] = []
  let turn: Turn = 'sent'
  for (const { row, result } of answered) {
    // Rows without a result in the answer have not been answered.
    const fate = result === undefined || result.scanId !== row.scanId ? 'retry' : fateOf(receivedInRow(result))
    if (fate === 'done' && result) done.push({ row, result })
    else if (fate === 'park' && result) await setAside(row, receivedInRow(result), messageOfRow(result))
    else if (fate === 'retry' || fate === 'signIn') turn = 'someRetry'
  }
  const clock = clockNow()
  const settlements = done.map((answered) => settlementOf({ ...answered, clock }))
  await settle(settlements, epoch)
  return turn
}

async function requestFailed(
  rows: readonly StoredRow[],
  { received, message }: { received: Received; message: string },
): Promise<Turn> {
  const fate = fateOfRequest({ ...received, rows: rows.length })
  if (fate !== 'park') return fate
  for (const row of rows) await setAside(row, received, message)
  return 'sent'
}

const setAside = (row: StoredRow, received: Received, message: string) => park(row.scanId, asideFor(received, message))

/** On a bad network answers come late, and a replay can wait longer than a queue of people (ms). */
const REPLAY_TIMEOUT_MS = 60_000

/** A queued admission in the API's form, in the name of the checker who made it. */
function bodyOf(row: OutboxRow): QueuedScan {
  const { scanId, ticketId, scannedAt, clockOffset, checkerId, checkerName, deviceId, deviceName } = row
  return {
    ...(row.qrCode === null ? { ticketId, manual: true } : { qrCode: row.qrCode }),
    // A group's code does not say which of its tickets was let in.
    ...(row.qrCode !== null && isGroupText(row.qrCode) ? { ticketId } : {}),
    scanId,
    scannedAt,
    clockOffset,
    ...(isOfPairedPhone(row) ? {} : { checkerId }),
    // The checker's account may be lost with the data of an earlier epoch.
    ...(isOfPairedPhone(row) || row.again ? nameOf(checkerName) : {}),
    ...(row.gate === undefined ? {} : { gate: row.gate }),
    deviceId,
    ...(deviceName === '' ? {} : { deviceName }),
    admittedOffline: true,
    ...(row.undo ? { undoneAt: row.undoneAt ?? scannedAt } : {}),
  }
}

const nameOf = (name: string) => {
  const checkerName = plainName(name).slice(0, SHIFT_NAME_MAX).trim()
  return checkerName === '' ? {} : { checkerName }
}

/** The unsent count that the desk shows for this phone once these rows are sent. */
async function leftAfter(rows: number): Promise<Record<string, string>> {
  const unsent = await readUnsent().catch(() => null)
  return unsent === null ? {} : { [UNSENT_HEADER]: String(Math.max(0, unsent.count - rows)) }
}

type Sent = { answered: true; results: BatchResult[] } | { answered: false; received: Received; message: string }

/** Sends rows as one batch. Never throws: a failure is in the result. */
async function sendBatch(rows: readonly OutboxRow[], epoch: number): Promise<Sent> {
  try {
    const { results, ended } = await scannerCall('markUsedBatch', {
      headers: await leftAfter(rows.length),
      body: { scans: rows.map(bodyOf) },
      timeoutMs: REPLAY_TIMEOUT_MS,
    })
    // The pairing ends before the answers are applied, because those contain names.
    if (ended) await endPairing(ended, { isLatest: epochNow() === epoch })
    return { answered: true, results }
  } catch (error) {
    return { answered: false, ...receivedOf(error) }
  }
}

/** `noAnswer`: the server does not answer, so scans are not tried either. */
type SalesEnd = 'empty' | 'retry' | 'signIn' | 'noAnswer'

const WORST = ['empty', 'retry', 'signIn', 'noAnswer'] as const satisfies readonly SalesEnd[]
const worse = (a: SalesEnd, b: SalesEnd): SalesEnd => (WORST.indexOf(a) > WORST.indexOf(b) ? a : b)

/**
 * Sends sales made without a network, oldest first. A sale sent twice counts once, by its key. Throws StorageFailure.
 */
async function sendSales(): Promise<SalesEnd> {
  const rows = await salesToSend()
  if (rows.length === 0) return 'empty'
  // Only the phone that has the codes can report their sale.
  if (pairingNow() === null) return 'signIn'
  // The server must know a seller's shift before a sale can name it.
  if (pairingNow()?.shift?.sent === false) await refreshDevice()
  let end: SalesEnd = 'empty'
  for (let from = 0; from < rows.length && end !== 'noAnswer'; from += SCAN_BATCH_MAX)
    end = worse(end, await sendOf(rows.slice(from, from + SCAN_BATCH_MAX)))
  loadSold((await readSelling()).sales)
  return end
}

/** Rows that are refused together are tried one by one, so that a bad one blocks nothing. */
async function sendOf(rows: readonly SaleRow[]): Promise<SalesEnd> {
  const sent = await postSales(rows)
  if (sent !== 'split') return sent
  let end: SalesEnd = 'empty'
  for (const row of rows) {
    const one = await postSales([row])
    if (one !== 'split') end = worse(end, one)
  }
  return end
}

async function postSales(rows: readonly SaleRow[]): Promise<SalesEnd | 'split'> {
  const epoch = epochNow()
  try {
    const { results, ended } = await scannerCall('doorSales', {
      headers: await leftAfter(rows.length),
      body: { sales: rows.map(saleBodyOf) },
      timeoutMs: REPLAY_TIMEOUT_MS,
    })
    if (ended) await endPairing(ended, { isLatest: epochNow() === epoch })
    let end: SalesEnd = 'empty'
    for (const [index, row] of rows.entries()) end = worse(end, await settled(row, results[index], epoch))
    return end
  } catch (error) {
    const { received, message } = receivedOf(error)
    if (received.status === 0) return 'noAnswer'
    const fate = fateOfRequest({ ...received, rows: rows.length })
    if (fate !== 'park') return fate
    for (const { key } of rows) await parkSale(key, asideFor(received, message))
    return 'empty'
  }
}

async function settled(
  { key, deviceId }: SaleRow,
  result: DoorSaleResult | undefined,
  epoch: number,
): Promise<SalesEnd> {
  // A row without a result in the answer has not been answered.
  if (result === undefined || result.key !== key) return 'retry'
  const received = receivedInRow(result)
  const fate = fateOf(received)
  if (fate === 'park') {
    const isOwn = deviceId === pairingNow()?.device.id
    await parkSale(key, asideFor(received, isOwn ? messageOfRow(result) : SELL_HERE.otherDevice))
  }
  if (fate === 'done') {
    const unseated = (result.tickets ?? []).filter(({ status }) => status === 'cancelled').length
    await settleSale(key, { order: result.order ?? null, unseated, noted: result.outcome === 'noted', epoch })
  }
  return fate === 'retry' || fate === 'signIn' ? fate : 'empty'
}

const saleBodyOf = ({ key, tickets, ...row }: SaleRow): DoorSale => ({
  key,
  ticketIds: tickets.map(({ id }) => id),
  method: row.method,
  name: row.name,
  phone: row.phone,
  reason: row.reason,
  reference: row.reference,
  soldAt: row.soldAt,
  clockOffset: row.clockOffset,
  checkerName: row.checkerName,
  scanIds: row.scanIds,
  gate: row.gate,
})
