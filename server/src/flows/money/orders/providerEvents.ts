import { createHash } from 'node:crypto'
import { AUDIT } from '@garba/shared/messages/audit'
import type { Fact, PaymentProvider, RefundFact } from '../../../providers/provider.ts'
import { Refusal } from '../../../refusal.ts'
import type { ReadTx } from '../../../store/engine/sql.ts'
import { insertJob } from '../../../store/jobs.ts'
import { findPayment } from '../../../store/payments.ts'
import { dropBodies, markApplied, storeEvent } from '../../../store/providerEvents.ts'
import { findRefundByProviderId } from '../../../store/refunds.ts'
import type { Deps } from '../../deps.ts'
import { everyRefund } from '../refunds/sendRefund.ts'
import { applyFacts } from './applyFacts.ts'
import { findLinkProvider } from './links.ts'
import { findFactPayment, getOrderById } from './orderRows.ts'

const utf8 = new TextDecoder()

/**
 * Stores a provider's report and answers at once; a job applies it. A repeated event is stored once, even under another
 * id, because ids are not signed. Refuses with SIGNATURE_INVALID, even if no such provider is set up.
 */
export async function receiveEvent(
  deps: Deps,
  { body, headers }: { body: Uint8Array; headers: Headers },
): Promise<void> {
  const name = deps.providers.razorpay ? 'razorpay' : 'demo'
  const event = deps.providers[name]?.parseEvent(body, headers)
  if (!event) throw new Refusal('SIGNATURE_INVALID')
  const id = `${name}:${event.id}`
  const digest = createHash('sha256').update(body).digest('hex')
  const now = deps.now()
  await deps.store.write(async (tx) => {
    if (!(await storeEvent(tx, { id, digest, body: utf8.decode(body), receivedAt: now }))) return
    const payload = { id, facts: event.facts }
    await insertJob(tx, { kind: 'event', id: `event:${id}`, payload, createdAt: now })
  })
}

/**
 * An event may be older than our data. If the provider reported earlier that this refund failed, it is asked again
 * before a report of success counts.
 */
async function upToDate(deps: Deps, facts: readonly Fact[]): Promise<Fact[]> {
  const latest: Fact[] = []
  for (const fact of facts) {
    const provider = fact.type === 'refund' && fact.state !== 'failed' && (await providerOfFailed(deps, fact))
    if (provider)
      latest.push(...(await everyRefund(provider, fact.paymentId)).filter((one) => one.refundId === fact.refundId))
    else latest.push(fact)
  }
  return latest
}

const providerOfFailed = (deps: Deps, { refundId }: RefundFact): Promise<PaymentProvider | undefined> =>
  deps.store.read(async (tx) => {
    const refund = await findRefundByProviderId(tx, refundId)
    const payment = refund?.state === 'failed' ? await findPayment(tx, refund.paymentId) : undefined
    return payment && findLinkProvider(deps, payment.provider)
  })

export async function applyEvent(deps: Deps, { id, facts }: { id: string; facts: Fact[] }): Promise<void> {
  await applyFacts(deps, await upToDate(deps, facts))
  await deps.store.write(async (tx) => {
    await markApplied(tx, id, deps.now())
    for (const fact of facts) if (await isOfErased(tx, fact)) await dropBodies(tx, [id])
  })
}

/** The provider still has the data of a buyer erased here, and names them in later reports. */
async function isOfErased(tx: ReadTx, fact: Fact): Promise<boolean> {
  const payment = await findFactPayment(tx, { ref: '', ...fact })
  return payment !== undefined && (await getOrderById(tx, { id: payment.orderId })).buyerName === AUDIT.erased
}
