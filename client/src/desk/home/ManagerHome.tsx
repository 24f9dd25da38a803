import type { User } from '@garba/shared/contracts/people/user'
import { ROLE_LABELS } from '@garba/shared/messages/common'
import { FAILURE_TOASTS } from '@garba/shared/messages/toasts'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { ChartColumn, DoorOpen, Users } from 'lucide-react'
import { RoleBadge } from '../../kit/Badge.tsx'
import { EmptyState } from '../../kit/Banner.tsx'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { Avatar, Email } from '../../kit/Person.tsx'
import type { AnswerOf } from '../../platform/http/call.ts'
import { usePageTitle } from '../../platform/page.ts'
import { queries } from '../../platform/queries.ts'
import { RefreshButton } from '../frame/DeskFrame.tsx'
import { useDates } from '../frame/dates.ts'
import { joinLoads, type Load, LoadedCard, LoadFailure, useFirstLoad } from '../frame/LoadedCard.tsx'
import { DESK } from '../texts/desk.ts'
import { FIGURES } from '../texts/figures.ts'
import styles from './AdminHome.module.css'
import { HomeFrame, StatCards, useFigureLoads } from './StatCards.tsx'
import { Tonight, useTonight } from './Tonight.tsx'

const words = FIGURES.home

export default function ManagerHome() {
  usePageTitle(DESK.titles.manager)
  const users = useQuery(queries.managerUsers())
  const figures = useFigureLoads()
  const isFirst = useFirstLoad([users, useQuery(queries.analytics()), useQuery(queries.event()), useTonight()])
  const load = { query: users, failed: FAILURE_TOASTS.loadUsers }
  return (
    <HomeFrame title={DESK.titles.manager} isFirst={isFirst}>
      <Tonight hasRetry={users.error !== null} />
      {users.error ? <LoadFailure {...joinLoads([load, ...figures])} /> : null}
      <StatCards averageLabel={words.stats.averageShort} hasRetry={users.error !== null} />
      <div className={styles.row}>
        <ButtonLink to="analytics" tone="primary" icon={<ChartColumn />}>
          {words.viewAnalytics}
        </ButtonLink>
        <ButtonLink to="gate" icon={<DoorOpen />}>
          {words.viewEvening}
        </ButtonLink>
      </div>
      <RegisteredUsers {...load} />
    </HomeFrame>
  )
}

const userListWords = FIGURES.home.managerUsers

const RegisteredUsers = (load: { query: UseQueryResult<AnswerOf<'users'>>; failed: Load['failed'] }) => {
  const { query } = load
  return (
    <LoadedCard
      query={query}
      words={userListWords}
      lines={6}
      actions={<RefreshButton query={load.query} />}
      footer={
        <ButtonLink to="users" tone="ghost" size="sm">
          {userListWords.all}
        </ButtonLink>
      }
    >
      {({ users }) =>
        users.length === 0 ? (
          <EmptyState title={userListWords.empty} icon={<Users />} />
        ) : (
          <ul className={styles.people}>
            {users.map((user) => (
              <Person key={user._id} user={user} />
            ))}
          </ul>
        )
      }
    </LoadedCard>
  )
}

const Person = ({ user }: { user: User }) => {
  const { dayOf } = useDates()
  const name = user.name || user.email
  return (
    <li className={styles.person}>
      <Avatar name={name} photo={user.profilePicture} />
      <div className={styles.who}>
        <p className={styles.personName}>{name}</p>
        <p className={styles.soft}>
          <Email address={user.email} />
        </p>
      </div>
      <div className={styles.personEnd}>
        <RoleBadge role={user.role} label={ROLE_LABELS[user.role]} />
        <time className={styles.soft} dateTime={user.createdAt}>
          {userListWords.joined(dayOf(user.createdAt))}
        </time>
      </div>
    </li>
  )
}
