import { DEFAULT_MAX_PER_ORDER, NAME_MAX, REASON_MAX, REFERENCE_MAX } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import { DESK_METHODS, type DeskMethod } from '@garba/shared/contracts/names'
import type { TicketTypeOffer } from '@garba/shared/contracts/types/ticketType'
import { BLOCK } from '@garba/shared/messages/gate'
import { formatRupees } from '@garba/shared/rules/money'
import { computeChange } from '@garba/shared/rules/orders/orderMoney'
import { readQuantity } from '@garba/shared/rules/orders/sale'
import { pickCurrentPrices } from '@garba/shared/rules/types/currentPrices'
import { hasSeveralTypes } from '@garba/shared/rules/types/ticketTypes'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { toast } from 'sonner'
import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { TextField, type TextFieldProps, useFirstWrong } from '../../kit/Field.tsx'
import { NumberStepper } from '../../kit/NumberStepper.tsx'
import { Segments } from '../../kit/Segments.tsx'
import { useConfig } from '../../platform/config.ts'
import { type AnswerOf, type BodyOf, callServer } from '../../platform/http/call.ts'
import { getErrorMessage, isFailure } from '../../platform/http/failure.ts'
import { provesNoSale } from '../../platform/http/unsure.ts'
import { userNow } from '../../platform/identity/session.ts'
import { KEYS } from '../../platform/queries.ts'
import { saleDraft } from '../../platform/store/local.ts'
import { isShownAtFields, WITH_ORDERS } from '../frame/useChange.ts'
import { DESK } from '../texts/desk.ts'
import { SELL } from '../texts/sell.ts'
import { quoteDeskSale, SaleLines, useSaleLines } from './SaleLines.tsx'
import styles from './SellView.module.css'

const words = SELL
const METHODS = DESK_METHODS.map((value) => ({ value, label: words.methods[value] }))

const EMPTY = { typed: '1', given: '', name: '', email: '', phone: '', reference: '', reason: '' }
type Draft = typeof EMPTY
const FIELDS = ['name', 'email', 'phone', 'reference', 'reason'] as const

interface SellFormProps {
  event: GarbaEvent
  types: readonly TicketTypeOffer[]
  takesMoney: boolean
  hasCash: boolean | null
  onSold: (sale: AnswerOf<'sellAtDesk'>) => void
}

