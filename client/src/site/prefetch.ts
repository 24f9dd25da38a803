import type { User } from '@garba/shared/contracts/user'
import { queries } from '../platform/queries.ts'
import { queryClient } from './queryClient.ts'

/** Prefetches what SPEC 6 names: an admin's figures, a guest's tickets. */
export function prefetch({ _id, role }: Pick<User, '_id' | 'role'>): void {
  if (role === 'guest') void queryClient.prefetchQuery(queries.myTickets(_id))
  if (role === 'admin') {
    void queryClient.prefetchQuery(queries.analytics())
    void queryClient.prefetchQuery(queries.ticketStats())
    void queryClient.prefetchQuery(queries.userCount())
  }
}
