import { HOUR_MS, MINUTE_MS } from '@garba/shared/constants'
import type { DemoMail } from '@garba/shared/contracts/common'
import { LINK_PROVIDERS } from '@garba/shared/contracts/names'
import { isLanguage } from '@garba/shared/messages/language'
import { isFree, retryAfterMs } from '@garba/shared/rules/orders/orderMoney'
import { foldEmail } from '@garba/shared/rules/search'
import { sortByNumber } from '@garba/shared/rules/ticketNumber'
import { pickShownType } from '@garba/shared/rules/types/ticketTypes'
import * as z from 'zod'
import { composeLetter } from '../../../mail/compose.ts'
import { writtenMails } from '../../../mail/folder.ts'
import type { Mail, MailBase, MailType } from '../../../mail/mails.ts'
import { factSchema, ProviderRefused, ProviderUnavailable } from '../../../providers/provider.ts'
import { Refusal } from '../../../refusal.ts'
import { listIds, type ReadTx } from '../../../store/engine/sql.ts'
import { isJobDue, type JobRow, type Lane, leaseJob, leaveJob } from '../../../store/jobs.ts'
import { findOrderById, type OrderRow } from '../../../store/orders.ts'
import { accountOfBuyer } from '../../../store/personRecords.ts'
import { findRefund, type RefundRow, refundsOfTickets } from '../../../store/refunds.ts'
import { forgetLinks, ticketsOfLink } from '../../../store/ticketLinks.ts'
import { getNameOnTicket, listUserTickets, type TicketRow, ticketsWithIds } from '../../../store/tickets.ts'
import { findUser } from '../../../store/users.ts'
import { DeliveryFailed } from '../../deliveryFailed.ts'
import type { Deps } from '../../deps.ts'
import { siteTitle } from '../../event/siteConfig.ts'
import { sendNews, spreadPush } from '../../push/pushNews.ts'
import { readSettled } from '../../reconciliation/payouts.ts'
import { heldType } from '../../tickets/readTickets.ts'
import { linkTo, type MadeLink } from '../../tickets/ticketLinks.ts'
import { eventOfOrder, ticketsOfBuyer } from '../orders/orderRows.ts'
import { applyEvent } from '../orders/providerEvents.ts'
import { isPaidBack, refundsRequestedWith } from '../refunds/applyRefund.ts'
import { sendRefund } from '../refunds/sendRefund.ts'
import { recordMailOutcome } from './refusedMails.ts'
import { spreadReminders } from './remind.ts'
import { listRecipients, type News, newsSchema, spreadNews } from './tell.ts'

/**
 * Writes a job's mail from the current data, and sends it. Throws DeliveryFailed. After a crash it may be sent again,
 * with the same Message-ID, so that mail programs can recognise the copy.
 */
async function sendMail(deps: Deps, job: JobRow): Promise<void> {
  const { mailer, settings, store, stopping } = deps
  const composed = await store.read((tx) => buildOrderMail(tx, job))
  if (!composed) return
  if (!mailer) throw new DeliveryFailed('mail is off', null)
  const link = OPENS_TICKETS.has(composed.type) ? await makeMailLink(deps, job) : null
  const mail = link ? { ...composed, wallet: link.url } : composed
  const { supportEmail, timezone } = settings
  const letter = await composeLetter(mail, {
    title: await siteTitle(deps),
    url: deps.publicUrl(),
    supportEmail,
    timezone,
  })
  const sending = await mailer.send(letter, { key: job.id, at: deps.now(), signal: stopping })
  if (link && sending.outcome === 'retry') links.set(job.id, link)
  else links.delete(job.id)
  if (link && sending.outcome === 'bounced') await store.write((tx) => forgetLinks(tx, [link]))
  if (!stopping.aborted) await recordMailOutcome(deps, sending)
  if (sending.outcome === 'bounced') throw new DeliveryFailed(`bounced: ${sending.why}`, null)
  if (sending.outcome === 'retry') throw new DeliveryFailed(sending.why, sending.isPerhapsTaken ? PERHAPS_TAKEN_MS : 0)
}

const OPENS_TICKETS: ReadonlySet<MailType> = new Set<MailType>(['paid', 'changed', 'reminder'])

/**
 * The links of mails to send again, by job. The mail server may have taken a mail although its answer was lost, and the
 * link must work in either copy.
 */
const links = new Map<string, MadeLink>()

