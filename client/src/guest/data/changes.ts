import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { isEventChanged } from '@garba/shared/rules/event/evening'

export interface Seen {
  tickets: readonly Ticket[]
  event: GarbaEvent | null
}

export type Change =
  | { type: 'date' | 'hours' | 'venue'; event: GarbaEvent }
  /** `ticket`: its status or refund has changed. `code`: it has a new code, and with it a new id. */
  | { type: 'ticket' | 'code'; ticket: Ticket }

/** New ids of the tickets whose codes were renewed on this page. */
export const ownCodes = new Set<string>()

/**
 * Finds changes that the guest did not make, of the event and of tickets present in both snapshots, perhaps under a new
 * code. `own` lists the tickets that the guest cancelled, or gave a new code, in between.
 */
export function changesBetween(before: Seen, now: Seen, own: readonly string[]): Change[] {
  const old = new Map(before.tickets.map((ticket) => [ticket._id, ticket]))
  const tickets = now.tickets.filter((ticket) => {
    const was = old.get(ticket._id)
    if (was === undefined || own.includes(ticket._id)) return false
    return was.status !== ticket.status || was.isRefundDone !== ticket.isRefundDone
  })
  const renewed = now.tickets.filter(
    (ticket) =>
      !old.has(ticket._id) && !own.includes(ticket._id) && before.tickets.some((was) => isRenewed(was, ticket)),
  )
  return [
    ...ofEvent(before.event, now.event),
    ...tickets.map((ticket) => ({ type: 'ticket' as const, ticket })),
    ...renewed.map((ticket) => ({ type: 'code' as const, ticket })),
  ]
}

/** The characters of an id that hold the time of the sale; they stay when a new code changes the id. */
const TIME_LENGTH = 10

const isRenewed = (was: Ticket, ticket: Ticket): boolean =>
  (ticket.newCodes ?? 0) > (was.newCodes ?? 0) && ticket._id.slice(0, TIME_LENGTH) === was._id.slice(0, TIME_LENGTH)

function ofEvent(was: GarbaEvent | null, event: GarbaEvent | null): Change[] {
  if (was === null || event === null || was._id !== event._id) return []
  // The note above the page says it.
  const isSaid = isEventChanged(event)
  const changed = {
    date: !isSaid && was.date !== event.date,
    hours:
      !isSaid &&
      (was.startTime !== event.startTime ||
        was.endTime !== event.endTime ||
        (was.endsNextDay ?? false) !== (event.endsNextDay ?? false)),
    venue: was.venue !== event.venue,
  }
  return (['date', 'hours', 'venue'] as const).filter((type) => changed[type]).map((type) => ({ type, event }))
}
