import { useEffect } from 'react'
import { useUser } from '../platform/identity/session.ts'

/** SPEC 6: the landing page prefetches the dashboard's first screen, and the code of its cache. */
export function usePrefetch(): void {
  const user = useUser()
  const id = user?._id
  const role = user?.role
  useEffect(() => {
    if (id === undefined || (role !== 'guest' && role !== 'admin')) return
    import('./prefetch.ts').then(
      ({ prefetch }) => prefetch({ _id: id, role }),
      (error: unknown) => console.info('Nothing was prefetched', error),
    )
  }, [id, role])
}
