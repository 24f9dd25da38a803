import { deskSaleBodySchema } from '@garba/shared/contracts/order'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { BLOCK } from '@garba/shared/messages/gate'
import type { AnswerOf, BodyOf } from '../../platform/http/call.ts'
import { getErrorMessage, isFailure } from '../../platform/http/failure.ts'
import { provesNoSale } from '../../platform/http/unsure.ts'
import { serverNow } from '../../platform/net/clock.ts'
import type { SaleRow } from '../../platform/store/scannerSchema.ts'
import { eveningNow } from '../core/moment.ts'
import { buildSaleFacts, type Draft } from '../core/sale.ts'
import { type Station, toJournalRow, toLocalAdmission } from '../core/scan.ts'
import { stationNow } from '../store/device.ts'
import { reportStorageFailure, setStorageTrouble, toStorageFailure } from '../store/failure.ts'
import { recordAdmission, recordOfEntry } from '../store/record.ts'
import { addLocalAdmission, addSoldTickets, eventTimes, isCalledOff } from '../store/rosterMemory.ts'
import { buildSaleRow, dropSale, keepAsking, leaveUnknown, sellBlockCodes, settleAskedSale } from '../store/sales.ts'
import { FRAME } from '../texts/phone.ts'
import { SCAN } from '../texts/scanner.ts'
import { SELL_HERE } from '../texts/sell.ts'
import { addToDrawer } from './cash.ts'
import { scannerCall } from './connection.ts'
import { isShiftKnown } from './pairing.ts'
import { sendSoon } from './replayer.ts'

export type SaleEnd =
  | { type: 'sold'; row: SaleRow }
  /** Nothing was sold. `soldOut`: the server has no seats left, but seats are reserved for this phone's codes. */
  | { type: 'refused'; message: string; fields: ReadonlyMap<string, string>; soldOut?: true }
  /** The server may have sold, so only the same sale may be asked for again. */
  | { type: 'unknown'; message: string; row: SaleRow }

const refused = (message: string): SaleEnd => ({ type: 'refused', message, fields: new Map() })

export function listSaleProblems(draft: Draft): ReadonlyMap<string, string> {
  const { error } = deskSaleBodySchema.safeParse(buildDoorSaleBody(draft))
  return new Map((error?.issues ?? []).map(({ path, message }) => [String(path[0]), message]))
}

function buildDoorSaleBody(draft: Draft): BodyOf<'sellAtDesk'> {
  const { quantity, type, method, admit } = draft
  const choice = type === null ? { quantity } : { lines: [{ type: type.id, quantity }] }
  return { ...choice, method, name: BLOCK.atDoor, ...buildSaleFacts(draft), ...(admit ? { admit } : {}) }
}

export function toSaleDraft({ quantity, type, method, admit, ...sale }: SaleRow): Draft {
  const { name = '', phone = '', reason = '', reference = '' } = sale
  return { quantity, type: type ?? null, method, admit, name, phone, reason, reference }
}

interface OnlineSale {
  /** One key per filled form, kept until the answer is known, so that repeated taps sell once. */
  key: string
  draft: Draft
}

/** Sells through the server. `total` is the amount that was shown, in rupees. Never throws. */
export async function sellOnline({ key, draft, total }: OnlineSale & { total: number }): Promise<SaleEnd> {
  try {
    if (!(await isShiftKnown())) return refused(FRAME.noResponse)
    const row = buildSaleRow({ key, draft, station: await mustStation() }, total)
    const before = await keepAsking(row)
    if (before?.state === 'done') return { type: 'sold', row: before }
    return await ask(before ?? row, { again: before !== null })
  } catch (error) {
    return unstored(error)
  }
}

/** Repeats a sale whose answer was lost; the server sells it at most once. Never throws. */
export const askAgain = (row: SaleRow): Promise<SaleEnd> => ask(row, { again: true })

/** Sells codes of this phone instead; the seller was warned that the server may have sold too. Never throws. */
export async function sellHereInstead(row: SaleRow): Promise<SaleEnd> {
  const end = await sellHere({ key: crypto.randomUUID(), draft: toSaleDraft(row) })
  if (end.type === 'sold') await leaveUnknown(row).catch(reportStorageFailure)
  return end
}

