import type { Analytics } from '@garba/shared/contracts/desk'
import { useQuery } from '@tanstack/react-query'
import { queries } from '../../platform/store/queries.ts'

const NOTHING: Analytics = {
  revenue: { total: 0, today: 0 },
  tickets: { total: 0, soldToday: 0 },
  users: { total: 0 },
  analytics: { averageTicketValue: 0, conversionRate: 0 },
  event: null,
  salesChart: [],
  hourlySales: [],
}

/** The dashboards' figures; a failure shows zeros and says nothing (SPEC 8 "Other"). */
export function useFigures(): { figures: Analytics; loading: boolean } {
  const { data, isPending } = useQuery(queries.analytics())
  return { figures: data?.data ?? NOTHING, loading: isPending }
}
