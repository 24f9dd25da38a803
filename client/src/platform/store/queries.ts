import { CACHE_DASHBOARD_MS, CACHE_EVENT_MS, MANAGER_USER_LIST } from '@garba/shared/constants'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../http/call.ts'

/**
 * The reads that more than one screen makes, each with its key and SPEC 9's age: event 3 min, a dashboard's figures 2 min,
 * a guest's tickets 120 s per user. Screens add their own with keys that begin with the call's name.
 */
export const queries = {
  event: () =>
    queryOptions({
      queryKey: ['event'],
      queryFn: ({ signal }) => call('event', { signal }),
      staleTime: CACHE_EVENT_MS,
    }),

  /** `userId`: one user's tickets never answer for another's. */
  myTickets: (userId: string) =>
    queryOptions({
      queryKey: ['myTickets', userId],
      queryFn: ({ signal }) => call('myTickets', { signal }),
      staleTime: CACHE_DASHBOARD_MS,
    }),

  analytics: () =>
    queryOptions({
      queryKey: ['analytics'],
      queryFn: ({ signal }) => call('analytics', { signal }),
      staleTime: CACHE_DASHBOARD_MS,
    }),

  ticketStats: () =>
    queryOptions({
      queryKey: ['ticketStats'],
      queryFn: ({ signal }) => call('ticketStats', { signal }),
      staleTime: CACHE_DASHBOARD_MS,
    }),

  userCount: () =>
    queryOptions({
      queryKey: ['userCount'],
      queryFn: ({ signal }) => call('userCount', { signal }),
      staleTime: CACHE_DASHBOARD_MS,
    }),

  managerUsers: () =>
    queryOptions({
      queryKey: ['users', { limit: MANAGER_USER_LIST }],
      queryFn: ({ signal }) => call('users', { query: { limit: MANAGER_USER_LIST }, signal }),
      staleTime: CACHE_DASHBOARD_MS,
    }),
} as const
