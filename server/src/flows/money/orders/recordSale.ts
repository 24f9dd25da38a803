import { UNPAID_SEATS_PER_PERSON, UPI_CONFIRM_MS } from '@garba/shared/constants'
import type { DeskMethod, OrderChannel } from '@garba/shared/contracts/names'
import { ORDER } from '@garba/shared/messages/order'
import { toPaise, toRupees } from '@garba/shared/rules/money'
import { unpaidSeatsAtMost } from '@garba/shared/rules/orders/sale'
import { Refusal } from '../../../refusal.ts'
import { addOrderMatter } from '../../../store/attention.ts'
import type { AuditRowStored } from '../../../store/audit.ts'
import type { WriteTx } from '../../../store/engine/sql.ts'
import type { EventRow } from '../../../store/events.ts'
import { unpaidOrders } from '../../../store/lists.ts'
import { addToSearch, insertOrder, type OrderRow } from '../../../store/orders.ts'
import { findClaims, findPaymentByUtr, insertPayment, ordersOfSlip } from '../../../store/payments.ts'
import { type SeatLine, sumSeats } from '../../../store/typeSeats.ts'
import { aboutBuyer, auditChange } from '../../audited.ts'
import type { Deps } from '../../deps.ts'
import { saleLine } from '../../tickets/issueTickets.ts'
import type { SalePrice } from '../../tickets/saleLines.ts'
import { takeSeatsOrRefuse } from '../../tickets/sellTickets.ts'
import { queueBuyerMail } from '../upkeep/tell.ts'
import { requireNewUtr } from './utrClaims.ts'

export interface SaleByHand {
  seller: { id: string; name: string }
  drawerId: string | null
  channel: Exclude<OrderChannel, 'web'>
  idempotencyKey: string
  quantity: number
  method: DeskMethod
  name: string
  email?: string | undefined
  phone?: string | undefined
  reason?: string | undefined
  /** The proof of a payment by UPI (the bank's number, 12 digits) or by card (the slip's number). */
  reference?: string | undefined
}

interface NewSale {
  sale: SaleByHand
  eventId: string
  price: SalePrice
  signed: readonly { id: string }[]
  at: Date
  action: AuditRowStored['action']
  note?: string | undefined
}

export const priceByHand = (price: SalePrice, method: DeskMethod): SalePrice =>
  method === 'complimentary'
    ? { ...price, unitPaise: 0, totalPaise: 0, lines: price.lines.map((line) => ({ ...line, unitPaise: 0 })) }
    : price

type PaidPrice = Pick<SalePrice, 'totalPaise' | 'unitPaise'>

/** `price` in the refusal is that of one ticket now. */
export function requireShownTotal(shown: number | undefined, { totalPaise, unitPaise }: PaidPrice): void {
  if (shown !== undefined && toPaise(shown) !== totalPaise)
    throw new Refusal('PRICE_CHANGED', { price: toRupees(unitPaise) })
}

/** Writes the paid order and the money of a sale whose seats are taken; the caller writes its tickets. */
export async function recordSale(
  deps: Deps,
  tx: WriteTx,
  { sale, eventId, price, signed, at, action, note }: NewSale,
): Promise<OrderRow> {
  const { seller, method } = sale
  const order = await insertByHand(tx, { sale, eventId, price, at })
  if (method !== 'complimentary') await recordMoney(deps, tx, order, sale)
  tx.announceChanges('roster', 'evening')
  const detail = [ORDER.methods[method], saleLine(signed, price), sale.reason, note].filter(Boolean).join('; ')
  await auditChange(tx, { at: deps.now(), action, actor: seller, subject: aboutBuyer(order), detail })
  await queueBuyerMail(deps, tx, order, { what: 'paid', about: order.id })
  return order
}

/**
 * Takes seats for an order before it is paid. Unpaid orders of one buyer, phone or seller hold few seats, and all
 * unpaid orders together leave half of the unpaid seats on sale.
 */
export async function holdSeats(
  tx: WriteTx,
  event: EventRow,
  { lines, by }: { lines: readonly SeatLine[]; by: string },
): Promise<void> {
  const quantity = sumSeats(lines)
  const takenSeats = (await takeSeatsOrRefuse(tx, event, lines)) - quantity
  const unpaid = (await unpaidOrders(tx, event.id)).seats
  const own = (await unpaidOrders(tx, event.id, by)).seats
  const inAll = unpaidSeatsAtMost({ totalTickets: event.totalTickets, takenSeats, unpaid }) - unpaid
  const mayBuy = Math.max(0, Math.min(inAll, UNPAID_SEATS_PER_PERSON - own))
  if (quantity > mayBuy) throw new Refusal('TOO_MANY_UNPAID', { mayBuy })
}

