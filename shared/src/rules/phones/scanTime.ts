import { BACK_DATED_AFTER_MS, CLOCK_DRIFT_WARN_MS, HOUR_MS } from '../../constants.ts'
import { dateFormat } from '../../intlFormats.ts'
import { tidyTime } from '../../messages/formats.ts'
import { toLocalDay } from '../event/calendar.ts'

interface Claim {
  /** Device time plus the offset the device measured; null if it sent none. */
  claimed: Date | null
  /** The time of the sale; null if the code names no ticket. */
  soldAt: Date | null
  receivedAt: Date
  admittedOffline: boolean
}
export interface ScanTime {
  at: Date
  /** The claimed time, if it was rejected for being before the sale or after the arrival. */
  claimedAt: Date | null
  /**
   * The claimed time is more than 12 h before the arrival, or further before the sale than clocks drift. Such a scan
   * never replaces an online admission.
   */
  backDated: boolean
}

/**
 * Decides when a scan was made. For an online scan the server's clock counts. An offline scan keeps its corrected time,
 * limited to the time between the sale and the arrival: a device that could claim any time would win every double
 * admission.
 */
export function timeOfScan({ claimed, soldAt, receivedAt, admittedOffline }: Claim): ScanTime {
  if (!admittedOffline || claimed === null) return { at: receivedAt, claimedAt: null, backDated: false }
  const [claimedMs, sold, received] = [claimed.getTime(), soldAt?.getTime() ?? 0, receivedAt.getTime()]
  const at = Math.min(Math.max(claimedMs, sold), received)
  return {
    at: new Date(at),
    claimedAt: at === claimedMs ? null : claimed,
    backDated: sold - claimedMs > CLOCK_DRIFT_WARN_MS || received - claimedMs > BACK_DATED_AFTER_MS,
  }
}

/** Within half a day a time is unambiguous, so an evening's times need no day even after midnight. */
const HALF_DAY_MS = 12 * HOUR_MS

/** A time as people at the gate read it: "7:03 PM", with the day if it is neither today nor near. */
export function scanTimeText({ instant, now, timeZone }: { instant: Date; now: Date; timeZone: string }): string {
  const isNear = Math.abs(instant.getTime() - now.getTime()) < HALF_DAY_MS
  const isToday = toLocalDay(instant, timeZone) === toLocalDay(now, timeZone)
  const day = isNear || isToday ? {} : ({ day: 'numeric', month: 'short' } as const)
  return tidyTime(dateFormat('en-IN', { timeZone, hour: 'numeric', minute: '2-digit', ...day }).format(instant))
}
