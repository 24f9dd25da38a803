import { retryAfterMs } from '@garba/shared/rules/orders/orderMoney'
import {
  LOW_BALANCE,
  type PaymentProvider,
  ProviderRefused,
  ProviderUnavailable,
  type RefundFact,
} from '../../../providers/provider.ts'
import type { WriteTx } from '../../../store/engine/sql.ts'
import { findPayment } from '../../../store/payments.ts'
import { changeRefund, findRefund, type RefundRow } from '../../../store/refunds.ts'
import type { Deps } from '../../deps.ts'
import { findLinkProvider } from '../orders/links.ts'
import { applyRefund, moveRefund } from './applyRefund.ts'

/**
 * Limits attempts after refusals for insufficient balance and after missing answers: the last is two days after the
 * first.
 */
const ATTEMPTS_MAX = 56

/**
 * Asks the provider for a refund. It is `asking` from before the call until the answer is stored, so a loss in between
 * leaves it known to be in doubt; the provider is then first asked which refunds the payment has. Its id is the
 * idempotency key, so asking again never pays twice. It stays the same after a refusal too: Razorpay asks for that in
 * every retry, and does not say whether it would repeat an old refusal
 * (razorpay.com/docs/api/refunds/normal-refunds-idempotent). Throws when the job should be tried again; gives up on
 * what the provider will always refuse.
 */
export async function sendRefund(deps: Deps, { refundId }: { refundId: string }): Promise<void> {
  const asking = await deps.store.write((tx) => beginAsking(deps, tx, refundId))
  if (!asking) return
  const { refund, provider } = asking
  try {
    const fact = await askProvider(provider, asking)
    if (fact) await deps.store.write((tx) => applyRefund(deps, tx, fact))
    else await giveUp(deps, refund)
  } catch (error) {
    if (!(error instanceof ProviderRefused || error instanceof ProviderUnavailable)) throw error
    const made = error instanceof ProviderRefused && error.code !== LOW_BALANCE ? await askWhatWentBack(asking) : []
    await recordRefundFailure(deps, refund, error)
    for (const fact of made) await deps.store.write((tx) => applyRefund(deps, tx, fact))
  }
}

/** A refund is also refused when the money went back before and a restored backup does not know it. */
async function askWhatWentBack({ refund, provider, providerPaymentId }: RefundAttempt): Promise<RefundFact[]> {
  try {
    return (await provider.refundsOf(providerPaymentId)).filter(({ key }) => key !== refund.id)
  } catch (error) {
    if (error instanceof ProviderRefused) return []
    throw error
  }
}

interface RefundAttempt {
  refund: RefundRow
  provider: PaymentProvider
  providerPaymentId: string
  inDoubt: boolean
}

/** Null when there is nothing left to ask. Throws ProviderUnavailable if its provider is not set up. */
async function beginAsking(deps: Deps, tx: WriteTx, refundId: string): Promise<RefundAttempt | null> {
  const refund = await findRefund(tx, refundId)
  if (refund?.state !== 'requested' && refund?.state !== 'asking') return null
  const payment = await findPayment(tx, refund.paymentId)
  if (payment?.providerPaymentId == null) return null
  const provider = findLinkProvider(deps, payment.provider)
  if (!provider) throw new ProviderUnavailable(`${payment.provider} is not set up`)
  const inDoubt = refund.state === 'asking'
  const row = inDoubt
    ? refund
    : await changeRefund(tx, refund, { state: 'asking', nextAt: null, updatedAt: deps.now() })
  return row ? { refund: row, provider, providerPaymentId: payment.providerPaymentId, inDoubt } : null
}

async function askProvider(
  provider: PaymentProvider,
  { refund, providerPaymentId: paymentId, inDoubt }: RefundAttempt,
): Promise<RefundFact | null> {
  if (inDoubt) {
    const made = (await everyRefund(provider, paymentId)).find(({ key }) => key === refund.id)
    if (made) return made
    if (refund.attempts >= ATTEMPTS_MAX) return null
  }
  return provider.refund({ paymentId, paise: refund.amountPaise, key: refund.id })
}

/**
 * With another account's keys the provider does not find the payment, so a refusal does not show whether a refund was
 * made.
 */
export async function everyRefund(provider: PaymentProvider, paymentId: string): Promise<RefundFact[]> {
  try {
    return await provider.refundsOf(paymentId)
  } catch (error) {
    throw error instanceof ProviderRefused ? new ProviderUnavailable(error.message) : error
  }
}

/** After a refusal the refund is known not to be made; without an answer it stays in doubt. */
async function recordRefundFailure(
  deps: Deps,
  { id }: RefundRow,
  error: ProviderRefused | ProviderUnavailable,
): Promise<void> {
  const again = await deps.store.write(async (tx) => {
    const refund = await findRefund(tx, id)
    if (refund?.state !== 'asking') return false
    const attempts = refund.attempts + 1
    const lastError = error.message
    if (error instanceof ProviderRefused && (error.code !== LOW_BALANCE || attempts >= ATTEMPTS_MAX)) {
      await moveRefund(deps, tx, refund, { state: 'failed', attempts, lastError, nextAt: null })
      return false
    }
    const state = error instanceof ProviderRefused ? 'requested' : 'asking'
    const nextAt = new Date(deps.now().getTime() + retryAfterMs(attempts))
    // It keeps the time of the first question, from which the wait for an answer is measured.
    await changeRefund(tx, refund, { state, attempts, lastError, nextAt, updatedAt: refund.updatedAt })
    return true
  })
  if (again) throw error
}

async function giveUp(deps: Deps, { id }: RefundRow): Promise<void> {
  await deps.store.write(async (tx) => {
    const refund = await findRefund(tx, id)
    if (refund?.state === 'asking') await moveRefund(deps, tx, refund, { state: 'failed', nextAt: null })
  })
}
