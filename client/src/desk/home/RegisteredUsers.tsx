import type { User } from '@garba/shared/contracts/user'
import { FIGURES } from '@garba/shared/messages/deskFigures'
import { ROLE_LABELS } from '@garba/shared/messages/roles'
import { FAILURE_TOASTS } from '@garba/shared/messages/toasts'
import { useQuery } from '@tanstack/react-query'
import { RotateCw, Users } from 'lucide-react'
import { Avatar } from '../../kit/Avatar.tsx'
import { RoleBadge } from '../../kit/Badge.tsx'
import { Button } from '../../kit/Button.tsx'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { Card } from '../../kit/Card.tsx'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { ErrorPanel } from '../../kit/ErrorPanel.tsx'
import { SkeletonLines } from '../../kit/Skeleton.tsx'
import { messageOf } from '../../platform/http/failure.ts'
import { queries } from '../../platform/store/queries.ts'
import { useDates } from '../frame/dates.ts'
import { refreshTold } from '../frame/refreshTold.ts'
import styles from './Home.module.css'

const words = FIGURES.home.managerUsers

/** The manager's list: up to 50, newest first (SPEC 2 and 6). */
export const RegisteredUsers = () => {
  const { data, error, isPending, isFetching, refetch } = useQuery(queries.managerUsers())
  const users = data?.users ?? []
  return (
    <Card
      title={words.title}
      actions={
        <Button
          size="sm"
          icon={<RotateCw aria-hidden="true" />}
          busy={isFetching && !isPending}
          onClick={() => refreshTold({ refetch, failed: FAILURE_TOASTS.loadUsers })}
        >
          {words.refresh}
        </Button>
      }
    >
      {error ? <ErrorPanel onRetry={refetch}>{FAILURE_TOASTS.loadUsers(messageOf(error))}</ErrorPanel> : null}
      {isPending ? <SkeletonLines lines={6} label={words.loading} /> : null}
      {data && users.length === 0 ? <EmptyState title={words.empty} icon={<Users aria-hidden="true" />} /> : null}
      {users.length > 0 ? (
        <ul className={styles.people}>
          {users.map((user) => (
            <Person key={user._id} user={user} />
          ))}
        </ul>
      ) : null}
      <ButtonLink to="users" tone="ghost" size="sm">
        {words.all}
      </ButtonLink>
    </Card>
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
