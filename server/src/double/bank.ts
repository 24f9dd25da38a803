import { createHash, randomUUID } from 'node:crypto'
import { HOUR_MS, MINUTE_MS } from '@garba/shared/constants'

const LATE_BY = 20 * MINUTE_MS
const REFUND_TAKES = HOUR_MS
const BOUNCES_AFTER = 2 * HOUR_MS
const PAYS_LATER_MS = 20_000

const newId = (kind: string) => `${kind}_${randomUUID().replaceAll('-', '').slice(0, 14)}`

export type Bank = ReturnType<typeof makeBank>

interface BankOptions {
  now: () => Date
  chance: Chance
  links?: readonly Link[]
  /** Called at once, while the bank is in that state. */
  emitEvent: (happening: BankEvent) => void
}

/** Holds links, payments and refunds in memory. Nothing happens by itself: `tick` does the work that is due. */
export function makeBank({ now, chance, emitEvent, links: kept = [] }: BankOptions) {
  const links = new Map<string, Link>()
  const byReference = new Map<string, Link>()
  const byOrder = new Map<string, Link>()
  const payments = new Map<string, Payment>()
  const refunds: Refund[] = []
  const byKey = new Map<string, Refund>()
  const receipts = new Set<string>()
  let due: { at: number; run: () => void }[] = []
  let nextAt = Number.POSITIVE_INFINITY
  const clock = () => now().getTime()
  const plan = (at: number, run: () => void) => {
    due.push({ at, run })
    nextAt = Math.min(nextAt, at)
  }

  for (const link of kept) {
    take(link)
    for (const payment of link.payments) {
      payments.set(payment.id, payment)
      if (payment.captureAt !== null && payment.capturedAt === null) expectCapture(payment, payment.captureAt)
      for (const refund of payment.refunds) takeRefund(refund)
    }
  }
  function take(link: Link): void {
    links.set(link.id, link)
    byReference.set(link.reference, link)
    byOrder.set(link.orderId, link)
    plan(link.expiresAt, () => {
      if (link.status === 'created') end(link, 'expired')
    })
  }
  function takeRefund(refund: Refund): void {
    const { key, receipt, status, endsAt } = refund
    refunds.push(refund)
    if (key !== null) byKey.set(key, refund)
    if (receipt !== null) receipts.add(receipt)
    if (status === 'pending') plan(endsAt, () => finish(refund))
  }
  function tick(): void {
    // Every request calls this, and nearly always nothing is due.
    if (clock() < nextAt) return
    const ready = due.filter(({ at }) => at <= clock())
    due = due.filter(({ at }) => at > clock())
    nextAt = due.reduce((first, { at }) => Math.min(first, at), Number.POSITIVE_INFINITY)
    for (const { run } of ready.sort((one, other) => one.at - other.at)) run()
  }
  function end(link: Link, status: 'cancelled' | 'expired'): void {
    Object.assign(link, { status, updatedAt: clock() })
    emitEvent({ kind: `payment_link.${status}`, link })
  }
  function linkOf(id: string): Link {
    const link = links.get(id)
    if (!link) throw new Refused(404, 'The id provided does not exist')
    return link
  }
  function paymentOf(id: string): Payment {
    const payment = payments.get(id)
    if (!payment) throw new Refused(400, 'The id provided does not exist')
    return payment
  }
  function pays(
    link: Link,
    status: 'authorized' | 'failed',
    { errorReason = null, paise = link.paise }: { errorReason?: string | null; paise?: number } = {},
  ): Payment {
    tick()
    const payment: Payment = {
      id: newId('pay'),
      link,
      paise,
      covers: paise,
      createdAt: clock(),
      captureAt: null,
      capturedAt: null,
      status,
      errorReason,
      refunds: [],
    }
    payments.set(payment.id, payment)
    link.payments.push(payment)
    emitEvent({ kind: `payment.${status}`, payment })
    return payment
  }
  function capture(payment: Payment): void {
    Object.assign(payment, { status: 'captured', errorReason: null, capturedAt: clock() })
    emitEvent({ kind: 'payment.captured', payment })
    const { link } = payment
    const paid = link.payments.reduce((sum, { capturedAt, covers }) => (capturedAt === null ? sum : sum + covers), 0)
    if (link.status !== 'created' || paid < link.paise) return
    Object.assign(link, { status: 'paid', updatedAt: clock() })
    emitEvent({ kind: 'payment_link.paid', link, payment })
  }
  function giveBack(payment: Payment): void {
    const { paise } = payment
    const at = { createdAt: clock(), endsAt: clock(), processedAt: null }
    const refund: Refund = {
      id: newId('rfnd'),
      payment,
      paise,
      key: null,
      receipt: null,
      fails: false,
      status: 'pending',
      ...at,
    }
    payment.refunds.push(refund)
    finish(refund)
    takeRefund(refund)
  }
  function expectCapture(payment: Payment, at: number): void {
    payment.captureAt = at
    plan(at, () => {
      if (payment.status === 'failed') {
        payment.status = 'authorized'
        emitEvent({ kind: 'payment.authorized', payment })
      }
      capture(payment)
    })
  }
  function payLate(ref: string, ms = LATE_BY): Payment {
    const payment = pays(linkOf(ref), 'failed', { errorReason: 'payment_timed_out' })
    expectCapture(payment, clock() + ms)
    return payment
  }

  return {
    tick,
    link: linkOf,
    payment: paymentOf,
    linksOf: (reference: string | undefined) =>
      reference === undefined ? [...links.values()] : [byReference.get(reference) ?? []].flat(),
    paymentsOfOrder: (orderId: string) => byOrder.get(orderId)?.payments ?? [],
    paymentsSince: (from: number) => [...payments.values()].filter(({ createdAt }) => createdAt >= from).toReversed(),
    captured: () => [...payments.values()].filter(({ capturedAt }) => capturedAt !== null),
    refunded: () => refunds.filter(({ processedAt, payment }) => processedAt !== null && payment.capturedAt !== null),

    create(request: LinkRequest): Link {
      const { reference, customer } = request
      if (customer.name !== undefined && !/^[A-Za-z0-9 .'/@()]{3,50}$/.test(customer.name))
        throw new Refused(400, 'The name format is invalid.')
      if (byReference.has(reference))
        throw new Refused(
          400,
          `payment link with given reference_id: ${reference} already exists. Please create a payment link with a different reference_id`,
        )
      if (request.expiresAt < clock() + 15 * MINUTE_MS)
        throw new Refused(400, 'expire_by: timestamp must be atleast 15 minutes in future')
      const at = { createdAt: clock(), updatedAt: clock() }
      const link: Link = {
        id: newId('plink'),
        orderId: newId('order'),
        status: 'created',
        payments: [],
        ...at,
        ...request,
      }
      take(link)
      return link
    },
    cancel(id: string): Link {
      const link = linkOf(id)
      if (link.status !== 'created') throw new Refused(400, `Payment Link cannot be cancelled as it is ${link.status}`)
      end(link, 'cancelled')
      return link
    },
    /** A person pays successfully, whatever the link's state: they may have begun before it ended. */
    pay(ref: string, paise?: number): Payment {
      if (chance.strikes('latePayment')) return payLate(ref)
      const link = linkOf(ref)
      const charged = chance.strikes('feeOnGuest')
        ? link.paise + computeFee(link.paise) + computeFeeTax(link.paise)
        : chance.strikes('offer')
          ? Math.round(link.paise * 0.9)
          : undefined
      const payment = pays(link, 'authorized', { paise: paise ?? charged ?? link.paise })
      if (charged !== undefined) payment.covers = link.paise
      if (chance.strikes('autoRefund')) {
        giveBack(payment)
        return payment
      }
      capture(payment)
      if (chance.strikes('secondPayment')) capture(pays(link, 'authorized'))
      return payment
    },
    fail: (ref: string): Payment => pays(linkOf(ref), 'failed', { errorReason: 'payment_failed' }),
    authorize(ref: string, ms = PAYS_LATER_MS): Payment {
      const payment = pays(linkOf(ref), 'authorized')
      expectCapture(payment, clock() + ms)
      return payment
    },
    /** Reports failure now, but authorises and captures after `ms`. */
    payLate,
    bounce(id: string): void {
      const refund = refunds.find((one) => one.id === id)
      if (refund?.status !== 'processed') throw new Refused(400, 'The refund is not processed')
      comeBack(refund)
    },
    /** Acts as if the provider had forgotten its idempotency keys, as it does after days. */
    forgetKeys: () => byKey.clear(),

    /** What guests have paid and did not get back; nothing is paid out before it is settled. */
    balance: () =>
      chance.isOn('lowBalance')
        ? 0
        : [...payments.values()].reduce(
            (sum, one) => sum + (one.capturedAt === null ? 0 : one.paise - sumRefunded(one)),
            0,
          ),

    refund({ paymentId, paise: requested, key, receipt }: RefundRequest): Refund {
      const payment = paymentOf(paymentId)
      const earlier = key === null ? undefined : byKey.get(key)
      if (earlier) {
        if (
          earlier.payment !== payment ||
          earlier.paise !== (requested ?? payment.paise) ||
          earlier.receipt !== receipt
        )
          throw new Refused(400, 'Different request body sent for the same idempotency key')
        return earlier
      }
      if (receipt !== null && receipts.has(receipt))
        throw new Refused(400, 'Duplicate receipt found for this refund request.')
      if (payment.capturedAt === null)
        throw new Refused(400, 'The payment status should be captured for action to be taken')
      const left = payment.paise - sumRefunded(payment)
      const paise = requested ?? left
      if (left === 0) throw new Refused(400, 'The payment has been fully refunded already')
      if (paise > left) throw new Refused(400, 'The total refund amount is greater than the refund payment amount')
      if (paise < 100) throw new Refused(400, 'The amount must be atleast INR 1.00')
      if (chance.strikes('lowBalance'))
        throw new Refused(400, 'Your account does not have enough balance to carry out the refund operation.')
      const pending = chance.strikes('pendingRefund')
      const refund: Refund = {
        id: newId('rfnd'),
        payment,
        paise,
        key,
        receipt,
        createdAt: clock(),
        endsAt: clock() + (pending ? REFUND_TAKES : 0),
        fails: pending && chance.strikes('failedRefund'),
        processedAt: null,
        status: 'pending',
      }
      payment.refunds.push(refund)
      emitEvent({ kind: 'refund.created', refund })
      if (!pending) finish(refund)
      takeRefund(refund)
      return refund
    },
  }

  function finish(refund: Refund): void {
    if (refund.status !== 'pending') return
    const { payment, fails } = refund
    Object.assign(refund, fails ? { status: 'failed' } : { status: 'processed', processedAt: clock() })
    payment.status = sumRefunded(payment) === payment.paise ? 'refunded' : 'captured'
    emitEvent({ kind: fails ? 'refund.failed' : 'refund.processed', refund })
    // What the provider gave back by itself was never captured, so it cannot come back.
    const mayBounce = !fails && payment.capturedAt !== null
    if (mayBounce && chance.strikes('bouncedRefund')) plan(clock() + BOUNCES_AFTER, () => comeBack(refund))
  }
  function comeBack(refund: Refund): void {
    Object.assign(refund, { status: 'failed', processedAt: null })
    refund.payment.status = 'captured'
    emitEvent({ kind: 'refund.failed', refund })
  }
}

/** Times are in milliseconds, amounts in paise. */
export interface Link {
  id: string
  orderId: string
  paise: number
  reference: string
  description: string
  customer: { name?: string | undefined; email?: string | undefined }
  callbackUrl: string
  expiresAt: number
  createdAt: number
  updatedAt: number
  status: 'created' | 'paid' | 'cancelled' | 'expired'
  payments: Payment[]
}

export interface Payment {
  id: string
  link: Link
  /** Only tests pay less than the link requests; the real provider prevents that. */
  paise: number
  /** The part of the link that it pays: with an offer or a fee on the payer, another amount. */
  covers: number
  createdAt: number
  captureAt: number | null
  capturedAt: number | null
  status: 'authorized' | 'captured' | 'refunded' | 'failed'
  errorReason: string | null
  refunds: Refund[]
}

export interface Refund {
  id: string
  payment: Payment
  paise: number
  key: string | null
  receipt: string | null
  createdAt: number
  endsAt: number
  fails: boolean
  processedAt: number | null
  status: 'pending' | 'processed' | 'failed'
}

export type BankEvent =
  | { kind: `payment_link.${'cancelled' | 'expired'}`; link: Link }
  | { kind: 'payment_link.paid'; link: Link; payment: Payment }
  | { kind: `payment.${'authorized' | 'captured' | 'failed'}`; payment: Payment }
  | { kind: `refund.${'created' | 'processed' | 'failed'}`; refund: Refund }

export type LinkRequest = Pick<Link, 'paise' | 'reference' | 'description' | 'customer' | 'callbackUrl' | 'expiresAt'>
export interface RefundRequest {
  paymentId: string
  paise: number | undefined
  key: string | null
  receipt: string | null
}

/** A fee of 2 %, and 18 % tax on it. */
export const computeFee = (paise: number) => Math.round(paise * 0.02)
export const computeFeeTax = (paise: number) => Math.round(computeFee(paise) * 0.18)

export const sumRefunded = ({ refunds }: Payment): number =>
  refunds.reduce((sum, { status, paise }) => (status === 'failed' ? sum : sum + paise), 0)

export class Refused extends Error {
  override name = 'Refused'
  readonly status: 400 | 401 | 404
  constructor(status: 400 | 401 | 404, description: string) {
    super(description)
    this.status = status
  }
}

/** The probability of each fault: 0 never, 1 always. */
export const NO_FAULTS = {
  lostRequest: 0,
  lostAnswer: 0,
  /** The request is carried out, but the answer takes six seconds. */
  slowAnswer: 0,
  serverError: 0,
  /** A delivery of an event fails and is retried later. With 1, webhooks are off. */
  lostEvent: 0,
  duplicateEvent: 0,
  /** An event arrives up to ten minutes late, after events that happened later. */
  delayedEvent: 0,
  /** A payment is reported as failed, and captured 20 minutes later. */
  latePayment: 0,
  secondPayment: 0,
  lostRefundAnswer: 0,
  pendingRefund: 0,
  failedRefund: 0,
  bouncedRefund: 0,
  lowBalance: 0,
  tooManyRequests: 0,
  /** A payment is given back by the provider itself, and was never captured. */
  autoRefund: 0,
  feeOnGuest: 0,
  /** The payer is charged a tenth less, and the link counts as paid. */
  offer: 0,
} as const satisfies Record<string, number>
export type FaultName = keyof typeof NO_FAULTS
export type Faults = Record<FaultName, number>

export interface Chance {
  strikes: (fault: FaultName) => boolean
  random: () => number
  isOn: (fault: FaultName) => boolean
  set: (faults: Partial<Faults>) => void
}

/** The same seed gives the same faults in the same sequence of calls. */
export function makeChance(seed: string, first: Partial<Faults> = {}): Chance {
  let faults: Faults = { ...NO_FAULTS, ...first }
  let drawn = 0
  const random = () => {
    drawn += 1
    return createHash('sha256').update(`${seed}:${drawn}`).digest().readUInt32BE() / 2 ** 32
  }
  return {
    random,
    isOn: (fault) => faults[fault] > 0,
    strikes: (fault) => faults[fault] > 0 && random() < faults[fault],
    set: (changed) => {
      faults = { ...faults, ...changed }
    },
  }
}
