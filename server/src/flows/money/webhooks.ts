import { createHash } from 'node:crypto'
import { AUDIT } from '@garba/shared/messages/audit'
import type { Fact } from '../../providers/provider.ts'
import { Refusal } from '../../refusal.ts'
import { insertJob } from '../../store/jobs.ts'
import { dropBodies, markApplied, storeEvent } from '../../store/providerEvents.ts'
import type { ReadTx } from '../../store/sql.ts'
import type { Deps } from '../deps.ts'
import { applyFacts } from './applyFacts.ts'
import { paymentOf, sameOrder } from './orderRows.ts'

const utf8 = new TextDecoder()

/**
 * Stores what a provider reports and answers at once; a job applies it. An event that comes again is stored once, also under
 * another id, which nobody signs. Refuses with SIGNATURE_INVALID, also where no such provider is set up.
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
    await insertJob(tx, { kind: 'event', id: `event:${id}`, payload, createdAt: now, dueAt: now })
    tx.announce('jobs')
  })
}

/** The facts as the job stored them: JSON has no dates. */
const revived = (fact: Fact): Fact => (fact.type === 'captured' ? { ...fact, at: new Date(fact.at) } : fact)

/** Applies the facts of a stored event. */
export async function applyEvent(deps: Deps, { id, facts }: { id: string; facts: Fact[] }): Promise<void> {
  await applyFacts(deps, facts.map(revived))
  await deps.store.write(async (tx) => {
    await markApplied(tx, id, deps.now())
    for (const fact of facts) if (await isOfErased(tx, fact)) await dropBodies(tx, [id])
  })
}

/** The provider still knows a buyer who was erased here, and names them in whatever it reports later. */
async function isOfErased(tx: ReadTx, fact: Fact): Promise<boolean> {
  const payment = await paymentOf(tx, { ref: '', ...fact })
  return payment !== undefined && (await sameOrder(tx, { id: payment.orderId })).buyerName === AUDIT.erased
}
