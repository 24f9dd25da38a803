import type { WholeOrder } from '@garba/shared/contracts/order'
import { WifiOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router'
import { Banner } from '../../kit/Banner.tsx'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { ErrorPanel } from '../../kit/ErrorPanel.tsx'
import { SkeletonLines } from '../../kit/Skeleton.tsx'
import { useConfig } from '../../platform/config.ts'
import { isFailure } from '../../platform/http/failure.ts'
import { useOnline } from '../../platform/net/connectivity.ts'
import { usePageTitle } from '../../platform/page.ts'
import { OFFLINE_NOTE } from '../data/DataAge.tsx'
import { type GuestData, useGuestData } from '../data/useGuestData.ts'
import { failureText } from '../failures.ts'
import { GUEST_HOME, ORDERS_PATH } from '../paths.ts'
import { useWords } from '../words.ts'
import { HeldOrder } from './HeldOrder.tsx'
import styles from './OrderPage.module.css'
import { OrderSlip, OrderState, OrdersHead } from './OrderParts.tsx'
import { PaidOrder, Refunds } from './PaidOrder.tsx'
import { type KnownOrder, useOrder } from './useOrder.ts'
import { useOrderWords } from './words.ts'

/** One order of the guest, from its payment to its refunds. The provider sends payers back here. */
export default function OrderPage() {
  const { code = '' } = useParams()
  const words = useOrderWords()
  const online = useOnline()
  const data = useGuestData()
  const known = useOrder(data.userId, code)
  const { order } = known
  const returned = useReturn()
  const [waited, setWaited] = useState(false)
  const [seen, setSeen] = useState(false)
  if (order?.state === 'held' && !waited) setWaited(true)
  usePageTitle(words.title(code))
  return (
    <div className={styles.page}>
      <OrdersHead back={{ to: ORDERS_PATH, label: words.list.title }} title={words.title(code)}>
        <div aria-live="polite">{order === null ? null : <OrderState state={order.state} />}</div>
      </OrdersHead>
      {online ? null : (
        <div id={OFFLINE_NOTE}>
          <Banner tone="warn" live="status" icon={<WifiOff aria-hidden="true" />}>
            <p>{order === null ? words.offline : words.offlineOld}</p>
          </Banner>
        </div>
      )}
      {order === null || data.userId === null ? (
        <Missing known={known} online={online} />
      ) : order.state === 'held' ? (
        <HeldOrder order={order} userId={data.userId} asking={known.asking} ask={known.ask} returned={returned} />
      ) : order.state === 'paid' ? (
        <PaidOrder
          order={order}
          userId={data.userId}
          event={data.event}
          isNew={(waited || returned) && !seen}
          isKept={!data.notKept}
          onSeen={() => setSeen(true)}
        />
      ) : (
        <EndedOrder order={order} event={data.event} />
      )}
    </div>
  )
}

/** Whether the provider sent the payer here. What it added to the address is taken out of it. */
function useReturn(): boolean {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const [returned] = useState(search !== '')
  useEffect(() => {
    if (search !== '') void navigate(pathname, { replace: true })
  }, [pathname, search, navigate])
  return returned
}

const Missing = ({ known, online }: { known: KnownOrder; online: boolean }) => {
  const orderWords = useOrderWords()
  const words = useWords()
  const { error } = known
  if (error === null) return <SkeletonLines lines={5} label={orderWords.loading} />
  if (!online) return null
  const unknown = isFailure(error) && error.code === 'ORDER_NOT_FOUND'
  return (
    <ErrorPanel
      title={orderWords.failed}
      busy={known.asking}
      retryLabel={orderWords.list.retry}
      onRetry={unknown ? undefined : () => void known.ask()}
    >
      {unknown ? orderWords.notFound : failureText(error, words)}
    </ErrorPanel>
  )
}

/**
 * An order that was not paid in time, or that was cancelled; money that came afterwards goes back. A payment by UPI may be in the
 * bank without the server knowing of it, so only those who have not paid are led to buying again.
 */
const EndedOrder = ({ order, event }: { order: WholeOrder; event: GuestData['event'] }) => {
  const { ended } = useOrderWords()
  const support = useConfig(({ config }) => config?.supportEmail ?? '')
  const hasMoney = order.refunds.length > 0
  const mayHavePaid = order.provider === 'upi' && !hasMoney
  const text = order.state === 'expired' ? ended.expired : ended.cancelled
  const onSale = event.type === 'known' && event.value !== null && event.value.availableTickets > 0
  return (
    <>
      {mayHavePaid ? (
        <Banner tone="warn" title={ended.paid}>
          <p>{order.creditSeen ? ended.creditSeen : ended.ask(order.code)}</p>
          {support === '' ? null : <p>{ended.whom(support)}</p>}
        </Banner>
      ) : (
        <Banner tone={hasMoney ? 'warn' : 'info'}>
          <p>{order.refunds.some(({ kind }) => kind === 'late') ? ended.late : hasMoney ? ended.back : text}</p>
        </Banner>
      )}
      <OrderSlip order={order} />
      <Refunds order={order} />
      {onSale && !order.creditSeen ? (
        <div className={styles.buttons}>
          <ButtonLink
            to={GUEST_HOME}
            state={{ buy: order.quantity }}
            tone={mayHavePaid ? 'secondary' : 'primary'}
            size="lg"
          >
            {mayHavePaid ? ended.notPaid : ended.again}
          </ButtonLink>
        </div>
      ) : null}
    </>
  )
}
