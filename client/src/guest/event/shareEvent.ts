import type { GarbaEvent } from '@garba/shared/contracts/event'
import { calendarFile } from '@garba/shared/rules/event/calendarFile'
import { canShare, openShareSheet, saveFile } from '../../platform/share.ts'
import type { GuestWords } from '../words.ts'

/** Like garba-rass-2025.ics; a name in another script leaves no letters for a file name. */
const buildCalendarFileName = (name: string): string => {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  return `${plain || 'garba'}.ics`
}

type CalendarEvent = Pick<GarbaEvent, '_id' | 'name' | 'venue' | 'startsAt' | 'endsAt' | 'createdAt' | 'updatedAt'> &
  Partial<Pick<GarbaEvent, 'description'>>

interface InCalendar {
  event: CalendarEvent
  path?: string
  words: GuestWords['event']
}

export function addToCalendar({ event, path = '/dashboard/guest', words }: InCalendar): void {
  const url = `${location.origin}${path}`
  const file = calendarFile({
    uid: `${event._id}@${location.hostname}`,
    title: event.name,
    place: event.venue,
    text: [event.description, `${words.calendarNote} ${url}`].filter(Boolean).join('\n\n'),
    url,
    startsAt: new Date(event.startsAt),
    endsAt: new Date(event.endsAt),
    createdAt: new Date(event.createdAt),
    changedAt: new Date(event.updatedAt),
  })
  saveFile(new Blob([file], { type: 'text/calendar;charset=utf-8' }), buildCalendarFileName(event.name))
}

/** Opens the share sheet with an invitation, or copies it. Throws when neither works. */
export async function shareInvitation(invitation: {
  title: string
  text: string
  url: string
}): Promise<'shared' | 'copied' | 'given up'> {
  if (canShare()) return openShareSheet(invitation)
  await navigator.clipboard.writeText(`${invitation.text}\n${invitation.url}`)
  return 'copied'
}

export const whatsAppLink = (text: string): string => `https://wa.me/?text=${encodeURIComponent(text)}`

export function openWhatsApp(text: string): void {
  const opened = window.open(whatsAppLink(text), '_blank')
  if (opened === null) location.assign(whatsAppLink(text))
  else opened.opener = null
}
