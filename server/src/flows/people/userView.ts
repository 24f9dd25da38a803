import type { User } from '@garba/shared/contracts/user'
import { shownPhoto } from '@garba/shared/rules/photo'
import type { UserRow } from '../../store/users.ts'

/** `photoURL` is what the user entered; `profilePicture` is what is shown. */
export const userView = (user: UserRow): User => ({
  _id: user.id,
  name: user.name,
  displayName: user.name,
  email: user.email,
  role: user.role,
  profilePicture: shownPhoto(user.photoUrl),
  photoURL: user.photoUrl,
  firebaseUID: user.firebaseUid,
  createdAt: user.createdAt.toISOString(),
  lastLogin: user.lastLogin?.toISOString() ?? null,
})
