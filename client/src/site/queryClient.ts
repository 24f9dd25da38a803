import { CACHE_DEFAULT_MS, CACHE_ENTRIES_MAX } from '@garba/shared/constants'
import type { User } from '@garba/shared/contracts/people/user'
import { onlineManager, QueryClient } from '@tanstack/react-query'
import { onSignOut } from '../platform/identity/hooks.ts'
import { isOnline, useConnectivity } from '../platform/net/connectivity.ts'
import { queries } from '../platform/queries.ts'
import { keepOwnTickets } from '../platform/store/ownTickets.ts'

export const queryClient = makeQueryClient()

/**
 * A cache in memory: 5 minutes unless a query says otherwise, at most 50 entries. No retries here, because the
 * transport does them (http/call). Calls detect whether the app is online, so navigator.onLine blocks nothing, and a
 * connection that comes back without the browser's knowledge refreshes the screens too.
 */
export function makeQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: { staleTime: CACHE_DEFAULT_MS, gcTime: CACHE_DEFAULT_MS, retry: false, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  client.getQueryCache().subscribe((event) => {
    if (event.type === 'added') dropOldest(client)
  })
  onSignOut(() => client.clear())
  onlineManager.setEventListener((set) => {
    set(isOnline())
    return useConnectivity.subscribe(() => set(isOnline()))
  })
  return client
}

function dropOldest(client: QueryClient) {
  const cache = client.getQueryCache()
  const over = cache.getAll().length - CACHE_ENTRIES_MAX
  if (over <= 0) return
  cache
    .getAll()
    .filter(
      (query) => query.getObserversCount() === 0 && query.state.fetchStatus === 'idle' && query.state.dataUpdatedAt > 0,
    )
    .toSorted((a, b) => a.state.dataUpdatedAt - b.state.dataUpdatedAt)
    .slice(0, over)
    .forEach((query) => {
      cache.remove(query)
    })
}

export function prefetchDashboard({ _id, role }: Pick<User, '_id' | 'role'>): void {
  if (role === 'guest')
    queryClient.fetchQuery(queries.myTickets(_id)).then(
      ({ tickets }) => keepOwnTickets(tickets),
      (error: unknown) => console.info('The tickets were not prefetched', error),
    )
  if (role === 'admin') {
    void queryClient.prefetchQuery(queries.analytics())
    void queryClient.prefetchQuery(queries.ticketStats())
    void queryClient.prefetchQuery(queries.userCount())
  }
}
