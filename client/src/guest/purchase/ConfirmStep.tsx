import type { GarbaEvent } from '@garba/shared/contracts/event'
import { formatRupees } from '@garba/shared/rules/money'
import { Banner } from '../../kit/Banner.tsx'
import { useFormat } from '../format.ts'
import { Line, Slip } from '../Slip.tsx'
import { type Trouble, TroubleBanner } from '../Trouble.tsx'
import { useWords } from '../words.ts'
import styles from './ConfirmStep.module.css'
import type { Price } from './order.ts'

interface ConfirmStepProps {
  event: GarbaEvent
  quantity: number
  price: Price
  /** Fewer remain than are wanted. */
  problem: string | null
  trouble: Trouble | null
}

/** The order, as it will be bought. */
export const ConfirmStep = ({ event, quantity, price, problem, trouble }: ConfirmStepProps) => {
  const words = useWords()
  const format = useFormat()
  return (
    <>
      <TroubleBanner trouble={trouble} refused={words.purchase.refused} />
      {problem === null ? null : (
        <Banner tone="bad" live="alert">
          <p>{problem}</p>
        </Banner>
      )}
      <Slip>
        <div className={styles.head}>
          <p className={styles.event}>{event.name}</p>
          <p className={styles.soft}>
            {format.day(event.date)}, {format.hours(event)}
          </p>
          <p className={styles.soft}>{event.venue}</p>
        </div>
        <dl>
          <Line label={words.purchase.tickets}>{quantity}</Line>
          <Line label={words.purchase.tier}>{price.tier === 'group' ? words.buy.group : words.buy.individual}</Line>
          <Line label={words.purchase.pricePerTicket}>{formatRupees(price.each)}</Line>
          {price.saving > 0 ? <Line label={words.purchase.savingLabel}>{formatRupees(price.saving)}</Line> : null}
          <Line label={words.purchase.total} strong>
            {formatRupees(price.total)}
          </Line>
        </dl>
      </Slip>
      <p className={styles.note}>{words.purchase.delivered}</p>
    </>
  )
}
