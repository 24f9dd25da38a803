import { NAME_MAX, REASON_MAX, REFERENCE_MAX } from '@garba/shared/constants'
import type { NamedType, TicketTypeOffer } from '@garba/shared/contracts/types/ticketType'
import { formatRupees, toRupees } from '@garba/shared/rules/money'
import { computeChange } from '@garba/shared/rules/orders/orderMoney'
import { readQuantity } from '@garba/shared/rules/orders/sale'
import { pickTypeName } from '@garba/shared/rules/types/ticketTypes'
import { Ticket } from 'lucide-react'
import { Banner } from '../../../kit/Banner.tsx'
import { Button } from '../../../kit/Button.tsx'
import { Checkbox, TextField, useFirstWrong } from '../../../kit/Field.tsx'
import { NumberStepper } from '../../../kit/NumberStepper.tsx'
import { Segments } from '../../../kit/Segments.tsx'
import { Select } from '../../../kit/Select.tsx'
import { useLanguage } from '../../../platform/language.ts'
import { useRight } from '../../core/pairing.ts'
import { type Draft, quoteDoorSale } from '../../core/sale.ts'
import { useOtherDay } from '../../scan/practice.ts'
import { SELL_HERE } from '../../texts/sell.ts'
import frame from '../evening/GateScreen.module.css'
import styles from './SellScreen.module.css'
import type { Offer, SALE_FIELDS, Step } from './useSell.ts'

const words = SELL_HERE

/** `typed`: the quantity as it stands in its field. `admit`: null until the seller chooses, which means yes on the event's day. */
export type TypedDraft = Omit<Draft, 'admit'> & { typed: string; given: string; admit: boolean | null }
export const EMPTY_DRAFT: TypedDraft = {
  typed: '1',
  type: null,
  given: '',
  quantity: 1,
  method: 'cash',
  name: '',
  phone: '',
  reason: '',
  reference: '',
  admit: null,
}

const QUICK_SIZES = [1, 2, 4]

interface SellFormProps {
  offer: Offer
  draft: TypedDraft
  onChange: (draft: TypedDraft) => void
  step: Extract<Step, { type: 'filling' | 'selling' }>
  onSell: (selling: { draft: Draft; shown: number }) => void
  onSellHere: (selling: { draft: Draft; shown: number }) => void
}

