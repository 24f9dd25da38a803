/** A calendar entry. Times are instants, so that every calendar shows them in its own zone (RFC 5545 3.3.5, form 2). */
export interface CalendarEntry {
  /** The same for the same event, so that a second import updates the first. */
  uid: string
  title: string
  place: string
  text: string
  url: string
  startsAt: Date
  endsAt: Date
  createdAt: Date
  changedAt: Date
}

const LINE_OCTETS = 75

/**
 * TEXT of RFC 5545 3.3.11: backslash, semicolon, comma and line breaks are escaped; other control characters are not
 * allowed.
 */
export const escapeText = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll(';', String.raw`\;`)
    .replaceAll(',', String.raw`\,`)
    .replaceAll(/\r\n|\r|\n/g, String.raw`\n`)
    .replaceAll(/\p{Cc}/gu, ' ')

/** Lines longer than 75 octets continue after CRLF and a space (RFC 5545 3.1), never splitting a character. */
export function foldLine(line: string): string {
  const encoder = new TextEncoder()
  let [folded, octets] = ['', 0]
  for (const character of line) {
    const size = encoder.encode(character).length
    if (octets + size > LINE_OCTETS) {
      folded += '\r\n '
      octets = 1
    }
    folded += character
    octets += size
  }
  return folded
}

/** 20250922T130000Z */
const utc = (instant: Date): string => `${instant.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`

/** Seconds between creating and changing: a later change replaces an earlier one. */
const computeSequence = ({ createdAt, changedAt }: CalendarEntry): number =>
  Math.max(0, Math.floor((changedAt.getTime() - createdAt.getTime()) / 1_000))

export function calendarFile(entry: CalendarEntry): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Garba Rass//Tickets//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    `UID:${entry.uid}`,
    `SEQUENCE:${computeSequence(entry)}`,
    `DTSTAMP:${utc(entry.changedAt)}`,
    `LAST-MODIFIED:${utc(entry.changedAt)}`,
    `DTSTART:${utc(entry.startsAt)}`,
    `DTEND:${utc(entry.endsAt)}`,
    `SUMMARY:${escapeText(entry.title)}`,
    `LOCATION:${escapeText(entry.place)}`,
    `DESCRIPTION:${escapeText(entry.text)}`,
    `URL:${entry.url}`,
    'STATUS:CONFIRMED',
    'TRANSP:OPAQUE',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return `${lines.map(foldLine).join('\r\n')}\r\n`
}
