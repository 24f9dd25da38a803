import { REQUEST_RETRIES } from '@garba/shared/constants'
import { roleSchema } from '@garba/shared/contracts/common'
import type { Role } from '@garba/shared/contracts/names'
import { USER_SORTS, type User } from '@garba/shared/contracts/people/user'
import { ROLE_LABELS } from '@garba/shared/messages/common'
import { FAILURE_TOASTS, SUCCESS_TOASTS } from '@garba/shared/messages/toasts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Copy, Download, Eraser, ScrollText, Ticket, Trash2, UserCog } from 'lucide-react'
import { type MouseEvent, useState } from 'react'
import { Badge, RoleBadge } from '../../kit/Badge.tsx'
import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { copyText } from '../../kit/copyText.ts'
import { ConfirmDialog } from '../../kit/Dialog.tsx'
import { Checkbox } from '../../kit/Field.tsx'
import { MenuItem, MenuSeparator } from '../../kit/Menu.tsx'
import { Avatar, Email } from '../../kit/Person.tsx'
import { Select } from '../../kit/Select.tsx'
import { Td, Th, Tr } from '../../kit/Table.tsx'
import { type AnswerOf, callFile, callServer } from '../../platform/http/call.ts'
import { isFailure } from '../../platform/http/failure.ts'
import { useUser } from '../../platform/identity/session.ts'
import { KEYS, queries } from '../../platform/queries.ts'
import { useDates } from '../frame/dates.ts'
import { deleteLater, useWithoutDeleted } from '../frame/deletions.ts'
import { useDownload } from '../frame/ExportButton.tsx'
import { CopyItem, MenuTable, PlaceItem, RowMenu } from '../frame/RowMenu.tsx'
import { SaveDialog } from '../frame/SaveDialog.tsx'
import { SelectAll, SelectionBar, TableView, useSelection } from '../frame/TableView.tsx'
import { filterOptions, SortTh, useTableUrl } from '../frame/tableUrl.tsx'
import { useChange } from '../frame/useChange.ts'
import { DESK } from '../texts/desk.ts'
import styles from './UsersView.module.css'

const words = DESK.users
const ROLES = filterOptions(words.allRoles, roleSchema.options, ROLE_LABELS)

export default function UsersView() {
  const mayChange = useUser()?.role === 'admin'
  const url = useTableUrl({ filter: 'role', values: roleSchema.options, sorts: USER_SORTS })
  const withoutDeleted = useWithoutDeleted()
  const query = useQuery({
    ...queries.users({ page: url.page, search: url.search, role: url.filter, sort: url.sort }),
    select: ({ users, pagination }) => withoutDeleted(users, pagination, 'totalUsers'),
  })
  const { remove, exportData, erase } = useUserChanges()
  const [erasing, setErasing] = useState<User | null>(null)
  const selection = useSelection<User>()
  const [changing, setChanging] = useState<User | null>(null)

  const copyEmails = () =>
    copyText([...selection.rows.values()].map(({ email }) => email).join(', '), {
      copied: words.emailsCopied,
      failed: words.emailsNotCopied,
    })

  return (
    <TableView
      title={DESK.titles.users}
      words={words}
      url={url}
      query={query}
      failed={FAILURE_TOASTS.loadUsers}
      rowsIn={({ pagination }) => pagination.totalUsers}
      filter={{ label: words.role, options: ROLES }}
      notice={mayChange ? null : <Banner tone="info">{words.managerNotice}</Banner>}
      overlays={
        <>
          {selection.rows.size > 0 ? (
            <SelectionBar
              summary={words.selected(selection.rows.size)}
              clearLabel={words.clearSelection}
              onClear={selection.clear}
            >
              <Button size="sm" icon={<Copy />} onClick={copyEmails}>
                {words.copyEmails}
              </Button>
            </SelectionBar>
          ) : null}
          <ConfirmDialog
            open={erasing !== null}
            title={erasing === null ? '' : words.eraseTitle(erasing.name || erasing.email)}
            tone="danger"
            confirmLabel={words.erase}
            cancelLabel={words.keep}
            busy={erase.isPending}
            onConfirm={() => {
              if (erasing === null) return
              const onSuccess = () => selection.toggle([erasing], false)
              erase.mutate(erasing, { onSuccess, onSettled: () => setErasing(null) })
            }}
            onCancel={() => setErasing(null)}
          >
            {words.eraseText}
          </ConfirmDialog>
          {changing ? <RoleDialog user={changing} onClose={() => setChanging(null)} /> : null}
        </>
      }
    >
      {({ rows }) => (
        <UsersTable
          users={rows}
          mayChange={mayChange}
          busy={query.isFetching}
          selected={selection.rows}
          onSelect={selection.toggle}
          onChangeRole={setChanging}
          onExport={(user) => exportData.mutate(user)}
          onErase={setErasing}
          onDelete={(user, press) => {
            if (remove(user, press)) selection.toggle([user], false)
          }}
        />
      )}
    </TableView>
  )
}

