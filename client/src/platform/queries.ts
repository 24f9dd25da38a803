import { CACHE_DASHBOARD_MS, CACHE_EVENT_MS, MANAGER_USER_LIST, PAGE_SIZE } from '@garba/shared/constants'
import type { Days } from '@garba/shared/contracts/common'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from './http/call.ts'
import { epochNow } from './http/epoch.ts'
import type { AnswerOf, QueryOf } from './http/types.ts'
import { noteServerTime } from './net/clock.ts'

/** Every cache key begins with one of these, which matches all entries of its kind. */
export const KEYS = {
  event: ['event'],
  closedEvents: ['closedEvents'],
  myTickets: ['myTickets'],
  lostTickets: ['lostTickets'],
  groupCodes: ['groupCodes'],
  myOrders: ['myOrders'],
  analytics: ['analytics'],
  ticketStats: ['ticketStats'],
  userCount: ['userCount'],
  users: ['users'],
  tickets: ['ticketManagement'],
  orders: ['deskOrders'],
  gates: ['gates'],
  money: ['money'],
  cash: ['cashSessions'],
  blocks: ['blocks'],
  statement: ['statement'],
  settlements: ['settlements'],
  evening: ['gate'],
  devices: ['devices'],
  audit: ['audit'],
  health: ['health'],
  demoMails: ['demoMails'],
} as const

/** The current event, or a closed one by its id. */
type EventQuery = QueryOf<'analytics'>

/** A table's URL gives its query, except for the page size. */
type PageQuery<N extends 'users' | 'ticketManagement' | 'deskOrders' | 'audit'> = Omit<QueryOf<N>, 'limit'>

/**
 * Every cached read, with its key and SPEC 9's age: event 3 min, a dashboard's figures 2 min, a guest's tickets 120 s per
 * user. Tables, the evening and the server's health are fetched each time.
 */
