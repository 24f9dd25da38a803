import { LINK_GRACE_MS, MINUTE_MS } from '@garba/shared/constants'
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
import { getOrderById, readOrderRows } from './orderRows.ts'

/** The shortest lifetime of a link that every provider accepts. */
const LINK_MIN_MS = 16 * MINUTE_MS

export const findLinkProvider = (
  { providers }: Pick<Deps, 'providers'>,
  name: OrderRow['provider'],
): PaymentProvider | undefined => (paysByLink(name) ? providers[name] : undefined)

/**
 * Logs a provider's refusal or missing answer and returns true: the order then waits, because asking again may help.
 * Returns false for any other error.
 */
export function logProviderProblem({ log }: Pick<Deps, 'log'>, error: unknown, order: Pick<OrderRow, 'code'>): boolean {
  if (!(error instanceof ProviderUnavailable || error instanceof ProviderRefused)) return false
  log.warn({ err: error, order: order.code }, 'the payment provider did not do what it was asked')
  return true
}

/** An order with its event, its provider, and its first payment; later payments came unrequested. */
async function readLinked(deps: Deps, id: string) {
  const { order, event, payments } = await deps.store.read(async (tx) =>
    readOrderRows(tx, await getOrderById(tx, { id })),
  )
  return { order, event, payment: payments[0], provider: findLinkProvider(deps, order.provider) }
}

type OrderKeys = Pick<OrderRow, 'id' | 'code'>

async function ifAnswered(deps: Deps, order: OrderKeys, work: (deps: Deps, order: OrderKeys) => Promise<void>) {
  try {
    await work(deps, order)
  } catch (error) {
    if (!logProviderProblem(deps, error, order)) throw error
  }
}

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
const lastAskedAt = new WeakMap<Store, Map<string, number>>()

function canAskAgain({ store, now: clock }: Deps, id: string): boolean {
  const now = clock().getTime()
  const times = lastAskedAt.get(store) ?? new Map<string, number>()
  lastAskedAt.set(store, times)
  for (const [order, at] of times) if (Math.abs(now - at) >= LOOK_EVERY_MS) times.delete(order)
  if (times.has(id)) return false
  times.set(id, now)
  return true
}

export async function refreshPayment(deps: Deps, order: OrderKeys): Promise<void> {
  if (deps.epoch.readOnly() === null && canAskAgain(deps, order.id)) await ifAnswered(deps, order, askAbout)
}

/**
 * Asks the provider about an order and applies the answer; starts its payment if that has not succeeded yet. Throws
 * ProviderUnavailable or ProviderRefused.
 */
export async function askAbout(deps: Deps, { id }: Pick<OrderRow, 'id'>): Promise<void> {
  const { order, payment, provider } = await readLinked(deps, id)
  if (!provider) return
  if (!payment?.providerRef) return makeLink(deps, order)
  await applyFacts(deps, await provider.fetchLinkFacts(payment.providerRef))
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
  await applyFacts(deps, await provider.fetchLinkFacts(link.ref))
}
