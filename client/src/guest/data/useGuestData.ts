import { LOST_OFFER_MAX } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { GroupCode, LostAnswer, Ticket } from '@garba/shared/contracts/ticket'
import { sortByNumber } from '@garba/shared/rules/ticketNumber'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { endLinksAgain } from '../../platform/endedLinks.ts'
import { callServer } from '../../platform/http/call.ts'
import { isFailure } from '../../platform/http/failure.ts'
import { registerSignIn } from '../../platform/identity/actions.ts'
import { userNow, useSession, useUser } from '../../platform/identity/session.ts'
import { serverNow } from '../../platform/net/clock.ts'
import { probeServer } from '../../platform/net/connectivity.ts'
import { KEYS, queries } from '../../platform/queries.ts'
import { keepOwnTickets } from '../../platform/store/ownTickets.ts'
import {
  dropLost,
  type LostTicket,
  readGroupCodes,
  readWallet,
  saveGroupCodes,
  saveLostAnswers,
  saveWallet,
  type Wallet,
} from '../../platform/store/wallet.ts'
import { findEventDayKind, useFormat } from '../format.ts'
import { fillFromWallet, ownTickets } from './stored.ts'

interface GuestDataOptions {
  pollMs?: number | undefined
  pollsAtEvent?: boolean
}

export type LoadState<T> =
  | { type: 'loading' }
  | { type: 'failed'; error: unknown }
  | { type: 'known'; value: T /** Device time in ms of the server's answer. */; savedAt: number }

export interface GuestData {
  userId: string | null
  tickets: LoadState<readonly Ticket[]>
  past: readonly Ticket[]
  lost: readonly LostTicket[]
  /** Codes that each stand for several active tickets; empty while none are available. */
  groups: readonly GroupCode[]
  event: LoadState<GarbaEvent | null>
  refreshing: boolean
  notKept: boolean
  /** Fetches both. Throws ApiFailure. */
  refresh: () => Promise<void>
}

/** Often enough to see a ticket stamped soon after its holder went in. */
const EVENT_DAY_MS = 30_000

const ASK_AGAIN_MS = 15_000
const againAfter = ({ status }: { status: string }): number | false => (status === 'error' ? ASK_AGAIN_MS : false)

interface QueryState<T> {
  data: T | undefined
  error: unknown
  dataUpdatedAt: number
}
function known<T>({ data, error, dataUpdatedAt }: QueryState<T>): LoadState<T> {
  if (data !== undefined) return { type: 'known', value: data, savedAt: dataUpdatedAt }
  return error ? { type: 'failed', error } : { type: 'loading' }
}

/**
 * Everything the guest's screens show: first the data stored on the device, then the server's answer, which is stored in turn.
 * Fetched again when the connection comes back. `pollMs`: how often to fetch anyway. `pollsAtEvent`: polls on the
 * event's day, while there are active tickets, to see when the gate lets somebody in.
 */
export function useGuestData({ pollMs, pollsAtEvent = false }: GuestDataOptions = {}): GuestData {
  const session = useSession()
  const client = useQueryClient()
  const { timeZone } = useFormat()
  const userId = useUser()?._id ?? null
  const ready = useWalletInCache(userId)
  const ticketsQuery = useQuery({
    ...queries.myTickets(userId ?? ''),
    enabled: ready,
    refetchInterval: ({ state }) => {
      const tonight = client.getQueryData(queries.event().queryKey)?.data ?? null
      const waits = state.data?.tickets.some(({ status, isPast }) => status === 'active' && !isPast) === true
      if (pollsAtEvent && waits && findEventDayKind(tonight, timeZone, serverNow().getTime()) !== null)
        return EVENT_DAY_MS
      return pollMs ?? againAfter(state)
    },
    refetchOnReconnect: 'always',
  })
  const eventQuery = useQuery({
    ...queries.event(),
    enabled: ready || session.type === 'identityOnly',
    refetchInterval: ({ state }) => againAfter(state),
    refetchOnReconnect: 'always',
  })

  const answer = ticketsQuery.data?.tickets
  const mine = useMemo(
    () => (answer === undefined || userId === null ? undefined : ownTickets(answer, userId)),
    [answer, userId],
  )
  const current = useMemo(() => mine && sortByNumber(mine.filter(({ isPast }) => !isPast)), [mine])
  const past = useMemo(() => mine?.filter(({ isPast }) => isPast) ?? [], [mine])
  const groups = useGroupCodes(userId, current)
  const event = eventQuery.data?.data
  const notKept = useKeep({
    userId,
    tickets: mine,
    event,
    savedAt: ticketsQuery.dataUpdatedAt,
    epoch: ticketsQuery.data?.epoch,
  })
  const lost = useLost(userId)

  const { refetch: askTickets } = ticketsQuery
  const { refetch: askEvent } = eventQuery
  const refresh = useCallback(async () => {
    // Without a user, the server does not know of this sign-in yet.
    if (userId === null) await registerSignIn()
    const fetches = [userId === null ? null : askTickets({ throwOnError: true }), askEvent({ throwOnError: true })]
    await Promise.all(fetches)
  }, [userId, askTickets, askEvent])

  return {
    userId,
    tickets:
      session.type === 'identityOnly'
        ? { type: 'failed', error: session.why }
        : known({ ...ticketsQuery, data: current }),
    past,
    lost,
    groups,
    event: known({ ...eventQuery, data: event }),
    refreshing: ticketsQuery.isFetching || eventQuery.isFetching,
    notKept,
    refresh,
  }
}

