import { and, asc, desc, eq, isNotNull, isNull, lte, ne, or, sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { orders } from './orders.ts'
import type { ReadTx, WriteTx } from './sql.ts'

/**
 * Work to be done after a commit, outside of any write: it is stored with the change that makes it necessary, and tried
 * until it succeeds. The same work is stored once.
 */
export const jobs = sqliteTable(
  'jobs',
  {
    /** The same work always has the same id. */
    id: text().primaryKey(),
    kind: text().notNull(),
    payload: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    /** The order it is about, for the order's history. */
    orderId: text().references(() => orders.id),
    createdAt: integer({ mode: 'timestamp_ms' }).notNull(),
    dueAt: integer({ mode: 'timestamp_ms' }).notNull(),
    /** Until when a server works on it; another may take it up afterwards. */
    leaseUntil: integer({ mode: 'timestamp_ms' }),
    attempts: integer().notNull().default(0),
    lastError: text(),
    /** When it was done, or given up: then `gaveUp` says so. */
    endedAt: integer({ mode: 'timestamp_ms' }),
    gaveUp: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (t) => [
    index('jobs_due').on(t.dueAt).where(sql`${t.endedAt} is null`),
    index('jobs_by_order').on(t.orderId).where(sql`${t.orderId} is not null`),
  ],
)
export type JobRow = typeof jobs.$inferSelect
export type NewJob = Pick<JobRow, 'id' | 'kind' | 'payload' | 'createdAt' | 'dueAt'> & {
  orderId?: string | null
}

/** False when the same work was stored before. */
export const insertJob = async (tx: WriteTx, job: NewJob): Promise<boolean> =>
  (await tx.sql.insert(jobs).values(job).onConflictDoNothing().returning({ id: jobs.id }).get()) !== undefined

const WAITING = sql.raw('ended_at is null')

/** Mails and everything else are done side by side. */
export type Lane = 'mail' | 'money'

const dueIn = (lane: Lane, now: Date) =>
  and(
    WAITING,
    lte(jobs.dueAt, now),
    or(isNull(jobs.leaseUntil), lte(jobs.leaseUntil, now)),
    lane === 'mail' ? eq(jobs.kind, 'mail') : ne(jobs.kind, 'mail'),
  )

export const isJobDue = async (tx: ReadTx, { now, lane }: { now: Date; lane: Lane }): Promise<boolean> =>
  (await tx.sql.select({ id: jobs.id }).from(jobs).where(dueIn(lane, now)).limit(1).get()) !== undefined

/** Takes the job of a lane that has been due longest, for the time of a lease; undefined when none is due. */
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

export const endJob = async (
  tx: WriteTx,
  id: string,
  set: { endedAt: Date; gaveUp?: boolean; lastError?: string | null },
): Promise<void> => {
  await tx.sql
    .update(jobs)
    .set({ leaseUntil: null, ...set })
    .where(eq(jobs.id, id))
    .run()
}

/** Leaves undone whatever waits: in a copy of the database it would be done twice. */
export const endWaitingJobs = async (tx: WriteTx, endedAt: Date): Promise<void> => {
  await tx.sql.update(jobs).set({ endedAt, gaveUp: true }).where(isNull(jobs.endedAt)).run()
}

export const postponeJob = async (tx: WriteTx, id: string, set: { dueAt: Date; lastError: string }): Promise<void> => {
  await tx.sql
    .update(jobs)
    .set({ leaseUntil: null, ...set })
    .where(eq(jobs.id, id))
    .run()
}

/** Lets all work be taken up at once. */
export const voidLeases = async (tx: WriteTx): Promise<void> => {
  await tx.sql
    .update(jobs)
    .set({ leaseUntil: null })
    .where(and(WAITING, isNotNull(jobs.leaseUntil)))
    .run()
}

/** The work of an order, done and to be done, oldest first. */
export const jobsOf = async (tx: ReadTx, orderId: string): Promise<JobRow[]> =>
  tx.sql.select().from(jobs).where(eq(jobs.orderId, orderId)).orderBy(asc(jobs.createdAt), asc(jobs.id)).all()

/** When work of a kind was last done. */
export async function lastEnded(tx: ReadTx, kind: string): Promise<Date | null> {
  const last = await tx.sql
    .select({ at: jobs.endedAt })
    .from(jobs)
    .where(and(eq(jobs.kind, kind), isNotNull(jobs.endedAt), eq(jobs.gaveUp, false)))
    .orderBy(desc(jobs.endedAt))
    .limit(1)
    .get()
  return last?.at ?? null
}
