import type { CallInput } from '@garba/shared/calls/calls'
import { MINUTE_MS } from '@garba/shared/constants'
import type { Days } from '@garba/shared/contracts/common'
import { MAIL_NEWS } from '@garba/shared/contracts/names'
import type { Attention, DeskOrder, OrderListed } from '@garba/shared/contracts/order'
import { AUDIT } from '@garba/shared/messages/audit'
import { ORDER, ORDER_WORDS } from '@garba/shared/messages/order'
import { toInstantRange } from '@garba/shared/rules/event/calendar'
import { formatRupees, toPaise, toRupees } from '@garba/shared/rules/money'
import { hasSeveralTypes } from '@garba/shared/rules/types/ticketTypes'
import { Refusal, wrongField } from '../../../refusal.ts'
import type { PaymentSettings } from '../../../settings/paymentSettings.ts'
import { type AttentionRow, listOrderAttention, resolveOrderMatter } from '../../../store/attention.ts'
import { countAudit } from '../../../store/audit.ts'
import {
  buildPagination,
  listIds,
  type PageQuery,
  type ReadTx,
  toSlice,
  type WriteTx,
} from '../../../store/engine/sql.ts'
import type { EventRow } from '../../../store/events.ts'
import { type JobRow, listOrderJobs } from '../../../store/jobs.ts'
import {
  listOrders as findOrders,
  type Money,
  type OrderFilter,
  type RefundOfOrder,
  readOrderMoney,
  readOrderPage,
  refundsOfEvent,
} from '../../../store/lists.ts'
import { addToSearch, type OrderRow } from '../../../store/orders.ts'
import {
  changePayment,
  insertPayment,
  listOrderPayments,
  type PaymentRow,
  paymentsOfOrders,
} from '../../../store/payments.ts'
import { accountOfBuyer } from '../../../store/personRecords.ts'
import { findPromoCodeById, listPromoCodes, type PromoCodeRow } from '../../../store/promoCodes.ts'
import type { RefundRow } from '../../../store/refunds.ts'
import { aboutBuyer, auditChange } from '../../audited.ts'
import type { Caller, Deps } from '../../deps.ts'
import { requestedEvent } from '../../event/readEvent.ts'
import { withIsoTimes } from '../../isoTimes.ts'
import { type SignedId, signUnpaid } from '../../tickets/issueTickets.ts'
import { severalTypes } from '../../tickets/readTickets.ts'
import { mailPaid } from '../upkeep/tell.ts'
import { settleOrderPayment } from './applyFacts.ts'
import { cancelHeld } from './guestOrders.ts'
import { refreshPayment } from './links.ts'
import {
  getOrderById,
  type OrderRows,
  orderByCode,
  orderView,
  paymentView,
  readWholeOrderRows,
  refundView,
  ticketsOfBuyer,
  type WholeOrderRows,
  wholeOrderView,
} from './orderRows.ts'
import { isUnproven, takeUtr } from './utrClaims.ts'

type OrderQuery = Omit<OrderFilter, 'eventId' | 'since' | 'before'> & Days & { event?: string | undefined }

export const listDeskOrders = (deps: Deps, query: OrderQuery & PageQuery) =>
  deps.store.read(async (tx) => {
    const { eventId, event } = await requestedEvent(tx, query.event)
    const filter = { ...query, ...toInstantRange(query, deps.settings.timezone), eventId }
    const { total: totalOrders, rows } = await readOrderPage(tx, filter, toSlice(query))
    const orders = event ? await listed(deps, tx, { event, rows }) : []
    const codes = await listPromoCodes(tx, eventId)
    return {
      orders,
      ...severalTypes(event),
      ...(codes.length === 0 ? {} : { codes: codes.map(({ id, code }) => ({ id, code })) }),
      pagination: { ...buildPagination(query, { rows: totalOrders, shown: orders.length }), totalOrders },
    }
  })

/** Amounts are rupees. */
export type ExportedOrder = OrderListed & {
  paidAt: string | null
  refundedAt: string | null
  /** The provider's fee; null without one, or while it is unknown. */
  fee: number | null
  paymentIds: string
  drawer: string | null
  reasons: string
}

interface OrderFile {
  rows: ExportedOrder[]
  hasTypes: boolean
  hasCodes: boolean
}

