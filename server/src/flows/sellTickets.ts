import type { Ticket } from '@garba/shared/contracts/ticket'
import { last8, VALIDATION } from '@garba/shared/messages/common'
import { formatRupees, toRupees } from '@garba/shared/rules/money'
import { type Quote, quote } from '@garba/shared/rules/pricing'
import { type QuantityProblem, quantityProblem, saleState } from '@garba/shared/rules/sale'
import { Refusal } from '../refusal.ts'
import { type EventRow, findEvent } from '../store/events.ts'
import { newId } from '../store/ids.ts'
import { findOrder, insertOrder } from '../store/orders.ts'
import type { ReadTx, WriteTx } from '../store/sql.ts'
import { countOwned, insertTickets, seatSold } from '../store/tickets.ts'
import { findUser } from '../store/users.ts'
import { aboutUser, audited } from './audited.ts'
import type { Caller, Deps } from './deps.ts'
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
 * Sells tickets at the price for this quantity, within the free seats and the limits per order and per person. A user's
 * repeated key gets the first answer (DECISIONS 2 and 9). Signing is asynchronous, so it happens before the transaction,
 * and everything is checked again inside. Refuses with UNAUTHENTICATED, IDEMPOTENCY_KEY_REUSED, EVENT_NOT_FOUND,
 * SALES_CLOSED, VALIDATION_FAILED for a quantity above MAX_PER_ORDER, LIMIT_REACHED, or SOLD_OUT.
 */
export async function sellTickets(deps: Deps, purchase: Purchase): Promise<Sale> {
  const { quantity } = purchase
  const asked = await deps.store.read(async (tx) => {
    const first = await firstAnswer(tx, purchase)
    return first ? { first } : { event: await eventOnSale(deps, tx, purchase) }
  })
  if (asked.first) return asked.first
  const { event } = asked
  const signed = await signIds(deps, { eventId: event.id, quantity })
  return deps.store.write((tx) => sell(deps, tx, purchase, { eventId: event.id, signed }))
}

/** Checked before the rules: a repeated request gets its first answer even if everything has sold out since. */
async function firstAnswer(tx: ReadTx, { user, quantity, idempotencyKey }: Purchase): Promise<Sale | null> {
  const first = await findOrder(tx, user.id, idempotencyKey)
  if (!first) return null
  if (first.quantity !== quantity) throw new Refusal('IDEMPOTENCY_KEY_REUSED', { bought: first.quantity })
  return first.answer as Sale
}

async function eventOnSale({ now, settings }: Deps, tx: ReadTx, { user, quantity }: Purchase): Promise<EventRow> {
  const event = await findEvent(tx)
  if (!event) throw new Refusal('EVENT_NOT_FOUND')
  const remaining = event.totalTickets - event.takenSeats
  const endsAt = endOf(event, settings.timezone).getTime()
  if (saleState({ endsAt, remaining }, now().getTime()) === 'over') throw new Refusal('SALES_CLOSED')
  const { limits } = settings
  const owned = limits.perPerson === 0 ? 0 : await countOwned(tx, { userId: user.id, eventId: event.id })
  const problem = quantityProblem({ quantity, limits, owned, remaining })
  if (problem) throw refusalOf(problem, limits.perPerson)
  return event
}

function refusalOf(problem: QuantityProblem, maxPerPerson: number): Refusal {
  switch (problem.type) {
    case 'notWhole':
      return wrongQuantity(VALIDATION.quantity)
    case 'aboveOrder':
      return wrongQuantity(VALIDATION.quantityAbove(problem.max))
    case 'abovePerson':
      return new Refusal('LIMIT_REACHED', { mayBuy: problem.mayBuy, maxPerPerson })
    case 'aboveRemaining':
      return new Refusal('SOLD_OUT', { remaining: problem.remaining })
  }
}

const wrongQuantity = (message: string) =>
  new Refusal('VALIDATION_FAILED', { message, errors: [{ field: 'quantity', message }] })

const signIds = (deps: Deps, { eventId, quantity }: { eventId: string; quantity: number }): Promise<SignedId[]> =>
  Promise.all(
    Array.from({ length: quantity }, async () => {
      const id = newId(deps.now())
      return { id, qrCode: await deps.signer.sign({ ticketId: id, eventId }) }
    }),
  )

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
  const event = await eventOnSale(deps, tx, purchase)
  if (event.id !== eventId) throw new Refusal('UNAVAILABLE')
  const price = quote({ quantity, ticketPricePaise: event.ticketPricePaise, groupPricePaise: event.groupPricePaise })
  const createdAt = deps.now()
  const orderId = newId(createdAt)
  const buyer = { userId: user.id, buyerName: account.name, buyerEmail: account.email, pricePaise: price.unitPaise }
  const rows = await seatSold(
    tx,
    eventId,
    signed.map((ticket) => ({ ...ticket, ...buyer, orderId, createdAt })),
  )
  if (!rows) throw new Refusal('SOLD_OUT', { remaining: event.totalTickets - event.takenSeats })
  const answer = {
    tickets: rows.map((row) => ticketView(row, event)),
    availableTickets: event.totalTickets - event.takenSeats - quantity,
  }
  const { totalPaise } = price
  tx.announce('roster', 'evening')
  await insertOrder(tx, { id: orderId, userId: user.id, idempotencyKey, quantity, totalPaise, answer, createdAt })
  await insertTickets(tx, rows)
  await audited(tx, {
    at: createdAt,
    action: 'ticket.sold',
    actor: user,
    subject: { ...aboutUser(user), eventId },
    detail: saleLine(signed, price),
  })
  return answer
}

const IDS_NAMED = 20

function saleLine(signed: SignedId[], { tier, totalPaise }: Quote): string {
  const ids = signed.slice(0, IDS_NAMED).map(({ id }) => last8(id))
  const more = signed.length > IDS_NAMED ? ` and ${signed.length - IDS_NAMED} more` : ''
  return `${signed.length} at ${tier} price, ${formatRupees(toRupees(totalPaise))}: ${ids.join(', ')}${more}`
}
