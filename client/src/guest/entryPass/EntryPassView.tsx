import type { GroupCode, Ticket } from '@garba/shared/contracts/ticket'
import { last8 } from '@garba/shared/messages/common'
import { nameOn } from '@garba/shared/rules/ticketStatus'
import {
  ChevronLeft,
  ChevronRight,
  CircleCheck,
  CircleX,
  QrCode,
  Sun,
  Ticket as TicketIcon,
  Users,
  X,
} from 'lucide-react'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router'
import { EmptyState } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { IconButton } from '../../kit/IconButton.tsx'
import { Qr } from '../../kit/Qr.tsx'
import { useOnline } from '../../platform/net/connectivity.ts'
import { usePageTitle } from '../../platform/page.ts'
import { useWakeLock } from '../../platform/screen/wakeLock.ts'
import { useGuestData } from '../data/useGuestData.ts'
import { failureText } from '../failures.ts'
import { ALL_AT_ONCE, entryPassButtonId, GUEST_HOME } from '../paths.ts'
import { statusText } from '../tickets/status.ts'
import { Stamp } from '../tickets/TicketParts.tsx'
import { useWords } from '../words.ts'
import styles from './EntryPass.module.css'

/** Often enough to tell a ticket that was just scanned from the next one to show. */
const POLL_MS = 5_000

/** The guest's own tickets at the gate, at their own address, so that Back closes them. */
export const EntryPassView = () => {
  const { ticketId } = useParams()
  const online = useOnline()
  const { tickets, groups } = useGuestData({ pollMs: online ? POLL_MS : undefined })
  const leave = useLeave()
  return (
    <EntryPass
      tickets={tickets.type === 'known' ? tickets.value : null}
      failure={tickets.type === 'failed' ? tickets.error : null}
      groups={groups}
      first={ticketId}
      onClose={leave}
    />
  )
}

/** The gate's view shows only these fields of a ticket, because a link gives no others. */
export type PassTicket = Pick<
  Ticket,
  '_id' | 'ticketId' | 'user' | 'holderName' | 'eventName' | 'status' | 'qrCode' | 'isPast' | 'isRefundDone'
>

interface EntryPassProps {
  /** null while they are unknown. */
  tickets: readonly PassTicket[] | null
  /** Why they are unknown; null while they are loading. */
  failure?: unknown
  groups: readonly GroupCode[]
  /** The ticket to start with. */
  first: string | undefined
  onClose: () => void
}

/**
 * "Show at gate": a white screen with one code as large as possible, online or offline. A native modal dialog, so
 * that nothing behind it can be reached.
 */
export const EntryPass = ({ tickets, failure = null, groups, first, onClose }: EntryPassProps) => {
  const words = useWords()
  const awake = useWakeLock(true)
  const dialog = useRef<HTMLDialogElement>(null)
  usePageTitle(words.entryPass.title)
  useWhiteFrame()
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  useEffect(
    () => () => {
      // The shell moves the focus to the start of the page; it belongs on the button that opened this view.
      requestAnimationFrame(() => {
        const opener = document.getElementById(entryPassButtonId(first)) ?? document.getElementById(entryPassButtonId())
        opener?.focus({ preventScroll: true })
      })
    },
    [first],
  )
  return (
    <dialog
      ref={dialog}
      className={styles.view}
      aria-label={words.entryPass.title}
      data-surface="paper"
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      {tickets === null ? (
        <Nothing
          title={failure === null ? words.list.loading : words.list.errorTitle}
          detail={failure === null ? null : `${failureText(failure, words)} ${words.list.retries}`}
          onClose={onClose}
        />
      ) : (
        <EntryPassPages tickets={tickets} groups={groups} first={first} awake={awake} onClose={onClose} />
      )}
    </dialog>
  )
}

/** Replaces the tickets when there are none to show, with a button to go back. */
const Nothing = ({ title, detail, onClose }: { title: string; detail: string | null; onClose: () => void }) => (
  <div className={styles.none}>
    <EmptyState
      title={title}
      level={2}
      icon={<TicketIcon aria-hidden="true" />}
      action={<Button onClick={onClose}>{useWords().entryPass.backToTickets}</Button>}
    >
      {detail === null ? null : <p role="status">{detail}</p>}
    </EmptyState>
  </div>
)

/** Back to where the view was opened from, or to the dashboard if it was opened by its address. */
function useLeave(): () => void {
  const navigate = useNavigate()
  const { key } = useLocation()
  return useCallback(() => {
    if (key === 'default') void navigate(GUEST_HOME, { replace: true })
    else void navigate(-1)
  }, [key, navigate])
}

/** Turns the browser's own bars white too: every bit of light helps. */
function useWhiteFrame(): void {
  useEffect(() => {
    const meta = document.querySelector<HTMLMetaElement>('meta[name="theme-color"]')
    const before = meta?.content
    if (!meta || before === undefined) return
    meta.content = '#ffffff'
    return () => {
      meta.content = before
    }
  }, [])
}

