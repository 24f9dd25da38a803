import { type Role, roleSchema } from '@garba/shared/contracts/common'
import type { User } from '@garba/shared/contracts/user'
import { DESK } from '@garba/shared/messages/desk'
import { ROLE_LABELS } from '@garba/shared/messages/roles'
import { useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { Select } from '../../kit/Select.tsx'
import styles from './Users.module.css'

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
    <Dialog
      open
      onClose={onClose}
      size="sm"
      title={words.title}
      description={words.of(user.name || user.email)}
      busy={busy}
      footer={
        <>
          <Button tone="primary" busy={busy} disabled={role === user.role} onClick={() => onSave(role)}>
            {busy ? words.saving : words.save}
          </Button>
          <Button disabled={busy} onClick={onClose}>
            {words.cancel}
          </Button>
        </>
      }
    >
      <Select label={words.newRole} value={role} options={OPTIONS} onChange={setRole} disabled={busy} />
      <p className={styles.note}>{words.takesEffect}</p>
    </Dialog>
  )
}