export const SellForm = ({ event, types, takesMoney, hasCash, onSold }: SellFormProps) => {
  const [draft, setDraft] = useState<Draft>(EMPTY)
  const [chosen, setMethod] = useState<DeskMethod>('cash')
  const method = takesMoney ? chosen : 'complimentary'
  const lines = useSaleLines(types, method)
  const { step, sell, again, giveUp } = useSale((sale) => {
    setDraft(EMPTY)
    lines.clear()
    onSold(sale)
  })
  const change = (field: keyof Draft) => (value: string) => setDraft((before) => ({ ...before, [field]: value }))
  const hasTypes = hasSeveralTypes({ types })
  const single = useQuantity(event.availableTickets, draft.typed)
  const sum = hasTypes ? lines.sum : quoteDeskSale(pickCurrentPrices(event), { quantity: single.value, method })
  const people = hasTypes ? lines.people : single.value
  const isWrong = hasTypes ? lines.isWrong : single.problem !== null
  const choice = hasTypes ? lines.body : single.value === null ? {} : { quantity: single.value }
  const body = isWrong || sum === null ? null : buildSaleBody(draft, method, { ...choice, total: sum.total })
  const needsCash = method === 'cash' && hasCash === false
  const missingId = useId()
  // A missing drawer and a wrong quantity have their own messages above.
  const lacks = hasTypes && lines.isEmpty ? words.types.none : isWrong ? null : DESK.missing.reason
  const missing = body !== null || needsCash ? null : lacks
  const waits = useConfig(({ config }) => config?.payments.upiAtDoor !== 'admit') && method === 'upi'
  const mails = useConfig(({ config }) => (config?.mail ?? 'off') !== 'off')
  const wrong = step.type === 'filling' ? step.errors : null
  const form = useFirstWrong(wrong)
  if (step.type === 'unsure') return <Unsure body={step.body} onAgain={again} onGiveUp={giveUp} />
  const busy = step.type === 'selling'
  const field = (name: (typeof FIELDS)[number]) => ({
    value: draft[name],
    disabled: busy,
    error: wrong?.get(name),
    onType: change(name),
  })
  return (
    <form
      ref={form}
      className="stack-4"
      noValidate
      onSubmit={(submit) => {
        submit.preventDefault()
        if (body !== null && !needsCash && !busy) sell(body)
      }}
    >
      {hasTypes ? (
        <SaleLines lines={lines} />
      ) : (
        <NumberStepper
          label={words.quantity}
          hint={words.left(event.availableTickets)}
          error={single.problem ?? undefined}
          typed={draft.typed}
          value={single.value}
          max={single.max}
          onType={change('typed')}
          lessLabel={words.less}
          moreLabel={words.more}
          quick={[1, 2, 4]}
        />
      )}
      <p className={styles.price} role="status">
        <span>{sum?.each}</span>
        <strong data-testid="total">
          {sum === null ? '–' : sum.total === 0 ? words.methods.complimentary : formatRupees(sum.total)}
        </strong>
      </p>
      <PaymentFields {...{ takesMoney, method }} onMethod={setMethod} field={field}>
        {needsCash ? <Banner tone="warn">{words.needsCash}</Banner> : null}
        {waits ? <Banner>{words.upiWaits}</Banner> : null}
      </PaymentFields>
      {method === 'cash' && sum !== null ? (
        <div>
          <TextField
            label={words.given}
            inputMode="decimal"
            autoComplete="off"
            value={draft.given}
            onType={change('given')}
          />
          <p role="status" className={styles.change}>
            {changeText(draft.given, sum.total)}
          </p>
        </div>
      ) : null}
      <TextField label={words.name} autoComplete="off" maxLength={NAME_MAX} {...field('name')} />
      <div className={styles.pair}>
        <TextField
          label={words.email}
          hint={mails ? words.emailHint : undefined}
          type="email"
          autoComplete="off"
          {...field('email')}
        />
        <TextField label={words.phone} type="tel" autoComplete="off" {...field('phone')} />
      </div>
      <div className={styles.charge}>
        {missing === null ? null : (
          <p id={missingId} className="soft">
            {missing}
          </p>
        )}
        <Button
          type="submit"
          tone="primary"
          block
          busy={busy}
          disabled={body === null || needsCash}
          aria-describedby={missing === null ? undefined : missingId}
        >
          {busy ? words.making : waits && people !== null ? words.hold(people) : (sum?.action ?? words.make)}
        </Button>
      </div>
    </form>
  )
}

interface PaymentFieldsProps {
  takesMoney: boolean
  method: DeskMethod
  onMethod: (method: DeskMethod) => void
  field: (name: 'reference' | 'reason') => Partial<TextFieldProps>
  children: ReactNode
}

export const PaymentFields = ({ takesMoney, method, onMethod, field, children }: PaymentFieldsProps) => (
  <>
    {takesMoney ? (
      <div>
        <p className={styles.label}>{words.method}</p>
        <Segments label={words.method} value={method} options={METHODS} onChange={onMethod} />
      </div>
    ) : (
      <Banner>{words.onlyFree}</Banner>
    )}
    {children}
    {method === 'upi' || method === 'card' ? (
      <TextField
        label={words.reference[method]}
        hint={words.referenceHint[method]}
        inputMode={method === 'upi' ? 'numeric' : 'text'}
        maxLength={REFERENCE_MAX}
        autoComplete="off"
        {...field('reference')}
      />
    ) : null}
    {method === 'complimentary' ? (
      <TextField label={words.reason} hint={words.reasonHint} maxLength={REASON_MAX} {...field('reason')} />
    ) : null}
  </>
)

/** The part of a request about its payment; null while a free sale lacks its reason. */
export function buildSalePayment(method: DeskMethod, typed: Record<'reference' | 'reason', string>) {
  const [reference, reason] = [typed.reference.trim(), typed.reason.trim()]
  if (method === 'complimentary') return reason === '' ? null : { method, reason }
  return { method, ...(method !== 'cash' && reference !== '' ? { reference } : {}) }
}

/** The answer was lost, so only the same sale may be sent again. */
const Unsure = ({ body, onAgain, onGiveUp }: { body: SaleBody; onAgain: () => void; onGiveUp: () => void }) => (
  <Banner
    tone="warn"
    live="alert"
    title={words.unsureTitle}
    actions={
      <>
        <Button tone="primary" onClick={onAgain}>
          {words.again}
        </Button>
        <Button onClick={onGiveUp}>{words.giveUp}</Button>
      </>
    }
  >
    <p>
      {words.unsureOf({
        quantity: body.quantity ?? (body.lines ?? []).reduce((all, line) => all + line.quantity, 0),
        name: body.name,
        method: words.methods[body.method],
      })}
    </p>
    <p>{words.unsure}</p>
  </Banner>
)