interface GuestSnapshot {
  userId: string | null
  tickets: readonly Ticket[] | undefined
  event: GarbaEvent | null | undefined
  savedAt: number
  epoch: number | undefined
}
/** Stores each answer, and asks about the tickets it has lost. Stored data is written back unchanged, which costs nothing. */
function useKeep({ userId, tickets, event, savedAt, epoch }: GuestSnapshot): boolean {
  const client = useQueryClient()
  const [notKept, setNotKept] = useState(false)
  useEffect(() => {
    if (userId === null || tickets === undefined) return
    keepOwnTickets(tickets)
    let isStale = false
    void keep({ userId, tickets: [...tickets], event: event ?? null, savedAt, epoch }).then((kept) => {
      if (isStale) return
      setNotKept(kept === null)
      if (kept === null) return
      showLost(client, userId, kept.lost ?? [])
      // Links follow a ticket to a newer code that the server learns of from the offer.
      void endLinksAgain().then(() => offerLost(client, userId))
    })
    return () => {
      isStale = true
    }
  }, [client, userId, tickets, event, savedAt, epoch])
  return notKept
}

/** A browser whose storage hangs must not keep the page from asking the server. */
const PATIENCE_MS = 1_500

/**
 * Puts the user's stored data into the memory cache, with its age, and fetches again. Returns whether that is done for this
 * user; nothing is fetched before, so that the stored tickets never wait for the network.
 */
function useWalletInCache(userId: string | null): boolean {
  const client = useQueryClient()
  const [doneFor, setDoneFor] = useState<string | null>(null)
  useEffect(() => {
    if (userId === null) return
    let isStale = false
    const goOn = () => {
      if (!isStale) setDoneFor(userId)
    }
    const patience = setTimeout(goOn, PATIENCE_MS)
    // The stored tickets are useful even after that, because without a network there are no others.
    fillFromWallet(client, userId)
      .then((filled) => {
        // A refused connection shows at once; the transport would keep trying for seven seconds.
        if (filled) void probeServer()
      })
      .catch((error: unknown) => console.warn('The tickets kept here could not be read', error))
      .finally(goOn)
    return () => {
      isStale = true
      clearTimeout(patience)
    }
  }, [userId, client])
  return userId !== null && doneFor === userId
}

/**
 * Stores the wallet for offline use and resolves to what is on the disk, or null. The owner is checked in the turn in
 * which the write begins, so that the write cannot overtake a sign-out, which clears all wallets.
 */
async function keep(wallet: Wallet): Promise<Wallet | null> {
  const user = userNow()
  if (user?._id !== wallet.userId) return null
  try {
    return await saveWallet(wallet, user.email)
  } catch (error) {
    console.warn('The tickets could not be kept for offline use', error)
    return null
  }
}

/** Enough of a signature to tell it from others. */
const TAIL = 8
const NONE: readonly GroupCode[] = []

/**
 * The codes of groups for the user's active tickets: the stored codes or, when the tickets have changed since, the
 * server's, which are then stored. Empty for a single ticket, and while no codes are available.
 */
