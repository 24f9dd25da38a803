import type { Analytics } from '@garba/shared/contracts/desk'
import { FIGURES } from '@garba/shared/messages/deskFigures'
import { formatCount } from '@garba/shared/messages/language'
import { formatRupees } from '@garba/shared/rules/money'
import { IndianRupee, Percent, Scale, Ticket } from 'lucide-react'
import { StatGrid, StatTile } from '../../kit/StatTile.tsx'
import { type Range, sumOf } from './range.ts'

const words = FIGURES.analytics
const rupees = (amount: number) => formatRupees(amount, { decimals: 0 })

interface RangeStatsProps {
  data: Analytics
  days: Analytics['salesChart']
  range: Range
}

/** The figures of the chosen range; conversion is known for all time only. */
export const RangeStats = ({ data, days, range }: RangeStatsProps) => {
  const { count, revenue } = range === 'all' ? { count: data.tickets.total, revenue: data.revenue.total } : sumOf(days)
  return (
    <StatGrid>
      <StatTile
        icon={<IndianRupee aria-hidden="true" />}
        label={words.revenue}
        value={rupees(revenue)}
        note={words.ranges[range]}
      />
      <StatTile
        icon={<Ticket aria-hidden="true" />}
        label={words.sold}
        value={formatCount(count)}
        note={words.ranges[range]}
      />
      <StatTile
        icon={<Scale aria-hidden="true" />}
        label={words.average}
        value={rupees(count === 0 ? 0 : revenue / count)}
        note={words.ranges[range]}
      />
      <StatTile
        icon={<Percent aria-hidden="true" />}
        label={words.conversion}
        value={`${data.analytics.conversionRate.toLocaleString('en-IN', { maximumFractionDigits: 1 })}%`}
        note={words.conversionNote}
      />
    </StatGrid>
  )
}
