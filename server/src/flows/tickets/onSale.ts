import { VALIDATION } from '@garba/shared/messages/common'
import { type QuantityProblem, quantityProblem, saleState } from '@garba/shared/rules/orders/sale'
import { Refusal } from '../../refusal.ts'
import type { ReadTx, WriteTx } from '../../store/engine/sql.ts'
import { type EventRow, findEvent, takeSeats } from '../../store/events.ts'
import { seatsHeldBy } from '../../store/orders.ts'
import { countOwned } from '../../store/tickets.ts'
import type { Deps } from '../deps.ts'
import { endOf } from '../event/readEvent.ts'

interface SaleRequest {
  /** Null for a sale at the desk, which has no limit per person. */
  userId: string | null
  quantity: number
}

/**
 * The event, if this many of its tickets can be sold now. Refuses with EVENT_NOT_FOUND, SALES_CLOSED, VALIDATION_FAILED
 * for a quantity above MAX_PER_ORDER, LIMIT_REACHED, or SOLD_OUT.
 */
export async function eventOnSale(
  { now, settings }: Pick<Deps, 'now' | 'settings'>,
  tx: ReadTx,
  { userId, quantity }: SaleRequest,
): Promise<EventRow> {
  const event = await findEvent(tx)
  if (!event) throw new Refusal('EVENT_NOT_FOUND')
  const remaining = event.totalTickets - event.takenSeats
  const endsAt = endOf(event, settings.timezone).getTime()
  if (saleState({ endsAt, remaining }, now().getTime()) === 'over') throw new Refusal('SALES_CLOSED')
  const limits = userId === null ? { ...settings.limits, perPerson: 0 } : settings.limits
  const owned = userId === null || limits.perPerson === 0 ? 0 : await ownedBy(tx, { userId, eventId: event.id })
  const problem = quantityProblem({ quantity, limits, owned, remaining })
  if (problem) throw refusalOf(problem, limits.perPerson)
  return event
}

/** Takes seats of an event on sale. Refuses with SOLD_OUT when another write was faster. */
export async function takeSeatsOf(tx: WriteTx, event: EventRow, quantity: number): Promise<void> {
  if (await takeSeats(tx, event.id, quantity)) return
  throw new Refusal('SOLD_OUT', { remaining: event.totalTickets - event.takenSeats })
}

/** Counts active, used and held tickets. */
const ownedBy = async (tx: ReadTx, who: { userId: string; eventId: string }): Promise<number> =>
  (await countOwned(tx, who)) + (await seatsHeldBy(tx, who.userId))

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
