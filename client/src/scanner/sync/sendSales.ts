import { SCAN_BATCH_MAX } from '@garba/shared/constants'
import type { DoorSale, DoorSaleResult } from '@garba/shared/contracts/block'
import type { SaleRow } from '../../platform/store/scannerSchema.ts'
import { epochNow } from '../core/epoch.ts'
import { pairingNow } from '../core/pairing.ts'
import { loadSold } from '../store/rosterMemory.ts'
import { parkSale, readSelling, salesToSend, settleSale } from '../store/sales.ts'
import { scannerCall } from './connection.ts'
import { asideFor, fateOf, fateOfRequest, messageOfRow, receivedInRow, receivedOf } from './fate.ts'

/** `noAnswer`: nothing answers, so scans need not be tried either. */
export type SalesEnd = 'empty' | 'retry' | 'signIn' | 'noAnswer'

const WORST = ['empty', 'retry', 'signIn', 'noAnswer'] as const satisfies readonly SalesEnd[]
const worse = (a: SalesEnd, b: SalesEnd): SalesEnd => (WORST.indexOf(a) > WORST.indexOf(b) ? a : b)

/** Sends what was sold here without a network, oldest first. Sent twice a sale stays one, by its key. Throws StorageFailure. */
export async function sendSales(): Promise<SalesEnd> {
  const rows = await salesToSend()
  if (rows.length === 0) return 'empty'
  // Only the phone that has the codes can report their sale.
  if (pairingNow() === null) return 'signIn'
  let end: SalesEnd = 'empty'
  for (let from = 0; from < rows.length && end !== 'noAnswer'; from += SCAN_BATCH_MAX)
    end = worse(end, await sendOf(rows.slice(from, from + SCAN_BATCH_MAX)))
  loadSold((await readSelling()).sales)
  return end
}

/** Rows that are refused together are tried one by one, so that a bad one blocks nothing. */
async function sendOf(rows: readonly SaleRow[]): Promise<SalesEnd> {
  const sent = await send(rows)
  if (sent !== 'split') return sent
  let end: SalesEnd = 'empty'
  for (const row of rows) {
    const one = await send([row])
    if (one !== 'split') end = worse(end, one)
  }
  return end
}

/** As long as a replay can wait (ms). */
const TIMEOUT_MS = 60_000

async function send(rows: readonly SaleRow[]): Promise<SalesEnd | 'split'> {
  const epoch = epochNow()
  try {
    const { results } = await scannerCall('doorSales', { body: { sales: rows.map(bodyOf) }, timeoutMs: TIMEOUT_MS })
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

async function settled({ key }: SaleRow, result: DoorSaleResult | undefined, epoch: number): Promise<SalesEnd> {
  // A row without a result in the answer has not been answered.
  if (result === undefined || result.key !== key) return 'retry'
  const received = receivedInRow(result)
  const fate = fateOf(received)
  if (fate === 'park') await parkSale(key, asideFor(received, messageOfRow(result)))
  if (fate === 'done') {
    const unseated = (result.tickets ?? []).filter(({ status }) => status === 'cancelled').length
    await settleSale(key, { order: result.order ?? null, unseated, epoch })
  }
  return fate === 'retry' || fate === 'signIn' ? fate : 'empty'
}

const bodyOf = (row: SaleRow): DoorSale => {
  const { key, tickets, method, name, phone, reason, soldAt, clockOffset, checkerName, scanIds } = row
  return {
    key,
    ticketIds: tickets.map(({ id }) => id),
    method,
    ...(name === undefined ? {} : { name }),
    ...(phone === undefined ? {} : { phone }),
    ...(reason === undefined ? {} : { reason }),
    soldAt,
    clockOffset,
    checkerName,
    ...(scanIds === undefined ? {} : { scanIds }),
  }
}
