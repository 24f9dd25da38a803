import { MINUTE_MS, REQUEST_RETRIES } from '@garba/shared/constants'
import type { Wallet } from '@garba/shared/contracts/link'
import { WALLET_PAGE } from '@garba/shared/contracts/site/pages'
import { shortenTicketId } from '@garba/shared/messages/common'
import { sortByNumber } from '@garba/shared/rules/ticketNumber'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CalendarPlus, Maximize, QrCode, Ticket as TicketIcon, Trash2, UserPlus, WifiOff } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { toast } from 'sonner'
import { Banner, EmptyState } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { cx } from '../../kit/cx.ts'
import { ConfirmDialog } from '../../kit/Dialog.tsx'
import { Spinner } from '../../kit/Spinner.tsx'
import { findEmbeddedBrowser } from '../../platform/embedded.ts'
import { callServer } from '../../platform/http/call.ts'
import { signIn, warmUpSignIn } from '../../platform/identity/actions.ts'
import { useUser } from '../../platform/identity/session.ts'
import { useOnline } from '../../platform/net/connectivity.ts'
import { usePageTitle } from '../../platform/page.ts'
import { useInstall } from '../../platform/pwa/install.ts'
import { askPersistence } from '../../platform/pwa/storage.ts'
import { KEYS } from '../../platform/queries.ts'
import { useNow } from '../../platform/screen/now.ts'
import { linkDevice } from '../../platform/store/links.ts'
import { InstallOffer } from '../dashboard/GetTickets.tsx'
import type { PassTicket } from '../entryPass/EntryPassFrame.tsx'
import { EntryPass } from '../entryPass/EntryPassView.tsx'
import { addToCalendar } from '../event/shareEvent.ts'
import { failureText } from '../failures.ts'
import { findEventDayKind, useFormat } from '../format.ts'
import { useBackToClose } from '../GuestDialog.tsx'
import { entryPassButtonId, GUEST_HOME } from '../paths.ts'
import { TypeName, When } from '../tickets/TicketParts.tsx'
import sheet from '../tickets/TicketSheet.module.css'
import { useWords } from '../words.ts'
import { ANSWERS, type OpenLink, useLinks } from './useLinks.ts'
import styles from './WalletPage.module.css'
import { useWalletWords } from './words.ts'

type LinkWithTickets = OpenLink & { wallet: Wallet }
const hasTickets = (link: OpenLink): link is LinkWithTickets => link.wallet !== null && link.wallet.tickets.length > 0

export default function WalletPage() {
  const words = useWalletWords()
  const { links, remove } = useLinks()
  const online = useOnline()
  const isOnIos = useInstall(({ way }) => way === 'ios')
  const now = useNow(MINUTE_MS)
  const [shown, setShown] = useState<{ eventId: string; ticketId: string | undefined } | null>(null)
  usePageTitle(words.title)
  // Once a link has worked, its tickets should survive a full disk.
  const anyOpen = links?.some(({ state }) => state === 'open') ?? false
  useEffect(() => {
    if (anyOpen) void askPersistence()
  }, [anyOpen])

  if (links === null) return <Opening />
  const events = groupLinksByEvent(links)
  const open = shown === null ? undefined : events.find(({ event }) => event._id === shown.eventId)
  return (
    <div className={styles.page}>
      <header>
        <h1 className={styles.title}>{words.title}</h1>
        {findEmbeddedBrowser() !== null ? (
          <p className={styles.soft}>{words.embedded}</p>
        ) : events.length === 0 ? null : (
          <p className={styles.soft}>{isOnIos ? words.explainedIos : words.explained}</p>
        )}
      </header>
      {links.map((link) => (
        <Trouble key={link.token} link={link} now={now} online={online} onRemove={() => remove(link.token)} />
      ))}
      {links.length === 0 ? (
        <EmptyState
          level={2}
          title={words.none}
          icon={<TicketIcon />}
          action={<ButtonLink to="/">{words.home}</ButtonLink>}
        >
          <p>{words.noneDetail}</p>
        </EmptyState>
      ) : null}
      {events.map(({ event, tickets, own }) => (
        <EventTickets
          key={event._id}
          event={event}
          tickets={tickets}
          own={own}
          online={online}
          now={now}
          onShow={(ticketId) => setShown({ eventId: event._id, ticketId })}
          onRemove={() => {
            for (const { token } of own) remove(token)
          }}
        />
      ))}
      {/* An app on an iPhone's home screen starts without what the browser has stored. */}
      {events.length === 0 || isOnIos ? null : <InstallOffer />}
      {open && shown ? (
        <AtGate
          tickets={open.tickets.map((ticket) => toPassTicket(ticket, open.event))}
          first={shown.ticketId}
          onClose={() => setShown(null)}
        />
      ) : null}
    </div>
  )
}

