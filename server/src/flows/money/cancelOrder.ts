import type { Order } from '@garba/shared/contracts/order'
import { Refusal } from '../../refusal.ts'
import type { Caller, Deps } from '../deps.ts'
import { orderView } from '../views/order.ts'
import { endHold } from './endHold.ts'
import { closeLink, notedProblem } from './links.ts'
import { ownOrder, rowsOf, sameOrder } from './orderRows.ts'

/**
 * Lets an unpaid order go: first its link is made unusable, then its seats are on sale again. If it was paid meanwhile it
 * stays paid, and the answer says so. Refuses with ORDER_NOT_FOUND, ORDER_NOT_HELD, or UNAVAILABLE when the provider does
 * not answer: then the seats stay held.
 */
export async function cancelOrder(deps: Deps, asked: { user: Caller; code: string }): Promise<Order> {
  const order = await deps.store.read((tx) => ownOrder(tx, asked))
  if (order.state !== 'held') throw new Refusal('ORDER_NOT_HELD')
  try {
    await closeLink(deps, order)
  } catch (error) {
    if (notedProblem(deps, error, order)) throw new Refusal('UNAVAILABLE', { retryAfterSeconds: 5 })
    throw error
  }
  return deps.store.write(async (tx) => {
    await endHold(tx, await sameOrder(tx, order), { to: 'cancelled', now: deps.now() })
    return orderView(await rowsOf(tx, await sameOrder(tx, order)), deps.settings.payments)
  })
}
