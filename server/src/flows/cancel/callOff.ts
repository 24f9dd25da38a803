import { createHash } from 'node:crypto'
import { paysByLink } from '@garba/shared/contracts/names'
import { EVENT_STATE } from '@garba/shared/messages/eventState'
import { refundFacts } from '@garba/shared/rules/cancellation'
import { formatRupees, toRupees } from '@garba/shared/rules/money'
import { isFree } from '@garba/shared/rules/orders/orderMoney'
import { foldEmail } from '@garba/shared/rules/search'
import { orRefuse, Refusal } from '../../refusal.ts'
import type { WriteTx } from '../../store/engine/sql.ts'
import { countUntriedRefunds, someSeatedTickets } from '../../store/eventMoney.ts'
import { type EventRow, findEvent, updateEvent } from '../../store/events.ts'
import { extendHold, findOrderById, heldOrders, type OrderRow } from '../../store/orders.ts'
import { hasSeat, moveTicket, NO_ENTRY, type TicketRow, ticketsOfOrder, ticketsWithIds } from '../../store/tickets.ts'
import { aboutBuyer, auditChange } from '../audited.ts'
import type { Deps } from '../deps.ts'
import { endHold, isWithBuyer } from '../money/orders/orderRows.ts'
import { claimRefundElsewhere } from '../money/refunds/refundsElsewhere.ts'
import { requestFromOrder, returnAll } from '../money/refunds/requestRefund.ts'
import { queueAnnouncement, queueBuyerMail } from '../money/upkeep/tell.ts'
import { queuePush } from '../push/pushNews.ts'
import { runRegularly } from '../regularly.ts'
import { releaseAdmission } from '../tickets/changeTickets.ts'

const LOOK_MS = 2_000
/** Keeps each write short, so that it does not hold up others. */
const TICKETS_AT_ONCE = 40

/** Lets the event's state leave once it cannot be taken back any more, and ends the tickets of an event called off. */
export const startCallOffRounds = (deps: Deps): (() => Promise<void>) =>
  runRegularly(
    { work: () => callOffRound(deps), everyMs: LOOK_MS, atStart: true, failed: 'the event could not be called off' },
    deps,
  )

/**
 * Only the tables say what is left to do, so the work can stop anywhere: each write ends some tickets together with the
 * requests for their money, and no ticket is ended twice. A ticket that is sold late, such as by a payment on its way
 * or by a phone without a network, is ended by a later round.
 */
export async function callOffRound(deps: Deps): Promise<void> {
  await releaseDueState(deps)
  while (!deps.stopping.aborted && deps.epoch.readOnly() === null) {
    const isMore = await deps.store.write((tx) => endSomeTickets(deps, tx))
    if (!isMore) return
  }
}

async function releaseDueState(deps: Deps): Promise<void> {
  const event = await deps.store.read(findEvent)
  if (!isStateDue(event, deps.now())) return
  await deps.store.write(async (tx) => {
    const current = await findEvent(tx)
    if (isStateDue(current, deps.now())) await releaseState(tx, current, deps.now())
  })
}

const isStateDue = (event: EventRow | undefined, now: Date): event is EventRow =>
  event?.undoUntil != null && event.undoUntil <= now

/** What a state sends leaves from here on: mails, refunds, and the seats of orders that nobody has paid. */
export async function releaseState(tx: WriteTx, event: EventRow, now: Date): Promise<EventRow> {
  const { id: eventId, state, stateAt, stateReason: words } = event
  const left = orRefuse(await updateEvent(tx, eventId, { undoUntil: null, stateBefore: null }), 'UNAVAILABLE')
  if (state === 'delayed' || state === 'moved')
    await queueAnnouncement(tx, { id: `${eventId}:${stateAt?.getTime()}`, words: words ?? '', eventId, now })
  if (state === 'calledOff') for (const order of await heldOrders(tx)) await endUnpaid(tx, order, { now, words })
  return left
}

/** A provider's link is closed by the next round of money; what is paid until then buys tickets that end as well. */
async function endUnpaid(tx: WriteTx, order: OrderRow, { now, words }: { now: Date; words: string | null }) {
  if (paysByLink(order.provider)) return extendHold(tx, order.id, now)
  await returnAll(tx, order, { kind: 'event', now, reason: words, by: null })
  await endHold(tx, order, { to: 'cancelled', now })
}

