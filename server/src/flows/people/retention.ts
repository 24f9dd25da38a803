import { DAY_MS } from '@garba/shared/constants'
import type { healthAnswerSchema } from '@garba/shared/contracts/desk'
import { AUDIT } from '@garba/shared/messages/audit'
import { POLICY_FACTS } from '@garba/shared/messages/policies'
import { getLastDay, toInstant, yearsAfter } from '@garba/shared/rules/event/calendar'
import { anonymousFrom, hasFreshBackup, retentionStep } from '@garba/shared/rules/event/evening'
import type * as z from 'zod'
import type { ReadTx, WriteTx } from '../../store/engine/sql.ts'
import { makeAnonymous } from '../../store/eventPeople.ts'
import { closedEvents, type EventRow, findEventById, isEventClosed, updateEvent } from '../../store/events.ts'
import { LAST_BACKUP, readMeta } from '../../store/meta.ts'
import { dropOldBodies } from '../../store/providerEvents.ts'
import { aboutEvent, auditChange } from '../audited.ts'
import type { Deps } from '../deps.ts'
import { runRegularly } from '../regularly.ts'

type RetentionDeps = Pick<Deps, 'store' | 'settings' | 'now' | 'log'>

export const keepRetention = (deps: RetentionDeps & Pick<Deps, 'stopping' | 'epoch'>): (() => Promise<void>) =>
  runRegularly(
    {
      work: () => runRetention(deps),
      everyMs: DAY_MS,
      atStart: true,
      failed: 'the people of closed events could not be looked after',
    },
    deps,
  )

/**
 * Makes the people of closed events anonymous three years after the evening, once the desk has warned for 30 days and a
 * backup of the last seven exists. Each event is one write, so that none is left half done.
 */
export async function runRetention(deps: RetentionDeps): Promise<void> {
  await deps.store.write((tx) => dropOldBodies(tx, deps.now()))
  const closed = await deps.store.read(closedEvents)
  for (const { id, anonymousAt } of closed)
    if (anonymousAt === null) await deps.store.write((tx) => applyRetention(deps, tx, id))
}

async function applyRetention({ settings, now: clock, log }: RetentionDeps, tx: WriteTx, id: string): Promise<void> {
  const event = await findEventById(tx, id)
  if (!event || !isEventClosed(event) || event.anonymousAt !== null) return
  const now = clock()
  const known = { dueAt: dueAt(event, settings.timezone), warnedAt: event.peopleWarnedAt?.getTime() ?? null }
  const step = retentionStep({ ...known, lastBackup: await lastBackup(tx) }, now.getTime())
  if (step === 'warn') await updateEvent(tx, id, { peopleWarnedAt: now })
  if (step === 'needsBackup') log.warn({ eventId: id }, 'no backup of the last 7 days: people are not made anonymous')
  if (step !== 'makeAnonymous') return
  const counts = await makeAnonymous(tx, event, now)
  await updateEvent(tx, id, { anonymousAt: now })
  const actor = { id: null, name: AUDIT.daily }
  const detail = AUDIT.madeAnonymous(counts)
  await auditChange(tx, { at: now, action: 'event.anonymous', actor, subject: aboutEvent(event), detail })
  tx.announceChanges('access', 'evening')
  tx.afterCommit(() => log.info({ eventId: id, ...counts }, 'the people of a closed event were made anonymous'))
}

const dueAt = (event: EventRow, timezone: string): number =>
  toInstant(yearsAfter(getLastDay(event), POLICY_FACTS.eventDataYears), event.endTime, timezone).getTime()

async function lastBackup(tx: ReadTx): Promise<number | null> {
  const at = await readMeta(tx, LAST_BACKUP)
  return at === null ? null : Date.parse(at)
}

type Notices = z.infer<typeof healthAnswerSchema>['data']['retention']

export const retentionNotices = ({ store, settings, now }: Omit<RetentionDeps, 'log'>): Promise<Notices> =>
  store.read(async (tx) => {
    const backup = await lastBackup(tx)
    return (await closedEvents(tx)).flatMap((event) => {
      if (event.peopleWarnedAt === null || event.anonymousAt !== null) return []
      const warnedAt = event.peopleWarnedAt.getTime()
      const from = anonymousFrom({ dueAt: dueAt(event, settings.timezone), warnedAt })
      const waitsForBackup = from <= now().getTime() && !hasFreshBackup(backup, now().getTime())
      return { event: event.name, from: new Date(from).toISOString(), waitsForBackup }
    })
  })
