import { REQUEST_RETRIES } from '@garba/shared/constants'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toast } from 'sonner'
import { type AnswerOf, type BodyOf, call } from '../../platform/http/call.ts'
import { messageOf } from '../../platform/http/failure.ts'
import { useRequestKey } from '../../platform/http/unsure.ts'
import { KEYS } from '../../platform/queries.ts'
import { ORDERS } from '../texts/orders.ts'

/** Queries whose rows or figures a change to an order makes stale. */
const STALE = [KEYS.orders, KEYS.tickets, KEYS.analytics, KEYS.ticketStats, KEYS.event, KEYS.evening, KEYS.money]

interface Change<V, A> {
  send: (values: V) => Promise<A>
  done: string | ((answer: A) => string)
  failed: (reason: string) => string
  settle?: (error: unknown) => void
}

function useChange<V, A = unknown>({ send, done, failed, settle }: Change<V, A>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: (answer) => toast.success(typeof done === 'function' ? done(answer) : done),
    onError: (error) => toast.error(failed(messageOf(error))),
    // The refetch is not awaited, because the dialog may close as soon as the change is made.
    onSettled: (_answer, error) => {
      settle?.(error)
      void Promise.all(STALE.map((queryKey) => client.invalidateQueries({ queryKey })))
    },
  })
}

/** An admin's changes to an order. */
export function useOrderChanges(code: string) {
  const params = { code }
  const { key, settle } = useRequestKey()
  const refund = useChange({
    send: (body: BodyOf<'refundOrder'>) => call('refundOrder', { params, body, headers: { 'Idempotency-Key': key } }),
    settle,
    done: ORDERS.refund.done,
    failed: ORDERS.refund.failed,
  })
  const cancel = useChange<void, AnswerOf<'cancelDeskOrder'>>({
    send: () => call('cancelDeskOrder', { params, retries: REQUEST_RETRIES }),
    done: ({ order }) => (order.state === 'paid' ? ORDERS.cancel.paid : ORDERS.cancel.done),
    failed: ORDERS.cancel.failed,
  })
  const confirm = useChange({
    // The same credit again changes nothing.
    send: (body: BodyOf<'confirmOrder'>) => call('confirmOrder', { params, body, retries: REQUEST_RETRIES }),
    done: ORDERS.confirm.done,
    failed: ORDERS.confirm.failed,
  })
  const markPaid = useChange({
    send: (id: string) => call('refund', { params: { id }, body: { isRefundDone: true } }),
    done: ORDERS.markPaid.done,
    failed: ORDERS.markPaid.failed,
  })
  const mail = useChange<void>({
    // A repeated request within a minute means the same mail.
    send: () => call('resendOrder', { params, retries: REQUEST_RETRIES }),
    done: ORDERS.mail.done,
    failed: ORDERS.mail.failed,
  })
  const erase = useChange<void>({
    send: () => call('eraseBuyer', { params, retries: REQUEST_RETRIES }),
    done: ORDERS.erase.done,
    failed: ORDERS.erase.failed,
  })
  return { refund, cancel, confirm, markPaid, mail, erase }
}
