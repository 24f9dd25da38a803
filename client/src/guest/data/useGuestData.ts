import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { Ticket } from '@garba/shared/contracts/ticket'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useUser } from '../../platform/identity/session.ts'
import { useConnectivity } from '../../platform/net/connectivity.ts'
import { queries } from '../../platform/store/queries.ts'
import { keep, ownTickets, useWalletInCache } from './offlineWallet.ts'

/** What is known of one thing that is asked for. */
export type Known<T> =
  | { at: 'loading' }
  | { at: 'failed'; error: unknown }
  | { at: 'known'; value: T /** Device time in ms at which the server said so. */; savedAt: number }

export interface GuestData {
  userId: string | null
  /** Newest first. */
  tickets: Known<readonly Ticket[]>
  event: Known<GarbaEvent | null>
  refreshing: boolean
  /** This browser refuses to keep the tickets. */
  notKept: boolean
  /** Asks the server for both. Throws ApiFailure. */
  refresh: () => Promise<void>
}

interface Asked<T> {
  data: T | undefined
  error: unknown
  dataUpdatedAt: number
}
function known<T>({ data, error, dataUpdatedAt }: Asked<T>): Known<T> {
  if (data !== undefined) return { at: 'known', value: data, savedAt: dataUpdatedAt }
  return error ? { at: 'failed', error } : { at: 'loading' }
}

/**
 * Everything the guest's screens show: what the device kept at once, then the server's answer, kept again; asked anew
 * by itself when the connection is back (SPEC 7, DECISIONS 4). `pollMs`: how often to ask without being told.
 */
export function useGuestData({ pollMs }: { pollMs?: number | undefined } = {}): GuestData {
  const userId = useUser()?._id ?? null
  const ready = useWalletInCache(userId)
  const ticketsQuery = useQuery({
    ...queries.myTickets(userId ?? ''),
    enabled: ready,
    refetchInterval: pollMs ?? false,
  })
  const eventQuery = useQuery({ ...queries.event(), enabled: ready })
  useAskWhenBack(userId)

  const answer = ticketsQuery.data?.tickets
  const mine = useMemo(
    () => (answer === undefined || userId === null ? undefined : ownTickets(answer, userId)),
    [answer, userId],
  )
  const event = eventQuery.data?.data
  const notKept = useKeep({ userId, tickets: mine, event, savedAt: ticketsQuery.dataUpdatedAt })

  const { refetch: askTickets } = ticketsQuery
  const { refetch: askEvent } = eventQuery
  const refresh = useCallback(async () => {
    // Without a user the server has not been heard of this sign-in: the page begins again with it.
    if (userId === null) return location.reload()
    await Promise.all([askTickets({ throwOnError: true }), askEvent({ throwOnError: true })])
  }, [userId, askTickets, askEvent])

  return {
    userId,
    tickets: userId === null ? { at: 'failed', error: null } : known({ ...ticketsQuery, data: mine }),
    event: userId === null ? { at: 'loading' } : known({ ...eventQuery, data: event }),
    refreshing: ticketsQuery.isFetching || eventQuery.isFetching,
    notKept,
    refresh,
  }
}

interface Keeping {
  userId: string | null
  tickets: readonly Ticket[] | undefined
  event: GarbaEvent | null | undefined
  savedAt: number
}
/** Each answer goes to the disk; what came from there is written back unchanged, which costs nothing. */
function useKeep({ userId, tickets, event, savedAt }: Keeping): boolean {
  const [notKept, setNotKept] = useState(false)
  useEffect(() => {
    if (userId === null || tickets === undefined) return
    let gone = false
    void keep({ userId, tickets: [...tickets], event: event ?? null, savedAt }).then((kept) => {
      if (!gone) setNotKept(!kept)
    })
    return () => {
      gone = true
    }
  }, [userId, tickets, event, savedAt])
  return notKept
}

function useAskWhenBack(userId: string | null): void {
  const client = useQueryClient()
  useEffect(
    () =>
      useConnectivity.subscribe(({ state }, before) => {
        if (state !== 'online' || before.state !== 'offline' || userId === null) return
        void client.invalidateQueries({ queryKey: queries.myTickets(userId).queryKey })
        void client.invalidateQueries({ queryKey: queries.event().queryKey })
      }),
    [client, userId],
  )
}
