import { RETENTION_BACKUP_MS, RETENTION_WARNING_MS } from '../../constants.ts'
import type { Code } from '../../contracts/codes.ts'
import type { GarbaEvent } from '../../contracts/event.ts'
import type { Phase, SaleState } from '../../contracts/site/site.ts'
import { dateFormat } from '../../intlFormats.ts'

/**
 * Rules for what the landing page says about an event now, and for closing and anonymising events. Instants are
 * milliseconds since 1970.
 */

interface Times {
  date: string
  startsAt: string
  endsAt: string
}

/** The Swedish format is 2025-09-07. */
const hasBegun = (day: string, timeZone: string, now: number): boolean =>
  dateFormat('sv-SE', { timeZone }).format(now) >= day

export function getEventPhase({ date, startsAt, endsAt }: Times, timeZone: string, now: number): Phase {
  if (now >= Date.parse(endsAt)) return 'over'
  if (now >= Date.parse(startsAt)) return 'running'
  return hasBegun(date, timeZone, now) ? 'today' : 'before'
}

interface ChangingTimes extends Omit<Times, 'date'> {
  salesFrom?: string | null | undefined
  salesUntil?: string | null | undefined
}

/** The next moment at which the phase or the online sale changes; null once the event is over. */
export function nextPhaseAt({ startsAt, endsAt, salesFrom, salesUntil }: ChangingTimes, now: number): number | null {
  const coming = [salesFrom, salesUntil, startsAt, endsAt].flatMap((at) => (at ? Date.parse(at) : []))
  const next = Math.min(...coming.filter((at) => at > now))
  return now < Date.parse(endsAt) && Number.isFinite(next) ? next : null
}

/** Whether an event on its day is called tonight rather than today. */
/** Whether the organiser has delayed the event, moved it or called it off, so that a note on every page says so. */
export const isEventChanged = ({ state = 'on' }: Pick<GarbaEvent, 'state'>): boolean => state !== 'on'

export const isAtNight = ({ startTime }: { startTime: string }): boolean => startTime >= '17:00'

type OnlineSale = Pick<GarbaEvent, 'endsAt' | 'availableTickets' | 'salesFrom' | 'salesUntil' | 'paused' | 'state'>

/** What guests can buy online. The desk, phones and paper sell whenever `saleState` of rules/orders says so. */
export function findOnlineSale(event: OnlineSale, now: number): SaleState {
  if (now >= Date.parse(event.endsAt)) return 'over'
  if (event.state === 'calledOff') return 'calledOff'
  if (event.paused) return 'paused'
  if (event.salesFrom && now < Date.parse(event.salesFrom)) return 'notYet'
  if (event.salesUntil && now >= Date.parse(event.salesUntil)) return 'ended'
  return event.availableTickets > 0 ? 'open' : 'soldOut'
}

const FEW_SHARE = 0.1
const FEW_MAX = 100

export type Stock = 'none' | 'few' | 'enough'

/** Few is at most a tenth of all tickets, and never more than 100. */
export function getStockLevel({
  availableTickets,
  totalTickets,
}: {
  availableTickets: number
  totalTickets: number
}): Stock {
  if (availableTickets <= 0) return 'none'
  return availableTickets <= Math.min(FEW_MAX, totalTickets * FEW_SHARE) ? 'few' : 'enough'
}

/**
 * The code that refuses to close an event now; null if it can be closed. Every condition for closing belongs here.
 * Instants are milliseconds since 1970; `held` is the number of orders that wait for their payment.
 */
export const closingProblem = ({ endsAt, held }: { endsAt: number; held: number }, now: number): Code | null => {
  if (now < endsAt) return 'EVENT_NOT_OVER'
  return held > 0 ? 'EVENT_HAS_HOLDS' : null
}

/** The dates that decide when the people of a closed event are made anonymous, in milliseconds since 1970. */
interface RetentionDates {
  dueAt: number
  warnedAt: number | null
  lastBackup: number | null
}

export const anonymousFrom = ({ dueAt, warnedAt }: { dueAt: number; warnedAt: number }): number =>
  Math.max(dueAt, warnedAt + RETENTION_WARNING_MS)

/** Whether a verified backup is at most seven days old. A backup dated in the future does not count. */
export const hasFreshBackup = (lastBackup: number | null, now: number): boolean =>
  lastBackup !== null && lastBackup <= now && now - lastBackup <= RETENTION_BACKUP_MS

type RetentionStep = 'keep' | 'warn' | 'needsBackup' | 'makeAnonymous'

export function retentionStep({ dueAt, warnedAt, lastBackup }: RetentionDates, now: number): RetentionStep {
  if (warnedAt === null) return now < dueAt - RETENTION_WARNING_MS ? 'keep' : 'warn'
  if (now < anonymousFrom({ dueAt, warnedAt })) return 'keep'
  return hasFreshBackup(lastBackup, now) ? 'makeAnonymous' : 'needsBackup'
}
