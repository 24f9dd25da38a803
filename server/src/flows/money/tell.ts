import { insertJob } from '../../store/jobs.ts'
import type { OrderRow } from '../../store/orders.ts'
import type { WriteTx } from '../../store/sql.ts'
import type { Deps } from '../deps.ts'

/** What a buyer gets a mail about. */
export type News = 'paid' | 'cancelled' | 'refunded' | 'late'

/**
 * Stores the mail that tells a buyer of a change, with the change itself. `dedupe` sets apart news of the same kind about one
 * order, such as two refunds.
 */
export async function tell(
  deps: Pick<Deps, 'now'>,
  tx: WriteTx,
  { order, what, dedupe = order.id }: { order: OrderRow; what: News; dedupe?: string },
): Promise<void> {
  if (order.buyerEmail === '') return
  const now = deps.now()
  await insertJob(tx, {
    kind: 'mail',
    id: `mail:${what}:${dedupe}`,
    payload: { what, about: dedupe },
    orderId: order.id,
    createdAt: now,
    dueAt: now,
  })
  tx.announce('jobs')
}
