import type { Days } from '@garba/shared/contracts/common'
import type { MoneyTotal } from '@garba/shared/contracts/money/cash'
import { BOOK_RULES } from '@garba/shared/contracts/names'
import type { BooksLine } from '@garba/shared/contracts/order'
import { isWithin, makeDayFinder } from '@garba/shared/rules/event/calendar'
import { toRupees } from '@garba/shared/rules/money'
import { checkRule } from '../../accountant/accountant.ts'
import { makeRawQuery, type ReadTx } from '../../store/engine/sql.ts'
import { listCountedOrders, movedMoney } from '../../store/eventMoney.ts'
import type { Deps } from '../deps.ts'
import { requestedEvent } from '../event/readEvent.ts'

const EXAMPLES = 10

/**
 * Reports whether money, tickets, seats, drawers and entries agree: one line per accountant's rule, with the first
 * breach. All rules of a large event take a third of a second, so each has a read of its own: no scan waits for all.
 */
export const readBooks = ({ store }: Pick<Deps, 'store'>): Promise<BooksLine[]> =>
  Array.fromAsync(BOOK_RULES, async (rule) => {
    const findings = await store.read((tx) => checkRule(makeRawQuery(tx), rule))
    return { rule, ok: findings.length === 0, count: findings.length, examples: findings.slice(0, EXAMPLES) }
  })

const SUMS = ['captured', 'refunded', 'fees', 'requested'] as const

interface BooksQuery extends Days {
  event?: string | undefined
}

/**
 * Money received, paid back and still to be paid back on each day of the event's time zone, by channel and provider,
 * newest day first. A payment counts on the day it came in; a refund on the day it went out, and until then on the day
 * it was requested. Amounts are rupees.
 */
export const moneyTotals = ({ store, settings }: Deps, query: BooksQuery): Promise<MoneyTotal[]> =>
  store.read((tx) => addUpMoney(tx, settings.timezone, query))

async function addUpMoney(tx: ReadTx, timezone: string, { event, ...days }: BooksQuery): Promise<MoneyTotal[]> {
  const { eventId } = await requestedEvent(tx, event)
  const totals = new Map<string, MoneyTotal>()
  const toDay = makeDayFinder(timezone)
  const totalOf = ({ channel, provider, at }: Pick<MoneyTotal, 'channel' | 'provider'> & { at: Date }) => {
    const day = toDay(at)
    const key = [day, channel, provider].join(' ')
    const none = { orders: 0, captured: 0, refunded: 0, fees: 0, requested: 0 }
    const total = totals.get(key) ?? { day, channel, provider, ...none }
    totals.set(key, total)
    return total
  }
  for (const order of await listCountedOrders(tx, eventId))
    totalOf({ ...order, at: order.settledAt ?? order.createdAt }).orders += 1
  const moved = await movedMoney(tx, eventId)
  for (const sum of SUMS) for (const one of moved[sum]) totalOf(one)[sum] += one.paise
  return [...totals.values()]
    .filter(({ day }) => isWithin(day, days))
    .map((total) => ({
      ...total,
      captured: toRupees(total.captured),
      refunded: toRupees(total.refunded),
      fees: toRupees(total.fees),
      requested: toRupees(total.requested),
    }))
    .toSorted((a, b) => b.day.localeCompare(a.day) || a.channel.localeCompare(b.channel))
}
