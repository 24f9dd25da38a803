import type { ClosedEvent } from '@garba/shared/contracts/event'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { queries } from '../../platform/queries.ts'

/** The event is in the URL, so that reload, Back and a shared link keep it. */
export const EVENT_PARAM = 'event'

interface DeskEvent {
  /** The query of calls about the event; empty for the current event. */
  eventQuery: { event?: string }
  /** The closed event by the URL; null for the current event, and until it has loaded. */
  chosen: ClosedEvent | null
  /** The closed event that the view shows: the chosen event, or the last until a new event exists. */
  closed: ClosedEvent | null
  loading: boolean
  all: readonly ClosedEvent[]
  /** Whether `all` is known, or could not be loaded. */
  isLoaded: boolean
  refetch: () => void
}

export function useDeskEvent(): DeskEvent {
  const [params] = useSearchParams()
  const id = params.get(EVENT_PARAM) ?? ''
  // Not `isPending`, which comes again with each try after a failed one, and would hide what has asked for it.
  const { data, isFetched, refetch } = useQuery(queries.closedEvents())
  const current = useQuery(queries.event()).data
  const all = data?.events ?? []
  const chosen = all.find(({ _id }) => _id === id) ?? null
  return {
    eventQuery: id === '' ? {} : { event: id },
    chosen,
    closed: chosen ?? (id === '' && current?.data === null ? (all[0] ?? null) : null),
    loading: id !== '' && !isFetched,
    all,
    isLoaded: isFetched,
    refetch,
  }
}
