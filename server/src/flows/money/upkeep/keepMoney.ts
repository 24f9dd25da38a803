import { DAY_MS, HOUR_MS, MINUTE_MS, UPI_CONFIRM_MS } from '@garba/shared/constants'
import { type PaymentProvider, ProviderBusy } from '../../../providers/provider.ts'
import type { ReadTx } from '../../../store/engine/sql.ts'
import { type Lane, voidLeases } from '../../../store/jobs.ts'
import { CAUGHT_UP, readMeta, writeMeta } from '../../../store/meta.ts'
import { extendHold, heldOrders, type OrderRow } from '../../../store/orders.ts'
import { findPayment, listOrderPayments, newestPaymentAt } from '../../../store/payments.ts'
import { type RefundRow, refundsEndedSince, refundsOnTheirWay } from '../../../store/refunds.ts'
import { isCreditOpen } from '../../../store/statementLines.ts'
import type { Deps } from '../../deps.ts'
import { noteGateOpening } from '../../push/pushNews.ts'
import { askForSettlements } from '../../reconciliation/payouts.ts'
import { applyFacts } from '../orders/applyFacts.ts'
import { askAbout, closeLink, findLinkProvider, logProviderProblem } from '../orders/links.ts'
import { endHold, endOfHold, getOrderById } from '../orders/orderRows.ts'
import { runJobs } from './jobs.ts'
import { noteReminder } from './remind.ts'

const POLL_MS = MINUTE_MS
const JOBS_MS = 5_000
/** The day's questions are stored once; each hour it only checks whether a new day has begun. */
const SETTLEMENTS_MS = HOUR_MS
const CATCH_UP_MS = DAY_MS
/** A refund's money may come back within this time. */
const BOUNCES_WITHIN_MS = 14 * CATCH_UP_MS
/** Sending a mail or a push message is mostly waiting for the other server. */
const MAILS_AT_ONCE = 4

const AT_ONCE = 5

/**
 * Looks after orders, refunds and jobs until the server stops. Each minute it asks about every open order and every
 * refund on its way, because webhooks may never come. The returned function waits for the work in progress.
 */
export function startMoneyRounds(deps: Deps): () => Promise<void> {
  const { store, stopping, log, epoch } = deps
  const money = oneAtATime(() => runJobs(deps, 'money'))
  const several = (lane: Lane) =>
    oneAtATime(async () => {
      const runs = await Promise.allSettled(Array.from({ length: MAILS_AT_ONCE }, () => runJobs(deps, lane)))
      for (const run of runs) if (run.status === 'rejected') throw run.reason
    })
  const mails = several('mail')
  const pushes = several('push')
  const rounds = oneAtATime(async () => {
    await noteReminder(deps)
    await noteGateOpening(deps)
    await moneyRound(deps)
  })
  const settlements = oneAtATime(() => askForSettlements(deps))
  let caughtUp = false
  const catching = oneAtATime(async () => {
    caughtUp = await catchUp(deps)
  })
  const missed = oneAtATime(async () => {
    await catching()
    await checkEndedRefunds(deps)
  })
  const makeSafe = (work: () => Promise<void>) => async () => {
    if (stopping.aborted || epoch.readOnly() !== null) return
    await work().catch((err: unknown) => log.error({ err }, 'money could not be looked after'))
  }
  // If no other server uses the database, the holder of any lease is dead.
  let first: Promise<void> | null = null
  const begin = makeSafe(async () => {
    if (store.sharedCounter === null) await store.write(voidLeases)
    await Promise.all([money(), mails(), pushes(), rounds(), settlements(), missed()])
  })
  epoch.onceWriting(() => {
    first = begin()
  })
  const jobs = () => {
    void makeSafe(money)()
    void makeSafe(mails)()
    void makeSafe(pushes)()
  }
  const unsubscribe = store.changes.subscribe((change) => {
    if (change === 'jobs') jobs()
  })
  const timers = [
    setInterval(jobs, JOBS_MS).unref(),
    setInterval(makeSafe(rounds), POLL_MS).unref(),
    setInterval(() => (caughtUp ? undefined : void makeSafe(catching)()), POLL_MS).unref(),
    setInterval(makeSafe(settlements), SETTLEMENTS_MS).unref(),
    setInterval(makeSafe(missed), CATCH_UP_MS).unref(),
  ]
  stopping.addEventListener(
    'abort',
    () => {
      unsubscribe()
      for (const timer of timers) clearInterval(timer)
    },
    { once: true },
  )
  const works = [money, mails, pushes, rounds, settlements, missed, catching]
  return async () => {
    await Promise.allSettled([first, ...works.map(({ idle }) => idle())])
  }
}

interface OneAtATime {
  (): Promise<void>
  /** Resolves once it is not running; never rejects. */
  idle: () => Promise<void>
}

