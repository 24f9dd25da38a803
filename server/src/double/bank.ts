import { randomUUID } from 'node:crypto'
import type { Chance } from './faults.ts'
import { Refused } from './refused.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const LATE_BY = 20 * MINUTE
const REFUND_TAKES = HOUR
/** What "Pays later" on the page means. */
export const PAYS_LATER_MS = 20_000

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
  createdAt: number
  capturedAt: number | null
  status: 'authorized' | 'captured' | 'refunded' | 'failed'
  errorReason: string | null
  refunds: Refund[]
}

export interface Refund {
  id: string
  payment: Payment
  paise: number
  receipt: string | null
  createdAt: number
  processedAt: number | null
  status: 'pending' | 'processed' | 'failed'
}

export type Happening =
  | { kind: `payment_link.${'cancelled' | 'expired'}`; link: Link }
  | { kind: 'payment_link.paid'; link: Link; payment: Payment }
  | { kind: `payment.${'authorized' | 'captured' | 'failed'}`; payment: Payment }
  | { kind: `refund.${'created' | 'processed' | 'failed'}`; refund: Refund }

export type LinkAsked = Pick<Link, 'paise' | 'reference' | 'description' | 'customer' | 'callbackUrl' | 'expiresAt'>
export interface RefundAsked {
  paymentId: string
  paise: number | undefined
  key: string | null
  receipt: string | null
}

const newId = (kind: string) => `${kind}_${randomUUID().replaceAll('-', '').slice(0, 14)}`

/** A fee of 2 %, and 18 % tax on it. */
export const feeOf = (paise: number) => Math.round(paise * 0.02)
export const taxOf = (paise: number) => Math.round(feeOf(paise) * 0.18)

export type Bank = ReturnType<typeof makeBank>

interface BankOptions {
  now: () => Date
  chance: Chance
  /** Called at once, while the bank is as it was when it happened. */
  tell: (happening: Happening) => void
}

