import type { RefundState } from '@garba/shared/contracts/names'
import { ORDER_WORDS } from '@garba/shared/messages/order'
import { nextRefundState } from '@garba/shared/rules/orderMoney'
import type { RefundFact } from '../../providers/provider.ts'
import { insertAttention } from '../../store/attention.ts'
import { newId } from '../../store/ids.ts'
import { findPayment, findPaymentByProviderId } from '../../store/payments.ts'
import {
  changeRefund,
  findRefund,
  findRefundByProviderId,
  insertRefund,
  newRefund,
  type RefundRow,
} from '../../store/refunds.ts'
import type { WriteTx } from '../../store/sql.ts'
import type { Deps } from '../deps.ts'
import { sameOrder } from './orderRows.ts'
import { noteRefundElsewhere, settleRefundsElsewhere, showOnTicket } from './refundedElsewhere.ts'
import { tellOfRefund } from './tellRefund.ts'

/** Applies what a provider says of a refund. One that was made at the provider's own dashboard becomes known by it. */
export async function applyRefund(deps: Deps, tx: WriteTx, fact: RefundFact): Promise<void> {
  const known =
    (await findRefundByProviderId(tx, fact.refundId)) ??
    (fact.key === null ? undefined : await findRefund(tx, fact.key))
  if (!known) return madeElsewhere(deps, tx, fact)
  const state = nextRefundState(known.state, fact.state)
  if (state === known.state && known.providerRefundId !== null) return
  await moveRefund(deps, tx, known, { state, providerRefundId: fact.refundId })
}

async function madeElsewhere(deps: Deps, tx: WriteTx, fact: RefundFact): Promise<void> {
  const payment = await findPaymentByProviderId(tx, fact.paymentId)
  if (!payment || fact.state === 'failed') return
  const now = deps.now()
  const refund = newRefund({
    id: newId(now),
    paymentId: payment.id,
    kind: 'event',
    amountPaise: fact.paise,
    state: fact.state,
    providerRefundId: fact.refundId,
    reason: ORDER_WORDS.atProvider,
    createdAt: now,
  })
  await insertRefund(tx, refund)
  await noteRefundElsewhere(tx, { orderId: payment.orderId, refund, now })
}

interface RefundChange extends Partial<RefundRow> {
  state: RefundState
}

/** Changes a refund and what follows: its ticket's refund column, a word to the guest, and to the desk when it failed. */
export async function moveRefund(deps: Deps, tx: WriteTx, refund: RefundRow, set: RefundChange): Promise<void> {
  const now = deps.now()
  const row = await changeRefund(tx, refund, { ...set, updatedAt: now })
  if (!row || set.state === refund.state) return
  await showOnTicket(tx, row, now)
  const payment = await findPayment(tx, row.paymentId)
  if (!payment) return
  const order = await sameOrder(tx, { id: payment.orderId })
  await tellOfRefund(deps, tx, order, row)
  if (row.state !== 'failed') return
  await settleRefundsElsewhere(tx, order.id, now)
  await insertAttention(tx, {
    id: newId(now),
    kind: 'refundFailed',
    dedupeKey: `refundFailed:${row.id}`,
    orderId: order.id,
    paymentId: payment.id,
    amountPaise: row.amountPaise,
    detail: [order.code, row.lastError].filter(Boolean).join(': '),
    createdAt: now,
  })
}
