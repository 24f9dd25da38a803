import type { ClosedEvent } from '@garba/shared/contracts/event'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { queries } from '../../platform/queries.ts'

/** The event is in the URL, so that reload, Back and a shared link keep it. */
export const EVENT_PARAM = 'event'

interface DeskEvent {
  /** The query of calls about the event; empty for the current one. */
  eventQuery: { event?: string }
  /** The chosen closed event; null for the current one, and until it has loaded. */
  closed: ClosedEvent | null
  /** Whether a closed event is chosen but not loaded yet. */
  loading: boolean
  /** The closed events, last closed first. */
  all: readonly ClosedEvent[]
  refetch: () => void
}

/** The event of a desk view: the current one, or a closed one by `?event=ID`. */
export function useDeskEvent(): DeskEvent {
  const [params] = useSearchParams()
  const id = params.get(EVENT_PARAM) ?? ''
  const { data, isPending, refetch } = useQuery(queries.closedEvents())
  const all = data?.events ?? []
  return {
    eventQuery: id === '' ? {} : { event: id },
    closed: all.find(({ _id }) => _id === id) ?? null,
    loading: id !== '' && isPending,
    all,
    refetch,
  }
}