const Opening = () => {
  const { opening } = useWalletWords()
  return (
    <p className={styles.opening} role="status">
      <Spinner size={28} />
      {opening}
    </p>
  )
}

type WalletEvent = Wallet['event']
type WalletTicket = Wallet['tickets'][number]
interface OfEvent {
  event: WalletEvent
  tickets: WalletTicket[]
  own: LinkWithTickets[]
}

function groupLinksByEvent(links: readonly OpenLink[]): OfEvent[] {
  const opened = links.filter(hasTickets)
  return [...new Set(opened.map(({ wallet }) => wallet.event._id))].flatMap((eventId) => {
    const own = opened.filter(({ wallet }) => wallet.event._id === eventId)
    const latest = own.toSorted((one, other) => other.savedAt - one.savedAt)
    const [first] = latest
    if (!first) return []
    const tickets = new Map<string, WalletTicket>()
    for (const { wallet } of latest)
      for (const one of wallet.tickets) if (!tickets.has(one._id)) tickets.set(one._id, one)
    return [{ event: first.wallet.event, tickets: sortByNumber([...tickets.values()]), own }]
  })
}

interface TroubleProps {
  link: OpenLink
  now: number
  online: boolean
  onRemove: () => void
}

const Trouble = ({ link, now, online, onRemove }: TroubleProps) => {
  const words = useWalletWords()
  const { failures, list } = useWords()
  const removeButton = (
    <Button size="sm" icon={<Trash2 />} onClick={onRemove}>
      {words.remove}
    </Button>
  )
  if (link.state === 'unknown' || link.state === 'taken')
    return (
      <Banner tone="bad" live="alert">
        <p>{failures.codes[link.state === 'taken' ? 'LINK_TAKEN' : 'LINK_UNKNOWN']}</p>
      </Banner>
    )
  if (link.state === 'ended' || link.wallet?.tickets.length === 0) {
    // Only the server ends a link: a device's clock may be wrong, and its tickets are needed at the gate.
    const isOver = link.wallet !== null && now >= Date.parse(link.wallet.until)
    const event = link.over ?? (isOver ? link.wallet?.event.name : undefined)
    return (
      <Banner tone="warn" live="alert" actions={removeButton}>
        <p>{event === undefined ? failures.codes.LINK_ENDED : words.over(event)}</p>
      </Banner>
    )
  }
  if (link.wallet !== null) return link.notKept ? <Banner tone="warn">{words.notKept}</Banner> : null
  if (link.state === 'asking' && online) return <Opening />
  if (online)
    return (
      <Banner tone="warn" live="status" title={list.errorTitle}>
        <p>{list.retries}</p>
      </Banner>
    )
  return (
    <Banner tone="warn" live="status" icon={<WifiOff />}>
      <p>{words.offlineFirst}</p>
    </Banner>
  )
}

interface EventTicketsProps extends OfEvent {
  online: boolean
  now: number
  onShow: (ticketId?: string) => void
  onRemove: () => void
}

