import { UPI_CONFIRM_MS } from '@garba/shared/constants'
import type { DeskMethod, OrderChannel } from '@garba/shared/contracts/names'
import { ORDER } from '@garba/shared/messages/order'
import { toPaise } from '@garba/shared/rules/money'
import type { Quote } from '@garba/shared/rules/pricing'
import { Refusal } from '../../../refusal.ts'
import { insertAttention } from '../../../store/attention.ts'
import type { AuditRowStored } from '../../../store/audit.ts'
import type { WriteTx } from '../../../store/engine/sql.ts'
import { addToSearch, insertOrder, type OrderRow } from '../../../store/orders.ts'
import { findPaymentByUtr, insertPayment } from '../../../store/payments.ts'
import { aboutBuyer, audited } from '../../audited.ts'
import type { Deps } from '../../deps.ts'
import { saleLine } from '../../tickets/issueTickets.ts'
import { tell } from '../upkeep/tell.ts'

/** A sale by a seller who has the money, or gives the tickets away with a reason. */
export interface SaleByHand {
  seller: { id: string; name: string }
  /** The drawer that takes the cash; null for other money, and for cash reported without an open drawer. */
  drawerId: string | null
  channel: Exclude<OrderChannel, 'web'>
  idempotencyKey: string
  quantity: number
  method: DeskMethod
  name: string
  email?: string | undefined
  phone?: string | undefined
  /** The reason for a complimentary order. */
  reason?: string | undefined
  /** The proof of a payment by UPI (the bank's number, 12 digits) or by card (the slip's number). */
  reference?: string | undefined
}

interface Recording {
  sale: SaleByHand
  eventId: string
  price: Quote
  signed: readonly { id: string }[]
  at: Date
  action: AuditRowStored['action']
  /** An addition for the audit trail. */
  note?: string | undefined
}

/** The price of a sale's tickets: nothing when they are given away. */
export const priceByHand = (price: Quote, method: DeskMethod): Quote =>
  method === 'complimentary' ? { ...price, unitPaise: 0, totalPaise: 0 } : price

/** Refuses with PRICE_CHANGED if the organiser has changed the price since the buyer saw it. */
export function requireShownTotal(shown: number | undefined, totalPaise: number): void {
  if (shown !== undefined && toPaise(shown) !== totalPaise) throw new Refusal('PRICE_CHANGED')
}

/**
 * Writes the paid order and the money of a sale whose seats are taken; the caller writes its tickets. Refuses with
 * UTR_USED.
 */
export async function recordSale(
  deps: Deps,
  tx: WriteTx,
  { sale, eventId, price, signed, at, action, note }: Recording,
): Promise<OrderRow> {
  const { seller, method } = sale
  const order = await insertByHand(tx, { sale, eventId, price, at })
  if (method !== 'complimentary') await recordMoney(deps, tx, order, sale)
  tx.announce('roster', 'evening')
  const detail = [ORDER.methods[method], saleLine(signed, price), sale.reason, note].filter(Boolean).join('; ')
  await audited(tx, { at: deps.now(), action, actor: seller, subject: aboutBuyer(order), detail })
  await tell(deps, tx, order, { what: 'paid', about: order.id })
  return order
}

/** Holds the seats of a sale by UPI until the desk has found the money in the bank's list. Refuses with UTR_USED. */
export async function holdForBank(
  deps: Deps,
  tx: WriteTx,
  { sale, eventId, price, at }: Pick<Recording, 'sale' | 'eventId' | 'price' | 'at'>,
): Promise<OrderRow> {
  const held = { state: 'held', holdUntil: new Date(at.getTime() + UPI_CONFIRM_MS), settledAt: null } as const
  const order = await insertByHand(tx, { sale, eventId, price, at }, held)
  const proof = await proofOf(tx, sale)
  const { id, provider, totalPaise: amountPaise } = order
  const seller = { recordedById: sale.seller.id, recordedByName: sale.seller.name }
  const payment = { orderId: id, provider, amountPaise, state: 'pending' as const, createdAt: at }
  await insertPayment(tx, { ...payment, ...proof, ...seller })
  if (proof.utr !== null) await addToSearch(tx, id, proof.utr)
  tx.announce('evening')
  const subject = aboutBuyer(order)
  const detail = [ORDER.methods[sale.method], ORDER.waitsForBank(order.code)].join('; ')
  await audited(tx, { at: deps.now(), action: 'order.deskSale', actor: sale.seller, subject, detail })
  return order
}

/** Writes the order of a sale by hand. It is paid unless `more` sets another state. */
export const insertByHand = (
  tx: WriteTx,
  { sale, eventId, price, at }: Pick<Recording, 'sale' | 'eventId' | 'price' | 'at'>,
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
    createdAt: at,
    ...more,
  })

/**
 * Finds the column for a payment's proof. A UTR is unique within the whole bank, so it pays one order. Refuses with
 * UTR_USED.
 */
async function proofOf(
  tx: WriteTx,
  { method, reference }: Pick<SaleByHand, 'method' | 'reference'>,
): Promise<{ utr: string | null; reference: string | null }> {
  if (method === 'upi' && reference !== undefined) await requireNewUtr(tx, { utr: reference, paymentId: null })
  return {
    utr: method === 'upi' ? (reference ?? null) : null,
    reference: method === 'card' ? (reference ?? null) : null,
  }
}

async function recordMoney(deps: Deps, tx: WriteTx, order: OrderRow, sale: SaleByHand): Promise<void> {
  const { id, createdAt, provider, totalPaise } = order
  const proof = await proofOf(tx, sale)
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
    capturedAt: createdAt,
  })
  const number = proof.utr ?? proof.reference
  if (number !== null) return addToSearch(tx, id, number)
  if (sale.method === 'cash') return
  await insertAttention(tx, {
    kind: 'unproven',
    dedupeKey: unprovenKey(id),
    orderId: id,
    amountPaise: totalPaise,
    detail: ORDER.unproven(sale.method),
    at: deps.now(),
  })
}

/** The key of the matter about an order whose payment by UPI or card has no number. */
export const unprovenKey = (orderId: string): string => `unproven:${orderId}`

/**
 * Each bank transfer pays one order. A UTR claimed for an order that has ended may be used again. Refuses with
 * UTR_USED.
 */
export async function requireNewUtr(
  tx: WriteTx,
  { utr, paymentId }: { utr: string; paymentId: string | null },
): Promise<void> {
  const other = await findPaymentByUtr(tx, utr)
  if (other && other.id !== paymentId) throw new Refusal('UTR_USED')
}