function useQuantity(left: number, typed: string) {
  const perOrder = useConfig(({ config }) => config?.maxPerOrder ?? DEFAULT_MAX_PER_ORDER)
  const max = Math.max(1, Math.min(perOrder, left))
  const value = readQuantity(typed)
  const problem =
    value === null || value < 1
      ? words.quantityWrong
      : left === 0
        ? words.left(0)
        : value > max
          ? words.tooMany(max)
          : null
  return { value, max, problem }
}

function changeText(given: string, total: number): string {
  const back = computeChange(given, total)
  if (back === null) return ''
  const paid = formatRupees(Number(given))
  return back < 0 ? words.tooLittle(paid, formatRupees(-back)) : words.giveBack(paid, formatRupees(back))
}

function buildSaleBody(
  draft: Draft,
  method: DeskMethod,
  sum: Pick<BodyOf<'sellAtDesk'>, 'quantity' | 'lines' | 'total'>,
): BodyOf<'sellAtDesk'> | null {
  const [name, email, phone] = [draft.name, draft.email, draft.phone].map((text) => text.trim())
  const payment = buildSalePayment(method, draft)
  if (payment === null) return null
  return { ...sum, ...payment, name: name || BLOCK.atCounter, ...(email ? { email } : {}), ...(phone ? { phone } : {}) }
}

type SaleBody = BodyOf<'sellAtDesk'>

interface UnansweredSale {
  by: string | undefined
  key: string
  body: SaleBody
}

/** The sale whose answer has not come. It outlives the view and the page, so that it can be continued after coming back. */
function unanswered(): UnansweredSale | null {
  const kept = saleDraft.read<UnansweredSale>()
  // A session that ended leaves its sale behind, and the next user of this device may be someone else.
  return kept !== null && kept.by === userNow()?._id ? kept : null
}

/** Drops only this sale, because another tab may have begun its own. */
const forget = (key: string) => {
  if (unanswered()?.key === key) saleDraft.drop()
}

type Step =
  | { type: 'filling'; errors: ReadonlyMap<string, string> }
  | { type: 'selling' }
  | { type: 'unsure'; key: string; body: SaleBody }

const filling: Step = { type: 'filling', errors: new Map() }

/** Runs one sale at a time, each under its own key, so that a repeat after a lost answer sells once. */
function useSale(onSold: (sale: AnswerOf<'sellAtDesk'>) => void) {
  const client = useQueryClient()
  const [step, setStep] = useState<Step>(() => {
    const kept = unanswered()
    return kept === null ? filling : { type: 'unsure', ...kept }
  })

  const send = async (key: string, body: SaleBody, again: boolean) => {
    setStep({ type: 'selling' })
    // Stored before it is sent, because the page may be closed before the answer comes.
    saleDraft.write({ by: userNow()?._id, key, body } satisfies UnansweredSale)
    try {
      const sale = await callServer('sellAtDesk', { body, headers: { 'Idempotency-Key': key } })
      forget(key)
      setStep(filling)
      onSold(sale)
      for (const queryKey of [...WITH_ORDERS, KEYS.cash]) void client.invalidateQueries({ queryKey })
    } catch (error) {
      const errors = isFailure(error) ? error.errors : []
      if (!isShownAtFields(error, FIELDS)) toast.error(SELL.failedSale(getErrorMessage(error)))
      if (!provesNoSale(error, again)) return setStep({ type: 'unsure', key, body })
      forget(key)
      setStep({ type: 'filling', errors: new Map(errors.map(({ field, message }) => [field, message])) })
      void client.invalidateQueries({ queryKey: KEYS.event })
      // The drawer may have been counted in another window.
      void client.invalidateQueries({ queryKey: KEYS.cash })
    }
  }

  return {
    step,
    sell: (body: SaleBody) => void send(crypto.randomUUID(), body, false),
    again: () => {
      if (step.type === 'unsure') void send(step.key, step.body, true)
    },
    giveUp: () => {
      if (step.type === 'unsure') forget(step.key)
      setStep(filling)
    },
  }
}
