import { DAY_MS } from '@garba/shared/constants'
import type { Days } from '@garba/shared/contracts/common'
import type { Payout, SettlementDifference, Settlements } from '@garba/shared/contracts/money/statement'
import type { LinkProvider } from '@garba/shared/contracts/names'
import {
  businessDaysBefore,
  daysBetween,
  startOfDay,
  toInstantRange,
  toLocalDay,
} from '@garba/shared/rules/event/calendar'
import { toRupees } from '@garba/shared/rules/money'
import type { ReadTx } from '../../store/engine/sql.ts'
import { insertJob, lastEnded } from '../../store/jobs.ts'
import {
  DIFFERENCES_SHOWN,
  insertSettlementLine,
  listDifferences,
  listPayouts,
  listUnsettled,
  oldestUnsettled,
  PAYOUTS_SHOWN,
  type PayoutRow,
} from '../../store/settlementLines.ts'
import type { Deps } from '../deps.ts'

/** The providers count days in this zone. */
const PROVIDERS_ZONE = 'Asia/Kolkata'
const LAST_DAYS = 3
const DAYS_MAX = 30
/** Business days. Payments are usually paid out after two or three. */
const SETTLED_WITHIN = 5

/**
 * Stores jobs that ask each provider about its payouts, once a day for each recent day, back to the oldest payment
 * without a settlement, because the server may have been off.
 */
export async function askForSettlements(deps: Deps): Promise<void> {
  const names = Object.keys(deps.providers) as LinkProvider[]
  if (names.length === 0) return
  await deps.store.write(async (tx) => {
    const now = deps.now()
    const today = toLocalDay(now, PROVIDERS_ZONE)
    const oldest = (await oldestUnsettled(tx)) ?? now
    const since = Math.min(oldest.getTime(), now.getTime() - LAST_DAYS * DAY_MS)
    const from = new Date(Math.max(since, now.getTime() - DAYS_MAX * DAY_MS))
    for (const provider of names)
      for (const day of daysBetween(toLocalDay(from, PROVIDERS_ZONE), today))
        await insertJob(tx, {
          kind: 'settled',
          id: `settled:${provider}:${day}:${today}`,
          payload: { provider, day },
          createdAt: now,
        })
  })
}

/** Asks a provider for its payouts of a day, and stores them. Throws when the job should be tried again. */
export async function readSettled(
  deps: Deps,
  { provider, day }: { provider: LinkProvider; day: string },
): Promise<void> {
  const settledMoney = await deps.providers[provider]?.fetchSettledMoney(day)
  if (!settledMoney || settledMoney.length === 0) return
  await deps.store.write(async (tx) => {
    for (const { id, type, paise, feePaise, settlementId } of settledMoney) {
      const money = { amountPaise: paise, feePaise, settlementId }
      await insertSettlementLine(tx, { id, provider, kind: type, day, ...money, storedAt: deps.now() })
    }
  })
}

const payoutView = ({ gross, refunded, fees, ...payout }: PayoutRow): Payout => ({
  ...payout,
  gross: toRupees(gross),
  refunded: toRupees(refunded),
  fees: toRupees(fees),
  net: toRupees(gross - refunded - fees),
})

/** Every payout of these days, for an export. Amounts are rupees. */
export const everyPayout = ({ store }: Deps, days: Days): Promise<Payout[]> =>
  store.read(async (tx) => (await listPayouts(tx, days)).map(payoutView))

/**
 * The differences between the provider's payouts of these days and our payments and refunds; all of them without a
 * limit. Amounts are rupees.
 */
async function readPayoutDifferences(
  { now }: Deps,
  tx: ReadTx,
  days: Days,
  limit?: number,
): Promise<SettlementDifference[]> {
  const due = startOfDay(businessDaysBefore(toLocalDay(now(), PROVIDERS_ZONE), SETTLED_WITHIN), PROVIDERS_ZONE)
  const { since, before = due } = toInstantRange(days, PROVIDERS_ZONE)
  const until = Math.min(before.getTime(), due.getTime())
  const settled = (await listDifferences(tx, days, limit)).map(({ code, at, ours, settled: paise, ...difference }) => ({
    ...difference,
    order: code,
    day: at,
    ours: ours === null ? null : toRupees(ours),
    settled: toRupees(paise),
  }))
  const late = await listUnsettled(tx, { since, before: new Date(until), limit })
  const missing = late.map(({ id, code, at, paise }) => ({
    kind: 'missing' as const,
    of: 'payment' as const,
    id,
    order: code,
    settlementId: null,
    day: toLocalDay(new Date(at), PROVIDERS_ZONE),
    ours: toRupees(paise),
    settled: null,
  }))
  return [...missing, ...settled]
}

export const everyDifference = (deps: Deps, days: Days): Promise<SettlementDifference[]> =>
  deps.store.read((tx) => readPayoutDifferences(deps, tx, days))

/** The provider's payouts of these days, and the differences. Amounts are rupees. */
export const listSettlements = (deps: Deps, days: Days): Promise<Omit<Settlements, 'success'>> =>
  deps.store.read(async (tx) => {
    const payouts = (await listPayouts(tx, days, PAYOUTS_SHOWN)).map(payoutView)
    const askedAt = await lastEnded(tx, 'settled')
    const differences = await readPayoutDifferences(deps, tx, days, DIFFERENCES_SHOWN)
    return { payouts, differences, askedAt: askedAt?.toISOString() ?? null }
  })
