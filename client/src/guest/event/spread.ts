import type { GarbaEvent } from '@garba/shared/contracts/event'
import { saveFile } from '../../platform/saveFile.ts'
import type { GuestWords } from '../words.ts'
import { calendarFile } from './ics.ts'

/** garba-rass-2025.ics; a name of another script leaves nothing to name a file by. */
const fileNameOf = (name: string): string => {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  return `${plain || 'garba'}.ics`
}

/** Hands the event to the device's calendar as a file. `siteUrl`: where the site answers, without a slash at its end. */
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

/** Offers an invitation to whatever the device shares with, or copies it. Throws when neither works. */
export async function shareInvitation(invitation: {
  title: string
  text: string
  url: string
}): Promise<'shared' | 'copied' | 'given up'> {
  // Not in every browser, whatever the DOM library says.
  if (typeof navigator.share !== 'function') {
    await navigator.clipboard.writeText(`${invitation.text}\n${invitation.url}`)
    return 'copied'
  }
  try {
    await navigator.share(invitation)
    return 'shared'
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return 'given up'
    throw error
  }
}
