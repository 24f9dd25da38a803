import type { Ticket } from '@garba/shared/contracts/ticket'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from 'sonner'
import { call } from '../../platform/http/call.ts'
import { isFailure, isNetworkFailure } from '../../platform/http/failure.ts'
import { queries } from '../../platform/queries.ts'
import { replaceTicket } from '../data/replaceTicket.ts'
import { failureText } from '../failures.ts'
import type { Trouble } from '../Trouble.tsx'
import { useWords } from '../words.ts'

/** How far a cancellation has got. */
type Step = { type: 'form' } | { type: 'confirming'; trouble: Trouble | null } | { type: 'cancelling' }

interface CancelOptions {
  ticket: Ticket
  userId: string
  onCancelled: () => void
}

/** The cancel flow of SPEC 4: form, confirm, call; on success a toast, the dialog closes and data reloads. */
export function useCancel({ ticket, userId, onCancelled }: CancelOptions) {
  const words = useWords()
  const client = useQueryClient()
  const [step, setStep] = useState<Step>({ type: 'form' })
  const [unsure, setUnsure] = useState(false)
  const mine = queries.myTickets(userId)

  const done = (cancelled: Ticket | null) => {
    if (cancelled !== null) replaceTicket(client, userId, cancelled)
    toast.success(words.toasts.cancelled)
    onCancelled()
    void client.invalidateQueries({ queryKey: mine.queryKey })
    void client.invalidateQueries({ queryKey: queries.event().queryKey })
  }

  /** An attempt that seemed lost had arrived: the refusal of the next one proves it. */
  const hadArrived = async (error: unknown): Promise<boolean> => {
    if (!isFailure(error) || error.code !== 'TICKET_NOT_ACTIVE' || !(unsure || error.repeated)) return false
    const { tickets } = await client.fetchQuery({ ...mine, staleTime: 0 })
    return tickets.some(({ _id, status }) => _id === ticket._id && status === 'cancelled')
  }

  const failed = async (error: unknown) => {
    if (await hadArrived(error).catch(() => false)) return done(null)
    const text = failureText(error, words)
    toast.error(words.toasts.cancel(text))
    if (isNetworkFailure(error)) setUnsure(true)
    else void client.invalidateQueries({ queryKey: mine.queryKey })
    setStep({
      type: 'confirming',
      trouble: isNetworkFailure(error) ? { type: 'unsure', text: words.cancel.unsure } : { type: 'refused', text },
    })
  }

  const cancel = async (reason: string) => {
    setStep({ type: 'cancelling' })
    try {
      const answer = await call('cancelTicket', { params: { id: ticket._id }, body: { reason: reason.trim() } })
      done(answer.ticket)
    } catch (error) {
      await failed(error)
    }
  }

  return {
    step,
    confirm: () => setStep({ type: 'confirming', trouble: null }),
    back: () => setStep({ type: 'form' }),
    cancel: (reason: string) => void cancel(reason),
  }
}