async function endSomeTickets(deps: Deps, tx: WriteTx): Promise<boolean> {
  const event = await findEvent(tx)
  if (event?.state !== 'calledOff' || event.undoUntil !== null || event.refundsPaused) return false
  // No more than a provider can be asked for soon, so that stopping the refunds stops them.
  if ((await countUntriedRefunds(tx, event.id)) >= TICKETS_AT_ONCE) return false
  const some = await someSeatedTickets(tx, event.id, TICKETS_AT_ONCE)
  if (some.length === 0) return false
  tx.announceChanges('roster', 'evening')
  for (const [orderId, own] of Map.groupBy(some, (ticket) => ticket.orderId)) {
    const order = orderId === null ? undefined : await findOrderById(tx, orderId)
    if (order) await endOrder(deps, tx, { event, order, tickets: await ticketsOfOrder(tx, order.id) })
    else
      for (const ticket of await ticketsWithIds(
        tx,
        own.map(({ id }) => id),
      ))
        await endTicket(tx, { event, ticket, now: deps.now() })
  }
  return true
}

/** Ends all tickets of an order in one write, so that one mail tells the buyer about all their refunds. */
async function endOrder(
  deps: Deps,
  tx: WriteTx,
  { event, order, tickets }: { event: EventRow; order: OrderRow; tickets: readonly TicketRow[] },
): Promise<void> {
  const now = deps.now()
  let paise = 0
  const seated = tickets.filter(({ status }) => hasSeat(status))
  for (const ticket of seated) {
    const moved = await endTicket(tx, { event, ticket, now })
    if (isFree(order.provider) || (await claimRefundElsewhere(tx, moved, now))) continue
    const { id: ticketId, pricePaise } = ticket
    paise += await requestFromOrder(tx, order, {
      kind: 'event',
      paise: pricePaise,
      now,
      ticketId,
      reason: event.stateReason,
    })
  }
  await tellEnded(deps, tx, { event, order, tickets: seated })
  const detail = EVENT_STATE.ended(seated.length, formatRupees(toRupees(paise)))
  const actor = { id: null, name: EVENT_STATE.names.calledOff }
  await auditChange(tx, { at: now, action: 'order.refunded', actor, subject: aboutBuyer(order), detail })
}

async function endTicket(
  tx: WriteTx,
  { event, ticket, now }: { event: EventRow; ticket: TicketRow; now: Date },
): Promise<TicketRow> {
  const owedPaise = ticket.kind === 'complimentary' ? 0 : ticket.pricePaise
  const moved = await moveTicket(
    tx,
    ticket,
    {
      ...NO_ENTRY,
      status: 'cancelled',
      cancelledAt: now,
      cancellationReason: event.stateReason ?? EVENT_STATE.names.calledOff,
      ...refundFacts(owedPaise),
      refundInFull: true,
    },
    now,
  )
  if (typeof moved === 'string') throw new Refusal('UNAVAILABLE')
  await releaseAdmission(tx, ticket)
  return moved
}

/** Once for each address, whatever number of orders it has; who has taken over a ticket is told instead of its buyer. */
async function tellEnded(
  deps: Deps,
  tx: WriteTx,
  { event, order, tickets }: { event: EventRow; order: OrderRow; tickets: readonly TicketRow[] },
): Promise<void> {
  for (const ticket of tickets) {
    const account = isWithBuyer(order)(ticket) ? null : ticket.userId
    const { id: eventId } = event
    const state = `${eventId}:${event.stateAt?.getTime()}`
    const userId = ticket.userId ?? order.userId
    if (userId !== null) await queuePush(tx, { what: 'calledOff', about: state, eventId, userId, now: deps.now() })
    const address = account === null ? order.buyerEmail : ticket.buyerEmail
    const reader = createHash('sha256')
      .update(`${eventId} ${foldEmail(address)}`)
      .digest('hex')
      .slice(0, 24)
    const about = `${state}:${reader}`
    await queueBuyerMail(deps, tx, order, { what: 'calledOff', about, ...(account === null ? {} : { account }) })
  }
}
