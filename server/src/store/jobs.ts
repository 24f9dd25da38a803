import { HOUR_MS } from '@garba/shared/constants'
import { and, asc, eq, gt, inArray, isNotNull, isNull, like, lte, ne, notInArray, notLike, or, sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { countIn, findLatestMoment, hasRows, insertNew, type ReadTx, type WriteTx } from './engine/sql.ts'
import { orders } from './orders.ts'

/**
 * Work to be done after a commit, outside any write. It is stored with the change that requires it, and retried until
 * it succeeds. The same work is stored only once.
 */
export const jobs = sqliteTable(
  'jobs',
  {
    id: text().primaryKey(),
    kind: text().notNull(),
    payload: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    orderId: text().references(() => orders.id),
    createdAt: integer({ mode: 'timestamp_ms' }).notNull(),
    dueAt: integer({ mode: 'timestamp_ms' }).notNull(),
    /** One server has the work to itself until then; afterwards another may take it over. */
    leaseUntil: integer({ mode: 'timestamp_ms' }),
    attempts: integer().notNull().default(0),
    lastError: text(),
    /** The time it was done or given up (`gaveUp`). */
    endedAt: integer({ mode: 'timestamp_ms' }),
    gaveUp: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (t) => [
    index('jobs_due').on(t.dueAt).where(sql`${t.endedAt} is null`),
    index('jobs_by_order').on(t.orderId).where(sql`${t.orderId} is not null`),
  ],
)
export type JobRow = typeof jobs.$inferSelect
type NewJob = Pick<JobRow, 'id' | 'kind' | 'payload' | 'createdAt'> & Partial<Pick<JobRow, 'orderId' | 'dueAt'>>

/** Stores work, due at once unless `dueAt` is given. Returns false for work that was already stored. */
export async function insertJob(tx: WriteTx, job: NewJob): Promise<boolean> {
  tx.announceChanges('jobs')
  return insertNew(tx, jobs, { dueAt: job.createdAt, ...job })
}

export const isJobKnown = (tx: ReadTx, id: string): Promise<boolean> => hasRows(tx, jobs, eq(jobs.id, id))

const WAITING = sql.raw('ended_at is null')

export const countNotices = (tx: ReadTx): Promise<number> =>
  countIn(
    tx,
    jobs,
    and(
      WAITING,
      or(inArray(jobs.kind, ['announce', 'remind']), like(jobs.id, 'mail:changed:%'), like(jobs.id, 'mail:reminder:%')),
    ),
  )

export type Lane = 'mail' | 'push' | 'money'

const KINDS = { mail: ['mail'], push: ['push', 'pushAll'] }

/** No job waits longer than this (ms), unless the clock was ahead when it was stored and has been set back since. */
const TOO_LONG_MS = 2 * HOUR_MS

const isOver = (time: typeof jobs.dueAt | typeof jobs.leaseUntil, now: Date) =>
  or(lte(time, now), gt(time, new Date(now.getTime() + TOO_LONG_MS)))

const dueIn = (lane: Lane, now: Date) =>
  and(
    WAITING,
    isOver(jobs.dueAt, now),
    or(isNull(jobs.leaseUntil), isOver(jobs.leaseUntil, now)),
    lane === 'money' ? notInArray(jobs.kind, Object.values(KINDS).flat()) : inArray(jobs.kind, KINDS[lane]),
  )

export const isJobDue = (tx: ReadTx, { now, lane }: { now: Date; lane: Lane }): Promise<boolean> =>
  hasRows(tx, jobs, dueIn(lane, now))

export async function leaseJob(
  tx: WriteTx,
  { now, lane, leaseMs }: { now: Date; lane: Lane; leaseMs: number },
): Promise<JobRow | undefined> {
  const due = await tx.sql
    .select({ id: jobs.id })
    .from(jobs)
    .where(dueIn(lane, now))
    .orderBy(asc(jobs.dueAt), asc(jobs.id))
    .limit(1)
    .get()
  if (!due) return undefined
  return tx.sql
    .update(jobs)
    .set({ leaseUntil: new Date(now.getTime() + leaseMs), attempts: sql`${jobs.attempts} + 1` })
    .where(and(eq(jobs.id, due.id), dueIn(lane, now)))
    .returning()
    .get()
}

export const leaveJob = async (
  tx: WriteTx,
  id: string,
  set: { endedAt: Date; gaveUp?: boolean; lastError: string | null } | { dueAt: Date; lastError: string },
): Promise<void> => {
  await tx.sql
    .update(jobs)
    .set({ leaseUntil: null, ...set })
    .where(eq(jobs.id, id))
    .run()
}

export const changePayload = async (tx: WriteTx, id: string, payload: JobRow['payload']): Promise<void> => {
  await tx.sql.update(jobs).set({ payload }).where(eq(jobs.id, id)).run()
}

export const voidLeases = async (tx: WriteTx): Promise<void> => {
  await tx.sql
    .update(jobs)
    .set({ leaseUntil: null })
    .where(and(WAITING, isNotNull(jobs.leaseUntil)))
    .run()
}

/**
 * Mails that the mail server has not taken, waiting or given up. What bounced never arrives; but with `all`, mails also
 * count whose refusal has no class, because the server refuses all of them.
 */
const refusedMails = (all: boolean) =>
  and(
    eq(jobs.kind, 'mail'),
    isNotNull(jobs.lastError),
    or(
      WAITING,
      and(eq(jobs.gaveUp, true), notLike(jobs.lastError, 'bounced: %'), ne(jobs.lastError, 'mail is off')),
      all ? and(eq(jobs.gaveUp, true), like(jobs.lastError, 'bounced: ___')) : undefined,
    ),
    isNull(jobs.leaseUntil),
  )

export const countRefusedMails = (tx: ReadTx, { all }: { all: boolean }): Promise<number> =>
  countIn(tx, jobs, refusedMails(all))

export async function sendRefusedAgain(tx: WriteTx, { now, all }: { now: Date; all: boolean }): Promise<number> {
  tx.announceChanges('jobs')
  const sent = await tx.sql
    .update(jobs)
    .set({ dueAt: now, attempts: 0, endedAt: null, gaveUp: false })
    .where(refusedMails(all))
    .returning({ id: jobs.id })
    .all()
  return sent.length
}

export async function hastenRefunds(tx: WriteTx, now: Date): Promise<void> {
  tx.announceChanges('jobs')
  const waiting = and(eq(jobs.kind, 'refund'), WAITING, isNull(jobs.leaseUntil))
  await tx.sql.update(jobs).set({ dueAt: now }).where(waiting).run()
}

export const listOrderJobs = async (tx: ReadTx, orderId: string): Promise<JobRow[]> =>
  tx.sql.select().from(jobs).where(eq(jobs.orderId, orderId)).orderBy(asc(jobs.createdAt), asc(jobs.id)).all()

export const lastEnded = (tx: ReadTx, kind: string): Promise<Date | null> =>
  findLatestMoment(tx, jobs.endedAt, and(eq(jobs.kind, kind), eq(jobs.gaveUp, false)))
