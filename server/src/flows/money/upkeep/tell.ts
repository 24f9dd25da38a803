import { MINUTE_MS } from '@garba/shared/constants'
import { RETURN_REASONS, type TicketStatus } from '@garba/shared/contracts/names'
import { foldEmail } from '@garba/shared/rules/search'
import * as z from 'zod'
import { IN_ONE_WRITE, inPieces, type ReadTx, type WriteTx } from '../../../store/engine/sql.ts'
import { changePayload, insertJob, type JobRow, listOrderJobs } from '../../../store/jobs.ts'
import { listReaders, type MailReader } from '../../../store/lists.ts'
import type { OrderRow } from '../../../store/orders.ts'
import type { Deps } from '../../deps.ts'
import { queuePushToAll } from '../../push/pushNews.ts'

/**
 * The subjects of mails to buyers. `about` begins with the id of the order, ticket, payment or refund, and
 * distinguishes similar news about one order, such as two refunds.
 */
export const newsSchema = z.discriminatedUnion('what', [
  z.object({ what: z.enum(['paid', 'refunded', 'byHand', 'offer']), about: z.string() }),
  z.object({ what: z.literal('cancelled'), about: z.string(), ticketIds: z.array(z.string()) }),
  z.object({ what: z.enum(RETURN_REASONS), about: z.string(), paise: z.int() }),
  /** `account` has claimed tickets of the order through an offer; it gets the mail instead of the buyer. */
  z.object({ what: z.literal('calledOff'), about: z.string(), account: z.string().optional() }),
  z.object({ what: z.literal('changed'), about: z.string(), words: z.string(), account: z.string().optional() }),
  /** `day` is the event's; a reminder of another day is out of date. */
  z.object({ what: z.literal('reminder'), about: z.string(), day: z.string(), account: z.string().optional() }),
])
export type News = z.output<typeof newsSchema>

/** Most refunds are made, and most further tickets of a group cancelled, within this time. */
const CANCELLATIONS_WAIT_MS = MINUTE_MS

/**
 * Stores the mail about a change together with the change; false for the same news again. If mail is off, nothing is
 * stored: old mails would all leave at once when it is turned on.
 */
export async function queueBuyerMail(
  { now, mailer }: Pick<Deps, 'now' | 'mailer'>,
  tx: WriteTx,
  { id, buyerEmail }: Pick<OrderRow, 'id' | 'buyerEmail'>,
  news: News,
): Promise<boolean> {
  if (!mailer || buyerEmail === '') return false
  const at = now()
  return insertJob(tx, {
    kind: 'mail',
    id: `mail:${news.what}:${news.about}`,
    payload: { ...news },
    orderId: id,
    createdAt: at,
    dueAt: new Date(at.getTime() + (news.what === 'cancelled' ? CANCELLATIONS_WAIT_MS : 0)),
  })
}

export async function mailPaid(
  deps: Pick<Deps, 'now' | 'mailer'>,
  tx: WriteTx,
  order: Pick<OrderRow, 'id' | 'buyerEmail'>,
): Promise<void> {
  const sent = (await listOrderJobs(tx, order.id)).filter(
    ({ kind, payload }) => kind === 'mail' && payload.what === 'paid',
  )
  await queueBuyerMail(deps, tx, order, { what: 'paid', about: `${order.id}:${sent.length}` })
}

async function listCancellationMails(tx: ReadTx, orderId: string) {
  const mails = (await listOrderJobs(tx, orderId)).filter(({ kind }) => kind === 'mail')
  return mails.flatMap(({ id, payload, attempts, endedAt }) => {
    const news = newsSchema.parse(payload)
    return news.what === 'cancelled' ? [{ id, news, waits: attempts === 0 && endedAt === null }] : []
  })
}

/**
 * Tells a buyer that a ticket is cancelled. The mail waits a minute, so that one mail can name all tickets cancelled in
 * it and say that the refund was made.
 */
export async function tellOfCancellation(
  deps: Pick<Deps, 'now' | 'mailer'>,
  tx: WriteTx,
  order: Pick<OrderRow, 'id' | 'buyerEmail'>,
  ticketId: string,
): Promise<void> {
  const known = await listCancellationMails(tx, order.id)
  if (known.some(({ news }) => news.ticketIds.includes(ticketId))) return
  const open = known.find(({ waits }) => waits)
  if (open) await changePayload(tx, open.id, { ...open.news, ticketIds: [...open.news.ticketIds, ticketId] })
  else await queueBuyerMail(deps, tx, order, { what: 'cancelled', about: ticketId, ticketIds: [ticketId] })
}

export async function willBeTold(tx: ReadTx, orderId: string, ticketIds: readonly (string | null)[]): Promise<boolean> {
  const waiting = (await listCancellationMails(tx, orderId)).filter(({ waits }) => waits)
  const named = new Set<string | null>(waiting.flatMap(({ news }) => news.ticketIds))
  return ticketIds.every((id) => named.has(id))
}

const announcementSchema = z.object({ id: z.string(), words: z.string(), eventId: z.string() })
export type Announcement = Omit<z.output<typeof announcementSchema>, 'eventId'>

export async function queueAnnouncement(
  tx: WriteTx,
  { now, ...news }: Announcement & { eventId: string; now: Date },
): Promise<boolean> {
  const { id: about, words, eventId } = news
  await queuePushToAll(tx, { what: 'changed', about, words, eventId, now })
  return insertJob(tx, { kind: 'announce', id: `announce:${about}`, payload: news, createdAt: now })
}

/** Who gets an announcement: one reader for each folded address with a ticket of a status (active if none is given). */
export const listRecipients = async (
  tx: ReadTx,
  eventId: string,
  statuses?: readonly TicketStatus[],
): Promise<ReadonlyMap<string, MailReader>> =>
  new Map(
    (await listReaders(tx, eventId, statuses)).toReversed().map((reader) => [foldEmail(reader.buyerEmail), reader]),
  )

export async function spreadNews(deps: Deps, { payload }: JobRow): Promise<void> {
  const { id, words, eventId } = announcementSchema.parse(payload)
  const readers = await deps.store.read((tx) => listRecipients(tx, eventId))
  await queueForReaders(deps, [...readers.values()], (who) => ({ what: 'changed', about: `${id}:${who}`, words }))
}

/** Stores a mail for each reader; `newsFor` gets the reader's account or order. */
export async function queueForReaders(
  deps: Deps,
  readers: readonly MailReader[],
  newsFor: (who: string) => Extract<News, { what: 'changed' | 'reminder' }>,
): Promise<void> {
  for (const some of inPieces(readers, IN_ONE_WRITE))
    await deps.store.write(async (tx) => {
      for (const { account, ...order } of some)
        await queueBuyerMail(deps, tx, order, {
          ...newsFor(account ?? order.id),
          ...(account === undefined ? {} : { account }),
        })
    })
}