export const SellForm = ({ offer, draft, onChange, step, onSell, onSellHere }: SellFormProps) => {
  const { prices, max, methods, isOffline, left, type, admits } = offer
  const mayScan = useRight('scan')
  const isEventDay = useOtherDay() === null
  const admit = draft.admit ?? isEventDay
  const busy = step.type === 'selling'
  const method = methods.includes(draft.method) ? draft.method : methods[0]
  const wrong = step.type === 'filling' ? step.fields : null
  const form = useFirstWrong(wrong)
  const quantity = readQuantity(draft.typed)
  const isWrong = quantity === null || quantity < 1 || quantity > max
  if (method === undefined) return <Shut>{offer.lacksDrawer ? words.lacksDrawer : words.mayNot}</Shut>
  if (isOffline && offer.held === 0) return <Shut>{words.noneOffline}</Shut>
  if (offer.lacksType) return <Shut>{words.noTypes}</Shut>
  if (prices === null) return <Shut>{words.noPrices}</Shut>
  const quoted = isWrong ? null : quoteDoorSale(prices, { quantity, method })
  const shown = quoted === null ? 0 : toRupees(quoted.totalPaise)
  const needsCash = method === 'cash' && offer.needsCash
  const { typed: _typed, given, ...facts } = draft
  const waits = method === 'upi' && offer.upiWaits
  const filled: Draft = {
    ...facts,
    quantity: quantity ?? 0,
    type: type && { id: type.id, name: type.name },
    method,
    name: draft.name.trim(),
    phone: draft.phone.trim(),
    reason: draft.reason.trim(),
    reference: draft.reference.trim(),
    admit: admit && mayScan && !waits,
  }
  const selling = { draft: filled, shown }
  const field = (key: (typeof SALE_FIELDS)[number]) => ({
    value: draft[key],
    readOnly: busy,
    autoComplete: 'off',
    error: wrong?.get(key),
    onChange: ({ target }: { target: HTMLInputElement }) => onChange({ ...draft, [key]: target.value }),
  })
  return (
    <form
      ref={form}
      className={frame.card}
      aria-label={words.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (quoted !== null && !needsCash && !busy) onSell(selling)
      }}
    >
      {type === null ? null : (
        <TypeSelect
          types={offer.types}
          value={type.id}
          isOffline={isOffline}
          disabled={busy}
          onChange={(next) => onChange({ ...draft, type: next })}
        />
      )}
      <NumberStepper
        label={admits === 1 ? words.quantity : words.stock.size}
        error={isWrong ? wrongText(offer, quantity) : undefined}
        typed={draft.typed}
        value={quantity}
        max={max}
        onType={(typed) => onChange({ ...draft, typed })}
        lessLabel={words.less}
        moreLabel={words.more}
        quick={QUICK_SIZES}
      />
      <p className={styles.total} role="status">
        <span>{quoted === null || method === 'complimentary' ? words.total : eachText(quoted, quantity ?? 0)}</span>
        <strong data-testid="total">
          {quoted === null ? '–' : method === 'complimentary' ? words.free : formatRupees(shown)}
        </strong>
      </p>
      {offer.takesMoney ? null : <Banner>{offer.sells ? words.onlyFree : words.onlyGives}</Banner>}
      <div>
        <p className={styles.label}>{words.method}</p>
        <Segments
          label={words.method}
          value={method}
          options={methods.map((value) => ({ value, label: words.methods[value] }))}
          onChange={(next) => onChange({ ...draft, method: next })}
        />
      </div>
      {needsCash ? <Banner tone="warn">{words.needsCash}</Banner> : null}
      {method === 'cash' && quoted !== null ? (
        <TextField
          label={words.given}
          inputMode="decimal"
          autoComplete="off"
          value={given}
          onChange={({ target }) => onChange({ ...draft, given: target.value })}
        />
      ) : null}
      {offer.lacksDrawer && offer.takesMoney ? <Banner tone="warn">{words.lacksDrawer}</Banner> : null}
      {waits ? <Banner>{words.upiWaits}</Banner> : null}
      {method === 'upi' ? (
        <TextField label={words.reference} inputMode="numeric" maxLength={REFERENCE_MAX} {...field('reference')} />
      ) : null}
      {method === 'complimentary' ? (
        <TextField label={words.reason} maxLength={REASON_MAX} {...field('reason')} />
      ) : null}
      <div className={styles.pair}>
        <TextField label={words.name} maxLength={NAME_MAX} autoCapitalize="words" {...field('name')} />
        <TextField label={words.phone} type="tel" {...field('phone')} />
      </div>
      {mayScan && !waits ? (
        <div>
          <Checkbox
            label={words.admit}
            checked={admit}
            disabled={busy}
            onChange={({ target }) => onChange({ ...draft, admit: target.checked })}
          />
          <p className={frame.soft}>{words.admitHint}</p>
        </div>
      ) : null}
      <div className={styles.charge}>
        {step.type === 'filling' && step.message !== null ? (
          <Banner tone="bad" live="alert">
            <p>{words.failed(step.message)}</p>
            {step.soldOut && left > 0 ? <p>{words.hereLeft(left)}</p> : null}
            {step.soldOut && left >= (quantity ?? 0) && !isWrong ? (
              <Button className={styles.here} onClick={() => onSellHere(selling)}>
                {words.here}
              </Button>
            ) : null}
          </Banner>
        ) : null}
        <p role="status" className={styles.change}>
          {method === 'cash' && quoted !== null ? changeText(given, shown) : ''}
        </p>
        <Button
          type="submit"
          tone="primary"
          size="lg"
          block
          busy={busy}
          disabled={quoted === null || needsCash}
          icon={<Ticket />}
        >
          {busy
            ? words.selling
            : quoted === null
              ? words.open
              : method === 'complimentary'
                ? words.give(quantity ?? 0)
                : waits
                  ? words.hold(quantity ?? 0, formatRupees(shown))
                  : words.sell(quantity ?? 0, formatRupees(shown))}
        </Button>
      </div>
    </form>
  )
}

function changeText(given: string, total: number): string {
  const back = computeChange(given, total)
  if (back === null) return ''
  const paid = formatRupees(Number(given))
  return back < 0 ? words.tooLittle(paid, formatRupees(-back)) : words.giveBack(paid, formatRupees(back))
}

interface TypeSelectProps {
  types: readonly TicketTypeOffer[]
  value: string
  /** A phone without a network sells its own codes, also of a type that is sold out. */
  isOffline?: boolean
  disabled: boolean
  onChange: (type: NamedType | null) => void
}

export const TypeSelect = ({ types, value, isOffline = false, disabled, onChange }: TypeSelectProps) => {
  const language = useLanguage((state) => state.language)
  return (
    <Select
      label={words.type}
      value={value}
      disabled={disabled}
      options={types.map(({ id, name, price, remaining }) => ({
        value: id,
        label: `${pickTypeName(name, language)}, ${remaining > 0 || isOffline ? formatRupees(price) : words.typeSoldOut}`,
      }))}
      onChange={(next) => onChange(types.find(({ id }) => id === next) ?? null)}
    />
  )
}

const Shut = ({ children }: { children: string }) => (
  <section aria-label={words.form}>
    <Banner tone="warn">{children}</Banner>
  </section>
)

const wrongText = ({ isOffline, left, max }: Offer, quantity: number | null): string =>
  isOffline && quantity !== null && quantity > left ? words.onlyLeft(left) : words.quantityWrong(max)

function eachText({ unitPaise, tier }: ReturnType<typeof quoteDoorSale>, quantity: number): string {
  const each = words.each(quantity, formatRupees(toRupees(unitPaise)))
  return tier === 'group' ? `${each} (${words.groupPrice})` : each
}
