import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { shortenTicketId } from '@garba/shared/messages/common'
import { formatRupees } from '@garba/shared/rules/money'
import { getHolderName } from '@garba/shared/rules/ticketStatus'
import { pickShownType } from '@garba/shared/rules/types/ticketTypes'
import { useCallback, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { PrintedPages, PrintedTicket } from '../../kit/PrintSheet.tsx'
import { useLanguage } from '../../platform/language.ts'
import { useFormat } from '../format.ts'
import { useWords } from '../words.ts'

interface PrintSheetProps {
  /** The tickets print in this order, two to a page. If empty, the page prints as it is. */
  tickets: readonly Ticket[]
  event: GarbaEvent | null
}

export const PrintSheet = ({ tickets, event }: PrintSheetProps) =>
  tickets.length === 0 ? null : (
    <PrintedPages>
      {tickets.map((ticket) => (
        <TicketOnPaper key={ticket._id} ticket={ticket} event={event} />
      ))}
    </PrintedPages>
  )

const TicketOnPaper = ({ ticket, event }: { ticket: Ticket; event: GarbaEvent | null }) => {
  const { ticket: words, list } = useWords()
  const format = useFormat()
  const type = pickShownType(
    ticket.type,
    useLanguage(({ language }) => language),
  )
  return (
    <PrintedTicket
      title={ticket.eventName}
      lines={event === null ? [] : [`${format.day(event.date)}, ${format.hours(event)}`, event.venue]}
      code={
        ticket.qrCode === null ? null : { text: ticket.qrCode, label: words.qrOf(shortenTicketId(ticket.ticketId)) }
      }
      name={getHolderName(ticket)}
      type={type}
      id={`${list.nth(ticket.number)} · ${shortenTicketId(ticket.ticketId)}`}
      facts={[
        [words.price, formatRupees(ticket.price)],
        [words.purchased, format.moment(ticket.createdAt)],
        [words.fullId, ticket.ticketId],
      ]}
      small={`${words.one} ${words.atGate}`}
    />
  )
}

/** Prints one ticket; `only` holds it until the dialog closes. The browser's own Print prints all active tickets. */
export function usePrint(): { print: (ticket: Ticket) => void; only: Ticket | null } {
  const [only, setOnly] = useState<Ticket | null>(null)
  useEffect(() => {
    const over = () => setOnly(null)
    window.addEventListener('afterprint', over)
    return () => window.removeEventListener('afterprint', over)
  }, [])
  const print = useCallback((ticket: Ticket) => {
    flushSync(() => setOnly(ticket))
    window.print()
  }, [])
  return { print, only }
}
