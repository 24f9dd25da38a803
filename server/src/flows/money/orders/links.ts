import { LINK_GRACE_MS } from '@garba/shared/constants'
import { paysByLink } from '@garba/shared/contracts/names'
import { orderPage } from '@garba/shared/contracts/site/pages'
import { ORDER_WORDS } from '@garba/shared/messages/order'
import { type Fact, type PaymentProvider, ProviderRefused, ProviderUnavailable } from '../../../providers/provider.ts'
import { unknownOfLink } from '../../../store/attention.ts'
import type { Store } from '../../../store/engine/store.ts'
import type { OrderRow } from '../../../store/orders.ts'
import { changePayment, findPayment, type PaymentRow } from '../../../store/payments.ts'
import type { Deps } from '../../deps.ts'
import { applyFacts } from './applyFacts.ts'
import { rowsOf, sameOrder } from './orderRows.ts'

/** The shortest lifetime of a link that every provider accepts. */
const LINK_MIN_MS = 16 * 60_000

/** The provider behind an order's payment link; undefined for UPI, the desk and sales without payment. */
export const providerOf = (
  { providers }: Pick<Deps, 'providers'>,
  name: OrderRow['provider'],
): PaymentProvider | undefined => (paysByLink(name) ? providers[name] : undefined)

/**
 * Logs an error if it is the provider's refusal or missing answer, and returns whether it is. The order then waits,
 * because asking again may help.
 */
export function notedProblem({ log }: Pick<Deps, 'log'>, error: unknown, order: Pick<OrderRow, 'code'>): boolean {
  if (!(error instanceof ProviderUnavailable || error instanceof ProviderRefused)) return false
  log.warn({ err: error, order: order.code }, 'the payment provider did not do what it was asked')
  return true
}

/** An order with its event, its provider, and the payment first requested for it; later ones came unrequested. */
async function readLinked(deps: Deps, id: string) {
  const { order, event, payments } = await deps.store.read(async (tx) => rowsOf(tx, await sameOrder(tx, { id })))
  return { order, event, payment: payments[0], provider: providerOf(deps, order.provider) }
}

type OrderKeys = Pick<OrderRow, 'id' | 'code'>

/** Runs work for a waiting person. If the provider does not answer, nothing changes. */
async function ifAnswered(deps: Deps, order: OrderKeys, work: (deps: Deps, order: OrderKeys) => Promise<void>) {
  try {
    await work(deps, order)
  } catch (error) {
    if (!notedProblem(deps, error, order)) throw error
  }
}

/** Runs `makeLink` for a waiting person. */
export const startPayment = (deps: Deps, order: OrderKeys): Promise<void> => ifAnswered(deps, order, makeLink)

/**
 * Makes the payment link of a held order, unless it has one. Making it twice gives the same link, so a lost answer, or
 * a crash before the write, does no harm. Throws ProviderUnavailable or ProviderRefused.
 */
async function makeLink(deps: Deps, { id }: Pick<OrderRow, 'id'>): Promise<void> {
  const { order, event, payment, provider } = await readLinked(deps, id)
  if (!provider || !payment || payment.providerRef !== null || order.state !== 'held') return
  const until = Math.max((order.holdUntil?.getTime() ?? 0) + LINK_GRACE_MS, deps.now().getTime() + LINK_MIN_MS)
  const link = await provider.start({
    code: order.code,
    paise: order.totalPaise,
    description: ORDER_WORDS.description(event.name, order.quantity),
    buyer: { name: order.buyerName, email: order.buyerEmail },
    expiresAt: new Date(until),
    returnUrl: `${deps.publicUrl()}${orderPage(order.code)}`,
  })
  await storeLink(deps, payment, link)
}

/**
 * The provider's answer may have been lost and the link paid meanwhile. All unmatched money of this link is applied
 * here, because the provider is not asked about a paid order again.
 */
async function storeLink(deps: Deps, { id }: PaymentRow, { ref, url }: { ref: string; url: string }): Promise<void> {
  const came = await deps.store.write(async (tx) => {
    const payment = await findPayment(tx, id)
    if (payment && payment.providerRef === null)
      await changePayment(tx, payment, { state: payment.state, providerRef: ref, url, updatedAt: deps.now() })
    return unknownOfLink(tx, ref)
  })
  await applyFacts(
    deps,
    came.map((money): Fact => ({ type: 'captured', ref, feePaise: null, ...money })),
  )
}

/** The shortest time between questions to a provider about one order, however often its page is read. */
const LOOK_EVERY_MS = 5_000
/** The time of the last question about each order, per database. */
const looked = new WeakMap<Store, Map<string, number>>()

function mayLook({ store, now: clock }: Deps, id: string): boolean {
  const now = clock().getTime()
  const times = looked.get(store) ?? new Map<string, number>()
  looked.set(store, times)
  for (const [order, at] of times) if (Math.abs(now - at) >= LOOK_EVERY_MS) times.delete(order)
  if (times.has(id)) return false
  times.set(id, now)
  return true
}

/** Runs `askAbout` for someone who reads the order, at most every LOOK_EVERY_MS. */
export async function lookAt(deps: Deps, order: OrderKeys): Promise<void> {
  if (deps.epoch.readOnly() === null && mayLook(deps, order.id)) await ifAnswered(deps, order, askAbout)
}

/**
 * Asks the provider about an order and applies the answer; starts its payment if that has not succeeded yet. Throws
 * ProviderUnavailable or ProviderRefused.
 */
export async function askAbout(deps: Deps, { id }: Pick<OrderRow, 'id'>): Promise<void> {
  const { order, payment, provider } = await readLinked(deps, id)
  if (!provider) return
  if (!payment?.providerRef) return makeLink(deps, order)
  await applyFacts(deps, await provider.look(payment.providerRef))
}

/**
 * Makes sure that a held order can no longer be paid, and applies the provider's answer: it is cancelled or expired, or
 * was paid after all. Throws ProviderUnavailable or ProviderRefused, and then the seats stay held.
 */
export async function closeLink(deps: Deps, { id }: Pick<OrderRow, 'id'>): Promise<void> {
  const { order, payment, provider } = await readLinked(deps, id)
  if (order.state !== 'held' || !provider || !payment) return
  const link = payment.providerRef === null ? await provider.find(order.code) : { ref: payment.providerRef, url: '' }
  if (!link) return
  if (payment.providerRef === null) await storeLink(deps, payment, link)
  await provider.cancel(link.ref)
  await applyFacts(deps, await provider.look(link.ref))
}
