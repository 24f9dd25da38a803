import { beginSession } from './restore.ts'

export { leaveHere, loseSession } from './leave.ts'
export { provider } from './provider.ts'
export { restore } from './restore.ts'
export { signIn, signOut } from './signingIn.ts'
export { refreshUser, requestAdmin } from './sync.ts'

// All of sign-in in one piece, fetched for those who sign in or were signed in. This module must not be imported statically.
beginSession()
