import { BACK_DATED_AFTER_MS, CLOCK_DRIFT_WARN_MS } from '../constants.ts'

interface Told {
  /** Device time plus the offset the device measured; null when it said none. */
  claimed: Date | null
  /** When the ticket was sold; null when the code names none. */
  soldAt: Date | null
  receivedAt: Date
  admittedOffline: boolean
}
export interface ScanTime {
  /** When the scan counts as made. */
  at: Date
  /** The time it claimed, where that was before the sale or after the arrival and so was not taken. */
  claimedAt: Date | null
  /**
   * Claims more than 12 h before its arrival, or a time before the sale by more than a clock may drift: no online
   * admission gives way to it.
   */
  backDated: boolean
}

/**
 * When a scan was made (DECISIONS 3). The server was there at an online one, so its own clock counts. An offline one keeps
 * its corrected time, never before the ticket's sale nor after its arrival: whoever could claim any time would win every
 * double admission.
 */
export function timeOfScan({ claimed, soldAt, receivedAt, admittedOffline }: Told): ScanTime {
  if (!admittedOffline || claimed === null) return { at: receivedAt, claimedAt: null, backDated: false }
  const [asked, sold, received] = [claimed.getTime(), soldAt?.getTime() ?? 0, receivedAt.getTime()]
  const at = Math.min(Math.max(asked, sold), received)
  return {
    at: new Date(at),
    claimedAt: at === asked ? null : claimed,
    backDated: sold - asked > CLOCK_DRIFT_WARN_MS || received - asked > BACK_DATED_AFTER_MS,
  }
}