/** Holds the seats of a sale by UPI until the desk has found the money in the bank's list. */
export async function holdForBank(
  deps: Deps,
  tx: WriteTx,
  { sale, eventId, price, at }: Pick<NewSale, 'sale' | 'eventId' | 'price' | 'at'>,
): Promise<OrderRow> {
  const held = { state: 'held', holdUntil: new Date(at.getTime() + UPI_CONFIRM_MS), settledAt: null } as const
  const order = await insertByHand(tx, { sale, eventId, price, at }, held)
  const proof = await buildPaymentProof(tx, sale)
  const { id, provider, totalPaise: amountPaise } = order
  const seller = { recordedById: sale.seller.id, recordedByName: sale.seller.name }
  const payment = { orderId: id, provider, amountPaise, state: 'pending' as const, createdAt: at }
  await insertPayment(tx, { ...payment, ...proof, ...seller })
  if (proof.utr !== null) await addToSearch(tx, id, proof.utr)
  tx.announceChanges('evening')
  const subject = aboutBuyer(order)
  const detail = [ORDER.methods[sale.method], ORDER.waitsForBank(order.code)].join('; ')
  await auditChange(tx, { at: deps.now(), action: 'order.deskSale', actor: sale.seller, subject, detail })
  return order
}

export const insertByHand = (
  tx: WriteTx,
  { sale, eventId, price, at }: Pick<NewSale, 'sale' | 'eventId' | 'price' | 'at'>,
  more: Partial<OrderRow> = {},
): Promise<OrderRow> =>
  insertOrder(tx, {
    eventId,
    channel: sale.channel,
    provider: sale.method,
    userId: null,
    sellerId: sale.seller.id,
    sellerName: sale.seller.name,
    buyerName: sale.name,
    buyerEmail: sale.email ?? '',
    buyerPhone: sale.phone ?? null,
    reason: sale.reason ?? null,
    idempotencyKey: sale.idempotencyKey,
    quantity: sale.quantity,
    unitPaise: price.unitPaise,
    totalPaise: price.totalPaise,
    lines: price.lines,
    createdAt: at,
    ...more,
  })

/** A UTR is unique within the whole bank, so it pays one order. */
async function buildPaymentProof(
  tx: WriteTx,
  { method, reference }: Pick<SaleByHand, 'method' | 'reference'>,
): Promise<{ utr: string | null; reference: string | null }> {
  if (method === 'upi' && reference !== undefined) {
    await requireNewUtr(tx, { utr: reference, paymentId: null, field: 'reference' })
    if ((await findPaymentByUtr(tx, reference)) || (await findClaims(tx, reference)).length > 0)
      throw new Refusal('UTR_USED')
  }
  return {
    utr: method === 'upi' ? (reference ?? null) : null,
    reference: method === 'card' ? (reference ?? null) : null,
  }
}

async function recordMoney(deps: Deps, tx: WriteTx, order: OrderRow, sale: SaleByHand): Promise<void> {
  const { id, createdAt, provider, totalPaise } = order
  const proof = await buildPaymentProof(tx, sale)
  await insertPayment(tx, {
    orderId: id,
    provider,
    amountPaise: totalPaise,
    state: 'captured',
    ...proof,
    recordedById: sale.seller.id,
    recordedByName: sale.seller.name,
    cashSessionId: sale.drawerId,
    createdAt,
    // A sale may be reported long after it was made.
    updatedAt: deps.now(),
    capturedAt: createdAt,
  })
  if (sale.method === 'cash') return
  const number = proof.utr ?? proof.reference
  if (number !== null) await addToSearch(tx, id, number)
  // A seller's claim, with or without a number, until the bank's statement or the terminal's total has it.
  await addOrderMatter(tx, order, { kind: 'unproven', detail: ORDER.unproven(sale.method), at: deps.now() })
  const others = proof.reference === null ? [] : await ordersOfSlip(tx, { slip: proof.reference, orderId: id })
  if (proof.reference === null || others.length === 0) return
  await addOrderMatter(tx, order, { kind: 'slipTwice', detail: ORDER.slipTwice(others), at: deps.now() })
}
