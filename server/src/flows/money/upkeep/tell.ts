import * as z from 'zod'
import { insertJob } from '../../../store/jobs.ts'
import type { OrderRow } from '../../../store/orders.ts'
import type { WriteTx } from '../../../store/sql.ts'
import type { Deps } from '../../deps.ts'

/**
 * The subjects of mails to buyers. `about` begins with the id of the order, ticket, payment or refund, and
 * distinguishes similar news about one order, such as two refunds. `late`, `duplicate` and `event` are reasons for
 * money going back.
 */
export const newsSchema = z.discriminatedUnion('what', [
  z.object({ what: z.enum(['paid', 'cancelled', 'refunded', 'byHand']), about: z.string() }),
  z.object({ what: z.enum(['late', 'duplicate', 'event']), about: z.string(), paise: z.int() }),
  z.object({ what: z.literal('changed'), about: z.string(), words: z.string() }),
])
export type News = z.output<typeof newsSchema>

/**
 * Stores the mail about a change together with the change. The same news is sent once. If mail is off, nothing is
 * stored: old mails would all leave at once when it is turned on.
 */
export async function tell(
  { now, mailer }: Pick<Deps, 'now' | 'mailer'>,
  tx: WriteTx,
  { id, buyerEmail }: Pick<OrderRow, 'id' | 'buyerEmail'>,
  news: News,
): Promise<void> {
  if (!mailer || buyerEmail === '') return
  const at = now()
  await insertJob(tx, {
    kind: 'mail',
    id: `mail:${news.what}:${news.about}`,
    payload: { ...news },
    orderId: id,
    createdAt: at,
    dueAt: at,
  })
  tx.announce('jobs')
}