function useGroupCodes(userId: string | null, tickets: readonly Ticket[] | undefined): readonly GroupCode[] {
  // The key consists of the tickets' own codes: a new signing key changes them, and the groups' codes with them.
  const tails = useMemo(() => {
    const own = tickets?.filter(({ sent }) => sent === undefined) ?? []
    const codes = own.flatMap(({ qrCode }) => (qrCode === null ? [] : [qrCode.slice(-TAIL)]))
    return codes.length > 1 ? codes.toSorted().join('') : null
  }, [tickets])
  const { data } = useQuery({
    queryKey: [...KEYS.groupCodes, userId, tails],
    queryFn: ({ signal }) => storedOrAsked({ userId: userId ?? '', tails: tails ?? '', signal }),
    enabled: userId !== null && tails !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data ?? NONE
}

interface GroupCodesRequest {
  userId: string
  tails: string
  signal: AbortSignal
}

async function storedOrAsked({ userId, tails, signal }: GroupCodesRequest): Promise<readonly GroupCode[]> {
  const stored = await readGroupCodes(userId).catch(warnAndIgnore('The group codes kept here could not be read'))
  if (stored?.tails === tails) return stored.groups
  const { groups } = await callServer('groupCodes', { signal })
  if (userNow()?._id === userId)
    await saveGroupCodes({ userId, tails, groups }).catch(
      warnAndIgnore('The group codes could not be kept for offline use'),
    )
  return groups
}

const warnAndIgnore = (what: string) => (error: unknown) => {
  console.warn(what, error)
  return null
}

/**
 * Shows a changed ticket in the user's list until the list is fetched again, which the caller requests after the last change.
 * `id`: the ticket's id before the change.
 */
export const updateCachedTicket = (client: QueryClient, userId: string, ticket: Ticket, id = ticket._id): void =>
  void client.setQueryData(
    queries.myTickets(userId).queryKey,
    (old) => old && { ...old, tickets: old.tickets.map((one) => (one._id === id ? ticket : one)) },
  )

const NONE_LOST: readonly LostTicket[] = []
const getLostTicketsKey = (userId: string | null) => [...KEYS.lostTickets, 'own', userId]

function useLost(userId: string | null): readonly LostTicket[] {
  const { data } = useQuery({
    queryKey: getLostTicketsKey(userId),
    queryFn: async () => (await readWallet(userId ?? ''))?.lost ?? NONE_LOST,
    enabled: userId !== null,
    networkMode: 'always',
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data ?? NONE_LOST
}

const showLost = (client: QueryClient, userId: string, lost: readonly LostTicket[]): void =>
  void client.setQueryData(getLostTicketsKey(userId), lost)

let offering = false

/**
 * Offers the lost tickets to the server, or asks what became of them. Without a network or an answer they stay as they are, until
 * the tickets are fetched the next time. Never throws.
 */
async function offerLost(client: QueryClient, userId: string): Promise<void> {
  if (offering) return
  offering = true
  try {
    const open = ((await readWallet(userId))?.lost ?? []).filter(({ state }) => state !== 'refused')
    for (let from = 0; from < open.length; from += LOST_OFFER_MAX) {
      const answers = await ask(open.slice(from, from + LOST_OFFER_MAX))
      if (userNow()?._id !== userId) return
      showLost(client, userId, await saveLostAnswers(userId, answers))
      if ([...answers.values()].some(({ state }) => state === 'known'))
        void client.invalidateQueries({ queryKey: queries.myTickets(userId).queryKey })
    }
  } catch (error) {
    if (!isFailure(error)) console.warn('The lost tickets could not be offered', error)
  } finally {
    offering = false
  }
}

async function ask(lost: readonly LostTicket[]): Promise<Map<string, LostAnswer>> {
  const codes = lost.map(({ ticket }) => ticket.qrCode ?? '')
  const { answers } = await callServer('offerLost', { body: { codes } })
  return new Map(lost.flatMap(({ ticket }, at) => (answers[at] ? [[ticket._id, answers[at]]] : [])))
}

/** Removes a refused ticket at the guest's request. Never throws. */
export async function removeLost(client: QueryClient, userId: string, ticketId: string): Promise<void> {
  try {
    showLost(client, userId, await dropLost(userId, ticketId))
  } catch (error) {
    console.warn('A refused ticket could not be removed', error)
  }
}
