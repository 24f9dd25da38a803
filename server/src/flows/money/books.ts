import { BOOK_RULES } from '@garba/shared/contracts/names'
import type { BooksLine, MoneyTotal } from '@garba/shared/contracts/order'
import { dayOf } from '@garba/shared/rules/calendar'
import { toRupees } from '@garba/shared/rules/money'
import { checkRule } from '../../accountant/accountant.ts'
import { listOrders, moneyOf } from '../../store/orderLists.ts'
import { asks } from '../../store/sql.ts'
import type { Deps } from '../deps.ts'
import { eventAsked } from '../eventAsked.ts'

const EXAMPLES = 10

/**
 * Whether money, tickets, seats, drawers and entries agree, as the accountant finds it: one line for each rule, with the first of
 * what breaks it. Each rule reads by itself, so that no scan waits for all of them.
 */
export async function readBooks({ store }: Pick<Deps, 'store'>): Promise<BooksLine[]> {
  const lines: BooksLine[] = []
  for (const rule of BOOK_RULES) {
    const findings = await store.read((tx) => checkRule(asks(tx), rule))
    lines.push({ rule, ok: findings.length === 0, count: findings.length, examples: findings.slice(0, EXAMPLES) })
  }
  return lines
}

/** Paid orders and their money for each day of the event's time zone, channel and provider, the newest day first. Rupees. */
export const moneyTotals = ({ store, settings }: Deps, query: { event?: string | undefined }) =>
  store.read(async (tx) => {
    const { eventId } = await eventAsked(tx, query.event)
    const orders = await listOrders(tx, { eventId })
    const money = await moneyOf(
      tx,
      orders.map(({ id }) => id),
    )
    const paid = orders.filter(({ id, state }) => state === 'paid' || money.has(id))
    const totals = new Map<string, MoneyTotal>()
    for (const { id, channel, provider, settledAt, createdAt } of paid) {
      const day = dayOf(settledAt ?? createdAt, settings.timezone)
      const key = [day, channel, provider].join(' ')
      const total = totals.get(key) ?? { day, channel, provider, orders: 0, captured: 0, refunded: 0 }
      const { captured = 0, refunded = 0 } = money.get(id) ?? {}
      total.orders += 1
      total.captured += captured
      total.refunded += refunded
      totals.set(key, total)
    }
    return [...totals.values()]
      .map((total) => ({ ...total, captured: toRupees(total.captured), refunded: toRupees(total.refunded) }))
      .toSorted((a, b) => b.day.localeCompare(a.day) || a.channel.localeCompare(b.channel))
  })
