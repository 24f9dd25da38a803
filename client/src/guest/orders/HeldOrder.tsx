import { REQUEST_RETRIES } from '@garba/shared/constants'
import type { Order, WholeOrder } from '@garba/shared/contracts/order'
import { orderPage } from '@garba/shared/contracts/site/pages'
import { formatRupees } from '@garba/shared/rules/money'
import { latinDigits } from '@garba/shared/rules/orders/sale'
import { useQueryClient } from '@tanstack/react-query'
import { Copy, Hourglass, Smartphone } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import { toast } from 'sonner'
import { Banner } from '../../kit/Banner.tsx'
import { AnchorButton, Button } from '../../kit/Button.tsx'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { Card } from '../../kit/Card.tsx'
import { ConfirmDialog, Dialog } from '../../kit/Dialog.tsx'
import { TextField } from '../../kit/Field.tsx'
import { IconButton } from '../../kit/IconButton.tsx'
import { Qr } from '../../kit/Qr.tsx'
import { Spinner } from '../../kit/Spinner.tsx'
import { offerOtherBrowser } from '../../platform/embedded.ts'
import { call } from '../../platform/http/call.ts'
import { isFailure } from '../../platform/http/failure.ts'
import { useOnline } from '../../platform/net/connectivity.ts'
import { useServerNow } from '../../platform/screen/now.ts'
import { needsNetwork } from '../data/DataAge.tsx'
import { failureText } from '../failures.ts'
import { useBackToClose } from '../useBackToClose.ts'
import { useWords } from '../words.ts'
import countdownStyles from './Countdown.module.css'
import styles from './OrderPage.module.css'
import { OrderSlip } from './OrderParts.tsx'
import upiPayStyles from './UpiPay.module.css'
import { type KnownOrder, refreshAfterOrder } from './useOrder.ts'
import { useOrderWords } from './words.ts'

interface HeldOrderProps {
  order: WholeOrder
  userId: string
  asking: boolean
  ask: KnownOrder['ask']
  /** Whether the payment page has just sent the payer back. */
  returned: boolean
}

/** A payment usually arrives within this time after the return from the payment page; until then nobody can pay again. */
const CHECKING_MS = 30_000

/** Whether the organiser now checks a payment, so that the order can be neither paid again nor cancelled. */
const isPaymentGiven = ({ utr, creditSeen }: WholeOrder): boolean => utr !== undefined || creditSeen === true

/** An order that waits for its payment: how to pay, and how much time is left. */
export const HeldOrder = ({ order, userId, asking, ask, returned }: HeldOrderProps) => {
  const { waiting } = useOrderWords()
  const [checking, setChecking] = useState(returned)
  useEffect(() => {
    if (!checking) return
    const timer = setTimeout(() => setChecking(false), CHECKING_MS)
    return () => clearTimeout(timer)
  }, [checking])
  const over = useTimeLeft(order.holdUntil) === 0
  const isGiven = isPaymentGiven(order)
  return (
    <>
      <OrderSlip order={order} titled />
      <div>
        <WaitingTime order={order} />
      </div>
      {checking && !isGiven ? (
        <Banner icon={<Spinner />} live="status" title={waiting.returned}>
          <p>{waiting.checking}</p>
        </Banner>
      ) : isGiven ? null : (
        <>
          {order.upi ? <UpiPay order={order} upi={order.upi} userId={userId} over={over} /> : null}
          {over || order.upi || order.payUrl !== undefined ? null : <NotOpened asking={asking} ask={ask} />}
          {over ? null : (
            <div className={styles.buttons}>
              {order.payUrl === undefined ? null : (
                <AnchorButton tone="primary" size="lg" href={order.payUrl}>
                  {waiting.payNow}
                </AnchorButton>
              )}
              <CancelOrder order={order} userId={userId} />
            </div>
          )}
          {over || order.upi ? null : <p className={styles.soft}>{waiting.checking}</p>}
        </>
      )}
    </>
  )
}

/** The provider has not made its page yet. Reading the order again requests it again. */
const NotOpened = ({ asking, ask }: Pick<HeldOrderProps, 'asking' | 'ask'>) => {
  const { waiting, list } = useOrderWords()
  const online = useOnline()
  const retry = async () => {
    const order = await ask()
    if (order?.payUrl !== undefined) location.assign(order.payUrl)
  }
  return (
    <Banner
      tone="warn"
      live="alert"
      actions={
        <Button tone="primary" busy={asking} {...needsNetwork(online)} onClick={() => void retry()}>
          {asking ? waiting.retrying : list.retry}
        </Button>
      }
    >
      <p>{waiting.notOpened}</p>
    </Banner>
  )
}

