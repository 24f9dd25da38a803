import { MINUTE_MS } from '@garba/shared/constants'
import type { WholeOrder } from '@garba/shared/contracts/order'
import { findOnlineSale } from '@garba/shared/rules/event/evening'
import { WifiOff } from 'lucide-react'
import { useParams } from 'react-router'
import { Banner, ErrorPanel } from '../../kit/Banner.tsx'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { SkeletonLines } from '../../kit/Skeleton.tsx'
import { useConfig } from '../../platform/config.ts'
import { isFailure } from '../../platform/http/failure.ts'
import { useOnline } from '../../platform/net/connectivity.ts'
import { usePageTitle } from '../../platform/page.ts'
import { useServerNow } from '../../platform/screen/now.ts'
import { OFFLINE_NOTE } from '../data/DataAge.tsx'
import type { GuestData } from '../data/useGuestData.ts'
import { failureText } from '../failures.ts'
import { GUEST_HOME, ORDERS_PATH } from '../paths.ts'
import { useWords } from '../words.ts'
import { HeldOrder } from './HeldOrder.tsx'
import styles from './OrderPage.module.css'
import { OrderSlip, OrderState, OrdersHead } from './OrderParts.tsx'
import { PaidOrder } from './PaidOrder.tsx'
import { isPaidBack, Refunds } from './Refunds.tsx'
import type { KnownOrder } from './useOrder.ts'
import { useOrderPage } from './useOrderPage.ts'
import { useOrderWords } from './words.ts'

export default function OrderPage() {
  const { code = '' } = useParams()
  const words = useOrderWords()
  const online = useOnline()
  const { data, known, isNew, setSeen } = useOrderPage(code)
  const { order } = known
  usePageTitle(words.title(code))
  return (
    <div className={styles.page}>
      <OrdersHead back={{ to: ORDERS_PATH, label: words.list.title }} title={words.title(code)}>
        <div aria-live="polite">{order === null ? null : <OrderState order={order} />}</div>
      </OrdersHead>
      {online ? null : (
        <div id={OFFLINE_NOTE}>
          <Banner tone="warn" live="status" icon={<WifiOff />}>
            <p>{order === null ? words.offline : words.offlineOld}</p>
          </Banner>
        </div>
      )}
      {order === null || data.userId === null ? (
        <Missing known={known} online={online} />
      ) : order.state === 'held' ? (
        <HeldOrder order={order} userId={data.userId} asking={known.asking} ask={known.ask} />
      ) : order.state === 'paid' ? (
        <PaidOrder
          order={order}
          userId={data.userId}
          event={data.event}
          isNew={isNew}
          isKept={!data.notKept}
          onSeen={setSeen}
        />
      ) : (
        <EndedOrder order={order} event={data.event} />
      )}
    </div>
  )
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

/** A UPI payment may be unknown to the server, so buying again is suggested only to people who have not paid. */
const EndedOrder = ({ order, event }: { order: WholeOrder; event: GuestData['event'] }) => {
  const { ended } = useOrderWords()
  const support = useConfig(({ config }) => config?.supportEmail ?? '')
  const hasMoney = order.refunds.length > 0
  const mayHavePaid = order.provider === 'upi' && !hasMoney
  const text = order.state === 'expired' ? ended.expired : ended.cancelled
  const now = useServerNow(MINUTE_MS)
  const night = event.type === 'known' ? event.value : null
  const onSale = night !== null && findOnlineSale(night, now) === 'open'
  return (
    <>
      {mayHavePaid ? (
        <Banner tone="warn" title={ended.paid}>
          <p>{order.creditSeen ? ended.creditSeen : ended.ask(order.code)}</p>
          {support === '' ? null : <p>{ended.whom(support)}</p>}
        </Banner>
      ) : (
        <Banner tone={order.refunds.every(isPaidBack) ? 'info' : 'warn'}>
          <p>{order.refunds.some(({ kind }) => kind === 'late') ? ended.late : hasMoney ? ended.back : text}</p>
        </Banner>
      )}
      <OrderSlip order={order} titled />
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
