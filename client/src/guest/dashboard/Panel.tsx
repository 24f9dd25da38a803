import { NAME_MAX } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import { formatRupees } from '@garba/shared/rules/money'
import { useQueryClient } from '@tanstack/react-query'
import {
  CalendarDays,
  CalendarPlus,
  ChevronDown,
  Clock,
  IndianRupee,
  MapPin,
  RotateCw,
  Share2,
  Tickets,
} from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { toast } from 'sonner'
import { Badge } from '../../kit/Badge.tsx'
import { Button } from '../../kit/Button.tsx'
import { Card } from '../../kit/Card.tsx'
import { cx } from '../../kit/cx.ts'
import { GarboRings } from '../../kit/GarboRings.tsx'
import { Avatar, Email } from '../../kit/Person.tsx'
import { SkeletonLines } from '../../kit/Skeleton.tsx'
import { Spinner } from '../../kit/Spinner.tsx'
import { saveName } from '../../platform/identity/actions.ts'
import { usePerson } from '../../platform/identity/person.ts'
import { useUser } from '../../platform/identity/session.ts'
import { useOnline } from '../../platform/net/connectivity.ts'
import { queries } from '../../platform/queries.ts'
import { needsNetwork } from '../data/DataAge.tsx'
import type { LoadState } from '../data/useGuestData.ts'
import { addToCalendar, shareInvitation } from '../event/shareEvent.ts'
import { useFormat } from '../format.ts'
import { NameButton } from '../NameButton.tsx'
import type { Counts } from '../tickets/status.ts'
import { useWords } from '../words.ts'
import { DeleteAccount } from './DeleteAccount.tsx'
import styles from './Panel.module.css'
import welcomeStyles from './Welcome.module.css'

export const Panel = ({ children }: { children: ReactNode }) => <div className={styles.panel}>{children}</div>

interface FiguresProps {
  /** null while unknown. */
  counts: Counts | null
}

export const Figures = ({ counts }: FiguresProps) => {
  const { list } = useWords()
  const format = useFormat()
  return (
    <div className={styles.figures}>
      <dl className={styles.totals} aria-label={list.totals}>
        {(['total', 'active', 'used', 'cancelled'] as const).map((which) => (
          <div key={which} className={styles.total}>
            <dt>{list[which]}</dt>
            <dd>{counts === null ? '–' : format.count(counts[which])}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

interface TilesProps {
  /** How many tickets there are; null while unknown. */
  count: number | null
  online: boolean
  busy: boolean
  orders: boolean
  onShow: () => void
  onRefresh: () => void
}

const OrdersTile = lazy(async () => ({ default: (await import('../orders/HomeParts.tsx')).OrdersTile }))

export const Tiles = ({ count, online, busy, orders, onShow, onRefresh }: TilesProps) => {
  const { title, tiles } = useWords()
  return (
    <div className={styles.tiles}>
      <button type="button" className={styles.tile} onClick={onShow}>
        <Tickets aria-hidden="true" />
        <span className={styles.words}>
          <span className={styles.name}>{title}</span>
          <span className={styles.note}>{count === null ? '–' : tiles.count(count)}</span>
        </span>
        <ChevronDown aria-hidden="true" className={styles.go} />
      </button>
      <button
        type="button"
        className={styles.tile}
        {...needsNetwork(online)}
        aria-disabled={busy || undefined}
        onClick={busy ? undefined : onRefresh}
      >
        {busy ? <Spinner size={24} /> : <RotateCw aria-hidden="true" />}
        <span className={styles.words}>
          <span className={styles.name}>{busy ? tiles.refreshing : tiles.refresh}</span>
        </span>
      </button>
      {orders ? (
        <Suspense fallback={<span className={cx(styles.tile, styles.wide)} />}>
          <OrdersTile className={cx(styles.tile, styles.wide)} />
        </Suspense>
      ) : null}
    </div>
  )
}

/** Renders nothing while the event cannot be read, which "Get Your Tickets" says. */
export const EventCard = ({ event }: { event: LoadState<GarbaEvent | null> }) => {
  const words = useWords()
  if (event.type === 'failed') return null
  return (
    <Card title={words.event.title}>
      {event.type === 'loading' ? (
        <div className={styles.place}>
          <SkeletonLines lines={9} label={words.event.loading} />
        </div>
      ) : event.value === null ? (
        <div>
          <p>{words.failures.codes.EVENT_NOT_FOUND}</p>
          <p className={styles.soft}>{words.event.noneDetail}</p>
        </div>
      ) : (
        <Facts event={event.value} />
      )}
    </Card>
  )
}

const Facts = ({ event }: { event: GarbaEvent }) => {
  const { event: words, list } = useWords()
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
        <Line icon={<CalendarDays aria-hidden="true" />} label={words.date}>
          {format.day(event.date)}
        </Line>
        <Line icon={<Clock aria-hidden="true" />} label={words.time}>
          {format.hours(event)}
        </Line>
        <Line icon={<MapPin aria-hidden="true" />} label={words.venue}>
          {event.venue}
        </Line>
        <Line icon={<IndianRupee aria-hidden="true" />} label={list.price}>
          {formatRupees(event.ticketPrice)}
        </Line>
      </dl>
      <p className={styles.remaining} data-none={event.availableTickets === 0 || undefined}>
        {event.availableTickets === 0 ? list.soldOut : list.remaining(event.availableTickets)}
      </p>
      <div className={styles.buttons}>
        <Button size="sm" icon={<CalendarPlus aria-hidden="true" />} onClick={() => addToCalendar({ event, words })}>
          {words.addToCalendar}
        </Button>
        <Button size="sm" icon={<Share2 aria-hidden="true" />} onClick={() => void share()}>
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

export const UserCard = () => {
  const { user } = useWords()
  const format = useFormat()
  const { name, email, photo, since } = usePerson()
  return (
    <Card title={user.title}>
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
            <>
              <div>
                <dt>{user.since}</dt>
                <dd>{format.date(since)}</dd>
              </div>
              <div>
                <dt>{user.ticketName}</dt>
                <dd className={styles.changeable}>
                  <span>{name}</span>
                  <ChangeName name={name} />
                </dd>
              </div>
            </>
          )}
        </dl>
        {since === null ? null : <DeleteAccount />}
      </div>
    </Card>
  )
}

export const Welcome = ({ slim = false }: { slim?: boolean }) => {
  const words = useWords()
  const { name } = usePerson()
  return (
    <header className={slim ? welcomeStyles.slim : undefined}>
      {slim ? null : <GarboRings className={welcomeStyles.rings} faint />}
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
  return (
    <NameButton label={user.changeName} online={online}>
      {(dialog) => (
        <NameDialog
          words={{ title: user.ticketName, text: user.ticketNameText, field: user.yourName }}
          name={name}
          min={1}
          max={NAME_MAX}
          save={async (next) => {
            await saveName(next)
            await client.invalidateQueries({ queryKey: queries.myTickets(userId).queryKey })
          }}
          {...dialog}
        />
      )}
    </NameButton>
  )
}
