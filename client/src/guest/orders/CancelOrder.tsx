import type { Order } from '@garba/shared/contracts/order'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from 'sonner'
import { Button } from '../../kit/Button.tsx'
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx'
import { call } from '../../platform/http/call.ts'
import { isFailure } from '../../platform/http/failure.ts'
import { useOnline } from '../../platform/net/connectivity.ts'
import { OFFLINE_NOTE } from '../data/DataAge.tsx'
import { failureText } from '../failures.ts'
import { useWords } from '../words.ts'
import { refreshAfterOrder } from './useOrder.ts'
import { useOrderWords } from './words.ts'

/** Cancels a waiting order, after a question. A payment that has arrived meanwhile keeps it. */
export const CancelOrder = ({ order, userId }: { order: Pick<Order, 'code'>; userId: string }) => {
  const { waiting, cancelOrder } = useOrderWords()
  const words = useWords()
  const client = useQueryClient()
  const online = useOnline()
  const [step, setStep] = useState<'closed' | 'asking' | 'sending'>('closed')
  const send = async () => {
    setStep('sending')
    try {
      const answer = await call('cancelOrder', { params: { code: order.code } })
      toast.info(answer.order.state === 'paid' ? cancelOrder.paid : cancelOrder.done)
    } catch (error) {
      // Paid, expired or cancelled meanwhile, which the next answer shows.
      if (!isFailure(error) || error.code !== 'ORDER_NOT_HELD')
        toast.error(cancelOrder.failed(failureText(error, words)))
    }
    setStep('closed')
    refreshAfterOrder(client, userId)
  }
  return (
    <>
      <Button disabled={!online} aria-describedby={online ? undefined : OFFLINE_NOTE} onClick={() => setStep('asking')}>
        {waiting.cancelOrder}
      </Button>
      <ConfirmDialog
        open={step !== 'closed'}
        title={cancelOrder.title}
        confirmLabel={cancelOrder.confirm}
        cancelLabel={cancelOrder.keep}
        tone="danger"
        busy={step === 'sending'}
        onConfirm={() => void send()}
        onCancel={() => setStep('closed')}
      >
        <p>{cancelOrder.text}</p>
      </ConfirmDialog>
    </>
  )
}