export const everyOrder = (deps: Deps, query: OrderQuery): Promise<OrderFile> =>
  deps.store.read(async (tx) => {
    const { eventId, event } = await requestedEvent(tx, query.event)
    if (!event) return { rows: [], hasTypes: false, hasCodes: false }
    const rows = await findOrders(tx, { ...query, ...toInstantRange(query, deps.settings.timezone), eventId })
    const payments = Map.groupBy(await paymentsOfOrders(tx, listIds(rows)), ({ orderId }) => orderId)
    const refunds = Map.groupBy(await refundsOfEvent(tx, eventId), ({ orderId }) => orderId)
    const views = await listed(deps, tx, { event, rows })
    const exported = rows.flatMap((order, at) => {
      const view = views[at]
      const its = { payments: payments.get(order.id) ?? [], refunds: refunds.get(order.id) ?? [] }
      return view ? { ...view, ...bookkeeping(order, its) } : []
    })
    const codes = await listPromoCodes(tx, eventId)
    return { rows: exported, hasTypes: hasSeveralTypes(event), hasCodes: codes.length > 0 }
  })

function bookkeeping(
  { reason }: OrderRow,
  { payments, refunds }: { payments: readonly PaymentRow[]; refunds: readonly RefundOfOrder[] },
): Omit<ExportedOrder, keyof OrderListed> {
  const captured = payments.filter(({ state }) => state === 'captured')
  const fees = captured.flatMap(({ feePaise }) => feePaise ?? [])
  const last = (dates: readonly Date[]) => dates.toSorted((a, b) => b.getTime() - a.getTime())[0]?.toISOString() ?? null
  return {
    paidAt: last(captured.map(({ capturedAt, createdAt }) => capturedAt ?? createdAt)),
    refundedAt: last(
      refunds.flatMap(({ state, updatedAt }) => (state === 'done' || state === 'manual' ? updatedAt : [])),
    ),
    fee: fees.length === 0 ? null : toRupees(fees.reduce((sum, paise) => sum + paise, 0)),
    paymentIds: captured.flatMap(({ providerPaymentId }) => providerPaymentId ?? []).join(' '),
    drawer: captured.map(({ cashSessionId }) => cashSessionId).find((id) => id !== null) ?? null,
    reasons: [...new Set([reason, ...refunds.map((refund) => refund.reason)].filter(Boolean))].join('; '),
  }
}

async function listed(
  { settings }: Deps,
  tx: ReadTx,
  { event, rows }: { event: EventRow; rows: readonly OrderRow[] },
): Promise<OrderListed[]> {
  const money = await readOrderMoney(tx, listIds(rows))
  const byOrder = Map.groupBy(await paymentsOfOrders(tx, listIds(rows)), ({ orderId }) => orderId)
  const codes = new Map((await listPromoCodes(tx, event.id)).map((code) => [code.id, code]))
  return rows.map((order) => ({
    ...listedOrderView(
      { order, event, payments: byOrder.get(order.id) ?? [], money: money.get(order.id) },
      settings.payments,
    ),
    ...usedPromo(codes.get(order.promoCodeId ?? '')),
  }))
}

/** One order with its whole history. While it is held, the provider is asked first. */
export async function deskOrder(deps: Deps, code: string): Promise<DeskOrder> {
  const order = await deps.store.read((tx) => orderByCode(tx, code))
  if (order.state === 'held') await refreshPayment(deps, order)
  return deps.store.read((tx) => readDeskOrder(deps, tx, order))
}

export async function readDeskOrder({ settings }: Deps, tx: ReadTx, { id }: OrderRow): Promise<DeskOrder> {
  const order = await getOrderById(tx, { id })
  const [account, jobs] = [await accountOfBuyer(tx, order), await listOrderJobs(tx, id)]
  const matters = await listOrderAttention(tx, { orderId: id })
  const promo = order.promoCodeId === null ? undefined : await findPromoCodeById(tx, order.promoCodeId)
  const rows = { ...(await readWholeOrderRows(tx, order)), jobs, matters, account }
  return { ...deskOrderView(rows, settings.payments), ...usedPromo(promo) }
}

const usedPromo = (row: PromoCodeRow | undefined): Pick<DeskOrder, 'promo'> =>
  row ? { promo: { id: row.id, code: row.code, createdBy: row.createdByName } } : {}

const getOrderBuyer = ({ buyerName, buyerEmail, buyerPhone }: OrderRow) => ({
  name: buyerName,
  email: buyerEmail,
  phone: buyerPhone,
})

const listedOrderView = (
  { money, ...rows }: OrderRows & { money: Money | undefined },
  settings: Pick<PaymentSettings, 'upi'>,
): OrderListed => ({
  ...orderView(rows, settings),
  buyer: getOrderBuyer(rows.order),
  seller: rows.order.sellerName,
  captured: toRupees(money?.captured ?? 0),
  refunded: toRupees(money?.refunded ?? 0),
  requested: toRupees(money?.requested ?? 0),
})

