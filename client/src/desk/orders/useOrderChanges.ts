import { REQUEST_RETRIES } from '@garba/shared/constants'
import { type BodyOf, callServer } from '../../platform/http/call.ts'
import { useRequestKey } from '../../platform/http/unsure.ts'
import { useChange } from '../frame/useChange.ts'
import { CHANGE_BUYER } from '../texts/buyer.ts'
import { ORDERS } from '../texts/orders.ts'

export function useOrderChanges(code: string) {
  const params = { code }
  const { key, renewKey } = useRequestKey()
  const refund = useChange({
    send: (body: BodyOf<'refundOrder'>) =>
      callServer('refundOrder', { params, body, headers: { 'Idempotency-Key': key } }),
    onSettled: renewKey,
    failed: ORDERS.refund.failed,
  })
  const cancel = useChange({
    send: () => callServer('cancelDeskOrder', { params, retries: REQUEST_RETRIES }),
    notMade: ({ order }) => (order.state === 'paid' ? ORDERS.cancel.paid : null),
    failed: ORDERS.cancel.failed,
  })
  const confirm = useChange({
    // Safe to repeat: the same credit changes nothing more.
    send: (body: BodyOf<'confirmOrder'>) => callServer('confirmOrder', { params, body, retries: REQUEST_RETRIES }),
    failed: ORDERS.confirm.failed,
  })
  const markPaid = useChange({
    send: (id: string) => callServer('refund', { params: { id }, body: { isRefundDone: true } }),
    failed: ORDERS.markPaid.failed,
  })
  const mail = useChange({
    // A repeated request within a minute means the same mail.
    send: () => callServer('resendOrder', { params, retries: REQUEST_RETRIES }),
    done: ORDERS.mail.done,
    failed: ORDERS.mail.failed,
  })
  const erase = useChange({
    send: () => callServer('eraseBuyer', { params, retries: REQUEST_RETRIES }),
    done: ORDERS.erase.done,
    failed: ORDERS.erase.failed,
  })
  const correct = useChange({
    // Safe to repeat: the same buyer changes nothing more.
    send: (body: BodyOf<'correctBuyer'>) => callServer('correctBuyer', { params, body, retries: REQUEST_RETRIES }),
    failed: CHANGE_BUYER.failed,
  })
  return { correct, refund, cancel, confirm, markPaid, mail, erase }
}
