import type { GarbaEvent } from '@garba/shared/contracts/event'
import { calendarFile } from '@garba/shared/rules/calendarFile'
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

type CalendarEvent = Pick<GarbaEvent, '_id' | 'name' | 'venue' | 'startsAt' | 'endsAt' | 'createdAt' | 'updatedAt'> &
  Partial<Pick<GarbaEvent, 'description'>>

interface InCalendar {
  event: CalendarEvent
  /** The page with the tickets. */
  path?: string
  words: GuestWords['event']
}

/** Saves the event as a calendar file. */
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
