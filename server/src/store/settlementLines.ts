import type { Days } from '@garba/shared/contracts/common'
import type { Payout } from '@garba/shared/contracts/money/statement'
import { GUEST_PROVIDERS } from '@garba/shared/contracts/names'
import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { insertNew, type ReadTx, type WriteTx, withinDays } from './engine/sql.ts'

export const settlementLines = sqliteTable(
  'settlement_lines',
  {
    id: text().primaryKey(),
    provider: text({ enum: GUEST_PROVIDERS }).notNull(),
    kind: text({ enum: ['payment', 'refund'] }).notNull(),
    settlementId: text().notNull(),
    day: text().notNull(),
    amountPaise: integer().notNull(),
    feePaise: integer().notNull(),
    storedAt: integer({ mode: 'timestamp_ms' }).notNull(),
  },
  (t) => [index('settlement_lines_by_day').on(t.day, t.settlementId)],
)

export const insertSettlementLine = async (tx: WriteTx, line: typeof settlementLines.$inferInsert): Promise<void> => {
  await insertNew(tx, settlementLines, line)
}

/** One transfer to the bank, in paise. */
export type PayoutRow = Omit<Payout, 'net'>

export const PAYOUTS_SHOWN = 100

const ANY_DAY = sql`1 = 1`

export const listPayouts = (tx: ReadTx, days: Days, limit?: number): Promise<PayoutRow[]> =>
  tx.rows<PayoutRow>(sql`
    select settlement_id as "id", provider as "provider", max(day) as "day", count(*) as "lines",
      sum(case when kind = 'payment' then amount_paise else 0 end) as "gross",
      sum(case when kind = 'refund' then amount_paise else 0 end) as "refunded", sum(fee_paise) as "fees"
    from settlement_lines group by settlement_id, provider having ${withinDays(sql`max(day)`, days) ?? ANY_DAY} order by max(day) desc, settlement_id
    ${atMost(limit)}`)

/** A line that differs from our records. Amounts are paise; `ours` and `code` are null when we have no record. */
export interface DifferenceRow {
  kind: 'unknown' | 'amount'
  of: 'payment' | 'refund'
  id: string
  code: string | null
  settlementId: string
  at: string
  ours: number | null
  settled: number
}

export const DIFFERENCES_SHOWN = 500

const atMost = (limit: number | undefined) => (limit === undefined ? sql.empty() : sql`limit ${limit}`)

const UNSETTLED =
  sql.raw(`p.state = 'captured' and p.provider in ('razorpay', 'demo') and p.provider_payment_id is not null
  and not exists (select 1 from settlement_lines l where l.id = p.provider_payment_id)`)

export const listDifferences = (tx: ReadTx, days: Days, limit?: number): Promise<DifferenceRow[]> =>
  tx.rows<DifferenceRow>(sql`
    select case when p.id is null and r.id is null then 'unknown' else 'amount' end as "kind", l.kind as "of",
      l.id as "id", o.code as "code", l.settlement_id as "settlementId", l.day as "at",
      coalesce(p.charged_paise, p.amount_paise, r.amount_paise) as "ours", l.amount_paise as "settled"
    from settlement_lines l
      left join payments p on l.kind = 'payment' and p.provider_payment_id = l.id
      left join refunds r on l.kind = 'refund' and r.provider_refund_id = l.id
      left join payments rp on rp.id = r.payment_id
      left join orders o on o.id = coalesce(p.order_id, rp.order_id)
    where coalesce(p.charged_paise, p.amount_paise, r.amount_paise, -1) <> l.amount_paise and ${withinDays(sql`l.day`, days) ?? ANY_DAY}
    order by l.day desc, l.id ${atMost(limit)}`)

export const listUnsettled = (
  tx: ReadTx,
  { since, before, limit }: { since: Date | undefined; before: Date; limit: number | undefined },
): Promise<{ id: string; code: string; at: number; paise: number }[]> =>
  tx.rows(sql`
    select p.provider_payment_id as "id", o.code as "code", p.captured_at as "at", p.amount_paise as "paise"
    from payments p join orders o on o.id = p.order_id
    where ${UNSETTLED} and p.captured_at >= ${since?.getTime() ?? 0} and p.captured_at < ${before.getTime()}
    order by p.captured_at ${atMost(limit)}`)

export async function oldestUnsettled(tx: ReadTx): Promise<Date | null> {
  const [oldest] = await tx.rows<{ at: number | null }>(
    sql`select min(p.captured_at) as "at" from payments p where ${UNSETTLED}`,
  )
  return oldest?.at == null ? null : new Date(oldest.at)
}
