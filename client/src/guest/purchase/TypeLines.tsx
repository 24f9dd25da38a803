import { DEFAULT_MAX_PER_ORDER, GROUP_TIER_FROM } from '@garba/shared/constants'
import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { ShownPromoCode } from '@garba/shared/contracts/types/promoCode'
import type { TicketTypeOffer } from '@garba/shared/contracts/types/ticketType'
import { formatRupees, toPaise, toRupees } from '@garba/shared/rules/money'
import { mayStillBuy, quantityProblem, readQuantity } from '@garba/shared/rules/orders/sale'
import { isCodeFor, lowerPrice } from '@garba/shared/rules/types/promoCodes'
import { pickTypeName } from '@garba/shared/rules/types/ticketTypes'
import { type ReactNode, type RefObject, useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { TextField } from '../../kit/Field.tsx'
import { NumberStepper } from '../../kit/NumberStepper.tsx'
import { Line, Slip } from '../../kit/Slip.tsx'
import { useConfig } from '../../platform/config.ts'
import { callServer } from '../../platform/http/call.ts'
import { useLanguage } from '../../platform/language.ts'
import { failureText } from '../failures.ts'
import { usePhaseText } from '../types/TypeList.tsx'
import { useTypeWords } from '../types/words.ts'
import { useWords } from '../words.ts'
import { limitsText, problemText } from './order.ts'
import styles from './PurchaseDialog.module.css'
import type { ChosenPurchase } from './usePurchase.ts'

interface AppliedCode {
  code: ShownPromoCode
  types: readonly TicketTypeOffer[]
}

/** Of each type as many as are typed, with the code that was given, and everything derived from both. */
export function useTypeLines({ event, owned, start }: { event: GarbaEvent; owned: number; start: string | undefined }) {
  const words = useWords()
  const perOrder = useConfig(({ config }) => config?.maxPerOrder ?? DEFAULT_MAX_PER_ORDER)
  const perPerson = useConfig(({ config }) => config?.maxPerPerson ?? 0)
  const limits = { perOrder, perPerson }
  const [coded, setCoded] = useState<AppliedCode | null>(null)
  const open = event.types ?? []
  const types = [...open, ...(coded?.types ?? []).filter(({ id }) => !open.some((type) => type.id === id))]
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>(() => {
    const onSale = open.filter(({ state }) => state === 'onSale')
    const first = onSale.find(({ id }) => id === start) ?? onSale[0]
    return first ? { [first.id]: '1' } : {}
  })
  const lines = types.flatMap((type) => {
    const quantity = readQuantity(typed[type.id] ?? '0') ?? 0
    return quantity > 0 ? [{ type, quantity, ...priceLine(type, quantity, coded?.code ?? null) }] : []
  })
  const quantity = lines.reduce((sum, line) => sum + line.quantity * line.type.admits, 0)
  const problem = quantityProblem({ limits, owned, remaining: event.availableTickets, quantity })
  const body: ChosenPurchase['body'] = {
    lines: lines.map(({ type, quantity: n, unit }) => ({ type: type.id, quantity: n, price: unit })),
    ...(coded === null ? {} : { code: coded.code.code }),
  }
  return {
    ...{ types, typed, lines, quantity, body, coded, setCoded },
    type: (id: string, text: string) => setTyped((now) => ({ ...now, [id]: text })),
    total: toRupees(lines.reduce((sum, { paise }) => sum + paise, 0)),
    limits: limitsText(limits, mayStillBuy(limits, owned), words),
    problem: problem === null ? null : problemText(problem, limits, words),
  }
}
export type TypeLinesState = ReturnType<typeof useTypeLines>

/** Rupees for one before the code and after it, and paise for all of a line. */
function priceLine(type: TicketTypeOffer, quantity: number, code: ShownPromoCode | null) {
  const unit = quantity >= GROUP_TIER_FROM ? type.groupPrice : type.price
  const unitPaise = toPaise(unit)
  const isLower = code !== null && code.kind !== 'access' && isCodeFor(code, { id: type.id, hidden: false })
  const net = isLower ? lowerPrice(code, { unitPaise, admits: type.admits }) : unitPaise
  return { unit, each: toRupees(net), paise: net * quantity }
}

/** A larger order than what a price has left would get the next price, so it is bought in two. */
const countMost = ({ remaining, maxPerOrder, phase }: TicketTypeOffer): number =>
  Math.min(remaining, maxPerOrder ?? remaining, phase.left ?? remaining)

function useOfferText(): (type: TicketTypeOffer) => ReactNode {
  const words = useTypeWords()
  const phaseText = usePhaseText()
  return ({ price, groupPrice, phase, state, admits, remaining, note }) => {
    const offered =
      state === 'onSale'
        ? [
            words.price(formatRupees(price), groupPrice < price ? formatRupees(groupPrice) : null),
            admits > 1 && words.admits(admits),
            phaseText(phase),
            words.left(remaining),
          ]
        : [formatRupees(price), words.states[state]]
    const [main, ...rest] = [...offered, note].filter(Boolean)
    return (
      <>
        <strong>{main}</strong>
        {rest.map((fact) => ` · ${fact}`)}
      </>
    )
  }
}

interface TypeLinesProps {
  choice: TypeLinesState
  asksCode: boolean
  codeField: RefObject<HTMLInputElement | null>
}

export const TypeLines = ({ choice, asksCode, codeField }: TypeLinesProps) => {
  const words = useWords()
  const offerText = useOfferText()
  const language = useLanguage((state) => state.language)
  return (
    <>
      {choice.types.map((type) => {
        const name = pickTypeName(type.name, language)
        const typed = choice.typed[type.id] ?? '0'
        const hint = offerText(type)
        return type.state === 'onSale' ? (
          <NumberStepper
            key={type.id}
            inRow
            label={name}
            hint={hint}
            typed={typed}
            value={readQuantity(typed)}
            onType={(text) => choice.type(type.id, text)}
            min={0}
            max={countMost(type)}
            lessLabel={`${name}: ${words.purchase.less}`}
            moreLabel={`${name}: ${words.purchase.more}`}
          />
        ) : (
          <div key={type.id} className={styles.closed}>
            <p>{name}</p>
            <p className={styles.soft}>{hint}</p>
          </div>
        )
      })}
      {choice.limits === undefined ? null : <p className={styles.soft}>{choice.limits}</p>}
      {asksCode || choice.coded !== null ? <CodeField choice={choice} field={codeField} /> : null}
      <div aria-live="polite" aria-atomic="true">
        <Slip>
          <dl>
            <TypeSum choice={choice} />
          </dl>
        </Slip>
        {choice.problem === null || choice.quantity === 0 ? null : <p className={styles.missing}>{choice.problem}</p>}
      </div>
    </>
  )
}

export const TypeSum = ({ choice: { lines, total } }: { choice: TypeLinesState }) => {
  const { purchase: words } = useWords()
  const language = useLanguage((state) => state.language)
  return (
    <>
      {lines.map(({ type, quantity, each }) => (
        <Line key={type.id} label={pickTypeName(type.name, language)}>
          {words.sum(quantity, formatRupees(each), null)}
        </Line>
      ))}
      <Line label={words.total} strong>
        {formatRupees(total)}
      </Line>
    </>
  )
}

interface CodeFieldProps {
  choice: TypeLinesState
  field: RefObject<HTMLInputElement | null>
}

const CodeField = ({ choice: { coded, setCoded }, field }: CodeFieldProps) => {
  const words = useWords()
  const typeWords = useTypeWords()
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const apply = async () => {
    setBusy(true)
    setError(null)
    try {
      const { data, code } = await callServer('event', { query: { code: typed } })
      if (code) setCoded({ code, types: data?.types ?? [] })
    } catch (failure) {
      setError(failureText(failure, words))
    }
    setBusy(false)
  }
  if (coded !== null)
    return (
      <p>
        {typeWords.codeUsed(coded.code.code)}{' '}
        <Button size="sm" onClick={() => setCoded(null)}>
          {typeWords.codeDrop}
        </Button>
      </p>
    )
  return (
    <div className={styles.code}>
      <TextField
        ref={field}
        label={typeWords.code}
        value={typed}
        onType={setTyped}
        error={error ?? undefined}
        autoComplete="off"
      />
      <Button busy={busy} disabled={typed.trim() === ''} onClick={() => void apply()}>
        {typeWords.codeUse}
      </Button>
    </div>
  )
}