/** A call while it runs makes it run once more afterwards, never twice at once. */
function oneAtATime(work: () => Promise<void>): OneAtATime {
  let running: Promise<void> | null = null
  let again = false
  const run = async () => {
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
  return Object.assign(run, { idle: async () => running?.catch(() => undefined) })
}

/**
 * Looks once at every open order, every ended hold, and every refund on its way. A failure with one is logged and does
 * not affect the others. If a provider asks for fewer questions, the round ends.
 */
export async function moneyRound(deps: Deps): Promise<void> {
  const round: Round = { deps, busy: false }
  await each(round, await deps.store.read(heldOrders), async (order) => {
    // A link that the provider always refuses to make must not keep the seats held.
    if (order.holdUntil !== null && order.holdUntil.getTime() <= deps.now().getTime()) await expireHold(deps, order)
    else await askAbout(deps, order)
  })
  await askAboutRefunds(round, refundsOnTheirWay)
}

export async function checkEndedRefunds(deps: Deps): Promise<void> {
  const since = new Date(deps.now().getTime() - BOUNCES_WITHIN_MS)
  await askAboutRefunds({ deps, busy: false }, (tx) => refundsEndedSince(tx, since))
}

interface Round {
  deps: Deps
  busy: boolean
}

async function each<T extends { code: string }>(
  round: Round,
  all: readonly T[],
  work: (one: T) => Promise<void>,
): Promise<void> {
  const { deps } = round
  const waiting = all.values()
  const worker = async () => {
    for (const one of waiting) {
      if (deps.stopping.aborted || round.busy || deps.epoch.readOnly() !== null) return
      try {
        await work(one)
      } catch (error) {
        if (error instanceof ProviderBusy) round.busy = true
        if (!logProviderProblem(deps, error, one))
          deps.log.error({ err: error, order: one.code }, 'an order could not be looked after')
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

/** Ends a hold whose time is over, after asking the provider: money that came in the last second still counts. */
async function expireHold(deps: Deps, order: OrderRow): Promise<void> {
  await closeLink(deps, order)
  await deps.store.write(async (tx) => {
    const now = deps.now()
    const current = await getOrderById(tx, order)
    // A UTR given meanwhile extends the hold, and so does a credit with the order's code.
    const until = new Date(current.createdAt.getTime() + UPI_CONFIRM_MS)
    if (current.provider === 'upi' && now < until && (await isCreditOpen(tx, current)))
      await extendHold(tx, current.id, until)
    else if (endOfHold(current, now) === 'expired') await endHold(tx, current, { to: 'expired', now })
  })
}

type FindRefunds = (tx: ReadTx) => Promise<RefundRow[]>

async function askAboutRefunds(round: Round, find: FindRefunds): Promise<void> {
  const { deps } = round
  await each(round, await linksOfRefunds(deps, find), async ({ provider, ref }) =>
    applyFacts(deps, await provider.fetchLinkFacts(ref)),
  )
}

const linksOfRefunds = (deps: Deps, find: FindRefunds) =>
  deps.store.read(async (tx) => {
    const links = new Map<string, { code: string; provider: PaymentProvider; ref: string }>()
    for (const refund of await find(tx)) {
      const payment = await findPayment(tx, refund.paymentId)
      const provider = payment && findLinkProvider(deps, payment.provider)
      const ref = payment && (await listOrderPayments(tx, payment.orderId))[0]?.providerRef
      if (provider && ref)
        links.set(ref, { code: (await getOrderById(tx, { id: payment.orderId })).code, provider, ref })
    }
    return [...links.values()]
  })

/** Late payments reach two days back; a backup should not be older than a month. */
const BACK = { least: 2 * DAY_MS, most: 30 * DAY_MS }

/**
 * Asks the providers for every payment since the newest one known here, at start and daily. After an older backup is
 * restored, it finds the money of orders missing from the backup, which then waits for the desk as unmatched money.
 * Resolves with whether all have answered: until then the server asks each minute.
 */
export async function catchUp(deps: Deps): Promise<boolean> {
  const now = deps.now().getTime()
  const newest = (await deps.store.read((tx) => newestBefore(tx, deps)))?.getTime() ?? now - BACK.most
  const from = new Date(Math.max(now - BACK.most, Math.min(newest - HOUR_MS, now - BACK.least)))
  let answered = true
  for (const [name, provider] of Object.entries(deps.providers)) {
    try {
      await applyFacts(deps, await provider.since(from))
    } catch (error) {
      if (!logProviderProblem(deps, error, { code: name })) throw error
      answered = false
    }
  }
  if (answered && deps.epoch.number > 0)
    await deps.store.write((tx) => writeMeta(tx, CAUGHT_UP, String(deps.epoch.number)))
  return answered
}

/** Payments since a restore do not show what came between the backup and the restore. */
async function newestBefore(tx: ReadTx, { epoch: { number } }: Deps): Promise<Date | null> {
  const isDone = number === 0 || (await readMeta(tx, CAUGHT_UP)) === String(number)
  return newestPaymentAt(tx, isDone ? null : new Date(number))
}
