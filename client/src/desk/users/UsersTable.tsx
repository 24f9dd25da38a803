import type { User } from '@garba/shared/contracts/user'
import { DESK } from '@garba/shared/messages/desk'
import { Table, Th } from '../../kit/Table.tsx'
import { SelectBox } from '../frame/SelectBox.tsx'
import { UserRow } from './UserRow.tsx'
import styles from './Users.module.css'

const words = DESK.users

interface UsersTableProps {
  users: readonly User[]
  /** Admins have the columns Actions and Caution (SPEC 2). */
  mayChange: boolean
  busy: boolean
  /** The account that is being deleted. */
  leaving: string | undefined
  selected: ReadonlyMap<string, User>
  onSelect: (users: readonly User[], on: boolean) => void
  onChangeRole: (user: User) => void
  onDelete: (user: User) => void
}

export const UsersTable = ({ users, mayChange, busy, leaving, selected, onSelect, ...changes }: UsersTableProps) => {
  const head = (
    <>
      <Th>
        <span className={styles.person}>
          <SelectBox
            label={words.selectAll}
            checked={users.length > 0 && users.every(({ _id }) => selected.has(_id))}
            onSelect={(on) => onSelect(users, on)}
          />
          {words.columns.user}
        </span>
      </Th>
      <Th>{words.columns.email}</Th>
      <Th>{words.columns.role}</Th>
      <Th numeric>{words.columns.joined}</Th>
      <Th numeric>{words.columns.lastLogin}</Th>
      {mayChange ? (
        <>
          <Th>{words.columns.actions}</Th>
          <Th>{words.columns.caution}</Th>
        </>
      ) : null}
    </>
  )
  return (
    <Table caption={words.caption} head={head} busy={busy}>
      {users.map((user) => (
        <UserRow
          key={user._id}
          user={user}
          mayChange={mayChange}
          selected={selected.has(user._id)}
          leaving={leaving === user._id}
          onSelect={(on) => onSelect([user], on)}
          {...changes}
        />
      ))}
    </Table>
  )
}