const makeMailLink = (deps: Deps, { id, orderId, payload }: JobRow): Promise<MadeLink | null> =>
  deps.store.write(async (tx) => {
    const order = orderId === null ? undefined : await findOrderById(tx, orderId)
    const account = findTakerId(newsSchema.parse(payload))
    const ofEvent = order ? await ticketsTold(tx, order, account) : []
    const before = links.get(id)
    // Another person may have taken over tickets since.
    const opened = before ? listIds(await ticketsOfLink(tx, before.id)) : []
    const isSame = opened.length > 0 && opened.join() === listIds(ofEvent).toSorted().join()
    return before && isSame ? before : linkTo(deps, tx, { tickets: ofEvent, purpose: 'order' })
  })

/** The tickets that a mail is about: those of the order's buyer, or the ones of this event that an account has claimed. */
const ticketsTold = async (tx: ReadTx, order: OrderRow, account: string | null): Promise<TicketRow[]> =>
  account === null
    ? ticketsOfBuyer(tx, order)
    : sortByNumber((await listUserTickets(tx, account)).filter(({ eventId }) => eventId === order.eventId))

const findTakerId = (news: News): string | null =>
  news.what === 'changed' || news.what === 'reminder' ? (news.account ?? null) : null

/**
 * Null when the news is out of date or no one can get it: the buyer was made anonymous, or has cancelled all tickets.
 */
async function buildOrderMail(tx: ReadTx, { orderId, payload }: JobRow): Promise<Mail | null> {
  const order = orderId === null ? undefined : await findOrderById(tx, orderId)
  const news = newsSchema.parse(payload)
  const account = findTakerId(news)
  const taker = account === null ? undefined : await findUser(tx, account)
  if (!order || (account === null ? order.buyerEmail === '' : !taker)) return null
  const to = taker ? { name: taker.name, address: taker.email } : await readRecipient(tx, order)
  const base = { language: isLanguage(order.language) ? order.language : ('en' as const), to, orderCode: order.code }
  switch (news.what) {
    case 'paid':
    case 'reminder': {
      const event = await eventOfOrder(tx, order)
      const tickets = (await ticketsTold(tx, order, account)).filter(({ status }) => status === 'active')
      if (tickets.length === 0 || (news.what === 'reminder' && news.day !== event.date)) return null
      const codes = tickets.map((ticket) => ({
        id: ticket.id,
        number: ticket.number,
        qrCode: ticket.qrCode,
        name: getNameOnTicket(ticket),
        type: pickShownType(heldType(event, ticket.typeId), base.language),
      }))
      const totalPaise = isFree(order.provider) ? 0 : order.totalPaise
      return { ...base, type: news.what, event, totalPaise, tickets: codes }
    }
    case 'cancelled': {
      const tickets = (await ticketsWithIds(tx, news.ticketIds)).filter(({ status }) => status === 'cancelled')
      return tickets.length === 0 ? null : cancelledMail(tx, order, { base, tickets })
    }
    case 'offer':
      return order.state === 'held' && order.offeredUntil !== null
        ? {
            ...base,
            type: 'offer',
            event: await eventOfOrder(tx, order),
            quantity: order.quantity,
            until: order.offeredUntil,
          }
        : null
    case 'refunded':
    case 'byHand': {
      const [id = '', part] = news.about.split(':')
      const refund = await findRefund(tx, id)
      if (!refund) return null
      return refundMail(part === 'alone' ? [refund] : await refundsRequestedWith(tx, refund), news.what, base)
    }
    case 'calledOff': {
      const event = await eventOfOrder(tx, order)
      return event.state === 'calledOff' ? { ...base, type: news.what, event, words: event.stateReason ?? '' } : null
    }
    case 'changed':
      return (await hasTicket(tx, order, { address: to.address, isBuyer: account === null }))
        ? { ...base, type: 'changed', event: await eventOfOrder(tx, order), words: news.words }
        : null
    default:
      return { ...base, type: 'returned', why: news.what, paise: news.paise }
  }
}

/** The buyer, at the present verified address of the account that has the order, if there is one. */
async function readRecipient(tx: ReadTx, order: OrderRow): Promise<MailBase['to']> {
  const id = await accountOfBuyer(tx, order)
  const account = id === null ? undefined : await findUser(tx, id)
  return { name: order.buyerName, address: account?.emailVerified ? account.email : order.buyerEmail }
}

const hasTicket = async (
  tx: ReadTx,
  order: OrderRow,
  { address, isBuyer }: { address: string; isBuyer: boolean },
): Promise<boolean> =>
  (isBuyer && (await ticketsOfBuyer(tx, order)).some(({ status }) => status === 'active')) ||
  (await listRecipients(tx, order.eventId ?? '')).has(foldEmail(address))

function refundMail(together: readonly RefundRow[], type: 'refunded' | 'byHand', base: MailBase): Mail | null {
  const meant = together.filter(type === 'refunded' ? isPaidBack : ({ state }) => state === 'failed')
  const [only] = meant
  if (!only) return null
  const paise = meant.reduce((sum, { amountPaise }) => sum + amountPaise, 0)
  return { ...base, type, ticketId: meant.length === 1 ? only.ticketId : null, paise }
}

