import { DEFAULT_MAX_PER_ORDER } from '@garba/shared/constants'
import type { DeskMethod } from '@garba/shared/contracts/names'
import type { TicketTypeOffer } from '@garba/shared/contracts/types/ticketType'
import { formatTicketCount } from '@garba/shared/messages/language'
import { formatRupees, toPaise, toRupees } from '@garba/shared/rules/money'
import { readQuantity } from '@garba/shared/rules/orders/sale'
import { quotePrice } from '@garba/shared/rules/pricing'
import { useState } from 'react'
import { NumberStepper } from '../../kit/NumberStepper.tsx'
import { useConfig } from '../../platform/config.ts'
import { TICKET_TYPES } from '../texts/event.ts'
import { SELL } from '../texts/sell.ts'

const words = SELL

/** What so many tickets cost, where prices are in rupees; null for an impossible number. */
export function quoteDeskSale(
  { ticketPrice, groupPrice4 }: { ticketPrice: number; groupPrice4: number | null },
  { quantity, method }: { quantity: number | null; method: DeskMethod },
) {
  if (quantity === null || quantity < 1 || quantity > 10_000) return null
  if (method === 'complimentary')
    return { total: 0, each: words.free(quantity), text: words.free(quantity), action: words.give(quantity) }
  const { unitPaise, totalPaise } = quotePrice({
    quantity,
    ticketPricePaise: toPaise(ticketPrice),
    groupPricePaise: groupPrice4 === null ? null : toPaise(groupPrice4),
  })
  const total = formatRupees(toRupees(totalPaise))
  const each = words.each(quantity, formatRupees(toRupees(unitPaise)))
  return {
    total: toRupees(totalPaise),
    each,
    text: `${each} = ${total}`,
    action: words.take(total, quantity),
  }
}

export function useSaleLines(types: readonly TicketTypeOffer[], method: DeskMethod) {
  const perOrder = useConfig(({ config }) => config?.maxPerOrder ?? DEFAULT_MAX_PER_ORDER)
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const first = types.find(({ state }) => state === 'onSale')?.id
  const rows = types.map((type) => {
    const text = typed[type.id] ?? (type.id === first ? '1' : '0')
    const max = Math.min(Math.floor(perOrder / type.admits), type.remaining)
    const value = readQuantity(text)
    const error = value === null ? words.types.wrong : value > max ? words.tooMany(max) : undefined
    return { type, text, max, value, error }
  })
  const lines = rows.flatMap(({ type, value }) => {
    const prices = { ticketPrice: type.price, groupPrice4: type.groupPrice }
    const sum = quoteDeskSale(prices, { quantity: value, method })
    return sum && value !== null ? [{ type, quantity: value, sum }] : []
  })
  const people = lines.reduce((all, { type, quantity }) => all + quantity * type.admits, 0)
  const total = toRupees(lines.reduce((all, { sum }) => all + toPaise(sum.total), 0))
  const isWrong = rows.some(({ error }) => error !== undefined)
  const isEmpty = people === 0 && !isWrong
  return {
    rows,
    people,
    isEmpty,
    problem: people > perOrder ? words.tooMany(perOrder) : null,
    isWrong: isWrong || isEmpty || people > perOrder,
    body: { lines: lines.map(({ type, quantity }) => ({ type: type.id, quantity })) },
    sum:
      isWrong || isEmpty
        ? null
        : {
            total,
            each: formatTicketCount(people),
            action: method === 'complimentary' ? words.give(people) : words.take(formatRupees(total), people),
          },
    setTyped: (id: string, text: string) => setTyped((now) => ({ ...now, [id]: text })),
    clear: () => setTyped({}),
  }
}

function describeOffer({ price, groupPrice, remaining, state, hidden }: TicketTypeOffer): string {
  const group = groupPrice === price ? null : formatRupees(groupPrice)
  const isGuests = state === 'onSale' || state === 'soldOut'
  return [
    TICKET_TYPES.prices(formatRupees(price), group),
    words.left(remaining),
    hidden && words.types.hidden,
    !isGuests && words.types.notForGuests,
  ]
    .filter(Boolean)
    .join(' · ')
}

export const SaleLines = ({ lines }: { lines: ReturnType<typeof useSaleLines> }) => (
  <>
    {lines.rows.map(({ type, text, max, value, error }) => (
      <NumberStepper
        key={type.id}
        inRow
        label={type.name.en}
        hint={describeOffer(type)}
        error={error}
        typed={text}
        value={value}
        min={0}
        max={max}
        onType={(next) => lines.setTyped(type.id, next)}
        lessLabel={`${type.name.en}: ${words.less}`}
        moreLabel={`${type.name.en}: ${words.more}`}
      />
    ))}
    {lines.problem === null ? null : <p role="alert">{lines.problem}</p>}
  </>
)
