import type { Ticket } from '@garba/shared/contracts/ticket'
import { shortenTicketId } from '@garba/shared/messages/common'
import { getHolderName } from '@garba/shared/rules/ticketStatus'
import { pickShownType } from '@garba/shared/rules/types/ticketTypes'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { Qr } from '../../kit/Qr.tsx'
import { useLanguage } from '../../platform/language.ts'
import { drawCode } from '../../platform/screen/picture.ts'

/** Draws the code in an element outside the page, because a ticket's row shows no code. */
function renderCodeSvg(text: string): SVGSVGElement {
  const place = document.createElement('div')
  const root = createRoot(place)
  flushSync(() => root.render(<Qr text={text} label="" />))
  const svg = place.querySelector('svg')?.cloneNode(true)
  root.unmount()
  if (!(svg instanceof SVGSVGElement)) throw new Error('The code could not be drawn')
  return svg
}

/**
 * A ticket as a picture: its code with the name, event and last 8 characters below it. `more`: lines below those. Throws when
 * the ticket has no code or the browser cannot draw it.
 */
export async function drawTicketPicture(ticket: Ticket, more: readonly string[] = []): Promise<File> {
  if (ticket.qrCode === null) throw new Error('This ticket has no code')
  const type = pickShownType(ticket.type, useLanguage.getState().language)
  return drawCode({
    svg: renderCodeSvg(ticket.qrCode),
    title: getHolderName(ticket),
    lines: [`${ticket.eventName} · ${shortenTicketId(ticket.ticketId)}`, ...(type === null ? [] : [type]), ...more],
    // The spec fixes this name.
    fileName: `garba-ticket-${ticket.ticketId}-qr.png`,
  })
}
