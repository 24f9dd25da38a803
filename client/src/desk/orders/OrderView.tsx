import { REASON_MAX } from '@garba/shared/constants'
import type { DeskOrder } from '@garba/shared/contracts/order'
import { shortenTicketId } from '@garba/shared/messages/common'
import { formatRupees, sumRupees, toPaise, toRupees } from '@garba/shared/rules/money'
import { parseRupees } from '@garba/shared/rules/orders/orderMoney'
import { getHolderName } from '@garba/shared/rules/ticketStatus'
import { useQuery } from '@tanstack/react-query'
import { BadgeCheck, Mail, QrCode, Undo2, X } from 'lucide-react'
import { useState } from 'react'
import { useParams } from 'react-router'
import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { Card } from '../../kit/Card.tsx'
import { ConfirmDialog } from '../../kit/Dialog.tsx'
import { Checkbox, Choices, countCharacters, TextArea, TextField } from '../../kit/Field.tsx'
import { Segments } from '../../kit/Segments.tsx'
import { SkeletonCards } from '../../kit/Skeleton.tsx'
import { useConfig } from '../../platform/config.ts'
import { queries } from '../../platform/queries.ts'
import { DeskFrame, RefreshButton } from '../frame/DeskFrame.tsx'
import { EVENT_PARAM, useDeskEvent } from '../frame/deskEvent.ts'
import { LoadFailure } from '../frame/LoadedCard.tsx'
import { SaveDialog } from '../frame/SaveDialog.tsx'
import { Matters } from '../money/Matters.tsx'
import { TicketCodes } from '../sell/TicketCodes.tsx'
import { DESK } from '../texts/desk.ts'
import { ORDERS, type PaymentOutcome } from '../texts/orders.ts'
import { SELL } from '../texts/sell.ts'
import { OrderHistory, OrderSummary, OrderTickets } from './OrderParts.tsx'
import styles from './OrderView.module.css'
import { paysBackItself, sumOrderMoney } from './orderMoney.ts'
import { useOrderChanges } from './useOrderChanges.ts'

const words = ORDERS.one

export default function OrderView() {
  const { code = '' } = useParams()
  const query = useQuery(queries.deskOrder(code))
  const load = { query, failed: words.failed }
  const order = query.data?.order
  const closed = useDeskEvent().all.find(({ _id }) => _id === order?.event)
  return (
    <DeskFrame
      title={words.title(code)}
      up={{ to: `../orders${closed ? `?${EVENT_PARAM}=${closed._id}` : ''}`, label: words.all }}
      actions={
        <>
          <RefreshButton query={load.query} />
          {order ? <Actions order={order} /> : null}
        </>
      }
    >
      <LoadFailure {...load} />
      {query.isPending ? <SkeletonCards heights={[104, 184, 360]} label={words.loading} /> : null}
      {order ? (
        <div className={styles.columns}>
          <div className={styles.main}>
            <Matters matters={order.matters} title={words.matters} />
            <OrderTickets order={order} />
            <Card title={words.history}>
              <OrderHistory order={order} />
            </Card>
          </div>
          <OrderSummary order={order} />
        </div>
      ) : null}
    </DeskFrame>
  )
}

/**
 * A refund needs money left and, in a paid order, a ticket to cancel, which a closed event does not have. Money without
 * tickets can always go back.
 */
const isRefundable = (order: DeskOrder): boolean =>
  sumOrderMoney(order).left > 0 &&
  (order.state !== 'paid' || order.tickets.some(({ status, isPast }) => status !== 'cancelled' && !isPast))

const isMailable = (order: DeskOrder): boolean =>
  order.buyer.email !== '' && order.tickets.some(({ status }) => status === 'active')

/** Money may arrive late or after the order lapsed; a sale without a UTR is proven by adding its UTR. */
const isConfirmable = ({ provider, state, payments }: DeskOrder): boolean =>
  provider === 'upi' && (state !== 'paid' || payments.some(({ utr }) => utr === null))

type Open = 'refund' | 'cancel' | 'confirm' | 'codes' | null

