import { roleSchema } from '@garba/shared/contracts/common'
import type { User } from '@garba/shared/contracts/user'
import { ROLE_LABELS } from '@garba/shared/messages/common'
import { DESK } from '@garba/shared/messages/desk'
import { FAILURE_TOASTS } from '@garba/shared/messages/toasts'
import { Copy } from 'lucide-react'
import { useState } from 'react'
import { toast } from 'sonner'
import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { useUser } from '../../platform/identity/session.ts'
import { SelectionBar } from '../frame/SelectionBar.tsx'
import { TableView } from '../frame/TableView.tsx'
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
  const query = useUsers({ ...url, role: url.filter })
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
        </>
      }
    >
      {({ users }) => (
        <UsersTable
          users={users}
          mayChange={mayChange}
          busy={query.isFetching}
          leaving={remove.isPending ? remove.variables : undefined}
          selected={selection.rows}
          onSelect={selection.toggle}
          onChangeRole={setChanging}
          onDelete={(user) => remove.mutate(user._id, { onSuccess: () => selection.toggle([user], false) })}
        />
      )}
    </TableView>
  )
}
