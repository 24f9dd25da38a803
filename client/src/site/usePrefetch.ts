import { useEffect } from 'react'
import { useUser } from '../platform/identity/session.ts'

/** SPEC 6: on the landing page the first screen of the dashboard is fetched ahead, with the code that keeps it. */
export function usePrefetch(): void {
  const user = useUser()
  const id = user?._id
  const role = user?.role
  useEffect(() => {
    if (id === undefined || (role !== 'guest' && role !== 'admin')) return
    import('./prefetch.ts').then(
      ({ prefetch }) => prefetch({ _id: id, role }),
      (error: unknown) => console.info('Nothing was fetched ahead', error),
    )
  }, [id, role])
}
