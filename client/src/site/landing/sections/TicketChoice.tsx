import { GROUP_TIER_FROM } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import { formatRupees } from '@garba/shared/rules/money'
import { largestQuantity } from '@garba/shared/rules/orders/sale'
import { Minus, Plus } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { priceOf } from '../../../guest/purchase/order.ts'
import { IconButton } from '../../../kit/IconButton.tsx'
import { useConfig } from '../../../platform/config.ts'
import { roleOf, useSession, useSessionStore } from '../../../platform/identity/session.ts'
import styles from './TicketChoice.module.css'
import { useSectionWords } from './words.ts'

interface TicketChoiceProps {
  event: GarbaEvent
  quantity: number
  onChoose: (quantity: number) => void
}

/** How many tickets the guest wants, with the total. The purchase begins with this number. */
export const TicketChoice = ({ event, quantity, onChoose }: TicketChoiceProps) => {
  const { choice: words } = useSectionWords()
  const perOrder = useConfig(({ config }) => config?.maxPerOrder ?? GROUP_TIER_FROM)
  const max = largestQuantity({ limits: { perOrder, perPerson: 0 }, owned: 0, remaining: event.availableTickets })
  const set = (next: number) => onChoose(Math.min(max, Math.max(1, next)))
  useWantedTickets(set)
  useEffect(() => useSessionStore.setState({ chosen: quantity }), [quantity])
  useEffect(() => () => useSessionStore.setState({ chosen: undefined }), [])
  const price = priceOf(quantity, event)
  const group = priceOf(GROUP_TIER_FROM, event)
  const offersGroup = quantity < GROUP_TIER_FROM && GROUP_TIER_FROM <= max && group !== null && group.saving > 0
  return (
    <div className={styles.choice}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a flex row in every browser */}
      <div role="group" aria-label={words.title} className={styles.stepper}>
        <IconButton
          outlined
          label={words.less}
          icon={<Minus aria-hidden="true" />}
          disabled={quantity <= 1}
          onClick={() => set(quantity - 1)}
        />
        <output className={styles.count}>{quantity}</output>
        <IconButton
          outlined
          label={words.more}
          icon={<Plus aria-hidden="true" />}
          disabled={quantity >= max}
          onClick={() => set(quantity + 1)}
        />
      </div>
      <div className={styles.sum}>
        <p className={styles.total} aria-live="polite">
          {price && words.total(formatRupees(price.total))}
        </p>
        {offersGroup ? (
          <button type="button" className={styles.group} onClick={() => set(GROUP_TIER_FROM)}>
            {words.group(GROUP_TIER_FROM, formatRupees(group.total), formatRupees(group.saving))}
          </button>
        ) : price && price.saving > 0 ? (
          <p className={styles.saving}>{words.saving(formatRupees(price.saving))}</p>
        ) : null}
      </div>
    </div>
  )
}

/** A link such as /?tickets=4 chooses the number, and takes a guest who is signed in to the purchase at once. */
function useWantedTickets(choose: (quantity: number) => void): void {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const session = useSession()
  const done = useRef(false)
  const wanted = Number(search.get('tickets'))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the link counts once; the number can be changed after it
  useEffect(() => {
    if (done.current || session.type === 'initializing' || !Number.isInteger(wanted) || wanted < 1) return
    done.current = true
    choose(wanted)
    if (roleOf(session) === 'guest') void navigate('/dashboard', { replace: true, state: { buy: wanted } })
  }, [wanted, session])
}