const LISTS = [KEYS.users, KEYS.userCount, KEYS.analytics]

function useUserChanges() {
  const client = useQueryClient()
  const remove = ({ _id: id, name, email }: User, press: MouseEvent) =>
    deleteLater(
      {
        id,
        deleting: words.deleting(name || email),
        call: 'deleteUser',
        done: SUCCESS_TOASTS.userDeleted,
        failed: FAILURE_TOASTS.deleteUser,
        reread: () => Promise.all(LISTS.map((queryKey) => client.invalidateQueries({ queryKey }))),
      },
      press,
    )
  const exportData = useDownload({
    fetch: ({ _id: id }: User) => callFile('exportUser', { params: { id } }),
    name: 'person.json',
    done: words.exportedData,
    failed: words.exportDataFailed,
  })
  const erase = useChange({
    send: async ({ _id: id }: User) => {
      try {
        await callServer('eraseUser', { params: { id }, retries: REQUEST_RETRIES })
      } catch (error) {
        // The first attempt, whose answer was lost, has erased them.
        if (!isFailure(error) || error.code !== 'USER_NOT_FOUND' || !error.repeated) throw error
      }
    },
    done: words.erased,
    failed: words.eraseFailed,
    stale: [...LISTS, KEYS.tickets],
  })
  return { remove, exportData, erase }
}

const dialogWords = DESK.users.dialog
const OPTIONS = roleSchema.options.map((role) => ({ value: role, label: ROLE_LABELS[role] }))

const RoleDialog = ({ user: { _id: id, role: before, name, email }, onClose }: { user: User; onClose: () => void }) => {
  const client = useQueryClient()
  const [role, setRole] = useState<Role>(before)
  const save = useChange({
    send: async () => {
      const { user } = await callServer('setRole', { params: { id }, body: { role } })
      client.setQueriesData<AnswerOf<'users'>>(
        { queryKey: KEYS.users },
        (page) => page && { ...page, users: page.users.map((row) => (row._id === id ? user : row)) },
      )
    },
    done: SUCCESS_TOASTS.roleUpdated,
    failed: FAILURE_TOASTS.updateRole,
    stale: LISTS,
  })
  return (
    <SaveDialog
      words={dialogWords}
      description={dialogWords.of(name || email)}
      note={dialogWords.takesEffect}
      busy={save.isPending}
      missing={role === before ? DESK.missing.otherRole : null}
      onSave={() => save.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Select label={dialogWords.newRole} value={role} options={OPTIONS} onChange={setRole} />
    </SaveDialog>
  )
}

interface UserChanges {
  mayChange: boolean
  onChangeRole: (user: User) => void
  onDelete: (user: User, press: MouseEvent) => void
  onExport: (user: User) => void
  onErase: (user: User) => void
}

interface UsersTableProps extends UserChanges {
  users: readonly User[]
  busy: boolean
  selected: ReadonlyMap<string, User>
  onSelect: (users: readonly User[], on: boolean) => void
}

const UsersTable = ({ users, busy, selected, onSelect, ...changes }: UsersTableProps) => {
  const head = (
    <>
      <SortTh column="user" before={<SelectAll label={words.selectAll} rows={users} {...{ selected, onSelect }} />}>
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
      {changes.mayChange ? (
        <>
          <Th place="action">{words.columns.actions}</Th>
          <Th place="action">{words.columns.caution}</Th>
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
          selected={selected.has(user._id)}
          onSelect={(on) => onSelect([user], on)}
          {...changes}
        />
      ))}
    </MenuTable>
  )
}

interface UserRowProps extends UserChanges {
  user: User
  selected: boolean
  onSelect: (on: boolean) => void
}

const UserRow = ({ user, mayChange, selected, onSelect, ...act }: UserRowProps) => {
  const { dayOf, momentOf } = useDates()
  const own = useUser()?._id === user._id
  const name = user.name || user.email
  return (
    <Tr selected={selected}>
      <Td place="title" text title={name}>
        <span className={styles.person}>
          <Checkbox label={words.selectRow(name)} hideLabel checked={selected} onCheck={onSelect} />
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
              icon={<UserCog />}
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
              icon={<Trash2 />}
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
              <MenuItem icon={<Download />} onSelect={() => act.onExport(user)}>
                {words.menu.exportData}
              </MenuItem>
              <MenuItem icon={<Eraser />} tone="danger" disabled={own} onSelect={() => act.onErase(user)}>
                {words.menu.erase}
              </MenuItem>
            </>
          ) : null}
        </RowMenu>
      </Td>
    </Tr>
  )
}