const Actions = ({ order }: { order: DeskOrder }) => {
  const [open, setOpen] = useState<Open>(null)
  // Kept while its dialog is closed, because a repeat after a lost answer must be the same request.
  const { refund, cancel, mail } = useOrderChanges(order.code)
  const mails = useConfig(({ config }) => (config?.mail ?? 'off') !== 'off')
  const close = () => setOpen(null)
  const held = order.state === 'held'
  return (
    <>
      {isConfirmable(order) ? (
        <Button size="sm" tone="primary" icon={<BadgeCheck />} onClick={() => setOpen('confirm')}>
          {ORDERS.confirm.action}
        </Button>
      ) : null}
      {held ? (
        <Button size="sm" icon={<X />} onClick={() => setOpen('cancel')}>
          {ORDERS.cancel.action}
        </Button>
      ) : null}
      {order.tickets.some(({ qrCode }) => qrCode !== null) ? (
        <Button size="sm" icon={<QrCode />} onClick={() => setOpen('codes')}>
          {SELL.codes.open}
        </Button>
      ) : null}
      {mails && isMailable(order) ? (
        <Button size="sm" icon={<Mail />} busy={mail.isPending} onClick={() => mail.mutate()}>
          {ORDERS.mail.action}
        </Button>
      ) : null}
      {isRefundable(order) ? (
        <Button size="sm" icon={<Undo2 />} onClick={() => setOpen('refund')}>
          {ORDERS.refund.action}
        </Button>
      ) : null}
      {open === 'codes' ? (
        <TicketCodes
          tickets={order.tickets}
          order={order.code}
          along={order.channel === 'web' ? undefined : 'asked'}
          onClose={close}
        />
      ) : null}
      {open === 'refund' ? <RefundOrderDialog order={order} refund={refund} onClose={close} /> : null}
      {open === 'confirm' ? <ConfirmPaymentDialog order={order} onClose={close} /> : null}
      <ConfirmDialog
        open={open === 'cancel'}
        title={ORDERS.cancel.title(order.code)}
        tone="danger"
        confirmLabel={ORDERS.cancel.confirm}
        cancelLabel={ORDERS.cancel.keep}
        busy={cancel.isPending}
        onConfirm={() => cancel.mutate(undefined, { onSettled: close })}
        onCancel={close}
      >
        {ORDERS.cancel.text} {order.received === undefined ? '' : ORDERS.cancel.received(formatRupees(order.received))}
      </ConfirmDialog>
    </>
  )
}

const confirmPaymentWords = ORDERS.confirm

interface DialogProps {
  order: DeskOrder
  onClose: () => void
}

