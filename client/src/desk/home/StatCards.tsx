import type { Analytics } from '@garba/shared/contracts/desk'
import { formatCount } from '@garba/shared/messages/language'
import { FAILURE_TOASTS } from '@garba/shared/messages/toasts'
import { formatRupees } from '@garba/shared/rules/money'
import { useQuery } from '@tanstack/react-query'
import { IndianRupee, RotateCw, Scale, Ticket, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { StateChip } from '../../kit/Badge.tsx'
import { Button } from '../../kit/Button.tsx'
import { Avatar, Email } from '../../kit/Person.tsx'
import { SkeletonCards } from '../../kit/Skeleton.tsx'
import { StatGrid, StatTile } from '../../kit/StatTile.tsx'
import { useUser } from '../../platform/identity/session.ts'
import { queries } from '../../platform/queries.ts'
import { LastKnown, type Load } from '../frame/LoadedCard.tsx'
import { FIGURES } from '../texts/figures.ts'
import styles from './AdminHome.module.css'

const words = FIGURES.home.stats
const rupees = (amount: number) => formatRupees(amount, { decimals: 0 })

interface StatCardsProps {
  averageLabel: string
  hasRetry?: boolean
}

export const StatCards = ({ averageLabel, hasRetry = false }: StatCardsProps) => {
  const query = useQuery(queries.analytics())
  const figures = query.data?.data ?? NOTHING
  const loading = query.isPending
  const isUnknown = query.error !== null && query.data === undefined
  const { users, tickets, revenue, analytics } = figures
  return (
    <div className={styles.figures}>
      <StatGrid compact dimmed={isUnknown}>
        <StatTile loading={loading} icon={<Users />} label={words.users} value={formatCount(users.total)} />
        <StatTile
          loading={loading}
          icon={<Ticket />}
          label={words.sold}
          value={formatCount(tickets.total)}
          note={words.soldToday(tickets.soldToday)}
        />
        <StatTile
          loading={loading}
          icon={<IndianRupee />}
          label={words.revenue}
          value={rupees(revenue.total)}
          note={words.today(rupees(revenue.today))}
        />
        <StatTile
          loading={loading}
          icon={<Scale />}
          label={averageLabel}
          value={rupees(analytics.averageTicketValue)}
        />
      </StatGrid>
      {isUnknown || query.error ? (
        <div className={styles.stale}>
          {isUnknown ? <StateChip state="warn">{FIGURES.home.notUpToDate}</StateChip> : <LastKnown query={query} />}
          {hasRetry ? null : (
            <Button size="sm" icon={<RotateCw />} busy={query.isFetching} onClick={() => void query.refetch()}>
              {FIGURES.home.retry}
            </Button>
          )}
        </div>
      ) : null}
    </div>
  )
}

export function useFigureLoads(): Load[] {
  const figures = useQuery(queries.analytics())
  const evening = useQuery({ ...queries.evening(), enabled: false })
  return [figures, ...(evening.error ? [evening] : [])].map((query) => ({ query, failed: FAILURE_TOASTS.loadData }))
}

const NOTHING: Analytics = {
  revenue: { total: 0, today: 0 },
  tickets: { total: 0, soldToday: 0 },
  users: { total: 0 },
  analytics: { averageTicketValue: 0, conversionRate: 0 },
  event: null,
  salesChart: [],
  hourlySales: [],
}

interface HomeFrameProps {
  title: string
  isFirst: boolean
  children: ReactNode
}

export const HomeFrame = ({ title, isFirst, children }: HomeFrameProps) => (
  <div className={styles.home}>
    <WelcomeCard title={title} />
    {isFirst ? <SkeletonCards heights={[240, 160, 120]} label={FIGURES.home.loading} /> : children}
  </div>
)

const WelcomeCard = ({ title }: { title: string }) => {
  const user = useUser()
  if (!user) return null
  const name = user.displayName || user.name || user.email
  return (
    <header className={styles.welcome}>
      <Avatar name={name} photo={user.profilePicture} size={40} />
      <div className={styles.who}>
        <p className={styles.kicker}>{title}</p>
        <h1 className={styles.hello}>{FIGURES.home.welcome(name)}</h1>
        <p className={styles.email}>
          <Email address={user.email} />
        </p>
      </div>
    </header>
  )
}
