import { NAME_MAX } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import { formatRupees } from '@garba/shared/rules/money'
import { useQueryClient } from '@tanstack/react-query'
import {
  CalendarDays,
  CalendarPlus,
  ChevronDown,
  ChevronUp,
  Clock,
  IndianRupee,
  Map as MapIcon,
  MapPin,
  RotateCw,
  Share2,
  Tickets,
  User,
  UserPen,
} from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { toast } from 'sonner'
import { Badge } from '../../kit/Badge.tsx'
import { AnchorButton, Button } from '../../kit/Button.tsx'
import { Avatar, Email } from '../../kit/Person.tsx'
import { SkeletonLines } from '../../kit/Skeleton.tsx'
import { Spinner } from '../../kit/Spinner.tsx'
import { saveName } from '../../platform/identity/actions.ts'
import { usePerson } from '../../platform/identity/person.ts'
import { useUser } from '../../platform/identity/session.ts'
import { mapsLink } from '../../platform/mapsLink.ts'
import { useOnline } from '../../platform/net/connectivity.ts'
import { queries } from '../../platform/queries.ts'
import { needsNetwork } from '../data/DataAge.tsx'
import type { LoadState } from '../data/useGuestData.ts'
import { addToCalendar, shareInvitation } from '../event/shareEvent.ts'
import { useFormat } from '../format.ts'
import type { Counts } from '../tickets/status.ts'
import { useWords } from '../words.ts'
import { DeleteAccount } from './DeleteAccount.tsx'
import styles from './Panel.module.css'
import welcomeStyles from './Welcome.module.css'

export const Panel = ({ children }: { children: ReactNode }) => <div className={styles.panel}>{children}</div>

interface PanelLineProps {
  icon: ReactNode
  title: string
  note?: ReactNode
  isOpen?: boolean | undefined
  children: ReactNode
}

export const PanelLine = ({ icon, title, note, isOpen = false, children }: PanelLineProps) => (
  <details className={styles.fold} open={isOpen}>
    <summary>
      {icon}
      <h2>{title}</h2>
      {note === undefined ? null : <span className={styles.note}>{note}</span>}
      <ChevronDown className={styles.go} />
    </summary>
    <div className={styles.inside}>{children}</div>
  </details>
)

interface FiguresProps {
  counts: Counts | null
}

export const Figures = ({ counts }: FiguresProps) => {
  const { list } = useWords()
  const format = useFormat()
  return (
    <dl className={styles.totals} aria-label={list.totals}>
      {(['total', 'active', 'used', 'cancelled'] as const).map((which) => (
        <div key={which}>
          <dt>{list[which]}</dt>
          <dd>{counts === null ? '–' : format.count(counts[which])}</dd>
        </div>
      ))}
    </dl>
  )
}

interface TilesProps {
  count: number | null
  online: boolean
  busy: boolean
  onShow: () => void
  onRefresh: () => void
}

const OrdersLink = lazy(async () => ({ default: (await import('../orders/HomeParts.tsx')).OrdersLink }))

export const OrdersLine = () => (
  <Suspense fallback={<span className={styles.row} />}>
    <OrdersLink className={styles.row} />
  </Suspense>
)

const Tiles = ({ count, online, busy, onShow, onRefresh }: TilesProps) => {
  const { title, tiles } = useWords()
  return (
    <div className={styles.tiles}>
      <button type="button" className={styles.tile} onClick={onShow}>
        <Tickets />
        <span className={styles.words}>
          <span className={styles.name}>{title}</span>
          <span className={styles.note}>{count === null ? '–' : tiles.count(count)}</span>
        </span>
        <ChevronUp className={styles.go} />
      </button>
      <button
        type="button"
        className={styles.tile}
        {...needsNetwork(online)}
        aria-disabled={busy || undefined}
        onClick={busy ? undefined : onRefresh}
      >
        {busy ? <Spinner size={24} /> : <RotateCw />}
        <span className={styles.words}>
          <span className={styles.name}>{busy ? tiles.refreshing : tiles.refresh}</span>
        </span>
      </button>
    </div>
  )
}

interface EventLineProps {
  event: LoadState<GarbaEvent | null>
}

/** Renders nothing while there is no event, which "Get Your Tickets" says. */
export const EventLine = ({ event }: EventLineProps) => {
  const words = useWords()
  if (event.type === 'failed' || (event.type === 'known' && event.value === null)) return null
  return (
    <PanelLine icon={<MapIcon />} title={words.lines.event}>
      {event.type === 'known' && event.value !== null ? (
        <Facts event={event.value} />
      ) : (
        <SkeletonLines lines={9} label={words.event.loading} />
      )}
    </PanelLine>
  )
}

