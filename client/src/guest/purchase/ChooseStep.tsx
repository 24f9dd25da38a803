import { GROUP_TIER_FROM } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import { formatRupees } from '@garba/shared/rules/money'
import { Check } from 'lucide-react'
import type { RefObject } from 'react'
import { Banner } from '../../kit/Banner.tsx'
import { Checkbox } from '../../kit/Checkbox.tsx'
import { NumberStepper } from '../../kit/NumberStepper.tsx'
import { Slip } from '../Slip.tsx'
import { useWords } from '../words.ts'
import styles from './ChooseStep.module.css'
import type { Price } from './order.ts'
import { SumLines, type SumProps } from './SumLines.tsx'
import type { QuantityState } from './useQuantity.ts'

interface ChooseStepProps {
  event: GarbaEvent
  wanted: QuantityState
  /** The server's answer to the last attempt. */
  refused: string | null
  agreed: boolean
  onAgreed: (agreed: boolean) => void
  field: RefObject<HTMLInputElement | null>
}

/** The first step: how many, and the terms. */
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
      <Tiers event={event} tier={price?.tier ?? 'individual'} max={wanted.max} onPick={wanted.setTyped} />
      <NumberStepper
        inputRef={props.field}
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
      <Sum quantity={quantity} price={price} event={event} />
      <div className={styles.terms}>
        <Checkbox label={words.terms} checked={agreed} onChange={({ target }) => onAgreed(target.checked)} />
        <a href="/terms-of-service" target="_blank" rel="noreferrer" className={styles.link}>
          {words.termsLink}
        </a>
      </div>
    </>
  )
}

interface TiersProps {
  event: GarbaEvent
  tier: Price['tier']
  max: number
  onPick: (typed: string) => void
}

/** Both tiers, with the one for this quantity highlighted; a press sets the first quantity of a tier. */
const Tiers = ({ event, tier, max, onPick }: TiersProps) => {
  const { buy } = useWords()
  const tiers = [
    { type: 'individual', name: buy.individual, range: buy.individualRange, price: event.ticketPrice, first: 1 },
    { type: 'group', name: buy.group, range: buy.groupRange, price: event.groupPrice4, first: GROUP_TIER_FROM },
  ] as const
  return (
    <div className={styles.tiers}>
      {tiers.map(({ type, name, range, price, first }) => (
        <button
          key={type}
          type="button"
          className={styles.tier}
          aria-pressed={type === tier}
          disabled={first > max}
          onClick={() => {
            if (type !== tier) onPick(String(first))
          }}
        >
          <span className={styles.tierName}>
            {name}
            {type === tier ? <Check aria-hidden="true" /> : null}
          </span>
          <span className={styles.soft}>{range}</span>
          <span className={styles.tierPrice}>
            {formatRupees(price)} <span className={styles.soft}>{buy.each}</span>
          </span>
        </button>
      ))}
    </div>
  )
}

/** What the order costs, or how few more tickets would make each cheaper. */
const Sum = ({ quantity, price, event }: SumProps) => {
  const { purchase: words } = useWords()
  const missing = quantity === null ? 0 : GROUP_TIER_FROM - quantity
  const hint = price?.tier === 'individual' && missing > 0 && event.groupPrice4 < event.ticketPrice
  return (
    <div aria-live="polite" aria-atomic="true">
      <Slip>
        <dl>
          <SumLines quantity={quantity} price={price} event={event} />
        </dl>
        {hint ? <p className={styles.soft}>{words.moreForGroup(missing, formatRupees(event.groupPrice4))}</p> : null}
      </Slip>
    </div>
  )
}
