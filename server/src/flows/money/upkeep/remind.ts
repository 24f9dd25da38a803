import { REMINDER_BEFORE_MS } from '@garba/shared/constants'
import * as z from 'zod'
import { findEvent } from '../../../store/events.ts'
import { insertJob, isJobKnown, type JobRow } from '../../../store/jobs.ts'
import { listReaders } from '../../../store/lists.ts'
import type { Deps } from '../../deps.ts'
import { readTimes } from '../../event/readEvent.ts'
import { queueForReaders } from './tell.ts'

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

/** Stores a reminder for each order, but not for those of the last day. Repeated after a crash, it makes only the missing. */
export async function spreadReminders(deps: Deps, { payload }: JobRow): Promise<void> {
  const { eventId, day, from } = reminderSchema.parse(payload)
  const readers = await deps.store.read((tx) => listReaders(tx, eventId))
  const earlier = readers.filter(({ soldAt }) => soldAt < from.getTime())
  await queueForReaders(deps, earlier, (who) => ({ what: 'reminder', about: `${who}:${day}`, day }))
}