/** How long the group's code may take to load from this device; later it would replace the code that somebody holds out (ms). */
const STORE_MS = 2_000

/** Pages rendered on either side of the visible one: a finger turns one page at a time. */
const DRAWN_AROUND = 3

interface EntryPassPagesProps extends Omit<EntryPassProps, 'failure'> {
  tickets: readonly PassTicket[]
  awake: boolean
}

const EntryPassPages = ({ tickets, groups, first, awake, onClose }: EntryPassPagesProps) => {
  const { entryPass: words } = useWords()
  const shown = useShown(tickets)
  // The codes as they were when they were first shown: a code must not change while somebody is holding it out.
  const [together, setTogether] = useState<readonly GroupCode[] | null>(null)
  const [wantsAll, setWantsAll] = useState(first === ALL_AT_ONCE)
  useEffect(() => {
    const late = setTimeout(() => setWantsAll(false), STORE_MS)
    return () => clearTimeout(late)
  }, [])
  if (wantsAll && together === null && groups.length > 0) {
    setWantsAll(false)
    setTogether(groups)
  }
  // A group's code is dead when one of its tickets has a new code.
  const isDead = together?.some(({ ticketIds }) => ticketIds.some((id) => tickets.every(({ _id }) => _id !== id)))
  if (isDead && groups.length > 0 && groups !== together) setTogether(groups)
  if (together !== null)
    return (
      <GroupPass
        groups={together}
        tickets={tickets}
        awake={awake}
        onOneByOne={() => setTogether(null)}
        onClose={onClose}
      />
    )
  const count = groups.flatMap(({ ticketIds }) => ticketIds).length
  if (shown.length > 0)
    return (
      <Strip
        shown={shown}
        first={first}
        awake={awake}
        all={count === 0 ? null : { count, show: () => setTogether(groups) }}
        onClose={onClose}
      />
    )
  return <Nothing title={words.nothing} detail={words.nothingDetail} onClose={onClose} />
}

/**
 * Every ticket that has been active since the view opened. A ticket that gets used stays, and one that appears later (bought
 * on another phone) goes last, so that no page moves while somebody is holding it out.
 */
