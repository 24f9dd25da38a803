import type { Ticket } from '@garba/shared/contracts/ticket'
import { last8 } from '@garba/shared/messages/common'
import { nameOn } from '@garba/shared/rules/ticketStatus'
import { drawCode } from '../../platform/screen/picture.ts'
import { entryPassButtonId } from '../paths.ts'

/**
 * A ticket as a picture: its code with the name, event and last 8 characters below it. `more`: lines below those. The code is
 * taken from the ticket's card. Throws when the browser cannot draw it.
 */
export async function pictureOf(ticket: Ticket, more: readonly string[] = []): Promise<File> {
  const svg = document.getElementById(entryPassButtonId(ticket.ticketId))?.querySelector('svg')
  if (!svg) throw new Error('The code of this ticket is not on the page')
  return drawCode({
    svg,
    title: nameOn(ticket),
    lines: [`${ticket.eventName} · ${last8(ticket.ticketId)}`, ...more],
    // The name of SPEC 9.
    fileName: `garba-ticket-${ticket.ticketId}-qr.png`,
  })
}