const Facts = ({ event }: { event: GarbaEvent }) => {
  const { event: words, list, ticket } = useWords()
  const format = useFormat()
  const share = async () => {
    const text = words.invitation(event.name, format.day(event.date), format.hours(event), event.venue)
    try {
      const how = await shareInvitation({ title: event.name, text, url: location.origin })
      if (how === 'copied') toast.success(words.linkCopied)
    } catch (error) {
      console.warn('Not shared', error)
      toast.error(words.notShared)
    }
  }
  return (
    <>
      <p className={styles.eventCardName}>{event.name}</p>
      <dl className="stack-2">
        <Line icon={<CalendarDays />} label={words.date}>
          {format.day(event.date)}
        </Line>
        <Line icon={<Clock />} label={words.time}>
          {format.hours(event)}
        </Line>
        <Line icon={<MapPin />} label={words.venue}>
          {event.venue}
        </Line>
        <Line icon={<IndianRupee />} label={list.price}>
          {formatRupees(event.ticketPrice)}
        </Line>
      </dl>
      <div className={styles.buttons}>
        <AnchorButton
          size="sm"
          icon={<MapPin />}
          href={mapsLink(event.venue, navigator.userAgent)}
          target="_blank"
          rel="noopener noreferrer"
        >
          {ticket.openMap}
        </AnchorButton>
        <Button size="sm" icon={<CalendarPlus />} onClick={() => addToCalendar({ event, words })}>
          {words.addToCalendar}
        </Button>
        <Button size="sm" icon={<Share2 />} onClick={() => void share()}>
          {words.share}
        </Button>
      </div>
    </>
  )
}

const Line = ({ icon, label, children }: { icon: ReactNode; label: string; children: ReactNode }) => (
  <div className={styles.line}>
    {icon}
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

export const UserLine = (tiles: TilesProps) => {
  const { user } = useWords()
  const format = useFormat()
  const { name, email, photo, since } = usePerson()
  return (
    <PanelLine icon={<User />} title={user.title}>
      <div className={styles.user}>
        <div className={styles.person}>
          <Avatar name={name} photo={photo} size={56} />
          <div className={styles.userCardWords}>
            <p className={styles.userCardName}>{name}</p>
            <Badge>{user.guest}</Badge>
          </div>
        </div>
        <dl className={styles.facts}>
          <div>
            <dt>{user.email}</dt>
            <dd>
              <Email address={email} />
            </dd>
          </div>
          {since === null ? null : (
            <div>
              <dt>{user.since}</dt>
              <dd>{format.date(since)}</dd>
            </div>
          )}
        </dl>
        <Tiles {...tiles} />
        {since === null ? null : (
          <div className={styles.changes}>
            <ChangeName name={name} />
            <DeleteAccount />
          </div>
        )}
      </div>
    </PanelLine>
  )
}

export const Welcome = () => {
  const words = useWords()
  const { name } = usePerson()
  return (
    <header className={welcomeStyles.slim}>
      <h1 className={welcomeStyles.title}>{words.welcome(name)}</h1>
      <p className={welcomeStyles.role}>{words.loggedInAs}</p>
    </header>
  )
}

const NameDialog = lazy(async () => ({ default: (await import('../NameDialog.tsx')).NameDialog }))

/** The person's name, which is also on their active tickets, except on those with a name of their own. */
const ChangeName = ({ name }: { name: string }) => {
  const { user } = useWords()
  const client = useQueryClient()
  const userId = useUser()?._id ?? ''
  const online = useOnline()
  // Each opening starts fresh.
  const [naming, setNaming] = useState({ open: false, nth: 0 })
  return (
    <>
      <Button
        size="sm"
        tone="ghost"
        icon={<UserPen />}
        {...needsNetwork(online)}
        onClick={() => setNaming(({ nth }) => ({ open: true, nth: nth + 1 }))}
      >
        {user.changeName}
      </Button>
      <Suspense fallback={null}>
        {naming.nth === 0 ? null : (
          <NameDialog
            key={naming.nth}
            open={naming.open}
            words={{ title: user.ticketName, text: user.ticketNameText, field: user.yourName }}
            name={name}
            min={1}
            max={NAME_MAX}
            save={async (next) => {
              await saveName(next)
              await client.invalidateQueries({ queryKey: queries.myTickets(userId).queryKey })
            }}
            onClose={() => setNaming({ ...naming, open: false })}
          />
        )}
      </Suspense>
    </>
  )
}