/** Links, payments and refunds in memory. Nothing moves by itself: `tick` does what is due by the clock. */
export function makeBank({ now, chance, tell }: BankOptions) {
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

  function tick(): void {
    // Asked at each request, and nearly always too early.
    if (clock() < nextAt) return
    const ready = due.filter(({ at }) => at <= clock())
    due = due.filter(({ at }) => at > clock())
    nextAt = due.reduce((first, { at }) => Math.min(first, at), Number.POSITIVE_INFINITY)
    for (const { run } of ready.sort((one, other) => one.at - other.at)) run()
  }
  function end(link: Link, status: 'cancelled' | 'expired'): void {
    Object.assign(link, { status, updatedAt: clock() })
    tell({ kind: `payment_link.${status}`, link })
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
  function pays(link: Link, status: 'authorized' | 'failed', errorReason: string | null = null): Payment {
    tick()
    const payment: Payment = {
      id: newId('pay'),
      link,
      createdAt: clock(),
      capturedAt: null,
      status,
      errorReason,
      refunds: [],
    }
    payments.set(payment.id, payment)
    link.payments.push(payment)
    tell({ kind: `payment.${status}`, payment })
    return payment
  }
  function capture(payment: Payment): void {
    Object.assign(payment, { status: 'captured', errorReason: null, capturedAt: clock() })
    tell({ kind: 'payment.captured', payment })
    const { link } = payment
    if (link.status !== 'created') return
    Object.assign(link, { status: 'paid', updatedAt: clock() })
    tell({ kind: 'payment_link.paid', link, payment })
  }
  function payLate(ref: string, ms = LATE_BY): Payment {
    const payment = pays(linkOf(ref), 'failed', 'payment_timed_out')
    plan(clock() + ms, () => {
      payment.status = 'authorized'
      tell({ kind: 'payment.authorized', payment })
      capture(payment)
    })
    return payment
  }

  return {
    tick,
    link: linkOf,
    payment: paymentOf,
    linksOf: (reference: string | undefined) =>
      reference === undefined ? [...links.values()] : [byReference.get(reference) ?? []].flat(),
    paymentsOfOrder: (orderId: string) => byOrder.get(orderId)?.payments ?? [],
    captured: () => [...payments.values()].filter(({ capturedAt }) => capturedAt !== null),
    refunded: () => refunds.filter(({ processedAt }) => processedAt !== null),

    create(asked: LinkAsked): Link {
      const { reference } = asked
      if (byReference.has(reference))
        throw new Refused(
          400,
          `payment link with given reference_id: ${reference} already exists. Please create a payment link with a different reference_id`,
        )
      if (asked.expiresAt < clock() + 15 * MINUTE)
        throw new Refused(400, 'expire_by: timestamp must be atleast 15 minutes in future')
      const at = { createdAt: clock(), updatedAt: clock() }
      const link: Link = {
        id: newId('plink'),
        orderId: newId('order'),
        status: 'created',
        payments: [],
        ...at,
        ...asked,
      }
      links.set(link.id, link)
      byReference.set(reference, link)
      byOrder.set(link.orderId, link)
      plan(link.expiresAt, () => {
        if (link.status === 'created') end(link, 'expired')
      })
      return link
    },
    cancel(id: string): Link {
      const link = linkOf(id)
      if (link.status !== 'created') throw new Refused(400, `Payment Link cannot be cancelled as it is ${link.status}`)
      end(link, 'cancelled')
      return link
    },
    /** A person pays and it works, whatever the link's state: they may have begun before it ended. */
    pay(ref: string): Payment {
      if (chance.strikes('latePayment')) return payLate(ref)
      const link = linkOf(ref)
      const payment = pays(link, 'authorized')
      capture(payment)
      if (chance.strikes('secondPayment')) capture(pays(link, 'authorized'))
      return payment
    },
    fail: (ref: string): Payment => pays(linkOf(ref), 'failed', 'payment_failed'),
    /** The money is reserved now and captured after `ms`. */
    authorize(ref: string, ms = PAYS_LATER_MS): Payment {
      const payment = pays(linkOf(ref), 'authorized')
      plan(clock() + ms, () => capture(payment))
      return payment
    },
    /** Told as failed now, authorised and captured after `ms` all the same. */
    payLate,
    /** As when a request is repeated after days. */
    forgetKeys: () => byKey.clear(),

    refund({ paymentId, paise: asked, key, receipt }: RefundAsked): Refund {
      const payment = paymentOf(paymentId)
      const earlier = key === null ? undefined : byKey.get(key)
      if (earlier) {
        if (
          earlier.payment !== payment ||
          earlier.paise !== (asked ?? payment.link.paise) ||
          earlier.receipt !== receipt
        )
          throw new Refused(400, 'Different request body sent for the same idempotency key')
        return earlier
      }
      if (receipt !== null && receipts.has(receipt))
        throw new Refused(400, 'Duplicate receipt found for this refund request.')
      if (payment.capturedAt === null)
        throw new Refused(400, 'The payment status should be captured for action to be taken')
      const left = payment.link.paise - refundedOf(payment)
      const paise = asked ?? left
      if (left === 0) throw new Refused(400, 'The payment has been fully refunded already')
      if (paise > left) throw new Refused(400, 'The total refund amount is greater than the refund payment amount')
      if (paise < 100) throw new Refused(400, 'The amount must be atleast INR 1.00')
      if (chance.strikes('lowBalance'))
        throw new Refused(400, 'Your account does not have enough balance to carry out the refund operation.')
      const refund: Refund = {
        id: newId('rfnd'),
        payment,
        paise,
        receipt,
        createdAt: clock(),
        processedAt: null,
        status: 'pending',
      }
      refunds.push(refund)
      if (key !== null) byKey.set(key, refund)
      if (receipt !== null) receipts.add(receipt)
      payment.refunds.push(refund)
      tell({ kind: 'refund.created', refund })
      if (chance.strikes('pendingRefund'))
        plan(clock() + REFUND_TAKES, () => finish(refund, chance.strikes('failedRefund')))
      else finish(refund, false)
      return refund
    },
  }

  function finish(refund: Refund, failed: boolean): void {
    const { payment } = refund
    Object.assign(refund, failed ? { status: 'failed' } : { status: 'processed', processedAt: clock() })
    payment.status = refundedOf(payment) === payment.link.paise ? 'refunded' : 'captured'
    tell({ kind: failed ? 'refund.failed' : 'refund.processed', refund })
  }
}

/** Asked back so far, without what failed. */
export const refundedOf = ({ refunds }: Payment): number =>
  refunds.reduce((sum, { status, paise }) => (status === 'failed' ? sum : sum + paise), 0)
