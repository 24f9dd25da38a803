import { DEFAULT_MAX_PER_ORDER, GROUP_TIER_FROM } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { GuestProvider } from '@garba/shared/contracts/names'
import type { WholeOrder } from '@garba/shared/contracts/order'
import type { TicketTypeOffer } from '@garba/shared/contracts/types/ticketType'
import { formatRupees } from '@garba/shared/rules/money'
import { largestQuantity, mayStillBuy, quantityProblem, readQuantity } from '@garba/shared/rules/orders/sale'
import { Check } from 'lucide-react'
import { lazy, type ReactNode, type RefObject, Suspense, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { Checkbox } from '../../kit/Field.tsx'
import { NumberStepper } from '../../kit/NumberStepper.tsx'
import { Line, Slip } from '../../kit/Slip.tsx'
import { useConfig } from '../../platform/config.ts'
import { useOnline } from '../../platform/net/connectivity.ts'
import { setWantedPurchase } from '../../platform/wantedPurchase.ts'
import { useFormat } from '../format.ts'
import { StepDialog, type Trouble, TroubleBanner } from '../StepDialog.tsx'
import { useTypeWords } from '../types/words.ts'
import { type GuestWords, useWords } from '../words.ts'
import { limitsText, type Price, problemText, quotePurchase } from './order.ts'
import styles from './PurchaseDialog.module.css'
import { TypeLines, type TypeLinesState, TypeSum, useTypeLines } from './TypeLines.tsx'
import { type ChosenPurchase, type PurchaseOptions, usePurchase } from './usePurchase.ts'

// This dialog's code has loaded, so no reload can lose the press any more.
setWantedPurchase(null)

const PayChoice = lazy(async () => ({ default: (await import('../orders/PayChoice.tsx')).PayChoice }))
const WaitingDialog = lazy(async () => ({ default: (await import('../orders/HeldOrder.tsx')).WaitingDialog }))

interface PurchaseDialogProps extends PurchaseOptions {
  open: boolean
  event: GarbaEvent
  quantity: number
  type: string | undefined
  owned: number
  waiting: WholeOrder | null
  onClose: () => void
  onClosed: () => void
}

/** One type without an end to its price is sold as tickets, without a word about types. */
const isSoldByType = (types: readonly TicketTypeOffer[]): boolean =>
  types.length > 1 || types.some(({ phase }) => phase.until !== null || phase.left !== null)

const NO_PROVIDERS: readonly GuestProvider[] = []

export const PurchaseDialog = (props: PurchaseDialogProps) => {
  const { event, onClose, open, owned } = props
  const words = useWords()
  const online = useOnline()
  const field = useRef<HTMLInputElement>(null)
  const choice = useQuantity({ event, owned, start: props.quantity })
  const typeChoice = useTypeLines({ event, owned, start: props.type })
  const [wantsCode, setWantsCode] = useState(false)
  const hasTypes = isSoldByType(event.types ?? []) || wantsCode
  const { price } = choice
  const { quantity, problem } = hasTypes ? typeChoice : choice
  const [agreed, setAgreed] = useState(false)
  const [missed, setMissed] = useState(false)
  const terms = useRef<HTMLInputElement>(null)
  const providers = useConfig(({ config }) => config?.payments.providers ?? NO_PROVIDERS)
  const [picked, setPicked] = useState<GuestProvider | null>(null)
  const provider = providers.find((one) => one === picked) ?? providers[0] ?? null
  const purchase = usePurchase(props)
  const { step } = purchase
  const next = () => {
    if (problem !== null) return field.current?.focus()
    setMissed(!agreed)
    if (agreed) purchase.confirm()
    else terms.current?.focus()
  }
  const chosen: ChosenPurchase | null = hasTypes
    ? typeChoice
    : price === null || quantity === null
      ? null
      : { quantity, total: price.total, body: { quantity } }
  const choosing = step.type === 'choosing' || chosen === null
  const busy = step.type === 'buying'
  const unsure = step.type === 'confirming' && step.trouble?.type === 'unsure'
  if (props.waiting !== null && !busy)
    return (
      <Suspense fallback={null}>
        <WaitingDialog
          open={open}
          order={props.waiting}
          userId={props.userId}
          onClose={onClose}
          onClosed={props.onClosed}
        />
      </Suspense>
    )
  return (
    <StepDialog
      open={open}
      onClose={onClose}
      onClosed={props.onClosed}
      field={field}
      busy={busy}
      at={choosing ? 1 : 2}
      title={choosing ? words.buy.title : words.purchase.confirmTitle}
      footer={
        choosing ? (
          <>
            <Terms box={terms} agreed={agreed} missed={missed} onAgreed={setAgreed} />
            <Button tone="primary" onClick={next}>
              {words.purchase.next}
            </Button>
          </>
        ) : (
          <>
            <Button
              tone="primary"
              busy={busy}
              disabled={problem !== null && !unsure}
              aria-describedby={problem !== null && !unsure ? WHY_NOT : undefined}
              onClick={() => purchase.buy(chosen, provider)}
            >
              {busy
                ? words.purchase.buying
                : unsure
                  ? words.purchase.retry
                  : provider === null
                    ? words.purchase.get(chosen.quantity)
                    : words.purchase.pay(formatRupees(chosen.total))}
            </Button>
            <Button disabled={busy} onClick={purchase.back}>
              {words.back}
            </Button>
          </>
        )
      }
    >
      {online ? null : (
        <Banner tone="warn" live="status">
          <p>{words.purchase.offline}</p>
        </Banner>
      )}
      {choosing ? (
        <ChooseStep
          event={event}
          choice={choice}
          typeChoice={hasTypes ? typeChoice : null}
          onWantCode={() => {
            const [only] = typeChoice.types
            if (only !== undefined) typeChoice.type(only.id, choice.typed)
            setWantsCode(true)
          }}
          refused={step.type === 'choosing' && step.refused !== problem ? step.refused : null}
          field={field}
        />
      ) : (
        <ConfirmStep
          event={event}
          sum={
            hasTypes || price === null ? (
              <TypeSum choice={typeChoice} />
            ) : (
              <TierSum quantity={chosen.quantity} price={price} />
            )
          }
          problem={unsure ? null : problem}
          trouble={step.type === 'confirming' ? step.trouble : null}
        >
          {provider === null ? (
            <p className={styles.note}>{words.purchase.delivered}</p>
          ) : (
            <Suspense fallback={null}>
              <PayChoice providers={providers} chosen={provider} disabled={busy} onChoose={setPicked} />
            </Suspense>
          )}
        </ConfirmStep>
      )}
    </StepDialog>
  )
}

const WHY_NOT = 'purchase-why-not'

interface ConfirmStepProps {
  event: GarbaEvent
  sum: ReactNode
  problem: string | null
  trouble: Trouble | null
  children: ReactNode
}

const ConfirmStep = ({ event, sum, problem, trouble, children }: ConfirmStepProps) => {
  const words = useWords()
  const format = useFormat()
  return (
    <>
      <TroubleBanner trouble={trouble} refused={words.purchase.refused} />
      {problem === null ? null : (
        <Banner tone="bad" live="alert">
          <p id={WHY_NOT}>{problem}</p>
        </Banner>
      )}
      <Slip>
        <div className={styles.head}>
          <p className={styles.event}>{event.name}</p>
          <p className="soft">
            {format.day(event.date)}, {format.hours(event)}
          </p>
          <p className="soft">{event.venue}</p>
        </div>
        <dl>{sum}</dl>
      </Slip>
      {children}
    </>
  )
}

const TierSum = ({ quantity, price }: { quantity: number; price: Price }) => {
  const words = useWords()
  return (
    <>
      <Line label={words.purchase.tier}>{price.tier === 'group' ? words.buy.group : words.buy.individual}</Line>
      <Line label={words.purchase.tickets}>{sumText(quantity, price, words.purchase)}</Line>
      <Line label={words.purchase.total} strong>
        {formatRupees(price.total)}
      </Line>
    </>
  )
}

interface ChooseStepProps {
  event: GarbaEvent
  choice: QuantityState
  typeChoice: TypeLinesState | null
  onWantCode: () => void
  refused: string | null
  field: RefObject<HTMLInputElement | null>
}

const ChooseStep = (props: ChooseStepProps) => {
  const { event, choice, refused } = props
  const { quantity, price } = choice
  const { purchase: words } = useWords()
  const { haveCode } = useTypeWords()
  const codeField = useRef<HTMLInputElement>(null)
  const wantCode = () => {
    flushSync(props.onWantCode)
    codeField.current?.focus()
  }
  const [typedBefore] = useState(choice.typed)
  // The field may say the same already, and once the number is changed the answer is out of date.
  const isSaid = refused === choice.problem || choice.typed !== typedBefore
  return (
    <>
      {refused === null || isSaid ? null : (
        <Banner tone="bad" live="alert" title={words.refused}>
          <p>{refused}</p>
        </Banner>
      )}
      {props.typeChoice === null ? (
        <>
          <Tiers event={event} tier={price?.tier ?? 'individual'} max={choice.max} onPick={choice.setTyped} />
          <NumberStepper
            inputRef={props.field}
            label={words.quantity}
            typed={choice.typed}
            value={quantity}
            onType={choice.setTyped}
            max={choice.max}
            hint={choice.limits}
            error={choice.problem}
            lessLabel={words.less}
            moreLabel={words.more}
          />
          <Sum quantity={quantity} price={price} event={event} max={choice.max} />
          {event.hasCodes ? (
            <div>
              <Button size="sm" tone="ghost" onClick={wantCode}>
                {haveCode}
              </Button>
            </div>
          ) : null}
        </>
      ) : (
        <TypeLines choice={props.typeChoice} asksCode={event.hasCodes === true} codeField={codeField} />
      )}
    </>
  )
}

interface TermsProps {
  box: RefObject<HTMLInputElement | null>
  agreed: boolean
  missed: boolean
  onAgreed: (agreed: boolean) => void
}

const Terms = ({ box, agreed, missed, onAgreed }: TermsProps) => {
  const { purchase: words } = useWords()
  const error = useId()
  const isMissing = missed && !agreed
  return (
    <div className={styles.terms}>
      <Checkbox
        ref={box}
        label={
          <>
            {words.terms[0]}
            <a href="/terms-of-service" target="_blank" rel="noreferrer">
              {words.terms[1]}
            </a>
            {words.terms[2]}
          </>
        }
        checked={agreed}
        aria-invalid={isMissing || undefined}
        aria-describedby={isMissing ? error : undefined}
        onChange={({ target }) => onAgreed(target.checked)}
      />
      {isMissing ? (
        <p id={error} role="alert" className={styles.missing}>
          {words.termsMissing}
        </p>
      ) : null}
    </div>
  )
}

interface TiersProps {
  event: GarbaEvent
  tier: Price['tier']
  max: number
  onPick: (typed: string) => void
}

const Tiers = ({ event, tier, max, onPick }: TiersProps) => {
  const { buy, purchase } = useWords()
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
            {type === tier ? <Check /> : null}
          </span>
          <span className={styles.soft}>{first > max ? purchase.atMost(max) : range}</span>
          <span className={styles.tierPrice}>
            {formatRupees(price)} <span className={styles.soft}>{buy.each}</span>
          </span>
        </button>
      ))}
    </div>
  )
}

