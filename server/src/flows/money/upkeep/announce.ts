import * as z from 'zod'
import { foldEmail } from '../../../email.ts'
import { insertJob, type JobRow } from '../../../store/jobs.ts'
import type { WriteTx } from '../../../store/sql.ts'
import { ordersToTell } from '../../../store/ticketLists.ts'
import type { Deps } from '../../deps.ts'
import { tell } from './tell.ts'

const announcementSchema = z.object({ id: z.string(), words: z.string(), eventId: z.string() })
/** An admin's message to everyone who has an active ticket. The same id is sent once. */
export type Announcement = Omit<z.output<typeof announcementSchema>, 'eventId'>

/** Stores an announcement with its change. The mails are made afterwards: there may be thousands. */
export async function announce(
  tx: WriteTx,
  { id, words, eventId, now }: Announcement & { eventId: string; now: Date },
): Promise<void> {
  await insertJob(tx, {
    kind: 'announce',
    id: `announce:${id}`,
    payload: { id, words, eventId },
    createdAt: now,
    dueAt: now,
  })
  tx.announce('jobs')
}

/** Keeps each write short, so that none holds up the others. */
const IN_ONE_WRITE = 200

/** Makes an announcement's mails, one per address. Repeated after a crash, it makes only the missing ones. */
export async function spreadNews(deps: Deps, { payload }: JobRow): Promise<void> {
  const { id, words, eventId } = announcementSchema.parse(payload)
  const orders = await deps.store.read((tx) => ordersToTell(tx, eventId))
  const first = new Map(orders.toReversed().map((order) => [foldEmail(order.buyerEmail), order]))
  const readers = [...first.values()]
  for (let from = 0; from < readers.length; from += IN_ONE_WRITE)
    await deps.store.write(async (tx) => {
      for (const order of readers.slice(from, from + IN_ONE_WRITE))
        await tell(deps, tx, order, { what: 'changed', about: `${id}:${order.id}`, words })
    })
}
