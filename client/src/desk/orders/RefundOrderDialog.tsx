import { REASON_MAX } from '@garba/shared/constants'
import type { DeskOrder } from '@garba/shared/contracts/order'
import { last8 } from '@garba/shared/messages/common'
import { ORDERS } from '@garba/shared/messages/deskOrders'
import { formatRupees } from '@garba/shared/rules/money'
import { nameOn } from '@garba/shared/rules/ticketName'
import { useState } from 'react'
import { Banner } from '../../kit/Banner.tsx'
import { Checkbox } from '../../kit/Checkbox.tsx'
import { Segments } from '../../kit/Segments.tsx'
import { TextArea } from '../../kit/TextArea.tsx'
import type { BodyOf } from '../../platform/http/call.ts'
import { SaveDialog } from '../frame/SaveDialog.tsx'
import styles from './Order.module.css'
import { moneyOf, paysBackItself, sumOf } from './orderMoney.ts'

const words = ORDERS.refund
const WHAT = [
  { value: 'all', label: words.all },
  { value: 'some', label: words.some },
] as const

interface RefundOrderDialogProps {
  order: DeskOrder
  busy: boolean
  onSave: (body: BodyOf<'refundOrder'>) => void
  onClose: () => void
}

/** Cancels tickets of an order and gives their money back. */
export const RefundOrderDialog = ({ order, busy, onSave, onClose }: RefundOrderDialogProps) => {
  const open = order.tickets.filter(({ status }) => status !== 'cancelled')
  const [what, setWhat] = useState<'all' | 'some'>('all')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [reason, setReason] = useState('')
  const tickets = what === 'all' ? open : open.filter(({ id }) => chosen.has(id))
  const choose = (id: string, on: boolean) => {
    const next = new Set(chosen)
    if (on) next.add(id)
    else next.delete(id)
    setChosen(next)
  }
  const text = reason.trim()
  return (
    <SaveDialog
      words={words}
      description={words.of(order.code)}
      note={paysBackItself(order) ? words.byItself : words.byHand}
      busy={busy}
      disabled={(what === 'some' && tickets.length === 0) || text === '' || text.length > REASON_MAX}
      onSave={() =>
        onSave(what === 'all' ? { all: true, reason: text } : { ticketIds: tickets.map(({ id }) => id), reason: text })
      }
      onClose={onClose}
    >
      <div className={styles.form}>
        {open.length > 1 ? <Segments label={words.what} value={what} options={WHAT} onChange={setWhat} /> : null}
        {what === 'some' ? (
          <fieldset className={styles.choices} disabled={busy}>
            <legend>{words.choose}</legend>
            {open.map((ticket) => (
              <Checkbox
                key={ticket.id}
                label={words.ticket({
                  id: last8(ticket.id),
                  name: nameOn(ticket),
                  price: formatRupees(ticket.price),
                })}
                checked={chosen.has(ticket.id)}
                onChange={({ target }) => choose(ticket.id, target.checked)}
              />
            ))}
          </fieldset>
        ) : null}
        <TextArea
          label={words.reason}
          hint={words.reasonHint}
          rows={2}
          max={REASON_MAX}
          value={reason}
          disabled={busy}
          onChange={({ target }) => setReason(target.value)}
        />
        <Banner tone="warn" live="status">
          {happens(order, tickets)}
        </Banner>
      </div>
    </SaveDialog>
  )
}

function happens(order: DeskOrder, tickets: DeskOrder['tickets']): string {
  // Money that came late or twice bought no tickets.
  if (order.state !== 'paid') return words.onlyMoney(formatRupees(moneyOf(order).left))
  if (tickets.length === 0) return words.nothing
  const rupees = formatRupees(sumOf(tickets.map(({ price: amount }) => ({ amount }))))
  return words.happens({ count: tickets.length, rupees })
}
