import { insertJob } from '../../store/jobs.ts'
import type { OrderRow } from '../../store/orders.ts'
import type { WriteTx } from '../../store/sql.ts'
import type { Deps } from '../deps.ts'

/**
 * What a buyer gets a mail about. `about` begins with the id of the order, ticket, payment or refund, and sets apart news of the same kind about
 * one order, such as two refunds. `late`, `duplicate` and `event` say that money goes back, and why.
 */
export type News = { about: string } & (
  | { what: 'paid' | 'cancelled' | 'refunded' | 'byHand' }
  | { what: 'late' | 'duplicate' | 'event'; paise: number }
  | { what: 'changed'; words: string }
)

/**
 * Stores the mail that tells a buyer of a change, with the change itself. The same news is sent once. Where no mails leave,
 * nothing is stored: mails from before would all leave at once when they are turned on.
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
