import { SERVER_PATIENCE_MS } from '@garba/shared/constants'

/**
 * Who decides at this moment, as tested by calls and not by what the phone believes (FIELD: "unclear whether the device is
 * online"). `offline`: no answer of ours comes. `slow`: answers come, but later than a line can wait.
 */
export type Line = { at: 'unknown' } | { at: 'server' } | { at: 'device'; why: 'offline' | 'slow' }

export type LineNews =
  /** One of the scanner's own calls was answered, after `ms`. */
  | { is: 'answered'; ms: number }
  /** A call has taken as long as a line can wait, and is still under way. */
  | { is: 'late' }
  /** Refused, cut off, a page of HTML, a server's trouble. */
  | { is: 'noAnswer' }
  /** The probe of /healthz was answered: there is a way to the server, of unknown speed. */
  | { is: 'reached' }

const SLOW: Line = { at: 'device', why: 'slow' }

/** What the line is after some news. A slow one is trusted again only after a call in time, not after a mere sign of life. */
export function lineAfter(line: Line, news: LineNews): Line {
  switch (news.is) {
    case 'answered':
      return news.ms < SERVER_PATIENCE_MS ? { at: 'server' } : SLOW
    case 'late':
      return SLOW
    case 'noAnswer':
      return { at: 'device', why: 'offline' }
    case 'reached':
      return line.at === 'device' && line.why === 'slow' ? line : { at: 'server' }
  }
}

/** Whether a scan asks the server first. Unknown asks: at worst it costs the first scan its 1.5 s. */
export const asksServer = (line: Line): boolean => line.at !== 'device'
