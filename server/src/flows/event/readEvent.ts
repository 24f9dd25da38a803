import type { ClosedEvent, EventFormFacts, GarbaEvent } from '@garba/shared/contracts/event'
import { type EventTimes, findEventTimes } from '@garba/shared/rules/event/eventDay'
import { toRupees } from '@garba/shared/rules/money'
import { saleState } from '@garba/shared/rules/orders/sale'
import { orRefuse, Refusal } from '../../refusal.ts'
import type { ReadTx } from '../../store/engine/sql.ts'
import {
  type ClosedEventRow,
  closedEvents,
  type EventRow,
  findEvent,
  findEventById,
  findImage,
  getEventFor,
  type ImageRow,
  isEventClosed,
} from '../../store/events.ts'
import type { Deps } from '../deps.ts'
import { withIsoTimes } from '../isoTimes.ts'

export async function readEvent({ store, settings }: Pick<Deps, 'store' | 'settings'>): Promise<GarbaEvent | null> {
  const event = await store.read(findEvent)
  return event ? eventView(event, settings.timezone) : null
}

/**
 * The event for a page's link preview, or null if it cannot be read: a page without a preview is better than no page,
 * and admins need the desk to repair the event. The app itself reads the event from the API, which reports the failure.
 */
export async function readEventIfPossible(deps: Deps): Promise<GarbaEvent | null> {
  try {
    return await readEvent(deps)
  } catch (error) {
    deps.log.error({ err: error }, 'a page was sent without the event')
    return null
  }
}

export const imageAddress = (hash: string): string => `/api/event/image/${hash}`

export const readImage = async ({ store }: Deps, hash: string): Promise<ImageRow> =>
  orRefuse(await store.read((tx) => findImage(tx, hash)), 'IMAGE_NOT_FOUND')

export type TimedEvent = Pick<EventRow, 'date' | 'startTime' | 'endTime' | 'endsNextDay'>

let last: { of: string; times: EventTimes } | null = null

/** The last result is cached: every sale and phone needs it, and time zone arithmetic is slow. */
export function computeTimes(event: TimedEvent, timezone: string): EventTimes {
  const of = [event.date, event.startTime, event.endTime, event.endsNextDay, timezone].join(' ')
  if (last?.of !== of) last = { of, times: findEventTimes(event, timezone) }
  return last.times
}

/** Refuses with EVENT_CALLED_OFF or SALES_CLOSED when nothing of the event can be sold any more, in any way. */
export function requireSelling(event: EventRow, { now, timezone }: { now: Date; timezone: string }): void {
  const endsAt = getEventEnd(event, timezone).getTime()
  const sale = saleState({ endsAt, remaining: 1, state: event.state }, now.getTime())
  if (sale === 'calledOff')
    throw new Refusal('EVENT_CALLED_OFF', event.stateReason ? { reason: event.stateReason } : {})
  if (sale === 'over') throw new Refusal('SALES_CLOSED')
}

export const getEventEnd = (event: EventRow, timezone: string): Date => computeTimes(event, timezone).endsAt

/** The times of the current event; null if there is none, or if it has an impossible date, so that phones still answer. */
export async function readTimes({ settings }: Pick<Deps, 'settings'>, tx: ReadTx): Promise<EventTimes | null> {
  const event = await findEvent(tx)
  try {
    return event ? computeTimes(event, settings.timezone) : null
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** The fields of the event form, for any stored event, even one with an impossible date. */
export const eventAsForm = (event: EventRow): Required<EventFormFacts> => ({
  name: event.name,
  date: event.date,
  startTime: event.startTime,
  endTime: event.endTime,
  endsNextDay: event.endsNextDay,
  venue: event.venue,
  description: event.description,
  ticketPrice: toRupees(event.ticketPricePaise),
  groupPrice4: toRupees(event.groupPricePaise ?? event.ticketPricePaise),
  totalTickets: event.totalTickets,
  features: event.features,
  aboutText: event.aboutText,
  ...withIsoTimes({
    salesFrom: event.salesFrom,
    salesUntil: event.salesUntil,
    reentryUntil: event.reentryUntil,
  }),
  paused: event.paused,
  capacity: event.capacity,
  reentry: event.reentry,
  eventImage: event.imageHash === null ? null : imageAddress(event.imageHash),
})

export const closedEventView = (event: ClosedEventRow, timezone: string): ClosedEvent => ({
  ...eventView(event, timezone),
  closedAt: event.closedAt.toISOString(),
})

export const eventView = (event: EventRow, timezone: string): GarbaEvent => ({
  ...eventAsForm(event),
  _id: event.id,
  ...withIsoTimes(computeTimes(event, timezone)),
  availableTickets: event.totalTickets - event.takenSeats,
  state: event.state,
  stateReason: event.stateReason,
  ...withIsoTimes({ freeCancelUntil: event.freeCancelUntil, undoUntil: event.undoUntil }),
  createdAt: event.createdAt.toISOString(),
  updatedAt: event.updatedAt.toISOString(),
})

/** What `findOnlineSale` reads of an event: every sale asks it, and a whole view takes many times longer to make. */
export const onlineSaleView = (event: EventRow, timezone: string) => ({
  endsAt: getEventEnd(event, timezone).toISOString(),
  availableTickets: event.totalTickets - event.takenSeats,
  salesFrom: event.salesFrom?.toISOString() ?? null,
  salesUntil: event.salesUntil?.toISOString() ?? null,
  paused: event.paused,
  state: event.state,
})

export const listClosedEvents = ({ store, settings }: Deps): Promise<ClosedEvent[]> =>
  store.read(async (tx) => (await closedEvents(tx)).map((event) => closedEventView(event, settings.timezone)))

interface EventFilter {
  /** An empty id, which matches no row, if there is no event. */
  eventId: string
  event: EventRow | null
}

/** The requested event, else the current event, else the last closed event. */
export async function requestedEvent(tx: ReadTx, id: string | undefined): Promise<EventFilter> {
  const event = id === undefined ? ((await findEvent(tx)) ?? (await closedEvents(tx))[0]) : await findEventById(tx, id)
  if (!event && id !== undefined) throw new Refusal('EVENT_NOT_FOUND')
  return { eventId: event?.id ?? '', event: event ?? null }
}

export async function requireOpenEvent(tx: ReadTx, ticket: { eventId: string }): Promise<EventRow> {
  const event = await getEventFor(tx, ticket)
  if (isEventClosed(event)) throw new Refusal('EVENT_CLOSED')
  return event
}
