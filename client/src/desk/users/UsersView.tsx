import { roleSchema } from '@garba/shared/contracts/common'
import type { User } from '@garba/shared/contracts/user'
import { DESK } from '@garba/shared/messages/desk'
import { ROLE_LABELS } from '@garba/shared/messages/roles'
import { FAILURE_TOASTS } from '@garba/shared/messages/toasts'
import { Copy, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { toast } from 'sonner'
import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { Select } from '../../kit/Select.tsx'
import { useUser } from '../../platform/identity/session.ts'
import { DeskFrame } from '../frame/DeskFrame.tsx'
import { refreshTold } from '../frame/refreshTold.ts'
import { SearchBox } from '../frame/SearchBox.tsx'
import { SelectionBar } from '../frame/SelectionBar.tsx'
import { TablePages } from '../frame/TablePages.tsx'
import { TableState } from '../frame/TableState.tsx'
import { Toolbar } from '../frame/Toolbar.tsx'
import { useSelection } from '../frame/useSelection.ts'
import { useTableUrl } from '../frame/useTableUrl.ts'
import { RoleDialog } from './RoleDialog.tsx'
import { UsersTable } from './UsersTable.tsx'
import { useUserChanges, useUsers } from './useUsers.ts'

const words = DESK.users
const ROLES = [
  { value: '', label: words.allRoles },
  ...roleSchema.options.map((role) => ({ value: role, label: ROLE_LABELS[role] })),
] as const

/** SPEC 2 "User management": admins change roles and delete, managers read. */
export default function UsersView() {
  const mayChange = useUser()?.role === 'admin'
  const url = useTableUrl('role', roleSchema.options)
  const { data, error, isPending, isFetching, refetch } = useUsers({ ...url, role: url.filter })
  const { setRole, remove } = useUserChanges()
  const selection = useSelection<User>()
  const [changing, setChanging] = useState<User | null>(null)

  const copyEmails = async () => {
    try {
      await navigator.clipboard.writeText([...selection.rows.values()].map(({ email }) => email).join(', '))
      toast.success(words.emailsCopied)
    } catch (refused) {
      console.info('The clipboard is not writable', refused)
      toast.error(words.emailsNotCopied)
    }
  }

  return (
    <DeskFrame
      title={DESK.titles.users}
      actions={
        <Button
          icon={<RotateCw aria-hidden="true" />}
          busy={isFetching && !isPending}
          onClick={() => refreshTold({ refetch, failed: FAILURE_TOASTS.loadUsers })}
        >
          {DESK.refresh}
        </Button>
      }
    >
      {mayChange ? null : <Banner tone="info">{words.managerNotice}</Banner>}
      <Toolbar>
        <SearchBox label={words.search} placeholder={words.searchHint} value={url.search} onSearch={url.setSearch} />
        <Select label={words.role} value={url.filter} options={ROLES} onChange={url.setFilter} />
      </Toolbar>
      <TableState
        {...{ error, isPending, words, refetch }}
        failed={FAILURE_TOASTS.loadUsers}
        empty={data?.pagination.totalUsers === 0}
        filtered={url.search !== '' || url.filter !== ''}
        onReset={url.reset}
      />
      {data && data.users.length > 0 ? (
        <UsersTable
          users={data.users}
          mayChange={mayChange}
          busy={isFetching}
          leaving={remove.isPending ? remove.variables : undefined}
          selected={selection.rows}
          onSelect={selection.toggle}
          onChangeRole={setChanging}
          onDelete={(user) => remove.mutate(user._id, { onSuccess: () => selection.toggle([user], false) })}
        />
      ) : null}
      {data ? (
        <TablePages label={words.caption} pagination={data.pagination} of={data.pagination.totalUsers} url={url} />
      ) : null}
      {selection.rows.size > 0 ? (
        <SelectionBar
          told={words.selected(selection.rows.size)}
          clearLabel={words.clearSelection}
          onClear={selection.clear}
        >
          <Button size="sm" icon={<Copy aria-hidden="true" />} onClick={copyEmails}>
            {words.copyEmails}
          </Button>
        </SelectionBar>
      ) : null}
      {changing ? (
        <RoleDialog
          user={changing}
          busy={setRole.isPending}
          onClose={() => setChanging(null)}
          onSave={(role) => setRole.mutate({ id: changing._id, role }, { onSuccess: () => setChanging(null) })}
        />
      ) : null}
    </DeskFrame>
  )
}
