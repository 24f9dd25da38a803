import { RETENTION_BACKUP_MS, RETENTION_WARNING_MS } from '../constants.ts'
import type { Code } from '../contracts/codes.ts'
import type { Phase } from '../contracts/site/site.ts'
import { dateFormat } from '../messages/formats.ts'

/**
 * Rules for what the landing page says about an event now, and for closing and anonymising events. Instants are
 * milliseconds since 1970.
 */

interface Times {
  /** The event's day, in its time zone. */
  date: string
  startsAt: string
  endsAt: string
}

/** The Swedish format is 2025-09-07. */
const hasBegun = (day: string, timeZone: string, now: number): boolean =>
  dateFormat('sv-SE', { timeZone }).format(now) >= day

export function phaseOf({ date, startsAt, endsAt }: Times, timeZone: string, now: number): Phase {
  if (now >= Date.parse(endsAt)) return 'over'
  if (now >= Date.parse(startsAt)) return 'running'
  return hasBegun(date, timeZone, now) ? 'today' : 'before'
}

/** The next of the event's start and end, at which the phase changes; null once it is over. */
export const nextPhaseAt = ({ startsAt, endsAt }: Omit<Times, 'date'>, now: number): number | null =>
  [startsAt, endsAt].map((at) => Date.parse(at)).find((at) => at > now) ?? null

/** Whether an event on its day is called tonight rather than today. */
export const isAtNight = ({ startTime }: { startTime: string }): boolean => startTime >= '17:00'

const FEW_SHARE = 0.1
const FEW_MAX = 100

export type Stock = 'none' | 'few' | 'enough'

/** Few is at most a tenth of all tickets, and never more than 100. */
export function stockOf({ availableTickets, totalTickets }: { availableTickets: number; totalTickets: number }): Stock {
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
interface Kept {
  /** The time at which its people have been kept for three years. */
  dueAt: number
  /** The time since which the desk has warned; null before. */
  warnedAt: number | null
  lastBackup: number | null
}

/** The earliest time at which its people may be made anonymous: not before the desk has warned for 30 days. */
export const anonymousFrom = ({ dueAt, warnedAt }: { dueAt: number; warnedAt: number }): number =>
  Math.max(dueAt, warnedAt + RETENTION_WARNING_MS)

/** Whether a verified backup is at most seven days old. One dated in the future does not count. */
export const hasFreshBackup = (lastBackup: number | null, now: number): boolean =>
  lastBackup !== null && lastBackup <= now && now - lastBackup <= RETENTION_BACKUP_MS

type RetentionStep = 'keep' | 'warn' | 'needsBackup' | 'makeAnonymous'

/** Decides what the daily job does for a closed event. */
export function retentionStep({ dueAt, warnedAt, lastBackup }: Kept, now: number): RetentionStep {
  if (warnedAt === null) return now < dueAt - RETENTION_WARNING_MS ? 'keep' : 'warn'
  if (now < anonymousFrom({ dueAt, warnedAt })) return 'keep'
  return hasFreshBackup(lastBackup, now) ? 'makeAnonymous' : 'needsBackup'
}
