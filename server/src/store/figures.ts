import { and, count, isNull, lte, sql, sum } from 'drizzle-orm'
import { devices } from './devices.ts'
import type { ReadTx } from './engine/sql.ts'
import { jobs } from './jobs.ts'
import { orders } from './orders.ts'
import { refusals } from './refusals.ts'
import { scans } from './scans.ts'
import { tickets } from './tickets.ts'

/** Figures for a monitor, over all events. */
export interface Figures {
  tickets: { status: string; count: number }[]
  orders: { state: string; channel: string; count: number }[]
  scans: { outcome: string; count: number }[]
  refusals: { code: string; count: number }[]
  /** Work that is due now, by kind. */
  jobs: { kind: string; count: number }[]
  mailsBounced: number
  /** Scans that phones have not sent, as they last reported. */
  unsent: number
}

export async function readFigures(tx: ReadTx, now: Date): Promise<Figures> {
  const due = and(isNull(jobs.endedAt), lte(jobs.dueAt, now))
  const bounced = sql`${jobs.gaveUp} = 1 and ${jobs.kind} = 'mail'`
  return {
    tickets: await tx.sql
      .select({ status: tickets.status, count: count() })
      .from(tickets)
      .groupBy(tickets.status)
      .all(),
    orders: await tx.sql
      .select({ state: orders.state, channel: orders.channel, count: count() })
      .from(orders)
      .groupBy(orders.state, orders.channel)
      .all(),
    scans: await tx.sql.select({ outcome: scans.outcome, count: count() }).from(scans).groupBy(scans.outcome).all(),
    refusals: await tx.sql.select({ code: refusals.code, count: count() }).from(refusals).groupBy(refusals.code).all(),
    jobs: await tx.sql.select({ kind: jobs.kind, count: count() }).from(jobs).where(due).groupBy(jobs.kind).all(),
    mailsBounced: (await tx.sql.select({ n: count() }).from(jobs).where(bounced).get())?.n ?? 0,
    unsent: Number(
      (
        await tx.sql
          .select({ n: sum(devices.unsent) })
          .from(devices)
          .get()
      )?.n ?? 0,
    ),
  }
}
