import { UNPAID_SEATS_PER_PERSON } from '@garba/shared/constants'
import { readQuantity } from '@garba/shared/rules/orders/sale'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { NumberStepper } from '../../kit/NumberStepper.tsx'
import { useConfig } from '../../platform/config.ts'
import { callServer } from '../../platform/http/call.ts'
import { queries } from '../../platform/queries.ts'
import { failureText } from '../failures.ts'
import { useFormat } from '../format.ts'
import { useWords } from '../words.ts'
import { useOrderWords } from './words.ts'

export const WaitingList = ({ userId }: { userId: string }) => {
  const all = useWords()
  const { line: words } = useOrderWords()
  const format = useFormat()
  const client = useQueryClient()
  const isFree = useConfig(({ config }) => config?.payments.providers.length === 0)
  const perOrder = useConfig(({ config }) => config?.maxPerOrder ?? UNPAID_SEATS_PER_PERSON)
  const most = Math.min(perOrder, UNPAID_SEATS_PER_PERSON)
  const { data } = useQuery(queries.ownWaiting(userId))
  const [typed, setTyped] = useState('1')
  const quantity = readQuantity(typed)
  const change = useMutation({
    mutationFn: (send: () => Promise<unknown>) => send(),
    onSettled: () => client.invalidateQueries(),
  })
  const busy = change.isPending
  const failed = change.error === null ? null : <p role="alert">{failureText(change.error, all)}</p>
  if (data === undefined) return null
  const { waiting, offer } = data
  if (offer !== null) {
    const headers = { 'Idempotency-Key': `offer:${offer.order}` }
    const take = () => callServer('buyTickets', { body: { quantity: offer.quantity }, headers })
    return (
      <div className="stack-3" role="status" data-offer>
        <p>
          <strong>{words.offered(offer.quantity, format.clock(offer.until))}</strong> {words.after}
        </p>
        {failed}
        {/* What is paid for waits as an order, at the head of the page. */}
        {isFree ? (
          <Button block tone="primary" busy={busy} onClick={() => change.mutate(take)}>
            {words.take(offer.quantity)}
          </Button>
        ) : null}
      </div>
    )
  }
  if (waiting !== null)
    return (
      <div className="stack-3" role="status">
        <p>
          <strong>{words.inLine(waiting.quantity)}</strong> {words.ahead(waiting.ahead)} {words.happens}
        </p>
        {failed}
        <Button block busy={busy} onClick={() => change.mutate(() => callServer('leaveWaiting'))}>
          {words.leave}
        </Button>
      </div>
    )
  return (
    <div className="stack-3">
      <p>{words.intro}</p>
      <NumberStepper
        label={words.howMany}
        typed={typed}
        value={quantity}
        onType={setTyped}
        max={most}
        lessLabel={words.less}
        moreLabel={words.more}
        error={quantity === null || quantity > most ? words.atMost(most) : undefined}
      />
      {failed}
      <Button
        block
        tone="primary"
        busy={busy}
        disabled={quantity === null || quantity < 1 || quantity > most}
        onClick={() => change.mutate(() => callServer('joinWaiting', { body: { quantity: quantity ?? 1 } }))}
      >
        {words.join}
      </Button>
    </div>
  )
}
