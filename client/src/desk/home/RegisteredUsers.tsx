import type { User } from '@garba/shared/contracts/user'
import { ROLE_LABELS } from '@garba/shared/messages/common'
import { FIGURES } from '@garba/shared/messages/deskFigures'
import { FAILURE_TOASTS } from '@garba/shared/messages/toasts'
import { useQuery } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import { Avatar } from '../../kit/Avatar.tsx'
import { RoleBadge } from '../../kit/Badge.tsx'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { queries } from '../../platform/store/queries.ts'
import { useDates } from '../frame/dates.ts'
import { LoadedCard } from '../frame/LoadedCard.tsx'
import styles from './Home.module.css'

const words = FIGURES.home.managerUsers

/** The manager's list: up to 50, newest first (SPEC 2 and 6). */
export const RegisteredUsers = () => {
  const query = useQuery(queries.managerUsers())
  return (
    <LoadedCard
      title={words.title}
      query={query}
      failed={FAILURE_TOASTS.loadUsers}
      words={words}
      lines={6}
      footer={
        <ButtonLink to="users" tone="ghost" size="sm">
          {words.all}
        </ButtonLink>
      }
    >
      {({ users }) =>
        users.length === 0 ? (
          <EmptyState title={words.empty} icon={<Users aria-hidden="true" />} />
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
        <p className={styles.soft}>{user.email}</p>
      </div>
      <div className={styles.personEnd}>
        <RoleBadge role={user.role} label={ROLE_LABELS[user.role]} />
        <p className={styles.soft}>{words.joined(dayOf(user.createdAt))}</p>
      </div>
    </li>
  )
}