function useShown(tickets: readonly PassTicket[]): PassTicket[] {
  const [ids, setIds] = useState<readonly string[]>([])
  const known = new Set(ids)
  const news = tickets.filter(({ _id, status }) => status === 'active' && !known.has(_id)).map(({ _id }) => _id)
  if (news.length > 0) setIds([...ids, ...news])
  const byId = new Map(tickets.map((ticket) => [ticket._id, ticket]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

interface StripProps extends Omit<EntryPassPagesProps, 'tickets' | 'groups'> {
  shown: readonly PassTicket[]
  /** Shows one code for this many tickets; null while there is none. */
  all: { count: number; show: () => void } | null
}

/** The tickets side by side. */
const Strip = ({ shown, first, awake, all, onClose }: StripProps) => {
  const { entryPass: words } = useWords()
  const [start] = useState(() =>
    Math.max(
      0,
      shown.findIndex(({ _id }) => _id === first),
    ),
  )
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
        {shown.length === 1 ? null : <Turning at={at} of={shown.length} go={go} />}
        {all === null ? null : (
          <Button icon={<Users aria-hidden="true" />} onClick={all.show}>
            {words.all(all.count)}
          </Button>
        )}
      </footer>
    </div>
  )
}

/** One ticket for the scanner: the code, its holder, and the last 8 characters to type if all else fails. */
const EntryPassPage = ({ ticket }: { ticket: PassTicket }) => {
  const { ticket: words } = useWords()
  const id = last8(ticket.ticketId)
  return (
    <>
      <div className={styles.square}>
        {ticket.qrCode === null ? <Over ticket={ticket} /> : <Qr text={ticket.qrCode} label={words.qrOf(id)} />}
      </div>
      <div className={styles.whose}>
        <p className={styles.name}>{nameOn(ticket)}</p>
        <p className={styles.id}>{id}</p>
        <p className={styles.event}>{ticket.eventName}</p>
      </div>
    </>
  )
}

/** Shown when the ticket was scanned or cancelled while on the screen. */
const Over = ({ ticket }: { ticket: PassTicket }) => {
  const { ticket: words } = useWords()
  return (
    <div className={styles.over} data-status={ticket.status}>
      <Stamp fresh text={ticket.status === 'used' ? words.stampUsed : words.stampCancelled} />
      {/* The state of the refund does not matter at the gate. */}
      <p role="status">{ticket.status === 'cancelled' ? words.status.cancelled : statusText(ticket, words)}</p>
    </div>
  )
}

interface GroupPassProps {
  groups: readonly GroupCode[]
  tickets: readonly PassTicket[]
  awake: boolean
  onOneByOne: () => void
  onClose: () => void
}

/** One code for all tickets, with the names beneath; several for more than eight tickets. */
const GroupPass = ({ groups, tickets, awake, onOneByOne, onClose }: GroupPassProps) => {
  const { entryPass: words } = useWords()
  const [turned, setAt] = useState(0)
  // New codes may be fewer than those that they replace.
  const at = Math.min(turned, groups.length - 1)
  const group = groups[at]
  if (!group) return null
  const byId = new Map(tickets.map((ticket) => [ticket._id, ticket]))
  const members = group.ticketIds.flatMap((id) => byId.get(id) ?? [])
  return (
    <div className={styles.frame}>
      <EntryPassHead awake={awake} onClose={onClose} />
      <div className={styles.page}>
        <div className={styles.groupSquare}>
          <Qr text={group.qrCode} label={words.qrOfGroup(members.length)} />
        </div>
        <div className={styles.whose}>
          <p className={styles.groupTitle}>{words.groupCode(members.length)}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard (WCAG 2.1.1) */}
          <ul className={styles.members} aria-label={words.members} tabIndex={0}>
            {alike(members).map(({ ticket, count }) => (
              <MemberLine key={ticket._id} ticket={ticket} count={count} />
            ))}
          </ul>
        </div>
      </div>
      <footer className={styles.foot}>
        {groups.length === 1 ? null : <Turning at={at} of={groups.length} go={setAt} />}
        <Button icon={<QrCode aria-hidden="true" />} onClick={onOneByOne}>
          {words.oneByOne}
        </Button>
      </footer>
    </div>
  )
}

const MemberLine = ({ ticket, count }: { ticket: PassTicket; count: number }) => {
  const { ticket: words } = useWords()
  const Icon = ticket.status === 'used' ? CircleCheck : CircleX
  return (
    <li data-status={ticket.status}>
      <span>{count === 1 ? nameOn(ticket) : `${nameOn(ticket)} × ${count}`}</span>
      {ticket.status === 'active' ? null : (
        <span className={styles.memberState}>
          <Icon aria-hidden="true" />
          {statusText(ticket, words)}
        </span>
      )}
    </li>
  )
}

/** Tickets with the same name and state as one line: most groups carry the buyer's name on every ticket. */
function alike(tickets: readonly PassTicket[]): { ticket: PassTicket; count: number }[] {
  const lines = new Map<string, { ticket: PassTicket; count: number }>()
  for (const ticket of tickets) {
    const key = `${ticket.status} ${nameOn(ticket)}`
    lines.set(key, { ticket, count: (lines.get(key)?.count ?? 0) + 1 })
  }
  return [...lines.values()]
}

const EntryPassHead = ({ awake, onClose }: { awake: boolean; onClose: () => void }) => {
  const { entryPass: words, close } = useWords()
  return (
    <header className={styles.head}>
      <p className={styles.hint}>
        <Sun aria-hidden="true" />
        {awake ? words.bright : words.brightOnly}
      </p>
      <IconButton label={close} icon={<X aria-hidden="true" />} onClick={onClose} />
    </header>
  )
}

/** The buttons turn to the previous or next ticket; the position between them is announced. */
const Turning = ({ at, of, go }: { at: number; of: number; go: (to: number) => void }) => {
  const { entryPass: words } = useWords()
  return (
    <>
      <IconButton
        outlined
        label={words.previous}
        icon={<ChevronLeft aria-hidden="true" />}
        aria-disabled={at === 0}
        className={styles.turn}
        onClick={() => go(at - 1)}
      />
      <p className={styles.count} aria-live="polite">
        {words.of(at + 1, of)}
      </p>
      <IconButton
        outlined
        label={words.next}
        icon={<ChevronRight aria-hidden="true" />}
        aria-disabled={at === of - 1}
        className={styles.turn}
        onClick={() => go(at + 1)}
      />
    </>
  )
}

/** The distance between two pages in pixels. */
function stepOf({ children, clientWidth }: HTMLElement): number {
  const [first, second] = children
  const step =
    first instanceof HTMLElement && second instanceof HTMLElement ? Math.abs(second.offsetLeft - first.offsetLeft) : 0
  return Math.max(1, step || clientWidth)
}

/** Follows and moves a strip of pages; `at` is the one at its start. CSS scroll snap does the swiping. */
function useSwipe({ count, start }: { count: number; start: number }) {
  const strip = useRef<HTMLUListElement>(null)
  const [at, setAt] = useState(start)
  useLayoutEffect(() => {
    const element = strip.current
    if (!element) return
    if (start > 0) element.scrollTo({ left: start * stepOf(element), behavior: 'instant' })
    const look = () => setAt(Math.round(element.scrollLeft / stepOf(element)))
    element.addEventListener('scroll', look, { passive: true })
    return () => element.removeEventListener('scroll', look)
  }, [start])
  const go = useCallback(
    (to: number) => {
      const element = strip.current
      if (element) element.scrollTo({ left: Math.min(count - 1, Math.max(0, to)) * stepOf(element) })
    },
    [count],
  )
  return { strip, at: Math.min(at, Math.max(0, count - 1)), go }
}
