import type { OrderState } from '../../contracts/names.ts'
import type { ORDER_STAGES } from '../../messages/order.ts'

/** What the desk and orders.csv show: an order's state, and for a paid order what became of its money. */
export type OrderStage = keyof typeof ORDER_STAGES

/** `issued`: it has its tickets, and nobody paid for them. A refund that is still owed comes before one that was paid. */
export function getOrderStage(
  state: OrderState,
  { captured, refunded, requested }: { captured: number; refunded: number; requested: number },
): OrderStage {
  if (state !== 'paid') return state
  if (captured === 0) return 'issued'
  if (requested > 0) return 'refundDue'
  if (refunded === 0) return 'paid'
  return refunded < captured ? 'partRefunded' : 'refunded'
}