async function cancelledMail(
  tx: ReadTx,
  order: OrderRow,
  { base, tickets }: { base: MailBase; tickets: readonly TicketRow[] },
): Promise<Mail> {
  const paidBack = (await refundsOfTickets(tx, listIds(tickets))).filter(isPaidBack)
  return {
    ...base,
    type: 'cancelled',
    event: await eventOfOrder(tx, order),
    tickets,
    refundedPaise: paidBack.reduce((sum, { amountPaise }) => sum + amountPaise, 0),
    isRefunded: tickets.every(({ isRefundDone }) => isRefundDone === true),
  }
}

/** No job takes this long, so its server has died and another takes over the job. */
const LEASE_MS = 120_000
/** A mail server may take minutes, and two servers that send the same mail would send it twice. */
const MAIL_LEASE_MS = 20 * MINUTE_MS
/** A mail server that took the mail without an answer would take each copy. */
const PERHAPS_TAKEN_MS = HOUR_MS
const GIVE_UP_AFTER = 60
/** A push service that asks for patience is asked again this often. */
const PUSHES_AT_MOST = 8
/** A refund job ends only when its outcome is known: until then the refund may not be changed by hand. */
const NEVER_GIVEN_UP = 'refund'

const EVENT = z.object({ id: z.string(), facts: z.array(factSchema) })
const REFUND = z.object({ refundId: z.string() })
const SETTLED = z.object({ provider: z.enum(LINK_PROVIDERS), day: z.string() })

type Work = (deps: Deps, job: JobRow) => Promise<void>

const WORK: Readonly<Record<string, Work>> = {
  event: (deps, { payload }) => applyEvent(deps, EVENT.parse(payload)),
  refund: (deps, { payload }) => sendRefund(deps, REFUND.parse(payload)),
  settled: (deps, { payload }) => readSettled(deps, SETTLED.parse(payload)),
  mail: sendMail,
  announce: spreadNews,
  remind: spreadReminders,
  push: sendNews,
  pushAll: spreadPush,
}

/**
 * Does all due work of a lane, one job after another. A failed job is tried again later, with growing pauses. Mails
 * have a lane of their own: a mail server that does not answer must not hold up money.
 */
export async function runJobs(deps: Deps, lane: Lane): Promise<void> {
  while (!deps.stopping.aborted) {
    const now = deps.now()
    if (!(await deps.store.read((tx) => isJobDue(tx, { now, lane })))) return
    const job = await deps.store.write((tx) =>
      leaseJob(tx, { now, lane, leaseMs: lane === 'mail' ? MAIL_LEASE_MS : LEASE_MS }),
    )
    if (job) await runJob(deps, job)
  }
}

/**
 * Only the messages of these errors are known to hold no names or addresses: that of a failed statement contains its
 * values.
 */
const PLAIN = [DeliveryFailed, ProviderRefused, ProviderUnavailable, Refusal, z.ZodError]

const formatJobError = (error: unknown): string => {
  if (!(error instanceof Error)) return typeof error
  return PLAIN.some((kind) => error instanceof kind) ? error.message : error.name
}

async function runJob(deps: Deps, job: JobRow): Promise<void> {
  try {
    await WORK[job.kind]?.(deps, job)
    await deps.store.write((tx) => leaveJob(tx, job.id, { endedAt: deps.now(), lastError: null }))
  } catch (error) {
    deps.log.warn({ err: error, job: job.id, attempts: job.attempts }, 'a job failed')
    const now = deps.now()
    const lastError = formatJobError(error)
    const most = job.kind === 'push' ? PUSHES_AT_MOST : GIVE_UP_AFTER
    const asked = error instanceof DeliveryFailed ? error.pauseMs : 0
    const gaveUp = (job.attempts >= most && job.kind !== NEVER_GIVEN_UP) || asked === null
    const pause = Math.min(HOUR_MS, Math.max(asked ?? 0, retryAfterMs(job.attempts)))
    const left = gaveUp ? { endedAt: now, gaveUp } : { dueAt: new Date(now.getTime() + pause) }
    await deps.store.write((tx) => leaveJob(tx, job.id, { ...left, lastError }))
  }
}

const SHOWN = 50

export async function demoMails({ settings }: Pick<Deps, 'settings'>): Promise<DemoMail[]> {
  if (!settings.demo) throw new Refusal('NOT_FOUND')
  const mails = await writtenMails(settings.mailDir, { limit: SHOWN })
  return mails.map((mail) => ({ ...mail, at: mail.at.toISOString() }))
}
