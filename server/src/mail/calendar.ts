import { plainName } from '@garba/shared/contracts/personName'
import { instantOf, lastDayOf } from '@garba/shared/rules/calendar'
import ical, { ICalCalendarMethod, type ICalDayJsStub, ICalEventStatus } from 'ical-generator'
import type { MailedEvent, MailSite } from './mails.ts'

/**
 * A local day and time as a Day.js object, a form ical-generator reads. A plain Date would be written in the server's
 * own time zone.
 */
function localTime(day: string, hhmm: string, timezone: string): ICalDayJsStub {
  const instant = instantOf(day, hhmm, timezone)
  const time: ICalDayJsStub = {
    format: (pattern) => (pattern === 'YYYYMMDD' ? day.replaceAll('-', '') : `${hhmm.replace(':', '')}00`),
    isValid: () => true,
    toDate: () => instant,
    toJSON: () => instant.toISOString(),
    // ical-generator asks for it if the zone is UTC.
    utc: () => time,
  }
  return time
}

/** Formats an offset such as +0530. */
function offsetAt(instant: Date, wall: string): string {
  const minutes = Math.round((Date.parse(`${wall}:00Z`) - instant.getTime()) / 60_000)
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}${two(Math.abs(minutes) % 60)}`
}

/** The time zone as it is on the event's day, which is all this calendar needs of it (RFC 5545 3.6.5). */
function zoneOn({ date, startTime }: MailedEvent, timezone: string): string {
  const offset = offsetAt(instantOf(date, startTime, timezone), `${date}T${startTime}`)
  return [
    'BEGIN:VTIMEZONE',
    `TZID:${timezone}`,
    'BEGIN:STANDARD',
    'DTSTART:19700101T000000',
    `TZOFFSETFROM:${offset}`,
    `TZOFFSETTO:${offset}`,
    'END:STANDARD',
    'END:VTIMEZONE',
  ].join('\r\n')
}

/**
 * The event as a calendar file in its own time zone. It has the same id as the file the guest's page saves, so a
 * calendar keeps one entry; a later change of the event has a higher sequence and replaces it.
 */
export function calendarFile(event: MailedEvent, { url, timezone }: MailSite, note: string): string {
  const page = `${url}/dashboard/guest`
  const calendar = ical({
    prodId: { company: 'Garba Rass', product: 'Tickets' },
    method: ICalCalendarMethod.PUBLISH,
    timezone: { name: null, generator: () => zoneOn(event, timezone) },
  })
  calendar.createEvent({
    id: `${event.id}@${new URL(url).hostname}`,
    sequence: Math.max(0, Math.floor((event.updatedAt.getTime() - event.createdAt.getTime()) / 1_000)),
    stamp: event.updatedAt,
    lastModified: event.updatedAt,
    start: localTime(event.date, event.startTime, timezone),
    end: localTime(lastDayOf(event), event.endTime, timezone),
    timezone,
    summary: plainName(event.name),
    location: plainName(event.venue),
    description: `${note} ${page}`,
    url: page,
    status: ICalEventStatus.CONFIRMED,
  })
  return calendar.toString()
}
