import type { WholeOrder } from '@garba/shared/contracts/order'
import { Banner } from '../../kit/Banner.tsx'
import { AnchorButton, Button } from '../../kit/Button.tsx'
import { useOnline } from '../../platform/net/connectivity.ts'
import { useTimeLeft } from './Countdown.tsx'
import { LetGo } from './LetGo.tsx'
import styles from './OrderPage.module.css'
import { OrderSlip } from './OrderSlip.tsx'
import { UpiPay } from './UpiPay.tsx'
import type { KnownOrder } from './useOrder.ts'
import { WaitingTime } from './WaitingOrder.tsx'
import { useOrderWords } from './words.ts'

interface HeldOrderProps {
  order: WholeOrder
  userId: string
  asking: boolean
  ask: KnownOrder['ask']
}

/** An order that waits for its payment: how to pay, and for how long still. */
export const HeldOrder = ({ order, userId, asking, ask }: HeldOrderProps) => {
  const { waiting } = useOrderWords()
  const over = useTimeLeft(order.holdUntil) === 0
  const isGiven = order.utr !== undefined
  return (
    <>
      <OrderSlip order={order} />
      <div>
        <WaitingTime order={order} />
      </div>
      {isGiven || over ? null : (
        <>
          {order.upi ? <UpiPay order={order} upi={order.upi} userId={userId} /> : null}
          {order.upi || order.payUrl !== undefined ? null : <NotOpened asking={asking} ask={ask} />}
          <div className={styles.buttons}>
            {order.payUrl === undefined ? null : (
              <AnchorButton tone="primary" size="lg" href={order.payUrl}>
                {waiting.payNow}
              </AnchorButton>
            )}
            <LetGo order={order} userId={userId} />
          </div>
          {order.upi ? null : <p className={styles.soft}>{waiting.checking}</p>}
        </>
      )}
    </>
  )
}

/** The provider has not made its page yet: reading the order again asks it again. */
const NotOpened = ({ asking, ask }: Pick<HeldOrderProps, 'asking' | 'ask'>) => {
  const { waiting } = useOrderWords()
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
        <Button tone="primary" busy={asking} disabled={!online} onClick={() => void retry()}>
          {asking ? waiting.retrying : waiting.retry}
        </Button>
      }
    >
      <p>{waiting.notOpened}</p>
    </Banner>
  )
}
