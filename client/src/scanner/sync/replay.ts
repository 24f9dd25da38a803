import { SCAN_BATCH_MAX, SHIFT_NAME_MAX, UNSENT_HEADER } from '@garba/shared/constants'
import { plainName } from '@garba/shared/contracts/people/personName'
import type { DoorSale, DoorSaleResult } from '@garba/shared/contracts/phones/block'
import type { BatchResult, QueuedScan } from '@garba/shared/contracts/phones/scan'
import { isGroupText } from '@garba/shared/rules/groupQr'
import { epochNow } from '../../platform/http/epoch.ts'
import type { OutboxRow, SaleRow } from '../../platform/store/scannerSchema.ts'
import { clockNow } from '../core/moment.ts'
import { pairingNow } from '../core/pairing.ts'
import { isOfPairedPhone } from '../core/scan.ts'
import {
  addUnrecordedSends,
  nextRows,
  parkScan,
  readUnsent,
  recordSendAttempt,
  type StoredRow,
} from '../store/outbox.ts'
import { loadSold } from '../store/rosterMemory.ts'
import { parkSale, readSelling, salesToSend, settleSale } from '../store/sales.ts'
import { SELL_HERE } from '../texts/sell.ts'
import { scannerCall } from './connection.ts'
import {
  asideFor,
  decideFate,
  fateOfRequest,
  messageOfRow,
  type ReceivedAnswer,
  receivedInRow,
  toReceivedAnswer,
} from './fate.ts'
import { endPairing, refreshDevice } from './pairing.ts'
import { applySettlements, buildSettlement } from './settle.ts'

/** The end of a run. `busy`: another tab is sending. `empty`: nothing is left to send. */
export type RunEnd = 'empty' | 'retry' | 'signIn' | 'busy'

const LOCK = 'garba-outbox'

/**
 * Sends waiting rows, oldest first, one run at a time over all tabs. A scan sent twice counts once, by its scanId.
 * Throws StorageFailure when the outbox cannot be read.
 */
export function replayOutbox(): Promise<RunEnd> {
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
  let alone = 0
  let end: RunEnd = 'empty'
  for (;;) {
    const rows = await nextRows({ after, limit: after < alone ? 1 : limit, undone })
    const last = rows.at(-1)
    if (!last) return end
    const waiting = await recordSendAttempt(rows).catch(() => addUnrecordedSends(rows))
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
    const fate = result === undefined || result.scanId !== row.scanId ? 'retry' : decideFate(receivedInRow(result))
    if (fate === 'done' && result) done.push({ row, result })
    else if (fate === 'park' && result) await setAside(row, receivedInRow(result), messageOfRow(result))
    else if (fate === 'retry' || fate === 'signIn') turn = 'someRetry'
  }
  const clock = clockNow()
  const settlements = done.map((answered) => buildSettlement({ ...answered, clock }))
  await applySettlements(settlements, epoch)
  return turn
}

async function requestFailed(
  rows: readonly StoredRow[],
  { received, message }: { received: ReceivedAnswer; message: string },
): Promise<Turn> {
  const fate = fateOfRequest({ ...received, rows: rows.length })
  if (fate !== 'park') return fate
  for (const row of rows) await setAside(row, received, message)
  return 'sent'
}

const setAside = (row: StoredRow, received: ReceivedAnswer, message: string) =>
  parkScan(row.scanId, asideFor(received, message))

/** On a bad network answers come late, and a replay can wait longer than a queue of people (ms). */
const REPLAY_TIMEOUT_MS = 60_000

function buildQueuedScan(row: OutboxRow): QueuedScan {
  const { qrCode, ticketId, movement, group, change = 0 } = row
  // A group's code does not say whose of its tickets was scanned.
  const member = qrCode !== null && isGroupText(qrCode) ? { ticketId } : {}
  const undone = row.undo ? { undoneAt: row.undoneAt ?? row.scannedAt } : {}
  if (movement === 'count') return { ...buildMaker(row), movement, group: group ?? 'other', change }
  if (movement === 'exit') return { ...buildMaker(row), movement, qrCode: qrCode ?? '', ...member, ...undone }
  return {
    ...(qrCode === null ? { ticketId, manual: true } : { qrCode }),
    ...member,
    ...buildMaker(row),
    admittedOffline: true,
    ...undone,
  }
}

