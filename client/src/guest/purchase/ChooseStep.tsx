import { GROUP_TIER_FROM } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import { formatRupees } from '@garba/shared/rules/money'
import { Check } from 'lucide-react'
import { Banner } from '../../kit/Banner.tsx'
import { Checkbox } from '../../kit/Checkbox.tsx'
import { NumberStepper } from '../../kit/NumberStepper.tsx'
import { useWords } from '../words.ts'
import styles from './ChooseStep.module.css'
import type { Price } from './order.ts'
import type { QuantityState } from './useQuantity.ts'

interface ChooseStepProps {
  event: GarbaEvent
  wanted: QuantityState
  /** What the server said of the last try. */
  refused: string | null
  agreed: boolean
  onAgreed: (agreed: boolean) => void
}

export const ChooseStep = (props: ChooseStepProps) => {
  const { event, wanted, refused, agreed, onAgreed } = props
  const { quantity, price } = wanted
  const { purchase: words } = useWords()
  return (
    <>
      {refused === null ? null : (
        <Banner tone="bad" live="alert" title={words.refused}>
          <p>{refused}</p>
        </Banner>
      )}
      <NumberStepper
        label={words.quantity}
        typed={wanted.typed}
        value={quantity}
        onType={wanted.setTyped}
        max={wanted.max}
        hint={wanted.limits}
        error={wanted.problem}
        lessLabel={words.less}
        moreLabel={words.more}
      />
      <Tiers event={event} tier={price?.tier ?? 'individual'} />
      <Total quantity={quantity} price={price} event={event} />
      <div className={styles.terms}>
        <Checkbox label={words.terms} checked={agreed} onChange={({ target }) => onAgreed(target.checked)} />
        <a href="/terms-of-service" target="_blank" rel="noreferrer" className={styles.link}>
          {words.termsLink}
        </a>
      </div>
    </>
  )
}

/** Both tiers, the one that counts for this quantity lit. */
const Tiers = ({ event, tier }: { event: GarbaEvent; tier: Price['tier'] }) => {
  const { buy } = useWords()
  const tiers = [
    { is: 'individual', name: buy.individual, range: buy.individualRange, price: event.ticketPrice },
    { is: 'group', name: buy.group, range: buy.groupRange, price: event.groupPrice4 },
  ] as const
  return (
    <ul className={styles.tiers}>
      {tiers.map(({ is, name, range, price }) => (
        <li key={is} className={styles.tier} aria-current={is === tier || undefined}>
          <span className={styles.tierName}>
            {name}
            {is === tier ? <Check aria-hidden="true" /> : null}
          </span>
          <span className={styles.soft}>{range}</span>
          <span className={styles.tierPrice}>
            {formatRupees(price)} <span className={styles.soft}>{buy.each}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}

const Total = ({ quantity, price, event }: { quantity: number | null; price: Price | null; event: GarbaEvent }) => {
  const { purchase: words } = useWords()
  const missing = quantity === null ? 0 : GROUP_TIER_FROM - quantity
  const hint = price?.tier === 'individual' && missing > 0 && event.groupPrice4 < event.ticketPrice
  return (
    <div className={styles.total} aria-live="polite" aria-atomic="true">
      <p className={styles.sumLine}>
        <span>{words.total}</span>
        {price === null || quantity === null ? null : (
          <span className={styles.soft}>{words.sum(quantity, formatRupees(price.each))}</span>
        )}
        <strong className={styles.sum}>{price === null ? '-' : formatRupees(price.total)}</strong>
      </p>
      {price !== null && price.saving > 0 ? (
        <p className={styles.saving}>{words.saving(formatRupees(price.saving))}</p>
      ) : hint ? (
        <p className={styles.soft}>{words.moreForGroup(missing, formatRupees(event.groupPrice4))}</p>
      ) : null}
    </div>
  )
}
