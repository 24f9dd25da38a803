import { shortenTicketId } from '@garba/shared/messages/common'
import { getHolderName } from '@garba/shared/rules/ticketStatus'
import { Users } from 'lucide-react'
import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { Qr } from '../../kit/Qr.tsx'
import { statusText } from '../tickets/status.ts'
import { SentNote, Stamp, TypeName } from '../tickets/TicketParts.tsx'
import { useWords } from '../words.ts'
import { EntryPassHead, type PassTicket, Turning } from './EntryPassFrame.tsx'
import styles from './EntryPassView.module.css'

/** Pages rendered on either side of the visible one: a finger turns one page at a time. */
const DRAWN_AROUND = 3

interface PassStripProps {
  first: string | undefined
  awake: boolean
  onClose: () => void
  shown: readonly PassTicket[]
  /** The highest number among all tickets; 0 if none has one. */
  last: number
  all: { count: number; show: () => void } | null
}

export const PassStrip = ({ shown, last, first, awake, all, onClose }: PassStripProps) => {
  const { entryPass: words } = useWords()
  const [start] = useState(() => {
    const opened = shown.find(({ _id }) => _id === first) ?? shown.find(({ status }) => status === 'active')
    return opened === undefined ? 0 : shown.indexOf(opened)
  })
  const { strip, at, go } = useSwipe({ count: shown.length, start })
  // On the window, because right after opening the focus is on the dialog itself, above this element. A layout effect, so
  // that a key counts as soon as the page can be seen.
  useLayoutEffect(() => {
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
      <EntryPassHead awake={awake} onClose={onClose} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard (WCAG 2.1.1) */}
      <ul ref={strip} className={styles.strip} aria-label={words.list} tabIndex={0}>
        {shown.map((ticket, index) => (
          <li key={ticket._id} className={styles.page} aria-hidden={index !== at || undefined}>
            {Math.abs(index - at) <= DRAWN_AROUND ? <EntryPassPage ticket={ticket} /> : null}
          </li>
        ))}
      </ul>
      <footer className={styles.foot}>
        {shown.length === 1 ? null : (
          <Turning at={at} of={shown.length} go={go}>
            {words.of(shown[at]?.number || at + 1, last || shown.length)}
          </Turning>
        )}
        {all === null ? null : (
          <Button icon={<Users />} onClick={all.show}>
            {words.all(all.count)}
          </Button>
        )}
      </footer>
    </div>
  )
}

const EntryPassPage = ({ ticket }: { ticket: PassTicket }) => {
  const { ticket: words } = useWords()
  const id = shortenTicketId(ticket.ticketId)
  return (
    <>
      <div className={styles.square}>
        {ticket.qrCode === null ? <Over ticket={ticket} /> : <Qr text={ticket.qrCode} label={words.qrOf(id)} />}
      </div>
      <div className={styles.whose}>
        <p className={styles.name}>{getHolderName(ticket)}</p>
        <p className={styles.id}>{id}</p>
        <TypeName ticket={ticket} />
        <SentNote ticket={ticket} />
        <p className={styles.event}>{ticket.eventName}</p>
      </div>
    </>
  )
}

const Over = ({ ticket }: { ticket: PassTicket }) => {
  const { ticket: words } = useWords()
  return (
    <div className={styles.over} data-status={ticket.status}>
      <Stamp fresh text={ticket.status === 'used' ? words.stampUsed : words.stampCancelled} />
      <p role="status">{ticket.status === 'cancelled' ? words.status.cancelled : statusText(ticket, words)}</p>
    </div>
  )
}

function measurePageStep({ children, clientWidth }: HTMLElement): number {
  const [first, second] = children
  const step =
    first instanceof HTMLElement && second instanceof HTMLElement ? Math.abs(second.offsetLeft - first.offsetLeft) : 0
  return Math.max(1, step || clientWidth)
}

function useSwipe({ count, start }: { count: number; start: number }) {
  const strip = useRef<HTMLUListElement>(null)
  const [at, setAt] = useState(start)
  useLayoutEffect(() => {
    const element = strip.current
    if (!element) return
    if (start > 0) element.scrollTo({ left: start * measurePageStep(element), behavior: 'instant' })
    const updatePage = () => setAt(Math.round(element.scrollLeft / measurePageStep(element)))
    element.addEventListener('scroll', updatePage, { passive: true })
    return () => element.removeEventListener('scroll', updatePage)
  }, [start])
  const go = useCallback(
    (to: number) => {
      const element = strip.current
      if (element) element.scrollTo({ left: Math.min(count - 1, Math.max(0, to)) * measurePageStep(element) })
    },
    [count],
  )
  return { strip, at: Math.min(at, Math.max(0, count - 1)), go }
}
