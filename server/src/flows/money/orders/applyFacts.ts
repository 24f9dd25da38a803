import { nextPaymentState } from '@garba/shared/rules/orderMoney'
import type { Fact } from '../../../providers/provider.ts'
import type { OrderRow } from '../../../store/orders.ts'
import { changePayment } from '../../../store/payments.ts'
import type { WriteTx } from '../../../store/sql.ts'
import type { Deps } from '../../deps.ts'
import { type SignedId, signIds } from '../../tickets/issueTickets.ts'
import { applyRefund } from '../refunds/applyRefund.ts'
import { applyCapture } from './applyCapture.ts'
import { endHold, endOfHold } from './endHold.ts'
import { paymentOf, sameOrder } from './orderRows.ts'

/** Money comes first: an order must not expire by a fact that was learned together with its payment. */
const RANK: Readonly<Record<Fact['type'], number>> = { captured: 0, pending: 1, failed: 2, refund: 3, linkDead: 4 }

/**
 * Applies a provider's facts, from any source and in any order. Each fact is one write; a fact applied before changes
 * nothing.
 */
export async function applyFacts(deps: Deps, facts: readonly Fact[]): Promise<void> {
  for (const fact of facts.toSorted((a, b) => RANK[a.type] - RANK[b.type])) await applyFact(deps, fact)
}

async function applyFact(deps: Deps, fact: Fact): Promise<void> {
  if (fact.type === 'refund') {
    await deps.store.write((tx) => applyRefund(deps, tx, fact))
  } else if (fact.type === 'captured') {
    const signed = await signedFor(deps, fact)
    await deps.store.write((tx) => applyCapture(deps, tx, { fact, signed }))
  } else {
    await deps.store.write((tx) => applyOther(deps, tx, fact))
  }
}

/**
 * Signs codes for the tickets of an order that this payment may pay. They are made before the write, and discarded if
 * unneeded.
 */
async function signedFor(deps: Deps, fact: Extract<Fact, { type: 'captured' }>): Promise<SignedId[]> {
  const order = await deps.store.read(async (tx): Promise<OrderRow | null> => {
    const payment = await paymentOf(tx, fact)
    if (!payment || (payment.state === 'captured' && payment.providerPaymentId === fact.paymentId)) return null
    return sameOrder(tx, { id: payment.orderId })
  })
  if (!order || order.state === 'paid' || order.eventId === null) return []
  return signIds(deps, { eventId: order.eventId, quantity: order.quantity })
}

async function applyOther(
  deps: Deps,
  tx: WriteTx,
  fact: Extract<Fact, { type: 'pending' | 'failed' | 'linkDead' }>,
): Promise<void> {
  const payment = await paymentOf(tx, fact)
  if (!payment) return
  const now = deps.now()
  const reported = fact.type === 'linkDead' ? 'void' : fact.type
  const state = nextPaymentState(payment.state, reported)
  if (state !== payment.state) await changePayment(tx, payment, { state, updatedAt: now })
  if (fact.type !== 'linkDead') return
  const order = await sameOrder(tx, { id: payment.orderId })
  const to = fact.why === 'expired' ? 'expired' : endOfHold(order, now)
  await endHold(tx, order, { to, now })
}
