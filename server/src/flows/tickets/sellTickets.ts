import type { Ticket } from '@garba/shared/contracts/ticket'
import { VALIDATION } from '@garba/shared/messages/codes'
import { findOnlineSale } from '@garba/shared/rules/event/evening'
import { type QuantityProblem, quantityProblem } from '@garba/shared/rules/orders/sale'
import { Refusal, wrongField } from '../../refusal.ts'
import type { ReadTx, WriteTx } from '../../store/engine/sql.ts'
import { type EventRow, findEvent, getEventFor } from '../../store/events.ts'
import { ticketNow } from '../../store/newCodes.ts'
import {
  changeOrderState,
  findHeldOrder,
  findOrder,
  insertOrder,
  newOrder,
  type OrderRow,
  seatsHeldBy,
} from '../../store/orders.ts'
import { countOwned, insertTickets } from '../../store/tickets.ts'
import { readTypeSeats, releaseSeats, type SeatLine, sumSeats, takeSeats } from '../../store/typeSeats.ts'
import { findUser } from '../../store/users.ts'
import { aboutUser, auditChange } from '../audited.ts'
import type { Caller, Deps } from '../deps.ts'
import { onlineSaleView, requireSelling } from '../event/readEvent.ts'
import { queueBuyerMail } from '../money/upkeep/tell.ts'
import { type SignedId, saleLine, signIds, ticketsFor } from './issueTickets.ts'
import { ticketView } from './readTickets.ts'
import { countSeats, isSameChoice, priceSale, type SaleChoice } from './saleLines.ts'

export interface Sale {
  tickets: Ticket[]
  availableTickets: number
}
interface Purchase extends SaleChoice {
  user: Caller
  idempotencyKey: string
}

/**
 * Sells tickets at the price for this quantity, within the free seats and the limits per order and per person. A user's
 * repeated key gets the first answer. Signing is asynchronous, so it happens before the transaction, and everything is
 * checked again inside.
 */
export async function sellTickets(deps: Deps, purchase: Purchase): Promise<Sale> {
  const [before, signer] = await Promise.all([
    deps.store.read(async (tx) => {
      const [first, found] = await Promise.all([firstAnswer(tx, purchase), findEvent(tx)])
      if (first) return { first }
      if (deps.settings.payments.on) throw new Refusal('PAYMENT_REQUIRED')
      const offer = await offeredTo(tx, purchase.user)
      const request = { userId: purchase.user.id, choice: purchase, own: offer?.quantity ?? 0 }
      return { event: await requireOnSale(deps, tx, found, request), offer }
    }),
    deps.signer.now(),
  ])
  if (before.first) return before.first
  const { event, offer } = before
  const signed = await signIds({ ...deps, signer }, { eventId: event.id, quantity: countSeats(event, purchase) })
  return deps.store.write((tx) => sell(deps, tx, purchase, { eventId: event.id, signed }), {
    // Taking up an offer may free seats, which go to the line.
    ...(offer ? {} : { touches: [personKey(purchase.user)] }),
  })
}

/** Checked before the rules, so that a repeated request gets its first answer even if everything has sold out since. */
async function firstAnswer(tx: ReadTx, { user, idempotencyKey, ...choice }: Purchase): Promise<Sale | null> {
  const first = await findOrder(tx, user.id, idempotencyKey)
  if (!first) return null
  if (!(await isSameChoice(tx, first, choice))) throw new Refusal('IDEMPOTENCY_KEY_REUSED', { bought: first.quantity })
  const sale = first.answer as Sale
  return { ...sale, tickets: await Array.fromAsync(sale.tickets, (ticket) => unlessReplaced(tx, ticket)) }
}

/** A ticket that has got a new code must not be shown with its old code. */
async function unlessReplaced(tx: ReadTx, ticket: Ticket): Promise<Ticket> {
  const now = await ticketNow(tx, ticket._id)
  return now && now.id !== ticket._id ? ticketView(now, await getEventFor(tx, now)) : ticket
}

async function sell(
  deps: Deps,
  tx: WriteTx,
  purchase: Purchase,
  { eventId, signed }: { eventId: string; signed: SignedId[] },
): Promise<Sale> {
  const { user, idempotencyKey } = purchase
  const known = await firstAnswer(tx, purchase)
  if (known) return known
  const offer = await offeredTo(tx, user)
  if (offer?.eventId && (await changeOrderState(tx, { id: offer.id, from: 'held', to: 'cancelled', now: deps.now() })))
    await releaseSeats(tx, offer.eventId, offer.lines)
  const [account, found] = await Promise.all([
    // During signing an admin may have deleted the account, or its owner may have changed the name.
    findUser(tx, user.id),
    findEvent(tx),
  ])
  if (!account) throw new Refusal('UNAUTHENTICATED')
  const event = await requireOnSale(deps, tx, found, { userId: user.id, choice: purchase })
  const quantity = countSeats(event, purchase)
  if (event.id !== eventId || quantity !== signed.length) throw new Refusal('UNAVAILABLE')
  const { tier, ...price } = await priceSale(deps, tx, event, { userId: user.id, choice: purchase })
  const createdAt = deps.now()
  const buyer = { userId: user.id, buyerName: account.name, buyerEmail: account.email }
  const order = newOrder({ ...buyer, ...price, eventId, idempotencyKey, quantity, createdAt })
  const [takenSeats, rows] = await Promise.all([
    takeSeatsOrRefuse(tx, event, price.lines),
    ticketsFor(tx, order, { eventId, signed, createdAt }),
  ])
  const answer = {
    tickets: rows.map((row) => ticketView(row, event)),
    availableTickets: event.totalTickets - takenSeats,
  }
  tx.announceChanges('roster', 'evening')
  await insertOrder(tx, { ...order, answer })
  await insertTickets(tx, rows)
  await queueBuyerMail(deps, tx, order, { what: 'paid', about: `${order.id}:0` })
  const subject = { ...aboutUser(user), eventId }
  const detail = saleLine(signed, { tier, totalPaise: price.totalPaise })
  await auditChange(tx, { at: createdAt, action: 'ticket.sold', actor: user, subject, detail })
  return answer
}

