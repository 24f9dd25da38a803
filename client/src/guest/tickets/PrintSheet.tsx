import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { last8 } from '@garba/shared/messages/common'
import { formatRupees } from '@garba/shared/rules/money'
import { nameOn } from '@garba/shared/rules/ticketName'
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { useFormat } from '../format.ts'
import { useWords } from '../words.ts'
import styles from './PrintSheet.module.css'
import { Qr } from './Qr.tsx'
import { statusText } from './status.ts'

interface PrintSheetProps {
  /** In this order, one per page. If empty, the page prints as it is. */
  tickets: readonly Ticket[]
  event: GarbaEvent | null
}

/** What gets printed: one clean ticket per page and nothing else from the screen. */
export const PrintSheet = ({ tickets, event }: PrintSheetProps) =>
  tickets.length === 0 ? null : (
    <Printed>
      {tickets.map((ticket) => (
        <PrintedTicket key={ticket._id} ticket={ticket} event={event} />
      ))}
    </Printed>
  )

/** Only on paper, and alone there. */
export const Printed = ({ children }: { children: ReactNode }) =>
  usePrinting()
    ? createPortal(
        <div className={styles.sheets} data-surface="paper">
          {children}
        </div>,
        document.body,
      )
    : null

const PrintedTicket = ({ ticket, event }: { ticket: Ticket; event: GarbaEvent | null }) => {
  const { ticket: words } = useWords()
  const format = useFormat()
  return (
    <article className={styles.sheet}>
      <header className={styles.head}>
        <h1 className={styles.event}>{ticket.eventName}</h1>
        {event === null ? null : (
          <p>
            {format.day(event.date)}, {format.hours(event)}
            <br />
            {event.venue}
          </p>
        )}
      </header>
      {ticket.qrCode === null ? null : (
        <Qr text={ticket.qrCode} label={words.qrOf(last8(ticket.ticketId))} className={styles.qr} />
      )}
      <p className={styles.name}>{nameOn(ticket)}</p>
      <p className={styles.id}>{last8(ticket.ticketId)}</p>
      <dl className={styles.facts}>
        <div>
          <dt>{words.admit}</dt>
          <dd>{statusText(ticket, words)}</dd>
        </div>
        <div>
          <dt>{words.price}</dt>
          <dd>{formatRupees(ticket.price)}</dd>
        </div>
        <div>
          <dt>{words.purchased}</dt>
          <dd>{format.moment(ticket.createdAt)}</dd>
        </div>
        <div>
          <dt>{words.fullId}</dt>
          <dd>{ticket.ticketId}</dd>
        </div>
      </dl>
      <p className={styles.small}>{words.one}</p>
    </article>
  )
}

/**
 * Whether the page is being printed: the print sheet exists only then. Both signals are needed: Safari changes the print
 * media query without sending the events, Firefox sends the events without changing the query.
 */
function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false)
  // Before the first paint, because a visible ticket can be printed.
  useLayoutEffect(() => {
    const set = (is: boolean) => flushSync(() => setPrinting(is))
    const before = () => set(true)
    const after = () => set(false)
    const media = matchMedia('print')
    const changed = () => set(media.matches)
    window.addEventListener('beforeprint', before)
    window.addEventListener('afterprint', after)
    media.addEventListener('change', changed)
    return () => {
      window.removeEventListener('beforeprint', before)
      window.removeEventListener('afterprint', after)
      media.removeEventListener('change', changed)
    }
  }, [])
  return printing
}

/** Prints one ticket, which is `only` until the print dialog closes. The browser's own Print prints all active tickets. */
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
