import { GROUP_TIER_FROM } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import { formatRupees } from '@garba/shared/rules/money'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { Checkbox } from '../../kit/Checkbox.tsx'
import { NumberStepper } from '../../kit/NumberStepper.tsx'
import { useFormat } from '../format.ts'
import { Line, Slip } from '../Slip.tsx'
import { StepDialog } from '../StepDialog.tsx'
import { type Trouble, TroubleBanner } from '../Trouble.tsx'
import { useWords } from '../words.ts'
import styles from './ChooseStep.module.css'
import confirmStepStyles from './ConfirmStep.module.css'
import type { Price } from './order.ts'
import { usePurchase } from './usePurchase.ts'
import { type QuantityState, useQuantity } from './useQuantity.ts'

interface PurchaseDialogProps {
  open: boolean
  event: GarbaEvent
  userId: string
  ticketsSavedAt: number
  /** Active and used tickets the buyer has. */
  owned: number
  onClose: () => void
  onBought: () => void
}

/** SPEC 2 "Purchase dialog": quantity and terms, then the order to confirm. */
export const PurchaseDialog = ({
  open,
  event,
  userId,
  ticketsSavedAt,
  owned,
  onClose,
  onBought,
}: PurchaseDialogProps) => {
  const words = useWords()
  const wanted = useQuantity(event, owned)
  const { quantity, price, problem } = wanted
  const [agreed, setAgreed] = useState(false)
  const purchase = usePurchase({ userId, ticketsSavedAt, onBought })
  const { step } = purchase
  const choosing = step.type === 'choosing' || price === null || quantity === null
  const busy = step.type === 'buying'
  const unsure = step.type === 'confirming' && step.trouble?.type === 'unsure'
  return (
    <StepDialog
      open={open}
      onClose={onClose}
      busy={busy}
      at={choosing ? 1 : 2}
      title={choosing ? words.purchase.title : words.purchase.confirmTitle}
      footer={
        choosing ? (
          <Button tone="primary" disabled={problem !== null || !agreed} onClick={purchase.confirm}>
            {words.purchase.next}
          </Button>
        ) : (
          <>
            <Button
              tone="primary"
              busy={busy}
              disabled={problem !== null && !unsure}
              onClick={() => purchase.buy(quantity)}
            >
              {busy ? words.purchase.buying : unsure ? words.purchase.retry : words.purchase.confirm}
            </Button>
            <Button disabled={busy} onClick={purchase.back}>
              {words.back}
            </Button>
          </>
        )
      }
    >
      {choosing ? (
        <ChooseStep
          event={event}
          wanted={wanted}
          refused={step.type === 'choosing' ? step.refused : null}
          agreed={agreed}
          onAgreed={setAgreed}
        />
      ) : (
        <ConfirmStep
          event={event}
          quantity={quantity}
          price={price}
          problem={unsure ? null : problem}
          trouble={step.type === 'confirming' ? step.trouble : null}
        />
      )}
    </StepDialog>
  )
}

interface ChooseStepProps {
  event: GarbaEvent
  wanted: QuantityState
  /** The server's answer to the last attempt. */
  refused: string | null
  agreed: boolean
  onAgreed: (agreed: boolean) => void
}

const ChooseStep = (props: ChooseStepProps) => {
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

/** Both tiers, with the one for this quantity highlighted. */
const Tiers = ({ event, tier }: { event: GarbaEvent; tier: Price['tier'] }) => {
  const { buy } = useWords()
  const tiers = [
    { type: 'individual', name: buy.individual, range: buy.individualRange, price: event.ticketPrice },
    { type: 'group', name: buy.group, range: buy.groupRange, price: event.groupPrice4 },
  ] as const
  return (
    <ul className={styles.tiers}>
      {tiers.map(({ type, name, range, price }) => (
        <li key={type} className={styles.tier} aria-current={type === tier || undefined}>
          <span className={styles.tierName}>
            {name}
            {type === tier ? <Check aria-hidden="true" /> : null}
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

interface ConfirmStepProps {
  event: GarbaEvent
  quantity: number
  price: Price
  /** Why this many cannot be bought after all. */
  problem: string | null
  trouble: Trouble | null
}

/** The order to confirm. */
const ConfirmStep = ({ event, quantity, price, problem, trouble }: ConfirmStepProps) => {
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
        <div className={confirmStepStyles.head}>
          <p className={confirmStepStyles.event}>{event.name}</p>
          <p className={confirmStepStyles.soft}>
            {format.day(event.date)}, {format.hours(event)}
          </p>
          <p className={confirmStepStyles.soft}>{event.venue}</p>
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
      <p className={confirmStepStyles.note}>{words.purchase.delivered}</p>
    </>
  )
}
