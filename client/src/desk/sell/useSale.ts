import { SELL } from '@garba/shared/messages/deskSell'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from 'sonner'
import { type AnswerOf, type BodyOf, call } from '../../platform/http/call.ts'
import { isFailure, isNetworkFailure, messageOf } from '../../platform/http/failure.ts'
import { KEYS } from '../../platform/queries.ts'

type SaleBody = BodyOf<'sellAtDesk'>

/** A sale whose answer was lost. It outlives the view, so that coming back goes on with it. */
let unanswered: { key: string; body: SaleBody } | null = null

const STALE = [
  KEYS.orders,
  KEYS.tickets,
  KEYS.analytics,
  KEYS.ticketStats,
  KEYS.event,
  KEYS.evening,
  KEYS.money,
  KEYS.cash,
]

type Step =
  | { type: 'filling'; errors: ReadonlyMap<string, string> }
  | { type: 'selling' }
  | { type: 'unsure'; body: SaleBody }

const filling: Step = { type: 'filling', errors: new Map() }

/** One sale at a time, each under its own key: sent again after a lost answer, it is sold once (DECISIONS 2 and 7). */
export function useSale(onSold: (sale: AnswerOf<'sellAtDesk'>) => void) {
  const client = useQueryClient()
  const [step, setStep] = useState<Step>(() =>
    unanswered === null ? filling : { type: 'unsure', body: unanswered.body },
  )

  const send = async (key: string, body: SaleBody) => {
    setStep({ type: 'selling' })
    try {
      const sale = await call('sellAtDesk', { body, headers: { 'Idempotency-Key': key } })
      unanswered = null
      setStep(filling)
      onSold(sale)
      void Promise.all(STALE.map((queryKey) => client.invalidateQueries({ queryKey })))
    } catch (error) {
      toast.error(SELL.failedSale(messageOf(error)))
      if (isNetworkFailure(error)) {
        unanswered = { key, body }
        return setStep({ type: 'unsure', body })
      }
      unanswered = null
      const errors = isFailure(error) ? error.errors : []
      setStep({ type: 'filling', errors: new Map(errors.map(({ field, message }) => [field, message])) })
      void client.invalidateQueries({ queryKey: KEYS.event })
    }
  }

  return {
    step,
    sell: (body: SaleBody) => void send(crypto.randomUUID(), body),
    again: () => {
      if (unanswered !== null) void send(unanswered.key, unanswered.body)
    },
    giveUp: () => {
      unanswered = null
      setStep(filling)
    },
  }
}
