import { CACHE_DASHBOARD_MS, CACHE_EVENT_MS, MANAGER_USER_LIST, PAGE_SIZE } from '@garba/shared/constants'
import type { Days } from '@garba/shared/contracts/common'
import type { CallName } from '@garba/shared/contracts/paths'
import { infiniteQueryOptions, keepPreviousData, type QueryKey, queryOptions } from '@tanstack/react-query'
import { type AnswerOf, type CallArgs, callServer, type QueryOf } from './http/call.ts'
import { epochNow } from './http/epoch.ts'
import { recordAnswerTime } from './net/clock.ts'

/** Every cache key begins with one of these, which matches all entries of its kind. */
export const KEYS = {
  event: ['event'],
  closedEvents: ['closedEvents'],
  myTickets: ['myTickets'],
  lostTickets: ['lostTickets'],
  groupCodes: ['groupCodes'],
  myOrders: ['myOrders'],
  waiting: ['waiting'],
  analytics: ['analytics'],
  ticketStats: ['ticketStats'],
  userCount: ['userCount'],
  users: ['users'],
  tickets: ['ticketManagement'],
  orders: ['deskOrders'],
  gates: ['gates'],
  codes: ['promoCodes'],
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
  handedOut: ['handedOut'],
} as const

/** An offer lasts half an hour. */
const WAITING_MS = 60_000

type EventQuery = QueryOf<'analytics'>

type PageQuery<N extends 'users' | 'ticketManagement' | 'deskOrders' | 'audit'> = Omit<QueryOf<N>, 'limit'>

const asking =
  <N extends CallName>(name: N, ...[options]: CallArgs<N>) =>
  ({ signal }: { signal: AbortSignal }) =>
    callServer(name, ...([{ ...options, signal }] as unknown as CallArgs<N>))

/** A read whose answer counts as fresh for `staleTime` ms. */
const aged = <const K extends QueryKey, N extends CallName>(
  staleTime: number,
  queryKey: K,
  name: N,
  ...args: CallArgs<N>
) => queryOptions({ queryKey, queryFn: asking(name, ...args), staleTime })

const fresh = <const K extends QueryKey, N extends CallName>(queryKey: K, name: N, ...args: CallArgs<N>) =>
  aged(0, queryKey, name, ...args)

const freshList = <const K extends QueryKey, N extends CallName>(queryKey: K, name: N, ...args: CallArgs<N>) =>
  queryOptions({ queryKey, queryFn: asking(name, ...args), placeholderData: keepPreviousData, staleTime: 0 })

/**
 * Every cached read, with its key and how long it stays fresh: the event 3 min, a dashboard's figures and a guest's
 * tickets 2 min. Tables, the evening and the server's health are fetched each time. (Spec: Limits and constants.)
 */
