import type { GarbaEvent } from '@garba/shared/contracts/event'
import { formatRupees } from '@garba/shared/rules/money'
import type { ReactNode } from 'react'
import { Banner } from '../../kit/Banner.tsx'
import { useFormat } from '../format.ts'
import { Line, Slip } from '../Slip.tsx'
import { type Trouble, TroubleBanner } from '../Trouble.tsx'
import { useWords } from '../words.ts'
import styles from './ConfirmStep.module.css'
import type { Price } from './order.ts'
import { SumLines } from './SumLines.tsx'

interface ConfirmStepProps {
  event: GarbaEvent
  quantity: number
  price: Price
  /** Why this many cannot be bought after all. */
  problem: string | null
  trouble: Trouble | null
  children: ReactNode
}

/** The second step: the order to confirm. `children`: what follows it. */
export const ConfirmStep = ({ event, quantity, price, problem, trouble, children }: ConfirmStepProps) => {
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
          <Line label={words.purchase.tickets}>{format.count(quantity)}</Line>
          <Line label={words.purchase.tier}>{price.tier === 'group' ? words.buy.group : words.buy.individual}</Line>
          <Line label={words.purchase.pricePerTicket}>{formatRupees(price.each)}</Line>
          <SumLines quantity={quantity} price={price} event={event} />
        </dl>
      </Slip>
      {children}
    </>
  )
}
