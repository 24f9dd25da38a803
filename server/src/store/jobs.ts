import { and, asc, eq, gt, isNotNull, isNull, like, lte, ne, or, sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { insertNew, isIn, latest, type ReadTx, type WriteTx } from './engine/sql.ts'
import { orders } from './orders.ts'

/**
 * Work to be done after a commit, outside any write. It is stored with the change that requires it, and retried until
 * it succeeds. The same work is stored only once.
 */
export const jobs = sqliteTable(
  'jobs',
  {
    /** The same work always has the same id. */
    id: text().primaryKey(),
    kind: text().notNull(),
    payload: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    /** The order that the work is about, for the order's history. */
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
  tx.announce('jobs')
  return insertNew(tx, jobs, { dueAt: job.createdAt, ...job })
}

const WAITING = sql.raw('ended_at is null')

/** Lanes run in parallel. */
export type Lane = 'mail' | 'money'

/** No job waits longer than this (ms), unless the clock was ahead when it was stored and has been set back since. */
const TOO_LONG_MS = 2 * 3_600_000

const isOver = (time: typeof jobs.dueAt | typeof jobs.leaseUntil, now: Date) =>
  or(lte(time, now), gt(time, new Date(now.getTime() + TOO_LONG_MS)))

const dueIn = (lane: Lane, now: Date) =>
  and(
    WAITING,
    isOver(jobs.dueAt, now),
    or(isNull(jobs.leaseUntil), isOver(jobs.leaseUntil, now)),
    lane === 'mail' ? eq(jobs.kind, 'mail') : ne(jobs.kind, 'mail'),
  )

export const isJobDue = (tx: ReadTx, { now, lane }: { now: Date; lane: Lane }): Promise<boolean> =>
  isIn(tx, jobs, dueIn(lane, now))

/** Leases the job of a lane that has been due longest; undefined when none is due. */
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

/** Ends a job, or postpones it. */
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

/** Earlier versions stored the values of a statement that failed. */
export const forgetValues = async (tx: WriteTx): Promise<void> => {
  await tx.sql.update(jobs).set({ lastError: 'Error' }).where(like(jobs.lastError, '%params: %')).run()
}

/** Makes all work available at once. */
export const voidLeases = async (tx: WriteTx): Promise<void> => {
  await tx.sql
    .update(jobs)
    .set({ leaseUntil: null })
    .where(and(WAITING, isNotNull(jobs.leaseUntil)))
    .run()
}

/** The work of an order, done and waiting, oldest first. */
export const jobsOf = async (tx: ReadTx, orderId: string): Promise<JobRow[]> =>
  tx.sql.select().from(jobs).where(eq(jobs.orderId, orderId)).orderBy(asc(jobs.createdAt), asc(jobs.id)).all()

/** Finds the time at which work of a kind was last done. */
export const lastEnded = (tx: ReadTx, kind: string): Promise<Date | null> =>
  latest(tx, jobs.endedAt, and(eq(jobs.kind, kind), eq(jobs.gaveUp, false)))
