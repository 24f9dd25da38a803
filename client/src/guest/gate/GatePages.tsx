import type { Ticket } from '@garba/shared/contracts/ticket'
import { ChevronLeft, ChevronRight, Sun, Ticket as TicketIcon, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { IconButton } from '../../kit/IconButton.tsx'
import { useWords } from '../words.ts'
import { GatePage } from './GatePage.tsx'
import styles from './GateView.module.css'
import { useSwipe } from './useSwipe.ts'

interface GatePagesProps {
  tickets: readonly Ticket[]
  /** The ticket to begin with. */
  first: string | undefined
  awake: boolean
  onClose: () => void
}

/** The tickets that were active when the view opened, one beside the other; they stay when they are used meanwhile. */
export const GatePages = ({ tickets, first, awake, onClose }: GatePagesProps) => {
  const { gate, close } = useWords()
  const [ids] = useState(() => tickets.filter(({ status }) => status === 'active').map(({ _id }) => _id))
  const shown = ids.flatMap((id) => tickets.find(({ _id }) => _id === id) ?? [])
  const start = Math.max(0, ids.indexOf(first ?? ''))
  const { strip, at, go } = useSwipe({ count: shown.length, start })
  // On the window: right after opening the focus is on the dialog itself, above this element.
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: shown.length - 1 }[event.key]
      if (to === undefined) return
      event.preventDefault()
      go(to)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [at, go, shown.length])
  if (shown.length === 0)
    return (
      <div className={styles.none}>
        <EmptyState
          title={gate.nothing}
          level={2}
          icon={<TicketIcon aria-hidden="true" />}
          action={<Button onClick={onClose}>{gate.backToTickets}</Button>}
        >
          <p>{gate.nothingDetail}</p>
        </EmptyState>
      </div>
    )
  return (
    <div className={styles.frame}>
      <header className={styles.head}>
        <p className={styles.hint}>
          <Sun aria-hidden="true" />
          {awake ? gate.bright : gate.brightOnly}
        </p>
        <IconButton label={close} icon={<X aria-hidden="true" />} onClick={onClose} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1) */}
      <ul ref={strip} className={styles.strip} aria-label={gate.list} tabIndex={0}>
        {shown.map((ticket, index) => (
          <GatePage key={ticket._id} ticket={ticket} hidden={index !== at} />
        ))}
      </ul>
      <footer className={styles.foot}>
        {shown.length === 1 ? null : (
          <>
            <IconButton
              outlined
              label={gate.previous}
              icon={<ChevronLeft aria-hidden="true" />}
              aria-disabled={at === 0}
              className={styles.turn}
              onClick={() => go(at - 1)}
            />
            <p className={styles.count} aria-live="polite">
              {gate.of(at + 1, shown.length)}
            </p>
            <IconButton
              outlined
              label={gate.next}
              icon={<ChevronRight aria-hidden="true" />}
              aria-disabled={at === shown.length - 1}
              className={styles.turn}
              onClick={() => go(at + 1)}
            />
          </>
        )}
      </footer>
    </div>
  )
}
