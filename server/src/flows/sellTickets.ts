import type { Ticket } from '@garba/shared/contracts/ticket'
import { formatRupees, toRupees } from '@garba/shared/rules/money'
import { type Quote, quote } from '@garba/shared/rules/pricing'
import { last8 } from '@garba/shared/rules/ticketId'
import { Refusal } from '../refusal.ts'
import { findEvent } from '../store/events.ts'
import { newId } from '../store/ids.ts'
import { findOrder, insertOrder } from '../store/orders.ts'
import type { Sql } from '../store/sql.ts'
import type { EventRow } from '../store/tables/events.ts'
import { insertTickets, seatSold } from '../store/tickets.ts'
import { findUser } from '../store/users.ts'
import { audited } from './audited.ts'
import { type Caller, type Deps, inTransaction } from './deps.ts'
import { endOf } from './views/event.ts'
import { ticketView } from './views/ticket.ts'

export interface Sale {
  tickets: Ticket[]
  availableTickets: number
}
interface Purchase {
  user: Caller
  quantity: number
  idempotencyKey: string
}
interface SignedId {
  id: string
  qrCode: string
}

/**
 * Sells tickets at the price of this quantity's tier, never more than are left; the same key of the same user hears its
 * first answer (DECISIONS 2). Signing is asynchronous, so it comes before the transaction and everything is asked again
 * inside it. Refuses with UNAUTHENTICATED, EVENT_NOT_FOUND, SALES_CLOSED, or SOLD_OUT and how many remain.
 */
export async function sellTickets(deps: Deps, purchase: Purchase): Promise<Sale> {
  const { user, quantity, idempotencyKey } = purchase
  const first = findOrder(deps.db, user.id, idempotencyKey)
  if (first) return first.answer as Sale
  const event = eventOnSale(deps, deps.db, quantity)
  const signed = await signIds(deps, { eventId: event.id, quantity })
  const sale = inTransaction(deps, (tx) => sell(deps, tx, purchase, { eventId: event.id, signed }))
  deps.changes.tell('roster', 'gate')
  return sale
}

function eventOnSale({ now, settings }: Deps, db: Sql, quantity: number): EventRow {
  const event = findEvent(db)
  if (!event) throw new Refusal('EVENT_NOT_FOUND')
  if (now() >= endOf(event, settings.timezone)) throw new Refusal('SALES_CLOSED')
  const remaining = event.totalTickets - event.takenSeats
  if (remaining < quantity) throw new Refusal('SOLD_OUT', { remaining })
  return event
}

const signIds = (deps: Deps, { eventId, quantity }: { eventId: string; quantity: number }): Promise<SignedId[]> =>
  Promise.all(
    Array.from({ length: quantity }, async () => {
      const id = newId(deps.now())
      return { id, qrCode: await deps.signer.sign({ ticketId: id, eventId }) }
    }),
  )

/** Key before rules: a repeated request hears its first answer even if everything was sold since. */
function sell(
  deps: Deps,
  tx: Sql,
  { user, quantity, idempotencyKey }: Purchase,
  { eventId, signed }: { eventId: string; signed: SignedId[] },
): Sale {
  const first = findOrder(tx, user.id, idempotencyKey)
  if (first) return first.answer as Sale
  // Signing took a moment, in which an admin may have deleted the account.
  if (!findUser(tx, user.id)) throw new Refusal('UNAUTHENTICATED')
  const event = eventOnSale(deps, tx, quantity)
  if (event.id !== eventId) throw new Refusal('UNAVAILABLE')
  const price = quote({ quantity, ticketPricePaise: event.ticketPricePaise, groupPricePaise: event.groupPricePaise })
  const createdAt = deps.now()
  const orderId = newId(createdAt)
  const buyer = { userId: user.id, buyerName: user.name, buyerEmail: user.email, pricePaise: price.unitPaise }
  const rows = seatSold(
    tx,
    eventId,
    signed.map((ticket) => ({ ...ticket, ...buyer, orderId, createdAt })),
  )
  if (!rows) throw new Refusal('SOLD_OUT', { remaining: event.totalTickets - event.takenSeats })
  const answer = {
    tickets: rows.map((row) => ticketView(row, event.name)),
    availableTickets: event.totalTickets - event.takenSeats - quantity,
  }
  const { totalPaise } = price
  insertOrder(tx, { id: orderId, userId: user.id, idempotencyKey, quantity, totalPaise, answer, createdAt })
  insertTickets(tx, rows)
  audited(tx, { at: createdAt, action: 'ticket.sold', actor: user, subject: user.id, detail: saleLine(signed, price) })
  return answer
}

const IDS_NAMED = 20

function saleLine(signed: SignedId[], { tier, totalPaise }: Quote): string {
  const ids = signed.slice(0, IDS_NAMED).map(({ id }) => last8(id))
  const more = signed.length > IDS_NAMED ? ` and ${signed.length - IDS_NAMED} more` : ''
  return `${signed.length} at ${tier} price, ${formatRupees(toRupees(totalPaise))}: ${ids.join(', ')}${more}`
}
