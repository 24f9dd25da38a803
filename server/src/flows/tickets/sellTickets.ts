import type { Ticket } from '@garba/shared/contracts/ticket'
import { quote } from '@garba/shared/rules/pricing'
import { Refusal } from '../../refusal.ts'
import { newId, type ReadTx, type WriteTx } from '../../store/engine/sql.ts'
import { eventOf } from '../../store/events.ts'
import { ticketNow } from '../../store/newCodes.ts'
import { findOrder, insertOrder, newOrder } from '../../store/orders.ts'
import { insertTickets } from '../../store/tickets.ts'
import { findUser } from '../../store/users.ts'
import { aboutUser, audited } from '../audited.ts'
import type { Caller, Deps } from '../deps.ts'
import { type SignedId, saleLine, signIds, ticketsFor } from './issueTickets.ts'
import { eventOnSale, takeSeatsOf } from './onSale.ts'
import { ticketView } from './readTickets.ts'

export interface Sale {
  tickets: Ticket[]
  availableTickets: number
}
interface Purchase {
  user: Caller
  quantity: number
  idempotencyKey: string
}

/**
 * Sells tickets at the price for this quantity, within the free seats and the limits per order and per person. A user's
 * repeated key gets the first answer. Signing is asynchronous, so it happens before the transaction,
 * and everything is checked again inside. Refuses with PAYMENT_REQUIRED where tickets are paid for, UNAUTHENTICATED,
 * IDEMPOTENCY_KEY_REUSED, or as `eventOnSale`.
 */
export async function sellTickets(deps: Deps, purchase: Purchase): Promise<Sale> {
  const { quantity } = purchase
  const asked = await deps.store.read(async (tx) => {
    const first = await firstAnswer(tx, purchase)
    if (first) return { first }
    if (deps.settings.payments.on) throw new Refusal('PAYMENT_REQUIRED')
    return { event: await eventOnSale(deps, tx, { userId: purchase.user.id, quantity }) }
  })
  if (asked.first) return asked.first
  const { event } = asked
  const signed = await signIds(deps, { eventId: event.id, quantity })
  return deps.store.write((tx) => sell(deps, tx, purchase, { eventId: event.id, signed }))
}

/** It is checked before the rules: a repeated request gets its first answer even if everything has sold out since. */
async function firstAnswer(tx: ReadTx, { user, quantity, idempotencyKey }: Purchase): Promise<Sale | null> {
  const first = await findOrder(tx, user.id, idempotencyKey)
  if (!first) return null
  if (first.quantity !== quantity) throw new Refusal('IDEMPOTENCY_KEY_REUSED', { bought: first.quantity })
  const sale = first.answer as Sale
  const current: Ticket[] = []
  for (const ticket of sale.tickets) current.push(await unlessReplaced(tx, ticket))
  return { ...sale, tickets: current }
}

/** A ticket that has had a new code since must not be shown with its old one. */
async function unlessReplaced(tx: ReadTx, ticket: Ticket): Promise<Ticket> {
  const now = await ticketNow(tx, ticket._id)
  return now && now.id !== ticket._id ? ticketView(now, await eventOf(tx, now)) : ticket
}

async function sell(
  deps: Deps,
  tx: WriteTx,
  purchase: Purchase,
  { eventId, signed }: { eventId: string; signed: SignedId[] },
): Promise<Sale> {
  const first = await firstAnswer(tx, purchase)
  if (first) return first
  const { user, quantity, idempotencyKey } = purchase
  // During signing an admin may have deleted the account, or its owner may have changed the name.
  const account = await findUser(tx, user.id)
  if (!account) throw new Refusal('UNAUTHENTICATED')
  const event = await eventOnSale(deps, tx, { userId: user.id, quantity })
  if (event.id !== eventId) throw new Refusal('UNAVAILABLE')
  const { tier, unitPaise, totalPaise } = quote({ quantity, ...event })
  await takeSeatsOf(tx, event, quantity)
  const createdAt = deps.now()
  const buyer = { userId: user.id, buyerName: account.name, buyerEmail: account.email }
  const order = newOrder({
    id: newId(createdAt),
    ...buyer,
    eventId,
    idempotencyKey,
    quantity,
    unitPaise,
    totalPaise,
    createdAt,
  })
  const rows = await ticketsFor(tx, order, { eventId, signed, createdAt })
  const answer = {
    tickets: rows.map((row) => ticketView(row, event)),
    availableTickets: event.totalTickets - event.takenSeats - quantity,
  }
  tx.announce('roster', 'evening')
  await insertOrder(tx, { ...order, answer })
  await insertTickets(tx, rows)
  await audited(tx, {
    at: createdAt,
    action: 'ticket.sold',
    actor: user,
    subject: { ...aboutUser(user), eventId },
    detail: saleLine(signed, { tier, totalPaise }),
  })
  return answer
}
