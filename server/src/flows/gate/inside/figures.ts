import { forecastArrivals } from '@garba/shared/rules/event/forecast'
import {
  type CountingPhone,
  computeInside,
  type InsideInterval,
  isSilentTonight,
} from '@garba/shared/rules/event/inside'
import type { ListedDevice } from '../../../store/devices.ts'
import type { ReadTx } from '../../../store/engine/sql.ts'
import { closedEvents, type EventRow } from '../../../store/events.ts'
import { busiestMinutes, type PeopleIn, peopleIn, readHeadcount } from '../../../store/figures.ts'
import { type MovedPeople, peopleMoved } from '../../../store/movements.ts'

interface InsideQuestion {
  eventId: string
  /** The count of the rows that the server has. */
  known: number
  leftToCome: number
  /** Then a phone that has not heard of it may let in anybody. */
  isCalledOff: boolean
  devices: readonly Pick<ListedDevice, 'id' | 'lastSeen' | 'unsent' | 'ended'>[]
  now: Date
}

export async function estimateInside(
  tx: ReadTx,
  { eventId, known, leftToCome, isCalledOff, devices, now }: InsideQuestion,
): Promise<InsideInterval> {
  const at = now.getTime()
  const counting = devices.filter(({ ended, unsent }) => !ended || unsent > 0)
  const phones = await Array.fromAsync(counting, async ({ id, lastSeen, unsent }): Promise<CountingPhone> => {
    const phone = { lastSeen: lastSeen.getTime(), unsent }
    const busiest = isSilentTonight(phone, at)
      ? await busiestMinutes(tx, { eventId, deviceId: id, isCalledOff })
      : NOTHING
    return { ...phone, mostIn: busiest.in, mostOut: busiest.out }
  })
  return computeInside(known, { phones, leftToCome: isCalledOff ? Number.POSITIVE_INFINITY : leftToCome, now: at })
}

const NOTHING = { in: 0, out: 0 }

export const sumInside = (entries: readonly PeopleIn[], moved: readonly MovedPeople[]): number =>
  entries.reduce((sum, { count, returned }) => sum + count + returned, 0) +
  moved.reduce((sum, { out, counted }) => sum + counted - out, 0)

/** The interval with every count read anew, and the count of each gate. Null stands for no gate. */
export async function estimateInsideNow(
  tx: ReadTx,
  { eventId, isCalledOff, devices, now }: Omit<InsideQuestion, 'known' | 'leftToCome'>,
): Promise<InsideInterval & { gates: { gate: string | null; inside: number }[] }> {
  const { admitted, sold } = await readHeadcount(tx, eventId)
  const entries = Map.groupBy(await peopleIn(tx, { eventId, since: now }), ({ gate }) => gate)
  const moved = Map.groupBy(await peopleMoved(tx, { eventId, since: now }), ({ gate }) => gate)
  const gates = [...new Set([...entries.keys(), ...moved.keys()])].map((gate) => ({
    gate,
    inside: sumInside(entries.get(gate) ?? [], moved.get(gate) ?? []),
  }))
  const known = gates.reduce((sum, { inside }) => sum + inside, 0)
  return {
    ...(await estimateInside(tx, { eventId, known, leftToCome: sold - admitted, isCalledOff, devices, now })),
    gates,
  }
}

interface ForecastQuestion {
  perMinute: readonly { minute: string; count: number }[]
  leftToCome: number
  sold: number
  now: Date
}

export async function readForecast(
  tx: ReadTx,
  { now, ...arrivals }: ForecastQuestion,
): Promise<{ allInBy: string; error: number } | null> {
  const absentShare = await readAbsentShare(tx)
  const forecast = forecastArrivals({ ...arrivals, absentShare, now: now.getTime() })
  return forecast && { allInBy: new Date(forecast.allInBy).toISOString(), error: forecast.error }
}

/** The share of people who stay away: that of the last event, closed before this one if it is closed. */
export async function readAbsentShare(tx: ReadTx, event?: Pick<EventRow, 'id'>): Promise<number> {
  const closed = await closedEvents(tx)
  const last = closed[closed.findIndex(({ id }) => id === event?.id) + 1]
  const { admitted, sold } = last ? await readHeadcount(tx, last.id) : { admitted: 0, sold: 0 }
  return admitted === 0 ? 0 : 1 - admitted / sold
}
