import { BOOK_RULES } from '@garba/shared/contracts/names'
import type { BooksLine, MoneyTotal } from '@garba/shared/contracts/order'
import { dayOf } from '@garba/shared/rules/calendar'
import { toRupees } from '@garba/shared/rules/money'
import { breaking } from '../../store/books.ts'
import { listOrders, moneyOf } from '../../store/orderLists.ts'
import type { ReadTx } from '../../store/sql.ts'
import type { Deps } from '../deps.ts'
import { eventAsked } from '../eventAsked.ts'

const EXAMPLES = 10

/** Whether money, tickets and seats agree: one line for each rule, with the first of what breaks it (DECISIONS 7). */
export const readBooks = ({ store }: Pick<Deps, 'store'>): Promise<BooksLine[]> =>
  store.read(async (tx) => {
    const lines: BooksLine[] = []
    for (const rule of BOOK_RULES) lines.push(await lineOf(tx, rule))
    return lines
  })

async function lineOf(tx: ReadTx, rule: BooksLine['rule']): Promise<BooksLine> {
  const broken = await breaking(tx, rule)
  return { rule, ok: broken.length === 0, count: broken.length, examples: broken.slice(0, EXAMPLES) }
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
