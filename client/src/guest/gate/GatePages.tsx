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

/** Pages drawn on either side of the one in sight: a finger turns one page at a time. */
const DRAWN_AROUND = 3

interface GatePagesProps {
  tickets: readonly Ticket[]
  /** The ticket to begin with. */
  first: string | undefined
  awake: boolean
  onClose: () => void
}

export const GatePages = ({ tickets, first, awake, onClose }: GatePagesProps) => {
  const { gate } = useWords()
  const shown = useShown(tickets)
  if (shown.length > 0) return <Strip shown={shown} first={first} awake={awake} onClose={onClose} />
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
}

/**
 * Every ticket that is or was active since the view opened. One that is used meanwhile stays, and one that is heard of later
 * (bought on another phone) comes last, so that no page moves under the eye of who holds it out.
 */
function useShown(tickets: readonly Ticket[]): Ticket[] {
  const [ids, setIds] = useState<readonly string[]>([])
  const known = new Set(ids)
  const news = tickets.filter(({ _id, status }) => status === 'active' && !known.has(_id)).map(({ _id }) => _id)
  if (news.length > 0) setIds([...ids, ...news])
  const byId = new Map(tickets.map((ticket) => [ticket._id, ticket]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

interface StripProps extends Omit<GatePagesProps, 'tickets'> {
  shown: readonly Ticket[]
}

/** The tickets one beside the other. */
const Strip = ({ shown, first, awake, onClose }: StripProps) => {
  const { gate, close } = useWords()
  const [start] = useState(() =>
    Math.max(
      0,
      shown.findIndex(({ _id }) => _id === first),
    ),
  )
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
          <li key={ticket._id} className={styles.page} aria-hidden={index !== at || undefined}>
            {Math.abs(index - at) <= DRAWN_AROUND ? <GatePage ticket={ticket} /> : null}
          </li>
        ))}
      </ul>
      <footer className={styles.foot}>
        {shown.length === 1 ? null : <Turning at={at} of={shown.length} go={go} />}
      </footer>
    </div>
  )
}

const Turning = ({ at, of, go }: { at: number; of: number; go: (to: number) => void }) => {
  const { gate } = useWords()
  return (
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
        {gate.of(at + 1, of)}
      </p>
      <IconButton
        outlined
        label={gate.next}
        icon={<ChevronRight aria-hidden="true" />}
        aria-disabled={at === of - 1}
        className={styles.turn}
        onClick={() => go(at + 1)}
      />
    </>
  )
}