/** "Sold" is shown only after the sale is on the disk. Never throws. */
export async function sellHere({ key, draft }: OnlineSale): Promise<SaleEnd> {
  if (isCalledOff()) return refused(SCAN.calledOff.title)
  try {
    const station = await mustStation()
    const sold = await sellBlockCodes({ key, draft, station, now: serverNow(), evening: eveningNow() })
    if (sold === 'tooFew') return refused(SELL_HERE.tooFew)
    if (sold === 'cashless') return refused(FRAME.unprovenLimit)
    setStorageTrouble(null)
    addSoldTickets(sold.row)
    for (const scan of sold.scans) addLocalAdmission(toLocalAdmission(scan))
    sendSoon()
    return { type: 'sold', row: sold.row }
  } catch (error) {
    return unstored(error)
  }
}

async function mustStation(): Promise<Station> {
  const station = await stationNow()
  if (station === null) throw new Error('Nobody sells on this device')
  return station
}

function unstored(error: unknown): SaleEnd {
  const { trouble } = toStorageFailure(error)
  setStorageTrouble(trouble)
  return refused(SELL_HERE.notStored[trouble])
}

async function ask(row: SaleRow, { again }: { again: boolean }): Promise<SaleEnd> {
  try {
    const answer = await scannerCall('sellAtDesk', {
      body: { ...buildDoorSaleBody(toSaleDraft(row)), total: row.total },
      headers: { 'Idempotency-Key': row.key },
    })
    return { type: 'sold', row: await finished(row, answer) }
  } catch (error) {
    if (!provesNoSale(error, again)) return { type: 'unknown', message: getErrorMessage(error), row }
    await dropSale(row.key).catch(reportStorageFailure)
    const fields = isFailure(error) ? error.errors.map(({ field, message }) => [field, message] as const) : []
    const isSoldOut = isFailure(error) && (error.code === 'SOLD_OUT' || error.code === 'TYPE_SOLD_OUT')
    return {
      type: 'refused',
      message: getErrorMessage(error),
      fields: new Map(fields),
      ...(isSoldOut && { soldOut: true }),
    }
  }
}

/** The server has sold, so the sale counts as done even if this phone cannot store it. */
async function finished(row: SaleRow, { order, tickets, scanIds }: AnswerOf<'sellAtDesk'>): Promise<SaleRow> {
  const done: SaleRow = {
    ...row,
    state: 'done',
    order: order.code,
    total: order.total,
    ...(order.state === 'held' && order.upi !== undefined ? { payLink: order.upi.link } : {}),
    tickets: tickets.map(({ id, qrCode }) => ({ id, qrCode })),
    ...(scanIds === undefined ? {} : { scanIds }),
  }
  try {
    if (!(await settleAskedSale(done))) return done
    for (const [index, scanId] of (scanIds ?? []).entries()) {
      const ticket = tickets[index]
      if (ticket) await recordSaleEntry(done, { ticket, scanId })
    }
    await addToDrawer(done)
  } catch (error) {
    reportStorageFailure(error)
  }
  return done
}

async function recordSaleEntry(sale: SaleRow, { ticket, scanId }: { ticket: Ticket; scanId: string }): Promise<void> {
  const { checkerName } = sale
  const { name } = ticket.user
  const { epoch, ...maker } = await mustStation()
  const row = {
    ...maker,
    checkerName,
    scanId,
    ticketId: ticket.id,
    name,
    qrCode: ticket.qrCode,
    scannedAt: new Date().toISOString(),
    // A used ticket shows no code any more, so this counts as chosen by hand.
    manual: ticket.qrCode === null,
    attempts: 1,
    undo: false,
    parked: null,
  }
  const admission = { ...toLocalAdmission(row), at: ticket.entryTime ?? row.scannedAt, settledAt: Date.now() }
  addLocalAdmission(admission)
  const record = recordOfEntry(row, { ending: 'admitted', title: SCAN.entryAllowed, detail: SCAN.welcome(name) })
  const journal = toJournalRow(row, { event: eventTimes(), epoch })
  await recordAdmission({ record, journal, evening: eveningNow(), admission, row: null })
}
