import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import { getErrorMessage, isFailure } from '../../platform/http/failure.ts'
import { KEYS } from '../../platform/queries.ts'

/** Queries whose rows or figures change with an order, or with a matter, which may cancel tickets or pay refunds. */
export const WITH_ORDERS: readonly QueryKey[] = [
  KEYS.orders,
  KEYS.tickets,
  KEYS.analytics,
  KEYS.ticketStats,
  KEYS.event,
  KEYS.evening,
  KEYS.money,
]

export function isShownAtFields(error: unknown, fields: readonly string[]): boolean {
  const errors = isFailure(error) ? error.errors : []
  return errors.length > 0 && errors.every(({ field }) => fields.includes(field))
}

interface Change<V, A> {
  send: (values: V) => Promise<A>
  /** Absent where the screen itself shows the outcome. */
  done?: string | ((answer: A, values: V) => string)
  /** Why the change was not made although nothing failed; null if it was. */
  notMade?: (answer: A) => string | null
  failed: (reason: string) => string
  /** Fields whose faults the screen itself shows. */
  fields?: readonly string[]
  stale?: readonly QueryKey[]
  onSettled?: (error: unknown) => void
}

export function useChange<V = void, A = unknown>({
  send,
  done,
  notMade,
  failed,
  fields = [],
  stale = WITH_ORDERS,
  onSettled,
}: Change<V, A>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: (answer, values) => {
      const why = notMade?.(answer) ?? null
      if (why !== null) toast.warning(why)
      else if (done !== undefined) toast.success(typeof done === 'function' ? done(answer, values) : done)
    },
    onError: (error) => {
      if (!isShownAtFields(error, fields)) toast.error(failed(getErrorMessage(error)))
    },
    onSettled: (_answer, error) => {
      onSettled?.(error)
      // Not awaited, because the dialog may close as soon as the change is made.
      for (const queryKey of stale) void client.invalidateQueries({ queryKey })
    },
  })
}