interface UpiPayProps {
  order: WholeOrder
  upi: NonNullable<Order['upi']>
  userId: string
  /** Nobody may begin to pay any more, but who has just paid still has the number. */
  over: boolean
}

/** Payment with the guest's own app: open it, scan the code or copy the details, then enter the bank's number. */
const UpiPay = ({ order, upi, userId, over }: UpiPayProps) => {
  const { upi: words, ended } = useOrderWords()
  return (
    <Card title={over ? ended.paid : words.title}>
      {over ? null : (
        <div className={upiPayStyles.ways}>
          <div className={upiPayStyles.scan}>
            <Qr text={upi.link} label={words.qr} className={upiPayStyles.qr} />
            <p className="soft">{words.scan}</p>
          </div>
          <div className="stack-3">
            <AnchorButton
              block
              tone="primary"
              size="lg"
              href={upi.link}
              icon={<Smartphone aria-hidden="true" />}
              onClick={(event) => {
                if (offerOtherBrowser(upi.link)) event.preventDefault()
              }}
            >
              {words.open}
            </AnchorButton>
            <h3 className={upiPayStyles.heading}>{words.byHand}</h3>
            <dl className="stack-2">
              <Copyable label={words.id} text={upi.id} />
              <Copyable label={words.amount} text={upi.amount.toFixed(2)} shown={formatRupees(upi.amount)} />
              <Copyable label={words.note} text={upi.note} />
            </dl>
          </div>
        </div>
      )}
      <UtrForm code={order.code} userId={userId} />
    </Card>
  )
}

const Copyable = ({ label, text, shown = text }: { label: string; text: string; shown?: string }) => {
  const { upi } = useOrderWords()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      toast.success(upi.copied)
    } catch (error) {
      console.warn('No clipboard', error)
      toast.error(upi.notCopied)
    }
  }
  return (
    <div className={upiPayStyles.fact}>
      <dt>{label}</dt>
      <dd>
        <span>{shown}</span>
        <IconButton label={upi.copy(label)} icon={<Copy aria-hidden="true" />} onClick={() => void copy()} />
      </dd>
    </div>
  )
}

const UTR = /^\d{12}$/

/** The bank's number of the payment, by which the organiser finds it. */
const UtrForm = ({ code, userId }: { code: string; userId: string }) => {
  const { upi } = useOrderWords()
  const words = useWords()
  const client = useQueryClient()
  const online = useOnline()
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState<string | null>(null)
  const [sending, setSending] = useState(false)
  const give = async (utr: string) => {
    setSending(true)
    try {
      await call('giveUtr', { params: { code }, body: { utr }, retries: REQUEST_RETRIES })
    } catch (error) {
      setWrong(isFailure(error) && error.code === 'UTR_USED' ? upi.utrUsed : failureText(error, words))
    }
    setSending(false)
    refreshAfterOrder(client, userId)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const utr = latinDigits(typed).replaceAll(/\s/g, '')
    if (!UTR.test(utr)) return setWrong(upi.utrWrong)
    setWrong(null)
    void give(utr)
  }
  return (
    <form className={upiPayStyles.form} onSubmit={submit} noValidate>
      <TextField
        label={upi.utr}
        hint={upi.utrHint}
        error={wrong}
        inputMode="numeric"
        autoComplete="off"
        maxLength={20}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          setWrong(null)
        }}
      />
      <Button type="submit" busy={sending} {...needsNetwork(online)}>
        {sending ? upi.sending : upi.send}
      </Button>
    </form>
  )
}

interface WaitingOrderProps {
  order: WholeOrder
  userId: string
}

/** "You have an order waiting", above everything else on the guest's home. */
export const WaitingOrder = ({ order, userId }: WaitingOrderProps) => {
  const words = useOrderWords()
  return (
    <Banner
      tone="warn"
      icon={<Hourglass aria-hidden="true" />}
      title={words.waiting.title}
      actions={<WaitingActions order={order} userId={userId} />}
    >
      <p>{`${words.title(order.code)}: ${words.tickets(order.quantity)}, ${formatRupees(order.total)}`}</p>
      <WaitingTime order={order} />
    </Banner>
  )
}

/** How long the seats are still held, or what happens meanwhile. */
const WaitingTime = ({ order }: { order: WholeOrder }) => {
  const { waiting, upi } = useOrderWords()
  const left = useTimeLeft(order.holdUntil)
  if (order.creditSeen) return <p role="status">{upi.seen}</p>
  if (order.utr !== undefined)
    return (
      <p>
        {upi.given} {upi.givenUtr(order.utr)}
      </p>
    )
  if (left === 0) return <p role="status">{waiting.over}</p>
  return (
    <>
      {order.received === undefined ? null : (
        <p>{upi.received(formatRupees(order.received), formatRupees(order.total))}</p>
      )}
      {left === null ? null : <Countdown left={left} />}
    </>
  )
}