const deskPaymentView = (payment: PaymentRow): DeskOrder['payments'][number] => ({
  ...paymentView(payment),
  providerRef: payment.providerRef,
  providerPaymentId: payment.providerPaymentId,
  utr: payment.utr,
  reference: payment.reference,
  fee: payment.feePaise === null ? null : toRupees(payment.feePaise),
  recordedBy: payment.recordedByName,
  note: payment.note,
})

const deskRefundView = (refund: RefundRow): DeskOrder['refunds'][number] => ({
  ...refundView(refund),
  state: refund.state,
  providerRefundId: refund.providerRefundId,
  attempts: refund.attempts,
  nextAt: refund.nextAt?.toISOString() ?? null,
  lastError: refund.lastError,
  reason: refund.reason,
  requestedBy: refund.requestedByName,
})

function jobView({ kind, payload, createdAt: at, endedAt, gaveUp, attempts, lastError }: JobRow) {
  const mail = MAIL_NEWS.find((news) => kind === 'mail' && news === payload.what) ?? null
  return withIsoTimes({ kind, mail, at, endedAt, gaveUp, attempts, lastError })
}

export const attentionView = (row: AttentionRow, order: string | null): Attention => ({
  id: row.id,
  kind: row.kind,
  order,
  amount: toRupees(row.amountPaise),
  detail: row.detail,
  at: row.createdAt.toISOString(),
})

interface DeskRows extends WholeOrderRows {
  jobs: readonly JobRow[]
  matters: readonly AttentionRow[]
  account: string | null
}

const deskOrderView = (
  { jobs, matters, account, ...rows }: DeskRows,
  settings: Pick<PaymentSettings, 'upi'>,
): DeskOrder => ({
  ...wholeOrderView(rows, settings),
  event: rows.event.id,
  buyer: getOrderBuyer(rows.order),
  account,
  seller: rows.order.sellerName,
  reason: rows.order.reason,
  payments: rows.payments.map(deskPaymentView),
  refunds: rows.refunds.map(deskRefundView),
  matters: matters.map((row) => attentionView(row, rows.order.code)),
  jobs: jobs.map(jobView),
})

/** A second click, or a second person at the desk, means the same mail. */
const SAME_MS = MINUTE_MS

/** Does nothing if the mail still waits to be sent or the last is less than a minute old. */
export const resendMail = (deps: Deps, { admin, code }: { admin: Caller; code: string }): Promise<DeskOrder> =>
  deps.store.write(async (tx) => {
    const order = await orderByCode(tx, code)
    await requireMail(deps, tx, order)
    const now = deps.now()
    const sent = (await listOrderJobs(tx, order.id)).filter(
      ({ kind, payload }) => kind === 'mail' && payload.what === 'paid',
    )
    const isRecent = sent.some(
      ({ endedAt, createdAt }) => endedAt === null || Math.abs(now.getTime() - createdAt.getTime()) < SAME_MS,
    )
    if (!isRecent) {
      await mailPaid(deps, tx, order)
      const detail = AUDIT.order(code)
      await auditChange(tx, { at: now, action: 'order.mailed', actor: admin, subject: aboutBuyer(order), detail })
    }
    return readDeskOrder(deps, tx, order)
  })

async function requireMail({ mailer }: Deps, tx: WriteTx, order: OrderRow): Promise<void> {
  if (!mailer) throw new Refusal('NO_MAIL')
  if (order.buyerEmail === '') throw new Refusal('NO_MAIL', { message: ORDER.noMail.address })
  if (!(await ticketsOfBuyer(tx, order)).some(({ status }) => status === 'active'))
    throw new Refusal('NO_MAIL', { message: ORDER.noMail.tickets })
}

/** Cancels any unpaid order as `cancelOrder` does. An order that is already cancelled is returned unchanged. */
export async function cancelDeskOrder(
  deps: Deps,
  { admin, code }: { admin: Caller; code: string },
): Promise<DeskOrder> {
  const order = await deps.store.read((tx) => orderByCode(tx, code))
  if (order.state === 'cancelled' || !(await cancelHeld(deps, order)))
    return deps.store.read((tx) => readDeskOrder(deps, tx, order))
  return deps.store.write(async (tx) => {
    const [action, detail] = ['order.cancelled' as const, AUDIT.order(code)]
    const view = await readDeskOrder(deps, tx, order)
    if (view.state === 'cancelled' && (await countAudit(tx, { action, search: code })) === 0)
      await auditChange(tx, { at: deps.now(), action, actor: admin, subject: aboutBuyer(order), detail })
    return view
  })
}

