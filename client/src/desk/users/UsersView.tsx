import { roleSchema } from '@garba/shared/contracts/common'
import type { Role } from '@garba/shared/contracts/names'
import { USER_SORTS, type User } from '@garba/shared/contracts/user'
import { ROLE_LABELS } from '@garba/shared/messages/common'
import { FAILURE_TOASTS, SUCCESS_TOASTS } from '@garba/shared/messages/toasts'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { type MouseEvent, useState } from 'react'
import { toast } from 'sonner'
import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx'
import { Select } from '../../kit/Select.tsx'
import { type AnswerOf, call, callFile } from '../../platform/http/call.ts'
import { messageOf } from '../../platform/http/failure.ts'
import { useUser } from '../../platform/identity/session.ts'
import { KEYS, queries } from '../../platform/queries.ts'
import { deleteLater, useWithoutDeleted } from '../frame/deletions.ts'
import { useDownload } from '../frame/ExportButton.tsx'
import { copy } from '../frame/RowMenu.tsx'
import { SaveDialog } from '../frame/SaveDialog.tsx'
import { useSorting } from '../frame/sorting.tsx'
import { SelectionBar, TableView, useSelection } from '../frame/TableView.tsx'
import { useTableUrl } from '../frame/tableUrl.ts'
import { DESK } from '../texts/desk.ts'
import { UsersTable } from './UsersTable.tsx'

const words = DESK.users
const ROLES = [
  { value: '', label: words.allRoles },
  ...roleSchema.options.map((role) => ({ value: role, label: ROLE_LABELS[role] })),
] as const

/** SPEC 2 "User management": admins change roles and delete users, managers only read. */
export default function UsersView() {
  const mayChange = useUser()?.role === 'admin'
  const url = useTableUrl('role', roleSchema.options)
  const sorting = useSorting(USER_SORTS)
  const withoutDeleted = useWithoutDeleted()
  const query = useQuery({
    ...queries.users({ page: url.page, search: url.search, role: url.filter, sort: sorting.sort }),
    select: ({ users, pagination }) => withoutDeleted(users, pagination, 'totalUsers'),
  })
  const { setRole, remove, exportData, erase } = useUserChanges()
  const [erasing, setErasing] = useState<User | null>(null)
  const selection = useSelection<User>()
  const [changing, setChanging] = useState<User | null>(null)

  const copyEmails = () =>
    copy([...selection.rows.values()].map(({ email }) => email).join(', '), {
      copied: words.emailsCopied,
      failed: words.emailsNotCopied,
    })

  return (
    <TableView
      title={DESK.titles.users}
      words={words}
      url={url}
      sorting={sorting}
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
              <Button size="sm" icon={<Copy aria-hidden="true" />} onClick={copyEmails}>
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
            onConfirm={() => erasing && erase.mutate(erasing, { onSettled: () => setErasing(null) })}
            onCancel={() => setErasing(null)}
          >
            {words.eraseText}
          </ConfirmDialog>
          {changing ? (
            <RoleDialog
              user={changing}
              busy={setRole.isPending}
              onClose={() => setChanging(null)}
              onSave={(role) => setRole.mutate({ id: changing._id, role }, { onSuccess: () => setChanging(null) })}
            />
          ) : null}
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

/** Shows the changed user until the list is fetched again. */
const showAtOnce = (client: QueryClient, user: User) =>
  client.setQueriesData<AnswerOf<'users'>>(
    { queryKey: KEYS.users },
    (page) => page && { ...page, users: page.users.map((row) => (row._id === user._id ? user : row)) },
  )

/** An admin's changes to users; the list is fetched again after each. */
function useUserChanges() {
  const client = useQueryClient()
  const reread = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: KEYS.users }),
      client.invalidateQueries({ queryKey: KEYS.userCount }),
    ])
  const setRole = useMutation({
    mutationFn: ({ id, role }: { id: string; role: Role }) => call('setRole', { params: { id }, body: { role } }),
    onSuccess: ({ user }) => {
      showAtOnce(client, user)
      toast.success(SUCCESS_TOASTS.roleUpdated)
    },
    onError: (error) => toast.error(FAILURE_TOASTS.updateRole(messageOf(error))),
    // The refetch is not awaited, because the dialog may close as soon as the change is made.
    onSettled: () => void reread(),
  })
  const remove = ({ _id: id, name, email }: User, press: MouseEvent) =>
    deleteLater(
      {
        id,
        deleting: words.deleting(name || email),
        call: 'deleteUser',
        done: SUCCESS_TOASTS.userDeleted,
        failed: FAILURE_TOASTS.deleteUser,
        reread,
      },
      press,
    )
  const exportData = useDownload({
    fetch: ({ _id: id }: User) => callFile('exportUser', { params: { id } }),
    name: 'person.json',
    done: words.exportedData,
    failed: words.exportDataFailed,
  })
  const erase = useMutation({
    mutationFn: ({ _id: id }: User) => call('eraseUser', { params: { id } }),
    onSuccess: () => toast.success(words.erased),
    onError: (error) => toast.error(words.eraseFailed(messageOf(error))),
    onSettled: () => void Promise.all([reread(), client.invalidateQueries({ queryKey: KEYS.tickets })]),
  })
  return { setRole, remove, exportData, erase }
}

const dialogWords = DESK.users.dialog
const OPTIONS = roleSchema.options.map((role) => ({ value: role, label: ROLE_LABELS[role] }))

interface RoleDialogProps {
  user: User
  busy: boolean
  onSave: (role: Role) => void
  onClose: () => void
}

const RoleDialog = ({ user, busy, onSave, onClose }: RoleDialogProps) => {
  const [role, setRole] = useState<Role>(user.role)
  return (
    <SaveDialog
      words={dialogWords}
      description={dialogWords.of(user.name || user.email)}
      note={dialogWords.takesEffect}
      busy={busy}
      disabled={role === user.role}
      onSave={() => onSave(role)}
      onClose={onClose}
    >
      <Select label={dialogWords.newRole} value={role} options={OPTIONS} onChange={setRole} disabled={busy} />
    </SaveDialog>
  )
}