export const queries = {
  event: () => aged(CACHE_EVENT_MS, KEYS.event, 'event'),
  deskTypes: () => fresh([...KEYS.event, 'types'], 'deskTypes'),

  promoCodes: () => fresh(KEYS.codes, 'promoCodes'),

  /** Keyed by user, so that nobody sees another user's tickets. `epoch` is the epoch of the server's data. */
  myTickets: (userId: string) =>
    queryOptions({
      queryKey: [...KEYS.myTickets, userId],
      queryFn: async ({ signal }): Promise<AnswerOf<'myTickets'> & { epoch?: number }> => ({
        ...(await recordAnswerTime(callServer('myTickets', { signal }))),
        epoch: epochNow(),
      }),
      staleTime: CACHE_DASHBOARD_MS,
    }),

  /** The newest orders, keyed by user like all below. They include an order that waits for its payment. */
  ownWaiting: (userId: string) => ({
    ...fresh([...KEYS.waiting, userId], 'ownWaiting'),
    refetchInterval: WAITING_MS,
  }),
  waitingList: () => fresh([...KEYS.waiting, 'desk'], 'waitingList'),
  myOrders: (userId: string) => fresh([...KEYS.myOrders, userId], 'myOrders', { query: {}, retries: 0 }),

  everyOrder: (userId: string) =>
    infiniteQueryOptions({
      queryKey: [...KEYS.myOrders, userId, 'pages'],
      queryFn: ({ signal, pageParam }) => callServer('myOrders', { query: { page: pageParam }, signal, retries: 0 }),
      initialPageParam: 1,
      getNextPageParam: ({ pagination: { current, total } }) => (current < total ? current + 1 : undefined),
      staleTime: 0,
    }),

  /** Polled while the order waits, so a failure shows at once instead of after retries. */
  order: (userId: string, code: string) =>
    queryOptions({
      queryKey: [...KEYS.myOrders, userId, code],
      queryFn: ({ signal }) => recordAnswerTime(callServer('order', { params: { code }, signal, retries: 0 })),
      staleTime: 0,
    }),

  closedEvents: () => aged(CACHE_EVENT_MS, KEYS.closedEvents, 'closedEvents'),

  /** Matters are also settled in other views and windows, so the answer is stale at once. */
  openMatters: (id: string) => fresh([...KEYS.money, 'openMatters', id], 'openMatters', { params: { id } }),

  eventState: () => fresh([...KEYS.event, 'state'], 'previewEventState'),

  eventRefunds: () => fresh([...KEYS.money, 'eventRefunds'], 'eventRefunds'),

  analytics: (query: EventQuery = {}) => aged(CACHE_DASHBOARD_MS, [...KEYS.analytics, query], 'analytics', { query }),

  ticketStats: () => aged(CACHE_DASHBOARD_MS, KEYS.ticketStats, 'ticketStats'),

  userCount: () => aged(CACHE_DASHBOARD_MS, KEYS.userCount, 'userCount'),

  managerUsers: () =>
    aged(CACHE_DASHBOARD_MS, [...KEYS.users, { limit: MANAGER_USER_LIST }], 'users', {
      query: { limit: MANAGER_USER_LIST },
    }),

  users: (query: PageQuery<'users'>) =>
    freshList([...KEYS.users, query], 'users', { query: { ...query, limit: PAGE_SIZE } }),

  tickets: (query: PageQuery<'ticketManagement'>) =>
    freshList([...KEYS.tickets, query], 'ticketManagement', { query: { ...query, limit: PAGE_SIZE } }),

  orders: (query: PageQuery<'deskOrders'>) =>
    freshList([...KEYS.orders, query], 'deskOrders', { query: { ...query, limit: PAGE_SIZE } }),

  deskOrder: (code: string) => fresh([...KEYS.orders, 'one', code], 'deskOrder', { params: { code } }),

  books: () => fresh([...KEYS.money, 'books'], 'books'),

  attention: () => fresh([...KEYS.money, 'attention'], 'attention'),

  moneyTotals: (query: QueryOf<'moneyTotals'> = {}) =>
    fresh([...KEYS.money, 'totals', query], 'moneyTotals', { query }),

  lostTickets: () => fresh([...KEYS.lostTickets, 'desk'], 'lostTickets'),

  blocks: () => fresh(KEYS.blocks, 'blocks'),

  cash: (days: Days = {}) => freshList([...KEYS.cash, days], 'cashSessions', { query: days }),

  statementLines: (days: Days = {}) => freshList([...KEYS.statement, days], 'statementLines', { query: days }),

  settlements: (days: Days = {}) => freshList([...KEYS.settlements, days], 'settlements', { query: days }),

  audit: (query: PageQuery<'audit'>) =>
    freshList([...KEYS.audit, query], 'audit', { query: { ...query, limit: PAGE_SIZE } }),

  evening: (query: EventQuery = {}) => fresh([...KEYS.evening, query], 'gate', { query }),

  register: (query: EventQuery = {}) => fresh([...KEYS.evening, 'register', query], 'register', { query }),

  devices: () => fresh(KEYS.devices, 'devices'),

  phoneSales: (id: string) => fresh([...KEYS.devices, 'sales', id], 'phoneSales', { params: { id } }),

  gates: () => queryOptions({ queryKey: KEYS.gates, queryFn: asking('gates'), gcTime: 0 }),

  demoMails: () => fresh(KEYS.demoMails, 'demoMails'),

  health: () => fresh(KEYS.health, 'health'),
} as const
