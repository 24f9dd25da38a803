import type { User } from '@garba/shared/contracts/user'
import type { UserRow } from '../../store/tables/users.ts'

export const userView = (user: UserRow): User => ({
  _id: user.id,
  name: user.name,
  displayName: user.name,
  email: user.email,
  role: user.role,
  profilePicture: user.photoUrl,
  photoURL: user.photoUrl,
  firebaseUID: user.firebaseUid,
  createdAt: user.createdAt.toISOString(),
  lastLogin: user.lastLogin?.toISOString() ?? null,
})
