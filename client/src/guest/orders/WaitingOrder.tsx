import type { WholeOrder } from '@garba/shared/contracts/order'
import { orderPage } from '@garba/shared/contracts/site/pages'
import { formatRupees } from '@garba/shared/rules/money'
import { Hourglass } from 'lucide-react'
import { Banner } from '../../kit/Banner.tsx'
import { AnchorButton } from '../../kit/Button.tsx'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { CancelOrder, Countdown, useTimeLeft } from './HeldOrder.tsx'
import { useOrderWords } from './words.ts'

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

/** How long the seats are still held, or what is done meanwhile. */
export const WaitingTime = ({ order }: { order: WholeOrder }) => {
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
 * Pays: on the provider's page, in this tab, or on the order's page, which has everything else about paying. A payment that
 * the organiser checks by hand can only be looked at.
 */
export const WaitingActions = ({ order, userId }: WaitingOrderProps) => {
  const { waiting, title } = useOrderWords()
  const over = useTimeLeft(order.holdUntil) === 0
  const path = orderPage(order.code)
  if (order.utr !== undefined || over) return <ButtonLink to={path}>{title(order.code)}</ButtonLink>
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
