import { SCAN_INTERVAL_MS } from '@garba/shared/constants'

export interface Pacer {
  /** Whether a reading made now may be passed on. */
  accepts(now: number): boolean
}

/** At most two scans a second reach the consumer (SPEC 9), however fast frames are read. */
export function createPacer(intervalMs = SCAN_INTERVAL_MS): Pacer {
  let last = Number.NEGATIVE_INFINITY
  return {
    accepts(now) {
      if (now - last < intervalMs) return false
      last = now
      return true
    },
  }
}