const ConfirmPaymentDialog = ({ order, onClose }: DialogProps) => {
  const { confirm } = useOrderChanges(order.code)
  const isProof = order.state === 'paid'
  const missing = isProof
    ? (order.payments.find(({ utr }) => utr === null)?.amount ?? order.total)
    : toRupees(toPaise(order.total) - toPaise(sumOrderMoney(order).left))
  // The field starts empty, so that the amount is read from the statement and not from the order.
  const [amount, setAmount] = useState('')
  const received = parseRupees(amount) ?? 0
  // While the desk looks for a sale's own credit, another amount is refused.
  const isFurther = received !== 0 && received !== missing && order.matters.every(({ kind }) => kind !== 'unproven')
  const [utr, setUtr] = useState(order.utr ?? '')
  const [note, setNote] = useState('')
  const isUtr = /^\d{12}$/.test(utr.trim())
  return (
    <SaveDialog
      words={confirmPaymentWords}
      description={confirmPaymentWords.of({ code: order.code, rupees: formatRupees(missing) })}
      note={
        isProof
          ? isFurther
            ? confirmPaymentWords.further(formatRupees(received))
            : confirmPaymentWords.proves
          : received === 0
            ? confirmPaymentWords.read
            : confirmPaymentWords.happens(buildPaymentOutcome(order, received, missing))
      }
      busy={confirm.isPending}
      missing={received === 0 ? DESK.missing.amount : isUtr ? null : DESK.missing.utr}
      onSave={() =>
        confirm.mutate(
          { amount: received, utr: utr.trim(), ...(note.trim() === '' ? {} : { note: note.trim() }) },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    >
      <div className="stack-4">
        <TextField
          label={confirmPaymentWords.amount}
          hint={confirmPaymentWords.amountHint}
          error={amount.trim() !== '' && received === 0 ? confirmPaymentWords.amountWrong : undefined}
          inputMode="decimal"
          autoComplete="off"
          value={amount}
          onType={setAmount}
        />
        <TextField
          label={confirmPaymentWords.utr}
          hint={confirmPaymentWords.utrHint}
          error={utr.trim() !== '' && !isUtr ? confirmPaymentWords.utrWrong : undefined}
          inputMode="numeric"
          autoComplete="off"
          value={utr}
          onType={setUtr}
        />
        <TextField label={confirmPaymentWords.note} value={note} maxLength={REASON_MAX} onType={setNote} />
      </div>
    </SaveDialog>
  )
}

function buildPaymentOutcome({ state }: DeskOrder, received: number, missing: number): PaymentOutcome {
  const held = state === 'held'
  const rupees = formatRupees(toRupees(Math.abs(toPaise(received) - toPaise(missing))))
  return { held, rupees, is: received < missing ? 'less' : received > missing ? 'more' : 'all' }
}

const refundOrderWords = ORDERS.refund
const WHAT = [
  { value: 'all', label: refundOrderWords.all },
  { value: 'some', label: refundOrderWords.some },
] as const

const RefundOrderDialog = ({
  order,
  refund,
  onClose,
}: DialogProps & Pick<ReturnType<typeof useOrderChanges>, 'refund'>) => {
  const open = order.tickets.filter(({ status }) => status !== 'cancelled')
  const [what, setWhat] = useState<'all' | 'some'>('all')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [reason, setReason] = useState('')
  const [includeUsed, setIncludeUsed] = useState(false)
  const tickets = what === 'all' ? open : open.filter(({ id }) => chosen.includes(id))
  const text = reason.trim()
  const used = tickets.filter(({ status }) => status === 'used').length
  return (
    <SaveDialog
      words={refundOrderWords}
      description={refundOrderWords.of(order.code)}
      note={paysBackItself(order) ? refundOrderWords.byItself : refundOrderWords.byHand}
      busy={refund.isPending}
      missing={
        what === 'some' && tickets.length === 0
          ? DESK.missing.ticket
          : text === ''
            ? DESK.missing.reason
            : countCharacters(text) > REASON_MAX
              ? DESK.missing.shorter(REASON_MAX)
              : used > 0 && !includeUsed
                ? DESK.missing.includeUsed
                : null
      }
      onSave={() =>
        refund.mutate(
          {
            ...(what === 'all' ? { all: true, tickets: tickets.length } : { ticketIds: tickets.map(({ id }) => id) }),
            reason: text,
            ...(used > 0 ? { includeUsed } : {}),
          },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    >
      <div className="stack-4">
        {open.length > 1 ? (
          <Segments label={refundOrderWords.what} value={what} options={WHAT} onChange={setWhat} />
        ) : null}
        {what === 'some' ? (
          <fieldset className={styles.choices}>
            <legend>{refundOrderWords.choose}</legend>
            <Choices
              options={open.map((ticket) => ({
                value: ticket.id,
                label: refundOrderWords.ticket({
                  id: shortenTicketId(ticket.id),
                  name: getHolderName(ticket),
                  price: formatRupees(ticket.price),
                  used: ticket.status === 'used',
                }),
              }))}
              chosen={chosen}
              onChoose={setChosen}
            />
          </fieldset>
        ) : null}
        <TextArea
          label={refundOrderWords.reason}
          hint={refundOrderWords.reasonHint}
          rows={2}
          max={REASON_MAX}
          value={reason}
          onType={setReason}
        />
        <Banner tone="warn" live="status">
          {happens(order, tickets)}
        </Banner>
        {used === 0 ? null : (
          <Checkbox label={refundOrderWords.includeUsed(used)} checked={includeUsed} onCheck={setIncludeUsed} />
        )}
      </div>
    </SaveDialog>
  )
}

function happens(order: DeskOrder, tickets: DeskOrder['tickets']): string {
  // Money that came late or twice bought no tickets.
  if (order.state !== 'paid') return refundOrderWords.onlyMoney(formatRupees(sumOrderMoney(order).left))
  if (tickets.length === 0) return refundOrderWords.nothing
  const rupees = formatRupees(sumRupees(tickets.map(({ price: amount }) => ({ amount }))))
  return refundOrderWords.happens({ count: tickets.length, rupees })
}
