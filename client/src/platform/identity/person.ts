import { shownPhoto } from '@garba/shared/rules/photo'
import { useSession } from './session.ts'

interface Person {
  name: string
  email: string
  photo: string | null
  /** Instant of the first sign-in; null until our server has sent it. */
  since: string | null
}

export function usePerson(): Person {
  const session = useSession()
  if (session.type === 'signedIn') {
    const { displayName, name, email, profilePicture, createdAt } = session.user
    return { name: displayName || name || email, email, photo: profilePicture, since: createdAt }
  }
  if (session.type !== 'identityOnly') return { name: '', email: '', photo: null, since: null }
  const { displayName, email, photoURL } = session.identity
  return { name: displayName ?? email ?? '', email: email ?? '', photo: shownPhoto(photoURL), since: null }
}
