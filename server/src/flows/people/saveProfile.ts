import type { User } from '@garba/shared/contracts/user'
import { AUDIT } from '@garba/shared/messages/audit'
import { Refusal } from '../../refusal.ts'
import type { WriteTx } from '../../store/sql.ts'
import { renameBuyer } from '../../store/ticketNames.ts'
import { findUser, type UserRow, updateUser } from '../../store/users.ts'
import { aboutUser, audited } from '../audited.ts'
import type { Caller, Deps } from '../deps.ts'
import { userView } from './userView.ts'

interface ProfileChange {
  user: Caller
  displayName?: string | undefined
  /** https only; null removes the photo. */
  photoURL?: string | null | undefined
}

/**
 * Changes the caller's name and photo. Omitted fields stay as they are. A new name shows on their active tickets at
 * once, except on tickets with a name of their own. Refuses with UNAUTHENTICATED.
 */
export const saveProfile = async (deps: Deps, { user, displayName, photoURL }: ProfileChange): Promise<User> =>
  await deps.store.write(async (tx) => {
    const before = await findUser(tx, user.id)
    const saved = await updateUser(tx, user.id, {
      ...(displayName === undefined ? {} : { name: displayName }),
      ...(photoURL === undefined ? {} : { photoUrl: photoURL }),
    })
    if (!before || !saved) throw new Refusal('UNAUTHENTICATED')
    if (saved.name !== before.name) await rename(tx, { before, saved, now: deps.now() })
    return userView(saved)
  })

async function rename(tx: WriteTx, { before, saved, now }: { before: UserRow; saved: UserRow; now: Date }) {
  const tickets = await renameBuyer(tx, { userId: saved.id, name: saved.name, now })
  if (tickets > 0) tx.announce('roster')
  await audited(tx, {
    at: now,
    action: 'user.renamed',
    actor: saved,
    subject: aboutUser(saved),
    detail: AUDIT.renamed({ from: before.name, to: saved.name, tickets }),
  })
}
