import { isTicketText, type Reading } from './reading.ts'

/** How long an unconfirmed reading waits for a second one. */
export const AGREEMENT_MS = 2_000

export interface Agreement {
  /** Returns the reading if it can be trusted now; otherwise remembers it and returns null. */
  believe(reading: Reading, at: { frame: number; now: number }): Reading | null
}

/**
 * A ticket's text is 122 characters of one fixed form under 48 correction bytes, and its signature is verified next: one
 * reading is enough. Short codes have so little correction that noise can pass for one, so any other text must be read
 * from two different pictures. That also gives a ticket in the same view the chance to be read first.
 */
export function createAgreement(): Agreement {
  let waiting: { text: string; frame: number; until: number } | null = null
  return {
    believe(reading, { frame, now }) {
      const { text } = reading
      if (isTicketText(text)) {
        waiting = null
        return reading
      }
      const isSecond = waiting?.text === text && waiting.frame !== frame && now <= waiting.until
      waiting = isSecond ? null : { text, frame, until: now + AGREEMENT_MS }
      return isSecond ? reading : null
    },
  }
}
