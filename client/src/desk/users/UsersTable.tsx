import type { User } from '@garba/shared/contracts/user'
import { ROLE_LABELS } from '@garba/shared/messages/common'
import { Download, Eraser, ScrollText, Ticket, Trash2, UserCog } from 'lucide-react'
import type { MouseEvent } from 'react'
import { Avatar } from '../../kit/Avatar.tsx'
import { Badge, RoleBadge } from '../../kit/Badge.tsx'
import { Button } from '../../kit/Button.tsx'
import { Email } from '../../kit/Email.tsx'
import { MenuItem, MenuSeparator } from '../../kit/Menu.tsx'
import { Td, Th, Tr } from '../../kit/Table.tsx'
import { useUser } from '../../platform/identity/session.ts'
import { useDates } from '../frame/dates.ts'
import { CopyItem, MenuTable, PlaceItem, RowMenu } from '../frame/RowMenu.tsx'
import { SortTh } from '../frame/sorting.tsx'
import { SelectBox } from '../frame/TableView.tsx'
import { DESK } from '../texts/desk.ts'
import styles from './Users.module.css'

const words = DESK.users

interface UsersTableProps {
  users: readonly User[]
  /** Admins have the columns Actions and Caution (SPEC 2). */
  mayChange: boolean
  busy: boolean
  selected: ReadonlyMap<string, User>
  onSelect: (users: readonly User[], on: boolean) => void
  onChangeRole: (user: User) => void
  onDelete: (user: User, press: MouseEvent) => void
  onExport: (user: User) => void
  onErase: (user: User) => void
}

export const UsersTable = ({ users, mayChange, busy, selected, onSelect, ...changes }: UsersTableProps) => {
  const head = (
    <>
      <SortTh
        column="user"
        before={
          <SelectBox
            label={words.selectAll}
            checked={users.length > 0 && users.every(({ _id }) => selected.has(_id))}
            onSelect={(on) => onSelect(users, on)}
          />
        }
      >
        {words.columns.user}
      </SortTh>
      <SortTh column="email">{words.columns.email}</SortTh>
      <SortTh column="role">{words.columns.role}</SortTh>
      <SortTh column="joined" numeric newest>
        {words.columns.joined}
      </SortTh>
      <SortTh column="lastLogin" numeric>
        {words.columns.lastLogin}
      </SortTh>
      {mayChange ? (
        <>
          <Th>{words.columns.actions}</Th>
          <Th>{words.columns.caution}</Th>
        </>
      ) : null}
    </>
  )
  return (
    <MenuTable list caption={words.caption} head={head} busy={busy}>
      {users.map((user) => (
        <UserRow
          key={user._id}
          user={user}
          mayChange={mayChange}
          selected={selected.has(user._id)}
          onSelect={(on) => onSelect([user], on)}
          {...changes}
        />
      ))}
    </MenuTable>
  )
}

interface UserRowProps {
  user: User
  mayChange: boolean
  selected: boolean
  onSelect: (on: boolean) => void
  onChangeRole: (user: User) => void
  onDelete: (user: User, press: MouseEvent) => void
  onExport: (user: User) => void
  onErase: (user: User) => void
}

const UserRow = ({ user, mayChange, selected, onSelect, ...act }: UserRowProps) => {
  const { dayOf, momentOf } = useDates()
  const own = useUser()?._id === user._id
  const name = user.name || user.email
  return (
    <Tr selected={selected}>
      <Td place="title" text title={name}>
        <span className={styles.person}>
          <SelectBox label={words.selectRow(name)} checked={selected} onSelect={onSelect} />
          <Avatar name={name} photo={user.profilePicture} size={32} />
          <span className={styles.name}>{name}</span>
          {own ? <Badge>{words.you}</Badge> : null}
        </span>
      </Td>
      <Td label={words.columns.email} place="detail" text title={user.email}>
        <Email address={user.email} />
      </Td>
      <Td label={words.columns.role} place="state">
        <RoleBadge role={user.role} label={ROLE_LABELS[user.role]} />
      </Td>
      <Td label={words.columns.joined} numeric className={styles.when}>
        {dayOf(user.createdAt)}
      </Td>
      <Td label={words.columns.lastLogin} numeric className={styles.when}>
        {user.lastLogin === null ? words.never : momentOf(user.lastLogin)}
      </Td>
      {mayChange ? (
        <>
          <Td label={words.columns.actions} place="action" className={styles.action}>
            <Button
              size="sm"
              icon={<UserCog aria-hidden="true" />}
              className={styles.change}
              disabled={own}
              title={own ? words.ownRow : undefined}
              aria-label={`${words.changeRole}: ${name}`}
              onClick={() => act.onChangeRole(user)}
            >
              {words.changeRole}
            </Button>
          </Td>
          <Td label={words.columns.caution} place="action" className={styles.action}>
            <Button
              size="sm"
              icon={<Trash2 aria-hidden="true" />}
              className={styles.delete}
              disabled={own}
              title={own ? words.ownRow : undefined}
              aria-label={`${words.deleteUser}: ${name}`}
              onClick={(press) => act.onDelete(user, press)}
            >
              {words.deleteUser}
            </Button>
          </Td>
        </>
      ) : null}
      <Td corner>
        <RowMenu label={words.moreOf(name)}>
          <CopyItem text={user.email} toast={DESK.emailCopied}>
            {words.menu.copyEmail}
          </CopyItem>
          {mayChange ? (
            <>
              <PlaceItem to={`../tickets?${new URLSearchParams({ search: user.email })}`} Icon={Ticket}>
                {words.menu.tickets}
              </PlaceItem>
              <PlaceItem to={`../audit?${new URLSearchParams({ search: user._id })}`} Icon={ScrollText}>
                {words.menu.audit}
              </PlaceItem>
              <MenuSeparator />
              <MenuItem icon={<Download aria-hidden="true" />} onSelect={() => act.onExport(user)}>
                {words.menu.exportData}
              </MenuItem>
              <MenuItem
                icon={<Eraser aria-hidden="true" />}
                tone="danger"
                disabled={own}
                onSelect={() => act.onErase(user)}
              >
                {words.menu.erase}
              </MenuItem>
            </>
          ) : null}
        </RowMenu>
      </Td>
    </Tr>
  )
}
