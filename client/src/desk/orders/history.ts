import type { DeskOrder } from '@garba/shared/contracts/order'
import { shortenTicketId } from '@garba/shared/messages/common'
import { formatRupees } from '@garba/shared/rules/money'
import type { StateTone } from '../../kit/Badge.tsx'
import { ORDERS } from '../texts/orders.ts'

const words = ORDERS.history

export interface OrderHistoryEntry {
  id: string
  at: string
  tone: StateTone
  title: string
  details: readonly string[]
}

/**
 * An order's history, oldest first. Entries of the same moment keep the order of their causes. Providers count in whole
 * seconds, so a payment may seem to come before its order.
 */
export const buildOrderHistory = (order: DeskOrder, momentOf: (iso: string) => string): OrderHistoryEntry[] => [
  placed(order),
  ...[
    ...order.payments.map(paid),
    ...buildSettledEntries(order),
    ...order.refunds.map((refund) => refunded(refund, momentOf)),
    ...order.jobs.map(done),
  ]
    .filter((happening) => happening !== null)
    .sort((one, other) => Date.parse(one.at) - Date.parse(other.at)),
]

const some = (...texts: readonly (string | null | false)[]): string[] =>
  texts.filter((text): text is string => typeof text === 'string' && text !== '')

function placed({ createdAt, quantity, total, seller, reason }: DeskOrder): OrderHistoryEntry {
  const text = seller === null ? words.placed : words.sold
  return {
    id: 'placed',
    at: createdAt,
    tone: 'info',
    title: text(quantity, formatRupees(total)),
    details: some(seller !== null && words.by(seller), reason),
  }
}

const PAYMENT_TONES = { created: 'info', pending: 'warn', captured: 'ok', failed: 'bad', void: 'info' } as const

function paid(payment: DeskOrder['payments'][number]): OrderHistoryEntry {
  const { id, at, state, amount, provider, providerRef, providerPaymentId, utr, reference, fee, recordedBy, note } =
    payment
  return {
    id,
    at,
    tone: PAYMENT_TONES[state],
    title: words.payments[state](formatRupees(amount)),
    details: some(
      ORDERS.providers[provider],
      utr !== null && words.utr(utr),
      reference !== null && words.reference(reference),
      providerPaymentId !== null && words.payment(providerPaymentId),
      providerRef !== null && words.link(providerRef),
      fee !== null && words.fee(formatRupees(fee)),
      recordedBy !== null && words.by(recordedBy),
      note,
    ),
  }
}

function buildSettledEntries({ state, settledAt, tickets }: DeskOrder): OrderHistoryEntry[] {
  if (settledAt === null || state === 'held') return []
  if (state !== 'paid') return [{ id: 'settled', at: settledAt, tone: 'warn', title: words[state], details: [] }]
  return tickets.length === 0
    ? []
    : [{ id: 'settled', at: settledAt, tone: 'ok', title: words.made(tickets.length), details: [] }]
}

const REFUND_TONES = {
  requested: 'warn',
  asking: 'warn',
  sent: 'info',
  done: 'ok',
  failed: 'bad',
  manual: 'ok',
} as const

function refunded(refund: DeskOrder['refunds'][number], momentOf: (iso: string) => string): OrderHistoryEntry {
  const { id, updatedAt, state, amount, kind, ticketId, providerRefundId, attempts, nextAt, lastError } = refund
  const isOpen = state === 'requested' || state === 'asking'
  return {
    id,
    at: updatedAt,
    tone: REFUND_TONES[state],
    title: words.refunds[state](formatRupees(amount)),
    details: some(
      words.kinds[kind],
      refund.reason,
      ticketId !== null && words.ofTicket(shortenTicketId(ticketId)),
      providerRefundId !== null && words.refund(providerRefundId),
      attempts > 0 && words.attempts(attempts),
      isOpen && nextAt !== null && words.askedAgain(momentOf(nextAt)),
      lastError !== null && words.lastError(lastError),
      refund.requestedBy !== null && words.by(refund.requestedBy),
    ),
  }
}

/** Mails are always listed; other jobs only when they fail, because their results have their own entries. */
function done(job: DeskOrder['jobs'][number]): OrderHistoryEntry | null {
  const { kind, mail, at, endedAt, gaveUp, attempts, lastError } = job
  const failed = gaveUp || (endedAt === null && lastError !== null)
  if (kind !== 'mail' && !failed) return null
  const what = mail === null ? (words.jobs[kind] ?? kind) : words.mails[mail]
  const [tone, title] = gaveUp
    ? (['bad', words.jobGaveUp(what)] as const)
    : endedAt !== null
      ? (['ok', words.jobDone(what)] as const)
      : failed
        ? (['warn', words.jobFails(what)] as const)
        : (['info', words.jobWaits(what)] as const)
  return {
    id: `${kind} ${mail} ${at}`,
    at: endedAt ?? at,
    tone,
    title,
    details: some(failed && words.attempts(attempts), lastError !== null && words.lastError(lastError)),
  }
}
