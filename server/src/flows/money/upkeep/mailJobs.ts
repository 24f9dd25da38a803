import { isLanguage } from '@garba/shared/messages/language'
import { compose } from '../../../mail/compose.ts'
import type { Mail, MailBase } from '../../../mail/mails.ts'
import type { JobRow } from '../../../store/jobs.ts'
import { findOrderById, type OrderRow } from '../../../store/orders.ts'
import { findRefund, type RefundRow } from '../../../store/refunds.ts'
import type { ReadTx } from '../../../store/sql.ts'
import { findTicket, nameOn, ticketsOfOrder } from '../../../store/tickets.ts'
import type { Deps } from '../../deps.ts'
import { siteTitle } from '../../event/siteConfig.ts'
import { eventOfOrder } from '../orders/orderRows.ts'
import { isPaidBack, refundsAskedWith } from '../refunds/tellRefund.ts'
import { newsSchema } from './tell.ts'

/** The mail server did not take the mail; its job is tried again. The message is a status code, never an address. */
class MailDelayed extends Error {
  override name = 'MailDelayed'
}

/** The mail will never be taken. The message is a status code, never an address. */
export class Bounced extends Error {
  override name = 'Bounced'
}

/**
 * Writes a job's mail from the current data, and sends it. Throws MailDelayed when it is to be sent again later, and
 * Bounced when it will never be taken. A crash between the mail server's yes and the end of the job sends it again;
 * both copies have one Message-ID, which lets the reader's side see that they are the same.
 */
export async function sendMail(deps: Deps, job: JobRow): Promise<void> {
  const { mailer, settings, store, stopping } = deps
  const mail = await store.read((tx) => mailOf(tx, job))
  if (!mailer || !mail) return
  const { supportEmail, timezone } = settings
  const letter = await compose(mail, { title: await siteTitle(deps), url: deps.publicUrl(), supportEmail, timezone })
  const { outcome, ...rest } = await mailer.send(letter, { key: job.id, at: deps.now(), signal: stopping })
  const why = 'why' in rest ? rest.why : ''
  if (outcome === 'bounced') throw new Bounced(`bounced: ${why}`)
  if (outcome === 'retry') throw new MailDelayed(why)
}

/** Null when the news is out of date or has no reader: the buyer was made anonymous, or has cancelled all tickets. */
async function mailOf(tx: ReadTx, { orderId, payload }: JobRow): Promise<Mail | null> {
  const order = orderId === null ? undefined : await findOrderById(tx, orderId)
  if (!order || order.buyerEmail === '') return null
  const news = newsSchema.parse(payload)
  const to = { name: order.buyerName, address: order.buyerEmail }
  const base = { language: isLanguage(order.language) ? order.language : ('en' as const), to, orderCode: order.code }
  switch (news.what) {
    case 'paid':
      return paidMail(tx, order, base)
    case 'cancelled': {
      const ticket = await findTicket(tx, news.about)
      if (!ticket) return null
      const { id: ticketId, pricePaise } = ticket
      return { ...base, type: 'cancelled', event: await eventOfOrder(tx, order), ticketId, pricePaise }
    }
    case 'refunded':
    case 'byHand': {
      const [id = ''] = news.about.split(':')
      const refund = await findRefund(tx, id)
      return refund ? refundMail(await refundsAskedWith(tx, refund), news.what, base) : null
    }
    case 'changed':
      return { ...base, type: 'changed', event: await eventOfOrder(tx, order), words: news.words }
    default:
      return { ...base, type: 'returned', why: news.what, paise: news.paise }
  }
}

function refundMail(together: readonly RefundRow[], type: 'refunded' | 'byHand', base: MailBase): Mail | null {
  const meant = together.filter(type === 'refunded' ? isPaidBack : ({ state }) => state === 'failed')
  const [only] = meant
  if (!only) return null
  const paise = meant.reduce((sum, { amountPaise }) => sum + amountPaise, 0)
  return { ...base, type, ticketId: meant.length === 1 ? only.ticketId : null, paise }
}

async function paidMail(tx: ReadTx, order: OrderRow, base: MailBase): Promise<Mail | null> {
  const tickets = (await ticketsOfOrder(tx, order.id)).filter(({ status }) => status === 'active')
  if (tickets.length === 0) return null
  return {
    ...base,
    type: 'paid',
    event: await eventOfOrder(tx, order),
    totalPaise: order.totalPaise,
    tickets: tickets.map((ticket) => ({ id: ticket.id, qrCode: ticket.qrCode, name: nameOn(ticket) })),
  }
}
