import type { DeskMethod, OrderChannel } from '@garba/shared/contracts/names'
import { ORDER } from '@garba/shared/messages/order'
import type { Quote } from '@garba/shared/rules/pricing'
import type { AuditRowStored } from '../../store/audit.ts'
import { expectMore, sessionAt } from '../../store/cashSessions.ts'
import { newId } from '../../store/ids.ts'
import { insertOrder, newOrder, type OrderRow } from '../../store/orders.ts'
import { insertPayment, newPayment } from '../../store/payments.ts'
import type { WriteTx } from '../../store/sql.ts'
import { aboutBuyer, audited } from '../audited.ts'
import type { Deps } from '../deps.ts'
import { saleLine } from '../issueTickets.ts'
import { requireNewUtr } from './giveUtr.ts'
import { tell } from './tell.ts'

/** A sale by somebody who has the money, or gives the tickets away with a reason. */
export interface SaleByHand {
  seller: { id: string; name: string }
  /** Whose cash session takes the money. */
  cashierId: string
  channel: Exclude<OrderChannel, 'web'>
  idempotencyKey: string
  quantity: number
  method: DeskMethod
  name: string
  email?: string | undefined
  phone?: string | undefined
  /** Given with a complimentary order. */
  reason?: string | undefined
  utr?: string | undefined
}

interface Recording {
  sale: SaleByHand
  eventId: string
  price: Quote
  signed: readonly { id: string }[]
  /** When it was sold. */
  at: Date
  action: AuditRowStored['action']
}

/** What the tickets of a sale cost: nothing when they are given away. */
export const priceByHand = (price: Quote, method: DeskMethod): Quote =>
  method === 'complimentary' ? { ...price, unitPaise: 0, totalPaise: 0 } : price

/**
 * Writes the paid order and the money of a sale whose seats are taken; its tickets are the caller's to write. Refuses with
 * UTR_USED.
 */
export async function recordSale(
  deps: Deps,
  tx: WriteTx,
  { sale, eventId, price, signed, at, action }: Recording,
): Promise<OrderRow> {
  const { seller, method, quantity, utr } = sale
  if (utr !== undefined) await requireNewUtr(tx, { utr, paymentId: null })
  const order = newOrder({
    id: newId(at),
    eventId,
    channel: sale.channel,
    provider: method,
    userId: null,
    sellerId: seller.id,
    sellerName: seller.name,
    buyerName: sale.name,
    buyerEmail: sale.email ?? '',
    buyerPhone: sale.phone ?? null,
    reason: sale.reason ?? null,
    idempotencyKey: sale.idempotencyKey,
    quantity,
    unitPaise: price.unitPaise,
    totalPaise: price.totalPaise,
    createdAt: at,
  })
  await insertOrder(tx, order)
  if (method !== 'complimentary') await recordMoney(tx, order, sale)
  tx.announce('roster', 'evening')
  await audited(tx, {
    at: deps.now(),
    action,
    actor: seller,
    subject: aboutBuyer(order),
    detail: [ORDER.methods[method], saleLine(signed, price), sale.reason].filter(Boolean).join('; '),
  })
  await tell(deps, tx, order, { what: 'paid', about: order.id })
  return order
}

async function recordMoney(
  tx: WriteTx,
  order: OrderRow,
  { seller, cashierId, method, utr }: SaleByHand,
): Promise<void> {
  const { id, createdAt, provider, totalPaise } = order
  const session = method === 'cash' ? await sessionAt(tx, cashierId, createdAt) : undefined
  // The drawer held this money too when it was counted.
  if (session?.closedAt) await expectMore(tx, session.id, totalPaise)
  await insertPayment(
    tx,
    newPayment({
      id: newId(createdAt),
      orderId: id,
      provider,
      amountPaise: totalPaise,
      state: 'captured',
      utr: utr ?? null,
      recordedById: seller.id,
      recordedByName: seller.name,
      cashSessionId: session?.id ?? null,
      createdAt,
      capturedAt: createdAt,
    }),
  )
}
