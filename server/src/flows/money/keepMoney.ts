import { ProviderRefused, ProviderUnavailable } from '../../providers/provider.ts'
import { heldOrders, type OrderRow } from '../../store/orders.ts'
import { findPayment, paymentsOf } from '../../store/payments.ts'
import { refundsOnTheirWay } from '../../store/refunds.ts'
import type { Deps } from '../deps.ts'
import { applyFacts } from './applyFacts.ts'
import { endHold } from './endHold.ts'
import { runJobs } from './jobs.ts'
import { closeLink, lookAt, notedProblem, providerOf } from './links.ts'
import { sameOrder } from './orderRows.ts'

const POLL_MS = 60_000
const JOBS_MS = 5_000

/**
 * Looks after orders, refunds and jobs until the server stops: each minute every open order and every refund on its way is
 * asked about, because webhooks may never come (DECISIONS 7).
 */
export function keepMoney(deps: Deps): void {
  if (!deps.settings.payments.on) return
  const { store, stopping, log } = deps
  const jobs = oneAtATime(() => runJobs(deps))
  const rounds = oneAtATime(() => moneyRound(deps))
  const noted = (work: () => Promise<void>) => () =>
    void work().catch((err: unknown) => {
      if (!stopping.aborted) log.error({ err }, 'money could not be looked after')
    })
  const unsubscribe = store.changes.subscribe((change) => {
    if (change === 'jobs') noted(jobs)()
  })
  const timers = [setInterval(noted(jobs), JOBS_MS).unref(), setInterval(noted(rounds), POLL_MS).unref()]
  noted(rounds)()
  noted(jobs)()
  stopping.addEventListener(
    'abort',
    () => {
      unsubscribe()
      for (const timer of timers) clearInterval(timer)
    },
    { once: true },
  )
}

/** A call while it runs makes it run once more, not twice at the same time. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let again = false
  return async () => {
    if (running) {
      again = true
      return running
    }
    running = (async () => {
      do {
        again = false
        await work()
      } while (again)
    })()
    try {
      await running
    } finally {
      running = null
    }
  }
}

/** One look at every open order, every hold that has ended, and every refund on its way. */
export async function moneyRound(deps: Deps): Promise<void> {
  for (const order of await deps.store.read(heldOrders)) {
    if (deps.stopping.aborted) return
    await lookAt(deps, order, { always: true })
    if (order.holdUntil !== null && order.holdUntil.getTime() <= deps.now().getTime()) await lapse(deps, order)
  }
  await lookAtRefunds(deps)
}

/** Ends a hold whose time is over, after the provider was asked: money that came in the last second still counts. */
async function lapse(deps: Deps, order: OrderRow): Promise<void> {
  try {
    await closeLink(deps, order)
  } catch (error) {
    if (notedProblem(deps, error, order)) return
    throw error
  }
  await deps.store.write(async (tx) => endHold(tx, await sameOrder(tx, order), { to: 'expired', now: deps.now() }))
}

async function lookAtRefunds(deps: Deps): Promise<void> {
  const { store, log } = deps
  const asked = new Set<string>()
  for (const refund of await store.read(refundsOnTheirWay)) {
    const link = await store.read(async (tx) => {
      const payment = await findPayment(tx, refund.paymentId)
      return payment && { provider: payment.provider, ref: (await paymentsOf(tx, payment.orderId))[0]?.providerRef }
    })
    const provider = link && providerOf(deps, link.provider)
    if (!provider || !link?.ref || asked.has(link.ref)) continue
    asked.add(link.ref)
    try {
      await applyFacts(deps, await provider.look(link.ref))
    } catch (err) {
      if (!(err instanceof ProviderUnavailable || err instanceof ProviderRefused)) throw err
      log.warn({ err, refund: refund.id }, 'the payment provider did not say what became of a refund')
    }
  }
}