interface SaleRequest {
  /** Null for a sale at the desk, which has no limit per person. */
  userId: string | null
  choice: SaleChoice
  free?: number
  /** Seats that are held for this buyer and that the purchase takes up. */
  own?: number
}

/**
 * The event, if this many of its tickets can be sold now. Refuses with EVENT_NOT_FOUND, EVENT_CALLED_OFF, SALES_CLOSED, for guests also
 * SALES_NOT_OPEN or SALES_PAUSED, VALIDATION_FAILED for a quantity above MAX_PER_ORDER, LIMIT_REACHED, or SOLD_OUT.
 */
export const eventOnSale = async (
  deps: Pick<Deps, 'now' | 'settings'>,
  tx: ReadTx,
  request: SaleRequest,
): Promise<EventRow> => requireOnSale(deps, tx, await findEvent(tx), request)

/** The event, if somebody could buy this many of its tickets if they were free. Refuses as `eventOnSale` does. */
export const requireMayBuy = async (
  deps: Pick<Deps, 'now' | 'settings'>,
  tx: ReadTx,
  { most, ...request }: SaleRequest & { most: number },
): Promise<EventRow> => requireOnSale(deps, tx, await findEvent(tx), { ...request, free: most })

async function requireOnSale(
  { now, settings }: Pick<Deps, 'now' | 'settings'>,
  tx: ReadTx,
  event: EventRow | undefined,
  { userId, choice, free, own = 0 }: SaleRequest,
): Promise<EventRow> {
  if (!event) throw new Refusal('EVENT_NOT_FOUND')
  const remaining = free ?? event.totalTickets - event.takenSeats + own
  requireSelling(event, { now: now(), timezone: settings.timezone })
  if (userId !== null) requireOnlineSale(event, { now: now(), timezone: settings.timezone })
  const limits = userId === null ? { ...settings.limits, perPerson: 0 } : settings.limits
  const owned = (await countLimitedSeats(tx, { ...limits, userId, eventId: event.id })) - own
  const problem = quantityProblem({ quantity: countSeats(event, choice), limits, owned, remaining })
  if (problem) throw buildQuantityRefusal(problem, limits.perPerson)
  return event
}

/** Refuses with SALES_CLOSED, SALES_NOT_OPEN or SALES_PAUSED while guests cannot buy online. */
function requireOnlineSale(event: EventRow, { now, timezone }: { now: Date; timezone: string }): void {
  const view = onlineSaleView(event, timezone)
  const { salesFrom: from, paused: reason } = view
  switch (findOnlineSale(view, now.getTime())) {
    case 'ended':
      throw new Refusal('SALES_CLOSED')
    case 'notYet':
      throw new Refusal('SALES_NOT_OPEN', from ? { from } : {})
    case 'paused':
      throw new Refusal('SALES_PAUSED', reason ? { reason } : {})
  }
}

/**
 * Takes seats of an event and its types. Returns the number of taken seats. Refuses with SOLD_OUT or TYPE_SOLD_OUT if
 * another write was faster.
 */
export async function takeSeatsOrRefuse(tx: WriteTx, event: EventRow, lines: readonly SeatLine[]): Promise<number> {
  const taken = await takeSeats(tx, event, lines)
  if (taken !== null) return taken
  const now = await getEventFor(tx, { eventId: event.id })
  const remaining = now.totalTickets - now.takenSeats
  if (sumSeats(lines) > remaining) throw new Refusal('SOLD_OUT', { remaining })
  const seatsOf = await readTypeSeats(tx, now)
  for (const { typeId, seats } of lines) {
    const limit = now.types.find(({ id }) => id === typeId)?.seats ?? null
    const left = limit === null ? seats : Math.max(0, limit - seatsOf(typeId).taken)
    if (seats > left) throw new Refusal('TYPE_SOLD_OUT', { remaining: left, type: typeId })
  }
  throw new Refusal('UNAVAILABLE')
}

/** The seats held for somebody who waited, where tickets need no payment. */
async function offeredTo(tx: ReadTx, { id }: Pick<Caller, 'id'>): Promise<OrderRow | undefined> {
  const held = await findHeldOrder(tx, id)
  return held?.provider === 'none' ? held : undefined
}

export const personKey = ({ id }: Pick<Caller, 'id'>): string => `person:${id}`

interface SeatOwner {
  userId: string | null
  eventId: string
  perPerson: number
}

/** The tickets that count for MAX_PER_PERSON: active, used and held. 0 for buyers without such a limit. */
export async function countLimitedSeats(tx: ReadTx, { userId, eventId, perPerson }: SeatOwner): Promise<number> {
  if (userId === null || perPerson === 0) return 0
  const [owned, held] = await Promise.all([countOwned(tx, { userId, eventId }), seatsHeldBy(tx, userId)])
  return owned + held
}

function buildQuantityRefusal(problem: QuantityProblem, maxPerPerson: number): Refusal {
  switch (problem.type) {
    case 'notWhole':
      return wrongField('quantity', VALIDATION.quantity)
    case 'aboveOrder':
      return wrongField('quantity', VALIDATION.quantityAbove(problem.max))
    case 'abovePerson':
      return new Refusal('LIMIT_REACHED', { mayBuy: problem.mayBuy, maxPerPerson })
    case 'aboveRemaining':
      return new Refusal('SOLD_OUT', { remaining: problem.remaining })
  }
}
