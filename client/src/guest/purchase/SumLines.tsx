import type { GarbaEvent } from '@garba/shared/contracts/event'
import { formatRupees } from '@garba/shared/rules/money'
import { Line } from '../Slip.tsx'
import { useWords } from '../words.ts'
import type { Price } from './order.ts'

export interface SumProps {
  quantity: number | null
  price: Price | null
  event: GarbaEvent
}

/** A sum that adds up: all tickets at the single price, less what the group saves (SPEC 9). */
export const SumLines = ({ quantity, price, event }: SumProps) => {
  const { purchase: words } = useWords()
  const known = price !== null && quantity !== null
  return (
    <>
      <Line label={known ? words.sum(quantity, formatRupees(event.ticketPrice)) : words.tickets}>
        {known ? formatRupees(price.total + price.saving) : '-'}
      </Line>
      {known && price.saving > 0 ? <Line label={words.savingLabel}>{`− ${formatRupees(price.saving)}`}</Line> : null}
      <Line label={words.total} strong>
        {known ? formatRupees(price.total) : '-'}
      </Line>
    </>
  )
}