const sumText = (quantity: number, { each, saving }: Price, { sum }: GuestWords['purchase']): string =>
  sum(quantity, formatRupees(each), saving > 0 ? formatRupees(saving) : null)

interface SumProps {
  quantity: number | null
  price: Price | null
  event: GarbaEvent
  max: number
}

const Sum = ({ quantity, price, event, max }: SumProps) => {
  const { purchase: words } = useWords()
  const missing = quantity === null ? 0 : GROUP_TIER_FROM - quantity
  const isCheaper = price?.tier === 'individual' && event.groupPrice4 < event.ticketPrice
  const hint = isCheaper && missing > 0 && GROUP_TIER_FROM <= max
  return (
    <div aria-live="polite" aria-atomic="true">
      <Slip>
        <dl>
          <Line label={quantity !== null && price !== null ? sumText(quantity, price, words) : words.total} strong>
            {price === null ? '-' : formatRupees(price.total)}
          </Line>
        </dl>
        {hint ? <p className={styles.soft}>{words.moreForGroup(missing, formatRupees(event.groupPrice4))}</p> : null}
      </Slip>
    </div>
  )
}

/**
 * The quantity as typed, never reformatted, and everything derived from it. `owned` counts the buyer's active and used
 * tickets. It begins with `start`, or fewer if not as many can be bought; the remaining tickets may change meanwhile.
 */
function useQuantity({ event, owned, start }: { event: GarbaEvent; owned: number; start: number }) {
  const words = useWords()
  const perOrder = useConfig(({ config }) => config?.maxPerOrder ?? DEFAULT_MAX_PER_ORDER)
  const perPerson = useConfig(({ config }) => config?.maxPerPerson ?? 0)
  const limits = { perOrder, perPerson }
  const bounds = { limits, owned, remaining: event.availableTickets }
  const max = largestQuantity(bounds)
  const [typed, setTyped] = useState(() => String(Math.min(start, max)))
  const quantity = readQuantity(typed)
  const problem = quantityProblem({ ...bounds, quantity })
  return {
    typed,
    setTyped,
    quantity,
    max,
    limits: limitsText(limits, mayStillBuy(limits, owned), words),
    problem: problem === null ? null : problemText(problem, limits, words),
    price: quotePurchase(quantity, event),
  }
}
type QuantityState = ReturnType<typeof useQuantity>