/**
 * Leads to the provider's page in this tab, or to the order's page, which explains the other ways to pay. A payment that the
 * organiser checks by hand can only be viewed.
 */
const WaitingActions = ({ order, userId }: WaitingOrderProps) => {
  const { waiting, title } = useOrderWords()
  const over = useTimeLeft(order.holdUntil) === 0
  const path = orderPage(order.code)
  if (isPaymentGiven(order) || over) return <ButtonLink to={path}>{title(order.code)}</ButtonLink>
  return (
    <>
      {order.payUrl === undefined ? (
        <ButtonLink tone="primary" to={path}>
          {waiting.pay}
        </ButtonLink>
      ) : (
        <AnchorButton tone="primary" href={order.payUrl}>
          {waiting.pay}
        </AnchorButton>
      )}
      <CancelOrder order={order} userId={userId} />
    </>
  )
}

interface WaitingDialogProps {
  open: boolean
  order: WholeOrder
  userId: string
  onClose: () => void
  onClosed: () => void
}

/** The dialog replaces a new purchase, because only one order at a time can wait for its payment. */
export const WaitingDialog = ({ open, order, userId, onClose, onClosed }: WaitingDialogProps) => {
  const { waiting } = useOrderWords()
  const words = useWords()
  useBackToClose({ open, busy: false, close: onClose })
  return (
    <Dialog
      open={open}
      onClose={onClose}
      onClosed={onClosed}
      title={waiting.title}
      description={waiting.text}
      closeLabel={words.close}
      footer={<WaitingActions order={order} userId={userId} />}
    >
      <div className="stack-4">
        <OrderSlip order={order} />
        <WaitingTime order={order} />
      </div>
    </Dialog>
  )
}

const SECOND_MS = 1_000
const MINUTE_MS = 60_000
/** The minutes announced to screen readers. */
const TOLD_AT = [1, 2, 5, 10, 15, 30, 60] as const

/** Milliseconds until an instant by the server's clock, never below 0, updated each second; null without an instant. */
function useTimeLeft(until: string | null): number | null {
  const now = useServerNow(SECOND_MS)
  return until === null ? null : Math.max(0, Date.parse(until) - now)
}

/** Seconds as 14:59, or as 23:59:59 from an hour on. */
function clockText(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  const twoDigits = (part: number) => String(part).padStart(2, '0')
  return `${hours === 0 ? minutes : `${hours}:${twoDigits(minutes)}`}:${twoDigits(seconds % 60)}`
}

/** The time left to pay: each second on the screen, now and then for a screen reader. */
export const Countdown = ({ left }: { left: number }) => {
  const { waiting } = useOrderWords()
  const seconds = Math.ceil(left / SECOND_MS)
  const minutes = TOLD_AT.find((at) => left <= at * MINUTE_MS)
  return (
    <div className={countdownStyles.countdown}>
      <span className={countdownStyles.label} aria-hidden="true">
        {waiting.left}
      </span>
      <span className={countdownStyles.time} aria-hidden="true">
        {clockText(seconds)}
      </span>
      <span className="spoken" role="status">
        {minutes === undefined ? '' : waiting.announce(minutes)}
      </span>
    </div>
  )
}

/** Cancels a waiting order after a confirmation. If a payment has arrived meanwhile, the order stays. */
const CancelOrder = ({ order, userId }: { order: Pick<Order, 'code' | 'received'>; userId: string }) => {
  const { waiting, cancelOrder } = useOrderWords()
  const words = useWords()
  const client = useQueryClient()
  const online = useOnline()
  const [step, setStep] = useState<'closed' | 'asking' | 'sending'>('closed')
  const send = async () => {
    setStep('sending')
    try {
      // A repetition after a lost answer is refused as no longer held.
      const answer = await call('cancelOrder', { params: { code: order.code }, retries: REQUEST_RETRIES })
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
      <Button {...needsNetwork(online)} onClick={() => setStep('asking')}>
        {waiting.cancelOrder}
      </Button>
      <ConfirmDialog
        open={step !== 'closed'}
        title={cancelOrder.title}
        confirmLabel={waiting.cancelOrder}
        cancelLabel={cancelOrder.keep}
        tone="danger"
        busy={step === 'sending'}
        onConfirm={() => void send()}
        onCancel={() => setStep('closed')}
      >
        <p>{order.received === undefined ? cancelOrder.text : cancelOrder.returned(formatRupees(order.received))}</p>
      </ConfirmDialog>
    </>
  )
}