export const queries = {
  event: () =>
    queryOptions({
      queryKey: KEYS.event,
      queryFn: ({ signal }) => call('event', { signal }),
      staleTime: CACHE_EVENT_MS,
    }),

  /** Keyed by user, so that nobody sees another user's tickets. `epoch` is the epoch of the server's data. */
  myTickets: (userId: string) =>
    queryOptions({
      queryKey: [...KEYS.myTickets, userId],
      queryFn: async ({ signal }): Promise<AnswerOf<'myTickets'> & { epoch?: number }> => ({
        ...(await call('myTickets', { signal })),
        epoch: epochNow(),
      }),
      staleTime: CACHE_DASHBOARD_MS,
    }),

  /** The newest orders, keyed by user like all below. They include an order that waits for its payment. */
  myOrders: (userId: string) =>
    queryOptions({
      queryKey: [...KEYS.myOrders, userId],
      queryFn: ({ signal }) => call('myOrders', { query: {}, signal, retries: 0 }),
      staleTime: 0,
    }),

  /** All orders, page by page. */
  everyOrder: (userId: string) =>
    infiniteQueryOptions({
      queryKey: [...KEYS.myOrders, userId, 'pages'],
      queryFn: ({ signal, pageParam }) => call('myOrders', { query: { page: pageParam }, signal, retries: 0 }),
      initialPageParam: 1,
      getNextPageParam: ({ pagination: { current, total } }) => (current < total ? current + 1 : undefined),
      staleTime: 0,
    }),

  /** Polled while the order waits, so a failure shows at once instead of after retries. */
  order: (userId: string, code: string) =>
    queryOptions({
      queryKey: [...KEYS.myOrders, userId, code],
      queryFn: async ({ signal }) => {
        const sentAt = Date.now()
        const answer = await call('order', { params: { code }, signal, retries: 0 })
        noteServerTime({ sentAt, receivedAt: Date.now(), serverTime: Date.parse(answer.serverTime) })
        return answer
      },
      staleTime: 0,
    }),

  closedEvents: () =>
    queryOptions({
      queryKey: KEYS.closedEvents,
      queryFn: ({ signal }) => call('closedEvents', { signal }),
      staleTime: CACHE_EVENT_MS,
    }),

  /** Matters are also settled in other views and windows, so the answer is stale at once. */
  openMatters: (id: string) =>
    queryOptions({
      queryKey: [...KEYS.money, 'openMatters', id],
      queryFn: ({ signal }) => call('openMatters', { params: { id }, signal }),
      staleTime: 0,
    }),

  analytics: (asked: EventQuery = {}) =>
    queryOptions({
      queryKey: [...KEYS.analytics, asked],
      queryFn: ({ signal }) => call('analytics', { query: asked, signal }),
      staleTime: CACHE_DASHBOARD_MS,
    }),

  ticketStats: () =>
    queryOptions({
      queryKey: KEYS.ticketStats,
      queryFn: ({ signal }) => call('ticketStats', { signal }),
      staleTime: CACHE_DASHBOARD_MS,
    }),

  userCount: () =>
    queryOptions({
      queryKey: KEYS.userCount,
      queryFn: ({ signal }) => call('userCount', { signal }),
      staleTime: CACHE_DASHBOARD_MS,
    }),

  managerUsers: () =>
    queryOptions({
      queryKey: [...KEYS.users, { limit: MANAGER_USER_LIST }],
      queryFn: ({ signal }) => call('users', { query: { limit: MANAGER_USER_LIST }, signal }),
      staleTime: CACHE_DASHBOARD_MS,
    }),

  users: (wanted: PageQuery<'users'>) =>
    queryOptions({
      queryKey: [...KEYS.users, wanted],
      queryFn: ({ signal }) => call('users', { query: { ...wanted, limit: PAGE_SIZE }, signal }),
      placeholderData: keepPreviousData,
      staleTime: 0,
    }),

  tickets: (wanted: PageQuery<'ticketManagement'>) =>
    queryOptions({
      queryKey: [...KEYS.tickets, wanted],
      queryFn: ({ signal }) => call('ticketManagement', { query: { ...wanted, limit: PAGE_SIZE }, signal }),
      placeholderData: keepPreviousData,
      staleTime: 0,
    }),

  orders: (wanted: PageQuery<'deskOrders'>) =>
    queryOptions({
      queryKey: [...KEYS.orders, wanted],
      queryFn: ({ signal }) => call('deskOrders', { query: { ...wanted, limit: PAGE_SIZE }, signal }),
      placeholderData: keepPreviousData,
      staleTime: 0,
    }),

  /** One order for the desk, with its whole history. */
  deskOrder: (code: string) =>
    queryOptions({
      queryKey: [...KEYS.orders, 'one', code],
      queryFn: ({ signal }) => call('deskOrder', { params: { code }, signal }),
      staleTime: 0,
    }),

  books: () =>
    queryOptions({
      queryKey: [...KEYS.money, 'books'],
      queryFn: ({ signal }) => call('books', { signal }),
      staleTime: 0,
    }),

  attention: () =>
    queryOptions({
      queryKey: [...KEYS.money, 'attention'],
      queryFn: ({ signal }) => call('attention', { signal }),
      staleTime: 0,
    }),

  moneyTotals: (asked: QueryOf<'moneyTotals'> = {}) =>
    queryOptions({
      queryKey: [...KEYS.money, 'totals', asked],
      queryFn: ({ signal }) => call('moneyTotals', { query: asked, signal }),
      staleTime: 0,
    }),

  lostTickets: () =>
    queryOptions({
      queryKey: [...KEYS.lostTickets, 'desk'],
      queryFn: ({ signal }) => call('lostTickets', { signal }),
      staleTime: 0,
    }),

  blocks: () =>
    queryOptions({
      queryKey: KEYS.blocks,
      queryFn: ({ signal }) => call('blocks', { signal }),
      staleTime: 0,
    }),

  cash: (days: Days = {}) =>
    queryOptions({
      queryKey: [...KEYS.cash, days],
      queryFn: ({ signal }) => call('cashSessions', { query: days, signal }),
      placeholderData: keepPreviousData,
      staleTime: 0,
    }),

  statementLines: (days: Days = {}) =>
    queryOptions({
      queryKey: [...KEYS.statement, days],
      queryFn: ({ signal }) => call('statementLines', { query: days, signal }),
      placeholderData: keepPreviousData,
      staleTime: 0,
    }),

  settlements: (days: Days = {}) =>
    queryOptions({
      queryKey: [...KEYS.settlements, days],
      queryFn: ({ signal }) => call('settlements', { query: days, signal }),
      placeholderData: keepPreviousData,
      staleTime: 0,
    }),

  audit: (wanted: PageQuery<'audit'>) =>
    queryOptions({
      queryKey: [...KEYS.audit, wanted],
      queryFn: ({ signal }) => call('audit', { query: { ...wanted, limit: PAGE_SIZE }, signal }),
      placeholderData: keepPreviousData,
      staleTime: 0,
    }),

  evening: (asked: EventQuery = {}) =>
    queryOptions({
      queryKey: [...KEYS.evening, asked],
      queryFn: ({ signal }) => call('gate', { query: asked, signal }),
      staleTime: 0,
    }),

  devices: () =>
    queryOptions({ queryKey: KEYS.devices, queryFn: ({ signal }) => call('devices', { signal }), staleTime: 0 }),

  gates: () => queryOptions({ queryKey: KEYS.gates, queryFn: ({ signal }) => call('gates', { signal }), gcTime: 0 }),

  demoMails: () =>
    queryOptions({
      queryKey: KEYS.demoMails,
      queryFn: ({ signal }) => call('demoMails', { signal }),
      staleTime: 0,
    }),

  health: () =>
    queryOptions({ queryKey: KEYS.health, queryFn: ({ signal }) => call('health', { signal }), staleTime: 0 }),
} as const
