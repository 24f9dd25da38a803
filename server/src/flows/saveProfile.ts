import type { User } from '@garba/shared/contracts/user'
import { Refusal } from '../refusal.ts'
import { updateUser } from '../store/users.ts'
import type { Caller, Deps } from './deps.ts'
import { userView } from './views/user.ts'

interface ProfileChange {
  user: Caller
  displayName?: string | undefined
  /** https only; null removes the photo. */
  photoURL?: string | null | undefined
}

/** Changes the caller's name and photo (DECISIONS 2). Omitted fields stay as they are. */
export const saveProfile = async (deps: Deps, { user, displayName, photoURL }: ProfileChange): Promise<User> =>
  await deps.store.write(async (tx) => {
    const saved = await updateUser(tx, user.id, {
      ...(displayName === undefined ? {} : { name: displayName }),
      ...(photoURL === undefined ? {} : { photoUrl: photoURL }),
    })
    if (!saved) throw new Refusal('UNAUTHENTICATED')
    return userView(saved)
  })
