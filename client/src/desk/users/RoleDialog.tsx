import { roleSchema } from '@garba/shared/contracts/common'
import type { Role } from '@garba/shared/contracts/names'
import type { User } from '@garba/shared/contracts/user'
import { ROLE_LABELS } from '@garba/shared/messages/common'
import { DESK } from '@garba/shared/messages/desk'
import { useState } from 'react'
import { Select } from '../../kit/Select.tsx'
import { SaveDialog } from '../frame/SaveDialog.tsx'

const words = DESK.users.dialog
const OPTIONS = roleSchema.options.map((role) => ({ value: role, label: ROLE_LABELS[role] }))

interface RoleDialogProps {
  user: User
  busy: boolean
  onSave: (role: Role) => void
  onClose: () => void
}

export const RoleDialog = ({ user, busy, onSave, onClose }: RoleDialogProps) => {
  const [role, setRole] = useState<Role>(user.role)
  return (
    <SaveDialog
      words={words}
      description={words.of(user.name || user.email)}
      note={words.takesEffect}
      busy={busy}
      disabled={role === user.role}
      onSave={() => onSave(role)}
      onClose={onClose}
    >
      <Select label={words.newRole} value={role} options={OPTIONS} onChange={setRole} disabled={busy} />
    </SaveDialog>
  )
}