const EventTickets = ({ event, tickets, own, online, now, onShow, onRemove }: EventTicketsProps) => {
  const words = useWalletWords()
  const { event: eventWords, age } = useWords()
  const format = useFormat()
  const headingId = useId()
  const [removing, setRemoving] = useState(false)
  const active = tickets.filter(({ status }) => status === 'active')
  const savedAt = Math.min(...own.map((link) => link.savedAt))
  const today = active.length === 0 ? null : findEventDayKind(event, format.timeZone, now)
  const says = own.some(({ notKept }) => notKept) ? age.updated : words.savedHere
  return (
    <section className={styles.event} aria-labelledby={headingId}>
      {active.length === 0 ? null : (
        <Button
          id={entryPassButtonId()}
          tone={today === null ? 'secondary' : 'primary'}
          size="lg"
          block
          icon={<Maximize />}
          onClick={() => onShow()}
        >
          {words.show}
        </Button>
      )}
      <p className={styles.envelope}>
        {words.envelope(own.find(({ wallet }) => wallet.from)?.wallet.from ?? null, format.weekday(event.date))}
      </p>
      <div className={cx(sheet.sheet, styles.letter)} data-surface="paper" data-today={today ?? undefined}>
        <div className={sheet.head}>
          <h2 id={headingId} className={sheet.event}>
            {event.name}
          </h2>
          <When event={{ type: 'known', value: event, savedAt }} eventDay={today} />
        </div>
        <ul className={sheet.rows}>
          {tickets.map((ticket) => (
            <TicketRow key={ticket._id} ticket={ticket} onShow={() => onShow(ticket._id)} />
          ))}
        </ul>
      </div>
      {own.flatMap(({ token, wallet }) =>
        wallet.offer ? <Offer key={token} token={token} count={wallet.tickets.length} online={online} /> : [],
      )}
      <p className={styles.soft} aria-live="polite">
        {online ? null : says(format.ago(savedAt, now))}
      </p>
      <div className="wrap-2">
        <Button
          size="sm"
          icon={<CalendarPlus />}
          onClick={() => addToCalendar({ event, path: WALLET_PAGE, words: eventWords })}
        >
          {eventWords.addToCalendar}
        </Button>
        <Button
          size="sm"
          tone="ghost"
          icon={<Trash2 />}
          onClick={active.length === 0 ? onRemove : () => setRemoving(true)}
        >
          {words.remove}
          <span className="spoken">: {event.name}</span>
        </Button>
        <ConfirmDialog
          open={removing}
          title={words.removal.title}
          confirmLabel={words.remove}
          cancelLabel={words.removal.keep}
          tone="danger"
          onConfirm={onRemove}
          onCancel={() => setRemoving(false)}
        >
          <p>{words.removal.text}</p>
        </ConfirmDialog>
      </div>
    </section>
  )
}

interface OfferProps {
  token: string
  count: number
  online: boolean
}

/** A seller's offer: the first person to sign in keeps the tickets in their account, and can cancel and rename them. */
const Offer = ({ token, count, online }: OfferProps) => {
  const words = useWalletWords().offer
  const guest = useWords()
  const client = useQueryClient()
  const navigate = useNavigate()
  const isIn = useUser() !== null
  const claim = useMutation({
    mutationFn: async () =>
      isIn || (await signIn()).type === 'signedIn'
        ? // The same person gets the same answer again.
          callServer('claimWallet', { body: { token, deviceId: linkDevice() }, retries: REQUEST_RETRIES })
        : null,
    onSuccess: (claimed) => {
      if (claimed === null) return
      toast.success(words.done)
      void client.invalidateQueries({ queryKey: KEYS.myTickets })
      void navigate(GUEST_HOME)
    },
    onError: (error) => toast.error(words.failed(failureText(error, guest))),
    onSettled: () => void client.invalidateQueries({ queryKey: ANSWERS }),
  })
  return (
    <div className={styles.offer}>
      <p className={styles.soft}>{words.text(count)}</p>
      <Button
        icon={<UserPlus />}
        busy={claim.isPending}
        disabled={!online}
        onPointerEnter={warmUpSignIn}
        onFocus={warmUpSignIn}
        onClick={() => claim.mutate()}
      >
        {isIn ? words.keep : words.signIn}
      </Button>
    </div>
  )
}

const TicketRow = ({ ticket, onShow }: { ticket: WalletTicket; onShow: () => void }) => {
  const words = useWalletWords()
  const { _id, name, status, qrCode } = ticket
  const facts = (
    <span className={sheet.words}>
      <span className={sheet.name}>{name}</span>
      <span className={sheet.facts}>
        <TypeName ticket={ticket} />
        <span className={sheet.id}>{shortenTicketId(_id)}</span>
        <span className={sheet.status}>{words.status[status]}</span>
      </span>
    </span>
  )
  return (
    <li>
      <div className={sheet.ticket} data-status={status}>
        {qrCode === null ? (
          <div className={styles.row}>{facts}</div>
        ) : (
          <button type="button" id={entryPassButtonId(_id)} className={styles.row} onClick={onShow}>
            {facts}
            <span className="spoken">{words.showCode}</span>
            <QrCode />
          </button>
        )}
      </div>
    </li>
  )
}

const toPassTicket = ({ _id, qrCode, status, name, number, type }: WalletTicket, event: WalletEvent): PassTicket => ({
  ...{ _id, ticketId: _id, number, qrCode, status, type, eventName: event.name },
  ...{ user: { _id: null, name, email: '' }, holderName: null, isPast: false, isRefundDone: null },
})

interface AtGateProps {
  tickets: readonly PassTicket[]
  first: string | undefined
  onClose: () => void
}

const AtGate = ({ tickets, first, onClose }: AtGateProps) => {
  useBackToClose({ open: true, busy: false, close: onClose })
  return <EntryPass tickets={tickets} groups={[]} first={first} onClose={onClose} />
}
