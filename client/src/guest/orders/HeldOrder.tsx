import { MINUTE_MS, REQUEST_RETRIES, SECOND_MS } from '@garba/shared/constants'
import type { Order, WholeOrder } from '@garba/shared/contracts/order'
import { orderPage } from '@garba/shared/contracts/site/pages'
import { formatRupees } from '@garba/shared/rules/money'
import { useQueryClient } from '@tanstack/react-query'
import { Hourglass } from 'lucide-react'
import { useState } from 'react'
import { toast } from 'sonner'
import { Banner } from '../../kit/Banner.tsx'
import { AnchorButton, Button } from '../../kit/Button.tsx'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { ConfirmDialog } from '../../kit/Dialog.tsx'
import { Spinner } from '../../kit/Spinner.tsx'
import { callServer } from '../../platform/http/call.ts'
import { isFailure } from '../../platform/http/failure.ts'
import { useOnline } from '../../platform/net/connectivity.ts'
import { useServerNow } from '../../platform/screen/now.ts'
import { needsNetwork } from '../data/DataAge.tsx'
import { failureText } from '../failures.ts'
import { GuestDialog } from '../GuestDialog.tsx'
import { useWords } from '../words.ts'
import countdownStyles from './HeldOrder.module.css'
import styles from './OrderPage.module.css'
import { isPaymentGiven, OrderSlip } from './OrderParts.tsx'
import { UpiPay } from './UpiPay.tsx'
import { type KnownOrder, refreshAfterOrder, useChecking } from './useOrder.ts'
import { useOrderWords } from './words.ts'

interface HeldOrderProps {
  order: WholeOrder
  userId: string
  asking: boolean
  ask: KnownOrder['ask']
}

export const HeldOrder = ({ order, userId, asking, ask }: HeldOrderProps) => {
  const { waiting } = useOrderWords()
  const checking = useChecking(order.code)
  const over = useTimeLeft(order.holdUntil) === 0
  const isGiven = isPaymentGiven(order)
  return (
    <>
      <OrderSlip order={order} titled />
      {isGiven ? (
        <Banner icon={<Hourglass />}>
          <WaitingTime order={order} />
        </Banner>
      ) : (
        <div>
          <WaitingTime order={order} />
        </div>
      )}
      {checking && !isGiven ? (
        <>
          <Banner icon={<Spinner />} live="status" title={waiting.returned}>
            <p>{waiting.checking}</p>
          </Banner>
          {over || order.payUrl === undefined ? null : (
            <div className={styles.buttons}>
              <AnchorButton tone="ghost" href={order.payUrl}>
                {waiting.payNow}
              </AnchorButton>
            </div>
          )}
        </>
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

interface WaitingOrderProps {
  order: WholeOrder
  userId: string
}

export const WaitingOrder = ({ order, userId }: WaitingOrderProps) => {
  const words = useOrderWords()
  const checking = useChecking(order.code) && !isPaymentGiven(order)
  return (
    <Banner
      tone={checking ? 'info' : 'warn'}
      icon={checking ? <Spinner /> : <Hourglass />}
      title={checking ? words.waiting.returned : words.waiting.title}
      actions={<WaitingActions order={order} userId={userId} />}
    >
      <p>{`${words.title(order.code)}: ${words.tickets(order.quantity)}, ${formatRupees(order.total)}`}</p>
      <WaitingTime order={order} />
    </Banner>
  )
}

const WaitingTime = ({ order }: { order: WholeOrder }) => {
  const { waiting, upi } = useOrderWords()
  const left = useTimeLeft(order.holdUntil)
  const checking = useChecking(order.code)
  if (order.creditSeen) return <p role="status">{upi.seen}</p>
  if (order.utr !== undefined)
    return (
      <>
        <p>{upi.given}</p>
        <p>{upi.givenUtr(order.utr)}</p>
      </>
    )
  if (left === 0) return <p role="status">{waiting.over}</p>
  if (checking) return null
  return (
    <>
      {order.received === undefined ? null : (
        <p>{upi.received(formatRupees(order.received), formatRupees(order.total))}</p>
      )}
      {left === null ? null : <Countdown left={left} />}
    </>
  )
}

/** A payment that the organiser checks by hand can only be viewed. */
const WaitingActions = ({ order, userId }: WaitingOrderProps) => {
  const { waiting, title } = useOrderWords()
  const over = useTimeLeft(order.holdUntil) === 0
  const checking = useChecking(order.code)
  const path = orderPage(order.code)
  if (isPaymentGiven(order) || over || checking) return <ButtonLink to={path}>{title(order.code)}</ButtonLink>
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
  return (
    <GuestDialog
      open={open}
      onClose={onClose}
      onClosed={onClosed}
      title={waiting.title}
      description={waiting.text}
      footer={<WaitingActions order={order} userId={userId} />}
    >
      <div className="stack-4">
        <OrderSlip order={order} />
        <WaitingTime order={order} />
      </div>
    </GuestDialog>
  )
}

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

const CancelOrder = ({ order, userId }: { order: Pick<Order, 'code' | 'received'>; userId: string }) => {
  const { waiting, cancelOrder } = useOrderWords()
  const words = useWords()
  const client = useQueryClient()
  const online = useOnline()
  const [step, setStep] = useState<'closed' | 'asking' | 'sending'>('closed')
  const send = async () => {
    setStep('sending')
    try {
      // A retry after a lost answer is refused as no longer held.
      const answer = await callServer('cancelOrder', { params: { code: order.code }, retries: REQUEST_RETRIES })
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
