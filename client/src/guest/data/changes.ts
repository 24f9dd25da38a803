import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { Ticket } from '@garba/shared/contracts/ticket'

/** What is known at one moment. */
export interface Seen {
  tickets: readonly Ticket[]
  event: GarbaEvent | null
}

export type Change =
  | { type: 'date' | 'hours' | 'venue'; event: GarbaEvent }
  /** Its status or its refund is another. */
  | { type: 'ticket'; ticket: Ticket }

/**
 * What has changed between two moments without the guest's doing: the evening, and tickets that were there before. `own`: the
 * tickets the guest has cancelled meanwhile.
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
