import { retryAfterMs } from '@garba/shared/rules/orderMoney'
import { LOW_BALANCE, ProviderRefused, ProviderUnavailable } from '../../providers/provider.ts'
import { findPayment } from '../../store/payments.ts'
import { changeRefund, findRefund, type RefundRow } from '../../store/refunds.ts'
import type { Deps } from '../deps.ts'
import { applyRefund, moveRefund } from './applyRefund.ts'
import { providerOf } from './links.ts'

/** Of refusals for want of money, after which a person must look at it: the last is two days after the first. */
const ATTEMPTS_MAX = 56

/**
 * Asks the provider for a refund that is requested. Its id is the idempotency key, so a lost answer or a crash never pays
 * twice. It stays the same after a refusal too: Razorpay asks for that in every retry, and does not say whether it would repeat
 * an old refusal (razorpay.com/docs/api/refunds/normal-refunds-idempotent). If it did, the desk sees it in the end; another key
 * could pay twice. Throws what the job is to be tried again for; gives up on what the provider will always refuse.
 */
export async function sendRefund(deps: Deps, { refundId }: { refundId: string }): Promise<void> {
  const { store } = deps
  const found = await store.read(async (tx) => {
    const refund = await findRefund(tx, refundId)
    return refund && { refund, payment: await findPayment(tx, refund.paymentId) }
  })
  const { refund, payment } = found ?? {}
  if (refund?.state !== 'requested' || payment?.providerPaymentId == null) return
  const provider = providerOf(deps, payment.provider)
  if (!provider) return
  try {
    const asked = { paymentId: payment.providerPaymentId, paise: refund.amountPaise, key: refund.id }
    const fact = await provider.refund(asked)
    await store.write((tx) => applyRefund(deps, tx, fact))
  } catch (error) {
    if (!(error instanceof ProviderRefused || error instanceof ProviderUnavailable)) throw error
    await noteFailure(deps, refund, error)
  }
}

async function noteFailure(deps: Deps, refund: RefundRow, error: ProviderRefused | ProviderUnavailable): Promise<void> {
  const attempts = refund.attempts + 1
  const lastError = error.message
  const final = error instanceof ProviderRefused && (error.code !== LOW_BALANCE || attempts >= ATTEMPTS_MAX)
  await deps.store.write(async (tx) => {
    if (final) return moveRefund(deps, tx, refund, { state: 'failed', attempts, lastError, nextAt: null })
    const now = deps.now()
    const nextAt = new Date(now.getTime() + retryAfterMs(attempts))
    await changeRefund(tx, refund, { state: refund.state, attempts, lastError, nextAt, updatedAt: now })
  })
  if (!final) throw error
}