type PaymentConfirmation = CallInput<'confirmOrder'> & { admin: Caller; code: string }

/**
 * Records that money of a UPI order is in the bank. The whole total makes its tickets, even after the hold lapsed if
 * seats are free; less keeps the order held until the rest comes; surplus or late money waits to be paid back. The same
 * credit again changes nothing.
 */
export async function confirmPayment(
  deps: Deps,
  { admin, code, amount, utr, note }: PaymentConfirmation,
): Promise<DeskOrder> {
  const order = await deps.store.read((tx) => orderByCode(tx, code))
  if (order.provider !== 'upi' || order.eventId === null) throw new Refusal('ORDER_NOT_HELD')
  const signed = await signUnpaid(deps, order)
  return deps.store.write(async (tx) => {
    const credit = { order: await getOrderById(tx, order), paise: toPaise(amount), utr, note, admin, signed }
    await recordCredit(deps, tx, credit)
    return readDeskOrder(deps, tx, order)
  })
}

/**
 * Proves a seller's sale by the bank's number, which replaces the number that the seller gave. Resolves to false for
 * money that is not for such a sale.
 */
async function prove(
  deps: Deps,
  tx: WriteTx,
  { order, payments, paise, note, ...given }: Omit<Credit, 'admin' | 'signed'> & { payments: readonly PaymentRow[] },
): Promise<boolean> {
  const payment = order.state === 'paid' ? payments.find(({ state }) => state === 'captured') : undefined
  const utr = given.utr ?? payment?.utr ?? null
  // A line without a UTR names the order itself.
  if (!payment || (utr === null && given.utr !== null) || !(await isUnproven(tx, order.id))) return false
  if (payment.amountPaise !== paise)
    throw wrongField('amount', ORDER.soldFor(formatRupees(toRupees(payment.amountPaise))))
  const now = deps.now()
  if (utr !== null) await takeUtr(deps, tx, { utr, paymentId: payment.id })
  await changePayment(tx, payment, { state: 'captured', utr, note: note ?? payment.note, updatedAt: now })
  if (utr !== null && payment.utr !== utr) await addToSearch(tx, order.id, utr)
  const resolution = ORDER_WORDS.proven(utr ?? order.code)
  await resolveOrderMatter(tx, { kind: 'unproven', orderId: order.id }, { resolvedAt: now, resolution })
  return true
}

interface Credit {
  order: OrderRow
  paise: number
  /** Null for a line without a UTR: nobody has seen the number that the buyer gave. */
  utr?: string | null | undefined
  note?: string | undefined
  admin: Caller
  signed: readonly SignedId[]
}

export async function recordCredit(deps: Deps, tx: WriteTx, credit: Credit): Promise<void> {
  const { order, paise, utr, note, admin } = credit
  const payments = await listOrderPayments(tx, order.id)
  const waiting = payments.find(({ state }) => state !== 'captured')
  const number = utr === undefined ? (waiting?.utr ?? null) : utr
  if (!(await prove(deps, tx, { ...credit, payments }))) {
    if (utr && payments.some((payment) => payment.state === 'captured' && payment.utr === utr)) return
    if (!waiting && number === null) {
      if (order.state === 'paid') return
      throw wrongField('utr', ORDER.furtherUtr)
    }
    await receive(deps, tx, { ...credit, waiting, number })
  }
  const detail = [AUDIT.order(order.code), formatRupees(toRupees(paise)), number, note].filter(Boolean).join('; ')
  await auditChange(tx, { at: deps.now(), action: 'order.confirmed', actor: admin, subject: aboutBuyer(order), detail })
}

interface ReceivedCredit extends Credit {
  /** The payment that waits for this money; absent for a further payment. */
  waiting: PaymentRow | undefined
  number: string | null
}

async function receive(
  deps: Deps,
  tx: WriteTx,
  { order, paise, note, admin, signed, waiting, number }: ReceivedCredit,
): Promise<void> {
  if (number !== null) await takeUtr(deps, tx, { utr: number, paymentId: waiting?.id ?? null })
  const now = deps.now()
  const money = { utr: number, note: note ?? null, recordedById: admin.id, recordedByName: admin.name }
  const captured = { ...money, amountPaise: paise, state: 'captured', capturedAt: now, updatedAt: now } as const
  const payment = waiting
    ? await changePayment(tx, waiting, captured)
    : await insertPayment(tx, { orderId: order.id, provider: 'upi', createdAt: now, ...captured })
  if (!payment) throw new Refusal('UNAVAILABLE')
  if (number !== null && number !== waiting?.utr) await addToSearch(tx, order.id, number)
  await settleOrderPayment(deps, tx, { payment, signed })
}
