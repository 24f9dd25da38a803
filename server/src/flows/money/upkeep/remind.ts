import { REMINDER_BEFORE_MS } from '@garba/shared/constants'
import * as z from 'zod'
import { findEvent } from '../../../store/events.ts'
import { insertJob, isJobKnown, type JobRow } from '../../../store/jobs.ts'
import { ordersToTell, takersToTell } from '../../../store/lists.ts'
import type { Deps } from '../../deps.ts'
import { readTimes } from '../../event/readEvent.ts'
import { queueBuyerMail } from './tell.ts'

const reminderSchema = z.object({ eventId: z.string(), day: z.string(), from: z.coerce.date() })

/**
 * Once the event begins within a day, stores the work of mailing each order its tickets. The moment is computed from the
 * event as it is now, so it moves with it.
 */
export async function noteReminder({ store, settings, mailer, now: clock }: Deps): Promise<void> {
  const now = clock()
  if (!mailer || settings.rehearsal) return
  const job = await store.read(async (tx) => {
    const [event, times] = [await findEvent(tx), await readTimes({ settings }, tx)]
    if (!event || !times || event.state === 'calledOff') return null
    const from = new Date(times.startsAt.getTime() - REMINDER_BEFORE_MS)
    const id = `remind:${event.id}:${event.date}`
    if (now < from || now >= times.startsAt || (await isJobKnown(tx, id))) return null
    return { kind: 'remind', id, payload: { eventId: event.id, day: event.date, from }, createdAt: now }
  })
  if (job) await store.write((tx) => insertJob(tx, job))
}

const IN_ONE_WRITE = 200

/** Stores a reminder for each order, but not for those of the last day. Repeated after a crash, it makes only the missing. */
export async function spreadReminders(deps: Deps, { payload }: JobRow): Promise<void> {
  const { eventId, day, from } = reminderSchema.parse(payload)
  const readers = await deps.store.read(async (tx) => [
    ...(await ordersToTell(tx, eventId)).map((order) => ({ order, about: `${order.id}:${day}` })),
    ...(await takersToTell(tx, eventId)).map(({ account, ...order }) => ({
      order,
      about: `${account}:${day}`,
      account,
    })),
  ])
  const earlier = readers.filter(({ order }) => order.soldAt < from.getTime())
  for (let at = 0; at < earlier.length; at += IN_ONE_WRITE)
    await deps.store.write(async (tx) => {
      for (const { order, ...about } of earlier.slice(at, at + IN_ONE_WRITE))
        await queueBuyerMail(deps, tx, order, { what: 'reminder', day, ...about })
    })
}
