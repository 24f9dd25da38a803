import type { ClosedEvent } from '@garba/shared/contracts/event'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { queries } from '../../platform/queries.ts'

/** In the URL, so that reload, Back and a shared link show the same event. */
export const EVENT_PARAM = 'event'

interface DeskEvent {
  /** What calls ask with; absent for the current event. */
  asked: { event?: string }
  /** The chosen closed event; null for the current one, and until it has loaded. */
  closed: ClosedEvent | null
  /** A closed event is asked for and not loaded yet. */
  loading: boolean
  /** The last closed first. */
  all: readonly ClosedEvent[]
}

/** The event that a view of the desk is about: the current one, or a closed one by `?event=ID`. */
export function useDeskEvent(): DeskEvent {
  const [params] = useSearchParams()
  const id = params.get(EVENT_PARAM) ?? ''
  const { data, isPending } = useQuery(queries.closedEvents())
  const all = data?.events ?? []
  return {
    asked: id === '' ? {} : { event: id },
    closed: all.find(({ _id }) => _id === id) ?? null,
    loading: id !== '' && isPending,
    all,
  }
}
