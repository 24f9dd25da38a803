import type { Ticket } from '@garba/shared/contracts/ticket'
import { type CSSProperties, type ReactNode, useDeferredValue, useEffect } from 'react'
import { Turning, useSwipe } from '../Turning.tsx'
import styles from './TicketStrip.module.css'

/** Drawn with the page's first picture; the others follow, because each code costs milliseconds. */
const DRAWN_FIRST = 2

interface TicketStripProps {
  tickets: readonly Ticket[]
  /** So many at the beginning were just bought: they slide out. */
  fresh?: number
  /** Called with the ticket at the front. */
  onFront?: ((at: number) => void) | undefined
  children: (ticket: Ticket) => ReactNode
}

/** Tickets in a row to swipe through: one at the front, and the edge of the next one beside it. */
export const TicketStrip = ({ tickets, fresh = 0, onFront, children }: TicketStripProps) => {
  const { strip, at, go } = useSwipe({ count: tickets.length })
  const drawn = useDeferredValue(tickets.length, DRAWN_FIRST)
  const many = tickets.length > 1
  useEffect(() => onFront?.(at), [at, onFront])
  return (
    <>
      <ul ref={strip} className={styles.strip} data-many={many || undefined}>
        {tickets.slice(0, drawn).map((ticket, index) => (
          <li
            key={ticket._id}
            className={index < fresh ? styles.fresh : undefined}
            // The keyboard reaches cards that are out of view, and snapping would take them back out of it.
            onFocus={() => {
              if (index !== at) go(index)
            }}
            style={{ '--nth': Math.min(index, MOVING) } as CSSProperties}
          >
            {children(ticket)}
          </li>
        ))}
      </ul>
      {many ? (
        <div className={styles.turning}>
          <Turning at={at} of={tickets.length} go={go} />
        </div>
      ) : null}
    </>
  )
}

/** No later ticket is in view while they slide out. */
const MOVING = 3
