import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { Ticket } from '@garba/shared/contracts/ticket'

/** A snapshot of the guest's data; two of them are compared. */
export interface Seen {
  tickets: readonly Ticket[]
  event: GarbaEvent | null
}

export type Change =
  | { type: 'date' | 'hours' | 'venue'; event: GarbaEvent }
  /** The ticket's status or refund has changed. */
  | { type: 'ticket'; ticket: Ticket }

/**
 * Finds changes that the guest did not make, of the event and of tickets present in both snapshots. `own` lists the
 * tickets that the guest cancelled in between.
 */
export function changesBetween(before: Seen, now: Seen, own: readonly string[]): Change[] {
  const old = new Map(before.tickets.map((ticket) => [ticket._id, ticket]))
  const tickets = now.tickets.filter((ticket) => {
    const was = old.get(ticket._id)
    if (was === undefined || own.includes(ticket._id)) return false
    return was.status !== ticket.status || was.isRefundDone !== ticket.isRefundDone
  })
  return [...ofEvent(before.event, now.event), ...tickets.map((ticket) => ({ type: 'ticket' as const, ticket }))]
}

function ofEvent(was: GarbaEvent | null, event: GarbaEvent | null): Change[] {
  if (was === null || event === null || was._id !== event._id) return []
  const changed = {
    date: was.date !== event.date,
    hours:
      was.startTime !== event.startTime ||
      was.endTime !== event.endTime ||
      (was.endsNextDay ?? false) !== (event.endsNextDay ?? false),
    venue: was.venue !== event.venue,
  }
  return (['date', 'hours', 'venue'] as const).filter((type) => changed[type]).map((type) => ({ type, event }))
}
