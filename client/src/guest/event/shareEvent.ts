import type { GarbaEvent } from '@garba/shared/contracts/event'
import { canShare, saveFile, share } from '../../platform/share.ts'
import type { GuestWords } from '../words.ts'

/** garba-rass-2025.ics; a name in another script leaves no letters for a file name. */
const fileNameOf = (name: string): string => {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  return `${plain || 'garba'}.ics`
}

/** Saves the event as a calendar file. `siteUrl`: the site's address, without a trailing slash. */
export function addToCalendar(options: { event: GarbaEvent; siteUrl: string; words: GuestWords['event'] }): void {
  const { event, siteUrl, words } = options
  const url = `${siteUrl}/dashboard/guest`
  const file = calendarFile({
    uid: `${event._id}@${new URL(siteUrl).hostname}`,
    title: event.name,
    place: event.venue,
    text: `${event.description}\n\n${words.calendarNote} ${url}`,
    url,
    startsAt: new Date(event.startsAt),
    endsAt: new Date(event.endsAt),
    changedAt: new Date(event.updatedAt),
  })
  saveFile(new Blob([file], { type: 'text/calendar;charset=utf-8' }), fileNameOf(event.name))
}

/** Opens the share sheet with an invitation, or copies it. Throws when neither works. */
export async function shareInvitation(invitation: {
  title: string
  text: string
  url: string
}): Promise<'shared' | 'copied' | 'given up'> {
  if (canShare()) return share(invitation)
  await navigator.clipboard.writeText(`${invitation.text}\n${invitation.url}`)
  return 'copied'
}

/** A link that opens WhatsApp with a message to send. */
export const whatsAppLink = (text: string): string => `https://wa.me/?text=${encodeURIComponent(text)}`

/** A calendar entry. Times are instants, so that every calendar shows them in its own zone (RFC 5545 3.3.5, form 2). */
interface CalendarEntry {
  /** The same for the same event: a second import updates the first. */
  uid: string
  title: string
  place: string
  text: string
  url: string
  startsAt: Date
  endsAt: Date
  changedAt: Date
}

const LINE_OCTETS = 75

/** TEXT of RFC 5545 3.3.11: backslash, semicolon, comma and line breaks are escaped; other control characters are not allowed. */
export const escapeText = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll(';', String.raw`\;`)
    .replaceAll(',', String.raw`\,`)
    .replaceAll(/\r\n|\r|\n/g, String.raw`\n`)
    .replaceAll(/\p{Cc}/gu, ' ')

/** Lines longer than 75 octets continue after CRLF and a space (RFC 5545 3.1), never splitting a character. */
export function fold(line: string): string {
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

/** An iCalendar file with one event (RFC 5545). */
export function calendarFile(entry: CalendarEntry): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Garba Rass//Tickets//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    `UID:${entry.uid}`,
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
  return `${lines.map(fold).join('\r\n')}\r\n`
}
