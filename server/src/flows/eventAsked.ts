import { Refusal } from '../refusal.ts'
import { type EventRow, eventOf, findEvent, findEventById, isClosed } from '../store/events.ts'
import type { ReadTx } from '../store/sql.ts'

interface EventFilter {
  /** Matches no row when there is no event. */
  eventId: string
  event: EventRow | null
}

/** The event of a list or figures: the requested one, or else the current one. Refuses with EVENT_NOT_FOUND. */
export async function eventAsked(tx: ReadTx, id: string | undefined): Promise<EventFilter> {
  const event = id === undefined ? await findEvent(tx) : await findEventById(tx, id)
  if (!event && id !== undefined) throw new Refusal('EVENT_NOT_FOUND')
  return { eventId: event?.id ?? '', event: event ?? null }
}

/** The event of a ticket about to change. Refuses with EVENT_CLOSED. */
export async function openEventOf(tx: ReadTx, ticket: { eventId: string }): Promise<EventRow> {
  const event = await eventOf(tx, ticket)
  if (isClosed(event)) throw new Refusal('EVENT_CLOSED')
  return event
}