function buildMaker(row: OutboxRow) {
  const { scanId, scannedAt, clockOffset, checkerId, checkerName, deviceId, deviceName } = row
  return {
    scanId,
    scannedAt,
    clockOffset,
    ...(isOfPairedPhone(row) ? {} : { checkerId }),
    // The checker's account may be lost with the data of an earlier epoch.
    ...(isOfPairedPhone(row) || row.again ? buildCheckerName(checkerName) : {}),
    ...(row.gate === undefined ? {} : { gate: row.gate }),
    deviceId,
    ...(deviceName === '' ? {} : { deviceName }),
  }
}

const buildCheckerName = (name: string) => {
  const checkerName = plainName(name).slice(0, SHIFT_NAME_MAX).trim()
  return checkerName === '' ? {} : { checkerName }
}

async function leftAfter(rows: number): Promise<Record<string, string>> {
  const unsent = await readUnsent().catch(() => null)
  return unsent === null ? {} : { [UNSENT_HEADER]: String(Math.max(0, unsent.count - rows)) }
}

type BatchAnswer =
  | { answered: true; results: BatchResult[] }
  | { answered: false; received: ReceivedAnswer; message: string }

/** Sends rows as one batch. Never throws: a failure is in the result. */
async function sendBatch(rows: readonly OutboxRow[], epoch: number): Promise<BatchAnswer> {
  try {
    const { results, ended } = await scannerCall('markUsedBatch', {
      headers: await leftAfter(rows.length),
      body: { scans: rows.map(buildQueuedScan) },
      timeoutMs: REPLAY_TIMEOUT_MS,
    })
    // The pairing ends before the answers are applied, because those contain names.
    if (ended) await endPairing(ended, { isLatest: epochNow() === epoch })
    return { answered: true, results }
  } catch (error) {
    return { answered: false, ...toReceivedAnswer(error) }
  }
}

/** `noAnswer`: the server does not answer, so scans are not tried either. */
type SalesEnd = 'empty' | 'retry' | 'signIn' | 'noAnswer'

const WORST = ['empty', 'retry', 'signIn', 'noAnswer'] as const satisfies readonly SalesEnd[]
const worse = (a: SalesEnd, b: SalesEnd): SalesEnd => (WORST.indexOf(a) > WORST.indexOf(b) ? a : b)

/** Sends offline sales, oldest first. A sale sent twice counts once, by its key. Throws StorageFailure. */
async function sendSales(): Promise<SalesEnd> {
  const rows = await salesToSend()
  if (rows.length === 0) return 'empty'
  // Only the phone that has the codes can report their sale.
  if (pairingNow() === null) return 'signIn'
  // The server must know a seller's shift before a sale can name it.
  if (pairingNow()?.shift?.sent === false) await refreshDevice()
  let end: SalesEnd = 'empty'
  for (let from = 0; from < rows.length && end !== 'noAnswer'; from += SCAN_BATCH_MAX)
    end = worse(end, await sendSaleRows(rows.slice(from, from + SCAN_BATCH_MAX)))
  loadSold((await readSelling()).sales)
  return end
}

/** Rows that are refused together are tried one by one, so that a bad row blocks nothing. */
async function sendSaleRows(rows: readonly SaleRow[]): Promise<SalesEnd> {
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
      body: { sales: rows.map(toDoorSale) },
      timeoutMs: REPLAY_TIMEOUT_MS,
    })
    if (ended) await endPairing(ended, { isLatest: epochNow() === epoch })
    let end: SalesEnd = 'empty'
    for (const [index, row] of rows.entries()) end = worse(end, await settleSaleResult(row, results[index], epoch))
    return end
  } catch (error) {
    const { received, message } = toReceivedAnswer(error)
    if (received.status === 0) return 'noAnswer'
    const fate = fateOfRequest({ ...received, rows: rows.length })
    if (fate !== 'park') return fate
    for (const { key } of rows) await parkSale(key, asideFor(received, message))
    return 'empty'
  }
}

async function settleSaleResult(
  { key, deviceId }: SaleRow,
  result: DoorSaleResult | undefined,
  epoch: number,
): Promise<SalesEnd> {
  if (result === undefined || result.key !== key) return 'retry'
  const received = receivedInRow(result)
  const fate = decideFate(received)
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

const toDoorSale = ({ key, tickets, ...row }: SaleRow): DoorSale => ({
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
