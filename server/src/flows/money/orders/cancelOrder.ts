import type { DeskOrder, Order } from '@garba/shared/contracts/order'
import { ORDER } from '@garba/shared/messages/order'
import { Refusal } from '../../../refusal.ts'
import type { OrderRow } from '../../../store/orders.ts'
import { aboutBuyer, audited } from '../../audited.ts'
import type { Caller, Deps } from '../../deps.ts'
import { returnAll } from '../refunds/requestRefund.ts'
import { deskOrderOf, orderByCode } from './deskOrders.ts'
import { closeLink, notedProblem } from './links.ts'
import { endHold, orderView, ownOrder, rowsOf, sameOrder } from './orderRows.ts'

/**
 * Cancels an unpaid order: first its link is made unusable, then its seats go back on sale. An order that was paid
 * meanwhile stays paid, as the answer shows. Refuses with ORDER_NOT_FOUND, ORDER_NOT_HELD, or UNAVAILABLE when the
 * provider does not answer: then the seats stay held.
 */
export async function cancelOrder(deps: Deps, asked: { user: Caller; code: string }): Promise<Order> {
  const order = await deps.store.read((tx) => ownOrder(tx, asked))
  await cancelHeld(deps, order)
  return deps.store.read(async (tx) => orderView(await rowsOf(tx, await sameOrder(tx, order)), deps.settings.payments))
}

/** Does the same to any order, for an admin. */
export async function cancelDeskOrder(
  deps: Deps,
  { admin, code }: { admin: Caller; code: string },
): Promise<DeskOrder> {
  const order = await deps.store.read((tx) => orderByCode(tx, code))
  await cancelHeld(deps, order)
  return deps.store.write(async (tx) => {
    const detail = ORDER.cancelled(code)
    await audited(tx, { at: deps.now(), action: 'order.cancelled', actor: admin, subject: aboutBuyer(order), detail })
    return deskOrderOf(deps, tx, order)
  })
}

async function cancelHeld(deps: Deps, order: OrderRow): Promise<void> {
  if (order.state !== 'held') throw new Refusal('ORDER_NOT_HELD')
  try {
    await closeLink(deps, order)
  } catch (error) {
    if (notedProblem(deps, error, order)) throw new Refusal('UNAVAILABLE', { retryAfterSeconds: 5 })
    throw error
  }
  await deps.store.write(async (tx) => {
    const now = deps.now()
    await endHold(tx, await sameOrder(tx, order), { to: 'cancelled', now })
    // A part of its money may have come.
    if ((await sameOrder(tx, order)).state === 'cancelled') await returnAll(tx, order, { kind: 'event', now })
  })
}
