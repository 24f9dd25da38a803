import type { GroupCode } from '@garba/shared/contracts/ticket'
import { findLastNumber } from '@garba/shared/rules/ticketNumber'
import { Ticket as TicketIcon } from 'lucide-react'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router'
import { EmptyState } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { useOnline } from '../../platform/net/connectivity.ts'
import { usePageTitle } from '../../platform/page.ts'
import { useWakeLock } from '../../platform/screen/wakeLock.ts'
import { useGuestData } from '../data/useGuestData.ts'
import { failureText } from '../failures.ts'
import { ALL_AT_ONCE, entryPassButtonId, GUEST_HOME } from '../paths.ts'
import { useWords } from '../words.ts'
import { openDialog, type PassTicket } from './EntryPassFrame.tsx'
import styles from './EntryPassView.module.css'
import { GroupPass } from './GroupPass.tsx'
import { PassStrip } from './PassStrip.tsx'

/** Often enough to notice a scan before the next ticket is held out. */
const POLL_MS = 5_000

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

interface EntryPassProps {
  tickets: readonly PassTicket[] | null
  failure?: unknown
  groups: readonly GroupCode[]
  first: string | undefined
  onClose: () => void
}

/** "Show at gate": one code, as large as possible. A native modal dialog makes everything behind it unreachable. */
export const EntryPass = ({ tickets, failure = null, groups, first, onClose }: EntryPassProps) => {
  const words = useWords()
  const awake = useWakeLock(true)
  const dialog = useRef<HTMLDialogElement>(null)
  usePageTitle(words.entryPass.title)
  useWhiteFrame()
  useLayoutEffect(() => {
    const element = dialog.current
    if (element) openDialog(element)
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
      tabIndex={-1}
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

const Nothing = ({ title, detail, onClose }: { title: string; detail: string | null; onClose: () => void }) => (
  <div className={styles.none}>
    <EmptyState
      title={title}
      level={2}
      icon={<TicketIcon />}
      action={<Button onClick={onClose}>{useWords().entryPass.backToTickets}</Button>}
    >
      {detail === null ? null : <p role="status">{detail}</p>}
    </EmptyState>
  </div>
)

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

/** How long a group's code may take to load (ms); later it would replace a code that somebody is holding out. */
const STORE_MS = 2_000

interface EntryPassPagesProps extends Omit<EntryPassProps, 'failure'> {
  tickets: readonly PassTicket[]
  awake: boolean
}

const EntryPassPages = ({ tickets, groups, first, awake, onClose }: EntryPassPagesProps) => {
  const { entryPass: words } = useWords()
  const shown = useShown(tickets)
  // The codes as first shown: a code must not change while somebody is holding it out.
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
      <PassStrip
        shown={shown}
        last={findLastNumber(tickets)}
        first={first}
        awake={awake}
        all={count === 0 ? null : { count, show: () => setTogether(groups) }}
        onClose={onClose}
      />
    )
  return <Nothing title={words.nothing} detail={words.nothingDetail} onClose={onClose} />
}

/**
 * Every ticket that has been active since the view opened. No page moves while somebody is holding it out: used tickets
 * stay, tickets bought meanwhile on another phone go last, and those sent to a friend come after the others.
 */
function useShown(tickets: readonly PassTicket[]): PassTicket[] {
  const [ids, setIds] = useState<readonly string[]>([])
  const known = new Set(ids)
  const news = tickets
    .filter(({ _id, status }) => status === 'active' && !known.has(_id))
    .toSorted((one, other) => Number(one.sent !== undefined) - Number(other.sent !== undefined))
    .map(({ _id }) => _id)
  if (news.length > 0) setIds([...ids, ...news])
  const byId = new Map(tickets.map((ticket) => [ticket._id, ticket]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
